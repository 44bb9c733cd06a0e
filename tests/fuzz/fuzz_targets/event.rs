//! An event that is taken in is the same event when it is sent and taken in again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use turnwire::loopengine::{TurnResult, decode};

fuzz_target!(|text: &str| {
    if let Ok(event) = decode(text) {
        let sent = serde_json::to_string(&event).expect("an event is JSON");
        assert_eq!(decode(&sent).expect("what is sent is an event"), event);
    }
    if let Ok(result) = TurnResult::from_json(text) {
        let sent = serde_json::to_string(&result).expect("a result is JSON");
        let again = TurnResult::from_json(&sent).expect("what is sent is a result");
        assert_eq!(again.events().len(), result.events().len());
    }
});
