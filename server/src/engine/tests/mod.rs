//! The engine driven by hand: parcel desk, an agent whose replies are given by each test.

use super::*;
use crate::agents::Rules;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use turnwire::loopengine::{HistoryMessage, LoopEvent};

mod edges;
mod vectors;

const RULES: &str = r#"
default_decision: deny
rules:
  - { name: tracking-is-free, scope: "*/*", tool: track_parcel, decision: allow }
  - { name: flaky-ok, scope: "*/*", tool: flaky_tool, decision: allow }
  - { name: reroute-needs-human, scope: "*/*/parcel-desk", tool: reroute_parcel, decision: ask }
  - { name: never-delete, scope: "*/*", tool: "delete_*", decision: deny }
"#;

/// Ids and times that count up.
#[derive(Debug, Default)]
struct CountingStamps(AtomicU32);

impl Stamps for CountingStamps {
    fn id(&self) -> String {
        format!("item-{}", self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }

    fn now(&self) -> String {
        "2026-03-04T05:06:07.089Z".into()
    }

    fn after(&self, wait: Duration) -> String {
        format!("{} s later", wait.as_secs())
    }
}

/// What a turn is played with; each part is used up from the front.
#[derive(Debug, Default)]
struct Desk {
    replies: VecDeque<Result<Reply, ModelError>>,
    /// `true`, `false`, the text of an answer, or null for nobody in time.
    people: VecDeque<Value>,
    history: Vec<HistoryMessage>,
    message: String,
    max_turns: u32,
    budget_tokens: u64,
    decision_time: Option<Duration>,
    stamps: CountingStamps,
}

/// What came of a turn.
#[derive(Debug)]
struct Played {
    events: Vec<Value>,
    messages: Vec<Value>,
    prompts: Vec<Vec<HistoryMessage>>,
}

impl Desk {
    fn new(replies: impl IntoIterator<Item = Result<Reply, ModelError>>) -> Self {
        Self {
            replies: replies.into_iter().collect(),
            message: "Hi".into(),
            max_turns: 4,
            budget_tokens: 8000,
            ..Self::default()
        }
    }

    fn deciding(mut self, people: impl IntoIterator<Item = Value>) -> Self {
        self.people = people.into_iter().collect();
        self
    }

    /// Plays the turn to its end; between any two steps it is stored and read back.
    fn play(mut self) -> Played {
        let (mut turn, progress) = Turn::open(self.opening());
        let mut played = Played { events: Vec::new(), messages: Vec::new(), prompts: Vec::new() };
        played.add(progress);
        while !turn.is_over() {
            turn = self.read_back(&turn);
            let outcome = self.outcome(turn.effect(), &mut played);
            let progress = turn.apply(outcome, &self.stamps).unwrap();
            self.history.extend(progress.messages.clone());
            played.add(progress);
        }
        played
    }

    fn opening(&self) -> Opening {
        Opening {
            session: SessionKey {
                scope: Scope {
                    tenant: "default".into(),
                    environment: "production".into(),
                    agent: "parcel-desk".into(),
                },
                id: "s-1".into(),
            },
            limits: Limits {
                max_turns: self.max_turns,
                budget_tokens: self.budget_tokens,
                decision_time: self.decision_time,
            },
            message: self.message.clone(),
        }
    }

    fn read_back(&self, turn: &Turn) -> Turn {
        let stored = serde_json::to_string(turn).unwrap();
        let mut turn: Turn = serde_json::from_str(&stored).unwrap();
        turn.restore(self.history.clone());
        turn
    }

    fn outcome(&mut self, effect: Effect<'_>, played: &mut Played) -> Outcome {
        match effect {
            Effect::LoadSession => {
                Outcome::SessionLoaded { history: self.history.clone(), left_out: 0 }
            }
            Effect::CallModel(prompt) => {
                played.prompts.push(prompt.messages);
                Outcome::Replied(self.replies.pop_front().unwrap())
            }
            Effect::Judge(call) => {
                let scope = self.opening().session.scope;
                Outcome::Judged(Rules::parse(RULES).unwrap().judge(&scope, call))
            }
            Effect::LoadSkill(name) => {
                Outcome::SkillLoaded((name == "triage").then(|| "Sort by urgency.".into()))
            }
            Effect::AwaitApproval(_) | Effect::AwaitAnswer(_) => {
                match self.people.pop_front().unwrap() {
                    Value::Bool(approved) => Outcome::Decided { approved },
                    Value::String(answer) => Outcome::Answered(answer),
                    _ => Outcome::Expired,
                }
            }
            Effect::StartTool(_) => Outcome::ToolStarted,
            Effect::RunTool(call) => Outcome::ToolEnded(run(call)),
            Effect::Nothing => panic!("nothing to do, yet the turn is not over"),
        }
    }
}

impl Played {
    fn add(&mut self, progress: Progress) {
        let json = |event: &LoopEvent| serde_json::to_value(event).unwrap();
        self.events.extend(progress.events.iter().map(json));
        let json = |message: &HistoryMessage| serde_json::to_value(message).unwrap();
        self.messages.extend(progress.messages.iter().map(json));
    }

    fn types(&self) -> Vec<&str> {
        self.events.iter().map(|event| event["type"].as_str().unwrap()).collect()
    }
}

fn run(call: &Call) -> Result<Value, ToolError> {
    match call.tool.as_str() {
        "track_parcel" => Ok(json!({"parcelId": call.args["parcelId"], "at": "Graz"})),
        "reroute_parcel" => Ok(json!({"rerouted": call.args["to"]})),
        _ => Err(ToolError("carrier offline".into())),
    }
}

fn answer(text: &str) -> Result<Reply, ModelError> {
    Ok(Reply { text: text.into(), ..Reply::default() })
}

/// A reply with calls, given as id, tool and arguments.
fn calls<const N: usize>(text: &str, calls: [(&str, &str, Value); N]) -> Result<Reply, ModelError> {
    let call = |(id, tool, args): (&str, &str, Value)| Call {
        id: id.into(),
        tool: tool.into(),
        args: args.as_object().unwrap().clone(),
    };
    Ok(Reply {
        text: text.into(),
        calls: calls.into_iter().map(call).collect(),
        ..Reply::default()
    })
}

fn track(id: &'static str, parcel: &str) -> (&'static str, &'static str, Value) {
    (id, "track_parcel", json!({"parcelId": parcel}))
}

fn reroute(id: &'static str, parcel: &str, to: &str) -> (&'static str, &'static str, Value) {
    let args = json!({"parcelId": parcel, "to": to});
    (id, "reroute_parcel", args)
}
