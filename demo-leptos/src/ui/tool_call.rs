//! A tool call of the timeline.

use super::icon::{Glyph, Icon};
use super::json_view::JsonView;
use crate::model::json_text::{Outcome, brief, outcome};
use crate::model::tool::{self, Tone};
use leptos::prelude::*;
use serde_json::Value;
use turnwire::chat::ToolCall;

/// One line that unfolds into arguments, reason and result.
#[component]
pub(super) fn ToolCallView(
    /// The call; none once it is gone.
    call: Memo<Option<ToolCall>>,
) -> impl IntoView {
    let read = move |read: fn(&ToolCall) -> String| {
        call.with(|call| call.as_ref().map(read).unwrap_or_default())
    };
    view! {
        <details class="tool" data-status=move || read(|call| tool::label(&call.status))>
            <summary>
                <span class="tool-icon">{move || call.with(|call| call.as_ref().map(status_icon))}</span>
                <code class="tool-name">{move || read(|call| call.tool.clone())}</code>
                <span class="tool-args">
                    {move || read(|call| call.args.as_ref().map(brief).unwrap_or_default())}
                </span>
                <span class="chip">{move || read(|call| tool::label(&call.status))}</span>
                <span class="tool-fold"><Icon glyph=Glyph::Chevron /></span>
            </summary>
            {move || call.get().map(|call| view! { <Details call /> })}
        </details>
    }
}

#[component]
fn Details(call: ToolCall) -> impl IntoView {
    let reason = tool::reason(&call).map(str::to_owned);
    let args = call.args.filter(|args| !args.is_empty()).map(Value::Object);
    let damaged = call.damaged.then_some("A part of this call could not be read.");
    view! {
        <dl class="tool-body">
            {damaged.map(|text| view! { <dt>"Damaged"</dt><dd>{text}</dd> })}
            <dt>"Arguments"</dt>
            <dd>{match args {
                Some(value) => view! { <JsonView value /> }.into_any(),
                None => view! { <p class="none">"none"</p> }.into_any(),
            }}</dd>
            {reason.map(|text| view! { <dt>"Reason"</dt><dd>{text}</dd> })}
            {call.summary.map(|summary| view! { <dt>"Result"</dt><dd><Summary summary /></dd> })}
        </dl>
    }
}

#[component]
fn Summary(summary: String) -> impl IntoView {
    match outcome(&summary) {
        Outcome::Json(value) => view! { <JsonView value /> }.into_any(),
        Outcome::Text(text) => view! { <p class="text">{text}</p> }.into_any(),
    }
}

fn status_icon(call: &ToolCall) -> AnyView {
    match tool::tone(&call.status) {
        Tone::Busy => view! { <i class="spinner" aria-hidden="true"></i> }.into_any(),
        Tone::Good => view! { <Icon glyph=Glyph::Check /> }.into_any(),
        Tone::Bad => view! { <Icon glyph=Glyph::Cross /> }.into_any(),
        Tone::Quiet => view! { <Icon glyph=Glyph::Minus /> }.into_any(),
    }
}
