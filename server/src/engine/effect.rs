//! What a turn asks for and what it is told.

use super::batch::Call;
use super::parts::{ModelError, Prompt, Reply, Ruling, ToolError};
use serde_json::Value;
use turnwire::loopengine::{HistoryMessage, LoopEvent};

/// What a turn needs next.
#[derive(Debug)]
pub enum Effect<'a> {
    /// Its place in the session and the session's messages so far.
    LoadSession,
    /// A reply of the model.
    CallModel(Prompt),
    /// The gate's ruling on a call.
    Judge(&'a Call),
    /// The text of a skill.
    LoadSkill(&'a str),
    /// A person's verdict on the pending approval of this id.
    AwaitApproval(&'a str),
    /// A person's answer to the pending question of this id.
    AwaitAnswer(&'a str),
    /// That the call is about to run is stored first, so that it never runs twice.
    StartTool(&'a Call),
    /// The result of a call.
    RunTool(&'a Call),
    /// Nothing: the turn is over.
    Nothing,
}

/// What came of an effect.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// The session's messages, and how many of them the prompt leaves out.
    SessionLoaded {
        /// Messages of earlier turns, oldest first.
        history: Vec<HistoryMessage>,
        /// How many of them an earlier compaction left out.
        left_out: usize,
    },
    /// The model replied, or did not.
    Replied(Result<Reply, ModelError>),
    /// The gate ruled.
    Judged(Ruling),
    /// The skill's text; none where the agent has no such skill.
    SkillLoaded(Option<String>),
    /// A person decided the approval.
    Decided {
        /// Whether the call may run.
        approved: bool,
    },
    /// A person answered the question.
    Answered(String),
    /// Nobody decided in time.
    Expired,
    /// The call is about to run.
    ToolStarted,
    /// The call ended.
    ToolEnded(Result<Value, ToolError>),
    /// The server stopped while the call ran, so nobody knows what came of it.
    Interrupted,
    /// The turn cannot go on; it ends with this text, whatever it was doing.
    Failed(String),
}

/// What one step added, to be stored before anybody is told.
#[derive(Debug, Default)]
pub struct Progress {
    /// New events, in order.
    pub events: Vec<LoopEvent>,
    /// New messages of the conversation, in order.
    pub messages: Vec<HistoryMessage>,
}

/// An outcome that is not the one of the turn's effect; the turn is unchanged.
#[derive(Debug, thiserror::Error)]
#[error("the turn expects another outcome")]
pub struct WrongOutcome;
