//! The scripted agent's answers with components, over both protocols.

use crate::agentskit_site::{SESSION, Told, selection, submit};
use crate::site::Site;
use serde_json::Value;
use turnwire::agentskit::{AssistantPart, ComponentFrame, fallback_text};

/// Key of a component, and the fields of its props as AgentsKit's catalog has them.
type Expected = (&'static str, &'static [&'static str]);

const ANSWERS: [(&str, &[Expected]); 4] = [
    ("show me the return policy", &[("source-list", &["label", "sources"])]),
    (
        "list my orders",
        &[("table", &["caption", "columns", "rows"]), ("choice-list", &["prompt", "choices"])],
    ),
    ("track order A-1003", &[("progress", &["label", "value", "status"])]),
    ("show the map", &[("delivery-map", &["order", "latitude", "longitude"])]),
];

fn frames(told: &Told) -> Vec<ComponentFrame> {
    let frame = |part| match part {
        AssistantPart::Component(frame) => Some(frame),
        AssistantPart::Text(_) => None,
    };
    told.parts().into_iter().filter_map(frame).collect()
}

#[tokio::test]
async fn prose_comes_first_and_components_have_the_catalogs_props() {
    for (input, expected) in ANSWERS {
        let told = submit(&Site::new().await, "t-1", input).await;
        assert!(matches!(told.parts()[0], AssistantPart::Text(_)), "{input}");
        let frames = frames(&told);
        assert_eq!(frames.len(), expected.len(), "{input}");
        for (frame, (key, fields)) in frames.iter().zip(expected) {
            assert_eq!(frame.component_key.as_str(), *key);
            let props = frame.props.to_value();
            let found: Vec<_> = props.as_object().unwrap().keys().collect();
            assert_eq!(found, *fields, "{key}");
        }
    }
}

#[tokio::test]
async fn the_other_protocol_says_the_same_in_words() {
    for (input, _) in ANSWERS {
        let told = submit(&Site::new().await, "t-1", input).await;
        let reply = Site::new().await.say("s", input).await.json();
        let events = reply["events"].as_array().unwrap();
        let words = fallback_text(&told.parts());
        assert_eq!(reply["text"], words.as_str());
        assert_eq!(events.last().unwrap()["text"], words.as_str());
        assert!(!words.contains('\u{1e}') && !words.contains("agentskit"), "{words}");
    }
}

#[tokio::test]
async fn an_answer_keeps_its_components_in_the_session() {
    let site = Site::new().await;
    let told = submit(&site, "t-1", "list my orders").await;
    let content = told.last_message().content.clone();
    let next = submit(&site, "t-2", "hello").await;
    let kept = next.last().messages.iter().find(|message| message.content == content);
    assert_eq!(kept.map(|message| &message.id), Some(&told.last_message().id));
    let stored = site.history(SESSION).await;
    let beside: Vec<_> =
        stored.iter().filter_map(|message| message.get("orderedContent")).collect();
    assert_eq!(beside, [&Value::from(content)]);
}

#[tokio::test]
async fn the_table_and_the_choices_show_what_the_tools_found() {
    let site = Site::new().await;
    let told = submit(&site, "t-1", "list my orders").await;
    let table = told.component("table").props.to_value();
    let [_, napkins, _] = &table["rows"].as_array().unwrap()[..] else { panic!("{table}") };
    let cells: Vec<_> = napkins.as_object().unwrap().values().collect();
    assert_eq!(cells, ["A-1002", "linen napkins", "$18.50", "delivered"]);
    assert_eq!(told.calls().len(), 3);
}

#[tokio::test]
async fn a_choice_that_nobody_waits_for_is_a_message_that_says_it() {
    let site = Site::new().await;
    let first = submit(&site, "t-1", "list my orders").await.component("choice-list");
    let second = submit(&site, "t-2", "list my orders").await.component("choice-list");
    assert_ne!(first.instance_id, second.instance_id);
    let label = "Order A-1002, linen napkins";
    let told = submit(&site, "t-3", &selection(&first, label)).await;
    let user = told.last().messages.iter().rfind(|message| message.role.as_str() == "user");
    assert_eq!(user.unwrap().content, label);
    assert_eq!(told.last_message().content, "Order A-1002 (linen napkins) is delivered.");
}

#[tokio::test]
async fn progress_tells_how_far_an_order_has_come() {
    for (order, value) in [("A-1003", 60), ("A-1001", 100)] {
        let told = submit(&Site::new().await, "t-1", &format!("track order {order}")).await;
        assert_eq!(told.component("progress").props.to_value()["value"], value, "{order}");
    }
    let told = submit(&Site::new().await, "t-1", "track order Z-1").await;
    assert_eq!(told.last_message().content, "I cannot track that: there is no order Z-1.");
}
