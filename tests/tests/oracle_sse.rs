//! The event-stream parser against a naive twin that has the whole stream in one buffer.

#![cfg(not(target_arch = "wasm32"))]

use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use turnwire::wire::sse::{SseFrame, SseParser};
use turnwire::{Error, ErrorKind};

const SEED: u64 = 20_260_601;

/// What streams are made of: pieces that mean something together, whole or cut.
const TOKENS: &[&[u8]] = &[
    b"data",
    b"data:",
    b"data: ",
    b"data:  x",
    b"event",
    b"event: e",
    b"id",
    b"id: 7",
    b"id: \0",
    b"retry:",
    b"retry: 15",
    b"retry: 99999999999999999999999",
    b":",
    b" ",
    b"x",
    b"1",
    b"\t",
    b"\0",
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\r\r",
    b"\r\n\r\n",
    b"\n\r",
    b"\xEF\xBB\xBF",
    b"\xEF\xBB",
    b"\xC3",
    b"\xA9",
    b"\xE2\x82",
    b"\xF0\x9F\x98",
    b"\xC0\x80",
    b"\xED\xA0\x80",
    "é🌍".as_bytes(),
    "\u{2028}\u{85}".as_bytes(),
    b"{\"type\":\"done\"}",
];

/// What a run over a whole stream comes to.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    frames: Vec<SseFrame>,
    tail: Option<SseFrame>,
    last_event_id: String,
    retry: Option<Duration>,
    failed_at: Option<u64>,
}

/// The standard's buffers, as the standard words them: strings, each data line with its LF.
#[derive(Default)]
struct Naive {
    outcome: Outcome,
    data: String,
    event: String,
    id: Option<String>,
    start: Option<u64>,
    lines_bytes: usize,
}

impl Naive {
    fn run(stream: &[u8], max_frame_bytes: usize) -> Outcome {
        let mut twin = Self::default();
        let (lines, rest) = lines_of(stream);
        for (start, line, bytes) in lines {
            if twin.exceeds(max_frame_bytes, start, bytes) {
                return twin.outcome;
            }
            twin.line(start, &line, bytes);
        }
        let (start, line, bytes) = rest;
        if twin.exceeds(max_frame_bytes, start, bytes) {
            return twin.outcome;
        }
        twin.end(start, &line, bytes);
        twin.outcome
    }

    fn exceeds(&mut self, max_frame_bytes: usize, start: u64, bytes: usize) -> bool {
        let exceeds = bytes > 0 && self.lines_bytes + bytes > max_frame_bytes;
        if exceeds {
            self.outcome.failed_at = self.start.or(Some(start));
        }
        exceeds
    }

    fn line(&mut self, start: u64, line: &str, bytes: usize) {
        if line.is_empty() {
            let frame = self.dispatch();
            self.outcome.frames.extend(frame);
        } else if !line.starts_with(':') {
            self.start = self.start.or(Some(start));
            self.lines_bytes += bytes + 1;
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            self.field(name, value.strip_prefix(' ').unwrap_or(value));
        }
    }

    fn field(&mut self, name: &str, value: &str) {
        match name {
            "data" => self.data += &format!("{value}\n"),
            "event" => self.event = value.to_owned(),
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()),
            "retry" if value.bytes().all(|b| b.is_ascii_digit()) && !value.is_empty() => {
                let ms = value.parse().unwrap_or(u64::MAX);
                self.outcome.retry = Some(Duration::from_millis(ms));
            }
            _ => {}
        }
    }

    fn dispatch(&mut self) -> Option<SseFrame> {
        let twin = std::mem::take(self);
        self.outcome = twin.outcome;
        if let Some(id) = &twin.id {
            self.outcome.last_event_id.clone_from(id);
        }
        let named = !twin.event.is_empty();
        Some(SseFrame {
            data: twin.data.strip_suffix('\n')?.to_owned(),
            event: if named { twin.event } else { "message".into() },
            id: twin.id,
            position: twin.start?,
        })
    }

    fn end(&mut self, start: u64, line: &str, bytes: usize) {
        if line.split(':').next() == Some("data") {
            self.line(start, line, bytes);
        }
        if !self.data.is_empty() {
            self.outcome.tail = self.dispatch();
        }
    }
}

/// A line's absolute start, its text, and how many bytes it has.
type Line = (u64, String, usize);

/// All lines that ended, and the one that did not. The stream is decoded whole, so that a decoder
/// that works line by line is compared with one that does not.
fn lines_of(stream: &[u8]) -> (Vec<Line>, Line) {
    let mark = b"\xEF\xBB\xBF";
    let start = if stream.starts_with(mark) { 3 } else { 0 };
    let body = &stream[start..];
    let text = String::from_utf8_lossy(body).replace("\r\n", "\n").replace('\r', "\n");
    let mut at = 0;
    let mut lines: Vec<Line> = text
        .split('\n')
        .map(|line| {
            let begin = at;
            while at < body.len() && body[at] != b'\r' && body[at] != b'\n' {
                at += 1;
            }
            let end = at;
            at += if body[at..].starts_with(b"\r\n") { 2 } else { 1 };
            ((start + begin) as u64, line.to_owned(), end - begin)
        })
        .collect();
    let rest = lines.pop().expect("split yields at least one piece");
    (lines, rest)
}

fn parse<'a>(chunks: impl Iterator<Item = &'a [u8]>, max_frame_bytes: usize) -> Outcome {
    let mut parser = SseParser::new(max_frame_bytes);
    let mut frames = Vec::new();
    let mut failure: Option<Error> = None;
    for chunk in chunks {
        failure = parser.push(chunk).err();
        frames.extend(std::iter::from_fn(|| parser.poll()));
    }
    if let Some(error) = &failure {
        assert_eq!(error.kind(), ErrorKind::FrameTooLarge);
    }
    Outcome {
        frames,
        tail: parser.finish(),
        last_event_id: parser.last_event_id().to_owned(),
        retry: parser.retry(),
        failed_at: failure.and_then(|error| error.position()),
    }
}

fn cut<'a>(stream: &'a [u8], sizes: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    let mut rest = stream;
    let mut sizes = sizes.iter().cycle();
    std::iter::from_fn(move || {
        let size = sizes.next().copied().unwrap_or(1).min(rest.len());
        let (chunk, tail) = rest.split_at(size);
        let ended = rest.is_empty();
        rest = tail;
        (!ended).then_some(chunk)
    })
}

fn awkward_stream() -> impl Strategy<Value = Vec<u8>> {
    let token = proptest::sample::select(TOKENS);
    proptest::collection::vec(token, 0..40).prop_map(|tokens| tokens.concat())
}

fn chunk_sizes() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0_usize..12, 1..12)
        .prop_filter("some chunk has bytes", |sizes| sizes.iter().any(|s| *s > 0))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4000,
        rng_seed: RngSeed::Fixed(SEED),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn gives_what_the_naive_parser_gives_at_any_cuts(
        stream in awkward_stream(),
        sizes in chunk_sizes(),
    ) {
        let expected = Naive::run(&stream, usize::MAX);
        prop_assert_eq!(parse(cut(&stream, &sizes), usize::MAX), expected);
    }

    #[test]
    fn meets_its_limit_where_the_naive_parser_does_at_any_cuts(
        stream in awkward_stream(),
        sizes in chunk_sizes(),
        max_frame_bytes in 0_usize..40,
    ) {
        let expected = Naive::run(&stream, max_frame_bytes);
        let found = parse(cut(&stream, &sizes), max_frame_bytes);
        prop_assert_eq!(&found.frames, &expected.frames);
        prop_assert_eq!(found.failed_at, expected.failed_at);
        prop_assert_eq!(found.tail, expected.tail);
    }
}
