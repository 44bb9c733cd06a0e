//! A session snapshot that is taken in, or migrated, is the same when it is stored and taken in
//! again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use turnwire::agentskit::decode_session_snapshot;

fuzz_target!(|text: &str| {
    let Ok(snapshot) = decode_session_snapshot(text) else {
        return;
    };
    let stored = serde_json::to_string(&snapshot).expect("a snapshot is JSON");
    assert_eq!(decode_session_snapshot(&stored).expect("what is stored is a snapshot"), snapshot);
});
