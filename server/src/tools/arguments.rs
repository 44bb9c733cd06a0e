//! Taking a call's arguments: every one a text, none missing, none unknown.

use crate::engine::{Call, ToolError};
use serde_json::Value;

/// The arguments of these names, in this order.
pub(super) fn texts<'a, const N: usize>(
    call: &'a Call,
    names: [&str; N],
) -> Result<[&'a str; N], ToolError> {
    if let Some(unknown) = call.args.keys().find(|key| !names.contains(&key.as_str())) {
        return Err(ToolError(format!("`{unknown}` is no argument of {}", call.tool)));
    }
    let mut texts = [""; N];
    for (text, name) in texts.iter_mut().zip(names) {
        *text = required(call, name)?;
    }
    Ok(texts)
}

fn required<'a>(call: &'a Call, name: &str) -> Result<&'a str, ToolError> {
    match call.args.get(name) {
        Some(Value::String(text)) if !text.is_empty() => Ok(text),
        Some(_) => Err(ToolError(format!("`{name}` must be a text"))),
        None => Err(ToolError(format!("`{name}` is missing"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn faults_name_the_argument() {
        let fault = |args: Value| {
            let call = Call {
                id: "c".into(),
                tool: "issue_refund".into(),
                args: args.as_object().unwrap().clone(),
            };
            texts(&call, ["orderId"]).map(|_| ()).map_err(|e| e.0)
        };
        assert_eq!(fault(json!({"orderId": "A-1001"})), Ok(()));
        assert_eq!(fault(json!({})), Err("`orderId` is missing".into()));
        assert_eq!(fault(json!({"orderId": 7})), Err("`orderId` must be a text".into()));
        assert_eq!(
            fault(json!({"orderId": "A-1001", "amount": "1"})),
            Err("`amount` is no argument of issue_refund".into())
        );
    }
}
