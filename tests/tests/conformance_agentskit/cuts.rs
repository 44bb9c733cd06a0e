//! The incremental content decoder: the same at every cut as the decoder of whole contents.
//!
//! Contents of up to 4 KiB are fed with every single cut. The longer ones (they pin size, not cuts)
//! are fed byte by byte, in chunks of a fixed size and with cuts around their first line ends.

use proptest::prelude::*;
use turnwire::agentskit::{
    ASSISTANT_CONTENT_MAX_BYTES, ASSISTANT_CONTENT_MAX_RECORDS, ASSISTANT_CONTENT_PREFIX,
    AssistantContent, AssistantPart, ContentDecoder, ContentFailure, Diagnostic,
    decode_assistant_content,
};

use crate::naive;
use crate::seed::seeded;
use crate::vectors::vectors_of;

const EVERY_CUT_UP_TO_BYTES: usize = 4096;
const CUT_LINES: usize = 2;

type Decode = fn() -> ContentDecoder;
const MODES: [Decode; 2] = [ContentDecoder::new, ContentDecoder::keeping_sound_records];

/// All that a decoder says after some chunks.
#[derive(Debug, PartialEq)]
struct Stand {
    handed_out: Vec<AssistantPart>,
    parts: Vec<AssistantPart>,
    failure: Option<ContentFailure>,
    result: Result<AssistantContent, Diagnostic>,
}

impl Stand {
    fn after<'a>(new: Decode, chunks: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut decoder = new();
        let mut handed_out = Vec::new();
        for chunk in chunks {
            handed_out.extend_from_slice(decoder.push(chunk));
        }
        Self {
            handed_out,
            parts: decoder.parts().to_vec(),
            failure: decoder.failure(),
            result: decoder.into_result(),
        }
    }

    /// What was handed out before a failure depends on the cuts where a failure takes it back.
    fn assert_as(&self, whole: &Self, what: &str) {
        let is_kept = whole.failure.is_none() || !whole.parts.is_empty();
        if is_kept {
            assert_eq!(self.handed_out, whole.handed_out, "{what}");
        }
        assert_eq!(self.parts, whole.parts, "{what}");
        assert_eq!(self.failure, whole.failure, "{what}");
        assert_eq!(self.result, whole.result, "{what}");
    }
}

#[test]
fn every_content_vector_is_the_same_at_every_cut() {
    for (id, content) in contents() {
        for new in MODES {
            let bytes = content.as_bytes();
            let whole = Stand::after(new, [bytes]);
            assert_eq!(whole.result, decode_assistant_content(&content), "{id}");
            Stand::after(new, bytes.chunks(1)).assert_as(&whole, &id);
            for cut in cuts(bytes) {
                let (head, tail) = bytes.split_at(cut);
                Stand::after(new, [head, tail]).assert_as(&whole, &format!("{id} cut at {cut}"));
            }
            for size in [7, 1000] {
                let what = format!("{id} in chunks of {size}");
                Stand::after(new, bytes.chunks(size)).assert_as(&whole, &what);
            }
        }
    }
}

#[test]
fn it_stands_at_every_character_where_the_whole_decoder_would() {
    for (id, content) in contents() {
        if content.len() > EVERY_CUT_UP_TO_BYTES {
            continue;
        }
        let mut decoder = ContentDecoder::new();
        for (at, character) in content.char_indices() {
            let before = content.get(..at).expect("a character begins there");
            let result = decoder.clone().into_result();
            assert_eq!(result, decode_assistant_content(before), "{id} before {at}");
            decoder.push(character.encode_utf8(&mut [0; 4]));
        }
    }
}

#[test]
fn content_at_its_limits_is_taken_byte_by_byte() {
    let record = |length: usize| {
        let frame = "{\"kind\":\"text\",\"text\":\"\"}\n".len();
        format!("{{\"kind\":\"text\",\"text\":\"{}\"}}\n", "x".repeat(length - frame))
    };
    let room = ASSISTANT_CONTENT_MAX_BYTES - ASSISTANT_CONTENT_PREFIX.len();
    let length = room / ASSISTANT_CONTENT_MAX_RECORDS;
    let last = room - length * (ASSISTANT_CONTENT_MAX_RECORDS - 1);
    let content = format!(
        "{ASSISTANT_CONTENT_PREFIX}{}{}",
        record(length).repeat(ASSISTANT_CONTENT_MAX_RECORDS - 1),
        record(last)
    );
    assert_eq!(content.len(), ASSISTANT_CONTENT_MAX_BYTES);
    let mut decoder = ContentDecoder::new();
    let chunks = content.as_bytes().chunks(1);
    let handed_out: usize = chunks.map(|chunk| decoder.push(chunk).len()).sum();
    assert_eq!(handed_out, ASSISTANT_CONTENT_MAX_RECORDS);
    assert!(decoder.is_complete());
    decoder.push("x");
    assert_eq!(decoder.failure().expect("a failure").record, Some(ASSISTANT_CONTENT_MAX_RECORDS));
}

#[test]
fn bytes_that_are_no_utf8_become_replacement_characters_at_any_cut() {
    let mut bytes =
        format!("{ASSISTANT_CONTENT_PREFIX}{{\"kind\":\"text\",\"text\":\"").into_bytes();
    bytes.extend_from_slice(b"\xf0\x9f\x98z\xff\"}\n");
    for cut in 0..bytes.len() {
        let (head, tail) = bytes.split_at(cut);
        let stand = Stand::after(ContentDecoder::new, [head, tail]);
        assert_eq!(stand.parts, [AssistantPart::Text("\u{fffd}z\u{fffd}".into())]);
    }
}

proptest! {
    #![proptest_config(seeded(400))]

    #[test]
    fn agrees_with_the_naive_decoder_at_any_cuts(
        (content, cuts) in content().prop_flat_map(|content| {
            let cuts = prop::collection::vec(0..=content.len(), 0..4);
            (Just(content), cuts)
        })
    ) {
        let mut cuts = cuts;
        cuts.sort_unstable();
        let mut from = 0;
        let ends = cuts.into_iter().chain([content.len()]);
        let chunks: Vec<_> = ends.map(|to| &content.as_bytes()[std::mem::replace(&mut from, to)..to]).collect();
        let naive = naive::decode(&content);
        let strict = Stand::after(ContentDecoder::new, chunks.iter().copied());
        let keeping = Stand::after(ContentDecoder::keeping_sound_records, chunks);
        prop_assert_eq!(naive.outcome(), naive::told(&strict.result));
        prop_assert_eq!(&strict.result, &keeping.result);
        prop_assert_eq!(naive.sound_records, keeping.parts.len());
        prop_assert_eq!(&keeping.handed_out, &keeping.parts);
    }
}

/// Contents of what an envelope is made of, in any order.
fn content() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => Just("{\"kind\":\"text\",\"text\":\"é😀\"}\n".to_owned()),
        2 => Just(" {\"text\":\"\\n\",\"kind\":\"text\",\"more\":[]} \r\n".to_owned()),
        2 => Just("{\"kind\":\"component\",\"frame\":{\"protocol\":\"agentskit.chat.component\",\
            \"version\":1,\"type\":\"render\",\"componentKey\":\"a\",\"instanceId\":\"b\",\
            \"props\":[1.0],\"fallback\":{\"kind\":\"k\",\"summary\":\"s\"}}}\n".to_owned()),
        1 => Just("{\"kind\":\"text\",\"text\":\"\"}\n".to_owned()),
        1 => Just("\n".to_owned()),
        1 => Just(ASSISTANT_CONTENT_PREFIX.to_owned()),
        1 => Just("\n".repeat(ASSISTANT_CONTENT_MAX_RECORDS)),
        1 => Just("字".repeat(ASSISTANT_CONTENT_MAX_BYTES / 3)),
        1 => "\\PC{0,5}",
    ];
    let start = prop_oneof![
        16 => Just(ASSISTANT_CONTENT_PREFIX.to_owned()),
        1 => (0..ASSISTANT_CONTENT_PREFIX.len())
            .prop_map(|length| ASSISTANT_CONTENT_PREFIX[..length].to_owned()),
        1 => Just(String::new()),
    ];
    (start, prop::collection::vec(piece, 0..6)).prop_map(|(start, pieces)| start + &pieces.concat())
}

fn contents() -> impl Iterator<Item = (String, String)> {
    vectors_of("decodeAssistantContent")
        .filter_map(|vector| Some((vector.id, vector.input.as_str()?.to_owned())))
}

fn cuts(bytes: &[u8]) -> Vec<usize> {
    if bytes.len() <= EVERY_CUT_UP_TO_BYTES {
        return (0..=bytes.len()).collect();
    }
    let line_ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    line_ends.take(CUT_LINES).flat_map(|(at, _)| [at, at + 1]).chain([bytes.len()]).collect()
}
