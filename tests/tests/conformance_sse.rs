//! Every vector of `vectors/sse.ndjson` against the event-stream parser, in any chunking.
//!
//! Streams of up to 4 KiB are fed with every single cut. The few longer ones (they pin size, not
//! cuts) are fed with a seeded sample of 64 cuts and in chunks of fixed sizes instead. In a browser:
//!
//! `wasm-pack test --headless --chrome tests --test conformance_sse`

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use turnwire::wire::sse::{SseFrame, SseParser};
use turnwire::{ErrorKind, Limits};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

// A browser has no files to read.
const VECTORS: &str = include_str!("../vectors/sse.ndjson");

const EVERY_CUT_UP_TO_BYTES: usize = 4096;
const SAMPLED_CUTS: usize = 64;
const SEED: u64 = 0x7475_726e_7769_7265;

struct Vector {
    id: String,
    chunks: Vec<Vec<u8>>,
    expected: Vec<Dispatched>,
    end: EndState,
}

/// A frame as `EventSource` shows it.
#[derive(Debug, PartialEq)]
struct Dispatched {
    event: String,
    data: String,
    state: EndState,
}

/// What stays in force after a frame or after the stream.
#[derive(Debug, PartialEq)]
struct EndState {
    last_event_id: String,
    retry: Option<Duration>,
}

#[test]
fn every_vector_one_byte_at_a_time_gives_events_ids_and_retry() {
    for vector in vectors() {
        let mut parser = SseParser::strict(Limits::default().max_frame_bytes);
        let mut dispatched = Vec::new();
        for byte in vector.bytes() {
            parser.push(&[byte]).unwrap();
            dispatched.extend(parser.poll().map(|frame| Dispatched {
                event: frame.event,
                data: frame.data,
                state: state_of(&parser),
            }));
            assert_eq!(parser.poll(), None, "{}: one byte, two frames", vector.id);
        }
        assert_eq!(dispatched, vector.expected, "{}", vector.id);
        assert_eq!(parser.finish(), None, "{}", vector.id);
        assert_eq!(state_of(&parser), vector.end, "{}", vector.id);
    }
}

#[test]
fn every_vector_in_its_own_chunks_gives_the_same_frames() {
    for vector in vectors() {
        let (frames, end) = strict_run(vector.chunks.iter().map(Vec::as_slice));
        let shown: Vec<_> = frames.iter().map(|f| (&f.event, &f.data)).collect();
        let expected: Vec<_> = vector.expected.iter().map(|d| (&d.event, &d.data)).collect();
        assert_eq!(shown, expected, "{}", vector.id);
        assert_eq!(end, vector.end, "{}", vector.id);
        assert_eq!(frames, vector.reference(), "{}", vector.id);
    }
}

#[test]
fn every_vector_at_every_single_cut_gives_the_same_frames() {
    for vector in vectors() {
        let (bytes, reference) = (vector.bytes(), vector.reference());
        for cut in cuts(bytes.len()) {
            let (head, tail) = bytes.split_at(cut);
            let (frames, end) = strict_run([head, tail]);
            assert_eq!(frames, reference, "{} cut at {cut}", vector.id);
            assert_eq!(end, vector.end, "{} cut at {cut}", vector.id);
        }
    }
}

#[test]
fn every_vector_in_chunks_of_fixed_sizes_gives_the_same_frames() {
    for vector in vectors() {
        let (bytes, reference) = (vector.bytes(), vector.reference());
        for size in [2, 3, 7, 64, 1000, 4096] {
            let (frames, end) = strict_run(bytes.chunks(size));
            assert_eq!(frames, reference, "{} in chunks of {size}", vector.id);
            assert_eq!(end, vector.end, "{} in chunks of {size}", vector.id);
        }
    }
}

#[test]
fn a_last_frame_without_its_blank_line_is_extra_and_changes_nothing_before() {
    for vector in vectors() {
        let mut parser = SseParser::new(Limits::default().max_frame_bytes);
        parser.push(&vector.bytes()).unwrap();
        let frames: Vec<_> = std::iter::from_fn(|| parser.poll()).collect();
        assert_eq!(frames, vector.reference(), "{}", vector.id);
        let unfinished = [
            "wpt-unterminated-with-newline-dropped",
            "eof-line-no-blank-cr",
            "eof-line-no-blank-crlf",
            "eof-no-newline",
            "eof-whitespace-only-line",
            "lp-turn-truncated",
        ];
        let tail = parser.finish();
        assert_eq!(
            tail.is_some(),
            unfinished.contains(&vector.id.as_str()),
            "{}: {tail:?}",
            vector.id
        );
        assert_eq!(parser.finish(), None, "{}", vector.id);
    }
}

#[test]
fn endless_data_lines_trip_the_limit_before_one_chunk_more_than_it() {
    const LIMIT: usize = 1024 * 1024;
    let chunk = b"data: x\n".repeat(512);
    let mut parser = SseParser::new(LIMIT);
    let mut fed = 0;
    let error = loop {
        fed += chunk.len();
        if let Err(error) = parser.push(&chunk) {
            break error;
        }
        assert!(fed <= LIMIT, "{fed} bytes went in unnoticed");
    };
    assert_eq!(error.kind(), ErrorKind::FrameTooLarge);
    assert!(fed <= LIMIT + chunk.len(), "{fed}");
    assert_eq!(parser.poll(), None);
}

impl Vector {
    fn read(line: &Value) -> Self {
        Self {
            id: text(&line["id"]),
            chunks: array(&line["chunks"]).iter().map(bytes_of).collect(),
            expected: array(&line["expected"]).iter().map(Dispatched::read).collect(),
            end: EndState::read(&line["end"]),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        self.chunks.concat()
    }

    /// The frames of the uncut stream, with their positions and own ids.
    fn reference(&self) -> Vec<SseFrame> {
        strict_run([self.bytes().as_slice()]).0
    }
}

impl Dispatched {
    fn read(value: &Value) -> Self {
        Self {
            event: text(&value["event"]),
            data: text(&value["data"]),
            state: EndState::read(value),
        }
    }
}

impl EndState {
    fn read(value: &Value) -> Self {
        Self {
            last_event_id: value["lastEventId"].as_str().unwrap_or_default().into(),
            retry: value["retry"].as_u64().map(Duration::from_millis),
        }
    }
}

fn vectors() -> Vec<Vector> {
    let vectors: Vec<_> = VECTORS
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|line| line["kind"] != "header")
        .map(|line| Vector::read(&line))
        .collect();
    assert_eq!(vectors.len(), 153, "the set is not whole");
    vectors
}

fn strict_run<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> (Vec<SseFrame>, EndState) {
    let mut parser = SseParser::strict(Limits::default().max_frame_bytes);
    let mut frames = Vec::new();
    for chunk in chunks {
        parser.push(chunk).unwrap();
        frames.extend(std::iter::from_fn(|| parser.poll()));
    }
    assert_eq!(parser.finish(), None);
    (frames, state_of(&parser))
}

fn state_of(parser: &SseParser) -> EndState {
    EndState { last_event_id: parser.last_event_id().to_owned(), retry: parser.retry() }
}

fn cuts(length: usize) -> Vec<usize> {
    if length <= EVERY_CUT_UP_TO_BYTES {
        return (0..=length).collect();
    }
    let mut state = SEED;
    std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % length
    })
    .take(SAMPLED_CUTS)
    .collect()
}

fn bytes_of(chunk: &Value) -> Vec<u8> {
    match chunk.as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => STANDARD.decode(text(&chunk["b64"])).unwrap(),
    }
}

fn array(value: &Value) -> &Vec<Value> {
    value.as_array().expect("vectors hold arrays here")
}

fn text(value: &Value) -> String {
    value.as_str().expect("vectors hold strings here").to_owned()
}
