//! The run phase of a batch: calls run one after another, results are told in their order.

use super::batch::{BatchCall, Fate, Settled};
use super::effect::Progress;
use super::emit;
use super::parts::{Stamps, ToolError};
use super::turn::{Step, Turn};
use super::{ASK_USER, Call};
use serde_json::Value;
use turnwire::loopengine::{Content, Role};

const INTERRUPTED: &str =
    "interrupted: the server stopped while this call ran, and it was not run again";

impl Turn {
    /// Runs the calls from `call` on; after the last one the next round starts.
    pub(super) fn run_from(&mut self, call: usize, stamps: &dyn Stamps, to: &mut Progress) {
        let waiting = self.batch.iter().skip(call);
        match waiting.clone().position(|entry| entry.allowed_reason().is_some()) {
            Some(skipped) => self.start(call + skipped, stamps, to),
            None => {
                self.close_batch("ERROR: it was not run", to);
                self.next_round(to);
            }
        }
    }

    pub(super) fn tool_ended(
        &mut self,
        call: usize,
        result: Result<Value, ToolError>,
        to: &mut Progress,
    ) {
        match result {
            Ok(value) => self.settle(call, value.to_string(), None, to),
            Err(error) => {
                let reason = self.reason(call);
                self.settle(call, format!("ERROR: {error}"), Some(reason), to);
            }
        }
    }

    pub(super) fn interrupted(&mut self, call: usize, to: &mut Progress) {
        let detail = INTERRUPTED.to_owned();
        self.settle(call, format!("ERROR: {INTERRUPTED}"), Some(detail), to);
    }

    /// Adds the results of the batch to the conversation; `otherwise` stands for a missing one.
    pub(super) fn close_batch(&mut self, otherwise: &str, to: &mut Progress) {
        let blocks: Vec<_> = std::mem::take(&mut self.batch)
            .iter()
            .map(|entry| entry.to_result_block(otherwise))
            .collect();
        if !blocks.is_empty() {
            self.say(Role::User, Content::Blocks(blocks), to);
        }
    }

    fn start(&mut self, call: usize, stamps: &dyn Stamps, to: &mut Progress) {
        match self.call(call) {
            Some(asked) if asked.tool == ASK_USER => self.ask_user(call, &asked, stamps, to),
            _ => self.step = Step::Starting { call },
        }
    }

    fn ask_user(&mut self, call: usize, asked: &Call, stamps: &dyn Stamps, to: &mut Progress) {
        let (question, options) = match question(asked) {
            Ok(question) => question,
            Err(error) => {
                self.tool_ended(call, Err(error), to);
                return self.run_from(call + 1, stamps, to);
            }
        };
        let id = stamps.id();
        let item = self.asked(&id, stamps);
        to.emit(emit::question_pending(question, options, item));
        self.step = Step::Question { call, id };
    }

    /// Tells and keeps a result; `error_detail` makes it an error.
    fn settle(
        &mut self,
        call: usize,
        content: String,
        error_detail: Option<String>,
        to: &mut Progress,
    ) {
        let Some(ended) = self.call(call) else { return };
        let is_error = error_detail.is_some();
        let reason = self.reason(call);
        let status = if is_error { "Error." } else { "Approved." };
        let detail = error_detail.as_deref().unwrap_or(&reason);
        to.emit(emit::toollane_result(&ended, &content));
        to.emit(emit::tool_result(&ended, detail, status));
        let settled = Settled { content, is_error, reason: Some(reason) };
        self.set_fate(call, Fate::Settled(settled));
    }

    fn reason(&self, call: usize) -> String {
        self.batch.get(call).and_then(BatchCall::allowed_reason).unwrap_or_default().to_owned()
    }
}

/// The question of a call of `ask_user`, with its options.
fn question(call: &Call) -> Result<(String, Option<Vec<String>>), ToolError> {
    let question = match call.args.get("question") {
        Some(Value::String(question)) if !question.is_empty() => question.clone(),
        _ => return Err(ToolError("`question` must be a text".into())),
    };
    let options = match call.args.get("options") {
        None | Some(Value::Null) => None,
        Some(Value::Array(options)) => Some(texts(options)?),
        Some(_) => return Err(ToolError("`options` must be an array of texts".into())),
    };
    Ok((question, options))
}

fn texts(values: &[Value]) -> Result<Vec<String>, ToolError> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    values
        .iter()
        .map(text)
        .collect::<Option<_>>()
        .ok_or_else(|| ToolError("`options` must be an array of texts".into()))
}
