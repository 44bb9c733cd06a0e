use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwire::chat::{ItemKind, Message, Part, PendingItem, Verdict};
use turnwire::client::{Chat, FetchTransport, LoopClient};

fn main() {
    leptos::mount::mount_to_body(ChatBox);
}

#[component]
fn ChatBox() -> impl IntoView {
    let client = LoopClient::new(FetchTransport, "http://127.0.0.1:8787").expect("an address");
    let chat = Chat::new(client, "customer-service");
    let state = ArcRwSignal::new(chat.snapshot());
    let latest = state.clone();
    let subscription = chat.subscribe(move |new| latest.set(new.clone()));
    // The subscription ends with the component that owns it.
    let live = StoredValue::new_local((chat, subscription));
    let chat = move || live.with_value(|(chat, _)| chat.clone());
    let state = RwSignal::from(state);

    let text = RwSignal::new(String::new());
    let send = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let (chat, message) = (chat(), text.get_untracked());
        text.set(String::new());
        // What goes wrong is in the state, as `last_error`.
        spawn_local(async move { drop(chat.send(&message).await) });
    };
    // A verdict is bound to the item that was shown, whatever is pending by now.
    let decide = Callback::new(move |(id, verdict): (String, Verdict)| {
        let chat = chat();
        spawn_local(async move {
            drop(match verdict {
                Verdict::Approve => chat.approve(&id).await,
                Verdict::Deny => chat.deny(&id).await,
                Verdict::Answer { text } => chat.answer(&id, &text).await,
            });
        });
    });

    view! {
        <ol>
            {move || {
                let messages = state.get().messages.clone();
                messages.iter().map(|message| view! { <li>{said(message)}</li> }).collect_view()
            }}
        </ol>
        {move || state.get().pending.iter().map(|item| card(item, decide)).collect_view()}
        <p role="alert">
            {move || state.get().last_error.as_ref().map(|fault| fault.message.clone())}
        </p>
        <form on:submit=send>
            <input aria-label="Message" bind:value=text />
        </form>
    }
}

fn said(message: &Message) -> String {
    let texts = message.parts.iter().filter_map(|part| match part {
        Part::Text { text } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn card(item: &PendingItem, decide: Callback<(String, Verdict)>) -> AnyView {
    let (title, verdicts) = match &item.kind {
        ItemKind::Approval { tool, .. } => (tool.clone(), vec![Verdict::Approve, Verdict::Deny]),
        ItemKind::Question { question, options, .. } => {
            let answer = |text: &String| Verdict::Answer { text: text.clone() };
            (question.clone(), options.iter().map(answer).collect())
        }
    };
    let button = |verdict: Verdict| {
        let (id, label) = (item.id.clone(), label(&verdict));
        let give = move |_| decide.run((id.clone(), verdict.clone()));
        view! { <button on:click=give>{label}</button> }
    };
    let buttons = verdicts.into_iter().map(button).collect_view();
    view! { <section><h2>{title}</h2>{buttons}</section> }.into_any()
}

fn label(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Approve => "Approve".into(),
        Verdict::Deny => "Deny".into(),
        Verdict::Answer { text } => text.clone(),
    }
}
