//! How often subscribers hear of a stream.

use crate::script::{Reply, SECOND, Script, Step, bytes};
use crate::turns::{SESSION, chat};
use std::sync::{Arc, Mutex};
use turnwire::chat::ChatState;
use turnwire::client::Chat;

const EVENTS: usize = 2_000;

fn texts(count: usize) -> Step {
    let frame = |n| format!("data: {{\"type\":\"assistant:text\",\"text\":\"{n}\"}}\n\n");
    bytes(&(0..count).map(frame).collect::<String>())
}

/// The states that a subscriber hears of, and those that the getter gives at each moment.
fn watch(chat: &Chat<Script>) -> (Arc<Mutex<Vec<Arc<ChatState>>>>, turnwire::chat::Subscription) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&seen);
    let subscription = chat.subscribe(move |state| notes.lock().unwrap().push(Arc::clone(state)));
    (seen, subscription)
}

#[test]
fn many_events_at_once_are_told_at_the_first_and_at_the_end() {
    let done = bytes("data: {\"type\":\"done\",\"text\":\"\"}\n\n");
    let script =
        Script::new([Reply::stream([bytes(&format!("data: {SESSION}\n\n")), texts(EVENTS), done])]);
    let chat = chat(&script);
    let (seen, _subscription) = watch(&chat);
    script.run(chat.send("go")).unwrap();
    let seen = seen.lock().unwrap();
    let parts: Vec<_> = seen.iter().map(|state| state.messages[1].parts.len()).collect();
    assert_eq!(parts.first(), Some(&0));
    assert_eq!(parts.last(), Some(&EVENTS));
    assert!(parts.len() <= 4, "sent, first, rest, end: {parts:?}");
}

#[test]
fn events_that_keep_coming_are_told_once_a_frame() {
    let steps = (0..100).flat_map(|_| [texts(1), Step::Wait(SECOND / 1000)]);
    let end = bytes("data: {\"type\":\"done\",\"text\":\"\"}\n\n");
    let script = Script::new([Reply::stream(steps.chain([end]))]);
    let chat = chat(&script);
    let (seen, _subscription) = watch(&chat);
    script.run(chat.send("go")).unwrap();
    let seen = seen.lock().unwrap().len();
    assert!((6..=10).contains(&seen), "100 ms hold 6 frames: {seen}");
    assert_eq!(chat.snapshot().messages[1].parts.len(), 100);
}

#[test]
fn what_the_getter_gives_changes_only_with_a_notification() {
    let steps = (0..100).flat_map(|_| [texts(1), Step::Wait(SECOND / 1000)]);
    let script = Script::new([Reply::stream(steps.chain([Step::Hang]))]);
    let chat = chat(&script);
    let (seen, _subscription) = watch(&chat);
    let looks = async {
        use turnwire::client::Transport;
        for _ in 0..90 {
            script.sleep(SECOND / 1000).await;
            let told = seen.lock().unwrap().last().cloned().unwrap();
            assert!(Arc::ptr_eq(&told, &chat.snapshot()));
        }
        chat.stop();
    };
    let _ = script.run(futures_util::future::join(chat.send("go"), looks));
}

#[test]
fn messages_that_did_not_change_keep_their_identity() {
    let turn = |text: &str| {
        let done = format!("data: {{\"type\":\"done\",\"text\":\"{text}\"}}\n\n");
        Reply::stream([bytes(&format!("data: {SESSION}\n\n")), texts(3), bytes(&done)])
    };
    let script = Script::new([turn("one"), turn("two")]);
    let chat = chat(&script);
    script.run(chat.send("first")).unwrap();
    let before = chat.snapshot();
    script.run(chat.send("second")).unwrap();
    let after = chat.snapshot();
    for (before, after) in before.messages.iter().zip(&after.messages) {
        assert!(Arc::ptr_eq(before, after));
    }
}
