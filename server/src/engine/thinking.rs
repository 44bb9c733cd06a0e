//! The rounds of a turn: budget, model, and what the model's reply leads to.

use super::batch::BatchCall;
use super::budget::{Reading, Usage, estimate_tokens};
use super::effect::Progress;
use super::parts::{ModelError, Reply, Stamps};
use super::turn::{Step, Turn};
use super::{emit, prompt};
use turnwire::loopengine::{Block, Content, HistoryMessage, Role};

/// How often a prompt is shortened for one model call.
const MAX_RECOVERIES: u8 = 3;

impl Turn {
    /// Takes its place in the session.
    pub(super) fn begin(
        &mut self,
        history: Vec<HistoryMessage>,
        left_out: usize,
        to: &mut Progress,
    ) {
        self.transcript = history;
        self.left_out = left_out.min(self.transcript.len());
        self.close_interrupted_calls(to);
        self.user_at = self.transcript.len();
        self.say(Role::User, Content::Text(self.message.clone()), to);
        self.next_round(to);
    }

    /// Starts a round, or stops at the limit of rounds.
    pub(super) fn next_round(&mut self, to: &mut Progress) {
        if self.model_calls >= self.limits.max_turns {
            return self.stop_at_max_turns(to);
        }
        self.model_calls += 1;
        let reading = Reading::new(self.used_tokens(), self.limits.budget_tokens);
        to.emit(reading.to_event());
        if let (Some(nudge), false) = (reading.nudge(), self.is_nudged) {
            self.is_nudged = true;
            self.say(Role::System, Content::Text(nudge.content), to);
        }
        self.step = Step::Thinking { recoveries: 0 };
    }

    pub(super) fn replied(
        &mut self,
        reply: Result<Reply, ModelError>,
        recoveries: u8,
        stamps: &dyn Stamps,
        to: &mut Progress,
    ) {
        match reply {
            Ok(reply) if reply.calls.is_empty() => self.finish(reply, to),
            Ok(reply) => self.take_calls(reply, stamps, to),
            Err(ModelError::PromptTooLong) if recoveries < MAX_RECOVERIES => {
                self.compact(to);
                self.step = Step::Thinking { recoveries: recoveries + 1 };
            }
            Err(error) => self.fail(&error.to_string(), to),
        }
    }

    fn take_calls(&mut self, reply: Reply, stamps: &dyn Stamps, to: &mut Progress) {
        self.batch = reply.calls.into_iter().map(BatchCall::new).collect();
        let text = (!reply.text.is_empty()).then_some(reply.text);
        if let Some(text) = &text {
            to.emit(emit::assistant_text(text));
        }
        let blocks = text
            .map(|text| Block::Text { text })
            .into_iter()
            .chain(self.batch.iter().map(BatchCall::to_use_block))
            .collect();
        self.say(Role::Assistant, Content::Blocks(blocks), to);
        self.usage =
            reply.used_tokens.map(|tokens| Usage { tokens, messages: self.transcript.len() });
        self.gate_from(0, stamps, to);
    }

    fn compact(&mut self, to: &mut Progress) {
        let from = prompt::len(&self.transcript, self.left_out, self.user_at);
        self.left_out =
            prompt::left_out_after_compaction(&self.transcript, self.left_out, self.user_at);
        self.usage = None;
        let now = prompt::len(&self.transcript, self.left_out, self.user_at);
        to.emit(emit::prompt_compaction(from, now));
    }

    /// What the model counted plus an estimate of what came since; an estimate where it never did.
    fn used_tokens(&self) -> u64 {
        match self.usage {
            Some(usage) => {
                let since = self.transcript.get(usage.messages..).unwrap_or_default();
                usage.tokens + estimate_tokens(since)
            }
            None => {
                estimate_tokens(&prompt::messages(&self.transcript, self.left_out, self.user_at))
            }
        }
    }
}
