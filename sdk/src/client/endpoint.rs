//! One server, and how it is talked to: what every protocol's client is made of.

use super::body::WatchedBody;
use super::cancel::CancelToken;
use super::failure::{details_of, excerpt_of, media_type_error, status_error};
use super::header_source::HeaderSource;
use super::request::{BaseUrl, Draft, HeaderList, RequestOptions};
use super::timeouts::Timeouts;
use super::transport::{Headers, Request, Response, Transport};
use super::watch::{Watch, in_time};
use crate::error::HttpDetails;
use crate::{Error, ErrorKind, Limits, Result};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

const JSON: &str = "application/json";
const EVENT_STREAM: &str = "text/event-stream";
const NDJSON: &str = "application/x-ndjson";
const UNAUTHORIZED: u16 = 401;

/// An address with the settings of all requests to it.
pub(super) struct Endpoint<T> {
    pub(super) transport: Arc<T>,
    pub(super) base: BaseUrl,
    pub(super) headers: Vec<(String, String)>,
    pub(super) header_source: Option<HeaderSource>,
    pub(super) timeouts: Timeouts,
    pub(super) limits: Limits,
}

/// A response to the caller's liking, its body under watch.
struct Answer<T: Transport> {
    details: HttpDetails,
    headers: Headers,
    body: WatchedBody<T>,
}

impl<T> Clone for Endpoint<T> {
    fn clone(&self) -> Self {
        Self {
            transport: self.transport.clone(),
            base: self.base.clone(),
            headers: self.headers.clone(),
            header_source: self.header_source.clone(),
            ..*self
        }
    }
}

impl<T: Transport> Endpoint<T> {
    pub(super) fn new(transport: T, base: BaseUrl) -> Self {
        Self {
            transport: Arc::new(transport),
            base,
            headers: Vec::new(),
            header_source: None,
            timeouts: Timeouts::default(),
            limits: Limits::default(),
        }
    }

    /// # Errors
    /// `invalid-argument` for a header that cannot be sent.
    pub(super) fn set_headers(&mut self, headers: Vec<(String, String)>) -> Result<()> {
        HeaderList::default().set_all(&headers)?;
        self.headers = headers;
        Ok(())
    }

    /// Sends a request that is answered with JSON, and reads the answer with `read`.
    pub(super) async fn json<V>(
        &self,
        draft: Draft<'_>,
        head_limit: Option<Duration>,
        options: &RequestOptions,
        read: impl FnOnce(&str) -> Result<V>,
    ) -> Result<(V, String, Headers)> {
        let answer = self.send(draft, JSON, head_limit, options).await?;
        let answer = self.of_media_type(answer, JSON, is_json).await?;
        let text = answer.body.read_all(self.limits.max_response_bytes).await?;
        match read(&text) {
            Ok(value) => Ok((value, text, answer.headers)),
            Err(error) => Err(misshapen(&error, &text, answer.details)),
        }
    }

    /// Sends a request that is answered with an event stream.
    pub(super) async fn events(
        &self,
        draft: Draft<'_>,
        options: &RequestOptions,
    ) -> Result<(Headers, WatchedBody<T>)> {
        self.stream(draft, EVENT_STREAM, is_event_stream, options).await
    }

    /// Sends a request that is answered with newline-delimited JSON as it comes.
    pub(super) async fn ndjson(
        &self,
        draft: Draft<'_>,
        options: &RequestOptions,
    ) -> Result<WatchedBody<T>> {
        Ok(self.stream(draft, NDJSON, is_ndjson, options).await?.1)
    }
}

impl<T: Transport> Endpoint<T> {
    async fn stream(
        &self,
        draft: Draft<'_>,
        media_type: &str,
        fits: fn(Option<&str>) -> bool,
        options: &RequestOptions,
    ) -> Result<(Headers, WatchedBody<T>)> {
        let answer = self.send(draft, media_type, self.timeouts.connect, options).await?;
        if answer.details.status == 204 {
            return Err(no_content(media_type, answer.details));
        }
        let answer = self.of_media_type(answer, media_type, fits).await?;
        Ok((answer.headers, answer.body))
    }

    async fn send(
        &self,
        draft: Draft<'_>,
        accept: &str,
        head_limit: Option<Duration>,
        options: &RequestOptions,
    ) -> Result<Answer<T>> {
        let request = |given: &[(String, String)]| {
            draft.finish(accept, &self.base, &[&self.headers, given, &options.headers])
        };
        // What cannot be sent is refused before the function is asked for anything.
        let bare = request(&[])?;
        let mut watch = self.watch(options.cancel.as_ref())?;
        let response = async {
            match &self.header_source {
                Some(source) => self.send_with(source, request).await,
                None => self.transport.send(bare).await,
            }
        };
        let response = watch.head(head_limit, response).await?;
        let (details, success) = (details_of(&response), response.is_success());
        let body = WatchedBody::new(response.body, watch);
        if !success {
            return Err(status_error(details, body, self.limits.max_error_body_bytes).await);
        }
        Ok(Answer { details, headers: response.headers, body })
    }

    /// Sends a request with what the function gives, and once more with fresh headers where the
    /// server refuses those.
    ///
    /// # Protocol
    /// RFC 9110, section 15.5.2: a request that is answered with 401 has not been applied, and may be
    /// repeated with other credentials, also where repeating it is not safe otherwise.
    async fn send_with(
        &self,
        source: &HeaderSource,
        request: impl Fn(&[(String, String)]) -> Result<Request>,
    ) -> Result<Response<T::Body>> {
        let (given, generation) = self.before_connect(source.first()).await?;
        let response = self.transport.send(request(&given)?).await?;
        if response.status != UNAUTHORIZED {
            return Ok(response);
        }
        drop(response);
        let fresh = self.before_connect(source.fresh(generation)).await?;
        self.transport.send(request(&fresh)?).await
    }

    /// A function that hangs ends also those calls that have no bound on the response's head.
    async fn before_connect<R>(&self, headers: impl Future<Output = Result<R>>) -> Result<R> {
        let late = "the function that gives headers did not answer in time";
        in_time(&*self.transport, self.timeouts.connect, late, headers).await
    }

    fn watch(&self, cancel: Option<&CancelToken>) -> Result<Watch<T>> {
        Watch::start(self.transport.clone(), cancel, &self.timeouts)
    }

    async fn of_media_type(
        &self,
        answer: Answer<T>,
        expected: &str,
        fits: impl FnOnce(Option<&str>) -> bool,
    ) -> Result<Answer<T>> {
        if fits(answer.details.media_type.as_deref()) {
            return Ok(answer);
        }
        let limit = self.limits.max_error_body_bytes;
        Err(media_type_error(expected, answer.details, answer.body, limit).await)
    }
}

/// Servers that say nothing of the type, or the least, are given the benefit of the doubt: what
/// they sent is parsed. A page or a stream is not even read.
fn is_json(media_type: Option<&str>) -> bool {
    media_type.is_none_or(|found| {
        found.ends_with("/json")
            || found.ends_with("+json")
            || matches!(found, "text/plain" | "application/octet-stream")
    })
}

fn is_event_stream(media_type: Option<&str>) -> bool {
    media_type == Some(EVENT_STREAM)
}

fn is_ndjson(media_type: Option<&str>) -> bool {
    matches!(media_type, Some(NDJSON | "application/ndjson"))
}

/// The error for a success whose body is not what the protocol says.
fn misshapen(error: &Error, text: &str, mut details: HttpDetails) -> Error {
    let kind = match error.kind() {
        ErrorKind::NestingTooDeep => ErrorKind::NestingTooDeep,
        _ => ErrorKind::InvalidResponse,
    };
    if text.trim().is_empty() {
        return no_content(JSON, details);
    }
    if error.kind() == ErrorKind::InvalidJson {
        details.excerpt = excerpt_of(text);
    }
    Error::from_http(kind, error.to_string(), details)
}

fn no_content(expected: &str, details: HttpDetails) -> Error {
    let message = format!("expected {expected}, found an empty response");
    Error::from_http(ErrorKind::InvalidResponse, message, details)
}
