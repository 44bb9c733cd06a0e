//! A pending approval or question, and what became of it.

use super::state::ChatFault;
use crate::json::JsonObject;
use crate::loopengine::{
    ApprovalPending, ApprovalScope, Damaged, LoopEvent, QuestionPending, decode,
};
use serde::{Deserialize, Serialize};

/// What a person says to a pending item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Verdict {
    /// The call may run.
    Approve,
    /// The call must not run.
    Deny,
    /// The answer to a question.
    Answer {
        /// Its text.
        text: String,
    },
}

/// A call that waits for approval, or a question that waits for its answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingItem {
    /// Id of the decision; a decision names it, so that a click never lands on another item.
    pub id: String,
    /// What is asked.
    #[serde(flatten)]
    pub kind: ItemKind,
    /// When it was asked, RFC 3339; absent where the server did not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requested_at: Option<String>,
    /// When it expires, RFC 3339; absent where the server sets no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// What became of it.
    pub decision: DecisionState,
    /// Whether it came damaged: it can be denied, never approved or answered.
    pub damaged: bool,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ItemKind {
    /// A call waits for approval.
    Approval {
        /// Name of the tool.
        tool: String,
        /// Its arguments.
        args: JsonObject,
        /// Where the call would act; absent where it came damaged.
        #[serde(skip_serializing_if = "Option::is_none")]
        scope: Option<ApprovalScope>,
        /// The rule that asks.
        reason: String,
    },
    /// A question waits for its answer.
    Question {
        /// The question.
        question: String,
        /// Answers to choose from; any other text is an answer too.
        options: Vec<String>,
        /// The agent that asks.
        agent: String,
    },
}

/// What became of a pending item.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum DecisionState {
    /// Nobody decided yet.
    Idle,
    /// A verdict waits for the network; until it is sent it can be withdrawn.
    Queued {
        /// The verdict.
        verdict: Verdict,
    },
    /// A verdict is on its way.
    Sending {
        /// The verdict.
        verdict: Verdict,
    },
    /// Another window of this browser is sending a verdict. It may fail, so one can still be given
    /// here: the first that reaches the server stands.
    Elsewhere {
        /// The other window's verdict.
        verdict: Verdict,
    },
    /// The verdict did not reach the server, or it is unknown whether it did; it can be sent again.
    Failed {
        /// The verdict that was tried.
        verdict: Verdict,
        /// What went wrong.
        error: ChatFault,
    },
    /// The server has a verdict.
    Settled {
        /// The verdict, where it is known; the stream tells only that one was taken.
        #[serde(skip_serializing_if = "Option::is_none")]
        verdict: Option<Verdict>,
        /// Who gave it, where that is known: nobody saw what was settled before the chat was
        /// opened.
        #[serde(skip_serializing_if = "Option::is_none")]
        by: Option<Decider>,
    },
    /// The server no longer waits for this item.
    Stale {
        /// What the server said.
        reason: String,
        /// Whether it is known that nobody decided in time.
        expired: bool,
    },
}

/// Who gave a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Decider {
    /// This chat.
    Here,
    /// Another window, device or person, while this chat was watching.
    Elsewhere,
}

impl PendingItem {
    /// Whether it still waits for a verdict that the server has.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !matches!(self.decision, DecisionState::Settled { .. } | DecisionState::Stale { .. })
    }

    /// Whether the stream can still tell what became of it: also of one that a list lacked.
    pub(super) fn can_settle(&self) -> bool {
        self.is_open() || matches!(self.decision, DecisionState::Stale { expired: false, .. })
    }

    /// Whether `verdict` is one that this kind of item takes.
    #[must_use]
    pub fn takes(&self, verdict: &Verdict) -> bool {
        let is_answer = matches!(verdict, Verdict::Answer { .. });
        is_answer == matches!(self.kind, ItemKind::Question { .. })
    }

    /// The verdict that comes closest to none.
    pub(crate) fn refusal(&self) -> Verdict {
        match self.kind {
            ItemKind::Approval { .. } => Verdict::Deny,
            ItemKind::Question { .. } => Verdict::Answer { text: String::new() },
        }
    }

    fn sent(&self) -> Option<&Verdict> {
        match &self.decision {
            DecisionState::Sending { verdict } => Some(verdict),
            _ => None,
        }
    }

    fn failed(&self) -> Option<&Verdict> {
        match &self.decision {
            DecisionState::Failed { verdict, .. } => Some(verdict),
            _ => None,
        }
    }

    /// The server has a verdict; which one is kept where it is known. `seen` says whether this chat
    /// was watching when it happened.
    pub(super) fn settle(&mut self, verdict: Option<Verdict>, seen: bool) {
        let verdict = verdict.or_else(|| self.sent().cloned());
        let is_ours = verdict.is_some() && verdict.as_ref() == self.sent().or(self.failed());
        let by = match is_ours {
            true => Some(Decider::Here),
            false => seen.then_some(Decider::Elsewhere),
        };
        self.decision = DecisionState::Settled { verdict, by };
    }

    /// The server no longer waits for it.
    pub(super) fn go_stale(&mut self, reason: &str, expired: bool) {
        self.decision = DecisionState::Stale { reason: reason.to_owned(), expired };
    }

    /// The turn is over, so nobody waits for it any more.
    pub(super) fn close(&mut self, seen: bool) {
        match self.decision {
            DecisionState::Sending { .. } => self.settle(None, seen),
            _ => self.go_stale("the turn is over", false),
        }
    }

    /// The event that raised it, as JSON text.
    pub(crate) fn to_text(&self) -> String {
        let mut event = serde_json::to_value(self).unwrap_or_default();
        if let Some(event) = event.as_object_mut() {
            let kind = event.get("type").and_then(|kind| kind.as_str()).unwrap_or_default();
            event.insert("type".into(), format!("{kind}:pending").into());
            event.remove("decision");
            event.remove("damaged");
        }
        event.to_string()
    }

    /// The item that an event's JSON text raises, if it is such an event and sound.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        match decode(text).ok()? {
            LoopEvent::ApprovalPending(event) => Some(event.into()),
            LoopEvent::QuestionPending(event) => Some(event.into()),
            _ => None,
        }
    }

    /// What is left of an `approval:pending` or `question:pending` that could not be decoded.
    pub(super) fn from_damaged(damaged: &Damaged) -> Option<Self> {
        let text = |name| damaged.field(name).unwrap_or_default().to_owned();
        let kind = match damaged.field("type")? {
            "approval:pending" => ItemKind::Approval {
                tool: text("tool"),
                args: damaged
                    .value
                    .get("args")
                    .and_then(|args| args.as_object())
                    .cloned()
                    .unwrap_or_default(),
                scope: None,
                reason: text("reason"),
            },
            "question:pending" => ItemKind::Question {
                question: text("question"),
                options: Vec::new(),
                agent: text("agent"),
            },
            _ => return None,
        };
        let id = damaged.field("id")?.to_owned();
        let decision = DecisionState::Idle;
        Some(Self { id, kind, requested_at: None, expires_at: None, decision, damaged: true })
    }
}

impl From<ApprovalPending> for PendingItem {
    fn from(event: ApprovalPending) -> Self {
        Self {
            id: event.id,
            kind: ItemKind::Approval {
                tool: event.tool,
                args: event.args,
                scope: Some(event.scope),
                reason: event.reason,
            },
            requested_at: Some(event.requested_at),
            expires_at: event.expires_at,
            decision: DecisionState::Idle,
            damaged: false,
        }
    }
}

impl From<QuestionPending> for PendingItem {
    fn from(event: QuestionPending) -> Self {
        Self {
            id: event.id,
            kind: ItemKind::Question {
                question: event.question,
                options: event.options.unwrap_or_default(),
                agent: event.agent,
            },
            requested_at: Some(event.requested_at),
            expires_at: event.expires_at,
            decision: DecisionState::Idle,
            damaged: false,
        }
    }
}
