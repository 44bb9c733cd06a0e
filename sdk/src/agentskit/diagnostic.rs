//! Why something was not taken in: a fixed code and a fixed text.

use super::named::named;
use super::scalar::SafeId;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::fmt;

named! {
    /// The code of a diagnostic that a decoder of this protocol gives.
    DiagnosticCode {
        /// A turn event that is not JSON, or whose content is not what the protocol says.
        ProtocolInvalidPayload = "PROTOCOL_INVALID_PAYLOAD",
        /// A turn event of another version.
        ProtocolUnsupportedVersion = "PROTOCOL_UNSUPPORTED_VERSION",
        /// A turn event of no known kind.
        ProtocolUnknownEvent = "PROTOCOL_UNKNOWN_EVENT",
        /// Assistant content that is no envelope, or has a record that is none.
        AssistantContentInvalidRecord = "ASSISTANT_CONTENT_INVALID_RECORD",
        /// Assistant content of another version.
        AssistantContentUnsupportedVersion = "ASSISTANT_CONTENT_UNSUPPORTED_VERSION",
        /// Assistant content beyond its size or its number of records.
        AssistantContentLimitExceeded = "ASSISTANT_CONTENT_LIMIT_EXCEEDED",
        /// A component frame that is not JSON, or whose content is not what the protocol says.
        ComponentInvalidFrame = "COMPONENT_INVALID_FRAME",
        /// A component frame of another version.
        ComponentUnsupportedVersion = "COMPONENT_UNSUPPORTED_VERSION",
        /// A component frame that renders nothing.
        ComponentUnknownType = "COMPONENT_UNKNOWN_TYPE",
        /// A component that the application has not registered.
        ComponentUnknown = "COMPONENT_UNKNOWN",
        /// Props that the application's component does not take.
        ComponentInvalidProps = "COMPONENT_INVALID_PROPS",
        /// A session snapshot that is not JSON, or whose content is not what the protocol says.
        SessionInvalidSnapshot = "SESSION_INVALID_SNAPSHOT",
        /// A session snapshot of another version.
        SessionUnsupportedVersion = "SESSION_UNSUPPORTED_VERSION",
    }
}

/// Why something was not taken in.
///
/// It is inert and safe to show: nothing of what was refused is in it but an identifier that
/// follows the grammar of [`SafeId`].
///
/// # Protocol
/// Codes and texts observed in AgentsKit-io/agentskit-chat@9836963.
///
/// # Examples
/// ```
/// use turnwire::agentskit::{DiagnosticCode, decode_turn_event};
/// let diagnostic = decode_turn_event("{").unwrap_err();
/// assert_eq!(diagnostic.code(), DiagnosticCode::ProtocolInvalidPayload);
/// assert_eq!(diagnostic.message(), "Turn event is not valid JSON.");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    code: DiagnosticCode,
    message: &'static str,
    event_id: Option<SafeId>,
}

/// Defines the diagnostics that there are.
macro_rules! diagnostics {
    ($($name:ident = $code:ident, $message:literal;)+) => {
        $(pub(super) const $name: Self = Self::new(DiagnosticCode::$code, $message);)+
    };
}

impl Diagnostic {
    /// The application has no component of the frame's key.
    pub const UNKNOWN_COMPONENT: Self =
        Self::new(DiagnosticCode::ComponentUnknown, "Component is not registered.");
    /// The application's component does not take the frame's props.
    pub const INVALID_PROPS: Self =
        Self::new(DiagnosticCode::ComponentInvalidProps, "Component props are invalid.");

    diagnostics! {
        TURN_NOT_JSON = ProtocolInvalidPayload, "Turn event is not valid JSON.";
        TURN_VERSION = ProtocolUnsupportedVersion,
            "Turn event uses an unsupported protocol version.";
        TURN_KIND = ProtocolUnknownEvent, "Turn event kind is unknown.";
        TURN_PAYLOAD = ProtocolInvalidPayload, "Turn event payload is invalid.";
        CONTENT_ENVELOPE = AssistantContentInvalidRecord, "Assistant content envelope is invalid.";
        CONTENT_VERSION = AssistantContentUnsupportedVersion,
            "Assistant content envelope uses an unsupported version.";
        CONTENT_SIZE = AssistantContentLimitExceeded,
            "Assistant content envelope exceeds its safety limit.";
        CONTENT_RECORDS = AssistantContentLimitExceeded,
            "Assistant content envelope exceeds its record limit.";
        CONTENT_RECORD = AssistantContentInvalidRecord, "Assistant content record is invalid.";
        FRAME_NOT_JSON = ComponentInvalidFrame, "Component frame is not valid JSON.";
        FRAME_VERSION = ComponentUnsupportedVersion,
            "Component frame uses an unsupported version.";
        FRAME_TYPE = ComponentUnknownType, "Component frame type is unknown.";
        FRAME_PAYLOAD = ComponentInvalidFrame, "Component frame payload is invalid.";
        SESSION_NOT_JSON = SessionInvalidSnapshot, "Session snapshot is not valid JSON.";
        SESSION_VERSION = SessionUnsupportedVersion,
            "Session snapshot uses an unsupported version.";
        SESSION_PAYLOAD = SessionInvalidSnapshot, "Session snapshot payload is invalid.";
    }

    const fn new(code: DiagnosticCode, message: &'static str) -> Self {
        Self { code, message, event_id: None }
    }

    pub(super) fn with_event_id(self, event_id: Option<SafeId>) -> Self {
        Self { event_id, ..self }
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> DiagnosticCode {
        self.code
    }

    /// The text for people.
    #[must_use]
    pub fn message(&self) -> &'static str {
        self.message
    }

    /// The identifier of the event that was refused, where it had a sound one.
    #[must_use]
    pub fn event_id(&self) -> Option<&SafeId> {
        self.event_id.as_ref()
    }

    /// Never: the same input gives the same diagnostic again.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        false
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code.as_str())
    }
}

impl std::error::Error for Diagnostic {}

impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = if self.event_id.is_some() { 4 } else { 3 };
        let mut object = serializer.serialize_struct("Diagnostic", fields)?;
        object.serialize_field("code", &self.code)?;
        object.serialize_field("message", self.message)?;
        object.serialize_field("retryable", &self.is_retryable())?;
        if let Some(event_id) = &self.event_id {
            object.serialize_field("eventId", event_id)?;
        }
        object.end()
    }
}
