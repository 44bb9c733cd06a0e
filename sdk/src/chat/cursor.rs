//! How much of a session's current turn an answer knows.

/// The session's current turn, as of the moment of an answer.
///
/// # Protocol
/// Our choice, additive: Turnwire's server puts it into the headers of a session's history and
/// lists. The current turn is the first that is not over, else the last one. A server that sends
/// none cannot be joined again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnCursor {
    /// Id of the turn.
    pub turn_id: String,
    /// How many of its events the answer knows.
    pub events: usize,
    /// How many messages of the session were stored before the turn began.
    pub before: usize,
}
