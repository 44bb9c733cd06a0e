use std::rc::Rc;
use turnwire::chat::{ItemKind, Message, Part, PendingItem, Verdict};
use turnwire::client::{Chat, FetchTransport, LoopClient};
use web_sys::HtmlInputElement;
use yew::platform::spawn_local;
use yew::prelude::*;

fn main() {
    yew::Renderer::<ChatBox>::new().render();
}

#[component]
fn ChatBox() -> Html {
    let chat = use_memo((), |()| {
        let client = LoopClient::new(FetchTransport, "http://127.0.0.1:8787").expect("an address");
        Chat::new(client, "customer-service")
    });
    let state = use_state(|| chat.snapshot());
    let (source, latest) = (Rc::clone(&chat), state.clone());
    use_effect_with((), move |()| {
        let subscription = source.subscribe(move |new| latest.set(new.clone()));
        move || drop(subscription)
    });

    let field = use_node_ref();
    let onsubmit = {
        let (chat, field) = (Rc::clone(&chat), field.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let Some(field) = field.cast::<HtmlInputElement>() else { return };
            let (chat, message) = (Rc::clone(&chat), field.value());
            field.set_value("");
            // What goes wrong is in the state, as `last_error`.
            spawn_local(async move { drop(chat.send(&message).await) });
        })
    };
    // A verdict is bound to the item that was shown, whatever is pending by now.
    let decide = Callback::from(move |(id, verdict): (String, Verdict)| {
        let chat = Rc::clone(&chat);
        spawn_local(async move {
            drop(match verdict {
                Verdict::Approve => chat.approve(&id).await,
                Verdict::Deny => chat.deny(&id).await,
                Verdict::Answer { text } => chat.answer(&id, &text).await,
            });
        });
    });

    html! {
        <>
            <ol>{ for state.messages.iter().map(|message| html! { <li>{ said(message) }</li> }) }</ol>
            { for state.pending.iter().map(|item| card(item, &decide)) }
            <p role="alert">{ state.last_error.as_ref().map(|fault| fault.message.clone()) }</p>
            <form {onsubmit}><input aria-label="Message" ref={field} /></form>
        </>
    }
}

fn said(message: &Message) -> String {
    let texts = message.parts.iter().filter_map(|part| match part {
        Part::Text { text } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn card(item: &PendingItem, decide: &Callback<(String, Verdict)>) -> Html {
    let (title, verdicts) = match &item.kind {
        ItemKind::Approval { tool, .. } => (tool.clone(), vec![Verdict::Approve, Verdict::Deny]),
        ItemKind::Question { question, options, .. } => {
            let answer = |text: &String| Verdict::Answer { text: text.clone() };
            (question.clone(), options.iter().map(answer).collect())
        }
    };
    let button = |verdict: Verdict| {
        let (id, label) = (item.id.clone(), label(&verdict));
        let onclick = decide.reform(move |_| (id.clone(), verdict.clone()));
        html! { <button {onclick}>{ label }</button> }
    };
    html! { <section><h2>{ title }</h2>{ for verdicts.into_iter().map(button) }</section> }
}

fn label(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Approve => "Approve".into(),
        Verdict::Deny => "Deny".into(),
        Verdict::Answer { text } => text.clone(),
    }
}
