//! What ends a turn, and how its session is given back.

use super::session::Session;
use super::{Desk, Lines, Submission};
use crate::app;
use crate::config::Config;
use crate::engine::{Progress, SessionKey};
use crate::store::Driver;
use crate::turns::{LiveTurn, Turns};
use serde_json::Map;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use turnwire::agentskit::{
    SafeId, SessionSnapshot, TerminalTurn, TurnEvent, TurnOutcome, TurnPayload,
    decode_session_snapshot, decode_turn_event,
};
use turnwire::loopengine::{Content, HistoryMessage, Role};

const AGENT: &str = "customer-service";
/// Longer than any test.
const FOREVER: Duration = Duration::from_secs(60 * 60);

fn id(text: &str) -> SafeId {
    SafeId::new(text).unwrap()
}

async fn turns(step_delay: Duration) -> Turns {
    let config = Config { step_delay, ..Config::default() };
    app::turns(&config, Driver::Server).await.unwrap()
}

fn key(turns: &Turns) -> SessionKey {
    SessionKey { scope: turns.scope(AGENT), id: "s".into() }
}

async fn load(turns: &Turns) -> Session {
    Session::load(turns.store(), key(turns), id("s"), id(AGENT)).await.unwrap()
}

/// The session as it is stored.
async fn stored(turns: &Turns) -> SessionSnapshot {
    let text = turns.store().agentskit_session(&key(turns)).await.unwrap();
    decode_session_snapshot(&text.expect("a session")).unwrap()
}

/// The session as it is stored once no turn has it.
async fn given_back(turns: &Turns) -> SessionSnapshot {
    loop {
        let session = stored(turns).await;
        if session.active_turn.is_none() {
            return session;
        }
        tokio::task::yield_now().await;
    }
}

fn ended(turn: &str, outcome: TurnOutcome) -> Option<Vec<TerminalTurn>> {
    Some(vec![TerminalTurn { turn_id: id(turn), outcome }])
}

/// Starts a turn that is to be done by the deadline.
async fn submit(turns: &Turns, deadline: Instant) -> Lines {
    let submission = Submission { session: id("s"), turn: id("t-1"), input: "hello".into() };
    Desk::new(turns.clone(), FOREVER).submit(AGENT, submission, deadline).await.unwrap()
}

async fn next(lines: &mut Lines) -> Option<TurnEvent> {
    Some(decode_turn_event(&lines.next().await?).unwrap())
}

/// The turn of the engine that the session is at.
async fn live(turns: &Turns) -> Arc<LiveTurn> {
    let conversation = turns.conversation(&key(turns), None).await.unwrap();
    turns.live_turn(&conversation.turn.expect("a turn").id).unwrap()
}

/// Stops the session's turn and reads the only line that is left: the diagnostic's number and code.
async fn broken_off(turns: &Turns, lines: &mut Lines) -> (u64, String) {
    turns.cancel(&live(turns).await).await.unwrap();
    let event = next(lines).await.expect("a diagnostic");
    let TurnPayload::Diagnostic(diagnostic) = event.payload else { panic!("{event:?}") };
    assert!(diagnostic.retryable);
    assert_eq!(next(lines).await, None);
    (event.sequence, diagnostic.code.to_string())
}

#[tokio::test]
async fn a_turn_that_comes_to_its_end_is_completed() {
    let turns = turns(Duration::ZERO).await;
    let mut lines = submit(&turns, Instant::now() + FOREVER).await;
    while next(&mut lines).await.is_some() {}
    let session = stored(&turns).await;
    assert_eq!(session.active_turn, None);
    assert_eq!(session.terminal_turns, ended("t-1", TurnOutcome::Completed));
}

#[tokio::test]
async fn a_turn_that_is_stopped_in_time_is_completed_too() {
    let turns = turns(FOREVER).await;
    submit(&turns, Instant::now()).await;
    let session = given_back(&turns).await;
    assert_eq!(session.terminal_turns, ended("t-1", TurnOutcome::Completed));
}

#[tokio::test]
async fn a_session_that_somebody_else_saved_ends_the_stream_and_is_left_to_them() {
    let turns = turns(FOREVER).await;
    let mut lines = submit(&turns, Instant::now() + FOREVER).await;
    assert_eq!(next(&mut lines).await.unwrap().sequence, 2);
    load(&turns).await.advance().await.unwrap();
    // The number is the next one to what the turn has counted.
    assert_eq!(broken_off(&turns, &mut lines).await, (3, "SESSION_CONFLICT".into()));
    let session = stored(&turns).await;
    assert_eq!((session.cursor, session.terminal_turns), (3, None));
}

/// # Protocol
/// 1,666 messages fill the 10,000 nodes of a snapshot.
#[tokio::test]
async fn a_conversation_that_no_snapshot_can_hold_ends_the_stream() {
    let turns = turns(FOREVER).await;
    let mut lines = submit(&turns, Instant::now() + FOREVER).await;
    next(&mut lines).await.unwrap();
    let left = turns.store().unfinished().await.unwrap().remove(0);
    let (role, content) = (Role::Assistant, Content::Text("x".into()));
    let message = HistoryMessage { role, content, extra: Map::new() };
    let progress = Progress { messages: vec![message; 1_666], ..Progress::default() };
    turns.store().commit(left.row, &left.turn, &progress).await.unwrap();
    assert_eq!(broken_off(&turns, &mut lines).await, (4, "SERVER_INTERNAL".into()));
    let session = given_back(&turns).await;
    assert_eq!(session.terminal_turns, ended("t-1", TurnOutcome::Indeterminate));
}

#[tokio::test]
async fn a_session_whose_turn_is_unknown_after_a_restart_is_given_back_as_indeterminate() {
    let turns = turns(Duration::ZERO).await;
    load(&turns).await.claim(id("t-1"), FOREVER).await.unwrap();
    Desk::new(turns.clone(), FOREVER).resume().await.unwrap();
    let session = stored(&turns).await;
    assert_eq!(session.active_turn, None);
    assert_eq!(session.terminal_turns, ended("t-1", TurnOutcome::Indeterminate));
}
