//! Driving a turn: carry an effect out, store what came of it, then tell those who follow.

use super::{Job, LiveTurn, Phase, Turns};
use crate::engine::{Effect, Gate, Outcome, Progress, Tools, Turn};
use crate::store::{Decision, Settled, StoreError};
use crate::tools::Toolbox;
use jiff::Timestamp;
use std::sync::Arc;
use turnwire::json::JsonObject;
use turnwire::loopengine::{LoopEvent, TurnError};

/// What is said where the server itself failed; the log has the details.
pub(crate) const INTERNAL: &str = "the server failed; its log has the details";

/// What a turn ends with that somebody stopped.
pub(super) const CANCELLED: &str = "cancelled";

/// Why a turn is not driven on.
enum Halt {
    /// The server is stopping.
    Stopping,
    /// Something is wrong with the server.
    Broken(String),
}

impl Turns {
    /// Drives a turn to its end on a task of its own.
    pub(super) fn drive(&self, job: Job) {
        let live = Arc::clone(&job.live);
        self.live().insert(live.id().to_owned(), Arc::clone(&live));
        self.inner.driven.send_modify(|count| *count += 1);
        let turns = self.clone();
        let steps = tokio::spawn(async move { turns.run(job).await });
        let turns = self.clone();
        tokio::spawn(async move {
            let halt = match steps.await {
                Ok(Ok(())) => None,
                Ok(Err(halt)) => Some(halt),
                Err(error) => Some(Halt::Broken(error.to_string())),
            };
            turns.let_go(&live, halt);
        });
    }

    /// The turn is driven no more, for whatever reason.
    fn let_go(&self, live: &LiveTurn, halt: Option<Halt>) {
        self.live().remove(live.id());
        match halt {
            None => {}
            Some(Halt::Stopping) => live.log.publish(Vec::new(), Phase::Left),
            Some(Halt::Broken(reason)) => {
                tracing::error!(turn = live.id(), reason, "a turn broke");
                self.broken().insert(live.id().to_owned());
                live.log.publish(vec![broken()], Phase::Broken);
            }
        }
        self.inner.driven.send_modify(|count| *count -= 1);
    }

    async fn run(&self, mut job: Job) -> Result<(), Halt> {
        let live = Arc::clone(&job.live);
        tokio::select! {
            () = live.cancelled() => {}
            waited = self.unless_stopping(job.place.wait()) => waited?,
        }
        while !job.turn.is_over() {
            let outcome = self.outcome(&job).await?;
            self.step(&mut job, outcome).await?;
        }
        tracing::info!(turn = job.live.id(), "turn over");
        Ok(())
    }

    async fn step(&self, job: &mut Job, outcome: Outcome) -> Result<(), Halt> {
        let stamps = &*self.inner.parts.stamps;
        let applied = job.turn.apply(outcome, stamps);
        let progress: Progress = applied.map_err(|error| Halt::Broken(error.to_string()))?;
        self.store().commit(job.row, &job.turn, &progress).await.map_err(Halt::from)?;
        job.live.log.publish(progress.events, phase(&job.turn));
        Ok(())
    }

    /// What comes of the turn's effect, or that it is to stop: a tool that runs is waited for, and
    /// nothing starts after it.
    async fn outcome(&self, job: &Job) -> Result<Outcome, Halt> {
        let cancelled = || Ok(Outcome::Failed(CANCELLED.into()));
        if job.live.is_cancelled() {
            return cancelled();
        }
        if matches!(job.turn.effect(), Effect::RunTool(_)) {
            return self.carry_out(job).await;
        }
        tokio::select! {
            () = job.live.cancelled() => cancelled(),
            outcome = self.carry_out(job) => outcome,
        }
    }

    async fn carry_out(&self, job: &Job) -> Result<Outcome, Halt> {
        match job.turn.effect() {
            Effect::LoadSession => {
                let (history, left_out) = self.store().session(job.turn.session()).await?;
                Ok(Outcome::SessionLoaded { history, left_out })
            }
            Effect::CallModel(prompt) => {
                self.pace().await?;
                let reply = self.unless_stopping(job.agent.model.reply(&prompt)).await?;
                Ok(Outcome::Replied(reply))
            }
            Effect::Judge(call) => {
                let scope = &job.turn.session().scope;
                Ok(Outcome::Judged(job.agent.rules.judge(scope, call)))
            }
            Effect::LoadSkill(name) => {
                Ok(Outcome::SkillLoaded(job.agent.skills.get(name).cloned()))
            }
            Effect::AwaitApproval(id) | Effect::AwaitAnswer(id) => {
                self.unless_stopping(self.decision(&job.live, id)).await?
            }
            Effect::StartTool(_) => {
                self.pace().await?;
                Ok(Outcome::ToolStarted)
            }
            // A tool that has started is waited for even while the server stops: cutting it off
            // would leave nobody knowing what it did.
            Effect::RunTool(call) => {
                let tools = Toolbox::new(job.agent.tools.clone(), self.store().clone());
                let result = tools.run(job.turn.session(), call).await;
                Ok(Outcome::ToolEnded(result))
            }
            Effect::Nothing => Err(Halt::Broken("the turn asks for nothing".into())),
        }
    }

    /// Waits for what becomes of an item; the store has it before the bell rings.
    async fn decision(&self, live: &LiveTurn, id: &str) -> Result<Outcome, Halt> {
        let deadline = live.log.deadline(id);
        loop {
            if let Some(settled) = self.store().settled(id).await? {
                return Ok(outcome(settled));
            }
            tokio::select! {
                () = live.decided.notified() => {}
                () = until(deadline) => self.store().expire(id).await?,
            }
        }
    }

    async fn pace(&self) -> Result<(), Halt> {
        let delay = self.inner.parts.step_delay;
        match delay.is_zero() {
            true => Ok(()),
            false => self.unless_stopping(tokio::time::sleep(delay)).await,
        }
    }

    async fn unless_stopping<T>(&self, future: impl Future<Output = T>) -> Result<T, Halt> {
        let mut is_stopping = self.inner.is_stopping.subscribe();
        tokio::select! {
            biased;
            _ = is_stopping.wait_for(|is_stopping| *is_stopping) => Err(Halt::Stopping),
            value = future => Ok(value),
        }
    }
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Self {
        Self::Broken(error.to_string())
    }
}

fn outcome(settled: Settled) -> Outcome {
    match settled {
        Settled::Decided(Decision::Approve) => Outcome::Decided { approved: true },
        Settled::Decided(Decision::Deny) => Outcome::Decided { approved: false },
        Settled::Decided(Decision::Answer(text)) => Outcome::Answered(text),
        Settled::Expired => Outcome::Expired,
    }
}

/// Done at the deadline; never without one. The system's clock counts, since a deadline outlives
/// the process.
async fn until(deadline: Option<Timestamp>) {
    let Some(deadline) = deadline else { return std::future::pending().await };
    let left = deadline.duration_since(Timestamp::now());
    tokio::time::sleep(left.try_into().unwrap_or_default()).await;
}

pub(super) fn phase(turn: &Turn) -> Phase {
    match turn.pending_item() {
        Some(id) => Phase::Waiting(id.to_owned()),
        None if turn.is_over() => Phase::Over,
        None => Phase::Running,
    }
}

/// What followers of a turn are told that the server cannot go on with.
fn broken() -> LoopEvent {
    TurnError { error: INTERNAL.into(), extra: JsonObject::new() }.into()
}
