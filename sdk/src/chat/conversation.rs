//! A conversation: messages, the running turn, and what is pending.

use super::diagnostic::Diagnostic;
use super::item::PendingItem;
use super::message::{Author, Message, MessageStatus, Notice};
use super::queue::Queued;
use super::state::{ChatFault, ChatState, Connection, Phase};
use super::turn::Turn;
use crate::loopengine::{Received, TurnResult};
use crate::{Error, ErrorKind, Result};
use std::cmp::Ordering;
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
    pub(super) queue: Vec<Queued>,
    /// The name that the message under way, or the one that failed, was sent under.
    pub(super) unsent_key: Option<String>,
    connection: Connection,
    diagnostics: Vec<Diagnostic>,
    offline: bool,
    loading: bool,
    /// How many turns have begun while this conversation was watched.
    pub(super) begun: u64,
    next_key: u64,
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
        let queued = self.queue.iter().map(|queued| &queued.message);
        ChatState {
            session_id: self.session_id.clone(),
            phase: self.phase(),
            messages: self.messages.iter().chain(queued).cloned().collect(),
            pending: self.open_items().cloned().collect(),
            online: !self.offline,
            connection: self.connection,
            diagnostics: self.diagnostics.clone(),
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
                } else if turn.log.is_empty() && !turn.provisional {
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

    /// Applies the next event of the open stream, unless a response brought it already.
    pub fn apply_streamed(&mut self, received: &Received) {
        self.take_next(received);
    }

    /// Applies the stream's next event and gives its number, unless it was applied before.
    pub(crate) fn take_next(&mut self, received: &Received) -> Option<u64> {
        let number = self.streamed();
        let is_new = self.turn.as_mut()?.log.take_streamed(received);
        if is_new {
            self.fold(received);
        }
        is_new.then_some(number)
    }

    /// Applies the event of this number, unless it was applied before.
    ///
    /// # Errors
    /// `stream-interrupted` if events before it are missing.
    pub(crate) fn take_numbered(&mut self, number: u64, received: &Received) -> Result<bool> {
        match number.cmp(&self.streamed()) {
            Ordering::Less => Ok(false),
            Ordering::Equal => Ok(self.take_next(received).is_some()),
            Ordering::Greater => {
                let text = format!("expected event {}, found event {number}", self.streamed());
                Err(Error::new(ErrorKind::StreamInterrupted, text))
            }
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

    /// How many turns have begun: another number means that another turn is the latest.
    pub(crate) fn begun(&self) -> u64 {
        self.begun
    }

    /// Whether there is a network, as far as anybody has said.
    #[must_use]
    pub fn is_online(&self) -> bool {
        !self.offline
    }

    /// Says whether there is a network; true if that is news.
    pub(crate) fn set_online(&mut self, online: bool) -> bool {
        std::mem::replace(&mut self.offline, !online) == online
    }

    /// Says how the stream is.
    pub fn set_connection(&mut self, connection: Connection) {
        self.connection = connection;
    }

    /// Says that the stream is not being joined any more.
    pub(crate) fn end_reconnecting(&mut self) {
        if matches!(self.connection, Connection::Reconnecting { .. }) {
            self.connection = Connection::Steady;
        }
    }

    /// Notes what is wrong between the server and this client, each thing once.
    pub fn diagnose(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.iter().any(|known| known.is_about_same(&diagnostic)) {
            self.diagnostics.push(diagnostic);
        }
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
        if self.is_unheard() {
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
    pub(crate) fn end_stopped(&mut self, turn_id: &str) {
        if self.turn_id() != Some(turn_id) {
            return;
        }
        self.end_turn(MessageStatus::Stopped);
        if let Some(message) = self.last_message() {
            message.note(Notice::Stopped { text: String::new() });
        }
    }

    /// Takes back the last message if it failed before the server took it, to send it again, and
    /// the name that it was sent under.
    pub fn take_unsent(&mut self) -> Option<(String, Option<String>)> {
        let last = self.messages.last()?;
        if last.author != Author::User || last.status != MessageStatus::Failed {
            return None;
        }
        let text = last.first_text()?.to_owned();
        self.messages.pop();
        Some((text, self.unsent_key.take()))
    }

    /// Notes the name that the message under way is sent under.
    pub(crate) fn name_message(&mut self, idempotency_key: Option<&str>) {
        self.unsent_key = idempotency_key.map(str::to_owned);
    }

    /// Says that a stored session is being fetched.
    pub fn begin_loading(&mut self) {
        self.loading = true;
        self.clear_trouble();
    }

    /// Says that fetching a stored session ended.
    pub fn end_loading(&mut self, error: Option<&Error>) {
        self.loading = false;
        self.last_error = error.map(Into::into).or(self.last_error.take());
    }

    pub(super) fn clear_trouble(&mut self) {
        self.last_error = None;
        self.connection = Connection::Steady;
        self.diagnostics.clear();
    }

    pub(super) fn new_key(&mut self) -> u64 {
        self.next_key += 1;
        self.next_key
    }

    pub(super) fn last_message(&mut self) -> Option<&mut Message> {
        self.messages.last_mut().map(Arc::make_mut)
    }

    /// Whether the server may not have the message: it did not name the turn, or the message has a
    /// name of its own, so that it can be sent again.
    fn is_unheard(&self) -> bool {
        let can_send = |turn: &Turn| turn.id.is_none() || self.unsent_key.is_some();
        self.turn.as_ref().is_some_and(|turn| turn.log.is_empty() && can_send(turn))
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
