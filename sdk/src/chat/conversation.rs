//! A conversation: messages, the running turn, and what is pending.

use super::item::PendingItem;
use super::merge::TurnLog;
use super::message::{Author, Message, MessageStatus, Notice, Part};
use super::state::{ChatFault, ChatState, Connection, Phase};
use crate::loopengine::{Received, ToollaneResult, TurnResult};
use crate::{Error, ErrorKind, Result};
use std::sync::Arc;

/// A conversation that events are applied to.
///
/// # Examples
/// ```
/// use turnwire::chat::{Conversation, Phase};
/// use turnwire::loopengine::{Received, decode};
///
/// let mut conversation = Conversation::new();
/// conversation.begin_turn("hello").unwrap();
/// for text in [r#"{"type":"session","sessionId":"s"}"#, r#"{"type":"done","text":"Hi!"}"#] {
///     conversation.apply_streamed(&Received::Event(decode(text).unwrap()));
/// }
/// let state = conversation.state();
/// assert_eq!((state.phase, state.messages.len()), (Phase::Idle, 2));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    pub(super) session_id: Option<String>,
    pub(super) messages: Vec<Arc<Message>>,
    pub(super) turn: Option<Turn>,
    pub(super) last_error: Option<ChatFault>,
    connection: Connection,
    loading: bool,
    next_key: u64,
}

/// The latest turn. Its message is the last one of the conversation.
#[derive(Debug, Clone, Default)]
pub(super) struct Turn {
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
    /// An empty conversation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What a user interface draws.
    #[must_use]
    pub fn state(&self) -> ChatState {
        ChatState {
            session_id: self.session_id.clone(),
            phase: self.phase(),
            messages: self.messages.clone(),
            pending: self.open_items().cloned().collect(),
            connection: self.connection,
            last_error: self.last_error.clone(),
        }
    }

    /// What the chat is doing.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match &self.turn {
            _ if self.loading => Phase::Loading,
            Some(turn) if !turn.over => {
                if self.open_items().next().is_some() {
                    Phase::Waiting
                } else if turn.log.is_empty() {
                    Phase::Sending
                } else {
                    Phase::Running
                }
            }
            _ => Phase::Idle,
        }
    }

    /// Id of the session, once the server gave one.
    #[must_use]
    pub fn session_id(&self) -> Option<&str> {
        self.session_id.as_deref()
    }

    /// Items that wait for a verdict.
    pub fn open_items(&self) -> impl Iterator<Item = &Arc<PendingItem>> {
        let items = self.messages.last().into_iter().flat_map(|message| message.items());
        items.filter(|item| item.is_open())
    }

    /// Whether the latest turn has ended, or there was none.
    #[must_use]
    pub fn is_turn_over(&self) -> bool {
        self.turn.as_ref().is_none_or(|turn| turn.over)
    }

    /// Starts a turn with what the person wrote.
    ///
    /// # Errors
    /// `pending-items` with their ids while an item waits for a verdict; `busy` while a turn runs.
    pub fn begin_turn(&mut self, text: &str) -> Result<()> {
        self.refuse_unless_idle()?;
        let key = self.new_key();
        let user = Message::text(key, Author::User, text.into(), MessageStatus::Active);
        self.messages.push(Arc::new(user));
        let key = self.new_key();
        self.messages.push(Arc::new(Message::turn(key, MessageStatus::Active)));
        self.turn = Some(Turn::default());
        self.last_error = None;
        Ok(())
    }

    /// Applies the next event of the open stream, unless a response brought it already.
    pub fn apply_streamed(&mut self, received: &Received) {
        let Some(turn) = &mut self.turn else { return };
        if turn.log.take_streamed(received) {
            self.fold(received);
        }
    }

    /// Applies the events of a response that the stream has not brought yet.
    ///
    /// False if the response tells nothing about this turn, so that how it goes on has to be asked
    /// for: it is another turn's, or holds no events.
    pub fn apply_result(&mut self, result: &TurnResult) -> bool {
        let Some(turn) = &mut self.turn else {
            return false;
        };
        let Some(fresh) = turn.log.take_response(result.events()) else {
            return false;
        };
        if turn.provisional && !fresh.is_empty() {
            self.drop_provisional();
        }
        for received in fresh {
            self.fold(received);
        }
        if let (TurnResult::Finished(turn), false) = (result, self.is_turn_over()) {
            self.finish(&turn.text, turn.stop_reason.as_ref());
        }
        !matches!(result, TurnResult::Acknowledged)
    }

    /// Says how the stream is.
    pub fn set_connection(&mut self, connection: Connection) {
        self.connection = connection;
    }

    /// How many events of the turn its stream has delivered.
    pub(crate) fn streamed(&self) -> u64 {
        self.turn.as_ref().map_or(0, |turn| turn.log.streamed() as u64)
    }

    /// The request failed before any event came: the message can be sent again.
    pub fn fail(&mut self, error: &Error) {
        self.end_unheard(MessageStatus::Failed);
        self.last_error = Some(error.into());
    }

    /// The stream broke off. A pending item stays decidable, and the decision's response then
    /// brings the rest; otherwise only the server knows how the turn ended.
    pub fn interrupt(&mut self, error: &Error) {
        if self.turn.as_ref().is_some_and(|turn| turn.over) {
            return;
        }
        if self.turn.as_ref().is_some_and(|turn| turn.log.is_empty()) {
            return self.fail(error);
        }
        self.last_error = Some(error.into());
        if self.open_items().next().is_none() {
            self.end_turn(MessageStatus::Interrupted);
        }
    }

    /// The person stopped it. A pending item stays decidable.
    pub fn stop(&mut self) {
        if self.turn.as_ref().is_none_or(|turn| turn.over) {
            return;
        }
        if self.turn.as_ref().is_some_and(|turn| turn.log.is_empty()) {
            self.end_unheard(MessageStatus::Stopped);
        } else if self.open_items().next().is_none() {
            self.end_turn(MessageStatus::Stopped);
        }
    }

    /// The server ended the turn as it was asked to: nothing of it is pending any more.
    pub fn end_stopped(&mut self) {
        if self.turn.is_none() {
            return;
        }
        self.end_turn(MessageStatus::Stopped);
        if let Some(message) = self.last_message() {
            message.note(Notice::Stopped { text: String::new() });
        }
    }

    /// Takes back the last message if it failed before the server took it, to send it again.
    pub fn take_unsent(&mut self) -> Option<String> {
        let last = self.messages.last()?;
        if last.author != Author::User || last.status != MessageStatus::Failed {
            return None;
        }
        let text = last.parts.iter().find_map(|part| match part {
            Part::Text { text } => Some(text.clone()),
            Part::Tool(_) | Part::Item { .. } | Part::Notice(_) => None,
        });
        self.messages.pop();
        text
    }

    /// Says that a stored session is being fetched.
    pub fn begin_loading(&mut self) {
        self.loading = true;
        self.last_error = None;
    }

    /// Says that fetching a stored session ended.
    pub fn end_loading(&mut self, error: Option<&Error>) {
        self.loading = false;
        self.last_error = error.map(Into::into).or(self.last_error.take());
    }

    pub(super) fn new_key(&mut self) -> u64 {
        self.next_key += 1;
        self.next_key
    }

    pub(super) fn last_message(&mut self) -> Option<&mut Message> {
        self.messages.last_mut().map(Arc::make_mut)
    }

    fn refuse_unless_idle(&self) -> Result<()> {
        let open: Vec<_> = self.open_items().map(|item| item.id.clone()).collect();
        if !open.is_empty() {
            let text = format!("{} pending item(s) have to be decided first", open.len());
            return Err(Error::new(ErrorKind::PendingItems, text).with_items(open));
        }
        match self.phase() {
            Phase::Idle => Ok(()),
            _ => Err(Error::new(ErrorKind::Busy, "a turn is running in this chat")),
        }
    }

    /// Ends a turn of which no event came: its empty message goes, the person's shows the status.
    fn end_unheard(&mut self, status: MessageStatus) {
        if self.messages.last().is_some_and(|message| message.author == Author::Assistant) {
            self.messages.pop();
        }
        self.turn = None;
        if let Some(message) = self.last_message() {
            message.status = status;
        }
    }

    fn drop_provisional(&mut self) {
        let Some(Turn { provisional, earlier_items, .. }) = &mut self.turn else {
            return;
        };
        *provisional = false;
        if let Some(message) = self.messages.last_mut().map(Arc::make_mut) {
            *earlier_items = message.items().cloned().collect();
            message.parts.clear();
        }
    }
}
