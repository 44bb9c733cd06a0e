//! Deciding what is pending.

use crate::site::{AGENT, REFUND, Site};
use futures_util::future::join_all;
use serde_json::json;
use turnwire_server::Config;

#[tokio::test]
async fn a_denied_call_ends_the_turn_and_skips_its_siblings() {
    let site = Site::new().await;
    let refund = site.say("s-1", "refund A-1001 and email me").await.item();
    let next = site.post(&format!("/approvals/{refund}/approve"), "").await;
    assert_eq!(next.json()["tool"], "send_email");
    let email = next.item();
    let end = site.post(&format!("/approvals/{email}/deny"), "").await;
    assert_eq!(end.json()["stopReason"], "denied");
    let types = end.event_types();
    assert!(types.ends_with(&["loop:denied".into(), "done".into()]), "{types:?}");
    let skipped: Vec<_> = end.json()["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["type"] == "loop:skipped")
        .cloned()
        .collect();
    let expected =
        json!({"type": "loop:skipped", "name": "issue_refund", "deniedTools": ["send_email"]});
    assert_eq!(skipped, [expected]);
}

#[tokio::test]
async fn a_rule_that_denies_asks_nobody() {
    let site = Site::new().await;
    let reply = site.say("s-1", "delete everything").await;
    assert_eq!((reply.status, &reply.json()["stopReason"]), (200, &json!("denied")));
    assert!(!reply.event_types().contains(&"approval:pending".to_owned()));
}

#[tokio::test]
async fn what_is_not_pending_cannot_be_decided() {
    let site = Site::new().await;
    let gone = |what: &str, id: &str, done: &str| {
        (404, format!("No pending {what} '{id}' (already {done}, timed out, or never existed)."))
    };
    for verdict in ["approve", "deny"] {
        let reply = site.post(&format!("/approvals/x/{verdict}"), "").await;
        assert_eq!(reply.refusal(), gone("approval", "x", "decided"));
    }
    let reply = site.post("/questions/x/answer", r#"{"answer":"a"}"#).await;
    assert_eq!(reply.refusal(), gone("question", "x", "answered"));

    // An item of the other kind is not meant, and stays pending.
    let question = site.say("s-1", "refund").await.item();
    let reply = site.post(&format!("/approvals/{question}/approve"), "").await;
    assert_eq!(reply.refusal(), gone("approval", &question, "decided"));
    let listed = site.get(&format!("{AGENT}/sessions/s-1/questions")).await.json();
    assert_eq!(listed["questions"][0]["id"], question.as_str());
}

/// Survives: two windows decide → the first verdict stands, and the other window shows it
#[tokio::test]
async fn of_many_deciders_exactly_one_wins() {
    let site = Site::new().await;
    let item = site.say("s-1", REFUND).await.item();
    let decide = async |verdict: &'static str| {
        let reply = site.post(&format!("/approvals/{item}/{verdict}"), "").await;
        (verdict, reply.status, reply.json())
    };
    let decisions = (0..16).map(|n| decide(["approve", "deny"][n % 2]));
    let answers = join_all(decisions).await;
    let (winner, _, first) = answers.iter().find(|(_, status, _)| *status == 200).unwrap();
    for (verdict, status, body) in &answers {
        if verdict == winner {
            assert_eq!((*status, body), (200, first), "the same verdict has the same answer");
        } else {
            assert_eq!((*status, &body["verdict"]), (409, &json!(winner)), "{body}");
        }
    }
    let refunds = first["events"].as_array().unwrap().iter();
    let refunds = refunds.filter(|event| event["name"] == "issue_refund").count();
    assert_eq!(refunds, usize::from(*winner == "approve"));
}

/// Survives: the answer to a verdict gets lost → it counts once, and is answered alike again
#[tokio::test]
async fn the_same_verdict_gets_its_first_answer_again_and_another_one_is_told_what_stands() {
    let site = Site::new().await;
    let item = site.say("s-1", "refund A-1001 and email me").await.item();
    let approve = format!("/approvals/{item}/approve");
    let first = site.post(&approve, "").await;
    let email = first.item();
    let denied = site.post(&format!("/approvals/{email}/deny"), "").await;
    assert_eq!(denied.status, 200);
    // The turn is long past that moment, and the answer is still the one of that moment.
    let again = site.post(&approve, "").await;
    assert_eq!((again.status, again.json()), (202, first.json()));
    let other = site.post(&format!("/approvals/{item}/deny"), "").await;
    let expected = json!({"error": "this was approved already", "verdict": "approve"});
    assert_eq!((other.status, other.json()), (409, expected));

    let question = site.say("s-2", "refund").await.item();
    let answer = format!("/questions/{question}/answer");
    let first = site.post(&answer, r#"{"answer":"A-1002"}"#).await;
    let again = site.post(&answer, r#"{"answer":"A-1002"}"#).await;
    assert_eq!(again.json(), first.json());
    let other = site.post(&answer, r#"{"answer":"A-1001"}"#).await;
    let expected =
        json!({"error": "this was answered already", "verdict": "answer", "answer": "A-1002"});
    assert_eq!((other.status, other.json()), (409, expected));
}

/// Survives: nobody decides in time → the card expires, and the session goes on
#[tokio::test]
async fn what_nobody_decides_in_time_expires() {
    let folder = tempfile::tempdir().unwrap();
    let agent = folder.path().join("customer-service");
    std::fs::create_dir(&agent).unwrap();
    let file =
        "system_prompt = \"\"\ndecision_seconds = 1\ntools = [\"lookup_order\", \"issue_refund\"]";
    std::fs::write(agent.join("agent.toml"), file).unwrap();
    let rules = "default_decision: allow\nrules:\n  - {name: ask, scope: '*/*', tool: issue_refund, decision: ask}\n";
    std::fs::write(agent.join("actauth.yml"), rules).unwrap();
    let config = Config { agents: vec![folder.path().into()], ..Config::default() };
    let site = Site::with(config).await;

    let pending = site.say("s-1", REFUND).await;
    let item = pending.item();
    let event = pending.json()["events"].as_array().unwrap().last().unwrap().clone();
    assert!(event["expiresAt"].as_str().unwrap() > event["requestedAt"].as_str().unwrap());
    // Runs behind the turn that waits, and so when its time has passed.
    assert_eq!(site.say("s-1", "hello").await.status, 200);
    let reply = site.post(&format!("/approvals/{item}/approve"), "").await;
    assert_eq!(reply.refusal(), (410, "this has expired: nobody decided in time".into()));
    let history = site.history("s-1").await;
    let stopped =
        "Stopped — nobody decided in time on: issue_refund. Send another message to continue.";
    assert!(history.iter().any(|message| message["content"] == stopped), "{history:?}");

    let question = site.say("s-2", "refund").await.item();
    assert_eq!(site.say("s-2", "hello").await.status, 200);
    let reply = site.post(&format!("/questions/{question}/answer"), r#"{"answer":"A-1001"}"#).await;
    assert_eq!((reply.status, &reply.json()["code"]), (410, &json!("expired")));
}

#[tokio::test]
async fn what_is_pending_is_listed_for_its_agent_and_its_session() {
    let site = Site::new().await;
    let item = site.say("s-1", REFUND).await.item();
    let question = site.say("s-2", "refund").await.item();
    let approvals = site.get(&format!("{AGENT}/approvals")).await.json();
    let fields: Vec<_> =
        approvals["approvals"][0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields, ["id", "tool", "args", "scope", "reason", "requestedAt"]);
    for (path, expected) in [
        ("/agents/customer-service/approvals", json!([item])),
        ("/agents/customer-service/questions", json!([question])),
        ("/agents/customer-service/sessions/s-1/approvals", json!([item])),
        ("/agents/customer-service/sessions/s-1/questions", json!([])),
        ("/agents/customer-service/sessions/s-2/questions", json!([question])),
        ("/agents/nobody/approvals", json!([])),
        ("/agents/customer-service/sessions/none/questions", json!([])),
    ] {
        let reply = site.get(path).await;
        assert_eq!(reply.status, 200, "{path}");
        let (_, items) = reply.json().as_object().unwrap().clone().into_iter().next().unwrap();
        let ids: Vec<_> = items.as_array().unwrap().iter().map(|item| item["id"].clone()).collect();
        assert_eq!(json!(ids), expected, "{path}");
    }
}
