//! Session snapshots: they come back as they were written, from either version.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::json;
use turnwire::agentskit::{
    ActiveTurn, Confirmation, ConfirmationStatus, Decision, DecisionKind, SafeId,
    SessionConversation, SessionSnapshot, TerminalTurn, Timestamp, TurnOutcome,
    decode_session_snapshot,
};
use turnwire::json::JsonText;

use crate::seed::seeded;

proptest! {
    #![proptest_config(seeded(256))]

    #[test]
    fn a_session_comes_back_as_it_was_written_and_from_the_version_before(session in session()) {
        let text = serde_json::to_string(&session).expect("it is JSON");
        let decoded = decode_session_snapshot(&text).expect("it was just written");
        prop_assert_eq!(&decoded, &session);
        let mut previous = serde_json::to_value(&session).expect("it is JSON");
        previous["version"] = json!(-0.0);
        previous["protocol"] = json!(["whatever"]);
        prop_assert_eq!(decode_session_snapshot(&previous).expect("it is migrated"), session);
    }

    #[test]
    fn what_stands_twice_is_refused(session in session()) {
        let mut session = session;
        session.confirmations.push(confirmation(0));
        session.confirmations.push(confirmation(0));
        let text = serde_json::to_string(&session).expect("it is JSON");
        let diagnostic = decode_session_snapshot(&text).expect_err("a token stands twice");
        prop_assert_eq!(diagnostic.code().as_str(), "SESSION_INVALID_SNAPSHOT");
    }
}

fn session() -> impl Strategy<Value = SessionSnapshot> {
    let active = option::of(0..1_u64 << 53)
        .prop_map(|at| at.map(|expires_at| ActiveTurn { turn_id: id("turn", 0), expires_at }));
    let terminal = option::of(0..65_usize).prop_map(|n| n.map(|n| (0..n).map(turn).collect()));
    let conversation = option::of(("\\PC{1,64}", vec(any::<String>(), 0..9)));
    let confirmations = (0..9_usize).prop_map(|n| (0..n).map(confirmation).collect());
    let numbers = (1..1_u64 << 53, 0..1_u64 << 53);
    (numbers, active, terminal, conversation, confirmations).prop_map(
        |((revision, cursor), active_turn, terminal_turns, conversation, confirmations)| {
            SessionSnapshot {
                session_id: id("room", 7),
                definition_id: id("helpdesk", 1),
                definition_revision: revision,
                updated_at: Timestamp::new("2031-03-04T05:06Z").expect("an instant"),
                cursor,
                active_turn,
                terminal_turns,
                conversation: conversation.map(|(state, inputs)| SessionConversation {
                    state,
                    decisions: inputs.into_iter().zip(0..).map(decision).collect(),
                }),
                confirmations,
            }
        },
    )
}

fn turn(n: usize) -> TerminalTurn {
    TerminalTurn { turn_id: id("turn", n), outcome: TurnOutcome::Indeterminate }
}

fn decision((input, n): (String, usize)) -> Decision {
    Decision {
        message_id: id("m", n),
        content: input.clone(),
        input,
        route_id: id("route", 0),
        kind: DecisionKind::Repaired,
        from_state: "a".into(),
        to_state: "b".into(),
    }
}

fn confirmation(n: usize) -> Confirmation {
    Confirmation {
        token: id("token", n),
        action: id("mail.send", 0),
        input: JsonText::of(&json!({ "to": n, "7": [1.5] })).expect("JSON"),
        tool_call_id: id("call", n),
        expires_at: 99,
        status: ConfirmationStatus::Expiring,
    }
}

fn id(word: &str, n: usize) -> SafeId {
    SafeId::new(format!("{word}:{n}")).expect("an identifier")
}
