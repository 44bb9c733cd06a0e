//! The closed list of error kinds and their codes.

/// What kind of thing went wrong. Codes are part of the public contract of both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A frame or line is larger than its limit; the stream ends there.
    FrameTooLarge,
    /// The stream ended cleanly in the middle of a frame.
    FrameTruncated,
    /// A frame's data is not JSON.
    InvalidJson,
    /// A frame's JSON nests deeper than 128 levels.
    NestingTooDeep,
    /// A known event lacks a required field, or a field has the wrong type.
    InvalidEvent,
    /// The caller passed something that cannot be sent; nothing was sent.
    InvalidArgument,
    /// The function that gives a client's headers failed.
    HeadersFailed,
    /// The server answered with a status outside 2xx.
    Http,
    /// The server answered 2xx with another media type than the one asked for.
    UnexpectedContentType,
    /// The server answered 2xx with JSON of another shape than the protocol's.
    InvalidResponse,
    /// The response body is larger than its limit.
    ResponseTooLarge,
    /// The connection could not be made or broke.
    Network,
    /// No response head came in time.
    ConnectTimeout,
    /// No byte came for too long.
    IdleTimeout,
    /// The whole exchange took too long.
    TotalTimeout,
    /// The caller stopped it.
    Aborted,
    /// The stream ended before its turn did: without `done` or `error`, or without AgentsKit's last
    /// snapshot.
    StreamInterrupted,
    /// The turn failed on the server: it sent an `error` event.
    AgentFailed,
    /// A turn is running in this chat already.
    Busy,
    /// A pending item has to be decided first.
    PendingItems,
    /// No item with this id is pending here.
    NotPending,
    /// Another verdict for this item is on its way.
    AlreadyDeciding,
    /// The server no longer knows the item: decided elsewhere, expired, or gone.
    DecisionStale,
    /// The item came damaged and must not be approved.
    ItemDamaged,
    /// More decisions in one turn than allowed.
    DecisionLimit,
    /// A decision was sent and the turn did not move.
    NoProgress,
    /// The object was closed.
    Closed,
}

impl ErrorKind {
    /// Every kind.
    pub const ALL: &'static [Self] = &[
        Self::FrameTooLarge,
        Self::FrameTruncated,
        Self::InvalidJson,
        Self::NestingTooDeep,
        Self::InvalidEvent,
        Self::InvalidArgument,
        Self::HeadersFailed,
        Self::Http,
        Self::UnexpectedContentType,
        Self::InvalidResponse,
        Self::ResponseTooLarge,
        Self::Network,
        Self::ConnectTimeout,
        Self::IdleTimeout,
        Self::TotalTimeout,
        Self::Aborted,
        Self::StreamInterrupted,
        Self::AgentFailed,
        Self::Busy,
        Self::PendingItems,
        Self::NotPending,
        Self::AlreadyDeciding,
        Self::DecisionStale,
        Self::ItemDamaged,
        Self::DecisionLimit,
        Self::NoProgress,
        Self::Closed,
    ];

    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::FrameTooLarge => "frame-too-large",
            Self::FrameTruncated => "frame-truncated",
            Self::InvalidJson => "invalid-json",
            Self::NestingTooDeep => "nesting-too-deep",
            Self::InvalidEvent => "invalid-event",
            Self::InvalidArgument => "invalid-argument",
            Self::HeadersFailed => "headers-failed",
            Self::Http => "http-status",
            Self::UnexpectedContentType => "unexpected-content-type",
            Self::InvalidResponse => "invalid-response",
            Self::ResponseTooLarge => "response-too-large",
            Self::Network => "network",
            Self::ConnectTimeout => "connect-timeout",
            Self::IdleTimeout => "idle-timeout",
            Self::TotalTimeout => "total-timeout",
            Self::Aborted => "aborted",
            Self::StreamInterrupted => "stream-interrupted",
            Self::AgentFailed => "agent-failed",
            Self::Busy => "busy",
            Self::PendingItems => "pending-items",
            Self::NotPending => "not-pending",
            Self::AlreadyDeciding => "already-deciding",
            Self::DecisionStale => "decision-stale",
            Self::ItemDamaged => "item-damaged",
            Self::DecisionLimit => "decision-limit",
            Self::NoProgress => "no-progress",
            Self::Closed => "closed",
        }
    }

    /// Whether the cause is of the kind that passes by itself.
    pub(crate) const fn is_transient(self) -> bool {
        matches!(
            self,
            Self::FrameTruncated
                | Self::HeadersFailed
                | Self::Network
                | Self::ConnectTimeout
                | Self::IdleTimeout
                | Self::TotalTimeout
                | Self::StreamInterrupted
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn codes_are_unique_and_kebab_case() {
        let codes: HashSet<_> = ErrorKind::ALL.iter().map(|kind| kind.code()).collect();
        assert_eq!(codes.len(), ErrorKind::ALL.len());
        for code in codes {
            assert!(code.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{code}");
        }
    }
}
