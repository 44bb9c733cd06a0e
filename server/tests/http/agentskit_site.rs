//! Turns over AgentsKit's protocol, as its clients send and read them.

use crate::site::{AGENT, Reply, Site, request};
use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::{Value, json};
use turnwire::agentskit::{
    AssistantPart, ComponentFrame, ContentKind, InteractionEvent, Message, SelectionEvent,
    Snapshot, SnapshotCursor, TurnEvent, TurnPayload, decode_assistant_content, decode_turn_event,
    which_content,
};

pub(crate) const SESSION: &str = "s-1";

/// What a turn was told in.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) events: Vec<TurnEvent>,
    cursor: SnapshotCursor,
}

/// The text of a submission.
pub(crate) fn submission(turn: &str, input: &str) -> String {
    json!({
        "protocol": "agentskit.chat.turn", "version": 1, "eventId": "e-1", "sessionId": SESSION,
        "turnId": turn, "sequence": 0, "emittedAt": "2031-03-04T05:06:07Z",
        "event": "client.turn.submit", "payload": {"input": input},
    })
    .to_string()
}

pub(crate) fn post(body: impl Into<Body>) -> Request<Body> {
    let request = request(Method::POST, &format!("{AGENT}/turns"));
    request.header("content-type", "application/json").body(body.into()).unwrap()
}

/// What a person does with an `approval-request`.
pub(crate) fn verdict(frame: &ComponentFrame, event: &str) -> String {
    assert_eq!(frame.component_key.as_str(), "approval-request");
    let event: InteractionEvent = frame.interact(event, None).unwrap();
    serde_json::to_string(&event).unwrap()
}

/// What a person does with a `choice-list`.
pub(crate) fn selection(frame: &ComponentFrame, label: &str) -> String {
    assert_eq!(frame.component_key.as_str(), "choice-list");
    let props = frame.props.to_value();
    let mut choices = props["choices"].as_array().unwrap().iter();
    let choice = choices.find(|choice| choice["label"] == label).unwrap();
    let event: SelectionEvent = frame.select(choice["id"].as_str().unwrap()).unwrap();
    serde_json::to_string(&event).unwrap()
}

/// Submits an input and reads the whole answer.
pub(crate) async fn submit(site: &Site, turn: &str, input: &str) -> Told {
    Told::of(&site.send(post(submission(turn, input))).await)
}

/// Status, code and whether trying again helps; the body holds nothing else but the text.
pub(crate) fn refusal(reply: &Reply) -> (u16, String, bool) {
    assert_eq!(reply.header("content-type"), "application/json; charset=utf-8", "{}", reply.text);
    assert_eq!(reply.header("cache-control"), "no-store");
    let body = reply.json();
    let error = &body["error"];
    let (code, retryable) =
        (error["code"].as_str().unwrap(), error["retryable"].as_bool().unwrap());
    let exact = json!({"error": {"version": 1, "code": code, "message": error["message"],
        "retryable": retryable}});
    assert_eq!(reply.text, exact.to_string());
    (reply.status, code.to_owned(), retryable)
}

impl Told {
    pub(crate) fn of(reply: &Reply) -> Self {
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert_eq!(reply.header("content-type"), "application/x-ndjson; charset=utf-8");
        assert_eq!(reply.header("cache-control"), "no-store");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        Self::of_text(&reply.text)
    }

    /// Every line is a canonical event, and every snapshot newer than the one before.
    pub(crate) fn of_text(text: &str) -> Self {
        assert!(text.is_empty() || text.ends_with('\n'), "{text}");
        let mut told = Self { events: Vec::new(), cursor: SnapshotCursor::new(SESSION).unwrap() };
        for line in text.split_terminator('\n') {
            let event = decode_turn_event(line).unwrap();
            assert_eq!(turnwire::agentskit::encode_turn_event(&event).unwrap(), line);
            assert_eq!(told.cursor.apply(line), event.snapshot().is_some(), "{line}");
            told.events.push(event);
        }
        told
    }

    /// What a client shows in the end.
    pub(crate) fn last(&self) -> &Snapshot {
        self.cursor.snapshot().expect("a snapshot").snapshot().unwrap()
    }

    pub(crate) fn sequences(&self) -> Vec<u64> {
        self.events.iter().map(|event| event.sequence).collect()
    }

    /// The code of the diagnostic at the end.
    pub(crate) fn diagnostic(&self) -> (&str, bool) {
        match &self.events.last().expect("an event").payload {
            TurnPayload::Diagnostic(diagnostic) => (&diagnostic.code, diagnostic.retryable),
            payload => panic!("{payload:?}"),
        }
    }

    pub(crate) fn last_message(&self) -> &Message {
        self.last().messages.last().expect("a message")
    }

    /// What the last message says.
    pub(crate) fn parts(&self) -> Vec<AssistantPart> {
        parts(self.last_message())
    }

    /// The component of that key in the last message.
    pub(crate) fn component(&self, key: &str) -> ComponentFrame {
        let frames = components(self.last_message());
        let frame = frames.into_iter().find(|frame| frame.component_key.as_str() == key);
        frame.unwrap_or_else(|| panic!("no {key} in {:?}", self.last_message()))
    }

    /// Role and content of every message.
    pub(crate) fn said(&self) -> Vec<(&'static str, &str)> {
        let messages = self.last().messages.iter();
        messages.map(|message| (message.role.as_str(), message.content.as_str())).collect()
    }

    /// Name, status, result and error of every call.
    pub(crate) fn calls(&self) -> Vec<Value> {
        let calls = self.last().messages.iter().flat_map(|message| message.tool_calls.iter());
        let call = calls.flatten().map(|call| serde_json::to_value(call).unwrap());
        call.collect()
    }
}

pub(crate) fn parts(message: &Message) -> Vec<AssistantPart> {
    match which_content(&message.content) {
        ContentKind::Ordered => decode_assistant_content(&message.content).unwrap().parts,
        ContentKind::Text => vec![AssistantPart::Text(message.content.clone())],
        ContentKind::Component => panic!("components stand in an envelope"),
    }
}

fn components(message: &Message) -> Vec<ComponentFrame> {
    let component = |part| match part {
        AssistantPart::Component(frame) => Some(frame),
        AssistantPart::Text(_) => None,
    };
    parts(message).into_iter().filter_map(component).collect()
}
