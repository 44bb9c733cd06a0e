//! The line parser against a naive twin that has the whole stream in one buffer.

#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use turnwire::wire::ndjson::{LineParser, NdjsonLine};

const SEED: u64 = 20_260_602;

/// What streams are made of: pieces that mean something together, whole or cut.
const TOKENS: &[&[u8]] = &[
    b"{\"n\":1}",
    b"{",
    b"1",
    b" ",
    b"\t",
    b"\r",
    b"\n",
    b"\r\n",
    b"\n\n",
    b"\r\r\n",
    b"\0",
    b"\xEF\xBB\xBF",
    b"\xEF",
    b"\xC3",
    b"\xA9",
    b"\xF0\x9F",
    "那🌍".as_bytes(),
    "\u{85}\u{2028}".as_bytes(),
    b"\x0B\x0C",
];

/// The lines, and the number and position of the one that was too long.
type Outcome = (Vec<NdjsonLine>, Option<(u64, u64)>);

fn naive(stream: &[u8], max_line_bytes: usize) -> Outcome {
    let mark = b"\xEF\xBB\xBF";
    let start = if stream.starts_with(mark) { 3 } else { 0 };
    let mut position = start as u64;
    let mut lines = Vec::new();
    for (index, line) in stream[start..].split(|byte| *byte == b'\n').enumerate() {
        let number = index as u64 + 1;
        if line.len() > max_line_bytes {
            return (lines, Some((number, position)));
        }
        let text = String::from_utf8_lossy(line);
        let text = text.strip_suffix('\r').unwrap_or(&text).to_owned();
        if !text.trim_matches([' ', '\t', '\r']).is_empty() {
            lines.push(NdjsonLine { text, number, position });
        }
        position += line.len() as u64 + 1;
    }
    (lines, None)
}

fn parse(stream: &[u8], sizes: &[usize], max_line_bytes: usize) -> Outcome {
    let mut parser = LineParser::new(max_line_bytes);
    let mut failure = None;
    let mut rest = stream;
    for size in sizes.iter().cycle() {
        let (chunk, tail) = rest.split_at((*size).min(rest.len()));
        failure = parser.push(chunk).err();
        rest = tail;
        if rest.is_empty() {
            break;
        }
    }
    parser.finish();
    let failed_at = failure.map(|error| (error.line().unwrap(), error.position().unwrap()));
    (std::iter::from_fn(|| parser.poll()).collect(), failed_at)
}

fn awkward_stream() -> impl Strategy<Value = Vec<u8>> {
    let token = proptest::sample::select(TOKENS);
    proptest::collection::vec(token, 0..40).prop_map(|tokens| tokens.concat())
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
        sizes in proptest::collection::vec(0_usize..12, 1..12)
            .prop_filter("some chunk has bytes", |sizes| sizes.iter().any(|s| *s > 0)),
        max_line_bytes in prop_oneof![Just(usize::MAX), 0_usize..20],
    ) {
        prop_assert_eq!(
            parse(&stream, &sizes, max_line_bytes),
            naive(&stream, max_line_bytes)
        );
    }
}
