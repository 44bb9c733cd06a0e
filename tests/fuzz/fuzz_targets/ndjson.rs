//! Lines depend on the bytes alone: the same at the cut that the input names, and byte by byte.

#![no_main]

use libfuzzer_sys::fuzz_target;
use turnwire::wire::ndjson::{LineParser, NdjsonLine};

const MAX_LINE_BYTES: usize = 4096;

fuzz_target!(|input: (u16, &[u8])| {
    let (cut, bytes) = input;
    let cut = usize::from(cut).min(bytes.len());
    let whole = run([bytes]);
    assert_eq!(run([&bytes[..cut], &bytes[cut..]]), whole);
    assert_eq!(run(bytes.chunks(1)), whole);
});

/// The lines, and whether the limit was met.
fn run<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> (Vec<NdjsonLine>, bool) {
    let mut parser = LineParser::new(MAX_LINE_BYTES);
    let mut lines = Vec::new();
    for chunk in chunks {
        let pushed = parser.push(chunk);
        lines.extend(std::iter::from_fn(|| parser.poll()));
        if pushed.is_err() {
            return (lines, true);
        }
    }
    parser.finish();
    lines.extend(std::iter::from_fn(|| parser.poll()));
    (lines, false)
}
