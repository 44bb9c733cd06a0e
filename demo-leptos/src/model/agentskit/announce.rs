//! What the status region says of a session, a few times a turn.

use super::conversation::{Doing, Request};
use crate::model::announce::{OFFLINE, ONLINE, OPENED, OPENING};
use turnwire::agentskit::TurnStatus;
use turnwire::chat::Phase;
use turnwire::client::{TurnPhase, TurnState};

/// The status after `previous`, which is what the region says now.
///
/// It names the phase and never quotes the answer, so that it stays still while text arrives.
#[must_use]
pub fn announce(
    previous: &str,
    state: &TurnState,
    phase: Phase,
    doing: &Doing,
    request: Option<&Request>,
    is_online: bool,
) -> String {
    match phase {
        _ if !is_online => OFFLINE.to_owned(),
        Phase::Loading => OPENING.to_owned(),
        _ if doing.is_stopped => "Stopped".to_owned(),
        _ if matches!(state.phase, TurnPhase::Reconnecting { .. }) => "Reconnecting".to_owned(),
        Phase::Sending | Phase::Running => "Responding".to_owned(),
        Phase::Waiting | Phase::Idle => match request {
            Some(Request { words, is_approval: true }) => format!("Approval needed: {words}"),
            Some(Request { words, is_approval: false }) => format!("Question: {words}"),
            None => rest(previous, state).to_owned(),
        },
    }
}

fn rest(previous: &str, state: &TurnState) -> &'static str {
    match previous {
        OPENING if state.messages.is_empty() => "",
        OPENING | OPENED => OPENED,
        // It was told how the last turn ended.
        OFFLINE | ONLINE => ONLINE,
        _ => ending(state),
    }
}

// A failure is told by the alert, not here.
fn ending(state: &TurnState) -> &'static str {
    let status = state.snapshot.as_ref().and_then(|event| event.snapshot()).map(|s| s.status);
    let is_sound = state.error.is_none() && state.failure.is_none();
    match (state.phase, status) {
        (TurnPhase::Stopped, _) => "Stopped",
        (TurnPhase::Idle, Some(TurnStatus::Complete)) if is_sound => "Done",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::agentskit::conversation::tests::{asking, message, state};
    use crate::model::agentskit::conversation::{phase, request};
    use turnwire::agentskit::MessageRole;

    fn say(previous: &str, state: &TurnState, doing: &Doing, is_online: bool) -> String {
        let request = request(state);
        let phase = phase(state, doing, request.as_ref());
        announce(previous, state, phase, doing, request.as_ref(), is_online)
    }

    #[test]
    fn a_turn_is_told_at_its_start_and_its_end() {
        let hello = vec![message("a", MessageRole::Assistant, "Hello!")];
        let mut state = state(TurnStatus::Complete, hello);
        state.phase = TurnPhase::Streaming;
        let doing = Doing::default();
        assert_eq!(say("", &state, &doing, true), "Responding");
        state.phase = TurnPhase::Reconnecting { attempt: 2 };
        assert_eq!(say("Responding", &state, &doing, true), "Reconnecting");
        state.phase = TurnPhase::Idle;
        assert_eq!(say("Responding", &state, &doing, true), "Done");
        state.phase = TurnPhase::Stopped;
        assert_eq!(say("Responding", &state, &doing, true), "Stopped");
        state.phase = TurnPhase::Interrupted;
        assert_eq!(say("Responding", &state, &doing, true), "");
    }

    #[test]
    fn what_is_asked_is_told() {
        let say = |key| say("Responding", &asking(key), &Doing::default(), true);
        assert_eq!(say("approval-request"), "Approval needed: Approve it?");
        assert_eq!(say("choice-list"), "Question: Which one?");
        assert_eq!(say("table"), "Done");
    }

    #[test]
    fn opening_is_told_once_and_never_called_done() {
        let opening = Doing { is_opening: true, ..Doing::default() };
        let mut state = state(TurnStatus::Complete, vec![]);
        assert_eq!(say(OPENING, &state, &Doing::default(), true), "");
        state.messages.push(message("u", MessageRole::User, "hello").into());
        for previous in [OPENING, OPENED] {
            assert_eq!(say(previous, &state, &Doing::default(), true), OPENED);
        }
        state.snapshot = None;
        assert_eq!(say("", &state, &opening, true), OPENING);
        assert_eq!(say("", &state, &opening, false), OFFLINE);
        assert_eq!(say(OFFLINE, &state, &Doing::default(), true), ONLINE);
    }
}
