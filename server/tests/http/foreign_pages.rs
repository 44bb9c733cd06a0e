//! Which pages may use the server from a browser.

use crate::site::{AGENT, Reply, Site, request};
use axum::body::Body;
use axum::http::Method;
use turnwire_server::{Config, Hosts};

const FRIEND: &str = "https://app.example.com";
const FOREIGN: &str = "https://elsewhere.example.com";

async fn open_to_friend() -> Site {
    Site::with(Config { cors_origins: vec![FRIEND.into()], ..Config::default() }).await
}

async fn post_from(site: &Site, origin: &str) -> Reply {
    let request = request(Method::POST, &format!("{AGENT}/messages")).header("origin", origin);
    site.send(request.body(r#"{"message":"hello"}"#.into()).unwrap()).await
}

async fn preflight(site: &Site, origin: &str) -> Reply {
    let request = request(Method::OPTIONS, &format!("{AGENT}/messages"))
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type,authorization");
    site.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_configured_origin_may_send_and_read() {
    let site = open_to_friend().await;
    let asked = preflight(&site, FRIEND).await;
    assert_eq!(asked.status, 200);
    assert_eq!(asked.header("access-control-allow-origin"), FRIEND);
    assert_eq!(asked.header("access-control-allow-headers"), "content-type,authorization");
    let reply = post_from(&site, FRIEND).await;
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, FRIEND));
    let exposed = "x-turnwire-turn,x-turnwire-events,x-turnwire-state,x-turnwire-before";
    assert_eq!(reply.header("access-control-expose-headers"), exposed);
}

#[tokio::test]
async fn a_foreign_page_starts_no_turn() {
    let site = open_to_friend().await;
    assert_eq!(preflight(&site, FOREIGN).await.header("access-control-allow-origin"), "");
    let reply = post_from(&site, FOREIGN).await;
    let text = format!("requests from pages of '{FOREIGN}' are not allowed");
    assert_eq!(reply.refusal(), (403, text));
    assert_eq!(post_from(&site, "null").await.status, 403);
}

#[tokio::test]
async fn the_servers_own_page_needs_no_configuration() {
    let site = Site::new().await;
    let reply = post_from(&site, "http://127.0.0.1:8787").await;
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, ""));
    assert_eq!(post_from(&site, "http://127.0.0.1:9999").await.status, 403);
}

#[tokio::test]
async fn a_name_that_is_not_the_servers_is_refused() {
    let called = async |site: &Site, host: &str| {
        let request = axum::http::Request::get("/agents").header("host", host);
        site.send(request.body(Body::empty()).unwrap()).await
    };
    let also = vec!["proxy.example.com".into()];
    let site = Site::with(Config { hosts: Hosts::Loopback { also }, ..Config::default() }).await;
    for host in ["localhost", "LOCALHOST:8787", "127.0.0.1", "[::1]:8787", "Proxy.Example.com"] {
        assert_eq!(called(&site, host).await.status, 200, "{host}");
    }
    let refused = called(&site, "rebound.example.com").await.refusal();
    assert_eq!(refused, (403, "this server is not called 'rebound.example.com'".into()));
    let open = Site::with(Config { hosts: Hosts::Any, ..Config::default() }).await;
    assert_eq!(called(&open, "rebound.example.com").await.status, 200);
}

#[tokio::test]
async fn what_is_no_origin_is_told_at_the_start() {
    for origin in ["example.com", "https://example.com/", "*", "https://*"] {
        let config = Config { cors_origins: vec![origin.into()], ..Config::default() };
        let error = turnwire_server::app(config).await.unwrap_err().to_string();
        let told = format!("expected an origin such as https://example.com, found '{origin}'");
        assert_eq!(error, told);
    }
}
