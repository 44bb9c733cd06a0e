//! Errors in words for people.

use super::parts::last_sent;
use turnwire::chat::{Author, ChatFault, ChatState, Message, MessageStatus, Notice, Part, Phase};

/// What the person can do about an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Send the unsent message, or fetch the conversation, once more.
    Retry,
    /// Ask the agent the same again in a new turn.
    Ask(String),
}

/// One or two sentences about what happened.
#[must_use]
pub fn explain(fault: &ChatFault) -> String {
    match fault.code {
        "network" => "The server could not be reached.".to_owned(),
        "connect-timeout" | "total-timeout" => "The server took too long to answer.".to_owned(),
        "idle-timeout" => "The server went silent.".to_owned(),
        "stream-interrupted" | "frame-truncated" => {
            "The connection broke off before the turn was over.".to_owned()
        }
        // The timeline shows the server's words where the turn broke off.
        "agent-failed" => "The agent ran into an error and could not finish.".to_owned(),
        "http-status" => match fault.status {
            Some(status @ 500..) => {
                format!("The server failed ({status}): {}", sentence(&fault.message))
            }
            _ => format!("The server refused: {}", sentence(&fault.message)),
        },
        _ => format!("Something went wrong: {}", sentence(&fault.message)),
    }
}

/// What can be done about the state's error.
#[must_use]
pub fn remedy(state: &ChatState) -> Option<Remedy> {
    let fault = state.last_error.as_ref()?;
    let unsent = last_sent(state).is_some_and(|message| message.author == Author::User);
    match fault.code {
        "agent-failed" => last_words(state).map(Remedy::Ask),
        _ if fault.retryable || unsent => Some(Remedy::Retry),
        _ => None,
    }
}

/// Whether the rest of this turn is known to the server alone.
#[must_use]
pub fn is_unfinished_here(message: &Message) -> bool {
    let is_stop = |part: &Part| matches!(part, Part::Notice(Notice::Stopped { .. }));
    message.author == Author::Assistant
        && matches!(message.status, MessageStatus::Stopped | MessageStatus::Interrupted)
        // The server ended it when it was asked to.
        && !message.parts.iter().any(is_stop)
}

/// Whether the last message has no answer yet that the server has stored: its turn may still run,
/// where no stream tells of it.
#[must_use]
pub fn is_unanswered(state: &ChatState) -> bool {
    let is_open = |message: &Message| {
        message.author == Author::User && message.status == MessageStatus::Complete
    };
    state.phase == Phase::Idle && last_sent(state).is_some_and(is_open)
}

/// Whether this message did not reach the server and can be sent again: no other came after it.
#[must_use]
pub fn can_send_again(state: &ChatState, key: u64) -> bool {
    last_sent(state).is_some_and(|message| {
        message.key == key
            && message.author == Author::User
            && message.status == MessageStatus::Failed
    })
}

fn last_words(state: &ChatState) -> Option<String> {
    let mine = |message: &&std::sync::Arc<Message>| message.author == Author::User;
    let message = state.messages.iter().rev().find(mine)?;
    message.parts.iter().find_map(|part| match part {
        Part::Text { text } => Some(text.clone()),
        Part::Tool(_) | Part::Item { .. } | Part::Notice(_) => None,
    })
}

fn sentence(text: &str) -> String {
    let text = text.trim();
    match text.ends_with(['.', '!', '?', '…']) {
        true => text.to_owned(),
        false => format!("{text}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwire::ErrorKind;
    use turnwire::chat::Conversation;
    use turnwire::loopengine::{Content, HistoryMessage, Received, Role, SessionHistory, decode};

    fn fault(code: &'static str, status: Option<u16>) -> ChatFault {
        ChatFault { code, message: "no such agent".into(), status, retryable: false }
    }

    #[test]
    fn errors_read_as_sentences() {
        assert_eq!(explain(&fault("http-status", Some(404))), "The server refused: no such agent.");
        assert_eq!(
            explain(&fault("http-status", Some(503))),
            "The server failed (503): no such agent."
        );
        assert_eq!(explain(&fault("closed", None)), "Something went wrong: no such agent.");
    }

    #[test]
    fn a_failed_turn_can_be_asked_again() {
        let mut conversation = Conversation::new();
        conversation.begin_turn("break").unwrap();
        let event = decode(r#"{"type":"error","error":"boom"}"#).unwrap();
        conversation.apply_streamed(&Received::Event(event));
        assert_eq!(remedy(&conversation.state()), Some(Remedy::Ask("break".into())));
    }

    #[test]
    fn a_stored_message_without_an_answer_is_told_from_one_with_it() {
        let told = |roles: &[Role]| {
            let message =
                |role: &Role| HistoryMessage::new(role.clone(), Content::Text("hello".into()));
            let history = SessionHistory {
                session_id: "s".into(),
                history: roles.iter().map(message).collect(),
                extra: Default::default(),
            };
            let mut conversation = Conversation::new();
            conversation.restore(&history, Vec::new());
            is_unanswered(&conversation.state())
        };
        assert!(told(&[Role::User]));
        assert!(!told(&[Role::User, Role::Assistant]) && !told(&[]));
    }

    #[test]
    fn only_the_last_message_can_be_sent_again() {
        let failure = turnwire::Error::new(ErrorKind::Network, "failed to fetch");
        let mut conversation = Conversation::new();
        conversation.begin_turn("one").unwrap();
        assert!(!can_send_again(&conversation.state(), conversation.state().messages[0].key));
        conversation.fail(&failure);
        assert!(can_send_again(&conversation.state(), conversation.state().messages[0].key));
        conversation.begin_turn("two").unwrap();
        conversation.fail(&failure);
        let keys: Vec<_> = conversation.state().messages.iter().map(|m| m.key).collect();
        let can = |key| can_send_again(&conversation.state(), key);
        assert_eq!(keys.into_iter().map(can).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn without_an_error_there_is_nothing_to_remedy() {
        assert_eq!(remedy(&Conversation::new().state()), None);
    }

    #[test]
    fn every_code_has_a_sentence_without_its_name() {
        for kind in ErrorKind::ALL {
            let text = explain(&fault(kind.code(), None));
            assert!(text.ends_with('.') && !text.contains(kind.code()), "{text}");
        }
    }
}
