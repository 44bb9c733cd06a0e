//! What a server tells that keeps a turn's events, for tests of chats.

use crate::script::{Reply, Script, Step, bytes};
use turnwire::chat::{ChatState, DecisionState};
use turnwire::client::Chat;

pub(crate) const SESSION: &str = r#"{"type":"session","sessionId":"s"}"#;
pub(crate) const ASK: &str = r#"{"type":"approval:pending","id":"a1","tool":"issue_refund","args":{"orderId":"A-1001"},"scope":{"tenant":"d","environment":"p","agent":"c"},"reason":"r","requestedAt":"2026-01-01T00:00:00Z"}"#;
pub(crate) const ALLOWED: &str = r#"{"type":"actauth:decision","tool":"issue_refund","decision":"allow","reason":"r — human approved"}"#;
pub(crate) const DONE: &str = r#"{"type":"done","text":"Refunded."}"#;
pub(crate) const NO_QUESTIONS: &str = r#"{"questions":[]}"#;

/// The whole turn.
pub(crate) const TURN: [&str; 4] = [SESSION, ASK, ALLOWED, DONE];

/// Frames as the response to a message has them.
pub(crate) fn frames(events: &[&str]) -> Vec<Step> {
    events.iter().map(|json| bytes(&format!("data: {json}\n\n"))).collect()
}

/// Frames as a joined stream has them, numbered from `first`.
pub(crate) fn numbered(first: usize, events: &[&str]) -> Vec<Step> {
    let frame = |(number, json)| bytes(&format!("id: {number}\ndata: {json}\n\n"));
    (first..).zip(events).map(frame).collect()
}

/// The stream of turn `t`.
pub(crate) fn named(steps: Vec<Step>) -> Reply {
    Reply::stream(steps).header("x-turnwire-turn", "t")
}

/// A history whose session's turn `t` has had `events` events, behind `before` messages.
pub(crate) fn history(messages: &[(&str, &str)]) -> Reply {
    let message =
        |(role, text): &(&str, &str)| format!(r#"{{"role":"{role}","content":"{text}"}}"#);
    let messages: Vec<_> = messages.iter().map(message).collect();
    Reply::json(200, format!(r#"{{"sessionId":"s","history":[{}]}}"#, messages.join(",")))
}

pub(crate) fn at(reply: Reply, events: &'static str, before: &'static str) -> Reply {
    let reply = reply.header("x-turnwire-turn", "t");
    reply.header("x-turnwire-events", events).header("x-turnwire-before", before)
}

/// The list of approvals with `a1` on it under these ids.
pub(crate) fn approvals(ids: &[&str]) -> Reply {
    let item = ASK.replace(r#""type":"approval:pending","#, "");
    let items: Vec<_> = ids.iter().map(|id| item.replace("\"a1\"", &format!("{id:?}"))).collect();
    Reply::json(200, format!(r#"{{"approvals":[{}]}}"#, items.join(",")))
}

pub(crate) fn no_questions() -> Reply {
    Reply::json(200, NO_QUESTIONS)
}

pub(crate) fn finished(events: &[&str]) -> Reply {
    let events = events.join(",");
    Reply::json(200, format!(r#"{{"text":"Refunded.","sessionId":"s","events":[{events}]}}"#))
}

pub(crate) fn unreachable_server() -> Reply {
    let mut reply = Reply::json(200, "");
    reply.refused = true;
    reply
}

pub(crate) fn chat(script: &Script) -> Chat<Script> {
    Chat::new(script.client(), "customer-service")
}

pub(crate) fn decision(state: &ChatState) -> DecisionState {
    let items = state.messages.iter().flat_map(|message| message.items());
    items.last().expect("an item was raised").decision.clone()
}

/// What was asked for, without the address.
pub(crate) fn paths(script: &Script) -> Vec<String> {
    let path = |url: &str| url.trim_start_matches("http://h/").to_owned();
    script.requests().iter().map(|request| path(&request.url)).collect()
}

/// The value of a header of the request of this number.
pub(crate) fn header(script: &Script, request: usize, name: &str) -> Option<String> {
    let headers = script.requests()[request].headers.clone();
    headers.into_iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

/// The texts of the conversation, in order, and the roles before them.
pub(crate) fn said(state: &ChatState) -> Vec<String> {
    let texts = state.messages.iter().flat_map(|message| message.parts.iter());
    texts
        .filter_map(|part| match part {
            turnwire::chat::Part::Text { text } => Some(text.clone()),
            _ => None,
        })
        .collect()
}
