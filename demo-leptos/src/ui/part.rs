//! One part of a message.

use super::approval_card::ApprovalCard;
use super::message::CurrentMessage;
use super::notice::NoticeView;
use super::question_card::QuestionCard;
use super::tool_call::ToolCallView;
use crate::model::parts::{self, PartKey};
use leptos::prelude::*;
use std::sync::Arc;
use turnwire::chat::{Part, PendingItem, ToolCall};

/// A pending item as it is now; none once it is gone.
pub(super) type CurrentItem = Memo<Option<Arc<PendingItem>>>;

/// Draws the part by its kind, which its key tells.
#[component]
pub(super) fn PartView(
    /// The message that it belongs to.
    message: CurrentMessage,
    /// The part's key.
    key: PartKey,
) -> impl IntoView {
    let part = Memo::new({
        let key = key.clone();
        move |_| message.with(|message| parts::find(message.as_deref()?, &key).cloned())
    });
    match key {
        PartKey::Text(_) => view! { <div class="text">{move || text(part)}</div> }.into_any(),
        PartKey::Tool(_) => view! { <ToolCallView call=call(part) /> }.into_any(),
        PartKey::Notice(_) => view! { <NoticeView part /> }.into_any(),
        PartKey::Approval(id) => view! { <ApprovalCard id item=item(part) /> }.into_any(),
        PartKey::Question(id) => view! { <QuestionCard id item=item(part) /> }.into_any(),
    }
}

fn text(part: Memo<Option<Part>>) -> Option<String> {
    match part.get()? {
        Part::Text { text } => Some(text),
        Part::Tool(_) | Part::Item { .. } | Part::Notice(_) => None,
    }
}

fn call(part: Memo<Option<Part>>) -> Memo<Option<ToolCall>> {
    Memo::new(move |_| match part.get()? {
        Part::Tool(call) => Some(call),
        Part::Text { .. } | Part::Item { .. } | Part::Notice(_) => None,
    })
}

fn item(part: Memo<Option<Part>>) -> CurrentItem {
    Memo::new(move |_| match part.get()? {
        Part::Item { item } => Some(item),
        Part::Text { .. } | Part::Tool(_) | Part::Notice(_) => None,
    })
}
