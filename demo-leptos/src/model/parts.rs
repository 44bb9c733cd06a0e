//! The parts of a message as a list that is drawn by key.

use turnwire::chat::{ChatState, Message, MessageStatus, Part};

use std::sync::Arc;

/// Names a part for as long as its message is shown.
///
/// Parts are only added, so a position is a name; a pending item has its own, so that its card
/// stays even where a replay puts other parts before it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PartKey {
    /// The text at this position.
    Text(usize),
    /// The tool call at this position.
    Tool(usize),
    /// The notice at this position.
    Notice(usize),
    /// The approval with this id.
    Approval(String),
    /// The question with this id.
    Question(String),
}

/// The keys of a message's parts, in order.
#[must_use]
pub fn keys(message: &Message) -> Vec<PartKey> {
    let parts = message.parts.iter().enumerate();
    parts.map(|(index, part)| key(index, part)).collect()
}

/// The part of this key.
#[must_use]
pub fn find<'a>(message: &'a Message, wanted: &PartKey) -> Option<&'a Part> {
    match wanted {
        PartKey::Text(index) | PartKey::Tool(index) | PartKey::Notice(index) => {
            let part = message.parts.get(*index)?;
            (key(*index, part) == *wanted).then_some(part)
        }
        PartKey::Approval(_) | PartKey::Question(_) => message
            .parts
            .iter()
            .find(|part| matches!(part, Part::Item { .. }) && key(0, part) == *wanted),
    }
}

/// The message of this key.
#[must_use]
pub fn message(state: &ChatState, key: u64) -> Option<Arc<Message>> {
    let mut messages = state.messages.iter();
    messages.find(|message| message.key == key).cloned()
}

/// The last message that does not wait to be sent.
#[must_use]
pub fn last_sent(state: &ChatState) -> Option<&Message> {
    let is_sent = |message: &&Arc<Message>| message.status != MessageStatus::Queued;
    state.messages.iter().rfind(is_sent).map(|message| &**message)
}

fn key(index: usize, part: &Part) -> PartKey {
    match part {
        Part::Text { .. } => PartKey::Text(index),
        Part::Tool(_) => PartKey::Tool(index),
        Part::Notice(_) => PartKey::Notice(index),
        Part::Item { item } => match &item.kind {
            turnwire::chat::ItemKind::Approval { .. } => PartKey::Approval(item.id.clone()),
            turnwire::chat::ItemKind::Question { .. } => PartKey::Question(item.id.clone()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwire::chat::Conversation;
    use turnwire::loopengine::{Received, decode};

    fn message() -> Arc<Message> {
        let mut conversation = Conversation::new();
        conversation.begin_turn("refund").unwrap();
        for event in [
            r#"{"type":"assistant:text","text":"One moment."}"#,
            r#"{"type":"tool:started","id":"t1","tool":"ask_user","args":{},"detailText":""}"#,
            r#"{"type":"question:pending","id":"q1","question":"Which?","agent":"a","requestedAt":"2025-01-01T00:00:00Z"}"#,
        ] {
            conversation.apply_streamed(&Received::Event(decode(event).unwrap()));
        }
        conversation.state().messages.pop().unwrap()
    }

    #[test]
    fn every_part_is_found_by_its_key() {
        let message = message();
        let keys = keys(&message);
        assert_eq!(keys, [PartKey::Text(0), PartKey::Tool(1), PartKey::Question("q1".into())]);
        for (key, part) in keys.iter().zip(&message.parts) {
            assert_eq!(find(&message, key), Some(part));
        }
    }

    #[test]
    fn a_key_never_finds_a_part_of_another_kind() {
        let message = message();
        assert_eq!(find(&message, &PartKey::Tool(0)), None);
        assert_eq!(find(&message, &PartKey::Approval("q1".into())), None);
        assert_eq!(find(&message, &PartKey::Notice(9)), None);
    }
}
