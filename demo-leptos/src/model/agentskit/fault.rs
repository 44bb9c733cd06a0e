//! What went wrong with a turn, in words for people.

use super::conversation::is_taken;
use crate::model::fault::explain;
use turnwire::agentskit::{MessageRole, TurnDiagnostic};
use turnwire::chat::ChatFault;
use turnwire::client::{TurnPhase, TurnState};

/// What the person can do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Look at the server how the conversation stands.
    Look,
    /// Ask the agent the same again in a new turn.
    Ask(String),
}

/// One or two sentences about what happened; `trouble` is what the page itself ran into.
///
/// A turn that was stopped here ends as a failed one does, which nobody needs to be told.
#[must_use]
pub fn words(state: &TurnState, trouble: Option<&ChatFault>, is_stopped: bool) -> Option<String> {
    let fault = trouble.or_else(|| error(state, is_stopped)).map(explain);
    let told = || state.failure.as_ref().map(broken_off);
    let end = || failed(state).filter(|_| !is_stopped).map(|_| end_of(state).to_owned());
    fault.or_else(told).or_else(end)
}

/// What can be done about it.
#[must_use]
pub fn remedy(state: &TurnState, trouble: Option<&ChatFault>) -> Option<Remedy> {
    if trouble.is_some_and(|fault| fault.retryable) || state.phase == TurnPhase::Interrupted {
        return Some(Remedy::Look);
    }
    if trouble.or_else(|| error(state, false)).is_some() {
        return None;
    }
    if state.failure.is_some() {
        return Some(Remedy::Look);
    }
    failed(state).filter(|error| error.retryable)?;
    let mut said = state.messages.iter().rev();
    let asked = said.find(|message| message.role == MessageRole::User)?;
    Some(Remedy::Ask(asked.content.clone()))
}

/// What somebody who runs the server or the page should know of the stream, as sentences.
#[must_use]
pub fn notes(state: &TurnState) -> Vec<String> {
    let mut notes: Vec<_> = state
        .damaged
        .iter()
        .map(|line| format!("Line {} of the response: {}", line.line, line.diagnostic.message()))
        .collect();
    let more = state.damaged_lines - state.damaged.len() as u64;
    notes.extend((more > 0).then(|| format!("{more} more lines could not be read.")));
    notes
}

const FAILED: &str = "The agent ran into an error and could not finish.";
const UNFINISHED: &str = "The last turn did not come to its end.";

/// Why a turn of before failed, or was stopped, no snapshot says.
fn end_of(state: &TurnState) -> &'static str {
    if is_taken(state) { FAILED } else { UNFINISHED }
}

/// The session's error; that the server does not know a session in which nothing was said, or was
/// stopped before, is none.
fn error(state: &TurnState, is_stopped: bool) -> Option<&ChatFault> {
    let is_new = state.messages.is_empty() && (state.turn_id.is_none() || is_stopped);
    state.error.as_ref().filter(|error| !(is_new && error.status == Some(404)))
}

fn broken_off(diagnostic: &TurnDiagnostic) -> String {
    format!("The server broke the turn off: {}", diagnostic.message)
}

fn failed(state: &TurnState) -> Option<&TurnDiagnostic> {
    state.snapshot.as_ref()?.snapshot()?.error.as_ref().filter(|_| state.phase == TurnPhase::Idle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::agentskit::conversation::tests::{message, state};
    use std::sync::Arc;
    use turnwire::agentskit::{ErrorCode, TurnPayload, TurnStatus};

    fn diagnostic(retryable: bool) -> TurnDiagnostic {
        let code = ErrorCode::new("CHAT_TURN_FAILED").unwrap();
        TurnDiagnostic { code, message: "The chat turn failed.".into(), retryable }
    }

    fn failed_state() -> TurnState {
        let asked = message("u", MessageRole::User, "break");
        let mut state = state(TurnStatus::Error, vec![asked]);
        let mut event = (**state.snapshot.as_ref().unwrap()).clone();
        if let TurnPayload::Snapshot(snapshot) = &mut event.payload {
            snapshot.error = Some(diagnostic(true));
        }
        state.snapshot = Some(Arc::new(event));
        state
    }

    #[test]
    fn a_failed_turn_can_be_asked_again() {
        let state = failed_state();
        assert_eq!(words(&state, None, false).as_deref(), Some(FAILED));
        assert_eq!(remedy(&state, None), Some(Remedy::Ask("break".into())));
    }

    #[test]
    fn a_turn_that_was_stopped_or_is_of_before_is_not_called_the_agents_error() {
        let mut state = failed_state();
        assert_eq!(words(&state, None, true), None);
        state.turn_id = None;
        assert_eq!(words(&state, None, false).as_deref(), Some(UNFINISHED));
    }

    #[test]
    fn a_turn_that_broke_off_can_be_looked_at() {
        let mut state = failed_state();
        state.failure = Some(diagnostic(true));
        assert!(words(&state, None, true).unwrap().ends_with("The chat turn failed."));
        assert_eq!(remedy(&state, None), Some(Remedy::Look));
        state.failure = None;
        state.phase = TurnPhase::Interrupted;
        assert_eq!(remedy(&state, None), Some(Remedy::Look));
    }

    #[test]
    fn a_refusal_is_told_and_left_to_the_person() {
        let mut state = failed_state();
        state.error = Some(ChatFault {
            code: "http-status",
            message: "Another turn is active for this session.".into(),
            status: Some(409),
            retryable: false,
        });
        assert!(
            words(&state, None, false).unwrap().starts_with("The server refused: Another turn")
        );
        assert_eq!(remedy(&state, None), None);
    }

    #[test]
    fn a_session_in_which_nothing_was_said_is_no_error() {
        let mut state = state(TurnStatus::Complete, Vec::new());
        state.error = Some(ChatFault {
            code: "http-status",
            message: "There is no such session.".into(),
            status: Some(404),
            retryable: false,
        });
        assert!(words(&state, None, false).is_some(), "a turn was submitted");
        assert_eq!(words(&state, None, true), None, "and was stopped");
        state.turn_id = None;
        assert_eq!(words(&state, None, false), None);
    }

    #[test]
    fn without_trouble_there_is_nothing_to_say() {
        let state = state(TurnStatus::Complete, Vec::new());
        assert_eq!((words(&state, None, false), remedy(&state, None)), (None, None));
        assert!(notes(&state).is_empty());
    }
}
