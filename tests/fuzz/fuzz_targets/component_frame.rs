//! A component frame that is taken in is the same when it is sent and taken in again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use turnwire::agentskit::{ContentKind, decode_component_frame, which_content};

fuzz_target!(|text: &str| {
    let Ok(frame) = decode_component_frame(text) else {
        return;
    };
    assert_eq!(which_content(text), ContentKind::Component);
    let sent = serde_json::to_string(&frame).expect("a frame is JSON");
    let again = decode_component_frame(&sent).expect("what is sent is a frame");
    assert_eq!(serde_json::to_string(&again).expect("a frame is JSON"), sent);
    assert_eq!(again, frame);
    frame.interact("change", Some(&frame.props)).expect("props are a value of an interaction");
});
