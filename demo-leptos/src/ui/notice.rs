//! What is said beside the agent.

use super::icon::{Glyph, Icon};
use crate::model::notice;
use leptos::prelude::*;
use turnwire::chat::{Notice, Part};

/// One quiet line.
#[component]
pub(super) fn NoticeLine(
    /// Its kind, for styles.
    kind: &'static str,
    /// Stands before it.
    glyph: Glyph,
    /// What it says.
    text: String,
) -> impl IntoView {
    view! {
        <p class="notice" data-kind=kind>
            <Icon glyph />
            <span>{text}</span>
        </p>
    }
}

/// What the engine says beside the agent.
#[component]
pub(super) fn NoticeView(
    /// The part that holds it.
    part: Memo<Option<Part>>,
) -> impl IntoView {
    move || match part.get()? {
        Part::Notice(notice) => {
            let (kind, text) = (notice::kind(&notice), notice::words(&notice));
            Some(view! { <NoticeLine kind glyph=glyph(&notice) text /> })
        }
        Part::Text { .. } | Part::Tool(_) | Part::Item { .. } => None,
    }
}

fn glyph(notice: &Notice) -> Glyph {
    match notice {
        Notice::Skill { .. } => Glyph::Book,
        Notice::Compaction { .. } | Notice::Budget { .. } => Glyph::Info,
        Notice::Stopped { .. } => Glyph::Minus,
        Notice::Error { .. } | Notice::Damaged { .. } => Glyph::Warning,
    }
}
