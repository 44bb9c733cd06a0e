//! What a client needs of the network: one request out, a head and a stream of bytes back, a timer.

#[cfg(target_arch = "wasm32")]
use super::fetch::unix_ms;
use crate::Result;
use bytes::Bytes;
use futures_core::Stream;
use std::fmt;
use std::future::Future;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// Carries requests. Bring your own, or take `FetchTransport` in browsers
/// and `ReqwestTransport` natively.
///
/// Nothing here asks for `Send`, as what browsers hand out never is; with a transport whose types
/// are `Send` every future of a client is `Send` too.
///
/// # Errors
/// `network` where the connection cannot be made or breaks; `invalid-argument` where the request
/// cannot be sent at all, such as a relative address outside a browser. A status outside 2xx is a
/// response, not an error.
///
/// # Cancellation
/// Dropping the future of [`send`](Self::send) or a [`Body`](Self::Body) cancels the request;
/// dropping a [`Sleep`](Self::Sleep) disarms it. Clients cancel in no other way.
pub trait Transport {
    /// Body of a response: its bytes in chunks of any size. It is not polled after its end or
    /// after an error.
    type Body: Stream<Item = Result<Bytes>> + Unpin;

    /// Done when its time has passed.
    type Sleep: Future<Output = ()> + Unpin;

    /// Sends a request; done when the head of the response is there. Redirects are followed.
    ///
    /// Nothing is sent before the future is first polled.
    fn send(&self, request: Request) -> impl Future<Output = Result<Response<Self::Body>>>;

    /// A timer that starts now.
    fn sleep(&self, duration: Duration) -> Self::Sleep;

    /// Whether a browser would ask the server at this address for permission first, as it does with
    /// every server but the page's own.
    fn is_foreign(&self, address: &str) -> bool {
        let _ = address;
        false
    }

    /// Milliseconds since 1970 by the machine's clock.
    fn unix_ms(&self) -> u64 {
        unix_ms()
    }

    /// A number from 0 up to 1, another one each time, so that many clients do not come back at the
    /// same moment.
    fn jitter(&self) -> f64 {
        // The keys of a hash map are the randomness that the standard library has.
        let bits = RandomState::new().build_hasher().finish() >> 11;
        bits as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn unix_ms() -> u64 {
    use std::time::SystemTime;
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A name that nobody else gives.
pub(super) fn unique_name(transport: &impl Transport) -> String {
    let half = || (transport.jitter() * (1_u64 << 53) as f64) as u64;
    format!("{:014x}{:014x}", half(), half())
}

/// How a request acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Changes something, or starts work.
    Post,
}

impl Method {
    /// The spelling on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

/// A request that is ready to be sent.
///
/// `Debug` shows neither header values nor the body: both may hold what must not reach a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// How it acts.
    pub method: Method,
    /// Absolute address, or in browsers a path of the page's own origin.
    pub url: String,
    /// Headers; no name comes twice, whatever its case.
    pub headers: Vec<(String, String)>,
    /// JSON text.
    pub body: Option<String>,
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("url", &self.url)
            .field("headers", &names)
            .field("body_bytes", &self.body.as_ref().map(String::len))
            .finish()
    }
}

/// The head of a response, and its body to come.
#[derive(Debug)]
pub struct Response<B> {
    /// Status code.
    pub status: u16,
    /// Headers.
    pub headers: Headers,
    /// Whether it came from another address than the one asked.
    pub redirected: bool,
    /// Its body.
    pub body: B,
}

impl<B> Response<B> {
    /// Whether the status is one of 200 to 299.
    #[must_use]
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Media type without its parameters, in lower case.
    #[must_use]
    pub fn media_type(&self) -> Option<String> {
        let value = self.headers.get("content-type")?;
        let essence = value.split(';').next().unwrap_or_default().trim();
        (!essence.is_empty()).then(|| essence.to_ascii_lowercase())
    }
}

/// Headers of a response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// The first value of a header; case does not matter.
    ///
    /// # Examples
    /// ```
    /// use turnwire::client::Headers;
    /// let headers = Headers::from_iter([("Retry-After".to_owned(), "3".to_owned())]);
    /// assert_eq!(headers.get("retry-after"), Some("3"));
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

impl FromIterator<(String, String)> for Headers {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}
