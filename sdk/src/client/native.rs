//! The network of programs that are not compiled to wasm32: reqwest, with tokio's clock.

use super::transport::{Headers, Method, Request, Response, Transport};
use crate::{Error, ErrorKind, Result};
use bytes::Bytes;
use futures_core::Stream;
use futures_util::TryStreamExt;
use std::error::Error as _;
use std::io;
use std::pin::Pin;
use std::time::Duration;

/// Carries requests over reqwest. Its futures need a tokio runtime with I/O and time enabled.
///
/// It speaks HTTP/1.1 without TLS; the cargo features `rustls` and `native-tls` of reqwest add
/// `https://`, or make it from a client of your own.
///
/// # Examples
/// ```
/// use turnwire::client::{LoopClient, ReqwestTransport};
/// let client = LoopClient::new(ReqwestTransport::new(), "http://127.0.0.1:8787");
/// assert!(client.is_ok());
/// ```
#[derive(Debug, Clone, Default)]
pub struct ReqwestTransport {
    client: reqwest::Client,
}

impl ReqwestTransport {
    /// A transport with a connection pool of its own.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl From<reqwest::Client> for ReqwestTransport {
    /// A transport over a client that was set up elsewhere, with proxies or certificates.
    fn from(client: reqwest::Client) -> Self {
        Self { client }
    }
}

impl Transport for ReqwestTransport {
    type Body = Pin<Box<dyn Stream<Item = Result<Bytes>> + Send>>;
    type Sleep = Pin<Box<tokio::time::Sleep>>;

    async fn send(&self, request: Request) -> Result<Response<Self::Body>> {
        let request = self.to_native(request).build().map_err(|error| fault(&error))?;
        let asked = request.url().clone();
        let response = self.client.execute(request).await.map_err(|error| fault(&error))?;
        Ok(Response {
            status: response.status().as_u16(),
            headers: headers_of(&response),
            redirected: *response.url() != asked,
            body: Box::pin(response.bytes_stream().map_err(|error| fault(&error))),
        })
    }

    fn sleep(&self, duration: Duration) -> Self::Sleep {
        Box::pin(tokio::time::sleep(duration))
    }
}

impl ReqwestTransport {
    fn to_native(&self, request: Request) -> reqwest::RequestBuilder {
        let builder = match request.method {
            Method::Get => self.client.get(&request.url),
            Method::Post => self.client.post(&request.url),
        };
        let builder = request
            .headers
            .iter()
            .fold(builder, |builder, (name, value)| builder.header(name, value));
        match request.body {
            Some(body) => builder.body(body),
            None => builder,
        }
    }
}

fn headers_of(response: &reqwest::Response) -> Headers {
    let text = |value: &reqwest::header::HeaderValue| {
        String::from_utf8_lossy(value.as_bytes()).into_owned()
    };
    response.headers().iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}

/// Says what broke without the address, which can hold ids.
fn fault(error: &reqwest::Error) -> Error {
    if error.is_builder() {
        return Error::new(
            ErrorKind::InvalidArgument,
            "the request cannot be sent: expected an absolute address",
        );
    }
    let what = if error.is_connect() {
        "no connection to the server"
    } else if error.is_redirect() {
        "the server redirects in a circle"
    } else {
        "the connection broke"
    };
    let message = match io_cause(error) {
        Some(cause) => format!("{what}: {cause}"),
        None => what.to_owned(),
    };
    Error::new(ErrorKind::Network, message)
}

fn io_cause(error: &reqwest::Error) -> Option<io::ErrorKind> {
    let mut source = error.source();
    while let Some(cause) = source {
        if let Some(cause) = cause.downcast_ref::<io::Error>() {
            return Some(cause.kind());
        }
        source = cause.source();
    }
    None
}
