//! The 17 events of protocol v1, one struct each, and the enum over them.

use super::fields::{FieldFault, Fields};
use super::open_enum::open_enum;
use crate::json::JsonObject;
use serde::Serialize;
use serde_json::{Number, Value};

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

/// The message that tells the model to be brief.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct Nudge {
    /// Role of the message, `system`.
    pub role: String,
    /// Its text.
    pub content: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

/// Where a call would act.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct ApprovalScope {
    /// Tenant.
    pub tenant: String,
    /// Environment, such as `production`.
    pub environment: String,
    /// Agent.
    pub agent: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl Nudge {
    fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            role: fields.required("role")?,
            content: fields.required("content")?,
            extra: fields.rest(),
        })
    }
}

impl ApprovalScope {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            tenant: fields.required("tenant")?,
            environment: fields.required("environment")?,
            agent: fields.required("agent")?,
            extra: fields.rest(),
        })
    }
}

/// `budget:check`: the model's context budget, before each model call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct BudgetCheck {
    /// How full the context is.
    pub action: BudgetAction,
    /// Tokens in use.
    pub used_tokens: Number,
    /// Tokens allowed.
    pub budget_tokens: Number,
    /// `used_tokens` divided by `budget_tokens`.
    pub ratio: Number,
    /// What the model is told, only with [`BudgetAction::Nudge`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nudge: Option<Nudge>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl BudgetCheck {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            action: fields.required("action")?,
            used_tokens: fields.required("usedTokens")?,
            budget_tokens: fields.required("budgetTokens")?,
            ratio: fields.required("ratio")?,
            nudge: fields.has("nudge").then(|| fields.nested("nudge", Nudge::read)).transpose()?,
            extra: fields.rest(),
        })
    }
}

/// `prompt:compaction`: a prompt was rejected as too large and was shortened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct PromptCompaction {
    /// Messages before.
    pub from: Number,
    /// Messages after.
    pub to: Number,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl PromptCompaction {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            from: fields.required("from")?,
            to: fields.required("to")?,
            extra: fields.rest(),
        })
    }
}

/// `assistant:text`: what the model says beside a tool call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct AssistantText {
    /// The text.
    pub text: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl AssistantText {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self { text: fields.required("text")?, extra: fields.rest() })
    }
}

/// `actauth:decision`: what the gate, or the person it asked, decided on one call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct ActauthDecision {
    /// Name of the tool.
    pub tool: String,
    /// The verdict.
    pub decision: GateVerdict,
    /// The rule that decided, and a person's choice where one was asked.
    pub reason: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl ActauthDecision {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            tool: fields.required("tool")?,
            decision: fields.required("decision")?,
            reason: fields.required("reason")?,
            extra: fields.rest(),
        })
    }
}

/// `tool:started`: a call was decided and is about to run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct ToolStarted {
    /// The model's id of the call.
    pub id: String,
    /// Name of the tool.
    pub tool: String,
    /// Its arguments.
    pub args: JsonObject,
    /// Why it may run.
    pub detail_text: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl ToolStarted {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            id: fields.required("id")?,
            tool: fields.required("tool")?,
            args: fields.required("args")?,
            detail_text: fields.required("detailText")?,
            extra: fields.rest(),
        })
    }
}

/// `tool:result`: a call ended: run, failed, denied or skipped.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct ToolResult {
    /// The model's id of the call, as in its `tool:started`.
    pub id: String,
    /// Name of the tool.
    pub tool: String,
    /// Its arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub args: Option<JsonObject>,
    /// Why it ended so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail_text: Option<String>,
    /// `Approved.`, `Error.`, `Denied.` or `Skipped.`, with the full stop.
    pub status_text: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl ToolResult {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            id: fields.required("id")?,
            tool: fields.required("tool")?,
            args: fields.optional("args")?,
            detail_text: fields.optional("detailText")?,
            status_text: fields.required("statusText")?,
            extra: fields.rest(),
        })
    }
}

/// `toollane:result`: a tool's own outcome, directly before its `tool:result`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct ToollaneResult {
    /// Name of the tool.
    pub name: String,
    /// Its result as JSON text, or `ERROR: …`.
    pub summary: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl ToollaneResult {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            name: fields.required("name")?,
            summary: fields.required("summary")?,
            extra: fields.rest(),
        })
    }
}

/// `skill:loaded`: a skill was loaded.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct SkillLoaded {
    /// Its name.
    pub skill: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl SkillLoaded {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self { skill: fields.required("skill")?, extra: fields.rest() })
    }
}

/// `loop:skipped`: a call was not run because another of its batch was denied.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct LoopSkipped {
    /// Name of the tool that was skipped.
    pub name: String,
    /// The tools that were denied.
    pub denied_tools: Vec<String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl LoopSkipped {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            name: fields.required("name")?,
            denied_tools: fields.required("deniedTools")?,
            extra: fields.rest(),
        })
    }
}

/// `loop:max_turns`: the turn ran into its limit of model calls.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct LoopMaxTurns {
    /// The limit.
    pub max_turns: Number,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl LoopMaxTurns {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self { max_turns: fields.required("maxTurns")?, extra: fields.rest() })
    }
}

/// `loop:denied`: a call was denied and the turn stops.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct LoopDenied {
    /// The tools that were denied.
    pub denied_tools: Vec<String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl LoopDenied {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self { denied_tools: fields.required("deniedTools")?, extra: fields.rest() })
    }
}

/// `loop:done`: the model is finished.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct LoopDone {
    /// Its answer.
    pub text: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl LoopDone {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self { text: fields.required("text")?, extra: fields.rest() })
    }
}

/// `session`: the first event of a streamed turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct Session {
    /// Id of the session.
    pub session_id: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl Session {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self { session_id: fields.required("sessionId")?, extra: fields.rest() })
    }
}

/// `approval:pending`: a call waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct ApprovalPending {
    /// Id of the decision; not the call's.
    pub id: String,
    /// Name of the tool.
    pub tool: String,
    /// Its arguments.
    pub args: JsonObject,
    /// Where the call would act.
    pub scope: ApprovalScope,
    /// The rule that asks.
    pub reason: String,
    /// When it was asked, RFC 3339.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "date-time")))]
    pub requested_at: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl ApprovalPending {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            id: fields.required("id")?,
            tool: fields.required("tool")?,
            args: fields.required("args")?,
            scope: fields.nested("scope", ApprovalScope::read)?,
            reason: fields.required("reason")?,
            requested_at: fields.required("requestedAt")?,
            extra: fields.rest(),
        })
    }
}

/// `question:pending`: the agent asks the user something.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct QuestionPending {
    /// Id of the decision; not the call's.
    pub id: String,
    /// The question.
    pub question: String,
    /// Answers to choose from; any other text is an answer too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// The agent that asks.
    pub agent: String,
    /// Id of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// When it was asked, RFC 3339.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "date-time")))]
    pub requested_at: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl QuestionPending {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            id: fields.required("id")?,
            question: fields.required("question")?,
            options: fields.optional("options")?,
            agent: fields.required("agent")?,
            session_id: fields.optional("sessionId")?,
            requested_at: fields.required("requestedAt")?,
            extra: fields.rest(),
        })
    }
}

/// `done`: the turn is over.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct Done {
    /// The answer, or a notice where `stop_reason` is set.
    pub text: String,
    /// Why the turn ended without an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<StopReason>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl Done {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            text: fields.required("text")?,
            stop_reason: fields.optional("stopReason")?,
            extra: fields.rest(),
        })
    }
}

/// `error`: the turn failed; no `done` follows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct TurnError {
    /// What went wrong, for people.
    pub error: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub extra: JsonObject,
}

impl TurnError {
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldFault> {
        Ok(Self { error: fields.required("error")?, extra: fields.rest() })
    }
}

/// An event whose type this version does not know, kept whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct UnknownEvent {
    /// The object as sent, with its `type`.
    pub object: JsonObject,
}

impl UnknownEvent {
    /// The event's type.
    #[must_use]
    pub fn event_type(&self) -> &str {
        self.object.get("type").and_then(Value::as_str).unwrap_or_default()
    }
}

/// Lists the events once: the enum, its names and its decoder come from here.
macro_rules! loop_events {
    ($($wire:literal => $variant:ident($event:ident),)+) => {
        /// One event of a turn.
        ///
        /// # Protocol
        /// loopengine Protocol v1, event catalog. A type added later arrives as
        /// [`LoopEvent::Unknown`], and fields added later stay in `extra`.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(tag = "type")]
        #[non_exhaustive]
        pub enum LoopEvent {
            $(
                #[doc = concat!("`", $wire, "`")]
                #[serde(rename = $wire)]
                $variant($event),
            )+
            /// Any other type.
            #[serde(untagged)]
            Unknown(UnknownEvent),
        }

        impl LoopEvent {
            /// The types that this version knows.
            pub const TYPES: &'static [&'static str] = &[$($wire),+];

            /// The event's type on the wire.
            #[must_use]
            pub fn event_type(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $wire,)+
                    Self::Unknown(event) => event.event_type(),
                }
            }

            /// Reads the fields of an event of the type `event_type`, which is still among them.
            pub(super) fn read(event_type: &str, mut object: JsonObject) -> Result<Self, FieldFault> {
                match event_type {
                    $($wire => {
                        object.shift_remove("type");
                        $event::read(&mut Fields::new(object)).map(Self::$variant)
                    })+
                    _ => Ok(Self::Unknown(UnknownEvent { object })),
                }
            }
        }

        $(
            impl From<$event> for LoopEvent {
                fn from(event: $event) -> Self {
                    Self::$variant(event)
                }
            }
        )+

        /// The schema of each event, in the order of the catalog.
        #[cfg(feature = "schema")]
        pub(super) fn schemas(
            generator: &mut schemars::SchemaGenerator,
        ) -> Vec<(&'static str, &'static str, schemars::Schema)> {
            use schemars::JsonSchema;
            vec![$(($wire, stringify!($event), $event::json_schema(generator))),+]
        }
    };
}

loop_events! {
    "budget:check" => BudgetCheck(BudgetCheck),
    "prompt:compaction" => PromptCompaction(PromptCompaction),
    "assistant:text" => AssistantText(AssistantText),
    "actauth:decision" => ActauthDecision(ActauthDecision),
    "tool:started" => ToolStarted(ToolStarted),
    "tool:result" => ToolResult(ToolResult),
    "toollane:result" => ToollaneResult(ToollaneResult),
    "skill:loaded" => SkillLoaded(SkillLoaded),
    "loop:skipped" => LoopSkipped(LoopSkipped),
    "loop:max_turns" => LoopMaxTurns(LoopMaxTurns),
    "loop:denied" => LoopDenied(LoopDenied),
    "loop:done" => LoopDone(LoopDone),
    "session" => Session(Session),
    "approval:pending" => ApprovalPending(ApprovalPending),
    "question:pending" => QuestionPending(QuestionPending),
    "done" => Done(Done),
    "error" => Error(TurnError),
}
