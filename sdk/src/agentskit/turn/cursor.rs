//! The newest snapshot of one session.

use super::decode::decode_turn_event;
use super::event::TurnEvent;
use crate::Result;
use crate::agentskit::encode::{invalid, written};
use crate::agentskit::input::Input;
use crate::agentskit::scalar::SafeId;
use crate::json::{JsonText, Node, read};
use serde::Serialize;
use std::sync::Arc;

const SAVED: &str = "a saved snapshot cursor";

/// Holds the newest snapshot of one session: what is stale, repeated or of another session changes
/// nothing, so a stream can be joined again anywhere.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963. Numbers count through the session, not through
/// the turn: the first may be any, gaps are fine, and no number is taken twice.
///
/// # Examples
/// ```
/// use turnwire::agentskit::{SnapshotCursor, create_snapshot_event};
/// let event = |sequence: u64| create_snapshot_event(&serde_json::json!({
///     "eventId": "e", "sessionId": "s1", "turnId": "t", "sequence": sequence,
///     "emittedAt": "2031-03-04T05:06Z", "messages": [], "status": "idle",
///     "usage": { "promptTokens": 0, "completionTokens": 0, "totalTokens": 0 },
/// }));
/// let mut cursor = SnapshotCursor::new("s1")?;
/// assert!(cursor.apply_event(event(7)?));
/// assert!(!cursor.apply_event(event(7)?));
/// assert_eq!(SnapshotCursor::restore(&cursor.save()?)?, cursor);
/// # Ok::<(), turnwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SnapshotCursor {
    session_id: SafeId,
    held: Option<Arc<TurnEvent>>,
}

/// A cursor as it is saved.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Saved<'a> {
    session_id: &'a SafeId,
    snapshot: Option<&'a TurnEvent>,
}

impl SnapshotCursor {
    /// A cursor that holds nothing yet.
    ///
    /// # Errors
    /// `invalid-argument` if the session's identifier is no [`SafeId`].
    pub fn new(session_id: impl Into<String>) -> Result<Self> {
        Ok(Self { session_id: SafeId::new(session_id)?, held: None })
    }

    /// Decodes an event and holds it if it is a newer snapshot of this session; says whether it is.
    pub fn apply<'a>(&mut self, input: impl Into<Input<'a>>) -> bool {
        decode_turn_event(input).is_ok_and(|event| self.apply_event(event))
    }

    /// Holds an event if it is a newer snapshot of this session; says whether it is.
    pub fn apply_event(&mut self, event: TurnEvent) -> bool {
        let is_newer = self.held.as_ref().is_none_or(|held| event.sequence > held.sequence);
        let is_taken =
            is_newer && event.snapshot().is_some() && event.session_id == self.session_id;
        if is_taken {
            self.held = Some(Arc::new(event));
        }
        is_taken
    }

    /// Holds nothing again, so that the next snapshot is taken whatever its number.
    pub(crate) fn let_go(&mut self) {
        self.held = None;
    }

    /// The session.
    #[must_use]
    pub fn session_id(&self) -> &SafeId {
        &self.session_id
    }

    /// The newest snapshot event; keeping it costs no copy.
    #[must_use]
    pub fn snapshot(&self) -> Option<&Arc<TurnEvent>> {
        self.held.as_ref()
    }

    /// The cursor as a JSON text, for storage.
    ///
    /// # Protocol
    /// Our choice: `{"sessionId":…,"snapshot":…}`, where the snapshot is the event or null.
    ///
    /// # Errors
    /// `invalid-argument` if an event was applied that is not what the protocol says.
    pub fn save(&self) -> Result<String> {
        let snapshot = self.held.as_deref();
        written(&Saved { session_id: &self.session_id, snapshot }, SAVED)
    }

    /// The cursor that was saved.
    ///
    /// # Errors
    /// `invalid-argument` if the text is nothing that [`save`](Self::save) gives: then start anew.
    pub fn restore(text: &str) -> Result<Self> {
        Self::read_saved(text).ok_or_else(|| invalid(SAVED))
    }

    fn read_saved(text: &str) -> Option<Self> {
        let node = read(text)?;
        let fields = node.as_object()?;
        let mut cursor = Self::new(fields.get("sessionId")?.as_text()?).ok()?;
        match fields.get("snapshot")? {
            Node::Null => Some(cursor),
            event => cursor.apply(JsonText::of_node(event).as_str()).then_some(cursor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn restores_only_what_it_saved() {
        let cursor = SnapshotCursor::new("s1").unwrap();
        assert_eq!(SnapshotCursor::restore(&cursor.save().unwrap()).unwrap(), cursor);
        for text in
            ["", "{}", "null", r#"{"sessionId":"s1"}"#, r#"{"sessionId":"s1","snapshot":{}}"#]
        {
            let error = SnapshotCursor::restore(text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{text}");
        }
    }
}
