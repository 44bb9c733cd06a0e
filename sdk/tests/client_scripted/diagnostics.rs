//! What is wrong between a server and a client, as values.

use crate::script::{Reply, SECOND, Script, Step, bytes};
use crate::turns::*;
use turnwire::chat::Diagnostic;
use turnwire::client::{BoxFuture, Chat, Platform};

fn diagnose(replies: impl IntoIterator<Item = Reply>) -> Vec<Diagnostic> {
    let script = Script::new(replies);
    let chat = chat(&script);
    script.run(chat.send("refund")).unwrap();
    chat.snapshot().diagnostics.clone()
}

/// All frames in one chunk.
fn whole() -> Step {
    bytes(&TURN.map(|json| format!("data: {json}\n\n")).concat())
}

#[test]
fn a_response_that_is_held_back_until_its_end_is_told() {
    let held = named(vec![Step::Wait(8 * SECOND), whole()]);
    assert_eq!(diagnose([held]), [Diagnostic::Buffered { frames: 4 }]);
}

#[test]
fn a_turn_that_is_quick_or_comes_bit_by_bit_is_as_it_should_be() {
    assert_eq!(diagnose([named(vec![whole()])]), []);
    let slow = [vec![Step::Wait(8 * SECOND)], frames(&TURN[..2]), vec![Step::Wait(SECOND)]];
    let slow = [slow.concat(), frames(&TURN[2..])].concat();
    assert_eq!(diagnose([named(slow)]), []);
}

#[test]
fn headers_that_hold_a_stream_back_are_told_once() {
    let bad = named(vec![whole()]);
    let bad = bad.header("cache-control", "max-age=60").header("content-encoding", "gzip");
    let found = diagnose([bad]);
    let Diagnostic::Headers { header, .. } = &found[0] else { panic!("{found:?}") };
    assert_eq!((header.as_str(), found.len()), ("cache-control", 2));
}

#[test]
fn headers_as_they_should_be_are_not_told() {
    let good = named(vec![whole()]).header("cache-control", "no-cache, no-transform");
    assert_eq!(diagnose([good]), []);
}

/// A browser whose windows hold this many streams.
struct Crowded(u64);

impl Platform for Crowded {
    fn crowd<'a>(&'a self) -> BoxFuture<'a, Option<u64>> {
        Box::pin(std::future::ready(Some(self.0)))
    }
}

#[test]
fn as_many_streams_as_a_browser_allows_are_told_where_one_more_waits() {
    for (open, delay, expected) in [
        (6, 5 * SECOND, vec![Diagnostic::ConnectionLimit { open: 6 }]),
        (5, 5 * SECOND, vec![]),
        (6, SECOND, vec![]),
    ] {
        let script = Script::new([named(frames(&TURN)).after(delay)]);
        let chat = Chat::on(script.client(), "a", Crowded(open));
        script.run(chat.send("refund")).unwrap();
        assert_eq!(chat.snapshot().diagnostics, expected);
    }
}

#[test]
fn the_next_message_starts_without_old_diagnostics() {
    let held = named(vec![Step::Wait(8 * SECOND), whole()]);
    let script = Script::new([held, named(vec![whole()])]);
    let chat = chat(&script);
    script.run(chat.send("refund")).unwrap();
    assert_eq!(chat.snapshot().diagnostics.len(), 1);
    script.run(chat.send("again")).unwrap();
    assert_eq!(chat.snapshot().diagnostics.len(), 0);
}
