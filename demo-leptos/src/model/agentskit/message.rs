//! The messages of a snapshot as a list that is drawn by key.

use std::sync::Arc;
use turnwire::agentskit::{
    AssistantPart, ComponentFrame, ContentReader, Diagnostic, Message, MessageRole, SafeId,
};
use turnwire::client::TurnState;

/// Names a part for as long as its message is shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PartKey {
    /// The text at this position.
    Text(usize),
    /// The component at this position, and which one of its kind it is.
    Component(usize, SafeId),
}

/// What a message says, as far as it has come.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// Its parts.
    pub parts: Vec<AssistantPart>,
    /// Why what follows them cannot be shown.
    pub failure: Option<Diagnostic>,
}

impl Reading {
    /// What the reader makes of the message as it is now.
    #[must_use]
    pub fn of(reader: &mut ContentReader, message: &Message) -> Self {
        reader.read(message);
        Self { parts: reader.parts(), failure: reader.failure() }
    }

    /// The keys of the parts, in order.
    #[must_use]
    pub fn keys(&self) -> Vec<PartKey> {
        let key = |(at, part): (usize, &AssistantPart)| match part {
            AssistantPart::Text(_) => PartKey::Text(at),
            AssistantPart::Component(frame) => PartKey::Component(at, frame.instance_id.clone()),
        };
        self.parts.iter().enumerate().map(key).collect()
    }

    /// The text of this position.
    #[must_use]
    pub fn text(&self, at: usize) -> Option<String> {
        match self.parts.get(at)? {
            AssistantPart::Text(text) => Some(text.clone()),
            AssistantPart::Component(_) => None,
        }
    }

    /// The component of this position.
    #[must_use]
    pub fn component(&self, at: usize) -> Option<ComponentFrame> {
        match self.parts.get(at)? {
            AssistantPart::Component(frame) => Some(frame.clone()),
            AssistantPart::Text(_) => None,
        }
    }
}

/// The messages that are shown, by their ids: results of tools are told at their calls.
#[must_use]
pub fn shown(state: &TurnState) -> Vec<String> {
    let is_shown = |message: &&Arc<Message>| match message.role {
        MessageRole::Tool => false,
        MessageRole::Assistant => !message.content.is_empty() || message.tool_calls.is_some(),
        MessageRole::User | MessageRole::System => true,
    };
    state.messages.iter().filter(is_shown).map(|message| message.id.clone()).collect()
}

/// The message of this id.
#[must_use]
pub fn find(state: &TurnState, id: &str) -> Option<Arc<Message>> {
    state.messages.iter().find(|message| message.id == id).cloned()
}

/// Whether this is the last message, whose components can be used.
#[must_use]
pub fn is_last(state: &TurnState, id: &str) -> bool {
    state.messages.last().is_some_and(|message| message.id == id)
}

/// What the person said right after this message.
#[must_use]
pub fn answer(state: &TurnState, id: &str) -> Option<String> {
    let at = state.messages.iter().position(|message| message.id == id)?;
    let next = state.messages.get(at + 1)?;
    (next.role == MessageRole::User).then(|| next.content.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::agentskit::conversation::tests::{message, ordered, state};
    use turnwire::agentskit::TurnStatus;

    #[test]
    fn parts_are_found_by_their_keys() {
        let asked = message("m-1", MessageRole::Assistant, &ordered("Which?", "choice-list"));
        let reading = Reading::of(&mut ContentReader::new(), &asked);
        let keys = reading.keys();
        assert_eq!(keys.len(), 2);
        assert_eq!(reading.text(0).as_deref(), Some("Which?"));
        let frame = reading.component(1).unwrap();
        assert_eq!(keys[1], PartKey::Component(1, frame.instance_id));
        assert_eq!((reading.component(0), reading.text(1), reading.text(9)), (None, None, None));
    }

    #[test]
    fn only_what_is_said_is_shown() {
        let messages = vec![
            message("u", MessageRole::User, "hello"),
            message("a", MessageRole::Assistant, ""),
            message("t", MessageRole::Tool, "{}"),
            message("b", MessageRole::Assistant, "Hi."),
        ];
        let state = state(TurnStatus::Complete, messages);
        assert_eq!(shown(&state), ["u", "b"]);
        assert!(is_last(&state, "b") && !is_last(&state, "u"));
    }

    #[test]
    fn the_answer_is_what_the_person_said_next() {
        let messages = vec![
            message("a", MessageRole::Assistant, "Which?"),
            message("u", MessageRole::User, "A-1001"),
            message("b", MessageRole::Assistant, "Fine."),
        ];
        let state = state(TurnStatus::Complete, messages);
        assert_eq!(answer(&state, "a").as_deref(), Some("A-1001"));
        assert_eq!((answer(&state, "u"), answer(&state, "b")), (None, None));
    }
}
