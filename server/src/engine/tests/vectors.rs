//! Every scenario of tests/vectors/loopengine-sequences.ndjson, played by our engine.
//!
//! Compared are the number, order and all fields of the events, except: ids of sessions and pending
//! items, times, and the figures of the budget, whose estimate is ours (its `action` is compared).
//! Four texts differ on purpose and are rewritten in what is expected: the question tool's name;
//! the class name before an error's text; who denied where only a rule did; and the words for an
//! unknown skill, which told of the original's insides.

use super::*;
use turnwire::loopengine::{Content, Role};

const VECTORS: &str = include_str!("../../../../tests/vectors/loopengine-sequences.ndjson");

#[test]
fn every_recorded_scenario_is_reproduced() {
    let scenarios: Vec<Value> =
        VECTORS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(scenarios.len(), 22);
    for scenario in scenarios {
        let name = scenario["scenario"].as_str().unwrap();
        let expected: Vec<_> = scenario["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| comparable(as_ours(event)))
            .collect();
        let events: Vec<_> = desk(name).play().events.into_iter().map(comparable).collect();
        assert_eq!(events, expected, "{name}");
    }
}

fn desk(scenario: &str) -> Desk {
    let two = || {
        let batch = [reroute("tu_1", "P-1", "Linz"), reroute("tu_2", "P-2", "Wels")];
        calls("Two reroutes in one go.", batch)
    };
    let one = || calls("I will reroute it.", [reroute("tu_1", "P-77", "Linz")]);
    let both = || {
        let batch = [track("tu_1", "P-77"), reroute("tu_2", "P-77", "Linz")];
        calls("Track, then reroute.", batch)
    };
    let skill = |name| calls("Using a skill.", [("tu_1", SKILL, json!({"skill": name}))]);
    match scenario {
        "plain" => Desk::new([answer("The depot opens at nine.")]),
        "allow" => Desk::new([
            calls("Let me look that up.", [track("tu_1", "P-77")]),
            answer("Parcel P-77 is in Graz."),
        ]),
        "par" => Desk::new([
            calls(
                "",
                [track("tu_1", "P-1"), track("tu_2", "P-2"), ("tu_3", "flaky_tool", json!({}))],
            ),
            answer("Two found, one failed."),
        ]),
        "ask-approve" => Desk::new([one(), answer("Rerouted to Linz.")]).deciding([json!(true)]),
        "ask-deny" => Desk::new([one()]).deciding([json!(false)]),
        "sibling-deny" => Desk::new([both()]).deciding([json!(false)]),
        "sibling-approve" => Desk::new([both(), answer("Done with both.")]).deciding([json!(true)]),
        "batch2" => {
            Desk::new([two(), answer("Both rerouted.")]).deciding([json!(true), json!(true)])
        }
        "batch2-deny-second" => Desk::new([two()]).deciding([json!(true), json!(false)]),
        "twice" => Desk::new([
            calls("First reroute.", [reroute("tu_1", "P-1", "Linz")]),
            calls("Second reroute.", [reroute("tu_2", "P-2", "Wels")]),
            answer("Both rerouted."),
        ])
        .deciding([json!(true), json!(true)]),
        "denyrule" => {
            let call = ("tu_1", "delete_parcel", json!({"parcelId": "P-77"}));
            Desk::new([calls("Deleting.", [call])])
        }
        "question" => {
            let args = json!({"question": "Which depot?", "options": ["Graz", "Linz"]});
            Desk::new([
                calls("One thing first.", [("tu_1", ASK_USER, args)]),
                answer("You chose \"Graz\"."),
            ])
            .deciding([json!("Graz")])
        }
        "qask" => Desk::new([
            calls("One thing first.", [("tu_1", ASK_USER, json!({"question": "Which depot?"}))]),
            calls("Now reroute.", [reroute("tu_2", "P-9", "Wels")]),
            answer("Rerouted as you said."),
        ])
        .deciding([json!("Wels"), json!(true)]),
        "max" => Desk::new([
            calls("", [track("tu_1", "P-1")]),
            calls("", [track("tu_2", "P-2")]),
            calls("", [track("tu_3", "P-3")]),
            calls("", [track("tu_4", "P-4")]),
        ]),
        "skill" => Desk::new([skill("triage"), answer("It is late.")]),
        "noskill" => Desk::new([skill("missing")]),
        "boom" => Desk::new([
            calls("Working on it.", [track("tu_1", "P-77")]),
            Err(ModelError::Failed("model backend fell over".into())),
        ]),
        "flaky" => {
            Desk::new([calls("Trying.", [("tu_1", "flaky_tool", json!({}))]), answer("It failed.")])
        }
        "empty" => Desk::new([answer("")]),
        "unicode" => Desk::new([answer("Grüße 🧪 \u{2028} line\nbreak \"quoted\"")]),
        "compact" => Desk {
            history: vec![text("ten tokens of history are in here, more or less"); 12],
            budget_tokens: 60,
            ..Desk::new([Err(ModelError::PromptTooLong), answer("Short again.")])
        },
        "nudge" => Desk {
            message: "x".repeat(48 * 4),
            budget_tokens: 60,
            ..Desk::new([answer("The depot opens at nine.")])
        },
        other => panic!("unknown scenario {other}"),
    }
}

fn text(text: &str) -> HistoryMessage {
    HistoryMessage::new(Role::User, Content::Text(text.into()))
}

/// Rewrites what we say differently on purpose.
fn as_ours(event: &Value) -> Value {
    let mut text = event.to_string();
    for (theirs, ours) in [
        ("system_ask_user", "ask_user"),
        ("ERROR: Error: ", "ERROR: "),
        (r#""error":"Error: "#, r#""error":""#),
        ("you denied: delete_parcel", "the rules deny: delete_parcel"),
        (
            "Unknown skill 'missing' — call buildIndex() first, or it wasn't discovered",
            "unknown skill 'missing'",
        ),
    ] {
        text = text.replace(theirs, ours);
    }
    serde_json::from_str(&text).unwrap()
}

/// Drops what is never the same twice.
fn comparable(mut event: Value) -> Value {
    let is_pending = event["type"].as_str().unwrap().ends_with(":pending");
    let fields = event.as_object_mut().unwrap();
    for name in ["sessionId", "requestedAt", "usedTokens", "budgetTokens", "ratio"] {
        if let Some(value) = fields.get_mut(name) {
            *value = Value::Null;
        }
    }
    if is_pending {
        fields["id"] = Value::Null;
    }
    event
}
