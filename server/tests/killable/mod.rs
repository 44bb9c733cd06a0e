//! A server in a process of its own, which dies when a test says so.

use reqwest::{Client, Response};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server in a process of its own, which dies with the test.
pub(crate) struct Server {
    process: Child,
    address: String,
}

impl Server {
    pub(crate) fn start(data: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_turnwire-server"))
            .args(["serve", "--port", "0", "--step-delay-ms", "20", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").unwrap().to_owned();
        Self { process, address }
    }

    pub(crate) fn kill(mut self) {
        // On unix this is SIGKILL: no handler runs, nothing is flushed.
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Response {
        let request = Client::new().post(format!("{}{path}", self.address));
        let request = request.header("content-type", "application/json");
        request.body(body.to_string()).send().await.unwrap()
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        Client::new().get(format!("{}{path}", self.address)).send().await.unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
