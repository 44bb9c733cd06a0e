//! Every recorded turn, folded into a conversation.

#![cfg(not(target_arch = "wasm32"))]

use serde_json::Value;
use std::fmt::Write as _;
use turnwire::chat::{
    Conversation, Decider, DecisionState, ItemKind, Message, Notice, Part, Phase, Verdict,
};
use turnwire::loopengine::{LoopEvent, Received, TurnResult, decode};

const SEQUENCES: &str = include_str!("../vectors/loopengine-sequences.ndjson");
const CONVERSATIONS: &str = include_str!("../vectors/loopengine-conversations.txt");

struct Scenario {
    name: String,
    events: Vec<Received>,
}

fn scenarios() -> Vec<Scenario> {
    let parse = |line| {
        let value: Value = serde_json::from_str(line).unwrap();
        let event = |event: &Value| Received::Event(decode(&event.to_string()).unwrap());
        Scenario {
            name: value["scenario"].as_str().unwrap().to_owned(),
            events: value["events"].as_array().unwrap().iter().map(event).collect(),
        }
    };
    SEQUENCES.lines().map(parse).collect()
}

fn begun() -> Conversation {
    let mut conversation = Conversation::new();
    conversation.begin_turn("go on").unwrap();
    conversation
}

fn folded(events: &[Received]) -> Conversation {
    let mut conversation = begun();
    events.iter().for_each(|event| conversation.apply_streamed(event));
    conversation
}

/// A conversation as a person would read it out, one line a part.
fn read_out(messages: &[std::sync::Arc<Message>]) -> String {
    let mut out = String::new();
    for message in messages {
        writeln!(out, "  {:?} {:?}", message.author, message.status).unwrap();
        message.parts.iter().for_each(|part| writeln!(out, "    {}", read_part(part)).unwrap());
    }
    out
}

fn read_part(part: &Part) -> String {
    match part {
        Part::Text { text } => format!("text {text:?}"),
        Part::Tool(call) => format!(
            "tool {} {} {} {}",
            call.id,
            call.tool,
            call.status.as_str(),
            call.summary.as_deref().unwrap_or("-")
        ),
        Part::Item { item } => {
            let asked = match &item.kind {
                ItemKind::Approval { tool, .. } => tool,
                ItemKind::Question { question, .. } => question,
            };
            let decision = match &item.decision {
                DecisionState::Settled { verdict: Some(verdict), .. } => format!("{verdict:?}"),
                DecisionState::Settled { verdict: None, .. } => "decided".to_owned(),
                other => format!("{other:?}"),
            };
            format!("item …{} {asked:?} {decision}", &item.id[item.id.len() - 1..])
        }
        Part::Notice(notice) => match notice {
            Notice::Stopped { text } => format!("stopped {text:?}"),
            other => format!("{other:?}"),
        },
    }
}

#[test]
fn every_recorded_turn_reads_as_it_should() {
    let mut all = String::new();
    for scenario in scenarios() {
        let state = folded(&scenario.events).state();
        assert_eq!(state.phase, Phase::Idle, "{}", scenario.name);
        assert!(state.pending.is_empty(), "{}", scenario.name);
        assert!(state.session_id.is_some(), "{}", scenario.name);
        write!(all, "{}\n{}", scenario.name, read_out(&state.messages)).unwrap();
    }
    assert_eq!(all, CONVERSATIONS);
}

/// The events after which an item waits, by index, with its id.
fn waits(events: &[Received]) -> Vec<(usize, String)> {
    let id = |event: &Received| match event.as_event()? {
        LoopEvent::ApprovalPending(event) => Some(event.id.clone()),
        LoopEvent::QuestionPending(event) => Some(event.id.clone()),
        _ => None,
    };
    events.iter().enumerate().filter_map(|(at, event)| Some((at, id(event)?))).collect()
}

#[test]
fn an_item_waits_from_its_event_until_the_next_and_nothing_else_clears_it() {
    let future = decode(r#"{"type":"heartbeat:future","n":1}"#).unwrap();
    for Scenario { name, events } in scenarios() {
        for (at, id) in waits(&events) {
            let mut conversation = folded(&events[..=at]);
            conversation.apply_streamed(&Received::Event(future.clone()));
            let state = conversation.state();
            assert_eq!(state.phase, Phase::Waiting, "{name}");
            assert_eq!(
                state.pending.iter().map(|item| &item.id).collect::<Vec<_>>(),
                [&id],
                "{name}"
            );
            let after = folded(&events[..=at + 2]).state();
            assert!(after.pending.iter().all(|item| item.id != id), "{name}: {id} still waits");
        }
    }
}

/// A decision's response: everything of the turn up to the next wait, or to its end.
fn response(events: &[Received]) -> TurnResult {
    let text =
        serde_json::json!({"text": "unused", "sessionId": "s", "events": events}).to_string();
    TurnResult::from_json(&text).unwrap()
}

#[test]
fn a_decision_response_and_the_stream_merge_without_doubles_in_every_order() {
    for Scenario { name, events } in scenarios() {
        let right = read_out(&folded(&events).state().messages);
        for before in 0..=events.len() {
            let mut conversation = folded(&events[..before]);
            assert!(conversation.apply_result(&response(&events)), "{name}");
            assert_eq!(read_out(&conversation.state().messages), right, "{name} {before}");
            events[before..].iter().for_each(|event| conversation.apply_streamed(event));
            assert_eq!(read_out(&conversation.state().messages), right, "{name} {before}");
        }
    }
}

#[test]
fn a_response_of_another_turn_changes_nothing() {
    let all = scenarios();
    let (mut conversation, other) = (folded(&all[3].events[..4]), &all[1].events[1..]);
    let before = conversation.state();
    assert!(!conversation.apply_result(&response(other)));
    assert_eq!(conversation.state(), before);
}

#[test]
fn a_turn_that_broke_off_goes_on_by_the_decision_response() {
    let interrupted = turnwire::Error::new(turnwire::ErrorKind::StreamInterrupted, "cut");
    for Scenario { name, events } in scenarios() {
        let right = read_out(&folded(&events).state().messages);
        for (at, _) in waits(&events) {
            let mut conversation = folded(&events[..=at]);
            conversation.interrupt(&interrupted);
            assert_eq!(conversation.phase(), Phase::Waiting, "{name}");
            conversation.apply_result(&response(&events));
            assert_eq!(read_out(&conversation.state().messages), right, "{name}");
        }
    }
}

#[test]
fn a_turn_that_breaks_off_without_a_pending_item_is_no_quiet_end() {
    let interrupted = turnwire::Error::new(turnwire::ErrorKind::StreamInterrupted, "cut");
    for Scenario { name, events } in scenarios() {
        for cut in 1..events.len() {
            let mut conversation = folded(&events[..cut]);
            conversation.interrupt(&interrupted);
            let state = conversation.state();
            assert_eq!(state.last_error.unwrap().code, "stream-interrupted", "{name} {cut}");
        }
    }
}

fn settled(verdict: Option<Verdict>) -> DecisionState {
    DecisionState::Settled { verdict, by: Some(Decider::Elsewhere) }
}

#[test]
fn the_verdicts_of_a_stream_are_those_that_were_given() {
    let verdict = |name: &str| {
        let all = scenarios();
        let scenario = all.iter().find(|scenario| scenario.name == name).unwrap();
        let state = folded(&scenario.events).state();
        let item = state.messages[1].items().next().unwrap().clone();
        item.decision.clone()
    };
    assert_eq!(verdict("ask-approve"), settled(Some(Verdict::Approve)));
    assert_eq!(verdict("ask-deny"), settled(Some(Verdict::Deny)));
    assert_eq!(verdict("question"), settled(None));
}
