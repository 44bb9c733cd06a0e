//! The calls of one reply and what becomes of each.

use serde::{Deserialize, Serialize};
use turnwire::json::JsonObject;
use turnwire::loopengine::Block;

/// A call that the model asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The model's id of it.
    pub id: String,
    /// Name of the tool.
    pub tool: String,
    /// Its arguments.
    pub args: JsonObject,
}

/// How far a call has come.
#[derive(Debug, Clone, PartialEq)]
pub enum CallState {
    /// It has not begun.
    Pending,
    /// A person is asked about it.
    Asked,
    /// It runs.
    Running,
    /// It has its result, or was denied one.
    Ended(Block),
}

/// Who denied a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Denier {
    Human,
    Rules,
    Time,
}

/// What has become of a call so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(super) enum Fate {
    /// Not judged yet.
    Open,
    /// It may run.
    Allowed { reason: String },
    /// It must not run.
    Denied { reason: String, by: Denier },
    /// A person would have been asked, had no call before it been denied.
    Unasked,
    /// It has a result.
    Settled(Settled),
}

/// The result of a call as the conversation keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Settled {
    pub(super) content: String,
    pub(super) is_error: bool,
    pub(super) reason: Option<String>,
}

/// A call and its fate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct BatchCall {
    pub(super) call: Call,
    pub(super) fate: Fate,
}

impl BatchCall {
    pub(super) fn new(call: Call) -> Self {
        Self { call, fate: Fate::Open }
    }

    pub(super) fn is_denied(&self) -> bool {
        matches!(self.fate, Fate::Denied { .. })
    }

    pub(super) fn is_denied_by(&self, denier: Denier) -> bool {
        matches!(&self.fate, Fate::Denied { by, .. } if *by == denier)
    }

    /// Why it was allowed, where it was.
    pub(super) fn allowed_reason(&self) -> Option<&str> {
        match &self.fate {
            Fate::Allowed { reason } => Some(reason),
            Fate::Open | Fate::Denied { .. } | Fate::Unasked | Fate::Settled(_) => None,
        }
    }

    /// The call as the model asked for it.
    pub(super) fn to_use_block(&self) -> Block {
        Block::ToolUse {
            id: self.call.id.clone(),
            name: self.call.tool.clone(),
            input: self.call.args.clone().into(),
        }
    }

    /// What came of the call; `otherwise` where nothing did.
    pub(super) fn to_result_block(&self, otherwise: &str) -> Block {
        self.result_block().unwrap_or_else(|| self.result_of(otherwise.to_owned(), true, None))
    }

    /// What came of the call; none where nothing did yet.
    pub(super) fn result_block(&self) -> Option<Block> {
        match &self.fate {
            Fate::Settled(Settled { content, is_error, reason }) => {
                Some(self.result_of(content.clone(), *is_error, reason.clone()))
            }
            Fate::Denied { reason, .. } => {
                Some(self.result_of(format!("denied: {reason}"), true, Some(reason.clone())))
            }
            Fate::Open | Fate::Allowed { .. } | Fate::Unasked => None,
        }
    }

    fn result_of(&self, content: String, is_error: bool, reason: Option<String>) -> Block {
        Block::ToolResult {
            tool_use_id: self.call.id.clone(),
            content,
            is_error: is_error.then_some(true),
            reason,
        }
    }
}
