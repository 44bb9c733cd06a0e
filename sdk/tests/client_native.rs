//! The futures of a client over reqwest can be moved between threads.

#![cfg(all(feature = "native", not(target_arch = "wasm32")))]

use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use turnwire::ErrorKind;
use turnwire::agentskit::SnapshotCursor;
use turnwire::chat::Verdict;
use turnwire::client::{
    EventStream, HeaderSource, LoopClient, RequestOptions, ReqwestTransport, TurnClient,
    TurnSession, run_turn,
};

const PATIENCE: Duration = Duration::from_secs(10);

fn is_send<T: Send>(value: T) -> T {
    value
}

fn client() -> LoopClient<ReqwestTransport> {
    LoopClient::new(ReqwestTransport::new(), "http://127.0.0.1:1").unwrap()
}

#[test]
fn every_future_of_a_session_is_send() {
    let client = TurnClient::new(ReqwestTransport::new(), "http://127.0.0.1:1/turns").unwrap();
    let session = is_send(TurnSession::new(client, SnapshotCursor::new("s1").unwrap()));
    drop(is_send(session.submit("hello")));
}

#[test]
fn every_future_is_send() {
    let source = HeaderSource::new(async |_| Ok(Vec::new()));
    let (client, options) = (client().with_header_source(source), RequestOptions::default());
    let client = is_send(client);
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

/// A server that answers each request on a connection with the start of a stream.
struct Raw {
    listener: TcpListener,
}

impl Raw {
    async fn start() -> (Self, LoopClient<ReqwestTransport>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let client = LoopClient::new(ReqwestTransport::new(), &address).unwrap();
        (Self { listener }, client)
    }

    async fn accept(&self) -> TcpStream {
        self.listener.accept().await.unwrap().0
    }
}

/// Reads a request, whose body is the last thing that comes, and writes the head and one chunk.
async fn begin(socket: &mut TcpStream, event: &str) {
    let mut request = Vec::new();
    while !request.ends_with(b"}") {
        assert_ne!(socket.read_buf(&mut request).await.unwrap(), 0);
    }
    let head =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let data = format!("data: {event}\n\n");
    let chunk = format!("{head}{:x}\r\n{data}\r\n", data.len());
    socket.write_all(chunk.as_bytes()).await.unwrap();
}

#[tokio::test]
async fn a_dropped_stream_closes_its_connection() {
    let (server, client) = Raw::start().await;
    let options = RequestOptions::default();
    let mut streams = Vec::new();
    let mut sockets = Vec::new();
    for _ in 0..8 {
        let serve = async {
            let mut socket = server.accept().await;
            begin(&mut socket, r#"{"type":"session","sessionId":"s"}"#).await;
            socket
        };
        let (stream, socket) = tokio::join!(client.stream("a", "m", &options), serve);
        let mut stream = stream.unwrap();
        assert!(stream.next().await.unwrap().is_ok());
        streams.push(stream);
        sockets.push(socket);
    }
    drop(streams);
    for mut socket in sockets {
        let mut byte = [0; 1];
        assert_eq!(timeout(PATIENCE, socket.read(&mut byte)).await.unwrap().unwrap(), 0);
    }
}

#[tokio::test]
async fn a_finished_stream_leaves_its_connection_for_the_next() {
    let (server, client) = Raw::start().await;
    let options = RequestOptions::default();
    let serve = async {
        let mut socket = server.accept().await;
        for _ in 0..2 {
            begin(&mut socket, r#"{"type":"done","text":"x"}"#).await;
            // The end comes later than the event, as it does over a network.
            tokio::time::sleep(Duration::from_millis(20)).await;
            socket.write_all(b"0\r\n\r\n").await.unwrap();
        }
    };
    let read = async {
        for _ in 0..2 {
            let mut stream = client.stream("a", "m", &options).await.unwrap();
            assert!(stream.next().await.unwrap().is_ok());
            assert!(stream.next().await.is_none());
        }
    };
    timeout(PATIENCE, async { tokio::join!(serve, read) }).await.unwrap();
}

#[tokio::test]
async fn a_connection_that_breaks_is_a_network_fault() {
    let (server, client) = Raw::start().await;
    let options = RequestOptions::default();
    let serve = async {
        let mut socket = server.accept().await;
        begin(&mut socket, r#"{"type":"session","sessionId":"s"}"#).await;
    };
    let (stream, ()) = tokio::join!(client.stream("a", "m", &options), serve);
    let mut stream = stream.unwrap();
    assert!(stream.next().await.unwrap().is_ok());
    assert_eq!(stream.next().await.unwrap().unwrap_err().kind(), ErrorKind::Network);
}
