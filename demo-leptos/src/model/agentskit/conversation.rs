//! Where a conversation stands: its newest snapshot, and what the page itself is doing.

use turnwire::agentskit::{
    AssistantPart, ComponentFrame, ContentReader, MessageRole, SafeId, TurnStatus,
};
use turnwire::chat::Phase;
use turnwire::client::{TurnPhase, TurnState};

/// The component that asks for a verdict.
const APPROVAL: &str = "approval-request";
/// The component that offers choices.
const CHOICES: &str = "choice-list";

/// What the page is doing, beside what the session knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Doing {
    /// A stored session is being fetched.
    pub is_opening: bool,
    /// The turn was stopped here.
    pub is_stopped: bool,
    /// What was sent, until a snapshot has it.
    pub sent: Option<Sent>,
}

/// What was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sent {
    /// A message.
    Words(String),
    /// What was done with a component.
    Event {
        /// Which component.
        instance: SafeId,
        /// The choice, or the verdict.
        what: String,
    },
}

/// What a component at the end of the conversation asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The question, in words.
    pub words: String,
    /// Whether only a verdict goes on from here, and no message.
    pub is_approval: bool,
}

/// What the conversation is doing, in the words of a chat.
#[must_use]
pub fn phase(state: &TurnState, doing: &Doing, request: Option<&Request>) -> Phase {
    match state.phase {
        _ if doing.is_opening && state.snapshot.is_none() => Phase::Loading,
        TurnPhase::Submitting => Phase::Sending,
        TurnPhase::Streaming | TurnPhase::Reconnecting { .. } => Phase::Running,
        TurnPhase::Idle | TurnPhase::Interrupted | TurnPhase::Stopped => match request {
            _ if doing.is_opening => Phase::Running,
            Some(request) if request.is_approval => Phase::Waiting,
            _ => Phase::Idle,
        },
    }
}

/// What the last message asks once its turn rests; while one goes on nothing can be answered.
#[must_use]
pub fn request(state: &TurnState) -> Option<Request> {
    let snapshot = state.snapshot.as_ref()?.snapshot()?;
    let last = state.messages.last()?;
    if snapshot.status == TurnStatus::Streaming || last.role != MessageRole::Assistant {
        return None;
    }
    let mut reader = ContentReader::new();
    reader.read(last);
    reader.parts().iter().rev().find_map(|part| match part {
        AssistantPart::Component(frame) => asks(frame),
        AssistantPart::Text(_) => None,
    })
}

fn asks(frame: &ComponentFrame) -> Option<Request> {
    let is_approval = match frame.component_key.as_str() {
        APPROVAL => true,
        CHOICES => false,
        _ => return None,
    };
    let props = frame.props.to_value();
    let field = if is_approval { "title" } else { "prompt" };
    let words = props.get(field).and_then(|text| text.as_str()).map(str::to_owned);
    Some(Request { words: words.unwrap_or_else(|| frame.fallback.summary.clone()), is_approval })
}

/// The message that was sent and that no snapshot has yet.
#[must_use]
pub fn unconfirmed(state: &TurnState, doing: &Doing) -> Option<String> {
    match &doing.sent {
        Some(Sent::Words(text)) if !is_taken(state) => Some(text.clone()),
        _ => None,
    }
}

/// Whether the server has the turn that was submitted last.
#[must_use]
pub fn is_taken(state: &TurnState) -> bool {
    let told = state.snapshot.as_ref().map(|event| &event.turn_id);
    told.is_some() && told == state.turn_id.as_ref()
}

/// How much is shown, for the list that follows its end.
#[must_use]
pub fn size(state: &TurnState) -> usize {
    state.messages.iter().map(|message| 1 + message.content.len()).sum()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::sync::Arc;
    use turnwire::agentskit::{
        AssistantContentEncoder, Fallback, Message, MessageStatus, SnapshotOptions, Timestamp,
        TokenUsage, create_snapshot_event,
    };
    use turnwire::json::JsonText;

    pub(crate) fn message(id: &str, role: MessageRole, content: &str) -> Message {
        Message {
            id: id.into(),
            role,
            content: content.into(),
            status: MessageStatus::Complete,
            created_at: "2031-03-04T05:06:07.089Z".into(),
            parts: None,
            tool_calls: None,
            tool_call_id: None,
            metadata: None,
        }
    }

    /// A text and a component.
    pub(crate) fn ordered(text: &str, key: &str) -> String {
        let frame = ComponentFrame {
            component_key: turnwire::agentskit::ComponentKey::new(key).unwrap(),
            instance_id: SafeId::new("i-1").unwrap(),
            props: JsonText::parse(r#"{"title":"Approve it?","prompt":"Which one?"}"#).unwrap(),
            fallback: Fallback::new(key, "In words.").unwrap(),
        };
        let mut encoder = AssistantContentEncoder::new();
        let parts = [AssistantPart::Text(text.into()), AssistantPart::Component(frame)];
        parts.iter().map(|part| encoder.encode(part).unwrap()).collect()
    }

    pub(crate) fn state(status: TurnStatus, messages: Vec<Message>) -> TurnState {
        let id = |text| SafeId::new(text).unwrap();
        let event = create_snapshot_event(&SnapshotOptions {
            event_id: id("e"),
            session_id: id("s"),
            turn_id: id("t"),
            sequence: 1,
            emitted_at: Timestamp::from_unix_ms(0),
            messages: messages.clone(),
            status,
            usage: TokenUsage::default(),
            lineage: None,
            error: None,
        });
        TurnState {
            phase: TurnPhase::Idle,
            turn_id: Some(id("t")),
            snapshot: Some(Arc::new(event.unwrap())),
            messages: messages.into_iter().map(Arc::new).collect(),
            failure: None,
            error: None,
            damaged: Vec::new(),
            damaged_lines: 0,
        }
    }

    pub(crate) fn asking(key: &str) -> TurnState {
        let asked = message("a", MessageRole::Assistant, &ordered("One moment.", key));
        state(TurnStatus::Complete, vec![asked])
    }

    #[test]
    fn an_approval_at_the_end_is_waited_for_and_a_choice_is_not() {
        let phase_of = |state: &TurnState| phase(state, &Doing::default(), request(state).as_ref());
        assert_eq!(request(&asking(APPROVAL)).unwrap().words, "Approve it?");
        assert_eq!(request(&asking(CHOICES)).unwrap().words, "Which one?");
        assert_eq!(phase_of(&asking(APPROVAL)), Phase::Waiting);
        assert_eq!(phase_of(&asking(CHOICES)), Phase::Idle);
        assert_eq!(phase_of(&asking("table")), Phase::Idle);
    }

    #[test]
    fn what_was_answered_and_what_still_comes_asks_nothing() {
        let mut messages = vec![message("a", MessageRole::Assistant, &ordered("a", APPROVAL))];
        assert_eq!(request(&state(TurnStatus::Streaming, messages.clone())), None);
        messages.push(message("u", MessageRole::User, "yes"));
        assert_eq!(request(&state(TurnStatus::Complete, messages)), None);
    }

    #[test]
    fn a_message_is_shown_until_a_snapshot_of_its_turn_comes() {
        let doing = Doing { sent: Some(Sent::Words("hello".into())), ..Doing::default() };
        let mut state = state(TurnStatus::Streaming, Vec::new());
        assert_eq!(unconfirmed(&state, &doing), None);
        state.turn_id = Some(SafeId::new("next").unwrap());
        assert_eq!(unconfirmed(&state, &doing).as_deref(), Some("hello"));
        state.snapshot = None;
        assert_eq!(unconfirmed(&state, &doing).as_deref(), Some("hello"));
        assert_eq!(unconfirmed(&state, &Doing::default()), None);
    }

    #[test]
    fn a_session_is_loading_until_its_first_snapshot() {
        let opening = Doing { is_opening: true, ..Doing::default() };
        let mut state = state(TurnStatus::Complete, Vec::new());
        state.snapshot = None;
        assert_eq!(phase(&state, &opening, None), Phase::Loading);
        state.phase = TurnPhase::Submitting;
        assert_eq!(phase(&state, &Doing::default(), None), Phase::Sending);
        state.phase = TurnPhase::Reconnecting { attempt: 1 };
        assert_eq!(phase(&state, &Doing::default(), None), Phase::Running);
    }
}
