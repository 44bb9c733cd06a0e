//! What every request has to pass: a sound path, this server's name, no foreign page behind it.

use super::error::Failure;
use super::url;
use crate::config::{Config, Hosts};
use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, Method, Uri};
use axum::middleware::Next;
use axum::response::Response;
use std::net::IpAddr;
use std::sync::Arc;

/// What is let through.
#[derive(Debug)]
pub(super) struct Guard {
    hosts: Hosts,
    origins: Vec<String>,
}

impl Guard {
    pub(super) fn new(config: &Config) -> Self {
        Self { hosts: config.hosts.clone(), origins: config.cors_origins.clone() }
    }

    fn check(&self, request: &Request) -> Result<(), Failure> {
        if !url::is_sound(request.uri().path()) {
            return Err(Failure::BadRequest("the path has a malformed percent sequence".into()));
        }
        self.check_host(request.uri(), request.headers())?;
        self.check_origin(request)
    }

    /// A page of another site whose name was pointed at this machine sends that name as host:
    /// the defence against DNS rebinding.
    fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
        let Hosts::Loopback { also } = &self.hosts else {
            return Ok(());
        };
        // Only HTTP/1.0 and tests send none; browsers always do.
        let Some(host) = host(uri, headers) else {
            return Ok(());
        };
        let name = host.host();
        if is_loopback(name) || also.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return Ok(());
        }
        Err(Failure::Forbidden(format!("this server is not called '{name}'")))
    }

    /// A foreign page may send requests without asking, as long as it does not want to read the
    /// answer; a turn or a decision must not be started that way.
    fn check_origin(&self, request: &Request) -> Result<(), Failure> {
        let is_safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
        let Some(origin) = text(request.headers(), &ORIGIN).filter(|_| !is_safe) else {
            return Ok(());
        };
        let host = host(request.uri(), request.headers());
        let own = host.as_ref().map(Authority::as_str);
        let is_own = own.is_some() && origin.split_once("://").map(|(_, rest)| rest) == own;
        if is_own || self.origins.iter().any(|known| known == origin) {
            return Ok(());
        }
        Err(Failure::Forbidden(format!("requests from pages of '{origin}' are not allowed")))
    }
}

/// Lets a request through or answers why not.
pub(super) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    guard.check(&request)?;
    Ok(next.run(request).await)
}

fn host(uri: &Uri, headers: &HeaderMap) -> Option<Authority> {
    let named = text(headers, &HOST).and_then(|host| host.parse().ok());
    named.or_else(|| uri.authority().cloned())
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || address.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}
