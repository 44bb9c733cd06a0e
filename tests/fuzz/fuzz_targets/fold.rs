//! Any bytes fold into a conversation that is sound after every event.

#![no_main]

use libfuzzer_sys::fuzz_target;
use turnwire::Limits;
use turnwire::chat::{Conversation, Phase};
use turnwire::loopengine::SseEvents;

fuzz_target!(|bytes: &[u8]| {
    let mut conversation = Conversation::new();
    conversation.begin_turn("hi").expect("it is empty");
    let mut events = SseEvents::new(&Limits::default());
    // What came before a fault is folded all the same.
    let _ = events.push(bytes);
    while let Some(frame) = events.poll() {
        conversation.apply_streamed(&frame.received);
        let state = conversation.state();
        assert_eq!(state.phase == Phase::Waiting, !state.pending.is_empty());
        assert!(state.pending.iter().all(|item| item.is_open()));
        assert_eq!(state.phase == Phase::Idle, conversation.is_turn_over());
        let keys: std::collections::HashSet<_> = state.messages.iter().map(|m| m.key).collect();
        assert_eq!(keys.len(), state.messages.len());
    }
});
