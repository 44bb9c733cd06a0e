//! Turns of one session run one after another, in the order of their arrival.

use crate::engine::SessionKey;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The last place taken in each session that has a turn.
#[derive(Debug, Default)]
pub(super) struct Queue {
    tails: Mutex<Tails>,
}

#[derive(Debug, Default)]
struct Tails {
    next_number: u64,
    by_session: HashMap<SessionKey, Tail>,
}

#[derive(Debug)]
struct Tail {
    number: u64,
    gone: oneshot::Receiver<Gone>,
}

/// What a place leaves to the next one: whom it was itself still waiting for, if anybody.
#[derive(Debug)]
struct Gone(Option<oneshot::Receiver<Gone>>);

/// A place in a session's queue; dropping it lets the next one go on.
#[derive(Debug)]
pub(super) struct Place {
    queue: Arc<Queue>,
    session: SessionKey,
    number: u64,
    before: Option<oneshot::Receiver<Gone>>,
    gone: Option<oneshot::Sender<Gone>>,
}

impl Queue {
    /// Takes the place behind all others.
    pub(super) fn take_place(self: &Arc<Self>, session: &SessionKey) -> Place {
        let (sender, gone) = oneshot::channel();
        let mut tails = self.lock();
        let number = tails.next_number;
        tails.next_number += 1;
        let before = tails.by_session.insert(session.clone(), Tail { number, gone });
        Place {
            queue: Arc::clone(self),
            session: session.clone(),
            number,
            before: before.map(|tail| tail.gone),
            gone: Some(sender),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Tails> {
        self.tails.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Waits until everything before it is gone.
    pub(super) async fn wait(&mut self) {
        while let Some(before) = &mut self.before {
            self.before = before.await.ok().and_then(|gone| gone.0);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut tails = self.queue.lock();
        let is_last = |tail: &Tail| tail.number == self.number;
        // A place that never came up stays as the session's tail: the next one has to wait for
        // whom this one waited for.
        if self.before.is_none() && tails.by_session.get(&self.session).is_some_and(is_last) {
            tails.by_session.remove(&self.session);
        }
        drop(tails);
        if let Some(gone) = self.gone.take() {
            // Nobody waits behind it: then there is nobody to tell.
            let _unheard = gone.send(Gone(self.before.take()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Scope;
    use futures_util::FutureExt;

    fn session(id: &str) -> SessionKey {
        SessionKey {
            scope: Scope { tenant: "t".into(), environment: "e".into(), agent: "a".into() },
            id: id.into(),
        }
    }

    #[test]
    fn the_next_goes_on_when_the_one_before_is_gone() {
        let queue = Arc::new(Queue::default());
        let mut first = queue.take_place(&session("s"));
        let mut second = queue.take_place(&session("s"));
        let mut other = queue.take_place(&session("other"));
        assert!(first.wait().now_or_never().is_some());
        assert!(second.wait().now_or_never().is_none());
        assert!(other.wait().now_or_never().is_some());
        drop(first);
        assert!(second.wait().now_or_never().is_some());
    }

    #[test]
    fn nothing_stays_behind_when_all_are_gone() {
        let queue = Arc::new(Queue::default());
        let first = queue.take_place(&session("s"));
        let mut second = queue.take_place(&session("s"));
        drop(first);
        assert!(second.wait().now_or_never().is_some());
        drop(second);
        assert!(queue.lock().by_session.is_empty());
    }

    #[test]
    fn whoever_waits_behind_a_place_that_is_given_up_waits_for_the_one_before_it() {
        let queue = Arc::new(Queue::default());
        let first = queue.take_place(&session("s"));
        let second = queue.take_place(&session("s"));
        let mut third = queue.take_place(&session("s"));
        drop(second);
        assert!(third.wait().now_or_never().is_none());
        drop(third);
        let mut fourth = queue.take_place(&session("s"));
        assert!(fourth.wait().now_or_never().is_none());
        drop(first);
        assert!(fourth.wait().now_or_never().is_some());
    }
}
