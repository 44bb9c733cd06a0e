//! Headers that come from a function.

use crate::requests::header;
use crate::script::{Reply, SECOND, Script, Step, bytes};
use futures_util::future::{join, join3};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use turnwire::client::{
    BoxError, CancelToken, Chat, HeaderSource, HeadersFor, LoopClient, RequestOptions, Timeouts,
};
use turnwire::{Error, ErrorKind};

use HeadersFor::{Refresh, Request};

const FINISHED: &str = r#"{"text":"x","sessionId":"s","events":[]}"#;
const LISTS: &str = r#"{"sessionId":"s","history":[],"approvals":[],"questions":[]}"#;
const SESSION: &str = "data: {\"type\":\"session\",\"sessionId\":\"s\"}\n\n";
const DONE: &str = "data: {\"type\":\"done\",\"text\":\"x\"}\n\n";

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// Where tokens come from: `t0`, and with each refresh the next one.
#[derive(Clone, Default)]
struct Tokens(Arc<Mutex<Issued>>);

#[derive(Default)]
struct Issued {
    asked: Vec<HeadersFor>,
    refreshed: usize,
    /// What a refresh waits for, and what the next answers fail with.
    gate: Option<CancelToken>,
    failures: VecDeque<Option<&'static str>>,
}

impl Tokens {
    /// The next answers fail with these, or not.
    fn failing(failures: impl IntoIterator<Item = Option<&'static str>>) -> Self {
        let failures = failures.into_iter().collect();
        Self(Arc::new(Mutex::new(Issued { failures, ..Issued::default() })))
    }

    /// Refreshes wait until the switch is switched.
    fn behind(self, gate: &CancelToken) -> Self {
        self.0.lock().unwrap().gate = Some(gate.clone());
        self
    }

    fn of(&self, script: &Script) -> LoopClient<Script> {
        let tokens = self.clone();
        script.client().with_header_source(HeaderSource::new(move |what_for| {
            let tokens = tokens.clone();
            async move { tokens.give(what_for).await }
        }))
    }

    async fn give(&self, what_for: HeadersFor) -> Result<Vec<(String, String)>, BoxError> {
        let (gate, failure) = self.begin(what_for);
        if let Some(gate) = gate {
            gate.cancelled().await;
        }
        if let Some(reason) = failure {
            return Err(reason.into());
        }
        let mut issued = self.0.lock().unwrap();
        issued.refreshed += usize::from(what_for == Refresh);
        Ok(vec![pair("Authorization", &format!("Bearer t{}", issued.refreshed))])
    }

    fn begin(&self, what_for: HeadersFor) -> (Option<CancelToken>, Option<&'static str>) {
        let mut issued = self.0.lock().unwrap();
        issued.asked.push(what_for);
        let gate = issued.gate.clone().filter(|_| what_for == Refresh);
        (gate, issued.failures.pop_front().flatten())
    }

    fn asked(&self) -> Vec<HeadersFor> {
        self.0.lock().unwrap().asked.clone()
    }

    fn refreshes(&self) -> usize {
        self.asked().iter().filter(|what_for| **what_for == Refresh).count()
    }
}

/// A client whose function does this.
fn giving(
    script: &Script,
    answer: impl Fn() -> Result<Vec<(String, String)>, BoxError> + Send + Sync + 'static,
) -> LoopClient<Script> {
    script.client().with_header_source(HeaderSource::new(move |_| std::future::ready(answer())))
}

fn finished() -> Reply {
    Reply::json(200, FINISHED)
}

fn refused() -> Reply {
    Reply::json(401, r#"{"error":"token expired"}"#)
}

/// The tokens that requests carried, in order.
fn carried(script: &Script) -> Vec<String> {
    let token = |request: &turnwire::client::Request| {
        header(request, "authorization").concat().replace("Bearer ", "")
    };
    script.requests().iter().map(token).collect()
}

#[test]
fn the_function_is_asked_for_every_request() {
    let stream = || Reply::stream([bytes(DONE)]);
    let replies = [finished(), stream(), stream(), finished(), finished(), finished(), finished()];
    let lists = [0; 3].map(|_| Reply::json(200, LISTS));
    let script = Script::new(replies.into_iter().chain(lists));
    let (tokens, options) = (Tokens::default(), RequestOptions::default());
    let client = tokens.of(&script);
    script.run(async {
        client.send("a", "m", &options).await.unwrap();
        drop(client.stream("a", "m", &options).await.unwrap());
        drop(client.join("t", 0, &options).await.unwrap());
        client.cancel("t", &options).await.unwrap();
        client.approve("i", &options).await.unwrap();
        client.deny("i", &options).await.unwrap();
        client.answer("i", "x", &options).await.unwrap();
        client.history("a", "s", &options).await.unwrap();
        client.approvals("a", None, &options).await.unwrap();
        client.questions("a", None, &options).await.unwrap();
    });
    assert_eq!(tokens.asked(), [Request; 10]);
    assert_eq!(carried(&script), ["t0"; 10]);
}

#[test]
fn its_headers_stand_between_the_clients_own_and_the_calls() {
    let script = Script::new([finished()]);
    let names = ["x-client", "x-function", "x-call"];
    let client = giving(&script, move || Ok(names.map(|name| pair(name, "function"))[1..].into()))
        .with_headers(names.map(|name| pair(name, "client")).into())
        .unwrap();
    let headers = vec![pair("X-CALL", "call")];
    let options = RequestOptions { headers, ..Default::default() };
    script.run(async { client.send("a", "m", &options).await }).unwrap();
    let request = script.requests().remove(0);
    let found = names.map(|name| header(&request, name).concat());
    assert_eq!(found, ["client", "function", "call"]);
}

#[test]
fn a_401_is_tried_once_more_with_fresh_headers() {
    let script = Script::new([refused(), finished()]);
    let (tokens, options) = (Tokens::default(), RequestOptions::default());
    let client = tokens.of(&script);
    script.run(async { client.send("a", "m", &options).await }).unwrap();
    assert_eq!(tokens.asked(), [Request, Refresh]);
    assert_eq!(carried(&script), ["t0", "t1"]);
    let [first, second] = script.requests().try_into().unwrap();
    assert_eq!((first.method, first.url, first.body), (second.method, second.url, second.body));
}

#[test]
fn a_second_401_is_the_answer() {
    let script = Script::new([refused(), refused()]);
    let (tokens, options) = (Tokens::default(), RequestOptions::default());
    let client = tokens.of(&script);
    let error = script.run(async { client.send("a", "m", &options).await }).unwrap_err();
    assert_eq!((error.status(), error.server_message()), (Some(401), Some("token expired")));
    assert_eq!((tokens.asked(), script.requests().len()), (vec![Request, Refresh], 2));
}

#[test]
fn static_headers_and_other_statuses_are_not_tried_again() {
    let options = RequestOptions::default();
    let script = Script::new([refused()]);
    let client = script.client().with_headers(vec![pair("authorization", "Bearer t0")]).unwrap();
    let error = script.run(async { client.send("a", "m", &options).await }).unwrap_err();
    assert_eq!((error.status(), script.requests().len()), (Some(401), 1));
    for status in [400, 403, 407, 503] {
        let script = Script::new([Reply::json(status, "{}")]);
        let client = Tokens::default().of(&script);
        let error = script.run(async { client.send("a", "m", &options).await }).unwrap_err();
        assert_eq!((error.status(), script.requests().len()), (Some(status), 1));
    }
}

#[test]
fn many_that_are_refused_at_once_share_one_refresh() {
    let gate = CancelToken::new();
    let replies = [refused(), refused(), refused().after(SECOND), finished(), finished()];
    let script = Script::new(replies.into_iter().chain([finished()]));
    script.switch_at(5 * SECOND, &gate);
    let (tokens, options) = (Tokens::default().behind(&gate), RequestOptions::default());
    let client = tokens.of(&script);
    let clone = client.clone();
    let (first, second, third) = script.run(join3(
        client.send("a", "m", &options),
        client.approve("i", &options),
        clone.send("a", "m", &options),
    ));
    assert!(first.is_ok() && second.is_ok() && third.is_ok());
    assert_eq!(tokens.refreshes(), 1);
    assert_eq!(carried(&script), ["t0", "t0", "t0", "t1", "t1", "t1"]);
}

#[test]
fn a_late_401_takes_what_a_refresh_has_brought_meanwhile() {
    let replies = [SECOND, 10 * SECOND].map(|delay| refused().after(delay));
    let script = Script::new(replies.into_iter().chain([finished(), finished()]));
    let (tokens, options) = (Tokens::default(), RequestOptions::default());
    let client = tokens.of(&script);
    let calls = join(client.send("a", "m", &options), client.send("a", "m", &options));
    let (first, second) = script.run(calls);
    assert!(first.is_ok() && second.is_ok());
    assert_eq!(tokens.asked(), [Request, Request, Refresh]);
    assert_eq!(carried(&script), ["t0", "t0", "t1", "t1"]);
}

#[test]
fn a_401_of_the_newest_headers_asks_again() {
    let script = Script::new([refused(), finished(), refused(), finished()]);
    let (tokens, options) = (Tokens::default(), RequestOptions::default());
    let client = tokens.of(&script);
    script.run(async {
        client.send("a", "m", &options).await.unwrap();
        client.send("a", "m", &options).await.unwrap();
    });
    assert_eq!(carried(&script), ["t0", "t1", "t1", "t2"]);
}

#[test]
fn a_function_that_fails_ends_the_call_unsent() {
    let script = Script::new([]);
    let options = RequestOptions::default();
    let client = Tokens::failing([Some("the vault\r\nis \u{1b}[31mclosed")]).of(&script);
    let error = script.run(async { client.send("a", "m", &options).await }).unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::HeadersFailed, "headers-failed"));
    let message = "the function that gives headers failed: the vault is [31mclosed";
    assert_eq!((error.to_string().as_str(), error.is_retryable()), (message, true));
    assert!(script.requests().is_empty());
}

#[test]
fn the_reason_of_a_failure_is_bounded() {
    let script = Script::new([]);
    let client = giving(&script, || Err("x".repeat(1 << 20).into()));
    let (_, error) = script.play(&client);
    let message = error.unwrap().to_string();
    assert!(message.len() < 300 && message.ends_with("xxx"), "{}", message.len());
}

#[test]
fn a_refresh_that_fails_fails_all_who_wait_and_is_not_remembered() {
    let gate = CancelToken::new();
    let script = Script::new([refused(), refused(), refused(), finished()]);
    script.switch_at(SECOND, &gate);
    let tokens = Tokens::failing([None, Some("down")]).behind(&gate);
    let (client, options) = (tokens.of(&script), RequestOptions::default());
    let again = async {
        let error = client.send("a", "m", &options).await.unwrap_err();
        // The other one has not heard of the failure yet.
        client.send("a", "m", &options).await.unwrap();
        error
    };
    let (first, second) = script.run(join(again, client.send("a", "m", &options)));
    for error in [first, second.unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::HeadersFailed);
    }
    assert_eq!(tokens.asked(), [Request, Refresh, Request, Request, Refresh]);
    assert_eq!(carried(&script), ["t0", "t0", "t0", "t1"]);
}

#[test]
fn what_cannot_be_sent_is_an_invalid_argument() {
    let split = || Ok(vec![pair("x", "1\r\ny: 2")]);
    let refuses = || Err(Error::new(ErrorKind::InvalidArgument, "headers: expected text").into());
    for answer in [split, refuses] {
        let script = Script::new([]);
        let (_, error) = script.play(&giving(&script, answer));
        assert_eq!(error.unwrap().kind(), ErrorKind::InvalidArgument);
        assert!(script.requests().is_empty());
    }
}

#[test]
fn nothing_is_asked_for_a_call_that_cannot_be_sent() {
    let (script, tokens) = (Script::new([]), Tokens::default());
    let (client, mut options) = (tokens.of(&script), RequestOptions::default());
    let error = script.run(async { client.send("..", "m", &options).await }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    options.cancel = Some(CancelToken::new()).inspect(CancelToken::cancel);
    let error = script.run(async { client.send("a", "m", &options).await }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Aborted);
    assert!(tokens.asked().is_empty());
}

#[test]
fn a_function_that_hangs_is_waited_for_as_long_as_for_a_connection() {
    let script = Script::new([]);
    let hanging = HeaderSource::new(|_| std::future::pending());
    let client = script.client().with_header_source(hanging);
    let options = RequestOptions::default();
    let (_, error) = script.play(&client);
    assert_eq!(error.unwrap().kind(), ErrorKind::ConnectTimeout);
    assert_eq!((script.now(), script.armed()), (30 * SECOND, 0));
    // A plain message's own head may take for ever.
    let error = script.run(async { client.send("a", "m", &options).await }).unwrap_err();
    assert_eq!((error.kind(), script.now()), (ErrorKind::ConnectTimeout, 60 * SECOND));
    let timeouts = Timeouts { connect: None, total: Some(SECOND), ..Timeouts::default() };
    let (_, error) = script.play(&client.with_timeouts(timeouts));
    assert_eq!(error.unwrap().kind(), ErrorKind::TotalTimeout);
    assert_eq!((script.armed(), script.requests().len()), (0, 0));
}

#[test]
fn a_switch_stops_a_call_that_waits_for_the_function() {
    let (script, stop) = (Script::new([]), CancelToken::new());
    script.switch_at(SECOND, &stop);
    let hanging = HeaderSource::new(|_| std::future::pending());
    let client = script.client().with_header_source(hanging);
    let options = RequestOptions { cancel: Some(stop), ..Default::default() };
    let error = script.run(async { client.send("a", "m", &options).await }).unwrap_err();
    assert_eq!((error.kind(), script.now()), (ErrorKind::Aborted, SECOND));
}

#[test]
fn whoever_began_a_refresh_may_leave_the_others_have_it() {
    let (gate, stop) = (CancelToken::new(), CancelToken::new());
    let script = Script::new([refused(), refused(), finished()]);
    script.switch_at(SECOND, &stop);
    script.switch_at(5 * SECOND, &gate);
    let tokens = Tokens::default().behind(&gate);
    let (client, staying) = (tokens.of(&script), RequestOptions::default());
    let leaving = RequestOptions { cancel: Some(stop), ..Default::default() };
    let calls = join(client.send("a", "m", &leaving), client.send("a", "m", &staying));
    let (left, stayed) = script.run(calls);
    assert_eq!(left.unwrap_err().kind(), ErrorKind::Aborted);
    assert!(stayed.is_ok());
    assert_eq!((tokens.refreshes(), script.now()), (1, 5 * SECOND));
    assert_eq!(carried(&script), ["t0", "t0", "t1"]);
}

#[test]
fn a_refresh_that_all_have_left_is_begun_anew() {
    let gate = CancelToken::new();
    let script = Script::new([refused(), refused(), finished()]);
    script.switch_at(40 * SECOND, &gate);
    let tokens = Tokens::default().behind(&gate);
    let (client, options) = (tokens.of(&script), RequestOptions::default());
    let error = script.run(async { client.send("a", "m", &options).await }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectTimeout);
    script.run(async { client.send("a", "m", &options).await }).unwrap();
    assert_eq!(tokens.asked(), [Request, Refresh, Request, Refresh]);
    assert_eq!(carried(&script), ["t0", "t0", "t1"]);
}

/// Survives: the token expires, and a function gives a fresh one → the stream goes on with it
#[test]
fn a_chat_that_joins_its_turn_again_carries_the_new_token() {
    let broken = [bytes(SESSION), Step::Break];
    let replies = [Reply::stream(broken).header("x-turnwire-turn", "t"), refused()];
    let script = Script::new(replies.into_iter().chain([Reply::stream([bytes(DONE)])]));
    let tokens = Tokens::default();
    let chat = Chat::new(tokens.of(&script), "a");
    script.run(chat.send("hello")).unwrap();
    assert_eq!(tokens.asked(), [Request, Request, Refresh]);
    assert_eq!(carried(&script), ["t0", "t0", "t1"]);
    let joins = script.requests().split_off(1);
    assert!(joins.iter().all(|request| request.url == "http://h/turns/t/stream"));
    assert!(joins.iter().all(|request| header(request, "last-event-id") == ["0"]));
}

#[test]
fn a_chat_joins_its_turn_again_once_its_function_works_again() {
    let broken = [bytes(SESSION), Step::Break];
    let replies = [Reply::stream(broken).header("x-turnwire-turn", "t")];
    let script = Script::new(replies.into_iter().chain([Reply::stream([bytes(DONE)])]));
    let tokens = Tokens::failing([None, Some("offline"), Some("offline")]);
    let chat = Chat::new(tokens.of(&script), "a");
    script.run(chat.send("hello")).unwrap();
    assert_eq!(tokens.asked(), [Request; 4]);
    assert_eq!(script.requests().len(), 2);
}
