//! A list of pending items → conversation, where no stream tells of them.

use super::conversation::Conversation;
use super::item::{DecisionState, PendingItem};
use super::message::Part;
use std::collections::HashSet;
use std::sync::Arc;

impl Conversation {
    /// Ids of the items that wait for a verdict, before a list of them is asked for.
    pub(crate) fn open_ids(&self) -> HashSet<String> {
        self.open_items().map(|item| item.id.clone()).collect()
    }

    /// Shows what a list of pending items has and retires what it lacks, but only of those that
    /// were `known` before it was asked for: what arrived since is newer than the list. True if
    /// that changed anything.
    pub(crate) fn reconcile(&mut self, listed: Vec<PendingItem>, known: &HashSet<String>) -> bool {
        let ids: HashSet<_> = listed.iter().map(|item| item.id.clone()).collect();
        let before = self.open_ids();
        for id in known.difference(&ids) {
            self.retire(id);
        }
        for item in listed {
            self.add_listed(item);
        }
        before != self.open_ids()
    }

    /// The server no longer lists it, and does not tell what has become of it.
    fn retire(&mut self, id: &str) {
        let Some(item) = self.item(id) else { return };
        // A verdict under way is answered itself.
        if item.is_open() && !matches!(item.decision, DecisionState::Sending { .. }) {
            item.go_stale("it is no longer listed", false);
        }
    }

    /// An item that was decided here is listed by an answer that is older than the verdict.
    fn add_listed(&mut self, item: PendingItem) {
        let is_known = self.item(&item.id).is_some();
        if let (false, Some(message)) = (is_known, self.last_message()) {
            message.parts.push(Part::Item { item: Arc::new(item) });
        }
    }
}
