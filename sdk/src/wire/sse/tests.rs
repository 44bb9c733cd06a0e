//! Edges of the event-stream parser that the vectors do not reach: limits, ends, positions, cost.

use super::*;

fn frames(parser: &mut SseParser) -> Vec<(String, String)> {
    std::iter::from_fn(|| parser.poll()).map(|frame| (frame.event, frame.data)).collect()
}

fn data_of(parser: &mut SseParser) -> Vec<String> {
    frames(parser).into_iter().map(|(_, data)| data).collect()
}

fn parsed(bytes: &[u8]) -> SseParser {
    let mut parser = SseParser::new(1024);
    parser.push(bytes).unwrap();
    parser
}

#[test]
fn joins_crlf_cut_between_chunks() {
    let mut parser = parsed(b"data: {\"a\":1,\r");
    parser.push(b"").unwrap();
    parser.push(b"\ndata: \"b\":2}\r\n\r").unwrap();
    assert_eq!(data_of(&mut parser), ["{\"a\":1,\n\"b\":2}"]);
    parser.push(b"\ndata: next\n\n").unwrap();
    assert_eq!(data_of(&mut parser), ["next"]);
}

#[test]
fn a_lone_cr_at_the_end_of_a_chunk_dispatches_at_once() {
    let mut parser = parsed(b"data: a\r\r");
    assert_eq!(data_of(&mut parser), ["a"]);
}

#[test]
fn reset_forgets_that_the_last_byte_was_a_cr() {
    let mut parser = parsed(b"data: a\r");
    parser.reset();
    parser.push(b"\ndata: b\n\n").unwrap();
    let frame = parser.poll().unwrap();
    assert_eq!((frame.data.as_str(), frame.position), ("b", 1));
}

#[test]
fn comments_yield_nothing_and_end_nothing() {
    let mut parser = parsed(b":\ndata: {\"t\":\"a\"}\n\n: keep\n\n:\n");
    assert_eq!(data_of(&mut parser), ["{\"t\":\"a\"}"]);
    assert_eq!(parser.finish(), None);
}

#[test]
fn a_frame_begins_at_its_first_line_that_is_no_comment() {
    let bytes = b"\xEF\xBB\xBF: hi\r\n\r\nid: 1\ndata: a\n\n\n: x\rdata: b\r\rdata: c";
    let positions = |parser: &mut SseParser| -> Vec<u64> {
        let polled = std::iter::from_fn(|| parser.poll()).collect::<Vec<_>>();
        let frames = polled.into_iter().chain(parser.finish());
        frames.map(|frame| frame.position).collect()
    };
    let mut whole = parsed(bytes);
    let expected: Vec<u64> = [b"id: 1".as_slice(), b"data: b", b"data: c"]
        .iter()
        .map(|start| bytes.windows(start.len()).position(|at| at == *start))
        .map(|at| at.unwrap() as u64)
        .collect();
    assert_eq!(positions(&mut whole), expected);
    let mut bytewise = SseParser::new(1024);
    for byte in bytes {
        bytewise.push(&[*byte]).unwrap();
    }
    assert_eq!(positions(&mut bytewise), expected);
}

#[test]
fn a_frame_keeps_only_the_id_that_it_set_and_the_parser_keeps_the_last() {
    let mut parser = parsed(b"id: 7\ndata: a\n\ndata: b\n\nid: 8\n\nid: 9\n");
    assert_eq!(parser.poll().unwrap().id.as_deref(), Some("7"));
    assert_eq!(parser.poll().unwrap().id, None);
    assert_eq!(parser.last_event_id(), "8", "the block of id 9 is not complete");
    assert_eq!(parser.finish(), None);
    assert_eq!(parser.last_event_id(), "8");
    parser.push(b"id\ndata: c\n\n").unwrap();
    assert_eq!(parser.poll().unwrap().id.as_deref(), Some(""));
    assert_eq!(parser.last_event_id(), "");
}

#[test]
fn retry_takes_digits_only_and_cannot_overflow() {
    let mut parser = parsed(b"retry\nretry:\nretry: 1x\n");
    assert_eq!(parser.retry(), None);
    parser.push(b"retry: 0250\nretry: -1\n").unwrap();
    assert_eq!(parser.retry(), Some(Duration::from_millis(250)));
    parser.push(b"retry: 99999999999999999999999999\n").unwrap();
    assert_eq!(parser.retry(), Some(Duration::from_millis(u64::MAX)));
}

#[test]
fn a_clean_end_hands_over_the_last_frame_once() {
    for tail in ["\n\n", "\n", "", "\r", "\r\n", "\n: bye", "\nid: cut"] {
        let mut parser = parsed(b"event: done\nid: 4\ndata: {\"type\":\"done\"}");
        parser.push(tail.as_bytes()).unwrap();
        let all: Vec<_> = parser.poll().into_iter().chain(parser.finish()).collect();
        let frame = all.first().unwrap();
        assert_eq!(
            (frame.event.as_str(), frame.data.as_str()),
            ("done", "{\"type\":\"done\"}"),
            "{tail:?}"
        );
        assert_eq!(all.len(), 1, "{tail:?}");
        assert_eq!(parser.last_event_id(), "4", "{tail:?}");
        assert_eq!((parser.finish(), parser.poll()), (None, None), "{tail:?}");
    }
}

#[test]
fn half_a_line_at_the_end_counts_only_if_it_is_data() {
    let mut parser = parsed(b"event: note\ndata: a\nevent: no");
    assert_eq!(parser.finish().unwrap().event, "note");
    assert_eq!(parsed(b"data: a\ndat").finish().unwrap().data, "a");
    assert_eq!(parsed(b"data: a\ndata:").finish().unwrap().data, "a\n");
    assert_eq!(parsed(b"data").finish().unwrap().data, "");
    assert_eq!(parsed(b"event: done\nid: 3").finish(), None);
    assert_eq!(parsed(b"retry: 10").retry(), None);
}

#[test]
fn strict_mode_discards_what_is_unfinished() {
    for tail in ["data: a", "data: a\n", "id: 1\ndata: a\r\n"] {
        let mut parser = SseParser::strict(64);
        parser.push(tail.as_bytes()).unwrap();
        assert_eq!(parser.finish(), None, "{tail:?}");
        assert_eq!(parser.last_event_id(), "", "{tail:?}");
    }
}

#[test]
fn a_frame_of_exactly_the_limit_passes_and_one_byte_more_fails_at_every_cut() {
    let fits = b"event: e\ndata: abc\r\n\r\n";
    let limit = "event: e\ndata: abc".len();
    for cut in 0..=fits.len() {
        let (head, tail) = fits.split_at(cut);
        let feed = |max| {
            let mut parser = SseParser::new(max);
            parser.push(head).and_then(|()| parser.push(tail))
        };
        feed(limit).unwrap();
        let error = feed(limit - 1).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FrameTooLarge);
        assert_eq!(error.position(), Some(0));
        assert!(error.to_string().contains("limit of 17 bytes"), "{error}");
    }
}

#[test]
fn the_limit_is_final_until_reset_but_earlier_frames_stay() {
    let mut parser = SseParser::new(16);
    let error = parser.push(b"data: a\n\ndata: 0123456789abcdef\n\ndata: c\n\n").unwrap_err();
    assert_eq!(error.position(), Some(9));
    let again = parser.push(b"data: d\n\n").unwrap_err();
    assert_eq!(again.to_string(), error.to_string());
    assert_eq!(data_of(&mut parser), ["a"]);
    assert_eq!(parser.finish(), None);
    parser.reset();
    parser.push(b"data: e\n\n").unwrap();
    assert_eq!(data_of(&mut parser), ["e"]);
}

#[test]
fn comments_do_not_use_up_the_limit_of_a_frame() {
    let mut parser = SseParser::new(16);
    for _ in 0..100 {
        parser.push(b": keep-alive\n").unwrap();
    }
    parser.push(b"data: a\n\n").unwrap();
    assert_eq!(data_of(&mut parser), ["a"]);
}

#[test]
fn every_kind_of_endless_input_meets_the_limit() {
    for endless in ["x", ": x", "id: x", "event: x", "data: x", "foo: x"] {
        let mut parser = SseParser::new(4096);
        parser.push(endless.as_bytes()).unwrap();
        let pushed = (0..200).take_while(|_| parser.push(&[b'x'; 64]).is_ok());
        assert_eq!(pushed.count(), 63, "{endless}");
    }
    for endless in ["x\n", "id: x\r", "event: x\n", "data: x\r\n", "data\n"] {
        let mut parser = SseParser::new(4096);
        let pushes = (0..4096).take_while(|_| parser.push(endless.as_bytes()).is_ok());
        assert!(pushes.count() <= 4096 / 2, "{endless:?}");
    }
}

#[test]
fn a_long_data_line_is_copied_once_into_its_place() {
    const CHUNK: [u8; 1024] = [b'x'; 1024];
    const CHUNKS: usize = 8 * 1024;
    let mut parser = SseParser::new(usize::MAX);
    parser.push(b"data:").unwrap();
    let mut growths = 0;
    let mut capacity = 0;
    for pushed in 1..=CHUNKS {
        parser.push(&CHUNK).unwrap();
        assert_eq!(parser.line.held_bytes(), 0);
        let data = parser.frame.data_buffer().unwrap();
        assert_eq!(data.len(), pushed * CHUNK.len());
        assert!(data.capacity() <= 2 * data.len() + CHUNK.len());
        growths += usize::from(data.capacity() != capacity);
        capacity = data.capacity();
    }
    assert!(growths <= 24, "{growths} growths: each moves the whole buffer");
    parser.push(b"\n\n").unwrap();
    assert_eq!(parser.poll().unwrap().data.len(), CHUNKS * CHUNK.len());
}
