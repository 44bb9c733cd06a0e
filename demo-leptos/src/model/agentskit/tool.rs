//! A tool call of a message, as the timeline shows it.

use turnwire::agentskit::{ToolCall, ToolCallStatus};
use turnwire::chat::{ToolCall as Entry, ToolStatus};

/// The call as an entry of the timeline.
#[must_use]
pub fn entry(call: &ToolCall) -> Entry {
    let failure = call.error.as_ref().map(|error| match error.starts_with("ERROR:") {
        true => error.clone(),
        false => format!("ERROR: {error}"),
    });
    Entry {
        id: call.id.clone(),
        tool: call.name.clone(),
        args: call.args.to_value().as_object().cloned(),
        detail: None,
        summary: failure.or_else(|| call.result.clone()),
        status: status(call.status),
        damaged: false,
    }
}

fn status(status: ToolCallStatus) -> ToolStatus {
    match status {
        ToolCallStatus::Pending => ToolStatus::Requested,
        ToolCallStatus::Running => ToolStatus::Started,
        ToolCallStatus::Complete => ToolStatus::Done,
        ToolCallStatus::Error => ToolStatus::Failed,
        ToolCallStatus::RequiresConfirmation => ToolStatus::Other("Waits for you.".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwire::json::JsonText;

    fn call(result: Option<&str>, error: Option<&str>) -> ToolCall {
        ToolCall {
            id: "c".into(),
            name: "issue_refund".into(),
            args: JsonText::parse(r#"{"orderId":"A-1001"}"#).unwrap(),
            status: ToolCallStatus::Complete,
            result: result.map(Into::into),
            error: error.map(Into::into),
        }
    }

    #[test]
    fn a_call_keeps_its_arguments_and_its_outcome() {
        let done = entry(&call(Some("1"), None));
        assert_eq!(done.args.unwrap()["orderId"], "A-1001");
        assert_eq!((done.summary.as_deref(), done.status), (Some("1"), ToolStatus::Done));
        for error in ["no order", "ERROR: no order"] {
            let failed = entry(&call(None, Some(error)));
            assert_eq!(failed.summary.as_deref(), Some("ERROR: no order"));
        }
    }
}
