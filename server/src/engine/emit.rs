//! Events, each made in one place.

use super::batch::Call;
use super::session::SessionKey;
use turnwire::json::JsonObject;
use turnwire::loopengine::{
    ActauthDecision, ApprovalPending, AssistantText, BudgetAction, BudgetCheck, Done, GateVerdict,
    LoopDenied, LoopDone, LoopEvent, LoopMaxTurns, LoopSkipped, Nudge, PromptCompaction,
    QuestionPending, Session, SkillLoaded, StopReason, ToolResult, ToolStarted, ToollaneResult,
    TurnError,
};

pub(super) fn session(session_id: &str) -> LoopEvent {
    Session { session_id: session_id.into(), extra: JsonObject::new() }.into()
}

pub(super) fn budget_check(
    action: BudgetAction,
    used: u64,
    budget: u64,
    ratio: f64,
    nudge: Option<Nudge>,
) -> LoopEvent {
    BudgetCheck {
        action,
        used_tokens: used.into(),
        budget_tokens: budget.into(),
        ratio: ratio_number(ratio),
        nudge,
        extra: JsonObject::new(),
    }
    .into()
}

pub(super) fn prompt_compaction(from: usize, to: usize) -> LoopEvent {
    PromptCompaction { from: from.into(), to: to.into(), extra: JsonObject::new() }.into()
}

pub(super) fn assistant_text(text: &str) -> LoopEvent {
    AssistantText { text: text.into(), extra: JsonObject::new() }.into()
}

pub(super) fn decision(call: &Call, decision: GateVerdict, reason: &str) -> LoopEvent {
    ActauthDecision {
        tool: call.tool.clone(),
        decision,
        reason: reason.into(),
        extra: JsonObject::new(),
    }
    .into()
}

pub(super) fn tool_started(call: &Call, reason: &str) -> LoopEvent {
    ToolStarted {
        id: call.id.clone(),
        tool: call.tool.clone(),
        args: call.args.clone(),
        detail_text: reason.into(),
        extra: JsonObject::new(),
    }
    .into()
}

pub(super) fn tool_result(call: &Call, detail: &str, status: &str) -> LoopEvent {
    ToolResult {
        id: call.id.clone(),
        tool: call.tool.clone(),
        args: Some(call.args.clone()),
        detail_text: Some(detail.into()),
        status_text: status.into(),
        extra: JsonObject::new(),
    }
    .into()
}

pub(super) fn toollane_result(call: &Call, summary: &str) -> LoopEvent {
    ToollaneResult { name: call.tool.clone(), summary: summary.into(), extra: JsonObject::new() }
        .into()
}

pub(super) fn skill_loaded(skill: &str) -> LoopEvent {
    SkillLoaded { skill: skill.into(), extra: JsonObject::new() }.into()
}

pub(super) fn skipped(call: &Call, denied_tools: &[String]) -> LoopEvent {
    LoopSkipped {
        name: call.tool.clone(),
        denied_tools: denied_tools.to_vec(),
        extra: JsonObject::new(),
    }
    .into()
}

pub(super) fn denied(denied_tools: &[String]) -> LoopEvent {
    LoopDenied { denied_tools: denied_tools.to_vec(), extra: JsonObject::new() }.into()
}

pub(super) fn max_turns(max_turns: u32) -> LoopEvent {
    LoopMaxTurns { max_turns: max_turns.into(), extra: JsonObject::new() }.into()
}

pub(super) fn loop_done(text: &str) -> LoopEvent {
    LoopDone { text: text.into(), extra: JsonObject::new() }.into()
}

pub(super) fn done(text: &str, stop_reason: Option<StopReason>) -> LoopEvent {
    Done { text: text.into(), stop_reason, extra: JsonObject::new() }.into()
}

pub(super) fn error(text: &str) -> LoopEvent {
    TurnError { error: text.into(), extra: JsonObject::new() }.into()
}

pub(super) fn nudge(content: &str) -> Nudge {
    Nudge { role: "system".into(), content: content.into(), extra: JsonObject::new() }
}

/// What a pending item is made of beside its call.
pub(super) struct Asked<'a> {
    pub(super) id: &'a str,
    pub(super) at: String,
    pub(super) expires_at: Option<String>,
    pub(super) session: &'a SessionKey,
}

pub(super) fn approval_pending(call: &Call, reason: &str, asked: Asked<'_>) -> LoopEvent {
    ApprovalPending {
        id: asked.id.into(),
        tool: call.tool.clone(),
        args: call.args.clone(),
        scope: (&asked.session.scope).into(),
        reason: reason.into(),
        requested_at: asked.at,
        expires_at: asked.expires_at,
        extra: JsonObject::new(),
    }
    .into()
}

pub(super) fn question_pending(
    question: String,
    options: Option<Vec<String>>,
    asked: Asked<'_>,
) -> LoopEvent {
    QuestionPending {
        id: asked.id.into(),
        question,
        options,
        agent: asked.session.scope.agent.clone(),
        session_id: Some(asked.session.id.clone()),
        requested_at: asked.at,
        expires_at: asked.expires_at,
        extra: JsonObject::new(),
    }
    .into()
}

/// JSON has no infinities; a ratio is finite because a budget is never zero.
fn ratio_number(ratio: f64) -> serde_json::Number {
    serde_json::Number::from_f64(ratio).unwrap_or_else(|| 0.into())
}
