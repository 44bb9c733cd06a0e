//! The load of `npm run soak` in small.

#![cfg(not(target_arch = "wasm32"))]

use load::Size;
use turnwire_server::{Config, TestServer};

#[path = "../examples/soak/load/mod.rs"]
mod load;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_readers_of_many_turns_see_every_event_once_and_one_verdict_stands() {
    let server = TestServer::start(Config::default()).await.unwrap();
    let client = load::client(&server.base_url()).unwrap();
    let size = Size { streams: 42, turns: 8 };
    assert!(size.is_sound());
    let mut progress = Vec::new();
    let findings = load::run(&client, size, |line| progress.push(line)).await;
    assert!(findings.are_sound(), "{findings:?}");
    assert_eq!((findings.turns, findings.streams), (8, 42));
    // Every turn has an approval, and every other one a question before it.
    assert_eq!(findings.decisions, 12);
    assert!(findings.tally.events > 42 * 5, "{findings:?}");
    assert!(progress.contains(&"42 streams are open".to_owned()), "{progress:?}");
    server.stop().await;
}

#[tokio::test]
async fn turns_that_cannot_be_played_are_faults() {
    let server = TestServer::start(Config::default()).await.unwrap();
    let client = load::client(&format!("{}/elsewhere", server.base_url())).unwrap();
    let findings = load::run(&client, Size { streams: 2, turns: 2 }, |_| {}).await;
    assert!(!findings.are_sound());
    assert_eq!((findings.turns, findings.streams, findings.faults.len()), (0, 0, 2));
    server.stop().await;
}
