//! Which pages of other origins may read answers: only those that are configured.

use super::current::{BEFORE, EVENTS, STATE};
use super::reply::TURN;
use axum::http::{HeaderValue, Method};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

/// A configured origin that is none.
#[derive(Debug, thiserror::Error)]
#[error("expected an origin such as https://example.com, found '{0}'")]
pub struct OriginFault(String);

/// Without origins the layer allows nothing and adds nothing.
pub(super) fn layer(origins: &[String]) -> Result<CorsLayer, OriginFault> {
    if origins.is_empty() {
        return Ok(CorsLayer::new());
    }
    let origins =
        origins.iter().map(|origin| header_value(origin)).collect::<Result<Vec<_>, _>>()?;
    Ok(CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([TURN, EVENTS, STATE, BEFORE]))
}

/// An origin is a scheme and an authority; a path or a last slash would never match.
fn header_value(origin: &str) -> Result<HeaderValue, OriginFault> {
    let fault = || OriginFault(origin.to_owned());
    let (scheme, authority) = origin.split_once("://").ok_or_else(fault)?;
    if scheme.is_empty() || authority.is_empty() || authority.contains(['/', '?', '#', '*']) {
        return Err(fault());
    }
    HeaderValue::from_str(origin).map_err(|_| fault())
}
