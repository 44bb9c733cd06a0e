//! What a script sees of the conversation.

use crate::engine::{Call, Prompt, Reply};
use serde_json::Value;
use turnwire::loopengine::{Block, Content, HistoryMessage, Role};

/// The user's last message and what came of the calls since.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) prompt: &'a Prompt,
    /// What the user wrote last.
    pub(super) ask: &'a str,
    /// How often the model has replied to it.
    pub(super) rounds: usize,
    /// Results since, oldest first.
    results: Vec<Past<'a>>,
    /// Calls in the whole conversation, for ids that do not repeat.
    calls: usize,
}

/// A call that has its result.
#[derive(Debug, Clone, Copy)]
pub(super) struct Past<'a> {
    tool: &'a str,
    /// The result as JSON text, or what went wrong.
    pub(super) content: &'a str,
    pub(super) is_error: bool,
}

impl<'a> View<'a> {
    pub(super) fn of(prompt: &'a Prompt) -> Self {
        let at = prompt.messages.iter().rposition(is_ask).unwrap_or(0);
        let since = prompt.messages.get(at + 1..).unwrap_or_default();
        Self {
            prompt,
            ask: prompt.messages.get(at).map_or("", text),
            rounds: since.iter().filter(|m| m.role == Role::Assistant).count(),
            results: results(since),
            calls: calls(&prompt.messages).count(),
        }
    }

    /// The latest result of a tool.
    pub(super) fn result(&self, tool: &str) -> Option<Past<'a>> {
        self.results.iter().rev().find(|past| past.tool == tool).copied()
    }

    /// Every result of a tool, oldest first.
    pub(super) fn results_of(&self, tool: &str) -> impl Iterator<Item = Past<'a>> {
        self.results.iter().filter(move |past| past.tool == tool).copied()
    }

    /// A reply with calls, whose ids go on from the conversation's.
    pub(super) fn calling<const N: usize>(&self, text: &str, calls: [(&str, Value); N]) -> Reply {
        let call = |(offset, (tool, args)): (usize, (&str, Value))| Call {
            id: format!("call_{}", self.calls + offset + 1),
            tool: tool.into(),
            args: args.as_object().cloned().unwrap_or_default(),
        };
        Reply {
            text: text.into(),
            calls: calls.into_iter().enumerate().map(call).collect(),
            ..Reply::default()
        }
    }

    /// Whether messages were left out of the prompt.
    pub(super) fn is_compacted(&self) -> bool {
        let first = self.prompt.messages.first();
        first.is_some_and(|message| message.role == Role::System)
    }
}

impl Past<'_> {
    /// A field of the result.
    pub(super) fn field(&self, name: &str) -> Option<String> {
        let value: Value = serde_json::from_str(self.content).ok()?;
        value.get(name)?.as_str().map(str::to_owned)
    }

    /// The result where it is a text, such as the answer to a question.
    pub(super) fn text(&self) -> Option<String> {
        serde_json::from_str(self.content).ok()
    }

    /// What went wrong, without the mark that says so.
    pub(super) fn fault(&self) -> &str {
        self.content.strip_prefix("ERROR: ").unwrap_or(self.content)
    }
}

/// The user's own words: tool results come from the user too, but as blocks.
fn is_ask(message: &HistoryMessage) -> bool {
    message.role == Role::User && matches!(message.content, Content::Text(_))
}

fn text(message: &HistoryMessage) -> &str {
    match &message.content {
        Content::Text(text) => text,
        Content::Blocks(_) => "",
    }
}

fn blocks(messages: &[HistoryMessage]) -> impl Iterator<Item = &Block> {
    messages.iter().flat_map(|message| match &message.content {
        Content::Text(_) => &[][..],
        Content::Blocks(blocks) => blocks,
    })
}

fn calls(messages: &[HistoryMessage]) -> impl Iterator<Item = (&str, &str)> {
    blocks(messages).filter_map(|block| match block {
        Block::ToolUse { id, name, .. } => Some((id.as_str(), name.as_str())),
        Block::Text { .. } | Block::ToolResult { .. } | Block::Unknown(_) => None,
    })
}

fn results(messages: &[HistoryMessage]) -> Vec<Past<'_>> {
    let tool = |wanted: &str| calls(messages).find(|(id, _)| *id == wanted);
    let past = |block| match block {
        &Block::ToolResult { ref tool_use_id, ref content, is_error, .. } => {
            Some(Past { tool: tool(tool_use_id)?.1, content, is_error: is_error.unwrap_or(false) })
        }
        _ => None,
    };
    blocks(messages).filter_map(past).collect()
}
