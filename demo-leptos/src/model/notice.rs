//! The engine's notices in words.

use turnwire::chat::Notice;

/// The notice as a sentence.
#[must_use]
pub fn words(notice: &Notice) -> String {
    match notice {
        Notice::Skill { skill } => format!("Loaded the skill “{skill}”"),
        Notice::Compaction { from, to } => {
            format!("Condensed the earlier conversation from {from} to {to} messages")
        }
        Notice::Budget { ratio } => {
            format!("{:.0}% of the context is in use", ratio * 100.0)
        }
        Notice::Stopped { text } if text.is_empty() => {
            "The turn ended without an answer".to_owned()
        }
        Notice::Stopped { text } | Notice::Error { text } => text.clone(),
        Notice::Damaged { text } => format!("A part of the answer could not be read: {text}"),
    }
}

/// The notice's kind, for styles and tests.
#[must_use]
pub fn kind(notice: &Notice) -> &'static str {
    match notice {
        Notice::Skill { .. } => "skill",
        Notice::Compaction { .. } => "compaction",
        Notice::Budget { .. } => "budget",
        Notice::Stopped { .. } => "stopped",
        Notice::Error { .. } => "error",
        Notice::Damaged { .. } => "damaged",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_are_sentences() {
        assert_eq!(words(&Notice::Budget { ratio: 0.853 }), "85% of the context is in use");
        assert_eq!(
            words(&Notice::Compaction { from: 24, to: 8 }),
            "Condensed the earlier conversation from 24 to 8 messages"
        );
        let silent = Notice::Stopped { text: String::new() };
        assert_eq!(words(&silent), "The turn ended without an answer");
    }
}
