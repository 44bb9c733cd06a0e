//! Turns that wait for a person, and the submissions that decide them.

use crate::agentskit_site::{SESSION, Told, post, refusal, selection, submission, submit, verdict};
use crate::site::Site;
use futures_util::future::join_all;
use serde_json::{Value, json};
use turnwire::agentskit::{AssistantPart, ComponentFrame, SelectionEvent};
use turnwire_server::{Config, DataPlace};

const REFUNDED: &str = "Refunded $42.00 to your original payment method.";

async fn waiting(site: &Site) -> (Told, ComponentFrame) {
    let told = submit(site, "t-1", "refund A-1001").await;
    let frame = told.component("approval-request");
    (told, frame)
}

/// The status of every call.
fn statuses(told: &Told) -> Vec<Value> {
    told.calls().iter().map(|call| call["status"].clone()).collect()
}

#[tokio::test]
async fn a_turn_that_waits_ends_with_the_component_that_asks() {
    let site = Site::new().await;
    let (told, frame) = waiting(&site).await;
    assert_eq!(told.last().status.as_str(), "complete");
    let text = AssistantPart::Text("I will refund $42.00 for order A-1001.".into());
    assert_eq!(told.parts(), [text, AssistantPart::Component(frame.clone())]);
    assert_eq!(
        frame.props.to_value(),
        json!({
            "title": "Approve issue_refund?",
            "description": "The agent wants to run issue_refund with {\"orderId\":\"A-1001\"} \
                (matched rule 'refunds-need-approval').",
            "approveLabel": "Approve",
            "denyLabel": "Deny",
        })
    );
    assert_eq!(statuses(&told), ["complete", "requires_confirmation"]);
}

#[tokio::test]
async fn an_approval_lets_the_turn_go_on() {
    let site = Site::new().await;
    let (before, frame) = waiting(&site).await;
    let told = submit(&site, "t-2", &verdict(&frame, "approve")).await;
    assert!(told.sequences()[0] > *before.sequences().last().unwrap());
    assert_eq!(told.last_message().content, REFUNDED);
    assert_eq!(statuses(&told), ["complete", "complete"]);
    // The verdict is no message, and the component is gone.
    let expected = [
        ("user", "refund A-1001"),
        ("assistant", "Let me look at order A-1001 first."),
        ("assistant", "I will refund $42.00 for order A-1001."),
        ("assistant", REFUNDED),
    ];
    assert_eq!(told.said(), expected);
}

#[tokio::test]
async fn a_denial_may_be_a_selection_too() {
    let site = Site::new().await;
    let (_, frame) = waiting(&site).await;
    let event: SelectionEvent = frame.select("deny").unwrap();
    let told = submit(&site, "t-2", &serde_json::to_string(&event).unwrap()).await;
    assert_eq!(
        told.last_message().content,
        "Stopped — you denied: issue_refund. Send another message to continue."
    );
    assert_eq!(statuses(&told), ["complete", "error"]);
    let error = told.calls()[1]["error"].as_str().unwrap().to_owned();
    assert!(error.starts_with("denied: "), "{error}");
}

#[tokio::test]
async fn what_does_not_decide_what_waits_finds_the_session_busy() {
    let site = Site::new().await;
    let (_, frame) = waiting(&site).await;
    let other = ComponentFrame {
        instance_id: turnwire::agentskit::SafeId::new("other").unwrap(),
        ..frame.clone()
    };
    let valued = verdict(&frame, "approve").replacen('{', "{\"value\":1,", 1);
    let inputs =
        ["hello", "approve", &verdict(&other, "approve"), &verdict(&frame, "later"), &valued];
    for input in inputs {
        let reply = site.send(post(submission("t-2", input))).await;
        assert_eq!(refusal(&reply), (409, "SESSION_BUSY".into(), true), "{input}");
    }
    let told = submit(&site, "t-2", &verdict(&frame, "approve")).await;
    assert_eq!(told.last_message().content, REFUNDED);
}

#[tokio::test]
async fn a_verdict_that_comes_too_late_is_answered_with_what_stands() {
    let site = Site::new().await;
    let (_, frame) = waiting(&site).await;
    let path = format!("/approvals/{}/deny", frame.instance_id);
    assert_eq!(site.post(&path, "").await.status, 200);
    let told = submit(&site, "t-2", &verdict(&frame, "approve")).await;
    assert_eq!(statuses(&told), ["complete", "error"]);
    assert_eq!(told.last().status.as_str(), "complete");
    let said: Vec<_> = told.said().into_iter().filter(|(role, _)| *role == "user").collect();
    assert_eq!(said, [("user", "refund A-1001")]);
}

#[tokio::test]
async fn of_many_verdicts_one_is_taken() {
    let site = Site::new().await;
    let (_, frame) = waiting(&site).await;
    let input = verdict(&frame, "approve");
    let sent = (2..8).map(|turn| site.send(post(submission(&format!("t-{turn}"), &input))));
    let replies = join_all(sent).await;
    assert!(replies.iter().all(|reply| [200, 409].contains(&reply.status)));
    // Those that came when all was over were told what stands.
    for reply in replies.iter().filter(|reply| reply.status == 200) {
        assert_eq!(Told::of(reply).last_message().content, REFUNDED);
    }
    let again = submit(&site, "t-9", "refund A-1001").await;
    assert_eq!(again.last_message().content, "Order A-1001 has been refunded already.");
}

#[tokio::test]
async fn each_call_of_a_round_is_asked_about_in_its_turn() {
    let site = Site::new().await;
    let refund = submit(&site, "t-1", "refund A-1001 and email me").await;
    assert_eq!(statuses(&refund), ["complete", "requires_confirmation", "pending"]);
    let first = refund.component("approval-request");
    let email = submit(&site, "t-2", &verdict(&first, "approve")).await;
    assert_eq!(statuses(&email), ["complete", "pending", "requires_confirmation"]);
    let second = email.component("approval-request");
    assert_ne!(first.instance_id, second.instance_id);
    let end = submit(&site, "t-3", &verdict(&second, "approve")).await;
    assert_eq!(statuses(&end), ["complete"; 3]);
}

#[tokio::test]
async fn a_question_is_answered_by_a_choice_or_in_words() {
    for by_choice in [true, false] {
        let site = Site::new().await;
        let asked = submit(&site, "t-1", "I want a refund").await;
        let list = asked.component("choice-list");
        assert_eq!(list.props.to_value()["prompt"], "Which order is it about?");
        let answer = if by_choice { &selection(&list, "A-1002") } else { "A-1002" };
        let told = submit(&site, "t-2", answer).await;
        let expected = [
            ("user", "I want a refund"),
            ("assistant", "I can help with that.\n\nWhich order is it about?"),
            ("user", "A-1002"),
        ];
        assert_eq!(told.said()[..3], expected);
        assert_eq!(told.component("approval-request").component_key.as_str(), "approval-request");
        submit(&site, "t-3", &verdict(&told.component("approval-request"), "deny")).await;
    }
}

/// Survives: the server is stopped and started again → what waited can be decided
#[tokio::test]
async fn a_component_that_asks_is_decided_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let config = || Config { data: DataPlace::Folder(folder.path().into()), ..Config::default() };
    let (before, frame) = {
        let server = turnwire_server::TestServer::start(config()).await.unwrap();
        let (before, frame) = over_http(&server, "t-1", "refund A-1001").await;
        server.stop().await;
        (before, frame.unwrap())
    };
    let server = turnwire_server::TestServer::start(config()).await.unwrap();
    let (after, _) = over_http(&server, "t-2", &verdict(&frame, "approve")).await;
    assert!(after.sequences()[0] > *before.sequences().last().unwrap());
    assert_eq!(after.last_message().content, REFUNDED);
    server.stop().await;
}

async fn over_http(
    server: &turnwire_server::TestServer,
    turn: &str,
    input: &str,
) -> (Told, Option<ComponentFrame>) {
    let url = format!("{}{}/turns", server.base_url(), crate::site::AGENT);
    let request = reqwest::Client::new().post(url).header("content-type", "application/json");
    let response = request.body(submission(turn, input)).send().await.unwrap();
    let told = Told::of_text(&response.text().await.unwrap());
    let frame = told.parts().into_iter().find_map(|part| match part {
        AssistantPart::Component(frame) => Some(frame),
        AssistantPart::Text(_) => None,
    });
    (told, frame)
}

#[tokio::test]
async fn a_refund_over_this_protocol_is_the_session_that_the_other_one_reads() {
    let site = Site::new().await;
    let (_, frame) = waiting(&site).await;
    let approved = site.post(&format!("/approvals/{}/approve", frame.instance_id), "").await;
    assert_eq!(approved.json()["text"], REFUNDED);
    let told = submit(&site, "t-2", "hello").await;
    assert_eq!(told.said()[3], ("assistant", REFUNDED));
    assert_eq!(site.history(SESSION).await.last().unwrap()["role"], "assistant");
}
