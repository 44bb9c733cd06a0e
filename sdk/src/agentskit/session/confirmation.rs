//! Actions that wait for somebody's consent.

use crate::agentskit::bounds::free_form;
use crate::agentskit::fields::{Fields, Read};
use crate::agentskit::named::named;
use crate::agentskit::scalar::SafeId;
use crate::json::{JsonText, Node};
use serde::Serialize;

/// The member that an input loses on its way in.
const DROPPED: &str = "__proto__";

/// An action that waits for somebody's consent, or had it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    /// What the verdict has to name.
    pub token: SafeId,
    /// The action.
    pub action: SafeId,
    /// What the action is given: an object of any content.
    pub input: JsonText,
    /// The call that waits.
    pub tool_call_id: SafeId,
    /// From when on no verdict counts, in milliseconds since 1970.
    pub expires_at: u64,
    /// How it stands.
    pub status: ConfirmationStatus,
}

named! {
    /// How a confirmation stands.
    ConfirmationStatus {
        /// Nobody has said anything.
        Pending = "pending",
        /// Consent is being written down.
        Approving = "approving",
        /// Refusal is being written down.
        Rejecting = "rejecting",
        /// Its end is being written down.
        Expiring = "expiring",
        /// Somebody agreed.
        Approved = "approved",
        /// Somebody refused.
        Rejected = "rejected",
        /// Nobody said anything in time.
        Expired = "expired",
    }
}

impl Read for Confirmation {
    fn read(node: &Node<'_>) -> Option<Self> {
        let fields = node.as_object()?;
        Some(Self {
            token: fields.field("token")?,
            action: fields.field("action")?,
            input: input(fields.get("input")?)?,
            tool_call_id: fields.field("toolCallId")?,
            expires_at: fields.field("expiresAt")?,
            status: fields.field("status")?,
        })
    }
}

/// An object; it is rebuilt member by member, which loses `__proto__` at its top level.
fn input(node: &Node<'_>) -> Option<JsonText> {
    let members = node.as_object()?;
    if members.get(DROPPED).is_none() {
        return free_form(node);
    }
    free_form(&Node::Object(members.clone().without(DROPPED)))
}
