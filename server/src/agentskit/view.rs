//! A conversation of the engine as the messages of a snapshot.
//!
//! # Protocol
//! Our choice: a message's id is its place in the session, so it never changes. Results of calls are
//! told at the calls; the answer to a question, which the engine keeps as a result too, is a message
//! of the user. What is only said to the model is left out.

use super::Fault;
use super::component;
use super::content::content;
use crate::engine::{ASK_USER, CallState, ORDERED_CONTENT};
use crate::store::Said;
use crate::turns::{Conversation, State};
use jiff::Timestamp;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use turnwire::agentskit::{
    AssistantPart, ComponentFrame, Message, MessageRole, MessageStatus, ToolCall, ToolCallStatus,
    TurnStatus,
};
use turnwire::json::JsonText;
use turnwire::loopengine::{Block, Content, HistoryMessage, Role};

/// What a snapshot shows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct View {
    pub(super) messages: Vec<Message>,
    pub(super) status: TurnStatus,
}

impl View {
    /// The conversation as it stands.
    ///
    /// # Errors
    /// `Internal` for content that cannot be encoded.
    pub(super) fn of(conversation: &Conversation) -> Result<Self, Fault> {
        let mut reader = Reader { open: Open::of(conversation), ..Reader::default() };
        for (number, said) in conversation.said.iter().enumerate() {
            reader.take(number, said, number + 1 == conversation.said.len())?;
        }
        reader.take_round(conversation);
        Ok(Self { status: status(conversation.state, &reader.messages), messages: reader.messages })
    }
}

fn status(state: State, messages: &[Message]) -> TurnStatus {
    match state {
        State::Failed => TurnStatus::Error,
        State::Running => TurnStatus::Streaming,
        State::Waiting | State::Over if messages.is_empty() => TurnStatus::Idle,
        State::Waiting | State::Over => TurnStatus::Complete,
    }
}

/// The call that a person is asked about, and what asks.
#[derive(Debug)]
struct Open {
    call: String,
    component: Option<ComponentFrame>,
}

impl Open {
    fn of(conversation: &Conversation) -> Option<Self> {
        let standing = conversation.turn.as_ref()?;
        let item = standing.last.as_ref().filter(|_| conversation.state == State::Waiting)?;
        let (call, _) = standing.turn.calls().find(|(_, state)| *state == CallState::Asked)?;
        Some(Self { call: call.id.clone(), component: component::of_item(item) })
    }
}

/// Reads the messages one after another.
#[derive(Debug, Default)]
struct Reader {
    open: Option<Open>,
    messages: Vec<Message>,
    /// Where each call stands: its message, and its place there.
    calls: HashMap<String, (usize, usize)>,
    /// Calls that ask the user something.
    questions: HashSet<String>,
}

impl Reader {
    fn take(&mut self, number: usize, said: &Said, is_last: bool) -> Result<(), Fault> {
        let at = written(said.added_ms);
        match (&said.message.role, &said.message.content) {
            (Role::User, Content::Text(text)) => {
                self.push(number, MessageRole::User, text.clone(), at);
            }
            (Role::User, Content::Blocks(results)) => self.take_results(number, results),
            (Role::Assistant, Content::Text(text)) => {
                let content = answer(&said.message, text)?;
                self.push(number, MessageRole::Assistant, content, at);
            }
            (Role::Assistant, Content::Blocks(blocks)) => {
                let parts: Vec<_> =
                    blocks.iter().filter_map(|block| self.part(block, is_last)).collect();
                self.push(number, MessageRole::Assistant, content(&parts)?, at);
                self.take_calls(blocks)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn push(&mut self, number: usize, role: MessageRole, content: String, created_at: String) {
        self.messages.push(Message {
            id: format!("m-{number}"),
            role,
            content,
            status: MessageStatus::Complete,
            created_at,
            parts: None,
            tool_calls: None,
            tool_call_id: None,
            metadata: None,
        });
    }

    /// What a block says to the user: its text, what it asks, or nothing.
    fn part(&self, block: &Block, is_last: bool) -> Option<AssistantPart> {
        match block {
            Block::Text { text } => Some(AssistantPart::Text(text.clone())),
            Block::ToolUse { id, name, input } => {
                let open = self.open.as_ref().filter(|open| is_last && open.call == *id);
                match open.and_then(|open| open.component.clone()) {
                    Some(component) => Some(AssistantPart::Component(component)),
                    None if name == ASK_USER => question(input),
                    None => None,
                }
            }
            Block::ToolResult { .. } | Block::Unknown(_) => None,
        }
    }

    fn take_calls(&mut self, blocks: &[Block]) -> Result<(), Fault> {
        let mut calls = Vec::new();
        for block in blocks {
            let Block::ToolUse { id, name, input } = block else { continue };
            if name == ASK_USER {
                self.questions.insert(id.clone());
                continue;
            }
            self.calls.insert(id.clone(), (self.messages.len() - 1, calls.len()));
            calls.push(ToolCall {
                id: id.clone(),
                name: name.clone(),
                args: args(input)?,
                status: ToolCallStatus::Pending,
                result: None,
                error: None,
            });
        }
        if let (Some(message), false) = (self.messages.last_mut(), calls.is_empty()) {
            message.tool_calls = Some(calls);
        }
        Ok(())
    }

    fn take_results(&mut self, number: usize, results: &[Block]) {
        let mut answers = Vec::new();
        for result in results {
            let Block::ToolResult { tool_use_id, content, is_error, .. } = result else { continue };
            let is_error = is_error.unwrap_or(false);
            if self.questions.contains(tool_use_id) {
                let answer = serde_json::from_str::<String>(content).ok();
                answers.extend(answer.filter(|_| !is_error));
            } else if let Some(call) = self.call(tool_use_id) {
                end(call, content.clone(), is_error);
            }
        }
        if !answers.is_empty() {
            // The engine keeps no time of an answer; that of its question stays the same.
            let at = self.messages.last().map(|message| message.created_at.clone());
            let at = at.unwrap_or_else(|| written(0));
            self.push(number, MessageRole::User, answers.join("\n\n"), at);
        }
    }

    /// The calls of the round that the turn is in, whose results are no messages yet.
    fn take_round(&mut self, conversation: &Conversation) {
        let Some(standing) = &conversation.turn else { return };
        let asker = self.messages.len().checked_sub(1);
        let mut results = Vec::new();
        for (call, state) in standing.turn.calls() {
            match state {
                CallState::Ended(result) => results.push(result),
                state => self.set_status(&call.id, &state),
            }
        }
        let is_open = standing.turn.calls().next().is_some();
        self.take_results(conversation.said.len(), &results);
        let asker = asker.and_then(|at| self.messages.get_mut(at));
        if let (Some(asker), true, State::Running) = (asker, is_open, conversation.state) {
            asker.status = MessageStatus::Streaming;
        }
    }

    fn set_status(&mut self, id: &str, state: &CallState) {
        let Some(call) = self.call(id) else { return };
        call.status = match state {
            CallState::Asked => ToolCallStatus::RequiresConfirmation,
            CallState::Running => ToolCallStatus::Running,
            CallState::Pending | CallState::Ended(_) => ToolCallStatus::Pending,
        };
    }

    fn call(&mut self, id: &str) -> Option<&mut ToolCall> {
        let (message, at) = self.calls.get(id)?;
        self.messages.get_mut(*message)?.tool_calls.as_mut()?.get_mut(*at)
    }
}

fn end(call: &mut ToolCall, content: String, is_error: bool) {
    if is_error {
        call.status = ToolCallStatus::Error;
        call.error = Some(content);
    } else {
        call.status = ToolCallStatus::Complete;
        call.result = Some(content);
    }
}

/// An answer that is more than text has its envelope beside the text.
fn answer(message: &HistoryMessage, text: &str) -> Result<String, Fault> {
    match message.extra.get(ORDERED_CONTENT) {
        Some(Value::String(envelope)) => Ok(envelope.clone()),
        _ => content(&[AssistantPart::Text(text.into())]),
    }
}

fn question(input: &Value) -> Option<AssistantPart> {
    let question = input.get("question")?.as_str().filter(|question| !question.is_empty())?;
    Some(AssistantPart::Text(question.into()))
}

/// Arguments are an object, whatever a model made of them.
fn args(input: &Value) -> Result<JsonText, Fault> {
    Ok(JsonText::of(&input.as_object().cloned().unwrap_or_default())?)
}

/// A time as messages have it; the protocol knows years of four digits only.
fn written(ms: i64) -> String {
    format!("{:.3}", Timestamp::from_millisecond(ms).unwrap_or(Timestamp::UNIX_EPOCH))
}
