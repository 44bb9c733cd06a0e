//! JSON text → event.

use super::event::LoopEvent;
use super::fields::{FromJson, Misfit};
use crate::json::{self, type_name};
use crate::{Error, ErrorKind, Result};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// What a stream or an `events` array held at one place: an event, or the remains of one.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "nearly all are events, so a box would only cost")]
pub enum Received {
    /// A sound event.
    Event(LoopEvent),
    /// Something that cannot be taken for an event.
    Damaged(Damaged),
}

/// The remains of an event: why it is none, and what was sent.
#[derive(Debug, Clone)]
pub struct Damaged {
    /// Why it could not be decoded.
    pub error: Error,
    /// What was sent; a string where it was not even JSON.
    pub value: Value,
}

impl Damaged {
    /// A string field of the remains, such as `type` or `id`, where it can still be read.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        self.value.get(name).and_then(Value::as_str)
    }
}

impl Received {
    /// The event, where it is sound.
    #[must_use]
    pub fn as_event(&self) -> Option<&LoopEvent> {
        match self {
            Self::Event(event) => Some(event),
            Self::Damaged(_) => None,
        }
    }

    /// Decodes a frame's text; `name` is the frame's own name, used where the object has no `type`.
    #[must_use]
    pub fn from_text(text: &str, name: Option<&str>) -> Self {
        match json::parse(text).and_then(|value| event_of(value, name)) {
            Ok(event) => Self::Event(event),
            // Parsed again, so that sound events need no copy to fall back to.
            Err(error) => {
                let value = json::parse(text).unwrap_or_else(|_| Value::String(text.into()));
                Self::Damaged(Damaged { error, value })
            }
        }
    }
}

impl FromJson for Received {
    const EXPECTED: &'static str = "an event";

    /// Never fails: a value that is no event is kept as damaged.
    fn from_json(value: Value) -> std::result::Result<Self, Misfit> {
        Ok(match event_of(value.clone(), None) {
            Ok(event) => Self::Event(event),
            Err(error) => Self::Damaged(Damaged { error, value }),
        })
    }
}

impl Serialize for Received {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Event(event) => event.serialize(serializer),
            Self::Damaged(damaged) => damaged.value.serialize(serializer),
        }
    }
}

/// Decodes one event from its JSON text.
///
/// # Protocol
/// loopengine Protocol v1. An unknown `type` is an event; a known one whose required field is
/// missing or wrong is not.
///
/// # Errors
/// `invalid-json`, `nesting-too-deep`, `invalid-event`.
///
/// # Examples
/// ```
/// use turnwire::loopengine::{LoopEvent, decode};
/// let event = decode(r#"{"type":"assistant:text","text":"One moment.","lang":"en"}"#).unwrap();
/// let LoopEvent::AssistantText(event) = event else { unreachable!() };
/// assert_eq!(event.text, "One moment.");
/// assert_eq!(event.extra["lang"], "en");
/// ```
pub fn decode(text: &str) -> Result<LoopEvent> {
    event_of(json::parse(text)?, None)
}

fn event_of(value: Value, name: Option<&str>) -> Result<LoopEvent> {
    let Value::Object(mut object) = value else {
        return Err(invalid(format!("expected an event object, found {}", type_name(&value))));
    };
    if let (false, Some(name)) = (object.contains_key("type"), name) {
        object.shift_insert(0, "type".into(), name.into());
    }
    let event_type = match object.get("type") {
        Some(Value::String(event_type)) => event_type.clone(),
        Some(other) => {
            return Err(invalid(format!("`type`: expected a string, found {}", type_name(other))));
        }
        None => {
            return Err(invalid("expected an event object, found one without `type`".into()));
        }
    };
    LoopEvent::read(&event_type, object).map_err(|fault| invalid(format!("{event_type}: {fault}")))
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidEvent, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_types_pass_through_whole() {
        let text = r#"{"n":1,"type":"contextclip:check","deep":{"a":[null,1.50]}}"#;
        let event = decode(text).unwrap();
        assert_eq!(event.event_type(), "contextclip:check");
        assert_eq!(serde_json::to_string(&event).unwrap(), text.replace("1.50", "1.5"));
    }

    #[test]
    fn values_added_to_an_enumeration_survive() {
        let text = r#"{"type":"done","text":"","stopReason":"pending_approval"}"#;
        assert_eq!(serde_json::to_string(&decode(text).unwrap()).unwrap(), text);
    }

    #[test]
    fn what_is_no_event_is_refused_with_a_reason() {
        for (text, reason) in [
            ("42", "expected an event object, found a number"),
            ("{}", "expected an event object, found one without `type`"),
            (r#"{"type":7}"#, "`type`: expected a string, found a number"),
            (r#"{"type":"done"}"#, "done: `text` is missing"),
            (
                r#"{"type":"tool:started","id":"c","tool":"t","args":[],"detailText":""}"#,
                "tool:started: `args`: expected an object, found an array",
            ),
        ] {
            let error = decode(text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidEvent);
            assert_eq!(error.to_string(), reason);
        }
    }

    #[test]
    fn a_lone_surrogate_does_not_fail_the_event() {
        let event = decode(r#"{"type":"assistant:text","text":"a\ud83d"}"#).unwrap();
        assert!(matches!(event, LoopEvent::AssistantText(e) if e.text == "a\u{fffd}"));
    }

    #[test]
    fn a_frame_name_stands_in_for_a_missing_type() {
        let received = Received::from_text(r#"{"text":"x"}"#, Some("done"));
        assert_eq!(received.as_event().unwrap().event_type(), "done");
    }

    #[test]
    fn remains_tell_what_they_were() {
        let text = r#"{"type":"tool:result","id":"c1","tool":"t"}"#;
        let Received::Damaged(damaged) = Received::from_text(text, None) else { panic!() };
        assert_eq!(damaged.field("id"), Some("c1"));
        assert_eq!(damaged.error.to_string(), "tool:result: `statusText` is missing");
    }
}
