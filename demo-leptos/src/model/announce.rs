//! What the status region says to a screen reader, a few times a turn.

use super::parts::last_sent;
use turnwire::chat::{
    Author, ChatState, Connection, ItemKind, Message, MessageStatus, PendingItem, Phase,
};

pub(super) const OPENING: &str = "Opening the conversation";
pub(super) const OPENED: &str = "Conversation opened";
pub(super) const OFFLINE: &str = "Offline";
pub(super) const ONLINE: &str = "Back online";

/// The status after `previous`, which is what the region says now.
///
/// It names the phase and never quotes the answer, so that it stays still while text arrives.
#[must_use]
pub fn announce(previous: &str, state: &ChatState, is_online: bool) -> String {
    match state.phase {
        _ if !is_online => OFFLINE.to_owned(),
        _ if matches!(state.connection, Connection::Reconnecting { .. }) => {
            "Reconnecting".to_owned()
        }
        Phase::Loading => OPENING.to_owned(),
        Phase::Sending | Phase::Running => "Responding".to_owned(),
        Phase::Waiting => state.pending.first().map(|item| ask(item)).unwrap_or_default(),
        Phase::Idle if previous == OPENING => opened(state),
        // It was told how the last turn ended.
        Phase::Idle if [OFFLINE, ONLINE].contains(&previous) => ONLINE.to_owned(),
        Phase::Idle if previous == OPENED => OPENED.to_owned(),
        Phase::Idle => last_sent(state).map_or("", ending).to_owned(),
    }
}

/// What a pending item asks of the person, in one line.
#[must_use]
pub fn ask(item: &PendingItem) -> String {
    match &item.kind {
        ItemKind::Approval { tool, .. } => format!("Approval needed: {tool}"),
        ItemKind::Question { question, .. } => format!("Question: {question}"),
    }
}

fn opened(state: &ChatState) -> String {
    match state.messages.is_empty() {
        true => String::new(),
        false => OPENED.to_owned(),
    }
}

// A failure is told by the alert, not here.
fn ending(message: &Message) -> &'static str {
    match (message.author, message.status) {
        (Author::Assistant, MessageStatus::Complete) if message.stop_reason.is_none() => "Done",
        (Author::Assistant, MessageStatus::Complete) | (_, MessageStatus::Stopped) => "Stopped",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwire::chat::Conversation;
    use turnwire::loopengine::{Received, decode};

    const SESSION: &str = r#"{"type":"session","sessionId":"s"}"#;
    const APPROVAL: &str = r#"{"type":"approval:pending","id":"a1","tool":"issue_refund","args":{},
        "scope":{"tenant":"t","environment":"e","agent":"a"},"reason":"r","requestedAt":"2025-01-01T00:00:00Z"}"#;
    const ALLOWED: &str = r#"{"type":"actauth:decision","tool":"issue_refund","decision":"allow","reason":"approved"}"#;
    const DONE: &str = r#"{"type":"done","text":"Refunded."}"#;

    /// The distinct texts of the region while these events arrive.
    fn announcements(events: &[&str]) -> Vec<String> {
        let mut conversation = Conversation::new();
        conversation.begin_turn("hello").unwrap();
        let mut said = vec![announce("", &conversation.state(), true)];
        for event in events {
            conversation.apply_streamed(&Received::Event(decode(event).unwrap()));
            said.push(announce(said.last().unwrap(), &conversation.state(), true));
        }
        said.dedup();
        said
    }

    #[test]
    fn a_turn_with_an_approval_is_four_announcements() {
        assert_eq!(
            announcements(&[SESSION, APPROVAL, ALLOWED, DONE]),
            ["Responding", "Approval needed: issue_refund", "Responding", "Done"]
        );
    }

    #[test]
    fn a_hundred_texts_change_nothing() {
        let mut events = vec![SESSION];
        events.extend([r#"{"type":"assistant:text","text":"word"}"#; 100]);
        events.push(DONE);
        assert_eq!(announcements(&events), ["Responding", "Done"]);
    }

    #[test]
    fn a_turn_without_an_answer_is_not_called_done() {
        let denied = r#"{"type":"done","text":"Stopped.","stopReason":"denied"}"#;
        assert_eq!(announcements(&[SESSION, denied]), ["Responding", "Stopped"]);
    }

    #[test]
    fn a_failure_is_left_to_the_alert() {
        let error = r#"{"type":"error","error":"boom"}"#;
        assert_eq!(announcements(&[SESSION, error]), ["Responding", ""]);
    }

    #[test]
    fn opening_is_told_once_and_never_called_done() {
        let mut conversation = Conversation::new();
        conversation.begin_loading();
        let opening = announce("", &conversation.state(), true);
        conversation.end_loading(None);
        assert_eq!(opening, OPENING);
        assert_eq!(announce(&opening, &conversation.state(), true), "");
    }

    #[test]
    fn nothing_is_said_before_anything_happened() {
        assert_eq!(announce("", &Conversation::new().state(), true), "");
    }

    #[test]
    fn being_offline_is_told_first_and_its_end_once() {
        let mut conversation = Conversation::new();
        conversation.begin_turn("hello").unwrap();
        assert_eq!(announce("Responding", &conversation.state(), false), OFFLINE);
        assert_eq!(announce(OFFLINE, &conversation.state(), true), "Responding");
        for event in [SESSION, DONE] {
            conversation.apply_streamed(&Received::Event(decode(event).unwrap()));
        }
        assert_eq!(announce(OFFLINE, &conversation.state(), true), ONLINE);
        assert_eq!(announce(ONLINE, &conversation.state(), true), ONLINE);
    }
}
