//! A conversation with subscribers, for user interfaces.

use super::conversation::Conversation;
use super::state::ChatState;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a subscriber is called with: the new state.
#[cfg(not(target_arch = "wasm32"))]
pub type Listener = dyn Fn(&Arc<ChatState>) + Send + Sync;
/// What a subscriber is called with: the new state.
#[cfg(target_arch = "wasm32")]
pub type Listener = dyn Fn(&Arc<ChatState>);

/// A conversation that tells its subscribers about each new state.
///
/// What is drawn is the published state: changes that come thick and fast are made quietly and
/// published together. Clones share the conversation.
///
/// # Examples
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use std::sync::Arc;
/// use turnwire::chat::Store;
///
/// let store = Store::default();
/// let calls = Arc::new(AtomicUsize::new(0));
/// let seen = Arc::clone(&calls);
/// let subscription = store.subscribe(move |_| {
///     seen.fetch_add(1, Ordering::Relaxed);
/// });
/// store.update(|conversation| conversation.begin_turn("hello")).unwrap();
/// drop(subscription);
/// store.update(|conversation| conversation.stop());
/// assert_eq!(calls.load(Ordering::Relaxed), 1);
/// ```
#[derive(Clone, Default)]
pub struct Store(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    conversation: Conversation,
    published: Option<Arc<ChatState>>,
    listeners: Vec<(u64, Arc<Listener>)>,
    next_listener: u64,
}

/// Ends its subscription when dropped.
#[must_use = "dropping it ends the subscription"]
pub struct Subscription {
    store: Store,
    listener: u64,
}

impl Store {
    /// A store over an empty conversation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The published state; the same `Arc` until another one is published.
    #[must_use]
    pub fn snapshot(&self) -> Arc<ChatState> {
        let mut inner = self.lock();
        let Inner { conversation, published, .. } = &mut *inner;
        Arc::clone(published.get_or_insert_with(|| Arc::new(conversation.state())))
    }

    /// Reads the conversation as of now, quiet changes included.
    pub fn read<T>(&self, read: impl FnOnce(&Conversation) -> T) -> T {
        read(&self.lock().conversation)
    }

    /// Calls `listener` with every new state, after the change and outside of it, so that it may
    /// use the store itself.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn subscribe(
        &self,
        listener: impl Fn(&Arc<ChatState>) + Send + Sync + 'static,
    ) -> Subscription {
        self.add(Arc::new(listener))
    }

    /// Calls `listener` with every new state, after the change and outside of it, so that it may
    /// use the store itself.
    #[cfg(target_arch = "wasm32")]
    #[allow(clippy::arc_with_non_send_sync, reason = "one thread, and one type for both targets")]
    pub fn subscribe(&self, listener: impl Fn(&Arc<ChatState>) + 'static) -> Subscription {
        self.add(Arc::new(listener))
    }

    /// Changes the conversation and publishes its state.
    pub fn update<T>(&self, change: impl FnOnce(&mut Conversation) -> T) -> T {
        let result = self.update_quietly(change);
        self.publish();
        result
    }

    /// Changes the conversation; nobody hears of it before the next [`publish`](Self::publish) or
    /// [`update`](Self::update).
    pub fn update_quietly<T>(&self, change: impl FnOnce(&mut Conversation) -> T) -> T {
        // The state of before is what subscribers know.
        let _ = self.snapshot();
        change(&mut self.lock().conversation)
    }

    /// Tells the subscribers of the state if it is another one than they know.
    pub fn publish(&self) {
        self.publish_news();
    }

    /// As [`publish`](Self::publish); true if it was another one.
    pub(crate) fn publish_news(&self) -> bool {
        let mut inner = self.lock();
        let state = inner.conversation.state();
        if inner.published.as_deref() == Some(&state) {
            return false;
        }
        let state = Arc::new(state);
        inner.published = Some(Arc::clone(&state));
        let listeners = inner.listeners.clone();
        drop(inner);
        listeners.iter().for_each(|(_, listener)| listener(&state));
        true
    }

    fn add(&self, listener: Arc<Listener>) -> Subscription {
        let mut inner = self.lock();
        let id = inner.next_listener;
        inner.next_listener += 1;
        inner.listeners.push((id, listener));
        Subscription { store: self.clone(), listener: id }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A subscriber that panicked left nothing half done: it is called outside the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.store.lock().listeners.retain(|(id, _)| *id != self.listener);
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("conversation", &self.lock().conversation)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").field("listener", &self.listener).finish_non_exhaustive()
    }
}
