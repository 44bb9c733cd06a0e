//! What may be decided, and what becomes of a verdict.

use super::conversation::Conversation;
use super::item::{Decider, DecisionState, PendingItem, Verdict};
use crate::{Error, ErrorKind, Result};
use std::sync::Arc;

/// What a verdict leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begun {
    /// It has to be sent.
    Send,
    /// The same verdict is on its way already.
    InFlight,
    /// The server has this very verdict.
    Settled,
    /// It waits for the network.
    Queued,
}

impl Conversation {
    /// Binds a verdict to the item of this id; it waits while there is no network.
    ///
    /// # Errors
    /// `not-pending` for an unknown id; `invalid-argument` for an answer to an approval and the
    /// like; `already-deciding` while another verdict is on its way; `decision-stale` if another
    /// verdict stands or the server no longer waits; `item-damaged` for anything but a denial of a
    /// damaged item.
    pub(crate) fn begin_decision(&mut self, id: &str, verdict: &Verdict) -> Result<Begun> {
        let online = self.is_online();
        let item = self.item(id).ok_or_else(|| not_pending(id))?;
        if !item.takes(verdict) {
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                "an approval takes approve or deny, a question takes an answer",
            ));
        }
        if item.damaged && *verdict != Verdict::Deny {
            return Err(Error::new(ErrorKind::ItemDamaged, "the item came incomplete"));
        }
        let begun = match begin(item, verdict)? {
            Begun::Send if !online => Begun::Queued,
            begun => begun,
        };
        let verdict = verdict.clone();
        match begun {
            Begun::Send => item.decision = DecisionState::Sending { verdict },
            Begun::Queued => item.decision = DecisionState::Queued { verdict },
            Begun::InFlight | Begun::Settled => {}
        }
        Ok(begun)
    }

    /// The server took the verdict.
    pub(crate) fn confirm_decision(&mut self, id: &str, verdict: Verdict) {
        if let Some(item) = self.item(id) {
            let by = Some(Decider::Here);
            item.decision = DecisionState::Settled { verdict: Some(verdict), by };
        }
    }

    /// Another window of this browser is sending a verdict, or has given up on it where there is
    /// none.
    pub(crate) fn decide_elsewhere(&mut self, id: &str, verdict: Option<Verdict>) {
        let Some(item) = self.item(id) else { return };
        match (&item.decision, verdict) {
            (DecisionState::Idle | DecisionState::Failed { .. }, Some(verdict)) => {
                item.decision = DecisionState::Elsewhere { verdict };
            }
            (DecisionState::Elsewhere { .. }, None) => item.decision = DecisionState::Idle,
            _ => {}
        }
    }

    /// The verdict did not get through, or the server no longer waits for it. What the stream has
    /// settled in the meantime stays settled, but for whose verdict it was.
    pub(crate) fn fail_decision(&mut self, id: &str, verdict: Verdict, error: &Error) {
        let Some(item) = self.item(id) else { return };
        if let Some(standing) = standing(error) {
            let by = Some(Decider::Elsewhere);
            item.decision = DecisionState::Settled { verdict: Some(standing), by };
        } else if is_final(error) && item.is_open() {
            let reason = error.server_message().unwrap_or("the server no longer waits for it");
            item.go_stale(reason, has_expired(error));
        } else if item.is_open() {
            item.decision = DecisionState::Failed { verdict, error: error.into() };
        }
    }

    /// The item of this id, newest turn first.
    pub(super) fn item(&mut self, id: &str) -> Option<&mut PendingItem> {
        let holds = |message: &Arc<super::Message>| message.items().any(|item| item.id == id);
        let index = self.messages.iter().rposition(holds)?;
        let message = Arc::make_mut(self.messages.get_mut(index)?);
        message.items_mut().find(|item| item.id == id)
    }
}

fn begin(item: &PendingItem, verdict: &Verdict) -> Result<Begun> {
    match &item.decision {
        DecisionState::Idle
        | DecisionState::Elsewhere { .. }
        | DecisionState::Queued { .. }
        | DecisionState::Failed { .. } => Ok(Begun::Send),
        DecisionState::Sending { verdict: sent } if sent == verdict => Ok(Begun::InFlight),
        DecisionState::Sending { .. } => {
            Err(Error::new(ErrorKind::AlreadyDeciding, "another verdict is on its way"))
        }
        DecisionState::Settled { verdict: Some(settled), .. } if settled == verdict => {
            Ok(Begun::Settled)
        }
        DecisionState::Settled { .. } => {
            Err(Error::new(ErrorKind::DecisionStale, "the item has been decided"))
        }
        DecisionState::Stale { .. } => {
            Err(Error::new(ErrorKind::DecisionStale, "the server no longer waits for this item"))
        }
    }
}

/// Whether the server will never take a verdict for this id again.
///
/// # Protocol
/// Observed in loopengine 8f93a10: 404 for decided, expired and unknown ids alike. 409 and 410 are
/// what servers say that tell these apart.
pub(crate) fn is_final(error: &Error) -> bool {
    matches!(error.status(), Some(404 | 409 | 410))
}

/// The verdict that stands, where the server says that it took another one before.
///
/// # Protocol
/// Turnwire's server says so with 409; the original's 404 does not tell.
fn standing(error: &Error) -> Option<Verdict> {
    let details = error.http().filter(|details| details.status == 409)?;
    match details.verdict.as_deref()? {
        "approve" => Some(Verdict::Approve),
        "deny" => Some(Verdict::Deny),
        "answer" => details.answer.clone().map(|text| Verdict::Answer { text }),
        _ => None,
    }
}

/// # Protocol
/// Turnwire's server says so with 410 and the code `expired`.
fn has_expired(error: &Error) -> bool {
    let code = error.http().and_then(|details| details.code.as_deref());
    error.status() == Some(410) && code == Some("expired")
}

fn not_pending(id: &str) -> Error {
    let shown: String = id.chars().take(20).collect();
    Error::new(ErrorKind::NotPending, format!("no item {shown:?} is pending in this chat"))
}
