//! What a chat needs of the place that it runs in, beside the network.

use super::threads::{BoxFuture, Portable};
use crate::chat::Verdict;
use serde::{Deserialize, Serialize};
use std::future::ready;

/// The right to be the one window that reads a session's stream; it ends when this is dropped.
pub type Lead = Box<dyn Portable>;

/// The place that a chat runs in: whether other windows show the same session, and where something
/// can be kept over a reload.
///
/// Every method has a default that fits a program that is alone and keeps nothing.
pub trait Platform: Portable {
    /// Waits until this chat is the only one that reads the session's stream. Without `patience` it
    /// gives nothing where another one is.
    fn lead<'a>(&'a self, session_id: &'a str, patience: bool) -> BoxFuture<'a, Option<Lead>> {
        let _ = (session_id, patience);
        Box::pin(ready(None))
    }

    /// Whether there can be other windows that [`lead`](Self::lead).
    fn has_peers(&self) -> bool {
        false
    }

    /// Tells the other windows.
    fn tell(&self, news: &News) {
        let _ = news;
    }

    /// How many streams all windows hold open to servers that allow only a few, where that is known.
    fn crowd<'a>(&'a self) -> BoxFuture<'a, Option<u64>> {
        Box::pin(ready(None))
    }

    /// Keeps a text under this name over a reload, for this chat alone, or forgets it.
    fn save(&self, name: &str, text: Option<&str>) {
        let _ = (name, text);
    }

    /// Takes over what chats that are gone have kept under this name.
    fn take<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Vec<String>> {
        let _ = name;
        Box::pin(ready(Vec::new()))
    }
}

/// A program that is alone and keeps nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Alone;

impl Platform for Alone {}

/// What one window tells the others about a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct News {
    /// The session.
    pub session_id: String,
    /// What happened.
    pub what: Happened,
}

/// What happened in a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "happened", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Happened {
    /// A message started a turn.
    Began {
        /// Id of the turn.
        turn_id: String,
        /// What the message says.
        text: String,
    },
    /// The turn has had events.
    Events {
        /// Id of the turn.
        turn_id: String,
        /// Number of the first of them.
        first: u64,
        /// Their JSON texts.
        events: Vec<String>,
    },
    /// A window lacks the turn's events from a number on, and asks the one that leads.
    Missing {
        /// Id of the turn.
        turn_id: String,
        /// Number of the first event that it lacks.
        first: u64,
    },
    /// A verdict is being sent, or sending it failed where there is none.
    Deciding {
        /// Id of the item.
        id: String,
        /// The verdict.
        verdict: Option<Verdict>,
    },
}
