//! What a turn waits for, as a component that a person decides on.
//!
//! # Protocol
//! Keys, props and events of AgentsKit's standard catalog, observed in
//! AgentsKit-io/agentskit-chat@0c393cb. The instance is the pending item, so a decision names it.

use super::content::cut;
use serde_json::{Value, json};
use turnwire::agentskit::{ComponentFrame, ComponentKey, Fallback, SafeId};
use turnwire::json::{JsonText, utf16_len};
use turnwire::loopengine::{ApprovalPending, LoopEvent, QuestionPending};

/// The component that asks for a verdict.
pub(super) const APPROVAL: &str = "approval-request";
/// The component that offers choices.
pub(super) const CHOICES: &str = "choice-list";

const MAX_CHOICES: usize = 20;
const MAX_LABEL_UNITS: usize = 256;
const MAX_TEXT_UNITS: usize = 4096;

/// The component of a pending item; none for a question that words alone can answer.
pub(super) fn of_item(item: &LoopEvent) -> Option<ComponentFrame> {
    match item {
        LoopEvent::ApprovalPending(item) => approval(item),
        LoopEvent::QuestionPending(item) => question(item),
        _ => None,
    }
}

fn approval(item: &ApprovalPending) -> Option<ComponentFrame> {
    let args = Value::Object(item.args.clone());
    let title = format!("Approve {}?", item.tool);
    let description =
        format!("The agent wants to run {} with {args} ({}).", item.tool, item.reason);
    let props = json!({
        "title": cut(&title, MAX_LABEL_UNITS),
        "description": cut(&description, MAX_TEXT_UNITS),
        "approveLabel": "Approve",
        "denyLabel": "Deny",
    });
    frame(APPROVAL, &item.id, &props, &format!("{title} {description}"))
}

/// A question without options, or with options that a list cannot hold, is asked in words.
fn question(item: &QuestionPending) -> Option<ComponentFrame> {
    let options = item.options.as_deref().unwrap_or_default();
    let fits = |label: &String| (1..=MAX_LABEL_UNITS).contains(&utf16_len(label));
    let is_list = (1..=MAX_CHOICES).contains(&options.len()) && options.iter().all(fits);
    if !is_list {
        return None;
    }
    let choice = |(at, label)| json!({"id": format!("option-{at}"), "label": label});
    let choices: Vec<_> = (1..).zip(options).map(choice).collect();
    let props = json!({"prompt": cut(&item.question, MAX_TEXT_UNITS), "choices": choices});
    let words = format!("{} {}.", item.question, options.join(", "));
    frame(CHOICES, &item.id, &props, &words)
}

fn frame(key: &str, instance: &str, props: &Value, words: &str) -> Option<ComponentFrame> {
    Some(ComponentFrame {
        component_key: ComponentKey::new(key).ok()?,
        instance_id: SafeId::new(instance).ok()?,
        props: JsonText::of(props).ok()?,
        fallback: Fallback::new(key, cut(words, MAX_TEXT_UNITS)).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(options: &[&str]) -> LoopEvent {
        let item = json!({"type": "question:pending", "id": "q-1", "question": "Which one?",
            "options": options, "agent": "a", "sessionId": "s", "requestedAt": "2031-03-04T05:06Z"});
        turnwire::loopengine::decode(&item.to_string()).unwrap()
    }

    #[test]
    fn options_become_choices_as_long_as_a_list_can_hold_them() {
        let frame = of_item(&question(&["A-1001", "A-1002"])).unwrap();
        assert_eq!(frame.component_key.as_str(), CHOICES);
        assert_eq!(frame.instance_id.as_str(), "q-1");
        assert_eq!(
            frame.props.to_value()["choices"][1],
            json!({"id": "option-2", "label": "A-1002"})
        );
        assert_eq!(frame.fallback.summary, "Which one? A-1001, A-1002.");
        let long = "x".repeat(MAX_LABEL_UNITS + 1);
        for options in [&[][..], &[""], &["a", &long], &["x"; MAX_CHOICES + 1]] {
            assert_eq!(of_item(&question(options)), None, "{options:?}");
        }
    }
}
