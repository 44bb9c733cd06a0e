//! The one error type, opaque, with a closed list of codes that both languages share.

use std::fmt;
use std::time::Duration;

pub use http::HttpDetails;
pub use kind::ErrorKind;

mod http;
mod kind;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, where, and whether trying again can help.
///
/// `Display` is one line and holds no header, token or message text; the server's own words are in
/// [`Error::server_message`]. Only `headers-failed` says what a function of the caller's said.
///
/// # Examples
/// ```
/// use turnwire::{ErrorKind, loopengine};
/// let error = loopengine::decode("{\"type\":\"done\"}").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::InvalidEvent);
/// assert_eq!(error.code(), "invalid-event");
/// assert!(!error.is_retryable());
/// ```
#[derive(Debug, Clone)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    kind: ErrorKind,
    message: String,
    position: Option<u64>,
    line: Option<u64>,
    http: Option<HttpDetails>,
    items: Vec<String>,
}

impl Error {
    /// Makes an error; `message` is one lower-case line without payload beyond 20 characters.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            position: None,
            line: None,
            http: None,
            items: Vec::new(),
        }))
    }

    pub(crate) fn from_http(kind: ErrorKind, message: String, details: HttpDetails) -> Self {
        let mut error = Self::new(kind, message);
        error.0.http = Some(details);
        error
    }

    /// Adds the absolute byte offset in the stream at which the offending frame began.
    #[must_use]
    pub fn at(mut self, position: u64) -> Self {
        self.0.position = Some(position);
        self
    }

    /// Adds the number of the offending line, the first being 1.
    #[must_use]
    pub fn on_line(mut self, line: u64) -> Self {
        self.0.line = Some(line);
        self
    }

    /// Adds the ids of the pending items that stand in the way.
    #[must_use]
    pub fn with_items(mut self, ids: impl IntoIterator<Item = String>) -> Self {
        self.0.items = ids.into_iter().collect();
        self
    }

    /// The kind, for matching.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The kind's stable code, such as `frame-too-large`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// Absolute byte offset in the stream of the frame that was at fault.
    #[must_use]
    pub fn position(&self) -> Option<u64> {
        self.0.position
    }

    /// Number of the line that was at fault, the first being 1, in newline-delimited JSON.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.0.line
    }

    /// What the server answered, where it answered at all.
    #[must_use]
    pub fn http(&self) -> Option<&HttpDetails> {
        self.0.http.as_ref()
    }

    /// HTTP status of the response at fault.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.http().map(|details| details.status)
    }

    /// The server's own text for people, where it sent one.
    #[must_use]
    pub fn server_message(&self) -> Option<&str> {
        self.http().and_then(|details| details.message.as_deref())
    }

    /// How long the server asks to wait before the next try.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.http().and_then(|details| details.retry_after)
    }

    /// Ids of the pending items that stand in the way ([`ErrorKind::PendingItems`]).
    #[must_use]
    pub fn items(&self) -> &[String] {
        &self.0.items
    }

    /// Whether the same call can succeed later without a change.
    ///
    /// # Protocol
    /// Our choice: connection faults and timeouts, headers that could not be had, and the statuses
    /// 408, 425, 429 and 5xx except 501 and 505.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self.status() {
            Some(status) if self.0.kind == ErrorKind::Http => {
                matches!(status, 408 | 425 | 429) || (status >= 500 && !matches!(status, 501 | 505))
            }
            _ => self.0.kind.is_transient(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        match (self.0.line, self.0.position) {
            (Some(line), _) => write!(f, " (line {line})"),
            (None, Some(position)) => write!(f, " (byte {position})"),
            (None, None) => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
