//! The first line of an envelope, recognised byte by byte.

use super::ASSISTANT_CONTENT_PREFIX;
use crate::agentskit::diagnostic::Diagnostic;

/// How much of the prefix says that it is an envelope; what follows says of which version.
const ROOT_BYTES: usize = ASSISTANT_CONTENT_PREFIX.len() - "1\n".len();

/// How much of the prefix has come.
#[derive(Debug, Clone, Default)]
pub(super) struct Prefix {
    seen_bytes: usize,
    fault: Option<Diagnostic>,
}

impl Prefix {
    /// Takes what belongs to the prefix and gives back the rest; nothing while no record can begin.
    pub(super) fn strip<'a>(&mut self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let expected = ASSISTANT_CONTENT_PREFIX.as_bytes().get(self.seen_bytes..)?;
        let same = expected.iter().zip(bytes).take_while(|(a, b)| a == b).count();
        if self.fault.is_some() {
            return None;
        }
        self.seen_bytes += same;
        let rest = bytes.get(same..)?;
        if self.is_whole() {
            return Some(rest);
        }
        if !rest.is_empty() {
            let is_envelope = self.seen_bytes >= ROOT_BYTES;
            self.fault = Some(match is_envelope {
                true => Diagnostic::CONTENT_VERSION,
                false => Diagnostic::CONTENT_ENVELOPE,
            });
        }
        None
    }

    /// Why what came is no prefix.
    pub(super) fn fault(&self) -> Option<&Diagnostic> {
        self.fault.as_ref()
    }

    pub(super) fn has_begun(&self) -> bool {
        self.seen_bytes > 0
    }

    fn is_whole(&self) -> bool {
        self.seen_bytes == ASSISTANT_CONTENT_PREFIX.len()
    }
}
