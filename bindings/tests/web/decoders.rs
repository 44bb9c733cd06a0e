//! The decoders as JavaScript holds them.

use crate::scripted_fetch::{code_of, json_of};
use turnwire_js::{EventDecoderHandle, SseDecoderHandle, decode_event};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

const LIMIT: usize = 1 << 20;

#[wasm_bindgen_test]
fn frames_come_as_event_data_id_and_offset() {
    let decoder = SseDecoderHandle::new(LIMIT, false);
    let frames = decoder.push("id: 7\nretry: 5\ndata: 那\n\nevent: x\rdata: y\r\r".as_bytes());
    assert_eq!(json_of(&frames.unwrap()), r#"[["message","那","7",0],["x","y",null,26]]"#);
    assert_eq!((decoder.last_event_id().as_str(), decoder.retry_ms()), ("7", Some(5.0)));
    decoder.reset();
    assert_eq!((decoder.last_event_id().as_str(), decoder.retry_ms()), ("", None));
}

#[wasm_bindgen_test]
fn every_cut_gives_the_same_frames() {
    let bytes = "\u{feff}data: 🌍\r\n\r\n: x\rdata: a\ndata: b\n\r\nid: 1\n\ndata: c".as_bytes();
    let frames = |chunks: [&[u8]; 2]| {
        let decoder = SseDecoderHandle::new(LIMIT, false);
        let lists = chunks.map(|chunk| decoder.push(chunk).unwrap());
        lists[0].concat(&lists[1]).concat(&decoder.finish().unwrap())
    };
    let whole = json_of(&frames([bytes, &[]]));
    assert!(whole.contains(r#"["message","a\nb",null,"#), "{whole}");
    for cut in 0..=bytes.len() {
        let (head, tail) = bytes.split_at(cut);
        assert_eq!(json_of(&frames([head, tail])), whole, "cut at {cut}");
    }
}

#[wasm_bindgen_test]
fn only_a_strict_decoder_discards_an_unfinished_frame() {
    for (strict, rest) in [(false, r#"[["message","x",null,0]]"#), (true, "[]")] {
        let decoder = SseDecoderHandle::new(LIMIT, strict);
        assert_eq!(decoder.push(b"data: x\n").unwrap().length(), 0);
        assert_eq!(json_of(&decoder.finish().unwrap()), rest);
    }
}

#[wasm_bindgen_test]
fn a_frame_over_the_limit_is_thrown_after_what_came_before() {
    let decoder = SseDecoderHandle::new(20, false);
    let bytes = b"data: a\n\ndata: xxxxxxxxxxxxxxxxxxxxxxxxx\n\n";
    assert_eq!(decoder.push(bytes).unwrap().length(), 1);
    assert_eq!(code_of(&decoder.push(&[]).unwrap_err()), "frame-too-large");
    assert_eq!(code_of(&decoder.finish().unwrap_err()), "frame-too-large");
}

#[wasm_bindgen_test]
fn events_come_with_their_json_type_and_place() {
    let decoder = EventDecoderHandle::new(LIMIT);
    let items = decoder.push(b"id: 7\ndata: {\"type\":\"later\",\"n\":9007199254740993}\n\n");
    let expected = r#"[["{\"type\":\"later\",\"n\":9007199254740993}","later","7",0,null,["9007199254740993"]]]"#;
    assert_eq!(json_of(&items.unwrap()), expected);
}

#[wasm_bindgen_test]
fn a_damaged_event_comes_in_its_place_with_its_error() {
    let decoder = EventDecoderHandle::new(LIMIT);
    let bytes = b"data: {\"type\":\"done\"}\n\ndata: {\"type\":\"done\",\"text\":\"\"}\n\n";
    let items = decoder.push(bytes).unwrap();
    let damaged = js_sys::Array::from(&items.get(0));
    assert!(damaged.get(1).is_undefined());
    assert_eq!(code_of(&damaged.get(4)), "invalid-event");
    assert!(js_sys::Array::from(&items.get(1)).get(4).is_undefined());
}

#[wasm_bindgen_test]
fn a_stream_that_ends_inside_an_event_is_truncated() {
    let decoder = EventDecoderHandle::new(LIMIT);
    assert_eq!(decoder.push(b"data: {\"type\"").unwrap().length(), 0);
    assert_eq!(code_of(&decoder.finish().unwrap_err()), "frame-truncated");
    decoder.reset();
    assert_eq!(decoder.finish().unwrap().length(), 0);
}

#[wasm_bindgen_test]
fn a_text_is_decoded_to_its_type() {
    assert_eq!(decode_event(&r#"{"type":"my:own"}"#.into()).unwrap(), "my:own");
    let lone_surrogate = js_sys::eval(r#"'{"type":"x\ud83d"}'"#).unwrap();
    for (text, code) in [
        ("{".into(), "invalid-json"),
        ("7".into(), "invalid-event"),
        (JsValue::UNDEFINED, "invalid-argument"),
        (lone_surrogate, "invalid-argument"),
    ] {
        assert_eq!(code_of(&decode_event(&text).unwrap_err()), code);
    }
}
