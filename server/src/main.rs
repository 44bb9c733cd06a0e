//! The command `turnwire-server`.

use clap::Parser;
use std::io::IsTerminal;
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;
use turnwire_server::cli::{self, Command};

#[tokio::main]
async fn main() -> ExitCode {
    let command = Command::parse();
    // Logs go to stderr: stdout belongs to answers and events.
    let default = match command {
        Command::Serve(_) => "info",
        Command::Run(_) => "warn",
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
    match command {
        Command::Serve(options) => cli::serve(options).await,
        Command::Run(options) => cli::run(options).await,
    }
}
