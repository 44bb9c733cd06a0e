//! A turn whose stream is cut after every single byte ends as the same conversation.

#![cfg(not(target_arch = "wasm32"))]

use bytes::Bytes;
use futures_util::future::{Ready, ready};
use futures_util::stream::{self, BoxStream, StreamExt};
use serde_json::Value;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use turnwire::chat::{ChatState, Connection, Phase};
use turnwire::client::{
    Chat, Headers, LoopClient, Method, Reconnect, Request, Response, Timeouts, Transport,
};
use turnwire::{Error, ErrorKind, Result};

const SEQUENCES: &str = include_str!("../vectors/loopengine-sequences.ndjson");

/// No clock may matter here.
const TIMELESS: Timeouts = Timeouts { connect: None, response: None, idle: None, total: None };

/// How the first stream ends.
#[derive(Debug, Clone, Copy)]
enum Cut {
    /// As if the server had ended the response.
    Clean,
    /// As if the connection had broken.
    Broken,
    /// A proxy's answer to every attempt but the last.
    Proxied,
}

/// A server that keeps one turn, and cuts its first stream after some bytes.
#[derive(Clone)]
struct Keeper {
    events: Arc<Vec<String>>,
    cut: Cut,
    after: usize,
    requests: Arc<Mutex<Vec<Option<usize>>>>,
}

impl Transport for Keeper {
    type Body = BoxStream<'static, Result<Bytes>>;
    type Sleep = Ready<()>;

    async fn send(&self, request: Request) -> Result<Response<Self::Body>> {
        let last = request.headers.iter().find(|(name, _)| name == "last-event-id");
        let last: Option<usize> = last.map(|(_, number)| number.parse().unwrap());
        self.requests.lock().unwrap().push(last);
        let attempts = self.requests.lock().unwrap().len();
        if request.method == Method::Post {
            let whole = self.frames(0);
            return Ok(response(200, "text/event-stream", self.cut(whole)));
        }
        if matches!(self.cut, Cut::Proxied) && attempts < 4 {
            return Ok(response(502, "text/html", stream::iter([Ok("<h1>".into())]).boxed()));
        }
        let rest = self.frames(last.map_or(0, |last| last + 1));
        Ok(response(200, "text/event-stream", stream::iter([Ok(rest.into())]).boxed()))
    }

    fn sleep(&self, duration: Duration) -> Ready<()> {
        assert!(duration < Duration::from_secs(60), "{duration:?}");
        ready(())
    }
}

impl Keeper {
    fn frames(&self, start: usize) -> String {
        self.events[start..].iter().map(|json| format!("data: {json}\n\n")).collect()
    }

    fn cut(&self, whole: String) -> BoxStream<'static, Result<Bytes>> {
        let kept = Ok(Bytes::copy_from_slice(&whole.as_bytes()[..self.after.min(whole.len())]));
        match self.cut {
            Cut::Clean => stream::iter([kept]).boxed(),
            Cut::Broken | Cut::Proxied => {
                let broken = Err(Error::new(ErrorKind::Network, "the connection broke"));
                stream::iter([kept, broken]).boxed()
            }
        }
    }

    /// The state after the turn.
    async fn play(&self) -> (Result<()>, ChatState) {
        let client = LoopClient::new(self.clone(), "http://h").unwrap();
        let chat = Chat::new(client.with_timeouts(TIMELESS), "a");
        let outcome = chat.send("hi").await;
        (outcome, ChatState::clone(&chat.snapshot()))
    }
}

fn response<B>(status: u16, media_type: &str, body: B) -> Response<B> {
    let headers = [("content-type", media_type), ("x-turnwire-turn", "t-1")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Response { status, headers: Headers::from_iter(headers), redirected: false, body }
}

fn recorded(scenario: &str) -> Arc<Vec<String>> {
    let lines = SEQUENCES.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found = lines.into_iter().find(|line| line["scenario"] == scenario).unwrap();
    Arc::new(found["events"].as_array().unwrap().iter().map(Value::to_string).collect())
}

/// Survives: the connection is cut after any byte → the same conversation, one turn, one refund
#[tokio::test]
async fn a_turn_cut_after_any_byte_ends_as_the_same_conversation() {
    for scenario in ["twice", "batch2-deny-second", "boom", "unicode"] {
        let events = recorded(scenario);
        let keeper = |cut, after| Keeper {
            events: Arc::clone(&events),
            cut,
            after,
            requests: Arc::default(),
        };
        let (outcome, whole) = keeper(Cut::Clean, usize::MAX).play().await;
        outcome.unwrap();
        let bytes = keeper(Cut::Clean, 0).frames(0).len();
        for after in 0..bytes {
            for cut in [Cut::Clean, Cut::Broken, Cut::Proxied] {
                let keeper = keeper(cut, after);
                let (outcome, state) = keeper.play().await;
                assert!(outcome.is_ok(), "{scenario} {cut:?} {after}: {outcome:?}");
                assert_eq!(state, whole, "{scenario} {cut:?} {after}");
            }
        }
    }
}

#[tokio::test]
async fn joining_asks_for_what_comes_after_the_last_whole_event() {
    let events = recorded("plain");
    let keeper = |after| Keeper {
        events: Arc::clone(&events),
        cut: Cut::Broken,
        after,
        requests: Arc::default(),
    };
    let first = keeper(0).frames(0).find("\n\n").unwrap() + 2;
    for (after, last) in [(0, None), (first - 1, None), (first, Some(0)), (first + 5, Some(0))] {
        let keeper = keeper(after);
        keeper.play().await.0.unwrap();
        assert_eq!(*keeper.requests.lock().unwrap(), [None, last], "{after}");
    }
}

/// Answers every attempt with a stream that ends at once.
#[derive(Clone, Default)]
struct Silent(Arc<Mutex<Vec<Duration>>>);

impl Transport for Silent {
    type Body = BoxStream<'static, Result<Bytes>>;
    type Sleep = Ready<()>;

    async fn send(&self, request: Request) -> Result<Response<Self::Body>> {
        let session = "data: {\"type\":\"session\",\"sessionId\":\"s\"}\n\n";
        let bytes = if request.method == Method::Post { session } else { ": hello\n\n" };
        Ok(response(200, "text/event-stream", stream::iter([Ok(bytes.into())]).boxed()))
    }

    fn sleep(&self, duration: Duration) -> Ready<()> {
        self.0.lock().unwrap().push(duration);
        ready(())
    }

    fn jitter(&self) -> f64 {
        1.0
    }
}

#[tokio::test]
async fn a_server_that_takes_connections_and_sends_nothing_is_given_up() {
    let transport = Silent::default();
    let reconnect = Reconnect { attempts: 6, ..Reconnect::default() };
    let client = LoopClient::new(transport.clone(), "http://h").unwrap();
    let chat = Chat::new(client.with_timeouts(TIMELESS).with_reconnect(reconnect), "a");
    let seen = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&seen);
    let _subscription = chat.subscribe(move |state| notes.lock().unwrap().push(state.connection));
    let error = chat.send("hi").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
    let waits: Vec<_> = transport.0.lock().unwrap().iter().map(Duration::as_millis).collect();
    // Between two pictures of a screen nothing is shown.
    let waits: Vec<_> = waits.into_iter().filter(|wait| *wait > 16).collect();
    assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 15_000]);
    let state = chat.snapshot();
    assert_eq!((state.connection, state.phase), (Connection::Steady, Phase::Idle));
    let attempts: Vec<_> = seen
        .lock()
        .unwrap()
        .iter()
        .filter_map(|connection| match connection {
            Connection::Reconnecting { attempt } => Some(*attempt),
            Connection::Steady | Connection::Degraded => None,
        })
        .collect();
    assert_eq!(attempts, [1, 2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn who_never_joins_again_hears_at_once() {
    let client = LoopClient::new(Silent::default(), "http://h").unwrap();
    let chat = Chat::new(client.with_timeouts(TIMELESS).with_reconnect(Reconnect::NEVER), "a");
    let error = chat.send("hi").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
}
