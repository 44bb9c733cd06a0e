//! Messages and verdicts that wait to be sent.

use super::conversation::Conversation;
use super::item::{DecisionState, Verdict};
use super::message::{Author, Message, MessageStatus};
use std::sync::Arc;

/// A message that waits.
#[derive(Debug, Clone)]
pub(super) struct Queued {
    pub(super) message: Arc<Message>,
    /// The name under which the server takes it once, however often it is sent.
    pub(super) idempotency_key: String,
}

impl Conversation {
    /// Adds a message that is to be sent later; gives the key that it can be withdrawn by.
    pub(crate) fn queue_message(&mut self, text: &str, idempotency_key: &str) -> u64 {
        let key = self.new_key();
        let message = Message::text(key, Author::User, text.to_owned(), MessageStatus::Queued);
        let idempotency_key = idempotency_key.to_owned();
        self.queue.push(Queued { message: Arc::new(message), idempotency_key });
        key
    }

    /// Starts a turn with the first message that waits, if nothing is in its way; gives its text
    /// and its name.
    pub(crate) fn begin_queued(&mut self) -> Option<(String, String)> {
        if self.queue.is_empty() || self.has_failed() || self.refuse_unless_idle().is_err() {
            return None;
        }
        let Queued { message, idempotency_key } = self.queue.remove(0);
        let text = message.first_text().unwrap_or_default().to_owned();
        self.begin_turn(&text).ok()?;
        self.name_message(Some(&idempotency_key));
        Some((text, idempotency_key))
    }

    /// Withdraws the message of this key; gives its text, or nothing if it does not wait any more.
    pub(crate) fn withdraw_message(&mut self, key: u64) -> Option<String> {
        let index = self.queue.iter().position(|queued| queued.message.key == key)?;
        let queued = self.queue.remove(index);
        queued.message.first_text().map(str::to_owned)
    }

    /// Withdraws a verdict that waits; false if there is none.
    pub(crate) fn withdraw_verdict(&mut self, id: &str) -> bool {
        let Some(item) = self.item(id) else { return false };
        let is_queued = matches!(item.decision, DecisionState::Queued { .. });
        if is_queued {
            item.decision = DecisionState::Idle;
        }
        is_queued
    }

    /// The verdicts that wait, by the ids of their items.
    pub(crate) fn queued_verdicts(&self) -> Vec<(String, Verdict)> {
        let queued = self.open_items().filter_map(|item| match &item.decision {
            DecisionState::Queued { verdict } => Some((item.id.clone(), verdict.clone())),
            _ => None,
        });
        queued.collect()
    }

    /// The verdicts that the server may not have, by the ids of their items.
    pub(crate) fn given_verdicts(&self) -> Vec<(String, Verdict)> {
        let given = self.open_items().filter_map(|item| match &item.decision {
            DecisionState::Queued { verdict } | DecisionState::Sending { verdict } => {
                Some((item.id.clone(), verdict.clone()))
            }
            _ => None,
        });
        given.collect()
    }

    /// The messages that wait, each with the name that the server is to know it by.
    pub(crate) fn queued_messages(&self) -> impl Iterator<Item = (&str, &str)> {
        self.queue.iter().map(|queued| {
            (queued.message.first_text().unwrap_or_default(), queued.idempotency_key.as_str())
        })
    }

    /// Whether a message of this name waits.
    pub(crate) fn is_queued(&self, idempotency_key: &str) -> bool {
        self.queue.iter().any(|queued| queued.idempotency_key == idempotency_key)
    }

    /// What the person wrote last.
    pub(crate) fn asked(&self) -> Option<&str> {
        self.messages.iter().rfind(|message| message.author == Author::User)?.first_text()
    }

    /// The message that the server may not have, and its name.
    pub(crate) fn unsent(&self) -> Option<(&str, &str)> {
        let key = self.unsent_key.as_deref()?;
        Some((self.asked()?, key))
    }

    /// Whether the last message failed, so that it has to be sent before any other.
    pub(crate) fn has_failed(&self) -> bool {
        let last = self.messages.last();
        last.is_some_and(|last| last.author == Author::User && last.status == MessageStatus::Failed)
    }

    /// Shows a message again that was on its way when the page was left, unless the server has it.
    pub(crate) fn put_back_unsent(&mut self, text: &str, idempotency_key: &str) {
        if self.asked() == Some(text) {
            return;
        }
        if !self.is_turn_over() {
            self.queue_message(text, idempotency_key);
            return;
        }
        self.add_user_message(text, MessageStatus::Failed);
        self.name_message(Some(idempotency_key));
    }

    /// Lets a verdict wait that was given before the page was loaded.
    pub(crate) fn queue_verdict(&mut self, id: &str, verdict: &Verdict) {
        if let Some(item) = self.item(id)
            && item.takes(verdict)
            && item.decision == DecisionState::Idle
        {
            item.decision = DecisionState::Queued { verdict: verdict.clone() };
        }
    }
}
