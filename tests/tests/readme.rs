//! The README's Rust example is the one that is compiled, and does what the README says.

#![cfg(not(target_arch = "wasm32"))]

use std::path::{Path, PathBuf};
use tokio::process::Command;
use turnwire_server::{Config, TestServer};

const README: &str = include_str!("../../README.md");
const EXAMPLE: &str = include_str!("../examples/refund.rs");

#[test]
fn the_readme_shows_the_example_as_it_is_compiled() {
    let (_, behind) = README.split_once("<!-- example:rust -->\n```rust\n").unwrap();
    let (shown, _) = behind.split_once("```\n").unwrap();
    // What a program says of itself is not for the README.
    let (_, compiled) = EXAMPLE.split_once("\n\n").unwrap();
    assert_eq!(shown, compiled);
}

#[tokio::test]
async fn the_example_prints_the_answer() {
    let server = TestServer::start(Config::default()).await.unwrap();
    let output = Command::new(example()).arg(server.base_url()).output().await.unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = printed.lines().collect();
    assert_eq!(
        lines,
        [
            "issue_refund String(\"A-1001\"): matched rule 'refunds-need-approval'",
            "Refunded $42.00 to your original payment method.",
        ]
    );
    server.stop().await;
}

/// Where cargo puts examples, seen from where it puts tests.
fn example() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap();
    folder.join("examples").join(format!("refund{}", std::env::consts::EXE_SUFFIX))
}
