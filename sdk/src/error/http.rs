//! What a failed response said, kept for the caller.

use std::time::Duration;

/// The parts of a response that explain a failure.
///
/// # Units
/// `retry_after` is relative to the moment the response head arrived.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpDetails {
    /// Status code.
    pub status: u16,
    /// Media type without parameters, in lower case.
    pub media_type: Option<String>,
    /// Machine-readable code from the body: `code`, or `error.code`, or problem+json's `type`.
    pub code: Option<String>,
    /// Text for people from the body: `error`, `error.message`, `message`, `detail` or `title`.
    pub message: Option<String>,
    /// The verdict that stands, where another one came too late: `approve`, `deny` or `answer`, as
    /// Turnwire's server says it.
    pub verdict: Option<String>,
    /// The answer that stands, where another one came too late.
    pub answer: Option<String>,
    /// Start of a body that is not JSON.
    pub excerpt: Option<String>,
    /// `Retry-After`, where it was given in seconds.
    pub retry_after: Option<Duration>,
    /// `WWW-Authenticate`, as sent.
    pub www_authenticate: Option<String>,
    /// `X-Request-Id`, as sent.
    pub request_id: Option<String>,
    /// Whether the response came from another address than the one asked, as after a redirect to a
    /// login page.
    pub redirected: bool,
}
