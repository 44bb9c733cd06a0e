//! The snapshot cursor: what is stale, repeated, foreign or no snapshot changes nothing.

use proptest::prelude::*;
use serde_json::{Value, json};
use turnwire::agentskit::{SnapshotCursor, create_snapshot_event};

use crate::seed::seeded;

const SESSION: &str = "room:42";

#[test]
fn stale_repeated_foreign_and_broken_events_are_inert() {
    let mut cursor = SnapshotCursor::new(SESSION).expect("an identifier");
    assert!(cursor.apply(&snapshot(SESSION, 5, "first")));
    let held = cursor.clone();
    for inert in [
        snapshot(SESSION, 5, "repeated"),
        snapshot(SESSION, 4, "stale"),
        snapshot("room:43", 6, "foreign"),
        diagnostic(6),
        json!({}),
        json!("{"),
    ] {
        assert!(!cursor.apply(&inert), "{inert}");
        assert_eq!(cursor, held, "{inert}");
    }
    assert!(cursor.apply(&snapshot(SESSION, 9, "behind a gap")));
}

#[test]
fn keeping_a_snapshot_costs_no_copy_and_survives_the_next() {
    let mut cursor = SnapshotCursor::new(SESSION).expect("an identifier");
    cursor.apply(&snapshot(SESSION, 1, "one"));
    let kept = cursor.snapshot().expect("it was applied").clone();
    cursor.apply(&snapshot(SESSION, 2, "two"));
    assert_eq!((&*kept.turn_id, kept.sequence), ("one", 1));
}

proptest! {
    #![proptest_config(seeded(256))]

    #[test]
    fn holds_the_first_of_the_highest_number_and_goes_on_where_it_was_saved(
        events in prop::collection::vec((0_u64..6, 0..4_u8), 0..24),
        saved_after in 0_usize..24,
    ) {
        let mut cursor = SnapshotCursor::new(SESSION).expect("an identifier");
        let mut highest: Option<(u64, String)> = None;
        for (at, (sequence, kind)) in events.into_iter().enumerate() {
            if at == saved_after {
                let saved = cursor.save().expect("it can be saved");
                cursor = SnapshotCursor::restore(&saved).expect("it can be restored");
            }
            let turn = format!("turn-{at}");
            let is_newer = kind < 2 && highest.as_ref().is_none_or(|(held, _)| sequence > *held);
            let event = match kind {
                0 | 1 => snapshot(SESSION, sequence, &turn),
                2 => snapshot("elsewhere", sequence, &turn),
                _ => diagnostic(sequence),
            };
            prop_assert_eq!(cursor.apply(&event), is_newer);
            if is_newer {
                highest = Some((sequence, turn));
            }
            let held = cursor.snapshot().map(|e| (e.sequence, e.turn_id.as_str().to_owned()));
            prop_assert_eq!(&held, &highest);
        }
    }
}

fn snapshot(session: &str, sequence: u64, turn: &str) -> Value {
    let event = create_snapshot_event(&json!({
        "eventId": "e", "sessionId": session, "turnId": turn.replace(' ', "-"),
        "sequence": sequence, "emittedAt": "2031-03-04T05:06:07Z", "messages": [],
        "status": "streaming",
        "usage": { "promptTokens": 0, "completionTokens": 0, "totalTokens": 0 },
    }));
    serde_json::to_value(event.expect("it is sound")).expect("it is JSON")
}

fn diagnostic(sequence: u64) -> Value {
    let mut event = snapshot(SESSION, sequence, "t");
    event["event"] = "server.turn.diagnostic".into();
    event["payload"] =
        json!({ "version": 1, "code": "SERVER_TIMEOUT", "message": "Late.", "retryable": true });
    event
}
