//! A value beside its source.

use super::transport::Headers;
use crate::chat::TurnCursor;

/// A value together with the JSON text it came from.
///
/// The text is what bindings hand on, so that nothing which this version does not know is lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<T> {
    /// The value.
    pub value: T,
    /// Its JSON exactly as the server sent it.
    pub json: String,
    /// The session's current turn as of this answer, where the server says it.
    pub cursor: Option<TurnCursor>,
}

/// # Protocol
/// Our choice, additive: see [`TurnCursor`].
pub(super) fn cursor_of(headers: &Headers) -> Option<TurnCursor> {
    let number = |name| headers.get(name)?.trim().parse().ok();
    Some(TurnCursor {
        turn_id: headers.get("x-turnwire-turn")?.to_owned(),
        events: number("x-turnwire-events")?,
        before: number("x-turnwire-before").unwrap_or_default(),
    })
}
