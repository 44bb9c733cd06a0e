//! The turn engine: an explicit state machine that can be stored and resumed between any two steps.
//!
//! A [`Turn`] tells the next [`Effect`] and takes its [`Outcome`]; whoever drives it carries the
//! effect out and stores the turn in between. The engine knows no HTTP and no SQL, does no I/O and
//! reads no clock: the model, the tools, the gate and the stamps are parts behind traits.

pub use batch::{Call, CallState};
pub use effect::{Effect, Outcome, Progress, WrongOutcome};
pub use parts::{
    BoxFuture, Gate, Model, ModelError, Prompt, Reply, Ruling, Stamps, ToolError, Tools, Verdict,
};
pub use session::{Scope, SessionKey};
pub use turn::{Limits, Opening, Turn};

mod batch;
mod budget;
mod effect;
mod emit;
mod ending;
mod gating;
mod parts;
mod prompt;
mod running;
mod session;
#[cfg(test)]
mod tests;
mod thinking;
mod turn;

/// The tool that every agent has: it asks the user a question.
pub const ASK_USER: &str = "ask_user";

/// The field of an assistant's message that holds its ordered content, where the answer has any.
pub const ORDERED_CONTENT: &str = "orderedContent";

/// The tool that loads a skill: its text becomes the call's result.
pub const SKILL: &str = "Skill";
