//! What a person can try first.

/// A message to start with, and what it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The message.
    pub message: &'static str,
    /// What happens then.
    pub shows: &'static str,
}

/// Messages that the scripted agent has an answer to.
pub const EXAMPLES: &[Example] = &[
    Example {
        message: "order A-1001 arrived broken, can you refund it?",
        shows: "Looks the order up, then asks you to approve the refund",
    },
    Example { message: "refund", shows: "Asks you which order it is about" },
    Example {
        message: "refund A-1001 and email me",
        shows: "Two actions, each with its own approval",
    },
    Example { message: "use the returns skill", shows: "Loads a skill before it answers" },
    Example { message: "delete everything", shows: "Is stopped by a rule" },
    Example { message: "hello", shows: "Just an answer" },
];
