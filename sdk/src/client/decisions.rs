//! The bound on decisions that a program makes by itself.

use crate::{Error, ErrorKind, Result};

/// The decisions of one turn.
///
/// # Protocol
/// Our choice: at most 32 decisions a turn, and each item once. A turn that asks on and on, or for
/// an item again that was decided, must not keep a program busy for ever.
#[derive(Debug, Default)]
pub(super) struct Decisions(Vec<String>);

const MAX_DECISIONS: usize = 32;

impl Decisions {
    /// Notes a decision that is about to be made.
    ///
    /// # Errors
    /// `no-progress` for an item that was decided before; `decision-limit` for one too many.
    pub(super) fn note(&mut self, id: &str) -> Result<()> {
        if self.0.iter().any(|decided| decided == id) {
            let text = "the item is pending again after its decision";
            return Err(Error::new(ErrorKind::NoProgress, text));
        }
        if self.0.len() == MAX_DECISIONS {
            let text = format!("the turn asks for more than {MAX_DECISIONS} decisions");
            return Err(Error::new(ErrorKind::DecisionLimit, text));
        }
        self.0.push(id.to_owned());
        Ok(())
    }
}
