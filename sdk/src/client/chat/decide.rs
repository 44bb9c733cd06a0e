//! Verdicts on their way.

use super::{Chat, Shared};
use crate::chat::{Begun, Conversation, Verdict, is_final};
use crate::client::Transport;
use crate::client::platform::{Happened, News};
use crate::client::run_turn::decide;
use crate::{Error, ErrorKind, Result};

impl<T: Transport> Chat<T> {
    pub(super) async fn decide(&self, id: &str, verdict: Verdict) -> Result<()> {
        let shared = &*self.0;
        shared.control.ensure_open()?;
        let begin = |conversation: &mut Conversation| conversation.begin_decision(id, &verdict);
        match shared.store.update(begin)? {
            Begun::Settled => Ok(()),
            Begun::InFlight => shared.control.join(id).await,
            Begun::Send => self.send_verdict(id, verdict).await,
            Begun::Queued => {
                shared.keep_outbox();
                Ok(())
            }
        }
    }

    /// Sends the verdicts that wait; each one's failure is at its item.
    pub(super) async fn send_queued_verdicts(&self) {
        for (id, verdict) in self.0.store.read(|chat| chat.queued_verdicts()) {
            drop(self.decide(&id, verdict).await);
        }
        self.0.keep_outbox();
    }

    async fn send_verdict(&self, id: &str, verdict: Verdict) -> Result<()> {
        let shared = &*self.0;
        let flight = FlightGuard::begin(shared, id, verdict);
        let answered = decide(&shared.client, id, &flight.verdict, &shared.options()).await;
        let (moved_on, outcome) = match answered {
            Ok(answered) => (flight.confirm(&answered.value), Ok(())),
            Err(error) => (!is_final(&error), Err(error)),
        };
        flight.land(outcome.clone());
        if !moved_on {
            self.resync().await;
        }
        outcome
    }

    /// Asks how the session stands where no stream will tell.
    async fn resync(&self) {
        let Some(session_id) = self.0.session_id() else { return };
        if !self.0.control.is_streaming() {
            // Its failure is in the state; the decision's own outcome is what the caller hears.
            drop(self.open(&session_id).await);
            drop(self.follow_turn().await);
        }
    }
}

/// A verdict on its way; dropping it without an outcome makes it failed.
struct FlightGuard<'a, T: Transport> {
    shared: &'a Shared<T>,
    id: &'a str,
    verdict: Verdict,
    /// The turn that waits for it: its answer tells nothing of a later one.
    turn: u64,
}

impl<'a, T: Transport> FlightGuard<'a, T> {
    fn begin(shared: &'a Shared<T>, id: &'a str, verdict: Verdict) -> Self {
        shared.control.begin_flight(id);
        let turn = shared.store.read(Conversation::begun);
        let flight = Self { shared, id, verdict, turn };
        shared.keep_outbox();
        flight.tell(Some(flight.verdict.clone()));
        flight
    }

    /// True if the answer told how the turn goes on.
    fn confirm(&self, result: &crate::loopengine::TurnResult) -> bool {
        let (moved_on, is_over) = self.shared.store.update(|conversation| {
            conversation.confirm_decision(self.id, self.verdict.clone());
            if conversation.begun() != self.turn {
                return (true, false);
            }
            (conversation.apply_result(result), conversation.is_turn_over())
        });
        if is_over && !self.shared.control.is_reading() {
            // Whoever waits to join the turn need not.
            self.shared.control.hurry();
        }
        moved_on
    }

    fn land(&self, outcome: Result<()>) {
        if let Err(error) = &outcome {
            self.shared.store.update(|conversation| {
                conversation.fail_decision(self.id, self.verdict.clone(), error);
            });
            self.tell(None);
        }
        self.shared.control.end_flight(self.id, outcome);
        self.shared.keep_outbox();
    }

    fn tell(&self, verdict: Option<Verdict>) {
        if let (true, Some(session_id)) =
            (self.shared.platform.has_peers(), self.shared.session_id())
        {
            let what = Happened::Deciding { id: self.id.to_owned(), verdict };
            self.shared.platform.tell(&News { session_id, what });
        }
    }
}

impl<T: Transport> Drop for FlightGuard<'_, T> {
    fn drop(&mut self) {
        if self.shared.control.is_in_flight(self.id) {
            self.land(Err(Error::new(ErrorKind::Aborted, "the decision was dropped")));
        }
    }
}
