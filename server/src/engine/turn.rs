//! A turn: where it stands, what it needs next, and how it takes what came of that.

use super::batch::{BatchCall, CallState};
use super::budget::Usage;
use super::effect::{Effect, Outcome, Progress, WrongOutcome};
use super::parts::{Prompt, Stamps, ToolError};
use super::session::SessionKey;
use super::{SKILL, emit, prompt};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use turnwire::loopengine::{Content, HistoryMessage, LoopEvent, Role};

const UNANSWERED: &str = "nobody answered in time";

/// How far an agent may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Model calls a turn.
    pub max_turns: u32,
    /// Tokens of context.
    pub budget_tokens: u64,
    /// How long a person may take over a decision; for ever where there is no limit.
    #[serde(default)]
    pub decision_time: Option<Duration>,
}

/// What a turn starts from.
#[derive(Debug, Clone)]
pub struct Opening {
    /// Its session.
    pub session: SessionKey,
    /// How far the agent may go.
    pub limits: Limits,
    /// What the user wrote.
    pub message: String,
}

/// One turn of a conversation, from the user's message to the answer.
///
/// It serialises whole but for the conversation, whose messages are stored one by one as they are
/// added: a turn that is read back gets them with [`Turn::restore`].
///
/// # Protocol
/// The order of events is the one that loopengine 8f93a10 was observed to send; where the prose of
/// Protocol v1 draws another (`approval:pending` after its decision), the observed one holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Turn {
    pub(super) session: SessionKey,
    pub(super) limits: Limits,
    pub(super) message: String,
    pub(super) step: Step,
    pub(super) model_calls: u32,
    pub(super) is_nudged: bool,
    /// Leading messages of the conversation that the prompt leaves out.
    pub(super) left_out: usize,
    /// Where the turn's own message stands in the conversation.
    pub(super) user_at: usize,
    pub(super) usage: Option<Usage>,
    pub(super) batch: Vec<BatchCall>,
    #[serde(skip)]
    pub(super) transcript: Vec<HistoryMessage>,
}

/// Where a turn stands; `call` is the place of a call in the batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "snake_case")]
pub(super) enum Step {
    /// Waiting for its place in the session.
    Queued,
    /// Waiting for the model, which has refused the prompt so often.
    Thinking { recoveries: u8 },
    /// Waiting for a ruling on a call, or for a skill's text.
    Gating { call: usize },
    /// Waiting for a person's verdict.
    Approval { call: usize, id: String, reason: String },
    /// About to run a call.
    Starting { call: usize },
    /// Running a call: what comes of it is unknown until its outcome is stored.
    Running { call: usize },
    /// Waiting for a person's answer.
    Question { call: usize, id: String },
    /// Over.
    Over,
}

impl Turn {
    /// Opens a turn; its first event is in the progress.
    #[must_use]
    pub fn open(opening: Opening) -> (Self, Progress) {
        let progress =
            Progress { events: vec![emit::session(&opening.session.id)], messages: Vec::new() };
        let turn = Self {
            session: opening.session,
            limits: opening.limits,
            message: opening.message,
            step: Step::Queued,
            model_calls: 0,
            is_nudged: false,
            left_out: 0,
            user_at: 0,
            usage: None,
            batch: Vec::new(),
            transcript: Vec::new(),
        };
        (turn, progress)
    }

    /// Gives a turn that was read back its conversation, including what it added itself.
    pub fn restore(&mut self, transcript: Vec<HistoryMessage>) {
        self.transcript = transcript;
    }

    /// The turn's session.
    #[must_use]
    pub fn session(&self) -> &SessionKey {
        &self.session
    }

    /// What the user wrote.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where the user's message stands in the conversation; none where it is not there, since the
    /// turn has not begun or was stopped before it had.
    #[must_use]
    pub fn user_at(&self) -> Option<usize> {
        // To begin is to start a round, and a round counts a model call at once.
        (self.model_calls > 0).then_some(self.user_at)
    }

    /// How many messages of the session the prompt leaves out.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Whether it is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.step == Step::Over
    }

    /// Whether it still waits for its place in the session.
    #[must_use]
    pub fn is_queued(&self) -> bool {
        self.step == Step::Queued
    }

    /// The id of the item that it waits for, if it does.
    #[must_use]
    pub fn pending_item(&self) -> Option<&str> {
        match &self.step {
            Step::Approval { id, .. } | Step::Question { id, .. } => Some(id),
            Step::Queued
            | Step::Thinking { .. }
            | Step::Gating { .. }
            | Step::Starting { .. }
            | Step::Running { .. }
            | Step::Over => None,
        }
    }

    /// The calls of the round that it is in, and how far each has come.
    pub fn calls(&self) -> impl Iterator<Item = (&super::Call, CallState)> {
        let asked = match &self.step {
            Step::Approval { call, .. } | Step::Question { call, .. } => Some(*call),
            _ => None,
        };
        let running = match &self.step {
            Step::Running { call } => Some(*call),
            _ => None,
        };
        self.batch.iter().enumerate().map(move |(at, entry)| {
            let state = match entry.result_block() {
                Some(result) => CallState::Ended(result),
                None if asked == Some(at) => CallState::Asked,
                None if running == Some(at) => CallState::Running,
                None => CallState::Pending,
            };
            (&entry.call, state)
        })
    }

    /// What it needs next; the same until an outcome is applied.
    #[must_use]
    pub fn effect(&self) -> Effect<'_> {
        match &self.step {
            Step::Queued => Effect::LoadSession,
            Step::Thinking { .. } => Effect::CallModel(self.prompt()),
            Step::Gating { call } => self.gate_effect(*call),
            Step::Approval { id, .. } => Effect::AwaitApproval(id),
            Step::Question { id, .. } => Effect::AwaitAnswer(id),
            Step::Starting { call } => self.call_effect(*call, Effect::StartTool),
            Step::Running { call } => self.call_effect(*call, Effect::RunTool),
            Step::Over => Effect::Nothing,
        }
    }

    /// Takes what came of the effect and goes on to the next one.
    ///
    /// # Errors
    /// [`WrongOutcome`] for the outcome of another effect.
    pub fn apply(
        &mut self,
        outcome: Outcome,
        stamps: &dyn Stamps,
    ) -> Result<Progress, WrongOutcome> {
        let mut progress = Progress::default();
        let to = &mut progress;
        match (self.step.clone(), outcome) {
            (Step::Over, _) => return Err(WrongOutcome),
            (_, Outcome::Failed(text)) => self.fail(&text, to),
            (Step::Queued, Outcome::SessionLoaded { history, left_out }) => {
                self.begin(history, left_out, to);
            }
            (Step::Thinking { recoveries }, Outcome::Replied(reply)) => {
                self.replied(reply, recoveries, stamps, to);
            }
            (Step::Gating { call }, Outcome::Judged(ruling)) => {
                self.judged(call, ruling, stamps, to);
            }
            (Step::Gating { call }, Outcome::SkillLoaded(text)) => {
                self.skill_loaded(call, text, stamps, to);
            }
            (Step::Approval { call, reason, .. }, Outcome::Decided { approved }) => {
                self.decided(call, &reason, approved, to);
                self.gate_from(call + 1, stamps, to);
            }
            (Step::Approval { call, reason, .. }, Outcome::Expired) => {
                self.expired(call, &reason, to);
                self.gate_from(call + 1, stamps, to);
            }
            (Step::Starting { call }, Outcome::ToolStarted) => self.step = Step::Running { call },
            (Step::Running { call }, Outcome::ToolEnded(result)) => {
                self.tool_ended(call, result, to);
                self.run_from(call + 1, stamps, to);
            }
            (Step::Running { call }, Outcome::Interrupted) => {
                self.interrupted(call, to);
                self.run_from(call + 1, stamps, to);
            }
            (Step::Question { call, .. }, Outcome::Answered(text)) => {
                self.tool_ended(call, Ok(text.into()), to);
                self.run_from(call + 1, stamps, to);
            }
            (Step::Question { call, .. }, Outcome::Expired) => {
                self.tool_ended(call, Err(ToolError(UNANSWERED.into())), to);
                self.run_from(call + 1, stamps, to);
            }
            _ => return Err(WrongOutcome),
        }
        Ok(progress)
    }

    /// Adds a message to the conversation.
    pub(super) fn say(&mut self, role: Role, content: Content, to: &mut Progress) {
        self.add(HistoryMessage::new(role, content), to);
    }

    pub(super) fn add(&mut self, message: HistoryMessage, to: &mut Progress) {
        self.transcript.push(message.clone());
        to.messages.push(message);
    }

    fn prompt(&self) -> Prompt {
        Prompt {
            messages: prompt::messages(&self.transcript, self.left_out, self.user_at),
            budget_tokens: self.limits.budget_tokens,
        }
    }

    fn gate_effect(&self, call: usize) -> Effect<'_> {
        self.call_effect(call, |call| match call.tool.as_str() {
            SKILL => Effect::LoadSkill(skill_name(call)),
            _ => Effect::Judge(call),
        })
    }

    /// Invariant: a step's call is in the batch; `Nothing` only stands in for a panic.
    fn call_effect<'a>(
        &'a self,
        call: usize,
        effect: impl FnOnce(&'a super::Call) -> Effect<'a>,
    ) -> Effect<'a> {
        self.batch.get(call).map_or(Effect::Nothing, |entry| effect(&entry.call))
    }
}

/// The skill that a call of the skill tool names.
pub(super) fn skill_name(call: &super::Call) -> &str {
    call.args.get("skill").and_then(serde_json::Value::as_str).unwrap_or_default()
}

impl Progress {
    pub(super) fn emit(&mut self, event: LoopEvent) {
        self.events.push(event);
    }
}
