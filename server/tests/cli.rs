//! The command, as a shell sees it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use turnwire::loopengine::{LoopEvent, decode};

const REFUNDED: &str = "Refunded $42.00 to your original payment method.";

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnwire-server"));
    command.env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Output {
    command().args(["run", "--data", ":memory:"]).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn events(lines: &[u8]) -> Vec<LoopEvent> {
    text(lines).lines().map(|line| decode(line).unwrap()).collect()
}

fn types(events: &[LoopEvent]) -> Vec<&str> {
    events.iter().map(LoopEvent::event_type).collect()
}

#[test]
fn json_puts_every_event_and_nothing_else_on_stdout() {
    let output = run(&["customer-service", "--json", "hello"]);
    assert_eq!(output.status.code(), Some(0));
    let all = ["session", "budget:check", "loop:done", "done"];
    assert_eq!(types(&events(&output.stdout)), all);
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn without_json_only_the_answer_is_on_stdout() {
    let output = run(&["customer-service", "hello"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "Hello! How can I help you with your order?\n");
    assert_eq!(events(&output.stderr).len(), 4);
}

#[test]
fn a_decision_that_nobody_can_take_is_exit_code_3_with_the_item_on_stderr() {
    let output = run(&["customer-service", "--json", "refund A-1001"]);
    assert_eq!(output.status.code(), Some(3));
    let events = events(&output.stdout);
    let Some(LoopEvent::ApprovalPending(item)) = events.last() else { panic!("{events:?}") };
    let told: serde_json::Value = serde_json::from_str(text(&output.stderr).trim()).unwrap();
    assert_eq!(told, serde_json::to_value(item).unwrap());
}

#[test]
fn a_turn_that_fails_is_exit_code_1() {
    let output = run(&["customer-service", "--json", "break"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(types(&events(&output.stdout)).last(), Some(&"error"));
}

#[test]
fn what_cannot_be_run_is_told_in_one_line() {
    for (args, told) in [
        (["nobody", "hello"], "turnwire-server: unknown agent 'nobody'\n"),
        (["customer-service", ""], "turnwire-server: message is required\n"),
    ] {
        let output = run(&args);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), told));
        assert!(output.stdout.is_empty());
    }
    assert_eq!(run(&["customer-service"]).status.code(), Some(2), "usage");
}

#[test]
fn a_session_goes_on_in_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let ids = ["s-1", "s-1", "s-2"].map(|session| {
        let output = command()
            .args(["run", "customer-service", "--json", "look at A-1001", "--session", session])
            .arg("--data")
            .arg(folder.path())
            .output()
            .unwrap();
        let started = events(&output.stdout).into_iter().find_map(|event| match event {
            LoopEvent::ToolStarted(call) => Some(call.id),
            _ => None,
        });
        started.unwrap()
    });
    // The scripted model numbers its calls through the whole session.
    assert_eq!(ids, ["call_1", "call_2", "call_1"]);
}

#[test]
fn serving_starts_with_its_address_and_ends_with_a_signal() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = command()
        .args(["serve", "--port", "0", "--data"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    let address = line.strip_prefix("listening on http://").unwrap().to_owned();

    let second = command().args(["serve", "--port", port(&address), "--data", ":memory:"]).output();
    let second = second.unwrap();
    assert_eq!(second.status.code(), Some(1));
    let told = format!("turnwire-server: cannot listen on {address}: ");
    assert!(text(&second.stderr).starts_with(&told), "{}", text(&second.stderr));
    assert!(serving_twice(folder.path()).contains("another server uses the data folder"));

    // The shell's own: the program of that name is not everywhere.
    let kill = format!("kill -TERM {}", server.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    assert_eq!(server.wait().unwrap().code(), Some(0));
    assert!(lines.next().is_none());
}

fn port(address: &str) -> &str {
    address.rsplit(':').next().unwrap()
}

fn serving_twice(folder: &Path) -> String {
    let output = command().args(["serve", "--port", "0", "--data"]).arg(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    text(&output.stderr).to_owned()
}

#[cfg(unix)]
mod in_a_terminal {
    use super::*;
    use rexpect::session::{PtySession, spawn_command};

    /// Milliseconds after which a test gives up.
    const PATIENCE: Option<u64> = Some(30_000);

    fn run_in_terminal(message: &str) -> PtySession {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwire-server"));
        command.env_remove("RUST_LOG");
        command.args(["run", "customer-service", "--data", ":memory:", message]);
        spawn_command(command, PATIENCE).unwrap()
    }

    fn exit_code(terminal: &PtySession) -> i32 {
        let status = format!("{:?}", terminal.process().wait().unwrap());
        let code = status.rsplit_once(", ").unwrap().1.trim_end_matches(')');
        code.parse().unwrap_or_else(|_| panic!("{status}"))
    }

    #[test]
    fn a_call_is_approved_on_the_spot() {
        let mut terminal = run_in_terminal("refund A-1001");
        let call = r#"issue_refund {"orderId":"A-1001"} (matched rule 'refunds-need-approval'). "#;
        terminal.exp_string(&format!("{call}Approve? [y/n] ")).unwrap();
        terminal.send_line("perhaps").unwrap();
        terminal.exp_string("Approve? [y/n] ").unwrap();
        terminal.send_line("y").unwrap();
        terminal.exp_string(REFUNDED).unwrap();
        terminal.exp_eof().unwrap();
        assert_eq!(exit_code(&terminal), 0);
    }

    #[test]
    fn a_question_is_answered_by_the_number_of_an_option() {
        let mut terminal = run_in_terminal("refund");
        terminal
            .exp_string("Which order is it about?\r\n  1. A-1001\r\n  2. A-1002\r\n> ")
            .unwrap();
        terminal.send_line("2").unwrap();
        terminal.exp_string(r#"issue_refund {"orderId":"A-1002"}"#).unwrap();
        terminal.send_line("n").unwrap();
        terminal.exp_string("denied").unwrap();
        terminal.exp_eof().unwrap();
        assert_eq!(exit_code(&terminal), 0);
    }

    #[test]
    fn the_end_of_input_leaves_the_decision_open() {
        let mut terminal = run_in_terminal("refund A-1001");
        terminal.exp_string("Approve? [y/n] ").unwrap();
        terminal.send_control('d').unwrap();
        terminal.exp_eof().unwrap();
        assert_eq!(exit_code(&terminal), 3);
    }
}
