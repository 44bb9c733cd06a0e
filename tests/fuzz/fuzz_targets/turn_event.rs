//! A turn event that is taken in is the same when it is sent and taken in again, and a cursor that
//! holds it is the same when it is saved and restored.

#![no_main]

use libfuzzer_sys::fuzz_target;
use turnwire::agentskit::{SnapshotCursor, decode_turn_event, encode_turn_event};

fuzz_target!(|text: &str| {
    let Ok(event) = decode_turn_event(text) else {
        return;
    };
    let sent = encode_turn_event(&event).expect("what was taken in can be sent");
    assert_eq!(decode_turn_event(&sent).expect("what is sent is an event"), event);
    let mut cursor = SnapshotCursor::new(event.session_id.as_str()).expect("an identifier");
    assert_eq!(cursor.apply(text), event.snapshot().is_some());
    assert!(!cursor.apply(text), "an event is taken once");
    let saved = cursor.save().expect("a cursor can be saved");
    assert_eq!(SnapshotCursor::restore(&saved).expect("and restored"), cursor);
});
