//! What comes out of a stream, whatever the cuts, and how it ends.

use crate::script::{Reply, SECOND, Script, Step, bytes, drain};
use bytes::Bytes;
use serde_json::Value;
use std::time::Duration;
use turnwire::ErrorKind;
use turnwire::client::{RequestOptions, Timeouts};
use turnwire::loopengine::{EventFrame, Received};

const DONE: &str = "data: {\"type\":\"done\",\"text\":\"x\"}\n\n";
const SESSION: &str = "data: {\"type\":\"session\",\"sessionId\":\"s\"}\n\n";

/// A recorded turn as the server frames it, with heartbeats and all three line ends.
fn recorded(scenario: &str) -> (String, Vec<Value>) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/loopengine-sequences.ndjson");
    let lines = std::fs::read_to_string(path).unwrap();
    let turn = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .find(|turn| turn["scenario"] == scenario)
        .unwrap();
    let events = turn["events"].as_array().unwrap().clone();
    let ends = ["\n", "\r\n", "\r"];
    let frame = |(index, event): (usize, &Value)| {
        let end = ends[index % ends.len()];
        let name = event["type"].as_str().unwrap();
        format!("event: {name}{end}data: {event}{end}{end}: keep{end}{end}")
    };
    (events.iter().enumerate().map(frame).collect(), events)
}

fn jsons(frames: &[EventFrame]) -> Vec<Value> {
    let parse = |frame: &EventFrame| serde_json::from_str(&frame.json).unwrap();
    frames.iter().map(parse).collect()
}

fn stream_of(text: &str) -> Script {
    Script::new([Reply::stream([bytes(text)])])
}

#[test]
fn every_cut_of_a_recorded_turn_gives_the_same_events() {
    let (text, events) = recorded("unicode");
    for cut in 0..=text.len() {
        let (left, right) = text.as_bytes().split_at(cut);
        let steps = [left, right].map(|part| Step::Bytes(Bytes::copy_from_slice(part)));
        let script = Script::new([Reply::stream(steps)]);
        let (frames, error) = script.play(&script.client());
        assert_eq!((jsons(&frames), error.is_none()), (events.clone(), true), "cut at {cut}");
    }
}

#[test]
fn every_recorded_turn_comes_whole_one_byte_at_a_time() {
    for scenario in ["plain", "batch2-deny-second", "qask", "boom", "nudge"] {
        let (text, events) = recorded(scenario);
        let steps =
            text.as_bytes().iter().map(|byte| Step::Bytes(Bytes::copy_from_slice(&[*byte])));
        let script = Script::new([Reply::stream(steps)]);
        let (frames, error) = script.play(&script.client());
        assert_eq!((jsons(&frames), error.is_none()), (events, true), "{scenario}");
    }
}

#[test]
fn a_stream_that_ends_without_done_or_error_is_interrupted() {
    for text in ["", ": hi\n\n", SESSION, "data: {\"type\":\"loop:done\",\"text\":\"x\"}\n\n"] {
        let script = stream_of(text);
        let (_, error) = script.play(&script.client());
        let error = error.unwrap();
        assert_eq!(error.kind(), ErrorKind::StreamInterrupted, "{text}");
        assert!(error.is_retryable());
    }
}

#[test]
fn an_error_event_ends_the_turn_too() {
    let script = stream_of("data: {\"type\":\"error\",\"error\":\"boom\"}\n\n");
    let (frames, error) = script.play(&script.client());
    assert_eq!((frames.len(), error.is_none()), (1, true));
}

#[test]
fn a_last_frame_without_its_blank_line_counts_if_it_is_whole() {
    let whole = DONE.trim_end();
    for tail in ["\n\n", "\n", ""] {
        let script = stream_of(&format!("{SESSION}{whole}{tail}"));
        let (frames, error) = script.play(&script.client());
        assert_eq!((frames.len(), error.is_none()), (2, true), "{tail:?}");
    }
    let script = stream_of(&format!("{SESSION}{}", &whole[..whole.len() - 3]));
    let (frames, error) = script.play(&script.client());
    assert_eq!((frames.len(), error.unwrap().kind()), (1, ErrorKind::FrameTruncated));
}

#[test]
fn a_last_frame_is_not_completed_by_a_broken_connection() {
    let script = Script::new([Reply::stream([bytes(DONE.trim_end()), Step::Break])]);
    let (frames, error) = script.play(&script.client());
    assert_eq!((frames.len(), error.unwrap().kind()), (0, ErrorKind::Network));
}

#[test]
fn events_that_arrived_come_out_before_the_break() {
    let script = Script::new([Reply::stream([bytes(SESSION), bytes(SESSION), Step::Break])]);
    let (frames, error) = script.play(&script.client());
    assert_eq!((frames.len(), error.unwrap().kind()), (2, ErrorKind::Network));
}

#[test]
fn a_damaged_frame_is_told_in_its_place_and_the_stream_goes_on() {
    let text = format!("{SESSION}data: {{\"type\":\"tool:result\",\n\ndata: 42\n\n{DONE}");
    let script = stream_of(&text);
    let (frames, error) = script.play(&script.client());
    assert!(error.is_none());
    let kinds: Vec<_> = frames
        .iter()
        .map(|frame| match &frame.received {
            Received::Event(_) => None,
            Received::Damaged(damaged) => Some(damaged.error.kind()),
        })
        .collect();
    let (json, event) = (ErrorKind::InvalidJson, ErrorKind::InvalidEvent);
    assert_eq!(kinds, [None, Some(json), Some(event), None]);
    assert_eq!(frames[1].position, SESSION.len() as u64);
}

#[test]
fn a_reset_after_done_is_no_fault() {
    let error_event = "data: {\"type\":\"error\",\"error\":\"terminated\"}\n\n";
    for after in [Step::Break, bytes(error_event), bytes("data: {\"cut")] {
        let script = Script::new([Reply::stream([bytes(DONE), after])]);
        let (frames, error) = script.play(&script.client());
        assert_eq!((frames.len(), error.is_none()), (1, true));
    }
}

#[test]
fn a_response_that_ends_with_its_turn_is_not_cancelled() {
    let steps = [bytes(DONE), Step::Wait(Duration::from_millis(200))];
    let script = Script::new([Reply::stream(steps)]);
    let (_, error) = script.play(&script.client());
    assert_eq!((error.is_none(), script.cancelled(), script.armed()), (true, 0, 0));
}

#[test]
fn a_response_that_outlives_its_turn_is_cancelled_soon() {
    for rest in [vec![Step::Hang], vec![bytes(": x\n"), Step::Wait(SECOND), Step::Hang]] {
        let steps = std::iter::once(bytes(DONE)).chain(rest);
        let script = Script::new([Reply::stream(steps)]);
        let client = script.client().with_timeouts(Timeouts { idle: None, ..Timeouts::default() });
        let (frames, error) = script.play(&client);
        assert_eq!((frames.len(), error.is_none(), script.cancelled()), (1, true, 1));
        assert_eq!(script.now(), Duration::from_millis(250));
    }
}

#[test]
fn the_turn_id_is_taken_from_the_head() {
    let reply = Reply::stream([bytes(DONE)]);
    let script = Script::new([reply.clone().header("X-Turnwire-Turn", "t-1"), reply]);
    let ids = [0, 1].map(|_| {
        script.run(async {
            let options = RequestOptions::default();
            let mut stream = script.client().stream("a", "m", &options).await.unwrap();
            assert!(format!("{stream:?}").contains("open: true"));
            drain(&mut stream).await;
            stream.turn_id().map(str::to_owned)
        })
    });
    assert_eq!(ids, [Some("t-1".to_owned()), None]);
}
