//! Event → text, one function a transport.

use super::event::LoopEvent;

/// One event as a server-sent-events frame.
///
/// # Protocol
/// loopengine Protocol v1, "SSE stream": `event: <type>`, `data: <json>`, blank line. JSON escapes
/// line ends, so the data is always one line.
///
/// # Examples
/// ```
/// use turnwire::loopengine::{decode, to_sse};
/// let event = decode(r#"{"type":"done","text":"Hi"}"#).unwrap();
/// assert_eq!(to_sse(&event), "event: done\ndata: {\"type\":\"done\",\"text\":\"Hi\"}\n\n");
/// ```
#[must_use]
pub fn to_sse(event: &LoopEvent) -> String {
    // A line end in an unknown type's name would break the frame; the data still holds it whole.
    let name: String = event.event_type().chars().filter(|c| !matches!(c, '\r' | '\n')).collect();
    format!("event: {name}\ndata: {}\n\n", to_json(event))
}

/// One event as a line of newline-delimited JSON, with its LF.
///
/// # Protocol
/// loopengine Protocol v1, "CLI": one object a line.
#[must_use]
pub fn to_ndjson(event: &LoopEvent) -> String {
    to_json(event) + "\n"
}

#[expect(clippy::expect_used, reason = "nothing that an event can hold fails to serialize")]
fn to_json(event: &LoopEvent) -> String {
    serde_json::to_string(event).expect("events hold only strings, numbers and JSON values")
}
