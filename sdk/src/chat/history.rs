//! A stored session → conversation.

use super::conversation::{Conversation, Turn};
use super::item::{DecisionState, PendingItem};
use super::message::{Author, Message, MessageStatus, Part, ToolCall, ToolStatus};
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
        self.session_id = Some(history.session_id.clone());
        self.messages.clear();
        self.turn = None;
        self.last_error = None;
        for message in &history.history {
            self.restore_message(message);
        }
        if !stale.is_empty() {
            let parts = stale.into_iter().map(|item| Part::Item { item });
            self.change_assistant_message(|message| message.parts.extend(parts));
        }
        if !pending.is_empty() {
            self.restore_pending(pending);
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
                let key = self.new_key();
                let status = MessageStatus::Complete;
                self.messages.push(Arc::new(Message::text(
                    key,
                    Author::User,
                    text.clone(),
                    status,
                )));
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
