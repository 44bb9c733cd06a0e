//! The list of agents, for programs and for people.

use crate::agents::{Agent, Agents};
use crate::http::reply;
use crate::turns::Turns;
use axum::extract::State;
use axum::http::header::{ACCEPT, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use serde_json::{Value, json};

/// `GET /agents`: JSON, or a page where the client takes HTML.
pub(super) async fn list(State(turns): State<Turns>, headers: HeaderMap) -> Response {
    let accept = headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    let takes_html = accept.is_some_and(|accept| accept.contains("text/html"));
    let mut response = match takes_html {
        true => Html(page(turns.agents())).into_response(),
        false => json_list(turns.agents()),
    };
    let vary = HeaderValue::from_static("accept");
    response.headers_mut().insert(VARY, vary);
    response
}

fn json_list(agents: &Agents) -> Response {
    let agents: Vec<Value> = agents
        .iter()
        .map(|agent| json!({"name": agent.name, "systemPrompt": agent.system_prompt}))
        .collect();
    reply::json(StatusCode::OK, &json!({ "agents": agents }))
}

fn page(agents: &Agents) -> String {
    let items: String = agents.iter().map(|agent| item(agent)).collect();
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>Agents</title>\
         <style>body{{font:1rem/1.5 system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}}\
         dt{{font-weight:600}}</style><h1>Agents</h1><dl>{items}</dl></html>"
    )
}

fn item(agent: &Agent) -> String {
    let (name, prompt) = (escape(&agent.name), escape(&agent.system_prompt));
    format!("<dt>{name}</dt><dd>{prompt}</dd>")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
