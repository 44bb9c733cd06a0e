//! UTF-8 as the WHATWG Encoding standard decodes it.

/// The byte order mark, U+FEFF.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Drops one byte order mark at the very start of a stream, also when a chunk ends inside it.
#[derive(Debug, Clone, Default)]
pub(super) struct BomFilter {
    matched: usize,
    is_settled: bool,
}

impl BomFilter {
    /// Returns what is left to parse once `bytes` came: first what was held back and turned out to
    /// be no mark, then the rest of `bytes`.
    pub(super) fn strip<'a>(&mut self, bytes: &'a [u8]) -> (&'static [u8], &'a [u8]) {
        if self.is_settled {
            return (&[], bytes);
        }
        let awaited = BOM.iter().skip(self.matched);
        let found = awaited.zip(bytes).take_while(|(a, b)| a == b).count();
        self.matched += found;
        let rest = bytes.get(found..).unwrap_or_default();
        self.is_settled = self.is_mark() || !rest.is_empty();
        let false_start = self.is_settled && !self.is_mark();
        (if false_start { self.held() } else { &[] }, rest)
    }

    /// Returns what was held back, now that the stream ended.
    pub(super) fn finish(&mut self) -> &'static [u8] {
        let held = if self.is_settled { &[] } else { self.held() };
        self.is_settled = true;
        held
    }

    /// How many bytes at the start are not part of any line.
    pub(super) fn dropped_bytes(&self) -> u64 {
        if self.is_mark() { 3 } else { 0 }
    }

    fn is_mark(&self) -> bool {
        self.matched == BOM.len()
    }

    fn held(&self) -> &'static [u8] {
        BOM.get(..self.matched).unwrap_or_default()
    }
}

/// Decodes whole lines; each maximal piece that cannot be UTF-8 becomes one U+FFFD.
///
/// Sound text, which is nearly all there is, keeps its allocation.
pub(super) fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip_all(chunks: &[&[u8]]) -> (Vec<u8>, u64) {
        let mut filter = BomFilter::default();
        let mut left = Vec::new();
        for chunk in chunks {
            let (held, rest) = filter.strip(chunk);
            left.extend_from_slice(held);
            left.extend_from_slice(rest);
        }
        left.extend_from_slice(filter.finish());
        (left, filter.dropped_bytes())
    }

    #[test]
    fn drops_one_mark_wherever_it_is_cut() {
        let whole: &[u8] = b"\xEF\xBB\xBF\xEF\xBB\xBFa";
        for cut in 0..whole.len() {
            let (head, tail) = whole.split_at(cut);
            assert_eq!(strip_all(&[head, b"", tail]), (whole[3..].to_vec(), 3));
        }
    }

    #[test]
    fn gives_back_what_only_looked_like_a_mark() {
        let chunks: [&[u8]; 2] = [b"\xEF\xBB", b"a"];
        assert_eq!(strip_all(&chunks), (b"\xEF\xBBa".to_vec(), 0));
        assert_eq!(strip_all(&[b"\xEF"]), (b"\xEF".to_vec(), 0));
        assert_eq!(strip_all(&[b"a\xEF\xBB\xBF"]).0, b"a\xEF\xBB\xBF");
    }

    #[test]
    fn replaces_each_maximal_ill_formed_piece_once() {
        assert_eq!(decode(b"\xF0\x9F\x98X".to_vec()), "\u{FFFD}X");
        assert_eq!(decode(b"\xC0\x80".to_vec()), "\u{FFFD}\u{FFFD}");
        assert_eq!(decode(b"\xED\xA0\x80".to_vec()), "\u{FFFD}\u{FFFD}\u{FFFD}");
    }
}
