//! What a client is asked for → a request that is ready to be sent.

use super::cancel::CancelToken;
use super::transport::{Method, Request};
use crate::json::JsonObject;
use crate::{Error, ErrorKind, Result};
use std::fmt::Write;

/// What a call may set beside its arguments.
///
/// # Examples
/// ```
/// use turnwire::client::RequestOptions;
/// let options = RequestOptions {
///     session_id: Some("s-1".into()),
///     headers: vec![("authorization".into(), "Bearer …".into())],
///     ..Default::default()
/// };
/// assert!(options.body.is_empty());
/// ```
#[derive(Debug, Clone, Default)]
pub struct RequestOptions {
    /// Session to go on with; without it the server starts one. Only messages send it.
    pub session_id: Option<String>,
    /// Headers beside the client's own; one of the same name replaces it, whatever the case.
    pub headers: Vec<(String, String)>,
    /// More fields for the JSON body; they win over `message`, `sessionId` and `answer`.
    pub body: JsonObject,
    /// A name for the message, under which the server takes it only once: sent again, it joins the
    /// turn that it started. Only messages send it, as the header `idempotency-key`.
    ///
    /// # Protocol
    /// Not part of Protocol v1: Turnwire's server knows it. In browsers a server of another origin
    /// has to allow the header.
    pub idempotency_key: Option<String>,
    /// Stops the call from outside.
    pub cancel: Option<CancelToken>,
}

impl RequestOptions {
    /// The options with the message's name among the headers.
    pub(super) fn named(&self) -> Self {
        let mut options = self.clone();
        if let Some(key) = &self.idempotency_key {
            options.headers.push(("idempotency-key".into(), key.clone()));
        }
        options
    }
}

/// Address that every path is appended to: nothing in it that a path would break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BaseUrl(String);

impl BaseUrl {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let trimmed = text.trim_end_matches('/');
        if trimmed.contains(|c| c == '?' || breaks_address(c)) {
            return Err(invalid("base address: expected no query, fragment, backslash or space"));
        }
        if !(is_web_address(trimmed) || is_path(trimmed)) {
            return Err(invalid(
                "base address: expected one that starts with http:// or https://, or a path that starts with /",
            ));
        }
        Ok(Self(trimmed.to_owned()))
    }

    /// The address of one route, to which nothing is appended: sent as it is, its query too.
    pub(super) fn of_route(text: &str) -> Result<Self> {
        if text.contains(breaks_address) {
            return Err(invalid("address: expected no fragment, backslash or space"));
        }
        if text.is_empty() || !(is_web_address(text) || is_path(text)) {
            return Err(invalid(
                "address: expected one that starts with http:// or https://, or a path that starts with /",
            ));
        }
        Ok(Self(text.to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The address of a path given by its segments.
    ///
    /// # Errors
    /// `invalid-argument` for a segment that an address cannot hold: an empty one, `.` or `..`,
    /// which every parser of addresses takes for a step up the path, encoded or not.
    pub(super) fn join(&self, segments: &[&str]) -> Result<String> {
        let mut url = self.0.clone();
        for segment in segments {
            if matches!(*segment, "" | "." | "..") {
                return Err(invalid("name or id: expected other than empty, . and .."));
            }
            url.push('/');
            push_encoded(&mut url, segment);
        }
        Ok(url)
    }
}

/// Headers under way to a request; a later one replaces an earlier one of the same name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct HeaderList(Vec<(String, String)>);

impl HeaderList {
    /// # Errors
    /// `invalid-argument` for a name or value that cannot be sent alike by every transport.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<()> {
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err(invalid("header name: expected letters, digits and dashes"));
        }
        if !value.bytes().all(|b| b == b'\t' || (b' '..=b'~').contains(&b)) {
            return Err(invalid("header value: expected printable ASCII"));
        }
        self.0.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.0.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    pub(super) fn set_all(&mut self, headers: &[(String, String)]) -> Result<()> {
        headers.iter().try_for_each(|(name, value)| self.set(name, value))
    }
}

/// A request in the making.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    pub(super) method: Method,
    pub(super) path: &'a [&'a str],
    /// JSON text.
    pub(super) body: Option<String>,
}

impl Draft<'_> {
    /// The request with these headers, those of a later layer instead of an earlier one's.
    ///
    /// # Errors
    /// `invalid-argument`.
    pub(super) fn finish(
        &self,
        accept: &str,
        base: &BaseUrl,
        layers: &[&[(String, String)]],
    ) -> Result<Request> {
        let mut headers = HeaderList::default();
        headers.set("accept", accept)?;
        if self.method == Method::Post {
            // The original sends it also with an empty body; it keeps the request from being one
            // that any page of another origin may send unasked.
            headers.set("content-type", "application/json")?;
        }
        layers.iter().try_for_each(|layer| headers.set_all(layer))?;
        Ok(Request {
            method: self.method,
            url: base.join(self.path)?,
            headers: headers.0,
            body: self.body.clone(),
        })
    }
}

/// The body of a message.
///
/// # Errors
/// `invalid-argument` for an empty message and one over the limit.
pub(super) fn message_body(
    message: &str,
    options: &RequestOptions,
    max_bytes: usize,
) -> Result<JsonObject> {
    let mut body = JsonObject::new();
    body.insert("message".into(), message.into());
    if let Some(id) = options.session_id.as_deref().filter(|id| !id.is_empty()) {
        body.insert("sessionId".into(), id.into());
    }
    body.extend(options.body.clone());
    match body.get("message").and_then(|message| message.as_str()) {
        Some("") => Err(invalid("message: expected text, found none")),
        Some(message) => bounded("message", message, max_bytes).map(|()| body),
        None => Ok(body),
    }
}

/// The body of an answer; an empty answer is one.
///
/// # Errors
/// `invalid-argument` for an answer over the limit.
pub(super) fn answer_body(
    answer: &str,
    options: &RequestOptions,
    max_bytes: usize,
) -> Result<JsonObject> {
    bounded("answer", answer, max_bytes)?;
    let mut body = JsonObject::new();
    body.insert("answer".into(), answer.into());
    body.extend(options.body.clone());
    Ok(body)
}

pub(super) fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}

/// # Errors
/// `invalid-argument` for a text over the limit.
pub(super) fn bounded(what: &str, text: &str, max_bytes: usize) -> Result<()> {
    if text.len() <= max_bytes {
        return Ok(());
    }
    Err(invalid(format!("{what}: expected at most {max_bytes} bytes, found {}", text.len())))
}

pub(super) fn to_text(body: &JsonObject) -> String {
    // Serialising a JSON value into a string cannot fail: its keys are strings.
    serde_json::to_string(body).unwrap_or_default()
}

fn breaks_address(c: char) -> bool {
    matches!(c, '#' | '\\') || c.is_whitespace() || c.is_control()
}

fn is_web_address(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, rest)| {
        (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
            && !rest.is_empty()
            && !rest.starts_with('/')
    })
}

/// A path of the page's own origin; `//host` would be another one's.
fn is_path(text: &str) -> bool {
    text.is_empty() || (text.starts_with('/') && !text.starts_with("//"))
}

/// The characters that RFC 9110 allows in a header's name.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Appends what JavaScript's `encodeURIComponent` makes of the segment.
fn push_encoded(url: &mut String, segment: &str) {
    for byte in segment.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            url.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(url, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests;
