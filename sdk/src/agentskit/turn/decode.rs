//! JSON → turn event.

use super::event::{TurnEvent, TurnPayload};
use super::{TURN_PROTOCOL, TURN_PROTOCOL_VERSION};
use crate::agentskit::diagnostic::Diagnostic;
use crate::agentskit::fields::{Fields, Read};
use crate::agentskit::input::Input;
use crate::json::{Members, Node};

/// Decodes a turn event from its JSON text or its value.
///
/// # Protocol
/// Order of checks observed in AgentsKit-io/agentskit-chat@9836963: JSON, version, kind, content.
/// Another version and another kind are told only of what carries the protocol's name.
///
/// # Errors
/// A [`Diagnostic`] with a code that begins with `PROTOCOL_`.
///
/// # Examples
/// ```
/// use turnwire::agentskit::{TurnPayload, decode_turn_event};
/// let event = decode_turn_event(
///     r#"{"protocol":"agentskit.chat.turn","version":1,"eventId":"e1","sessionId":"s1",
///         "turnId":"t1","sequence":0,"emittedAt":"2031-03-04T05:06:07Z",
///         "event":"client.turn.submit","payload":{"input":"hello"}}"#,
/// )?;
/// let TurnPayload::Submit(submission) = event.payload else { unreachable!() };
/// assert_eq!(submission.input, "hello");
/// # Ok::<(), turnwire::agentskit::Diagnostic>(())
/// ```
pub fn decode_turn_event<'a>(input: impl Into<Input<'a>>) -> Result<TurnEvent, Diagnostic> {
    let node = input.into().node().ok_or(Diagnostic::TURN_NOT_JSON)?;
    let refused = |diagnostic: Diagnostic| {
        let event_id = node.as_object().and_then(|fields| fields.field("eventId"));
        diagnostic.with_event_id(event_id)
    };
    if let Some(diagnostic) = node.as_object().and_then(unsupported) {
        return Err(refused(diagnostic));
    }
    TurnEvent::read(&node).ok_or_else(|| refused(Diagnostic::TURN_PAYLOAD))
}

/// What is told of the protocol's events that this version cannot know.
fn unsupported(fields: &Members<'_>) -> Option<Diagnostic> {
    if !fields.is("protocol", TURN_PROTOCOL) {
        return None;
    }
    if fields.number("version")? != f64::from(TURN_PROTOCOL_VERSION) {
        return Some(Diagnostic::TURN_VERSION);
    }
    let event = fields.get("event").and_then(Node::as_string)?;
    let is_known = event.as_text().is_some_and(TurnPayload::is_event);
    (!is_known).then_some(Diagnostic::TURN_KIND)
}
