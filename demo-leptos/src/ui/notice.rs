//! What the engine says beside the agent.

use super::icon::{Glyph, Icon};
use crate::model::notice;
use leptos::prelude::*;
use turnwire::chat::{Notice, Part};

/// A notice in one quiet line.
#[component]
pub(super) fn NoticeView(
    /// The part that holds it.
    part: Memo<Option<Part>>,
) -> impl IntoView {
    move || match part.get()? {
        Part::Notice(notice) => Some(view! {
            <p class="notice" data-kind=notice::kind(&notice)>
                <Icon glyph=glyph(&notice) />
                <span>{notice::words(&notice)}</span>
            </p>
        }),
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
