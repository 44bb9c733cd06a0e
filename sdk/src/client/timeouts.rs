//! How long to wait for what.

use std::time::Duration;

/// Bounds on how long an exchange may take; `None` waits for ever.
///
/// # Units
/// All are relative. `total` runs from the moment a request is sent, `connect` and `response` too,
/// and `idle` starts again with every byte, comments included.
///
/// # Protocol
/// Our choice. A loopengine server answers a plain message or a decision only when the turn is over
/// or waits for the next decision, and takes as long as the model, the tools and the turns before
/// it in the same session do, so `response` has no default. A server of that family sends no byte
/// on a stream while a person decides, which it allows five minutes for: `idle` is longer than
/// that. Where a server sends heartbeats, set it to three times their interval.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use turnwire::client::Timeouts;
/// let timeouts = Timeouts { idle: Some(Duration::from_secs(45)), ..Default::default() };
/// assert_eq!(timeouts.connect, Some(Duration::from_secs(30)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Until the response's head, where a server sends it at once: streams, histories and lists.
    /// 30 seconds. Also for each answer of a [function for headers](super::HeaderSource).
    ///
    /// Exceeding it is [`ErrorKind::ConnectTimeout`](crate::ErrorKind::ConnectTimeout).
    pub connect: Option<Duration>,
    /// Until the response's head, where the server holds it back until the turn's next moment:
    /// plain messages and decisions. Not set.
    ///
    /// Exceeding it is [`ErrorKind::ConnectTimeout`](crate::ErrorKind::ConnectTimeout); what was
    /// asked for may still happen on the server.
    pub response: Option<Duration>,
    /// Without a byte of the body, while one is waited for: 330 seconds.
    ///
    /// Exceeding it is [`ErrorKind::IdleTimeout`](crate::ErrorKind::IdleTimeout).
    pub idle: Option<Duration>,
    /// For the whole exchange, the body included. Not set.
    ///
    /// Exceeding it is [`ErrorKind::TotalTimeout`](crate::ErrorKind::TotalTimeout).
    pub total: Option<Duration>,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Some(Duration::from_secs(30)),
            response: None,
            idle: Some(Duration::from_secs(330)),
            total: None,
        }
    }
}
