//! The futures of a client over reqwest can be moved between threads.

#![cfg(all(feature = "native", not(target_arch = "wasm32")))]

use turnwire::ErrorKind;
use turnwire::chat::Verdict;
use turnwire::client::{EventStream, LoopClient, RequestOptions, ReqwestTransport, run_turn};

fn is_send<T: Send>(value: T) -> T {
    value
}

fn client() -> LoopClient<ReqwestTransport> {
    LoopClient::new(ReqwestTransport::new(), "http://127.0.0.1:1").unwrap()
}

#[test]
fn every_future_is_send() {
    let (client, options) = (is_send(client()), RequestOptions::default());
    drop(is_send(client.send("a", "m", &options)));
    drop(is_send(client.stream("a", "m", &options)));
    drop(is_send(client.approve("i", &options)));
    drop(is_send(client.deny("i", &options)));
    drop(is_send(client.answer("i", "t", &options)));
    drop(is_send(client.history("a", "s", &options)));
    drop(is_send(client.approvals("a", None, &options)));
    drop(is_send(client.questions("a", None, &options)));
    let decider = async |_| Verdict::Deny;
    drop(is_send(run_turn(&client, "a", "m", &options, decider)));
    let _: fn(EventStream<ReqwestTransport>) -> EventStream<ReqwestTransport> = is_send;
}

#[tokio::test]
async fn a_closed_port_is_a_network_fault_without_the_address() {
    let error = client().history("agent", "session", &RequestOptions::default()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Network);
    assert_eq!(error.to_string(), "no connection to the server: connection refused");
}

#[tokio::test]
async fn a_path_alone_cannot_be_sent_natively() {
    let client = LoopClient::new(ReqwestTransport::new(), "/api").unwrap();
    let error = client.send("a", "m", &RequestOptions::default()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}
