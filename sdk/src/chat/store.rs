//! A conversation with subscribers, for user interfaces.

use super::conversation::Conversation;
use super::state::ChatState;
use crate::store::{self, Model};

/// A conversation that tells its subscribers about each new state.
pub type Store = store::Store<Conversation>;

/// Ends its subscription when dropped.
pub type Subscription = store::Subscription<ChatState>;

/// What a subscriber is called with: the new state.
pub type Listener = store::Listener<ChatState>;

impl Model for Conversation {
    type State = ChatState;

    fn state(&self) -> ChatState {
        self.state()
    }
}
