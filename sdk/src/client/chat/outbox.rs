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

    /// Shows the items that waited when the session was left, until the server says what does.
    pub(super) fn show_kept(&self, session_id: &str) {
        let Some(outbox) = self.kept(Some(session_id)) else { return };
        let items: Vec<_> =
            outbox.items.iter().filter_map(|text| PendingItem::from_text(text)).collect();
        self.store.update_quietly(|conversation| conversation.show_kept(session_id, items));
    }

    fn kept(&self, session_id: Option<&str>) -> Option<Outbox> {
        let text = self.platform.load(&self.outbox_name(session_id))?;
        // What cannot be read is of another version, and nobody else can read it.
        serde_json::from_str(&text).ok()
    }

    /// Takes up what was kept, where the conversation does not hold it yet.
    pub(super) fn recover_outbox(&self) {
        let outbox = self.kept(self.session_id().as_deref()).unwrap_or_default();
        self.store.update_quietly(|conversation| outbox.put_back(conversation));
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
        Self { messages, verdicts: conversation.queued_verdicts(), items: items.collect() }
    }

    fn put_back(self, conversation: &mut Conversation) {
        for message in self.messages {
            if message.sent {
                conversation.put_back_unsent(&message.text, &message.key);
            } else if !conversation.is_queued(&message.key) {
                conversation.queue_message(&message.text, &message.key);
            }
        }
        for (id, verdict) in &self.verdicts {
            conversation.queue_verdict(id, verdict);
        }
    }
}
