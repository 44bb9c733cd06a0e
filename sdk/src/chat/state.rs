//! What a user interface draws: one immutable value.

use super::diagnostic::Diagnostic;
use super::item::PendingItem;
use super::message::Message;
use crate::Error;
use serde::Serialize;
use std::sync::Arc;

/// Everything about a chat at one moment.
///
/// Messages that did not change are the same `Arc` in the next state.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChatState {
    /// Id of the session, once the server gave one.
    pub session_id: Option<String>,
    /// What the chat is doing.
    pub phase: Phase,
    /// The conversation, oldest first.
    pub messages: Vec<Arc<Message>>,
    /// The items that wait for a verdict, oldest first; at most one in protocol v1.
    pub pending: Vec<Arc<PendingItem>>,
    /// Whether there is a network, as far as the platform knows. Without one, messages and verdicts
    /// wait.
    pub online: bool,
    /// How the running turn's stream is.
    pub connection: Connection,
    /// What is wrong between the server and this client, each once, until the next send or open.
    pub diagnostics: Vec<Diagnostic>,
    /// What went wrong last, until the next send or reload.
    pub last_error: Option<ChatFault>,
}

/// What a chat is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Phase {
    /// Ready for a message.
    Idle,
    /// A stored session is being fetched.
    Loading,
    /// A message is on its way; no event came yet.
    Sending,
    /// The turn is running.
    Running,
    /// The turn waits for a verdict.
    Waiting,
}

/// How a stream is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum Connection {
    /// Open, or not needed.
    #[default]
    Steady,
    /// It broke off and is being joined again; the turn goes on at the server.
    Reconnecting {
        /// Attempts since the last event, from 1.
        attempt: u32,
    },
    /// It broke off, or there is none, and the server cannot join the turn again: what it has
    /// stored and what is pending are asked for instead, so the steps between are not seen.
    Degraded,
}

/// An error as a value that a user interface can show and keep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChatFault {
    /// The error's code.
    pub code: &'static str,
    /// Its text, the server's own where it sent one.
    pub message: String,
    /// HTTP status, where the server answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Whether trying again can help.
    pub retryable: bool,
}

impl From<&Error> for ChatFault {
    fn from(error: &Error) -> Self {
        Self {
            code: error.code(),
            message: error.server_message().map_or_else(|| error.to_string(), str::to_owned),
            status: error.status(),
            retryable: error.is_retryable(),
        }
    }
}
