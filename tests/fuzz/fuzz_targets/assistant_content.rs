//! Parts depend on the bytes alone: the same at the cut that the input names, and byte by byte.

#![no_main]

use libfuzzer_sys::fuzz_target;
use turnwire::agentskit::{
    ASSISTANT_CONTENT_PREFIX, AssistantContent, AssistantContentEncoder, AssistantPart,
    ContentDecoder, ContentFailure, Diagnostic, decode_assistant_content,
};

fuzz_target!(|input: (u16, bool, &str)| {
    let (cut, has_prefix, text) = input;
    let content =
        if has_prefix { format!("{ASSISTANT_CONTENT_PREFIX}{text}") } else { text.into() };
    let cut = usize::from(cut).min(content.len());
    let bytes = content.as_bytes();
    for new in [ContentDecoder::new, ContentDecoder::keeping_sound_records] {
        let whole = run(new(), [bytes]);
        assert_eq!(run(new(), [&bytes[..cut], &bytes[cut..]]), whole);
        assert_eq!(run(new(), bytes.chunks(1)), whole);
    }
    if let Ok(content) = decode_assistant_content(&content) {
        let mut encoder = AssistantContentEncoder::new();
        let parts = content.parts.iter();
        let sent: String = parts.map(|part| encoder.encode(part).expect("a part")).collect();
        let again = decode_assistant_content(&sent).map(|content| content.parts);
        assert!(content.parts.is_empty() || again == Ok(content.parts));
    }
});

/// All that a decoder says in the end.
type Stand = (Vec<AssistantPart>, Option<ContentFailure>, Result<AssistantContent, Diagnostic>);

fn run<'a>(mut decoder: ContentDecoder, chunks: impl IntoIterator<Item = &'a [u8]>) -> Stand {
    for chunk in chunks {
        decoder.push(chunk);
    }
    (decoder.parts().to_vec(), decoder.failure(), decoder.into_result())
}
