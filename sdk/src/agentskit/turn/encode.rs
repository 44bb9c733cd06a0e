//! Turn event → JSON.

use super::event::{TurnDiagnostic, TurnEvent, TurnPayload};
use super::message::Message;
use super::snapshot::{Lineage, Snapshot, TokenUsage, TurnStatus};
use crate::Result;
use crate::agentskit::encode::{checked, written};
use crate::agentskit::fields::Read;
use crate::agentskit::scalar::{SafeId, Timestamp};
use crate::json::Node;
use serde::Serialize;

const EVENT: &str = "a turn event of the protocol's first version";
const OPTIONS: &str = "what a snapshot event of the protocol's first version is made of";

/// What a snapshot event is made of.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotOptions {
    /// The event's own identifier.
    pub event_id: SafeId,
    /// The session that the turn belongs to.
    pub session_id: SafeId,
    /// The turn.
    pub turn_id: SafeId,
    /// Its place in the session's line of events.
    pub sequence: u64,
    /// When it is sent.
    pub emitted_at: Timestamp,
    /// All messages, oldest first.
    pub messages: Vec<Message>,
    /// How the turn stands.
    pub status: TurnStatus,
    /// What the turn cost.
    pub usage: TokenUsage,
    /// Where the turn came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lineage: Option<Lineage>,
    /// What went wrong, if anything did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<TurnDiagnostic>,
}

/// Encodes a turn event, or whatever serialises to one, as its canonical JSON text.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963: what is sent is held to what is taken in, and
/// unknown fields are left out.
///
/// # Errors
/// `invalid-argument` if it is no turn event; a text is none.
///
/// # Examples
/// ```
/// use turnwire::agentskit::{decode_turn_event, encode_turn_event};
/// let text = concat!(
///     r#"{"protocol":"agentskit.chat.turn","version":1,"eventId":"e1","sessionId":"s1","#,
///     r#""turnId":"t1","sequence":0,"emittedAt":"2031-03-04T05:06Z","#,
///     r#""event":"client.turn.submit","payload":{"input":"hello"}}"#,
/// );
/// assert_eq!(encode_turn_event(&decode_turn_event(text).unwrap())?, text);
/// # Ok::<(), turnwire::Error>(())
/// ```
pub fn encode_turn_event(event: &(impl Serialize + ?Sized)) -> Result<String> {
    written(&checked::<TurnEvent>(event, EVENT)?, EVENT)
}

/// Makes a snapshot event from [`SnapshotOptions`], or from whatever serialises to them.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963: the messages are what their JSON says, so a
/// number that is not finite is a null.
///
/// # Errors
/// `invalid-argument` if they make no snapshot event.
pub fn create_snapshot_event(options: &(impl Serialize + ?Sized)) -> Result<TurnEvent> {
    checked::<Created>(options, OPTIONS).map(|Created(event)| event)
}

struct Created(TurnEvent);

impl Read for Created {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        let payload = TurnPayload::Snapshot(Snapshot::of(fields)?);
        TurnEvent::of(fields, payload).map(Self)
    }
}
