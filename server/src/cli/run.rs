//! `turnwire-server run`: one turn, driven in this process.

use super::RunOptions;
use super::ask::{self, Item};
use crate::app;
use crate::store::Driver;
use crate::turns::{LiveTurn, Message, Started, Turns};
use std::error::Error;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use turnwire::loopengine::{LoopEvent, to_ndjson};

/// Exit code where a decision is needed and nobody is there to ask.
const DECISION_NEEDED: u8 = 3;

/// How a turn ended, for the exit code.
enum End {
    Answered,
    Failed,
    DecisionNeeded,
}

/// Runs one turn.
///
/// # Protocol
/// loopengine Protocol v1, "CLI": with `--json` one event a line on stdout and nothing else there;
/// without it only the answer on stdout and the events on stderr.
pub async fn run(options: RunOptions) -> ExitCode {
    match try_run(options).await {
        Ok(End::Answered) => ExitCode::SUCCESS,
        Ok(End::Failed) => ExitCode::FAILURE,
        Ok(End::DecisionNeeded) => ExitCode::from(DECISION_NEEDED),
        Err(error) => {
            eprintln!("turnwire-server: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn try_run(options: RunOptions) -> Result<End, Box<dyn Error>> {
    let config = options.shared.into_config()?;
    let turns = app::turns(&config, Driver::Command).await?;
    let agent = turns
        .agents()
        .get(&options.agent)
        .cloned()
        .ok_or_else(|| format!("unknown agent '{}'", options.agent))?;
    if options.message.is_empty() {
        return Err("message is required".into());
    }
    let message = Message { session: options.session, text: options.message, key: None };
    let Started::Turn(turn) = turns.start(&agent, message).await? else {
        return Err("the message has a name that is taken".into());
    };
    let end = follow(&turns, &turn, options.json).await?;
    turns.stop().await;
    turns.store().close().await;
    Ok(end)
}

async fn follow(turns: &Turns, turn: &Arc<LiveTurn>, json: bool) -> Result<End, Box<dyn Error>> {
    let mut follower = turn.follow(0);
    while let Some(event) = follower.next().await {
        print(&event, json)?;
        if let Some(item) = Item::of(&event)
            && !decided(turns, item).await?
        {
            return Ok(End::DecisionNeeded);
        }
        match event {
            LoopEvent::Done(_) => return Ok(End::Answered),
            LoopEvent::Error(_) => return Ok(End::Failed),
            _ => {}
        }
    }
    Ok(End::Failed)
}

/// Prints an event where it belongs. Writing fails where the reader is gone, and `print!` would
/// panic then.
fn print(event: &LoopEvent, json: bool) -> std::io::Result<()> {
    let line = to_ndjson(event);
    if json {
        return std::io::stdout().write_all(line.as_bytes());
    }
    std::io::stderr().write_all(line.as_bytes())?;
    match event {
        LoopEvent::Done(done) => writeln!(std::io::stdout(), "{}", done.text),
        _ => Ok(()),
    }
}

/// Asks for the decision; false where nobody is there, and the item is on stderr then.
async fn decided(turns: &Turns, item: Item) -> Result<bool, Box<dyn Error>> {
    if !ask::is_somebody_there() {
        eprintln!("{}", item.to_json());
        return Ok(false);
    }
    let id = item.id().to_owned();
    let decision = tokio::task::spawn_blocking(move || item.ask()).await??;
    let Some(decision) = decision else {
        return Ok(false);
    };
    turns.decide(&id, decision).await?;
    Ok(true)
}
