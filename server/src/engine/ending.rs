//! The ends of a turn.

use super::batch::{BatchCall, Denier};
use super::effect::Progress;
use super::parts::Reply;
use super::turn::{Step, Turn};
use super::{ORDERED_CONTENT, emit};
use turnwire::loopengine::{Block, Content, HistoryMessage, Role, StopReason};

impl Turn {
    /// The model gave its answer.
    ///
    /// # Protocol
    /// Our choice, additive: ordered content stands beside the text in the conversation, so that
    /// clients of either protocol have something to show.
    pub(super) fn finish(&mut self, reply: Reply, to: &mut Progress) {
        let text = reply.text;
        let mut message = HistoryMessage::new(Role::Assistant, Content::Text(text.clone()));
        if let Some(ordered) = reply.ordered {
            message.extra.insert(ORDERED_CONTENT.into(), ordered.into());
        }
        self.add(message, to);
        to.emit(emit::loop_done(&text));
        to.emit(emit::done(&text, None));
        self.step = Step::Over;
    }

    pub(super) fn stop_at_max_turns(&mut self, to: &mut Progress) {
        let limit = self.limits.max_turns;
        to.emit(emit::max_turns(limit));
        let text = format!(
            "Stopped after {limit} turns without a final answer — the agent may be stuck in a loop."
        );
        self.stop(&text, StopReason::MaxTurns, to);
    }

    /// A call was denied: its siblings are skipped, and the turn stops.
    pub(super) fn stop_denied(&mut self, to: &mut Progress) {
        let denied = self.tools_denied(|entry| entry.is_denied());
        let why = format!("a sibling tool call in this turn ({}) was denied", denied.join(", "));
        for entry in self.batch.iter().filter(|entry| is_skipped(entry)) {
            to.emit(emit::skipped(&entry.call, &denied));
            to.emit(emit::tool_result(&entry.call, &why, "Skipped."));
        }
        to.emit(emit::denied(&denied));
        let text = self.denial();
        self.close_batch(&format!("skipped: {why}"), to);
        self.stop(&text, StopReason::Denied, to);
    }

    /// The turn failed; what happened so far stays, and no call is left without a result.
    pub(super) fn fail(&mut self, text: &str, to: &mut Progress) {
        self.close_batch("ERROR: the turn failed before this call was run", to);
        to.emit(emit::error(text));
        self.step = Step::Over;
    }

    /// Gives calls that an earlier turn left open a result: a model takes no call without one.
    pub(super) fn close_interrupted_calls(&mut self, to: &mut Progress) {
        let open = self.transcript.last().map(open_calls).unwrap_or_default();
        if !open.is_empty() {
            self.say(Role::User, Content::Blocks(open), to);
        }
    }

    fn stop(&mut self, text: &str, reason: StopReason, to: &mut Progress) {
        self.say(Role::Assistant, Content::Text(text.into()), to);
        to.emit(emit::done(text, Some(reason)));
        self.step = Step::Over;
    }

    /// Says who denied what. The original says "you" also where only a rule did.
    fn denial(&self) -> String {
        let by_human = self.tools_denied(|entry| entry.is_denied_by(Denier::Human));
        let by_rules = self.tools_denied(|entry| entry.is_denied_by(Denier::Rules));
        let by_time = self.tools_denied(|entry| entry.is_denied_by(Denier::Time));
        let deniers = [
            ("you denied", by_human),
            ("the rules deny", by_rules),
            ("nobody decided in time on", by_time),
        ];
        let parts: Vec<_> = deniers
            .into_iter()
            .filter(|(_, tools)| !tools.is_empty())
            .map(|(who, tools)| format!("{who}: {}", tools.join(", ")))
            .collect();
        format!("Stopped — {}. Send another message to continue.", parts.join("; "))
    }

    fn tools_denied(&self, is_counted: impl Fn(&BatchCall) -> bool) -> Vec<String> {
        self.batch
            .iter()
            .filter(|entry| is_counted(entry))
            .map(|entry| entry.call.tool.clone())
            .collect()
    }
}

fn is_skipped(entry: &BatchCall) -> bool {
    entry.allowed_reason().is_some() || entry.fate == super::batch::Fate::Unasked
}

fn open_calls(message: &HistoryMessage) -> Vec<Block> {
    let Content::Blocks(blocks) = &message.content else {
        return Vec::new();
    };
    blocks.iter().filter_map(interrupted_result).collect()
}

fn interrupted_result(block: &Block) -> Option<Block> {
    match block {
        Block::ToolUse { id, .. } => Some(Block::ToolResult {
            tool_use_id: id.clone(),
            content: "ERROR: the turn was interrupted before this call had a result".into(),
            is_error: Some(true),
            reason: None,
        }),
        _ => None,
    }
}
