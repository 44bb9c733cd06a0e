//! What is wrong between a server and a client although the turn goes on, as values.

use serde::Serialize;
use std::fmt;
use std::mem::discriminant;

/// Something that a person who runs the server or the page should know.
///
/// # Examples
/// ```
/// use turnwire::chat::Diagnostic;
/// let diagnostic = Diagnostic::Buffered { frames: 12 };
/// assert!(diagnostic.to_string().contains("12 events"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Diagnostic {
    /// A server that sends heartbeats went silent: something between drops them, or the connection
    /// is dead.
    NoHeartbeat {
        /// How long nothing came.
        silent_ms: u64,
    },
    /// Nothing came for a while, then many events at once: something between collects the response.
    Buffered {
        /// How many events came at once.
        frames: u64,
    },
    /// The stream's response has a header that makes caches or proxies hold it back.
    Headers {
        /// The header's name.
        header: String,
        /// What is wrong with it.
        problem: String,
    },
    /// As many streams are open as browsers allow to one server over HTTP/1.1, so requests wait for
    /// each other.
    ConnectionLimit {
        /// How many are open in all windows.
        open: u64,
    },
}

impl Diagnostic {
    /// Whether both say the same, whatever the figures.
    pub(super) fn is_about_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Headers { header, .. }, Self::Headers { header: other, .. }) => header == other,
            _ => discriminant(self) == discriminant(other),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeartbeat { silent_ms } => write!(
                f,
                "the server sends heartbeats, but nothing came for {} s",
                silent_ms / 1000
            ),
            Self::Buffered { frames } => write!(
                f,
                "{frames} events came at once after a long wait: a proxy seems to collect the response"
            ),
            Self::Headers { header, problem } => write!(f, "the stream's {header} {problem}"),
            Self::ConnectionLimit { open } => write!(
                f,
                "{open} streams are open to this server over HTTP/1.1, more wait: serve it over HTTP/2"
            ),
        }
    }
}
