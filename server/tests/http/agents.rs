//! The list of agents, and agents from folders.

use crate::site::{Site, request};
use axum::body::Body;
use axum::http::Method;
use serde_json::json;
use std::fs;
use turnwire_server::{Config, app};

#[tokio::test]
async fn the_embedded_agent_is_listed_for_programs_and_for_people() {
    let site = Site::new().await;
    let reply = site.get("/agents").await;
    assert_eq!(reply.header("vary"), "accept");
    let agents = reply.json();
    assert_eq!(agents["agents"][0]["name"], "customer-service");
    assert!(agents["agents"][0]["systemPrompt"].is_string());
    let page = request(Method::GET, "/agents").header("accept", "text/html,*/*;q=0.8");
    let page = site.send(page.body(Body::empty()).unwrap()).await;
    assert!(page.header("content-type").starts_with("text/html"));
    assert!(page.text.contains("customer-service"));
}

#[tokio::test]
async fn the_server_says_that_it_lives() {
    let reply = Site::new().await.get("/healthz").await;
    assert_eq!((reply.status, reply.text.as_str()), (200, "ok"));
}

#[tokio::test]
async fn an_agent_of_a_folder_runs_by_its_own_rules() {
    let folder = tempfile::tempdir().unwrap();
    let agent = folder.path().join("désk <1>");
    fs::create_dir(&agent).unwrap();
    let file = "system_prompt = \"<b>\"\ntools = [\"lookup_order\", \"issue_refund\"]\n";
    fs::write(agent.join("agent.toml"), file).unwrap();
    fs::write(agent.join("actauth.yml"), "default_decision: allow\n").unwrap();
    let config = Config { agents: vec![folder.path().into()], ..Config::default() };
    let site = Site::with(config).await;
    let body = json!({"message": "refund A-1001"}).to_string();
    let reply = site.post("/agents/d%C3%A9sk%20%3C1%3E/messages", body).await;
    assert_eq!(reply.status, 200, "nobody is asked");
    assert_eq!(reply.json()["text"], "Refunded $42.00 to your original payment method.");
    let page = request(Method::GET, "/agents").header("accept", "text/html");
    let page = site.send(page.body(Body::empty()).unwrap()).await;
    assert!(page.text.contains("<dt>désk &lt;1&gt;</dt><dd>&lt;b&gt;</dd>"), "{}", page.text);
}

#[tokio::test]
async fn a_faulty_agent_is_named_with_its_file_and_fault() {
    for (file, rules, told) in [
        ("", None, "agent.toml of agent 'x': missing field `system_prompt`"),
        ("system_prompt = \"\"\nmodle = 1", None, "agent.toml of agent 'x': unknown field `modle`"),
        ("system_prompt = \"\"\nmax_turns = 0", None, "must be at least 1"),
        ("system_prompt = \"\"\nmodel = \"gpt\"", None, "expected the model 'scripted'"),
        ("system_prompt = \"\"\nskills = [\"a\"]", None, "skills/a.md is missing"),
        ("system_prompt = \"\"", Some("rules: 5"), "actauth.yml of agent 'x'"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let agent = folder.path().join("x");
        fs::create_dir(&agent).unwrap();
        fs::write(agent.join("agent.toml"), file).unwrap();
        if let Some(rules) = rules {
            fs::write(agent.join("actauth.yml"), rules).unwrap();
        }
        let config = Config { agents: vec![folder.path().into()], ..Config::default() };
        let error = app(config).await.unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}
