//! What a person can try first.

/// A message to start with, and what it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The message.
    pub message: &'static str,
    /// What happens then.
    pub shows: &'static str,
}

/// Messages that the scripted agent answers with components.
pub const COMPONENT_EXAMPLES: &[Example] = &[
    Example { message: "show me the return policy", shows: "An answer with its sources" },
    Example { message: "list my orders", shows: "A table, and a choice of one of them" },
    Example { message: "track order A-1003", shows: "How far a parcel has come" },
    Example {
        message: "order A-1001 arrived broken, can you refund it?",
        shows: "Asks you to approve the refund",
    },
    Example { message: "refund", shows: "Asks you which order it is about" },
    Example { message: "show the map", shows: "A component that this page has no view of" },
];

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
