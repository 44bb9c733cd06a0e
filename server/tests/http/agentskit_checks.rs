//! A request that is no submission: the first check that fails answers, and nothing is stored.

use crate::agentskit_site::{Told, post, refusal, submission, submit};
use crate::site::{AGENT, Site, request};
use axum::body::Body;
use axum::http::{Method, Request};
use futures_util::{StreamExt, stream};
use std::io;
use std::time::Duration;
use turnwire_server::Config;

const MAX_BODY_BYTES: usize = 64 * 1024;

fn sending(method: Method, media_type: Option<&str>, path: &str, body: Body) -> Request<Body> {
    let mut request = request(method, path);
    if let Some(media_type) = media_type {
        request = request.header("content-type", media_type);
    }
    request.body(body).unwrap()
}

/// A body whose length is not announced.
fn unannounced(text: String) -> Body {
    Body::from_stream(stream::iter([Ok::<_, io::Error>(text)]))
}

/// A body that never comes to its end.
fn endless() -> Body {
    Body::from_stream(stream::iter([Ok::<_, io::Error>("{")]).chain(stream::pending()))
}

/// Each request fails its check and every check behind it.
#[tokio::test]
async fn each_check_stands_before_the_next() {
    let site = Site::new().await;
    let (turns, nobody) = (format!("{AGENT}/turns"), "/agents/nobody/turns");
    let large = || "x".repeat(MAX_BODY_BYTES + 1);
    let json = Some("application/json");
    let announced = |mut request: Request<Body>, length: &str| {
        request.headers_mut().insert("content-length", length.parse().unwrap());
        request
    };
    let post = Method::POST;
    for (request, status, code) in [
        (
            sending(Method::PUT, Some("text/plain"), nobody, large().into()),
            405,
            "REQUEST_METHOD_NOT_ALLOWED",
        ),
        (sending(Method::GET, json, &turns, Body::empty()), 405, "REQUEST_METHOD_NOT_ALLOWED"),
        (
            sending(post.clone(), Some("text/plain"), nobody, large().into()),
            415,
            "REQUEST_UNSUPPORTED_MEDIA_TYPE",
        ),
        (sending(post.clone(), None, &turns, "{}".into()), 415, "REQUEST_UNSUPPORTED_MEDIA_TYPE"),
        (
            announced(sending(post.clone(), json, nobody, "{".into()), "65537"),
            413,
            "REQUEST_TOO_LARGE",
        ),
        (sending(post.clone(), json, nobody, unannounced(large())), 413, "REQUEST_TOO_LARGE"),
        (
            announced(sending(post.clone(), json, nobody, "{".into()), "many"),
            400,
            "REQUEST_INVALID_JSON",
        ),
        (sending(post.clone(), json, nobody, Body::empty()), 400, "REQUEST_INVALID_JSON"),
        (sending(post.clone(), json, nobody, "{}".into()), 400, "REQUEST_INVALID_EVENT"),
        (
            sending(post.clone(), json, nobody, submission("t-1", "hello").into()),
            404,
            "AGENT_NOT_FOUND",
        ),
    ] {
        let reply = site.send(request).await;
        assert_eq!(refusal(&reply), (status, code.to_owned(), false));
        assert_eq!(reply.header("allow"), if status == 405 { "POST" } else { "" });
    }
    assert!(site.history("s-1").await.is_empty());
}

#[tokio::test]
async fn refusals_say_the_protocols_own_words() {
    let site = Site::new().await;
    for (request, message) in [
        (
            sending(Method::GET, None, &format!("{AGENT}/turns"), Body::empty()),
            "Only POST is supported.",
        ),
        (
            sending(Method::POST, None, &format!("{AGENT}/turns"), Body::empty()),
            "Content-Type must be application/json.",
        ),
        (post("x".repeat(MAX_BODY_BYTES + 1)), "Request body is too large."),
        (post("{"), "Request body is not valid JSON."),
        (post("{}"), "Request body must be a valid turn submission."),
    ] {
        let reply = site.send(request).await;
        refusal(&reply);
        assert_eq!(reply.json()["error"]["message"], message);
    }
}

#[tokio::test]
async fn what_is_no_submission_is_not_told_apart() {
    let site = Site::new().await;
    let sound = submission("t-1", "hello");
    for (from, to) in [
        ("\"version\":1", "\"version\":2"),
        ("client.turn.submit", "client.turn.unheard"),
        ("client.turn.submit", "server.turn.snapshot"),
        ("agentskit.chat.turn", "agentskit.chat.component"),
        ("\"hello\"", "\" \u{feff}\\n\""),
        ("\"t-1\"", "\"t 1\""),
    ] {
        assert!(sound.contains(from), "{from}");
        let reply = site.send(post(sound.replace(from, to))).await;
        let expected = (400, "REQUEST_INVALID_EVENT".to_owned(), false);
        assert_eq!(refusal(&reply), expected, "{to}");
    }
    assert!(site.history("s-1").await.is_empty());
}

#[tokio::test]
async fn what_the_original_takes_in_is_taken_in() {
    let site = Site::new().await;
    let text = |turn| submission(turn, "hello");
    let unread = |turn, field: &str| text(turn).replacen('{', &format!("{{\"unread\":{field},"), 1);
    let mut broken = unread("t-3", "\"#\"").into_bytes();
    let at = broken.iter().position(|byte| *byte == b'#').unwrap();
    broken[at] = 0xff;
    let full = text("t-5") + &" ".repeat(MAX_BODY_BYTES - text("t-5").len());
    for body in [
        format!("\u{feff}{}", text("t-1")).into_bytes(),
        serde_json::to_vec(&text("t-2")).unwrap(),
        broken,
        unread("t-4", &("[".repeat(200) + &"]".repeat(200))).into_bytes(),
        full.into_bytes(),
        unread("t-6", "1e400").into_bytes(),
    ] {
        let told = Told::of(&site.send(post(body)).await);
        assert_eq!(told.last().status.as_str(), "complete");
    }
    let path = format!("{AGENT}/turns");
    for (turn, media_type) in [("t-7", "Application/JSONP"), ("t-8", "application/json; x=y")] {
        let request = sending(Method::POST, Some(media_type), &path, text(turn).into());
        Told::of(&site.send(request).await);
    }
    assert_eq!(submit(&site, "t-9", "hello").await.last().messages.len(), 18);
}

#[tokio::test]
async fn bytes_that_are_no_text_are_said_as_replacement_characters() {
    let site = Site::new().await;
    let text = submission("t-1", "h#ll#");
    let (head, tail) = text.split_once("h#ll#").unwrap();
    // One that never stands anywhere, and the beginning of a character that does not go on.
    let body = [head.as_bytes(), b"h\xffll\xf0\x9f\x93", tail.as_bytes()].concat();
    let told = Told::of(&site.send(post(body)).await);
    assert_eq!(told.said()[0], ("user", "h\u{fffd}ll\u{fffd}"));
    for marks in ["\u{feff}\u{feff}", " \u{feff}", "\u{a0}"] {
        let reply = site.send(post(marks.to_owned() + &submission("t-2", "hello"))).await;
        assert_eq!(refusal(&reply), (400, "REQUEST_INVALID_JSON".into(), false));
    }
}

#[tokio::test]
async fn a_text_within_the_body_is_parsed_once_more_and_no_further() {
    let site = Site::new().await;
    let twice = serde_json::to_string(&serde_json::to_string(&submission("t-1", "hello")).unwrap());
    for body in [twice.unwrap(), "\"hello\"".into(), "\"{\"".into(), "null".into()] {
        let reply = site.send(post(body)).await;
        assert_eq!(refusal(&reply), (400, "REQUEST_INVALID_EVENT".into(), false));
    }
}

#[tokio::test]
async fn one_byte_too_many_is_too_large() {
    let site = Site::new().await;
    let text = submission("t-1", "hello");
    let padded = text.clone() + &" ".repeat(MAX_BODY_BYTES + 1 - text.len());
    for body in [Body::from(padded.clone()), unannounced(padded)] {
        let reply = site.send(post(body)).await;
        assert_eq!(refusal(&reply), (413, "REQUEST_TOO_LARGE".into(), false));
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_is_the_clients_and_one_that_does_not_come_is_too_late() {
    let config = Config { turn_timeout: Duration::from_millis(50), ..Config::default() };
    let site = Site::with(config).await;
    let broken = stream::iter([Ok("{"), Err(io::Error::other("gone"))]);
    let reply = site.send(post(Body::from_stream(broken))).await;
    assert_eq!(refusal(&reply), (499, "REQUEST_CANCELLED".into(), true));
    let reply = site.send(post(endless())).await;
    assert_eq!(refusal(&reply), (408, "SERVER_TIMEOUT".into(), true));
}

#[tokio::test]
async fn a_foreign_page_is_refused_before_its_body_is_read() {
    let site = Site::new().await;
    let mut request = post(submission("t-1", "hello"));
    request.headers_mut().insert("origin", "https://evil.example".parse().unwrap());
    let reply = site.send(request).await;
    assert_eq!(reply.refusal().0, 403);
    assert!(site.history("s-1").await.is_empty());
}
