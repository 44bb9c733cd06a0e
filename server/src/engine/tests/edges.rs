//! What the recorded scenarios do not show.

use super::*;
use turnwire::loopengine::{Content, Role};

#[test]
fn after_a_denial_nobody_is_asked_about_the_rest_of_the_batch() {
    let batch =
        [reroute("tu_1", "P-1", "Linz"), reroute("tu_2", "P-2", "Wels"), track("tu_3", "P-3")];
    let played = Desk::new([calls("", batch)]).deciding([json!(false)]).play();
    assert_eq!(
        played.types()[2..],
        [
            "approval:pending",
            "actauth:decision",
            "tool:result",
            "actauth:decision",
            "tool:started",
            "loop:skipped",
            "tool:result",
            "loop:skipped",
            "tool:result",
            "loop:denied",
            "done",
        ]
    );
    let statuses: Vec<_> = played
        .events
        .iter()
        .filter(|event| event["type"] == "tool:result")
        .map(|event| (&event["id"], &event["statusText"]))
        .map(|(id, status)| format!("{id} {status}"))
        .collect();
    assert_eq!(statuses, [r#""tu_1" "Denied.""#, r#""tu_2" "Skipped.""#, r#""tu_3" "Skipped.""#]);
}

#[test]
fn a_turn_that_people_and_rules_stopped_names_both() {
    let batch = [reroute("tu_1", "P-1", "Linz"), ("tu_2", "delete_parcel", json!({}))];
    let played = Desk::new([calls("", batch)]).deciding([json!(false)]).play();
    assert_eq!(
        played.events.last().unwrap()["text"],
        "Stopped — you denied: reroute_parcel; the rules deny: delete_parcel. \
         Send another message to continue."
    );
}

#[test]
fn what_nobody_decides_in_time_is_denied_and_a_question_without_answer_is_an_error() {
    let desk = Desk::new([calls("", [reroute("tu_1", "P-1", "Linz")])]).deciding([Value::Null]);
    let played = Desk { decision_time: Some(Duration::from_secs(60)), ..desk }.play();
    let pending = played.events.iter().find(|event| event["type"] == "approval:pending").unwrap();
    assert_eq!(pending["expiresAt"], "60 s later");
    assert_eq!(
        played.events.last().unwrap()["text"],
        "Stopped — nobody decided in time on: reroute_parcel. Send another message to continue."
    );
    let args = json!({"question": "Which depot?"});
    let desk = Desk::new([calls("", [("tu_1", ASK_USER, args)]), answer("Never mind.")]);
    let played = desk.deciding([Value::Null]).play();
    let result = played.events.iter().find(|event| event["type"] == "toollane:result").unwrap();
    assert_eq!(result["summary"], "ERROR: nobody answered in time");
    assert_eq!(played.events.last().unwrap()["text"], "Never mind.");
}

#[test]
fn a_tool_that_no_rule_names_is_denied() {
    let played = Desk::new([calls("", [("tu_1", "launch", json!({}))])]).play();
    assert_eq!(played.types().last(), Some(&"done"));
    assert_eq!(played.events[2]["decision"], "deny");
}

#[test]
fn a_question_without_words_is_an_error_and_asks_nobody() {
    for args in [
        json!({}),
        json!({"question": ""}),
        json!({"question": 7}),
        json!({"question": "Which?", "options": "Graz"}),
        json!({"question": "Which?", "options": [1]}),
    ] {
        let played = Desk::new([calls("", [("tu_1", ASK_USER, args)]), answer("Sorry.")]).play();
        assert!(!played.types().contains(&"question:pending"));
        let result = played.events.iter().find(|event| event["type"] == "tool:result");
        assert_eq!(result.unwrap()["statusText"], "Error.");
    }
}

#[test]
fn the_conversation_has_every_call_and_its_result() {
    let played = Desk::new([
        calls("Track.", [track("tu_1", "P-1"), ("tu_2", "flaky_tool", json!({}))]),
        answer("Done."),
    ])
    .play();
    assert_eq!(
        Value::from(played.messages),
        json!([
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": [
                {"type": "text", "text": "Track."},
                {"type": "tool_use", "id": "tu_1", "name": "track_parcel", "input": {"parcelId": "P-1"}},
                {"type": "tool_use", "id": "tu_2", "name": "flaky_tool", "input": {}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "tu_1",
                 "content": "{\"parcelId\":\"P-1\",\"at\":\"Graz\"}",
                 "reason": "matched rule 'tracking-is-free'"},
                {"type": "tool_result", "tool_use_id": "tu_2", "content": "ERROR: carrier offline",
                 "is_error": true, "reason": "matched rule 'flaky-ok'"}]},
            {"role": "assistant", "content": "Done."},
        ])
    );
}

#[test]
fn a_denied_turn_keeps_its_calls_and_its_notice() {
    let played =
        Desk::new([calls("", [reroute("tu_1", "P-1", "Linz")])]).deciding([json!(false)]).play();
    let reason = "matched rule 'reroute-needs-human' — human denied";
    assert_eq!(played.messages[2]["content"][0]["content"], format!("denied: {reason}"));
    assert_eq!(played.messages[3]["content"], played.events.last().unwrap()["text"]);
}

#[test]
fn a_failed_turn_keeps_the_message_and_leaves_no_call_open() {
    let batch = [track("tu_1", "P-1"), ("tu_2", SKILL, json!({"skill": "no"}))];
    let played = Desk::new([calls("", batch)]).play();
    assert_eq!(played.types().last(), Some(&"error"));
    assert_eq!(played.messages[0]["content"], "Hi");
    let results = played.messages[2]["content"].as_array().unwrap();
    assert!(results.iter().all(|result| result["is_error"] == true));
    assert_eq!(results.len(), 2);
}

#[test]
fn a_prompt_that_stays_too_long_fails_after_three_compactions() {
    let refusals = (0..4).map(|_| Err(ModelError::PromptTooLong));
    let played = Desk::new(refusals).play();
    assert_eq!(
        played.types()[1..],
        ["budget:check", "prompt:compaction", "prompt:compaction", "prompt:compaction", "error"]
    );
    assert_eq!(played.events.last().unwrap()["error"], "the prompt is too long for the model");
}

#[test]
fn a_compaction_shortens_the_prompt_and_not_the_history() {
    let old = HistoryMessage::new(Role::User, Content::Text("old".into()));
    let desk = Desk {
        history: vec![old; 12],
        ..Desk::new([Err(ModelError::PromptTooLong), answer("Short.")])
    };
    let played = desk.play();
    let lengths: Vec<_> = played.prompts.iter().map(Vec::len).collect();
    assert_eq!(lengths, [13, 6]);
    assert_eq!(played.messages.len(), 2);
}

#[test]
fn the_model_is_told_to_be_brief_once_a_turn() {
    let looked = |tokens| {
        let reply = calls("", [track("tu_1", "P-1")]).unwrap();
        Ok(Reply { used_tokens: Some(tokens), ..reply })
    };
    let played = Desk::new([looked(6500), looked(6600), answer("Brief.")]).play();
    let actions: Vec<_> = played
        .events
        .iter()
        .filter(|event| event["type"] == "budget:check")
        .map(|event| event["action"].as_str().unwrap())
        .collect();
    assert_eq!(actions, ["ok", "nudge", "nudge"]);
    let told = played.messages.iter().filter(|message| message["role"] == "system");
    assert_eq!(told.count(), 1);
}

#[test]
fn a_call_that_was_running_ends_as_interrupted_and_the_next_one_runs() {
    let mut desk =
        Desk::new([calls("", [track("tu_1", "P-1"), track("tu_2", "P-2")]), answer("One of two.")]);
    let (mut turn, _) = Turn::open(desk.opening());
    let mut played = Played { events: Vec::new(), messages: Vec::new(), prompts: Vec::new() };
    while !turn.is_over() {
        let outcome = match turn.effect() {
            Effect::RunTool(call) if call.id == "tu_1" => Outcome::Interrupted,
            effect => desk.outcome(effect, &mut played),
        };
        let progress = turn.apply(outcome, &desk.stamps).unwrap();
        played.add(progress);
    }
    let results: Vec<_> =
        played.events.iter().filter(|event| event["type"] == "tool:result").collect();
    assert_eq!(results[0]["statusText"], "Error.");
    assert!(results[0]["detailText"].as_str().unwrap().starts_with("interrupted"));
    assert_eq!(results[1]["statusText"], "Approved.");
}

#[test]
fn calls_that_an_interrupted_turn_left_open_get_a_result_before_the_next_message() {
    let call = json!({"role": "assistant", "content": [
        {"type": "tool_use", "id": "tu_9", "name": "track_parcel", "input": {}}]});
    let desk = Desk {
        history: vec![HistoryMessage::from_json(call).unwrap()],
        ..Desk::new([answer("Hello again.")])
    };
    let played = desk.play();
    assert_eq!(played.messages[0]["content"][0]["tool_use_id"], "tu_9");
    assert_eq!(played.messages[0]["content"][0]["is_error"], true);
    assert_eq!(played.messages[1]["content"], "Hi");
}

#[test]
fn the_outcome_of_another_effect_changes_nothing() {
    let desk = Desk::new([]);
    let (mut turn, _) = Turn::open(desk.opening());
    let before = serde_json::to_string(&turn).unwrap();
    for outcome in [Outcome::ToolStarted, Outcome::Answered("x".into()), Outcome::Interrupted] {
        assert!(turn.apply(outcome, &desk.stamps).is_err());
    }
    assert_eq!(serde_json::to_string(&turn).unwrap(), before);
    turn.apply(Outcome::Failed("gone".into()), &desk.stamps).unwrap();
    assert!(turn.apply(Outcome::Failed("gone".into()), &desk.stamps).is_err());
}
