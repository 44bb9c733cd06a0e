//! Which events an answer about a session knows already.
//!
//! # Protocol
//! Our choice, additive: a session's history and its pending lists tell in headers at which turn
//! the session is, and how many of that turn's events (numbered from 0) the answer knows; both are
//! of one moment. The turn is the first one of the session that is not over, else the last one; one
//! that the server cannot go on with does not count while there is another. A client that takes the
//! first `x-turnwire-before` messages of the history and replays the turn's events behind them, or
//! that takes the whole answer and joins the turn behind the last event that it knows, misses
//! nothing and sees nothing twice. There are no such headers where the session has no turn, or
//! where the turn's events are no longer kept.

use super::{reply, turns};
use crate::turns::Current;
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

/// How many of the turn's events the answer knows.
pub(super) const EVENTS: HeaderName = HeaderName::from_static("x-turnwire-events");

/// Where the turn stands, as in `GET /turns/:id`.
pub(super) const STATE: HeaderName = HeaderName::from_static("x-turnwire-state");

/// How many leading messages of a history are older than the turn.
pub(super) const BEFORE: HeaderName = HeaderName::from_static("x-turnwire-before");

/// Adds where the session's turn stands, if it has one.
pub(super) fn with_current(response: Response, current: Option<&Current>) -> Response {
    let Some(current) = current else { return response };
    let mut response = reply::with_turn(response, &current.id);
    let state = turns::state_of(&current.phase, Some(&current.last));
    let headers = response.headers_mut();
    headers.insert(EVENTS, current.events.into());
    headers.insert(STATE, HeaderValue::from_static(state));
    response
}

/// The same for a history of `len` messages, and how many of them are older than the turn.
pub(super) fn with_current_of_history(
    response: Response,
    current: Option<&Current>,
    len: usize,
) -> Response {
    let mut response = with_current(response, current);
    if let Some(current) = current {
        // A turn that has not begun has none of the messages.
        let before = current.user_at.unwrap_or(len);
        response.headers_mut().insert(BEFORE, before.into());
    }
    response
}
