//! Readers that do not read, and readers that are gone, are nobody's business but their own.

use reqwest::Client;
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use turnwire_server::{Config, TestServer};

const READERS: usize = 60;

/// Far more than the socket of a reader takes in that does not read.
const LONG: usize = 200 * 1024;

async fn post(server: &TestServer, path: &str, body: Value) -> Value {
    let request = Client::new().post(format!("{}{path}", server.base_url()));
    let response = request.body(body.to_string()).send().await.unwrap();
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

/// Opens the stream of a turn and reads no more than its first bytes.
async fn open(address: SocketAddr, turn: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(address).await.unwrap();
    let head = format!("GET /turns/{turn}/stream HTTP/1.1\r\nhost: {address}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut first = [0; 15];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    stream
}

#[tokio::test]
async fn readers_that_do_not_read_or_are_gone_hold_no_turn_up() {
    let server = TestServer::start(Config::default()).await.unwrap();
    let message = json!({"message": "I would like a refund", "sessionId": "s-1"});
    let path = format!("{}/agents/customer-service/messages/stream", server.base_url());
    let started = Client::new().post(path).body(message.to_string()).send().await.unwrap();
    let turn = started.headers()["x-turnwire-turn"].to_str().unwrap().to_owned();
    let mut stuck = Vec::new();
    for reader in 0..READERS {
        let stream = open(server.address(), &turn).await;
        if reader % 2 == 0 {
            stuck.push(stream);
        }
    }
    let next =
        post(&server, "/agents/customer-service/messages", json!({"message": "hello"})).await;
    assert!(next["text"].as_str().unwrap().starts_with("Hello!"), "{next}");

    let listed = Client::new()
        .get(format!("{}/agents/customer-service/questions", server.base_url()))
        .send();
    let listed: Value = serde_json::from_str(&listed.await.unwrap().text().await.unwrap()).unwrap();
    let answer = json!({"answer": format!("A-1001 {}", "x".repeat(LONG))});
    let question = listed["questions"][0]["id"].as_str().unwrap();
    let call = post(&server, &format!("/questions/{question}/answer"), answer).await;
    let end = post(&server, call["approveUrl"].as_str().unwrap(), json!({})).await;
    assert!(end["text"].as_str().unwrap().starts_with("Refunded"), "{end}");

    // Whoever starts to read late still gets everything, up to the end.
    let whole = started.text().await.unwrap();
    assert_eq!(whole.matches("\ndata: ").count(), end["events"].as_array().unwrap().len());
    let mut late = String::new();
    let mut stream = stuck.pop().unwrap();
    while !late.contains("event: done") {
        let mut bytes = vec![0; 64 * 1024];
        let len = stream.read(&mut bytes).await.unwrap();
        assert!(len > 0, "the stream goes on to the turn's end");
        late.push_str(std::str::from_utf8(&bytes[..len]).unwrap());
    }
    server.stop().await;
}
