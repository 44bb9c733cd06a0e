//! How full the model's context is.

use super::emit;
use serde::{Deserialize, Serialize};
use turnwire::loopengine::{BudgetAction, Content, HistoryMessage, LoopEvent, Nudge};

/// From this share of the budget on the model is told to be brief.
const NUDGE_RATIO: f64 = 0.8;

/// From this share on the budget is used up.
const HARD_LIMIT_RATIO: f64 = 1.0;

/// What the model is told then; the original's sentence.
const NUDGE: &str =
    "The conversation is approaching its context budget. Wrap up the current step concisely.";

/// Characters a token, a rule of thumb that needs no tokenizer.
const CHARS_PER_TOKEN: u64 = 4;

/// What the model itself counted, up to and including its last reply.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Usage {
    pub(super) tokens: u64,
    /// How many messages of the conversation the count covers.
    pub(super) messages: usize,
}

/// A reading of the budget.
#[derive(Debug)]
pub(super) struct Reading {
    used_tokens: u64,
    budget_tokens: u64,
}

impl Reading {
    pub(super) fn new(used_tokens: u64, budget_tokens: u64) -> Self {
        Self { used_tokens, budget_tokens }
    }

    pub(super) fn nudge(&self) -> Option<Nudge> {
        (self.action() == BudgetAction::Nudge).then(|| emit::nudge(NUDGE))
    }

    pub(super) fn to_event(&self) -> LoopEvent {
        emit::budget_check(
            self.action(),
            self.used_tokens,
            self.budget_tokens,
            self.ratio(),
            self.nudge(),
        )
    }

    fn ratio(&self) -> f64 {
        self.used_tokens as f64 / self.budget_tokens.max(1) as f64
    }

    fn action(&self) -> BudgetAction {
        let ratio = self.ratio();
        if ratio >= HARD_LIMIT_RATIO {
            BudgetAction::OverHardLimit
        } else if ratio >= NUDGE_RATIO {
            BudgetAction::Nudge
        } else {
            BudgetAction::Ok
        }
    }
}

/// Estimates the tokens of messages.
pub(super) fn estimate_tokens(messages: &[HistoryMessage]) -> u64 {
    let chars: u64 = messages.iter().map(content_chars).sum();
    chars.div_ceil(CHARS_PER_TOKEN)
}

fn content_chars(message: &HistoryMessage) -> u64 {
    let chars = match &message.content {
        Content::Text(text) => text.chars().count(),
        blocks @ Content::Blocks(_) => {
            serde_json::to_string(blocks).map_or(0, |text| text.chars().count())
        }
    };
    chars as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nudges_from_four_fifths_and_stops_at_the_budget() {
        let action = |used| Reading::new(used, 60).action();
        assert_eq!(action(47), BudgetAction::Ok);
        assert_eq!(action(48), BudgetAction::Nudge);
        assert_eq!(action(59), BudgetAction::Nudge);
        assert_eq!(action(60), BudgetAction::OverHardLimit);
    }

    #[test]
    fn an_empty_budget_is_used_up_and_still_a_number() {
        assert_eq!(Reading::new(1, 0).ratio(), 1.0);
    }
}
