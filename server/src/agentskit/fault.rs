//! What can go wrong with a turn: a fixed code and a fixed text, which are safe to show.

use crate::store::StoreError;
use turnwire::Result;
use turnwire::agentskit::{ErrorCode, TurnDiagnostic};

/// Why a turn is refused or breaks off.
///
/// # Protocol
/// Codes, texts and `retryable` observed in AgentsKit-io/agentskit-chat@9836963, but for
/// `AGENT_NOT_FOUND`, `SESSION_NOT_FOUND` and `SERVER_STOPPING`, which are this host's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Another method than POST.
    Method,
    /// A body that does not say that it is JSON.
    MediaType,
    /// More bytes than are taken in.
    TooLarge,
    /// A body that is not JSON.
    NotJson,
    /// JSON that is no submission.
    NotSubmission,
    /// No agent of that name.
    UnknownAgent,
    /// Nothing was said in the session.
    UnknownSession,
    /// The session has a turn, or has had this one.
    Busy,
    /// Somebody else saved the session meanwhile.
    Conflict,
    /// It took too long.
    Timeout,
    /// The client broke off.
    Cancelled,
    /// The turn itself failed.
    Turn,
    /// The server is stopping.
    Stopping,
    /// Something is wrong with the server; the log has the details.
    Internal,
}

impl Fault {
    /// The code.
    #[must_use]
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Method => "REQUEST_METHOD_NOT_ALLOWED",
            Self::MediaType => "REQUEST_UNSUPPORTED_MEDIA_TYPE",
            Self::TooLarge => "REQUEST_TOO_LARGE",
            Self::NotJson => "REQUEST_INVALID_JSON",
            Self::NotSubmission => "REQUEST_INVALID_EVENT",
            Self::UnknownAgent => "AGENT_NOT_FOUND",
            Self::UnknownSession => "SESSION_NOT_FOUND",
            Self::Busy => "SESSION_BUSY",
            Self::Conflict => "SESSION_CONFLICT",
            Self::Timeout => "SERVER_TIMEOUT",
            Self::Cancelled => "REQUEST_CANCELLED",
            Self::Turn => "CHAT_TURN_FAILED",
            Self::Stopping => "SERVER_STOPPING",
            Self::Internal => "SERVER_INTERNAL",
        }
    }

    /// The text.
    #[must_use]
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::Method => "Only POST is supported.",
            Self::MediaType => "Content-Type must be application/json.",
            Self::TooLarge => "Request body is too large.",
            Self::NotJson => "Request body is not valid JSON.",
            Self::NotSubmission => "Request body must be a valid turn submission.",
            Self::UnknownAgent => "There is no such agent.",
            Self::UnknownSession => "There is no such session.",
            Self::Busy | Self::Conflict => "Another turn is active for this session.",
            Self::Timeout => "The chat request timed out.",
            Self::Cancelled => "The chat request was cancelled.",
            Self::Turn => "The chat turn failed.",
            Self::Stopping => "The server is stopping.",
            Self::Internal => "The chat request failed.",
        }
    }

    /// Whether trying again can help.
    #[must_use]
    pub(crate) fn is_retryable(self) -> bool {
        match self {
            Self::Method
            | Self::MediaType
            | Self::TooLarge
            | Self::NotJson
            | Self::NotSubmission
            | Self::UnknownAgent
            | Self::UnknownSession => false,
            Self::Busy
            | Self::Conflict
            | Self::Timeout
            | Self::Cancelled
            | Self::Turn
            | Self::Stopping
            | Self::Internal => true,
        }
    }

    /// As the protocol writes it.
    ///
    /// # Errors
    /// None for the codes here, which the tests show.
    pub(crate) fn to_diagnostic(self) -> Result<TurnDiagnostic> {
        Ok(TurnDiagnostic {
            code: ErrorCode::new(self.code())?,
            message: self.message().into(),
            retryable: self.is_retryable(),
        })
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "the store failed");
        Self::Internal
    }
}

impl From<turnwire::Error> for Fault {
    fn from(error: turnwire::Error) -> Self {
        tracing::error!(%error, "a turn cannot be told of");
        Self::Internal
    }
}
