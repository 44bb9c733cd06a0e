//! One message of a session.

use super::component::ComponentView;
use super::conversation::Said;
use super::turns::Turns;
use crate::model::agentskit::message::{self, PartKey, Reading};
use crate::model::agentskit::tool;
use crate::ui::icon::Glyph;
use crate::ui::message::is_other;
use crate::ui::notice::NoticeLine;
use crate::ui::tool_call::ToolCallView;
use crate::ui::working::Working;
use leptos::prelude::*;
use std::sync::Arc;
use turnwire::agentskit::{ContentReader, Message, MessageRole};
use turnwire::chat::Phase;

/// A message as it is now; none once it is gone.
type CurrentMessage = Memo<Option<Arc<Message>>>;

/// Where a component stands.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The message that it belongs to.
    pub(super) message: String,
    /// Whether that is the last one, so that the component can be used.
    pub(super) is_last: Memo<bool>,
    /// What the person said right after it.
    pub(super) answer: Memo<Option<String>>,
}

/// What a person, the agent or the application said.
#[component]
pub(super) fn MessageView(
    /// The message's id.
    id: String,
) -> impl IntoView {
    let turns = Turns::expect();
    let wanted = id.clone();
    let message: CurrentMessage =
        Memo::new_with_compare(move |_| message::find(&turns.state(), &wanted), is_other);
    let role = message.with_untracked(|message| message.as_ref().map(|message| message.role));
    let text = move || message.with(|message| message.as_ref().map(|m| m.content.clone()));
    match role {
        Some(MessageRole::User) => (move || text().map(|text| view! { <Said text /> })).into_any(),
        Some(MessageRole::System) => {
            let line = move || {
                let text = text()?;
                Some(view! { <NoticeLine kind="system" glyph=Glyph::Info text /> })
            };
            view! { <li class="message">{line}</li> }.into_any()
        }
        Some(MessageRole::Assistant | MessageRole::Tool) | None => {
            view! { <Answer id message /> }.into_any()
        }
    }
}

/// What the agent said and did.
#[component]
fn Answer(id: String, message: CurrentMessage) -> impl IntoView {
    let turns = Turns::expect();
    let place = place(turns, id);
    let (is_last, phase) = (place.is_last, turns.phase());
    provide_context(place);
    let reading = reading(message);
    let failure = move || {
        let failure = reading.with(|reading| reading.failure.clone())?;
        let text = format!("The rest of this cannot be shown: {}", failure.message());
        Some(view! { <NoticeLine kind="damaged" glyph=Glyph::Warning text /> })
    };
    let is_working = Memo::new(move |_| is_last.get() && phase.get() == Phase::Running);
    view! {
        <li class="message turn">
            <h3 class="unseen">"Agent"</h3>
            <For each=move || reading.with(Reading::keys) key=Clone::clone let:key>
                <Part reading key />
            </For>
            {failure}
            <Calls message />
            <Show when=move || is_working.get()>
                <Working />
            </Show>
        </li>
    }
}

#[component]
fn Part(reading: Memo<Reading>, key: PartKey) -> impl IntoView {
    match key {
        PartKey::Text(at) => {
            let text = Memo::new(move |_| reading.with(|reading| reading.text(at)));
            view! { <div class="text">{move || text.get()}</div> }.into_any()
        }
        PartKey::Component(at, _) => {
            let frame = Memo::new(move |_| reading.with(|reading| reading.component(at)));
            view! { <ComponentView frame /> }.into_any()
        }
    }
}

#[component]
fn Calls(message: CurrentMessage) -> impl IntoView {
    let calls = move || {
        message.with(|message| message.as_ref()?.tool_calls.as_ref().map(Vec::len)).unwrap_or(0)
    };
    let count = Memo::new(move |_| calls());
    view! {
        <For each=move || 0..count.get() key=|at| *at let:at>
            <Call message at />
        </For>
    }
}

#[component]
fn Call(message: CurrentMessage, at: usize) -> impl IntoView {
    let call = Memo::new(move |_| {
        message.with(|message| message.as_ref()?.tool_calls.as_ref()?.get(at).map(tool::entry))
    });
    view! { <ToolCallView call /> }
}

fn place(turns: Turns, id: String) -> Place {
    let (last, asked) = (id.clone(), id.clone());
    Place {
        message: id,
        is_last: turns.memo(move |state| message::is_last(state, &last)),
        answer: turns.memo(move |state| message::answer(state, &asked)),
    }
}

/// Reads the message on and on: what was read of it is not read again.
fn reading(message: CurrentMessage) -> Memo<Reading> {
    let reader = StoredValue::new(ContentReader::new());
    Memo::new(move |_| {
        let read = |message: &Message| {
            reader.try_update_value(|reader| Reading::of(reader, message)).unwrap_or_default()
        };
        message.with(|message| message.as_deref().map(read).unwrap_or_default())
    })
}
