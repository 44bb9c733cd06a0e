//! Frames depend on the bytes alone: the same at the cut that the input names, and byte by byte.

#![no_main]

use libfuzzer_sys::fuzz_target;
use turnwire::wire::sse::{SseFrame, SseParser};

const MAX_FRAME_BYTES: usize = 4096;

fuzz_target!(|input: (u16, bool, &[u8])| {
    let (cut, is_strict, bytes) = input;
    let cut = usize::from(cut).min(bytes.len());
    let whole = run(is_strict, [bytes]);
    assert_eq!(run(is_strict, [&bytes[..cut], &bytes[cut..]]), whole);
    assert_eq!(run(is_strict, bytes.chunks(1)), whole);
});

/// The frames, and whether the limit was met.
fn run<'a>(is_strict: bool, chunks: impl IntoIterator<Item = &'a [u8]>) -> (Vec<SseFrame>, bool) {
    let make = if is_strict { SseParser::strict } else { SseParser::new };
    let mut parser = make(MAX_FRAME_BYTES);
    let mut frames = Vec::new();
    for chunk in chunks {
        let pushed = parser.push(chunk);
        frames.extend(std::iter::from_fn(|| parser.poll()));
        if pushed.is_err() {
            return (frames, true);
        }
    }
    frames.extend(parser.finish());
    (frames, false)
}
