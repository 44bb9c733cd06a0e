//! A stored session → conversation.

use super::conversation::Conversation;
use super::cursor::TurnCursor;
use super::item::{DecisionState, PendingItem};
use super::merge::TurnLog;
use super::message::{Author, Message, MessageStatus, Notice, Part, ToolCall, ToolStatus};
use super::turn::Turn;
use crate::loopengine::{Block, Content, HistoryMessage, Role, SessionHistory};
use std::sync::Arc;

impl Conversation {
    /// Replaces the conversation with a stored session and what is pending in it.
    ///
    /// While an item is pending its turn is open: what the history knows of it is shown, and the
    /// events of the decision's response later take its place.
    ///
    /// An item that went stale stays in view, so that the person learns what became of it.
    pub fn restore(&mut self, history: &SessionHistory, pending: Vec<PendingItem>) {
        let same = self.session_id.as_deref() == Some(&history.session_id);
        let stale = if same { self.stale_items() } else { Vec::new() };
        let pending = self.with_verdicts(pending);
        let known = self.begin_again(&history.session_id);
        history.history.iter().for_each(|message| self.restore_message(message));
        self.keep_known(known);
        if !stale.is_empty() {
            let parts = stale.into_iter().map(|item| Part::Item { item });
            self.change_assistant_message(|message| message.parts.extend(parts));
        }
        if !pending.is_empty() {
            self.restore_pending(pending);
        }
    }

    /// Whether everything that an answer knows of the session's current turn is shown.
    pub(crate) fn knows(&self, cursor: &TurnCursor) -> bool {
        self.turn_id() == Some(&cursor.turn_id) && self.shown() >= cursor.events
    }

    /// Shows a stored session whose current turn's events come next, behind those that are shown.
    pub(crate) fn show_turn(
        &mut self,
        history: &SessionHistory,
        cursor: &TurnCursor,
        asked: Option<&str>,
    ) {
        if self.knows(cursor) && !self.is_left() {
            return;
        }
        match self.turn_id() == Some(&cursor.turn_id) && !self.is_turn_over() {
            true => self.expect_past(cursor.events),
            false => self.restore_up_to(history, cursor, asked),
        }
    }

    /// Whether nobody watches the current turn any more although it may go on.
    fn is_left(&self) -> bool {
        let is_stop = |part: &Part| matches!(part, Part::Notice(Notice::Stopped { .. }));
        self.messages.last().is_some_and(|message| {
            matches!(message.status, MessageStatus::Stopped | MessageStatus::Interrupted)
                && !message.parts.iter().any(is_stop)
        })
    }

    /// Replaces the conversation with a stored session up to its current turn, whose events come
    /// next, from the first on. `asked` is what the turn's message says, where it is known.
    ///
    /// A verdict that was given here stays with its item.
    fn restore_up_to(
        &mut self,
        history: &SessionHistory,
        cursor: &TurnCursor,
        asked: Option<&str>,
    ) {
        let same = self.session_id.as_deref() == Some(&history.session_id);
        let earlier_items: Vec<_> = match same {
            true => self.messages.iter().flat_map(|message| message.items().cloned()).collect(),
            false => Vec::new(),
        };
        if self.turn_id() != Some(&cursor.turn_id) {
            self.begun += 1;
        }
        let mut known = self.begin_again(&history.session_id);
        history
            .history
            .iter()
            .take(cursor.before)
            .for_each(|message| self.restore_message(message));
        known.truncate(self.messages.len());
        self.keep_known(known);
        let stored =
            history.history.get(cursor.before).and_then(|message| match &message.content {
                Content::Text(text) if message.role == Role::User => Some(text.as_str()),
                Content::Text(_) | Content::Blocks(_) => None,
            });
        if let Some(text) = stored.or(asked) {
            self.add_user_message(text, MessageStatus::Complete);
        }
        let (id, log) = (Some(cursor.turn_id.clone()), TurnLog::with_past(cursor.events));
        self.add_turn(Turn { id, log, earlier_items, ..Turn::default() });
    }

    /// Whether a history that was asked for during the turn holds that turn, and so was asked for
    /// after its end.
    ///
    /// # Protocol
    /// Observed in loopengine 8f93a10: a turn is stored when it is over, one that failed never.
    pub(crate) fn is_stored(&self, history: &SessionHistory) -> bool {
        let told = self.messages.iter().filter(|message| message.author == Author::User);
        let failed = self.messages.iter().filter(|message| {
            message.author == Author::Assistant && message.status == MessageStatus::Failed
        });
        let stored = history.history.iter().filter(|message| is_from_user(message));
        let ends = history.history.last().is_some_and(|message| message.role == Role::Assistant);
        let (asked, last) = (told.clone().next_back(), stored.clone().next_back());
        let is_same = asked.zip(last).is_some_and(|(asked, last)| {
            matches!(&last.content, Content::Text(text) if asked.first_text() == Some(text))
        });
        ends && is_same && stored.count() + failed.count() >= told.count()
    }

    /// A verdict that was given here stays with its item.
    fn with_verdicts(&mut self, mut items: Vec<PendingItem>) -> Vec<PendingItem> {
        for item in &mut items {
            if let Some(known) = self.item(&item.id).filter(|known| known.is_open()) {
                item.decision = known.decision.clone();
            }
        }
        items
    }

    /// Empties the conversation and gives the messages that it had.
    fn begin_again(&mut self, session_id: &str) -> Vec<Arc<Message>> {
        let same = self.session_id.as_deref() == Some(session_id);
        self.session_id = Some(session_id.to_owned());
        self.turn = None;
        self.last_error = None;
        let known = std::mem::take(&mut self.messages);
        if same { known } else { Vec::new() }
    }

    /// A turn that was watched to its end stays as it is shown: the history knows less of it. Other
    /// messages keep their keys, so that a list that is drawn by key changes in place.
    fn keep_known(&mut self, known: Vec<Arc<Message>>) {
        for (message, known) in self.messages.iter_mut().zip(known) {
            if message.author != known.author {
                return;
            }
            let same_words = message.first_text() == known.first_text();
            if known.author == Author::User && !same_words {
                return;
            }
            match known.status {
                MessageStatus::Complete if same_words || known.author == Author::Assistant => {
                    *message = known;
                }
                _ => Arc::make_mut(message).key = known.key,
            }
        }
    }

    /// Shows items that waited when the session was left, in an empty conversation.
    pub(crate) fn show_kept(&mut self, session_id: &str, items: Vec<PendingItem>) {
        if self.messages.is_empty() && !items.is_empty() {
            self.session_id = Some(session_id.to_owned());
            self.restore_pending(items);
        }
    }

    fn stale_items(&self) -> Vec<Arc<PendingItem>> {
        let items = self.messages.last().into_iter().flat_map(|message| message.items());
        let is_stale =
            |item: &&Arc<PendingItem>| matches!(item.decision, DecisionState::Stale { .. });
        items.filter(is_stale).cloned().collect()
    }

    fn restore_message(&mut self, message: &HistoryMessage) {
        match (&message.role, &message.content) {
            (Role::User, Content::Text(text)) => {
                self.add_user_message(text, MessageStatus::Complete);
            }
            (Role::User, Content::Blocks(blocks)) => {
                self.restore_blocks(blocks, restore_result);
            }
            (Role::Assistant, Content::Text(text)) => {
                self.change_assistant_message(|message| message.say(text.clone()));
            }
            (Role::Assistant, Content::Blocks(blocks)) => {
                self.restore_blocks(blocks, restore_block);
            }
            // The engine's words to the model are not for the person.
            (Role::System | Role::Other(_), _) => {}
        }
    }

    fn restore_pending(&mut self, pending: Vec<PendingItem>) {
        let parts = pending.into_iter().map(|item| Part::Item { item: Arc::new(item) });
        self.change_assistant_message(|message| {
            message.status = MessageStatus::Active;
            message.parts.extend(parts);
        });
        self.turn = Some(Turn { provisional: true, ..Turn::default() });
    }

    /// Changes the agent's message at the end, which is made where the person spoke last.
    fn change_assistant_message(&mut self, change: impl FnOnce(&mut Message)) {
        if self.messages.last().is_none_or(|message| message.author == Author::User) {
            let key = self.new_key();
            self.messages.push(Arc::new(Message::turn(key, MessageStatus::Complete)));
        }
        if let Some(message) = self.last_message() {
            change(message);
        }
    }

    fn restore_blocks(&mut self, blocks: &[Block], restore: fn(&mut Message, &Block)) {
        if !blocks.is_empty() {
            self.change_assistant_message(|message| {
                blocks.iter().for_each(|block| restore(message, block));
            });
        }
    }
}

/// What a person wrote; results of tools come under the same role.
fn is_from_user(message: &HistoryMessage) -> bool {
    message.role == Role::User && matches!(message.content, Content::Text(_))
}

fn restore_block(message: &mut Message, block: &Block) {
    match block {
        Block::Text { text } => message.say(text.clone()),
        Block::ToolUse { id, name, input } => {
            let args = input.as_object().cloned();
            let call = ToolCall { args, ..ToolCall::new(id, name, ToolStatus::Requested) };
            message.parts.push(Part::Tool(call));
        }
        Block::ToolResult { .. } | Block::Unknown(_) => {}
    }
}

fn restore_result(message: &mut Message, block: &Block) {
    let Block::ToolResult { tool_use_id, content, is_error, reason } = block else {
        return;
    };
    // Ids can repeat in later turns: the latest call of this id that has no result yet is meant.
    let calls = message.tools_mut().filter(|call| call.id == *tool_use_id);
    let Some(call) = calls.filter(|call| call.status == ToolStatus::Requested).last() else {
        return;
    };
    call.status = stored_status(content, is_error.unwrap_or_default());
    call.detail.clone_from(reason);
    call.summary = Some(content.clone());
}

/// # Protocol
/// Observed in loopengine 8f93a10: failed calls start with `ERROR:`, `denied:` or `skipped:`.
fn stored_status(content: &str, is_error: bool) -> ToolStatus {
    match content {
        _ if !is_error => ToolStatus::Done,
        text if text.starts_with("denied:") => ToolStatus::Denied,
        text if text.starts_with("skipped:") => ToolStatus::Skipped,
        _ => ToolStatus::Failed,
    }
}
