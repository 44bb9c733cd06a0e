//! Small drawings. They repeat what a text beside them says, so screen readers skip them.

use leptos::prelude::*;

/// A drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Glyph {
    /// Turnwire's mark: a wire that turns.
    Mark,
    /// A new conversation.
    Plus,
    /// Send.
    ArrowUp,
    /// To the end.
    ArrowDown,
    /// Stop.
    Stop,
    /// Something ended well.
    Check,
    /// Something ended badly.
    Cross,
    /// Something was not run.
    Minus,
    /// Unfolds.
    Chevron,
    /// A decision is needed.
    Shield,
    /// A question.
    Question,
    /// Something to know.
    Info,
    /// Something is wrong.
    Warning,
    /// Time that runs out.
    Clock,
    /// A skill.
    Book,
    /// Light colours.
    Sun,
    /// Dark colours.
    Moon,
    /// The system's colours.
    Screen,
}

impl Glyph {
    /// The strokes on a field of 20 by 20.
    const fn path(self) -> &'static str {
        match self {
            Self::Mark => {
                "M3 15h6a4 4 0 0 0 4-4V9a4 4 0 0 1 4-4M3 15a0 0 0 0 1 0 0M14.5 2.5 17.3 5l-2.8 2.5"
            }
            Self::Plus => "M10 4v12M4 10h12",
            Self::ArrowUp => "M10 16V4.5M5 9.5l5-5 5 5",
            Self::ArrowDown => "M10 4v11.5M5 10.5l5 5 5-5",
            Self::Stop => "M6 6h8v8H6z",
            Self::Check => "m4.5 10.5 3.8 3.8 7.2-8.2",
            Self::Cross => "m5.5 5.5 9 9m0-9-9 9",
            Self::Minus => "M5 10h10",
            Self::Chevron => "m8 5.5 4.5 4.5L8 14.5",
            Self::Shield => {
                "M10 2.8 4 5v4.6c0 3.6 2.5 6.4 6 7.6 3.5-1.2 6-4 6-7.6V5zM10 7v3.2M10 13v.1"
            }
            Self::Question => {
                "M7.9 7.9A2.2 2.2 0 0 1 10 6.2c1.3 0 2.2.8 2.2 1.9 0 1.6-2.2 1.7-2.2 3.3M10 13.7v.1M17.2 10a7.2 7.2 0 1 1-14.4 0 7.2 7.2 0 0 1 14.4 0z"
            }
            Self::Info => "M10 9v5M10 6v.1M17.2 10a7.2 7.2 0 1 1-14.4 0 7.2 7.2 0 0 1 14.4 0z",
            Self::Warning => "M10 3 2.6 16h14.8zM10 8v3.6M10 13.8v.1",
            Self::Clock => "M10 6v4.2l2.8 1.8M17.2 10a7.2 7.2 0 1 1-14.4 0 7.2 7.2 0 0 1 14.4 0z",
            Self::Book => {
                "M10 5.2C8.3 4 6 3.7 3.5 4v11.2c2.5-.3 4.8 0 6.5 1.2 1.7-1.2 4-1.5 6.5-1.2V4C14 3.7 11.7 4 10 5.2zm0 0v11.2"
            }
            Self::Sun => {
                "M10 13.4a3.4 3.4 0 1 0 0-6.8 3.4 3.4 0 0 0 0 6.8zM10 2v1.6M10 16.4V18M2 10h1.6M16.4 10H18M4.3 4.3l1.2 1.2M14.5 14.5l1.2 1.2M4.3 15.7l1.2-1.2M14.5 5.5l1.2-1.2"
            }
            Self::Moon => "M16.5 11.8A6.8 6.8 0 0 1 8.2 3.5a6.8 6.8 0 1 0 8.3 8.3z",
            Self::Screen => "M3 4h14v9.5H3zM7 17h6M10 13.5V17",
        }
    }
}

/// Draws a glyph in the colour of the text around it.
#[component]
pub(super) fn Icon(
    /// Which one.
    glyph: Glyph,
) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
            <path d=glyph.path() />
        </svg>
    }
}
