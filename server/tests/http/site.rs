//! A server without a socket: requests go straight to its routes.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;
use turnwire_server::{Config, app};

pub(crate) const AGENT: &str = "/agents/customer-service";
pub(crate) const REFUND: &str = "order A-1001 arrived broken, can you refund it?";

/// A server's routes.
pub(crate) struct Site(Router);

/// What a request was answered with.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

/// A stream that is read bit by bit.
pub(crate) struct OpenStream {
    body: Body,
    text: String,
}

impl Site {
    pub(crate) async fn new() -> Self {
        Self::with(Config::default()).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        Self(app(config).await.unwrap().router())
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(request(Method::GET, path).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: impl Into<Body>) -> Reply {
        self.send(request(Method::POST, path).body(body.into()).unwrap()).await
    }

    /// Sends a message without following its turn.
    pub(crate) async fn say(&self, session: &str, message: &str) -> Reply {
        let body = json!({"message": message, "sessionId": session}).to_string();
        self.post(&format!("{AGENT}/messages"), body).await
    }

    /// The messages that a session holds.
    pub(crate) async fn history(&self, session: &str) -> Vec<Value> {
        let reply = self.get(&format!("{AGENT}/sessions/{session}")).await;
        reply.json()["history"].as_array().unwrap().clone()
    }

    /// The turn that a response names, without waiting for its body.
    pub(crate) async fn turn_of(&self, request: Request<Body>) -> String {
        let response = self.0.clone().oneshot(request).await.unwrap();
        response.headers()["x-turnwire-turn"].to_str().unwrap().to_owned()
    }

    /// Sends a request and leaves the body of its answer unread.
    pub(crate) async fn begin(&self, request: Request<Body>) -> (u16, OpenStream) {
        let response = self.0.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        (status, OpenStream { body: response.into_body(), text: String::new() })
    }

    /// Opens a stream without reading it.
    pub(crate) async fn open(&self, path: &str) -> OpenStream {
        let request = request(Method::GET, path).body(Body::empty()).unwrap();
        let response = self.0.clone().oneshot(request).await.unwrap();
        OpenStream { body: response.into_body(), text: String::new() }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.0.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Reply {
            status: parts.status.as_u16(),
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }
}

impl OpenStream {
    /// Reads until the stream holds `text`, and gives everything so far.
    pub(crate) async fn read_to(&mut self, text: &str) -> &str {
        while !self.text.contains(text) {
            let piece = self.read().await.expect("the stream goes on");
            self.text.push_str(&piece);
        }
        &self.text
    }

    /// Reads what is written at once; none at the end.
    pub(crate) async fn read(&mut self) -> Option<String> {
        let frame = self.body.frame().await?.unwrap();
        Some(String::from_utf8(frame.data_ref().unwrap().to_vec()).unwrap())
    }
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The status and the error's text.
    pub(crate) fn refusal(&self) -> (u16, String) {
        assert_eq!(self.header("content-type"), "application/json", "{}", self.text);
        let body = self.json();
        // Beside the text no more than a word for programs.
        let is_known = |name: &String| name == "error" || name == "code";
        assert!(body.as_object().unwrap().keys().all(is_known), "{body}");
        (self.status, body["error"].as_str().unwrap().to_owned())
    }

    /// The id of the item that a 202 asks about.
    pub(crate) fn item(&self) -> String {
        assert_eq!(self.status, 202, "{}", self.text);
        self.json()["id"].as_str().unwrap().to_owned()
    }

    /// The types of the events in the body.
    pub(crate) fn event_types(&self) -> Vec<String> {
        let events = self.json()["events"].as_array().unwrap().clone();
        events.iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    }
}

pub(crate) fn request(method: Method, path: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(path).header("host", "127.0.0.1:8787")
}
