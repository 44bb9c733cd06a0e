//! The latest turn of a conversation.

use super::conversation::Conversation;
use super::item::PendingItem;
use super::merge::TurnLog;
use super::message::{Author, Message, MessageStatus};
use crate::loopengine::{Received, ToollaneResult};
use crate::{Error, ErrorKind, Result};
use std::sync::Arc;

/// The latest turn. Its message is the last one of the conversation.
#[derive(Debug, Clone, Default)]
pub(super) struct Turn {
    /// Id under which the server keeps its events, where it does.
    pub(super) id: Option<String>,
    pub(super) log: TurnLog,
    /// `done` or `error` came.
    pub(super) over: bool,
    /// `loop:done` gave the answer that `done` repeats.
    pub(super) answered: bool,
    /// A tool's outcome whose `tool:result` has not come yet.
    pub(super) lane: Option<ToollaneResult>,
    /// The message shows what the history knew; the first full list of events replaces it.
    pub(super) provisional: bool,
    /// Items with verdicts given before the list of events was replayed.
    pub(super) earlier_items: Vec<Arc<PendingItem>>,
}

impl Conversation {
    /// Starts a turn with what the person wrote.
    ///
    /// # Errors
    /// `pending-items` with their ids while an item waits for a verdict; `busy` while a turn runs.
    pub fn begin_turn(&mut self, text: &str) -> Result<()> {
        self.refuse_unless_idle()?;
        self.unsent_key = None;
        self.begun += 1;
        self.add_user_message(text, MessageStatus::Active);
        self.add_turn(Turn::default());
        self.clear_trouble();
        Ok(())
    }

    /// Shows a turn that another window started, unless one is under way here.
    pub(crate) fn begin_foreign_turn(&mut self, turn_id: &str, text: &str) -> bool {
        let is_new = self.phase() == super::Phase::Idle && self.turn_id() != Some(turn_id);
        if is_new {
            self.begun += 1;
            self.add_user_message(text, MessageStatus::Complete);
            self.add_turn(Turn { id: Some(turn_id.to_owned()), ..Turn::default() });
            self.clear_trouble();
        }
        is_new
    }

    /// Notes under which id the server keeps the turn's events.
    pub(crate) fn name_turn(&mut self, turn_id: Option<&str>) {
        if let (Some(turn), Some(turn_id)) = (&mut self.turn, turn_id) {
            turn.id = Some(turn_id.to_owned());
        }
    }

    /// Id of the latest turn, where the server keeps its events.
    #[must_use]
    pub fn turn_id(&self) -> Option<&str> {
        self.turn.as_ref()?.id.as_deref()
    }

    /// Whether the latest turn has ended, or there was none.
    #[must_use]
    pub fn is_turn_over(&self) -> bool {
        self.turn.as_ref().is_none_or(|turn| turn.over)
    }

    /// The number of the event that a stream of the turn has to begin with.
    pub(crate) fn resume(&mut self) -> u64 {
        self.turn.as_mut().map_or(0, |turn| turn.log.resume() as u64)
    }

    /// How many events of the turn its stream has delivered.
    pub(crate) fn streamed(&self) -> u64 {
        self.turn.as_ref().map_or(0, |turn| turn.log.streamed() as u64)
    }

    /// How many events of the turn are shown.
    pub(crate) fn shown(&self) -> usize {
        self.turn.as_ref().map_or(0, |turn| turn.log.applied())
    }

    /// Whether everything is shown that had happened when the session was opened.
    pub(crate) fn has_caught_up(&self) -> bool {
        self.turn.as_ref().is_none_or(|turn| turn.over || turn.log.has_caught_up())
    }

    /// Says that this many events of the turn had happened before it is watched again.
    pub(crate) fn expect_past(&mut self, events: usize) {
        if let Some(turn) = &mut self.turn {
            turn.log.expect_past(events);
        }
    }

    /// Nobody watches the turn any more, though it may go on.
    pub(crate) fn leave_turn(&mut self) {
        if !self.is_turn_over() && self.open_items().next().is_none() {
            self.end_turn(MessageStatus::Interrupted);
        }
    }

    /// Applies events of these numbers, where they are missing.
    ///
    /// # Errors
    /// `stream-interrupted` if events before them are missing.
    pub(crate) fn take_all(&mut self, first: u64, events: &[String]) -> Result<()> {
        (first..).zip(events).try_for_each(|(number, json)| {
            self.take_numbered(number, &Received::from_text(json, None)).map(drop)
        })
    }

    pub(super) fn add_user_message(&mut self, text: &str, status: MessageStatus) {
        let key = self.new_key();
        self.messages.push(Arc::new(Message::text(key, Author::User, text.into(), status)));
    }

    pub(super) fn add_turn(&mut self, turn: Turn) {
        let key = self.new_key();
        self.messages.push(Arc::new(Message::turn(key, MessageStatus::Active)));
        self.turn = Some(turn);
    }

    /// # Errors
    /// As for [`begin_turn`](Self::begin_turn).
    pub(crate) fn refuse_unless_idle(&self) -> Result<()> {
        let open: Vec<_> = self.open_items().map(|item| item.id.clone()).collect();
        if !open.is_empty() {
            let text = format!("{} pending item(s) have to be decided first", open.len());
            return Err(Error::new(ErrorKind::PendingItems, text).with_items(open));
        }
        match self.phase() {
            super::Phase::Idle => Ok(()),
            _ => Err(Error::new(ErrorKind::Busy, "a turn is running in this chat")),
        }
    }
}
