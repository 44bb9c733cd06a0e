//! What is kept over a reload: messages and verdicts that the server may not have, and a copy of the
//! items that wait, so that they are in view before the server has answered.

use super::Shared;
use crate::chat::{Conversation, PendingItem, Verdict};
use crate::client::Transport;
use serde::{Deserialize, Serialize};

/// More messages than this do not wait.
pub(super) const MAX_MESSAGES: usize = 16;

/// More items than this are not kept; the server lists them.
const MAX_ITEMS: usize = 8;

/// Messages that were on their way when a window was left.
pub(super) struct Sent(Vec<KeptMessage>);

/// What waits, as it is kept.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Outbox {
    messages: Vec<KeptMessage>,
    verdicts: Vec<(String, Verdict)>,
    /// The events of the items that wait.
    items: Vec<String>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct KeptMessage {
    text: String,
    key: String,
    /// It was on its way, so that the server may have it.
    sent: bool,
}

impl<T: Transport> Shared<T> {
    /// Keeps what waits.
    pub(super) fn keep_outbox(&self) {
        let outbox = self.store.read(Outbox::of);
        let text = match outbox == Outbox::default() {
            true => None,
            // Strings and flags cannot fail to be written.
            false => serde_json::to_string(&outbox).ok(),
        };
        let session_id = self.session_id();
        self.platform.save(&self.outbox_name(session_id.as_deref()), text.as_deref());
        if session_id.is_some() {
            self.platform.save(&self.outbox_name(None), None);
        }
    }

    /// Keeps the items that wait, where they are others than before.
    pub(super) fn keep_items(&self) {
        let open = self.store.read(|chat| chat.open_ids());
        if self.control.note_kept(open) {
            self.keep_outbox();
        }
    }

    /// Takes over what a window that is gone has left: items are in view and everything waits at
    /// once, before the server says what has become of it.
    ///
    /// Gives the messages that were on their way, as only the session's history tells whether the
    /// server has them.
    pub(super) async fn take_over(&self, session_id: Option<&str>) -> Sent {
        let kept = self.platform.take(&self.outbox_name(session_id)).await;
        // What cannot be read is of another version, and nobody else can read it.
        let outboxes = kept.iter().filter_map(|text| serde_json::from_str::<Outbox>(text).ok());
        let sent = self.store.update_quietly(|conversation| {
            outboxes.flat_map(|outbox| outbox.put_back(session_id, conversation)).collect()
        });
        Sent(sent)
    }

    /// Shows the messages that the server does not have, to be sent again by hand.
    pub(super) fn put_back(&self, sent: Sent) {
        self.store.update_quietly(|conversation| {
            for message in sent.0 {
                conversation.put_back_unsent(&message.text, &message.key);
            }
        });
        self.keep_outbox();
    }

    fn outbox_name(&self, session_id: Option<&str>) -> String {
        let (server, agent) = (self.client.address(), &self.agent);
        format!("turnwire {server} {agent} {}", session_id.unwrap_or_default())
    }
}

impl Outbox {
    fn of(conversation: &Conversation) -> Self {
        let kept = |sent| {
            move |(text, key): (&str, &str)| KeptMessage {
                text: text.into(),
                key: key.into(),
                sent,
            }
        };
        let sent = conversation.unsent().map(kept(true));
        let waiting = conversation.queued_messages().map(kept(false));
        let messages = sent.into_iter().chain(waiting).collect();
        let items = conversation.open_items().take(MAX_ITEMS).map(|item| item.to_text());
        Self { messages, verdicts: conversation.given_verdicts(), items: items.collect() }
    }

    /// Gives the messages that were on their way.
    fn put_back(
        self,
        session_id: Option<&str>,
        conversation: &mut Conversation,
    ) -> Vec<KeptMessage> {
        if let Some(session_id) = session_id {
            let items = self.items.iter().filter_map(|text| PendingItem::from_text(text));
            conversation.show_kept(session_id, items.collect());
        }
        for (id, verdict) in &self.verdicts {
            conversation.queue_verdict(id, verdict);
        }
        let (sent, waiting) = self.messages.into_iter().partition(|message| message.sent);
        for KeptMessage { text, key, .. } in waiting {
            if !conversation.is_queued(&key) {
                conversation.queue_message(&text, &key);
            }
        }
        sent
    }
}
