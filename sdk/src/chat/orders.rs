//! Whatever the order of events, answers, verdicts and reloads: a turn ends as the same conversation.

use super::{
    Begun, ChatState, Conversation, DecisionState, Message, Part, PendingItem, Phase, TurnCursor,
    Verdict,
};
use crate::loopengine::{LoopEvent, Received, SessionHistory, TurnResult, decode};
use crate::{Error, ErrorKind};
use proptest::prelude::*;
use std::collections::HashSet;
use std::sync::Arc;

const TURN: [&str; 12] = [
    r#"{"type":"session","sessionId":"s"}"#,
    r#"{"type":"budget:check","action":"ok","usedTokens":1,"budgetTokens":9,"ratio":0.1}"#,
    r#"{"type":"assistant:text","text":"Let me see."}"#,
    r#"{"type":"approval:pending","id":"a1","tool":"refund","args":{"order":"A-1"},"scope":{"tenant":"t","environment":"e","agent":"a"},"reason":"rule","requestedAt":"2026-01-01T00:00:00Z"}"#,
    r#"{"type":"actauth:decision","tool":"refund","decision":"allow","reason":"rule — human approved"}"#,
    r#"{"type":"tool:started","id":"c1","tool":"refund","args":{"order":"A-1"},"detailText":"refund"}"#,
    r#"{"type":"tool:started","id":"c2","tool":"ask_user","args":{"question":"Which card?"},"detailText":"ask"}"#,
    r#"{"type":"toollane:result","name":"refund","summary":"{}","isError":false}"#,
    r#"{"type":"tool:result","id":"c1","tool":"refund","statusText":"Approved."}"#,
    r#"{"type":"question:pending","id":"q1","question":"Which card?","agent":"a","requestedAt":"2026-01-01T00:00:00Z"}"#,
    r#"{"type":"tool:result","id":"c2","tool":"ask_user","args":{"question":"Which card?"},"statusText":"Approved."}"#,
    r#"{"type":"done","text":"Refunded."}"#,
];

/// What can happen to a conversation while the turn goes on at the server.
#[derive(Debug, Clone)]
enum Step {
    /// The stream brings its next event.
    Receive,
    /// A response brings this many events, as far as they have happened.
    Respond(usize),
    Decide(bool),
    Confirm,
    Fail,
    DecideElsewhere(bool),
    /// The line breaks and is joined again.
    Rejoin,
    /// The page is loaded anew, from a history that knows this much.
    Reload(usize),
    /// The session is asked for again by an answer that knows this much.
    CatchUp(usize),
    /// A list of what was pending when this many events had happened.
    List(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let known = 1..=TURN.len();
    let step = prop_oneof![
        8 => Just(Step::Receive),
        2 => known.clone().prop_map(Step::Respond),
        2 => any::<bool>().prop_map(Step::Decide),
        1 => Just(Step::Confirm),
        1 => Just(Step::Fail),
        1 => any::<bool>().prop_map(Step::DecideElsewhere),
        2 => Just(Step::Rejoin),
        1 => known.clone().prop_map(Step::Reload),
        2 => known.clone().prop_map(Step::CatchUp),
        2 => known.prop_map(Step::List),
    ];
    proptest::collection::vec(step, 0..60)
}

/// A conversation with the turn that it watches.
struct Play {
    conversation: Conversation,
    events: Vec<Received>,
    /// The next event of the open stream.
    next: usize,
    /// The verdict under way.
    flight: Option<(String, Verdict)>,
}

impl Play {
    fn new() -> Self {
        let mut conversation = Conversation::new();
        conversation.begin_turn("refund").unwrap();
        conversation.name_turn(Some("t"));
        let events = TURN.iter().map(|text| Received::Event(decode(text).unwrap())).collect();
        Self { conversation, events, next: 0, flight: None }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Receive => self.receive(),
            Step::Respond(known) => self.respond(*known),
            Step::Decide(is_first) => self.decide(*is_first),
            Step::Confirm => {
                if let Some((id, verdict)) = self.flight.take() {
                    self.conversation.confirm_decision(&id, verdict);
                }
            }
            Step::Fail => {
                if let Some((id, verdict)) = self.flight.take() {
                    let error = Error::new(ErrorKind::Network, "broke");
                    self.conversation.fail_decision(&id, verdict, &error);
                }
            }
            Step::DecideElsewhere(begins) => {
                let verdict = begins.then_some(Verdict::Approve);
                self.conversation.decide_elsewhere("a1", verdict);
            }
            Step::Rejoin => self.next = self.conversation.resume() as usize,
            Step::Reload(known) => {
                self.conversation = Conversation::new();
                self.flight = None;
                self.show(*known);
            }
            Step::CatchUp(known) => self.show(*known),
            Step::List(known) => self.list(*known),
        }
    }

    fn receive(&mut self) {
        if let Some(event) = self.events.get(self.next) {
            self.conversation.take_numbered(self.next as u64, event).unwrap();
            self.next += 1;
        }
    }

    fn respond(&mut self, known: usize) {
        let text =
            format!(r#"{{"text":"","sessionId":"s","events":[{}]}}"#, TURN[..known].join(","));
        // An answer that ends the turn is one that knows its end.
        if known == TURN.len() {
            self.conversation.apply_result(&TurnResult::from_json(&text).unwrap());
        }
    }

    fn decide(&mut self, is_first: bool) {
        if self.flight.is_some() {
            return;
        }
        let (id, verdict) = match is_first {
            true => ("a1", Verdict::Approve),
            false => ("q1", Verdict::Answer { text: "the blue one".into() }),
        };
        if let Ok(Begun::Send) = self.conversation.begin_decision(id, &verdict) {
            self.flight = Some((id.to_owned(), verdict));
        }
    }

    fn show(&mut self, events: usize) {
        let text = r#"{"sessionId":"s","history":[{"role":"user","content":"refund"}]}"#;
        let history = SessionHistory::from_json(text).unwrap();
        let cursor = TurnCursor { turn_id: "t".into(), events, before: 0 };
        self.conversation.show_turn(&history, &cursor, None);
        self.next = self.conversation.resume() as usize;
        while !self.conversation.has_caught_up() {
            self.receive();
        }
    }

    /// What waited for a verdict by then, asked for just now.
    fn list(&mut self, known: usize) {
        let shown = self.conversation.shown();
        // A list that is older than what is shown was asked for before that, and knows none of it.
        let asked_for = match known < shown {
            true => HashSet::new(),
            false => self.conversation.open_ids(),
        };
        let happened = &self.events[..known];
        let waits = |id: &str, raised: usize, settled: usize| {
            (known > raised && known <= settled).then(|| self.item(id, happened))
        };
        let listed = [waits("a1", 3, 4), waits("q1", 9, 10)].into_iter().flatten().collect();
        self.conversation.reconcile(listed, &asked_for);
    }

    fn item(&self, id: &str, events: &[Received]) -> PendingItem {
        let found = events.iter().find_map(|event| match event.as_event()? {
            LoopEvent::ApprovalPending(item) if item.id == id => Some(item.clone().into()),
            LoopEvent::QuestionPending(item) if item.id == id => Some(item.clone().into()),
            _ => None,
        });
        found.unwrap()
    }

    fn check(&self) {
        let state = self.conversation.state();
        assert_eq!(state.phase == Phase::Waiting, !state.pending.is_empty());
        assert!(state.pending.iter().all(|item| item.is_open()));
        assert_unique(state.messages.iter().map(|message| message.key.to_string()));
        let items = state.messages.iter().flat_map(|message| message.items());
        assert_unique(items.map(|item| item.id.clone()));
        let tools = state.messages.iter().flat_map(|message| message.tools());
        assert_unique(tools.map(|call| call.id.clone()));
    }

    fn finish(mut self) -> ChatState {
        self.step(&Step::Rejoin);
        while self.next < self.events.len() {
            self.receive();
            self.check();
        }
        self.conversation.state()
    }
}

fn assert_unique(names: impl Iterator<Item = String>) {
    let names: Vec<_> = names.collect();
    let unique: HashSet<_> = names.iter().collect();
    assert_eq!(unique.len(), names.len(), "{names:?}");
}

/// What a person reads, in an order that does not depend on who told of an item first.
fn read(state: &ChatState) -> Vec<Vec<String>> {
    let part = |part: &Part| match part {
        Part::Item { item } => {
            let is_decided = matches!(item.decision, DecisionState::Settled { .. });
            format!("item {} {is_decided}", item.id)
        }
        other => format!("{other:?}"),
    };
    let message = |message: &Arc<Message>| {
        let mut parts: Vec<_> = message.parts.iter().map(part).collect();
        parts.push(format!("{:?} {:?}", message.author, message.status));
        parts.sort();
        parts
    };
    state.messages.iter().map(message).collect()
}

proptest! {
    /// Survives: events, answers, verdicts and reloads come in any order → the same conversation
    #[test]
    fn every_order_of_events_answers_verdicts_and_reloads_ends_the_same(steps in steps()) {
        let mut play = Play::new();
        for step in &steps {
            play.step(step);
            play.check();
        }
        let state = play.finish();
        prop_assert_eq!(state.phase, Phase::Idle);
        prop_assert_eq!(read(&state), read(&Play::new().finish()));
    }
}
