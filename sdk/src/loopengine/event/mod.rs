//! The 17 events of protocol v1 as one enum, and those that this version does not know.

use super::fields::{FieldFault, Fields};
use crate::json::JsonObject;
use serde::Serialize;
use serde_json::Value;

pub use catalog::*;

mod catalog;

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
                        $event::read(Fields::new(object)).map(Self::$variant)
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
