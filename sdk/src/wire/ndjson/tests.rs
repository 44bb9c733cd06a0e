//! Edges of the line parser.

use super::*;

fn lines(parser: &mut LineParser) -> Vec<(String, u64, u64)> {
    std::iter::from_fn(|| parser.poll())
        .map(|line| (line.text, line.number, line.position))
        .collect()
}

fn finished(bytes: &[u8]) -> Vec<(String, u64, u64)> {
    let mut parser = LineParser::new(1024);
    parser.push(bytes).unwrap();
    parser.finish();
    lines(&mut parser)
}

fn line(text: &str, number: u64, position: u64) -> (String, u64, u64) {
    (text.to_owned(), number, position)
}

#[test]
fn gives_the_same_lines_at_every_cut() {
    let bytes = "{\"n\":1}\n{\"n\":2}\r\n\r\n{bad\n \t\n{\"t\":\"那🌍\"}".as_bytes();
    let whole = finished(bytes);
    assert_eq!(whole.iter().map(|line| line.1).collect::<Vec<_>>(), [1, 2, 4, 6]);
    for cut in 0..=bytes.len() {
        let (head, tail) = bytes.split_at(cut);
        let mut parser = LineParser::new(1024);
        parser.push(head).unwrap();
        parser.push(tail).unwrap();
        parser.finish();
        assert_eq!(lines(&mut parser), whole, "cut at {cut}");
    }
}

#[test]
fn drops_one_cr_before_the_lf_and_no_other() {
    assert_eq!(finished(b"1\r\r\n2\r3\n"), [line("1\r", 1, 0), line("2\r3", 2, 4)]);
    assert_eq!(finished(b"1\r"), [line("1", 1, 0)]);
}

#[test]
fn skips_blank_lines_but_counts_them() {
    assert_eq!(finished(b"\n\r\n \t \n1\n\n"), [line("1", 4, 7)]);
    assert_eq!(finished(b""), []);
}

#[test]
fn drops_a_byte_order_mark_at_the_start_only() {
    assert_eq!(
        finished(b"\xEF\xBB\xBF1\n\xEF\xBB\xBF2"),
        [line("1", 1, 3), line("\u{FEFF}2", 2, 5)]
    );
}

#[test]
fn shows_invalid_bytes_as_replacement_characters() {
    assert_eq!(finished(b"\"a\xFF\"\n"), [line("\"a\u{FFFD}\"", 1, 0)]);
    assert_eq!(finished(b"\xEF\xBB"), [line("\u{FFFD}", 1, 0)]);
}

#[test]
fn hands_over_a_tail_once() {
    let mut parser = LineParser::new(16);
    parser.push(b"1").unwrap();
    parser.finish();
    parser.finish();
    assert_eq!(lines(&mut parser), [line("1", 1, 0)]);
}

#[test]
fn the_limit_names_the_line_and_is_final_until_reset() {
    let mut parser = LineParser::new(4);
    let error = parser.push(b"1234\n\n12345\n6\n").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FrameTooLarge);
    assert_eq!((error.line(), error.position()), (Some(3), Some(6)));
    assert_eq!(error.to_string(), "the line exceeds the limit of 4 bytes (line 3)");
    assert_eq!(parser.push(b"7\n").unwrap_err().to_string(), error.to_string());
    parser.finish();
    assert_eq!(lines(&mut parser), [line("1234", 1, 0)]);
    parser.reset();
    parser.push(b"8\n").unwrap();
    assert_eq!(lines(&mut parser), [line("8", 1, 0)]);
}

#[test]
fn an_endless_line_is_not_kept() {
    let mut parser = LineParser::new(4096);
    let pushed = (0..200).take_while(|_| parser.push(&[b' '; 64]).is_ok());
    assert_eq!(pushed.count(), 64);
    assert_eq!(parser.held.capacity(), 0);
}
