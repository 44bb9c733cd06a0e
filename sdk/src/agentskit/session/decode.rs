//! JSON → session snapshot, of this version or the one before.

use super::snapshot::SessionSnapshot;
use super::{SESSION_PROTOCOL, SESSION_PROTOCOL_VERSION};
use crate::agentskit::diagnostic::Diagnostic;
use crate::agentskit::fields::Fields;
use crate::agentskit::input::Input;
use crate::json::Members;

/// The version that is migrated.
const PREVIOUS_VERSION: f64 = 0.0;
const VERSION: f64 = SESSION_PROTOCOL_VERSION as f64;

/// Decodes a session snapshot from its JSON text or its value. One of version 0 becomes one of
/// version 1.
///
/// # Protocol
/// Order of checks observed in AgentsKit-io/agentskit-chat@9836963: JSON, version, content. Another
/// version is told whichever protocol is named, and version 0 need not name any.
///
/// # Errors
/// A [`Diagnostic`] with a code that begins with `SESSION_`.
///
/// # Examples
/// ```
/// use turnwire::agentskit::decode_session_snapshot;
/// let snapshot = decode_session_snapshot(
///     r#"{"version":0,"sessionId":"s1","definitionId":"d","definitionRevision":1,
///         "updatedAt":"2031-03-04T05:06:07Z","cursor":3,"confirmations":[]}"#,
/// )?;
/// assert!(serde_json::to_string(&snapshot).unwrap()
///     .starts_with(r#"{"protocol":"agentskit.chat.session","version":1,"#));
/// # Ok::<(), turnwire::agentskit::Diagnostic>(())
/// ```
pub fn decode_session_snapshot<'a>(
    input: impl Into<Input<'a>>,
) -> Result<SessionSnapshot, Diagnostic> {
    let node = input.into().node().ok_or(Diagnostic::SESSION_NOT_JSON)?;
    let fields = node.as_object();
    let version = fields.and_then(|fields| fields.number("version"));
    if version.is_some_and(|version| version != PREVIOUS_VERSION && version != VERSION) {
        return Err(Diagnostic::SESSION_VERSION);
    }
    fields.and_then(snapshot).ok_or(Diagnostic::SESSION_PAYLOAD)
}

fn snapshot(fields: &Members<'_>) -> Option<SessionSnapshot> {
    let is_previous = fields.number("version")? == PREVIOUS_VERSION;
    (is_previous || fields.is("protocol", SESSION_PROTOCOL)).then(|| SessionSnapshot::of(fields))?
}
