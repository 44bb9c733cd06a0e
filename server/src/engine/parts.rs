//! The parts that a turn is run with, as traits.

use super::batch::Call;
use super::session::{Scope, SessionKey};
use serde_json::Value;
use std::fmt::Debug;
use std::time::Duration;
use turnwire::loopengine::HistoryMessage;

pub use futures_util::future::BoxFuture;

/// What the model is given.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// The conversation, oldest message first, shortened where it was too long.
    pub messages: Vec<HistoryMessage>,
    /// How many tokens the agent may use.
    pub budget_tokens: u64,
}

/// What the model says: an answer, or calls with a text beside them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    /// The answer, or what it says beside its calls.
    pub text: String,
    /// The calls it asks for; none means that `text` is the answer.
    pub calls: Vec<Call>,
    /// Tokens of prompt and reply, where the model counts them itself.
    pub used_tokens: Option<u64>,
    /// The answer with its components, as AgentsKit's envelope of ordered content; `text` says the
    /// same in words.
    pub ordered: Option<String>,
}

/// Why the model gave no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The prompt does not fit; a shorter one may.
    #[error("the prompt is too long for the model")]
    PromptTooLong,
    /// Anything else; the turn ends with this text.
    #[error("{0}")]
    Failed(String),
}

/// A language model, or something that speaks like one.
pub trait Model: Debug + Send + Sync {
    /// Replies to a prompt.
    fn reply<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, ModelError>>;
}

/// Why a call gave no result, for the model and the user to read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub String);

/// The tools of an agent.
pub trait Tools: Debug + Send + Sync {
    /// Runs a call that the gate has allowed.
    fn run<'a>(
        &'a self,
        session: &'a SessionKey,
        call: &'a Call,
    ) -> BoxFuture<'a, Result<Value, ToolError>>;
}

/// A gate's verdict on one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It may run.
    Allow,
    /// A person decides.
    Ask,
    /// It must not run.
    Deny,
}

/// A verdict with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// The verdict.
    pub verdict: Verdict,
    /// Why, such as `matched rule 'NAME'`.
    pub reason: String,
}

/// The rules that every call has to pass.
pub trait Gate: Debug + Send + Sync {
    /// Judges one call.
    fn judge(&self, scope: &Scope, call: &Call) -> Ruling;
}

/// The only sources of chance and time.
pub trait Stamps: Debug + Send + Sync {
    /// An id that nobody can guess: whoever knows a pending item's id may decide it.
    fn id(&self) -> String;
    /// The time, RFC 3339.
    fn now(&self) -> String;
    /// The time after `wait`, RFC 3339.
    fn after(&self, wait: Duration) -> String;
}
