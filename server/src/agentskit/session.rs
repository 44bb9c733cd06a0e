//! A session's lease: one turn at a time has it, and every save counts the session's cursor up.
//!
//! # Protocol
//! As observed in AgentsKit-io/agentskit-chat@9836963. Who saves names the cursor that it has read,
//! and a save over another one fails. Verdicts on calls are kept with the turns of the engine, so
//! the snapshot's list of confirmations stays empty.

use super::Fault;
use crate::engine::SessionKey;
use crate::store::{Store, StoreError};
use jiff::Timestamp;
use std::time::Duration;
use turnwire::agentskit::{
    ActiveTurn, SafeId, SessionSnapshot, TerminalTurn, Timestamp as WrittenTime, TurnOutcome,
    decode_session_snapshot,
};

/// How many ended turns are remembered: a turn is not taken twice within so many.
const MAX_TERMINAL_TURNS: usize = 64;

/// Agents have no revisions here.
const REVISION: u64 = 1;

/// A session as one request has it.
#[derive(Debug)]
pub(super) struct Session {
    store: Store,
    key: SessionKey,
    snapshot: SessionSnapshot,
    is_stored: bool,
}

/// The time of now, as the protocol writes it.
pub(super) fn now() -> String {
    format!("{:.3}", Timestamp::now())
}

impl Session {
    /// The session as it is stored, or a new one, which is stored with its first turn.
    ///
    /// # Errors
    /// `Internal` where the store fails, or what is stored is not this session.
    pub(super) async fn load(
        store: &Store,
        key: SessionKey,
        session: SafeId,
        definition: SafeId,
    ) -> Result<Self, Fault> {
        let stored = store.agentskit_session(&key).await?;
        let is_stored = stored.is_some();
        let snapshot = match stored {
            Some(text) => checked(&text, &session, &definition)?,
            None => fresh(session, definition)?,
        };
        Ok(Self { store: store.clone(), key, snapshot, is_stored })
    }

    /// Where it is kept.
    pub(super) fn key(&self) -> &SessionKey {
        &self.key
    }

    /// The session.
    pub(super) fn id(&self) -> &SafeId {
        &self.snapshot.session_id
    }

    /// How often it was saved.
    pub(super) fn cursor(&self) -> u64 {
        self.snapshot.cursor
    }

    /// The turn that has the session, or else had it last.
    pub(super) fn latest_turn(&self) -> Option<&SafeId> {
        let active = self.snapshot.active_turn.as_ref().map(|turn| &turn.turn_id);
        let ended = self.snapshot.terminal_turns.as_deref().unwrap_or_default();
        active.or_else(|| ended.last().map(|turn| &turn.turn_id))
    }

    /// Takes the session for a turn.
    ///
    /// # Errors
    /// `Busy` where another turn has it or this one had it; `Conflict` where another one was faster.
    pub(super) async fn claim(&mut self, turn: SafeId, lease: Duration) -> Result<(), Fault> {
        let now = after(Duration::ZERO);
        let is_taken = self.snapshot.active_turn.as_ref().is_some_and(|turn| is_live(turn, now));
        if is_taken || self.has_had(&turn) {
            return Err(Fault::Busy);
        }
        let expires_at = after(lease);
        self.save(|snapshot| {
            snapshot.active_turn = Some(ActiveTurn { turn_id: turn, expires_at });
        })
        .await
    }

    /// Keeps the session for the turn that has it.
    ///
    /// # Errors
    /// `Conflict` where the session is somebody else's by now.
    pub(super) async fn keep(&mut self, lease: Duration) -> Result<(), Fault> {
        self.save(|snapshot| {
            if let Some(active) = &mut snapshot.active_turn {
                active.expires_at = after(lease);
            }
        })
        .await
    }

    /// Counts the cursor up, for a snapshot of the turn.
    ///
    /// # Errors
    /// `Conflict` where the session is somebody else's by now.
    pub(super) async fn advance(&mut self) -> Result<(), Fault> {
        self.save(|_| ()).await
    }

    /// Gives the session back; nothing where no turn has it.
    ///
    /// # Errors
    /// `Conflict` where the session is somebody else's by now.
    pub(super) async fn release(&mut self, outcome: TurnOutcome) -> Result<(), Fault> {
        let Some(active) = self.snapshot.active_turn.clone() else { return Ok(()) };
        self.save(|snapshot| {
            snapshot.active_turn = None;
            let ended = snapshot.terminal_turns.get_or_insert_default();
            ended.retain(|turn| turn.turn_id != active.turn_id);
            ended.push(TerminalTurn { turn_id: active.turn_id, outcome });
            ended.drain(..ended.len().saturating_sub(MAX_TERMINAL_TURNS));
        })
        .await
    }

    fn has_had(&self, turn: &SafeId) -> bool {
        let ended = self.snapshot.terminal_turns.as_deref().unwrap_or_default();
        ended.iter().any(|ended| ended.turn_id == *turn)
    }

    /// Saves a change; a session that could not be saved is as it was.
    async fn save(&mut self, change: impl FnOnce(&mut SessionSnapshot)) -> Result<(), Fault> {
        let mut next = self.snapshot.clone();
        change(&mut next);
        next.cursor += 1;
        next.updated_at = WrittenTime::new(now())?;
        let text = serde_json::to_string(&next).map_err(StoreError::from)?;
        let expected = self.is_stored.then_some(self.snapshot.cursor);
        let saving = self.store.save_agentskit_session(&self.key, &text, next.cursor, expected);
        if !saving.await? {
            return Err(Fault::Conflict);
        }
        self.snapshot = next;
        self.is_stored = true;
        Ok(())
    }
}

/// The sessions that a turn has, as an earlier run of the server left them, each with its turn.
///
/// # Errors
/// [`StoreError`] where the store fails.
pub(super) async fn left(store: &Store) -> Result<Vec<(Session, SafeId)>, StoreError> {
    let active = store.active_agentskit_sessions().await?;
    Ok(active.into_iter().filter_map(|(key, text)| left_one(store, key, &text)).collect())
}

fn left_one(store: &Store, key: SessionKey, text: &str) -> Option<(Session, SafeId)> {
    let Ok(snapshot) = decode_session_snapshot(text) else {
        tracing::warn!(session = key.id, "a stored session cannot be read");
        return None;
    };
    let turn = snapshot.active_turn.as_ref()?.turn_id.clone();
    Some((Session { store: store.clone(), key, snapshot, is_stored: true }, turn))
}

/// Whether a turn still has its session: at the very moment when its lease ends it does not.
fn is_live(turn: &ActiveTurn, now: u64) -> bool {
    turn.expires_at > now
}

/// The time after a while, in milliseconds since 1970.
fn after(wait: Duration) -> u64 {
    let now = u64::try_from(Timestamp::now().as_millisecond()).unwrap_or(0);
    now.saturating_add(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX))
}

fn checked(text: &str, session: &SafeId, definition: &SafeId) -> Result<SessionSnapshot, Fault> {
    let snapshot = decode_session_snapshot(text).map_err(|diagnostic| {
        tracing::error!(%diagnostic, "a stored session cannot be read");
        Fault::Internal
    })?;
    let is_this = snapshot.session_id == *session
        && snapshot.definition_id == *definition
        && snapshot.definition_revision == REVISION;
    if is_this { Ok(snapshot) } else { Err(Fault::Internal) }
}

fn fresh(session_id: SafeId, definition_id: SafeId) -> Result<SessionSnapshot, Fault> {
    Ok(SessionSnapshot {
        session_id,
        definition_id,
        definition_revision: REVISION,
        updated_at: WrittenTime::new(now())?,
        cursor: 0,
        active_turn: None,
        terminal_turns: None,
        conversation: None,
        confirmations: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Scope;
    use crate::store::DataPlace;

    const LEASE: Duration = Duration::from_secs(45);

    fn id(text: &str) -> SafeId {
        SafeId::new(text).unwrap()
    }

    async fn load(store: &Store) -> Session {
        let scope = Scope { tenant: "t".into(), environment: "e".into(), agent: "a".into() };
        let key = SessionKey { scope, id: "s".into() };
        Session::load(store, key, id("s"), id("a")).await.unwrap()
    }

    #[tokio::test]
    async fn one_turn_at_a_time_has_the_session_and_none_has_it_twice() {
        let store = Store::open(&DataPlace::Memory).await.unwrap();
        let mut first = load(&store).await;
        first.claim(id("t-1"), LEASE).await.unwrap();
        first.advance().await.unwrap();
        assert_eq!(first.cursor(), 2);
        for turn in ["t-1", "t-2"] {
            assert_eq!(load(&store).await.claim(id(turn), LEASE).await, Err(Fault::Busy), "{turn}");
        }
        first.release(TurnOutcome::Completed).await.unwrap();
        assert_eq!(load(&store).await.claim(id("t-1"), LEASE).await, Err(Fault::Busy));
        load(&store).await.claim(id("t-2"), LEASE).await.unwrap();
        assert_eq!(load(&store).await.cursor(), 4);
    }

    #[tokio::test]
    async fn of_two_who_have_read_the_same_one_takes_the_session() {
        let store = Store::open(&DataPlace::Memory).await.unwrap();
        let (mut first, mut second) = (load(&store).await, load(&store).await);
        second.claim(id("t-2"), LEASE).await.unwrap();
        assert_eq!(first.claim(id("t-1"), LEASE).await, Err(Fault::Conflict));
        assert_eq!(first.cursor(), 0);
    }

    #[tokio::test]
    async fn a_lease_that_is_over_is_free_and_its_old_holder_is_told() {
        let store = Store::open(&DataPlace::Memory).await.unwrap();
        let mut slow = load(&store).await;
        slow.claim(id("t-1"), Duration::ZERO).await.unwrap();
        load(&store).await.claim(id("t-2"), LEASE).await.unwrap();
        assert_eq!(slow.advance().await, Err(Fault::Conflict));
        assert_eq!(slow.release(TurnOutcome::Completed).await, Err(Fault::Conflict));
    }

    #[test]
    fn a_lease_ends_at_its_very_moment() {
        let turn = ActiveTurn { turn_id: id("t-1"), expires_at: 7 };
        assert_eq!([6, 7, 8].map(|now| is_live(&turn, now)), [true, false, false]);
    }

    #[tokio::test]
    async fn a_turn_whose_lease_is_over_may_take_its_session_again() {
        let store = Store::open(&DataPlace::Memory).await.unwrap();
        load(&store).await.claim(id("t-1"), Duration::ZERO).await.unwrap();
        load(&store).await.claim(id("t-1"), LEASE).await.unwrap();
        assert_eq!(load(&store).await.claim(id("t-1"), LEASE).await, Err(Fault::Busy));
    }

    #[tokio::test]
    async fn what_is_given_back_twice_or_was_never_taken_stays_as_it_is() {
        let store = Store::open(&DataPlace::Memory).await.unwrap();
        let mut session = load(&store).await;
        session.release(TurnOutcome::Completed).await.unwrap();
        assert_eq!(session.cursor(), 0);
        session.claim(id("t-1"), LEASE).await.unwrap();
        session.release(TurnOutcome::Completed).await.unwrap();
        session.release(TurnOutcome::Indeterminate).await.unwrap();
        assert_eq!(load(&store).await.cursor(), 2);
    }

    #[tokio::test]
    async fn the_last_64_turns_are_remembered() {
        let store = Store::open(&DataPlace::Memory).await.unwrap();
        for turn in 0..65 {
            let mut session = load(&store).await;
            session.claim(id(&format!("t-{turn}")), LEASE).await.unwrap();
            session.release(TurnOutcome::Completed).await.unwrap();
        }
        let mut session = load(&store).await;
        assert_eq!(session.claim(id("t-1"), LEASE).await, Err(Fault::Busy));
        session.claim(id("t-0"), LEASE).await.unwrap();
    }

    #[tokio::test]
    async fn what_is_stored_for_another_agent_is_refused() {
        let store = Store::open(&DataPlace::Memory).await.unwrap();
        let mut session = load(&store).await;
        session.claim(id("t-1"), LEASE).await.unwrap();
        let again = Session::load(&store, session.key.clone(), id("s"), id("b")).await;
        assert_eq!(again.err(), Some(Fault::Internal));
    }

    #[tokio::test]
    async fn what_is_stored_and_is_not_this_session_is_refused() {
        let store = Store::open(&DataPlace::Memory).await.unwrap();
        let mut session = load(&store).await;
        session.claim(id("t-1"), LEASE).await.unwrap();
        let key = session.key.clone();
        let sound = store.agentskit_session(&key).await.unwrap().unwrap();
        for (cursor, (from, to)) in (1..).zip([
            (r#""version":1"#, r#""version":2"#),
            (r#""definitionRevision":1"#, r#""definitionRevision":2"#),
            (r#""sessionId":"s""#, r#""sessionId":"t""#),
            (r#""confirmations":[]"#, r#""confirmations":null"#),
        ]) {
            assert!(sound.contains(from), "{from}");
            let other = sound.replace(from, to);
            let saving = store.save_agentskit_session(&key, &other, cursor + 1, Some(cursor));
            assert!(saving.await.unwrap());
            let again = Session::load(&store, key.clone(), id("s"), id("a")).await;
            assert_eq!(again.err(), Some(Fault::Internal), "{to}");
        }
    }
}
