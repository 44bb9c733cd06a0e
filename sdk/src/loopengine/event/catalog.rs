//! The fields of the 17 events of protocol v1, in the order of its catalog.

use super::super::json_object::event_object;
use super::super::open_enum::open_enum;
use crate::json::JsonObject;
use serde_json::Number;

open_enum! {
    /// How full the context is.
    BudgetAction {
        /// Enough room.
        Ok = "ok",
        /// Getting full: the model is told to be brief.
        Nudge = "nudge",
        /// Over the limit.
        OverHardLimit = "over_hard_limit",
    }
}

open_enum! {
    /// A verdict on one call.
    GateVerdict {
        /// It may run.
        Allow = "allow",
        /// A person has to decide.
        Ask = "ask",
        /// It must not run.
        Deny = "deny",
    }
}

open_enum! {
    /// Why a turn ended without an answer.
    StopReason {
        /// The limit of model calls.
        MaxTurns = "max_turns",
        /// A call was denied.
        Denied = "denied",
    }
}

event_object! {
    /// The message that tells the model to be brief.
    Nudge {
        /// Role of the message, `system`.
        role: String = "role",
        /// Its text.
        content: String = "content",
    }
}

event_object! {
    /// Where a call would act.
    ApprovalScope {
        /// Tenant.
        tenant: String = "tenant",
        /// Environment, such as `production`.
        environment: String = "environment",
        /// Agent.
        agent: String = "agent",
    }
}

event_object! {
    /// `budget:check`: the model's context budget, before each model call.
    BudgetCheck {
        /// How full the context is.
        action: BudgetAction = "action",
        /// Tokens in use.
        used_tokens: Number = "usedTokens",
        /// Tokens allowed.
        budget_tokens: Number = "budgetTokens",
        /// `usedTokens` divided by `budgetTokens`.
        ratio: Number = "ratio",
        /// What the model is told, only with the action `nudge`.
        nudge: Option<Nudge> = "nudge",
    }
}

event_object! {
    /// `prompt:compaction`: a prompt was rejected as too large and was shortened.
    PromptCompaction {
        /// Messages before.
        from: Number = "from",
        /// Messages after.
        to: Number = "to",
    }
}

event_object! {
    /// `assistant:text`: what the model says beside a tool call.
    AssistantText {
        /// The text.
        text: String = "text",
    }
}

event_object! {
    /// `actauth:decision`: what the gate, or the person it asked, decided on one call.
    ActauthDecision {
        /// Name of the tool.
        tool: String = "tool",
        /// The verdict.
        decision: GateVerdict = "decision",
        /// The rule that decided, and a person's choice where one was asked.
        reason: String = "reason",
    }
}

event_object! {
    /// `tool:started`: a call was decided and is about to run.
    ToolStarted {
        /// The model's id of the call.
        id: String = "id",
        /// Name of the tool.
        tool: String = "tool",
        /// Its arguments.
        args: JsonObject = "args",
        /// Why it may run.
        detail_text: String = "detailText",
    }
}

event_object! {
    /// `tool:result`: a call ended: run, failed, denied or skipped.
    ToolResult {
        /// The model's id of the call, as in its `tool:started`.
        id: String = "id",
        /// Name of the tool.
        tool: String = "tool",
        /// Its arguments.
        args: Option<JsonObject> = "args",
        /// Why it ended so.
        detail_text: Option<String> = "detailText",
        /// `Approved.`, `Error.`, `Denied.` or `Skipped.`, with the full stop.
        status_text: String = "statusText",
    }
}

event_object! {
    /// `toollane:result`: a tool's own outcome, directly before its `tool:result`.
    ToollaneResult {
        /// Name of the tool.
        name: String = "name",
        /// Its result as JSON text, or `ERROR: …`.
        summary: String = "summary",
    }
}

event_object! {
    /// `skill:loaded`: a skill was loaded.
    SkillLoaded {
        /// Its name.
        skill: String = "skill",
    }
}

event_object! {
    /// `loop:skipped`: a call was not run because another of its batch was denied.
    LoopSkipped {
        /// Name of the tool that was skipped.
        name: String = "name",
        /// The tools that were denied.
        denied_tools: Vec<String> = "deniedTools",
    }
}

event_object! {
    /// `loop:max_turns`: the turn ran into its limit of model calls.
    LoopMaxTurns {
        /// The limit.
        max_turns: Number = "maxTurns",
    }
}

event_object! {
    /// `loop:denied`: a call was denied and the turn stops.
    LoopDenied {
        /// The tools that were denied.
        denied_tools: Vec<String> = "deniedTools",
    }
}

event_object! {
    /// `loop:done`: the model is finished.
    LoopDone {
        /// Its answer.
        text: String = "text",
    }
}

event_object! {
    /// `session`: the first event of a streamed turn.
    Session {
        /// Id of the session.
        session_id: String = "sessionId",
    }
}

event_object! {
    /// `approval:pending`: a call waits for a person.
    ApprovalPending {
        /// Id of the decision; not the call's.
        id: String = "id",
        /// Name of the tool.
        tool: String = "tool",
        /// Its arguments.
        args: JsonObject = "args",
        /// Where the call would act.
        scope: ApprovalScope = "scope",
        /// The rule that asks.
        reason: String = "reason",
        /// When it was asked, RFC 3339.
        #[cfg_attr(feature = "schema", schemars(extend("format" = "date-time")))]
        requested_at: String = "requestedAt",
        /// When it expires, RFC 3339, where the server sets a limit. An addition of Turnwire's server.
        #[cfg_attr(feature = "schema", schemars(extend("format" = "date-time")))]
        expires_at: Option<String> = "expiresAt",
    }
}

event_object! {
    /// `question:pending`: the agent asks the user something.
    QuestionPending {
        /// Id of the decision; not the call's.
        id: String = "id",
        /// The question.
        question: String = "question",
        /// Answers to choose from; any other text is an answer too.
        options: Option<Vec<String>> = "options",
        /// The agent that asks.
        agent: String = "agent",
        /// Id of the session.
        session_id: Option<String> = "sessionId",
        /// When it was asked, RFC 3339.
        #[cfg_attr(feature = "schema", schemars(extend("format" = "date-time")))]
        requested_at: String = "requestedAt",
        /// When it expires, RFC 3339, where the server sets a limit. An addition of Turnwire's server.
        #[cfg_attr(feature = "schema", schemars(extend("format" = "date-time")))]
        expires_at: Option<String> = "expiresAt",
    }
}

event_object! {
    /// `done`: the turn is over.
    Done {
        /// The answer, or a notice where `stopReason` is set.
        text: String = "text",
        /// Why the turn ended without an answer.
        stop_reason: Option<StopReason> = "stopReason",
    }
}

event_object! {
    /// `error`: the turn failed; no `done` follows.
    TurnError {
        /// What went wrong, for people.
        error: String = "error",
    }
}
