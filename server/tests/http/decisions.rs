//! Deciding what is pending.

use crate::site::{AGENT, REFUND, Site};
use futures_util::future::join_all;
use serde_json::json;

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

#[tokio::test]
async fn of_many_deciders_exactly_one_wins() {
    let site = Site::new().await;
    let item = site.say("s-1", REFUND).await.item();
    let decisions = (0..16).map(|n| {
        let verdict = if n % 2 == 0 { "approve" } else { "deny" };
        let path = format!("/approvals/{item}/{verdict}");
        let site = &site;
        async move { site.post(&path, "").await.status }
    });
    let mut statuses = join_all(decisions).await;
    statuses.sort_unstable();
    assert_eq!(statuses[0], 200);
    assert!(statuses[1..].iter().all(|status| *status == 404), "{statuses:?}");
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
