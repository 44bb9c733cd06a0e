//! A value with subscribers, for user interfaces.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a subscriber is called with: the new state.
#[cfg(not(target_arch = "wasm32"))]
pub type Listener<S> = dyn Fn(&Arc<S>) + Send + Sync;
/// What a subscriber is called with: the new state.
#[cfg(target_arch = "wasm32")]
pub type Listener<S> = dyn Fn(&Arc<S>);

/// A value whose state can be drawn.
pub trait Model {
    /// One immutable value with everything that is drawn.
    type State: PartialEq;

    /// The state as of now.
    fn state(&self) -> Self::State;
}

/// A value that tells its subscribers about each new state.
///
/// What is drawn is the published state: changes that come thick and fast are made quietly and
/// published together. Clones share the value.
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
pub struct Store<M: Model> {
    inner: Arc<Mutex<Inner<M>>>,
    listeners: Arc<Listeners<M::State>>,
}

struct Inner<M: Model> {
    model: M,
    published: Option<Arc<M::State>>,
}

struct Listeners<S>(Mutex<Listed<S>>);

struct Listed<S> {
    listeners: Vec<(u64, Arc<Listener<S>>)>,
    next: u64,
}

/// Ends its subscription when dropped.
#[must_use = "dropping it ends the subscription"]
pub struct Subscription<S> {
    listeners: Arc<Listeners<S>>,
    listener: u64,
}

impl<M: Model + Default> Store<M> {
    /// A store over an empty value.
    #[must_use]
    pub fn new() -> Self {
        Self::of(M::default())
    }
}

impl<M: Model> Store<M> {
    /// A store over this value.
    #[must_use]
    #[allow(clippy::arc_with_non_send_sync, reason = "one thread, and one type for both targets")]
    pub fn of(model: M) -> Self {
        Self {
            inner: Arc::new(Mutex::new(Inner { model, published: None })),
            listeners: Arc::default(),
        }
    }

    /// The published state; the same `Arc` until another one is published.
    #[must_use]
    pub fn snapshot(&self) -> Arc<M::State> {
        let mut inner = self.lock();
        let Inner { model, published } = &mut *inner;
        Arc::clone(published.get_or_insert_with(|| Arc::new(model.state())))
    }

    /// Reads the value as of now, quiet changes included.
    pub fn read<T>(&self, read: impl FnOnce(&M) -> T) -> T {
        read(&self.lock().model)
    }

    /// Calls `listener` with every new state, after the change and outside of it, so that it may
    /// use the store itself.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn subscribe(
        &self,
        listener: impl Fn(&Arc<M::State>) + Send + Sync + 'static,
    ) -> Subscription<M::State> {
        self.add(Arc::new(listener))
    }

    /// Calls `listener` with every new state, after the change and outside of it, so that it may
    /// use the store itself.
    #[cfg(target_arch = "wasm32")]
    #[allow(clippy::arc_with_non_send_sync, reason = "one thread, and one type for both targets")]
    pub fn subscribe(&self, listener: impl Fn(&Arc<M::State>) + 'static) -> Subscription<M::State> {
        self.add(Arc::new(listener))
    }

    /// Changes the value and publishes its state.
    pub fn update<T>(&self, change: impl FnOnce(&mut M) -> T) -> T {
        let result = self.update_quietly(change);
        self.publish();
        result
    }

    /// Changes the value; nobody hears of it before the next [`publish`](Self::publish) or
    /// [`update`](Self::update).
    pub fn update_quietly<T>(&self, change: impl FnOnce(&mut M) -> T) -> T {
        // The state of before is what subscribers know.
        let _ = self.snapshot();
        change(&mut self.lock().model)
    }

    /// Tells the subscribers of the state if it is another one than they know.
    pub fn publish(&self) {
        self.publish_news();
    }

    /// As [`publish`](Self::publish); true if it was another one.
    pub(crate) fn publish_news(&self) -> bool {
        let mut inner = self.lock();
        let state = inner.model.state();
        if inner.published.as_deref() == Some(&state) {
            return false;
        }
        let state = Arc::new(state);
        inner.published = Some(Arc::clone(&state));
        let listeners = self.listeners.lock().listeners.clone();
        drop(inner);
        listeners.iter().for_each(|(_, listener)| listener(&state));
        true
    }

    fn add(&self, listener: Arc<Listener<M::State>>) -> Subscription<M::State> {
        let mut listed = self.listeners.lock();
        let number = listed.next;
        listed.next += 1;
        listed.listeners.push((number, listener));
        Subscription { listeners: Arc::clone(&self.listeners), listener: number }
    }

    fn lock(&self) -> MutexGuard<'_, Inner<M>> {
        // A subscriber that panicked left nothing half done: it is called outside the lock.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S> Listeners<S> {
    fn lock(&self) -> MutexGuard<'_, Listed<S>> {
        // Every change under the lock is complete in itself, so a poisoned one is still sound.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S> Default for Listeners<S> {
    fn default() -> Self {
        Self(Mutex::new(Listed { listeners: Vec::new(), next: 0 }))
    }
}

impl<M: Model> Clone for Store<M> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), listeners: Arc::clone(&self.listeners) }
    }
}

impl<M: Model + Default> Default for Store<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> Drop for Subscription<S> {
    fn drop(&mut self) {
        self.listeners.lock().listeners.retain(|(number, _)| *number != self.listener);
    }
}

impl<M: Model + fmt::Debug> fmt::Debug for Store<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("model", &self.lock().model).finish_non_exhaustive()
    }
}

impl<S> fmt::Debug for Subscription<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").field("listener", &self.listener).finish_non_exhaustive()
    }
}
