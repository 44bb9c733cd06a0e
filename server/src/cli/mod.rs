//! The command line.

use crate::config::Config;
use crate::store::DataPlace;
use clap::{Args, Parser};
use std::path::PathBuf;
use std::time::Duration;

pub use run::run;
pub use serve::serve;

mod ask;
mod run;
mod serve;

/// Runs agent turns, over HTTP or one at a time.
#[derive(Debug, Parser)]
#[command(name = "turnwire-server", version, about)]
pub enum Command {
    /// Serves agents over HTTP.
    Serve(ServeOptions),
    /// Runs one turn: the answer on stdout, events on stderr.
    Run(RunOptions),
}

/// What both commands take.
#[derive(Debug, Args)]
struct Shared {
    /// Folder for sessions and turns, or `:memory:` [default: in your data directory].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Folder of agents, one folder each; may be given more than once.
    #[arg(long, value_name = "DIR")]
    agents: Vec<PathBuf>,
    /// Environment that sessions and rules belong to.
    #[arg(long, value_name = "NAME", default_value = "production")]
    environment: String,
}

/// What `serve` takes.
#[derive(Debug, Args)]
pub struct ServeOptions {
    #[command(flatten)]
    shared: Shared,
    /// Address to listen on.
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Port to listen on; 0 takes a free one.
    #[arg(long, default_value_t = 8787)]
    port: u16,
    /// Folder of a user interface to serve at /.
    #[arg(long, value_name = "DIR")]
    ui: Option<PathBuf>,
    /// Origin whose pages may use the server, such as `https://example.com`; may be given more than once.
    #[arg(long, value_name = "ORIGIN")]
    cors_origin: Vec<String>,
    /// Name that the server answers to on a loopback address, beside localhost; may be given more than once.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Days for which the events of a turn are kept once it is over; its session stays.
    #[arg(long, value_name = "DAYS", default_value_t = 7)]
    keep_days: u32,
    /// Time that a turn of AgentsKit's protocol may take before it is stopped.
    #[arg(long, value_name = "MS", default_value_t = 30_000, value_parser = clap::value_parser!(u64).range(1..))]
    turn_timeout_ms: u64,
    /// Pause before each step of a turn, so that a person sees it happen.
    #[arg(long, value_name = "MS", default_value_t = 250)]
    step_delay_ms: u64,
}

/// What `run` takes.
#[derive(Debug, Args)]
pub struct RunOptions {
    #[command(flatten)]
    shared: Shared,
    /// Name of the agent.
    agent: String,
    /// What to tell it.
    message: String,
    /// Prints every event as a line of JSON on stdout, and nothing else there.
    #[arg(long)]
    json: bool,
    /// Session to go on with.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

impl Shared {
    fn into_config(self) -> Result<Config, &'static str> {
        let data = match self.data {
            Some(folder) if folder.as_os_str() == ":memory:" => DataPlace::Memory,
            Some(folder) => DataPlace::Folder(folder),
            None => DataPlace::Folder(default_folder()?),
        };
        Ok(Config {
            data,
            agents: self.agents,
            environment: self.environment,
            step_delay: Duration::ZERO,
            ..Config::default()
        })
    }
}

fn default_folder() -> Result<PathBuf, &'static str> {
    let folder = dirs::data_dir().ok_or("there is no home directory: say where with --data DIR")?;
    Ok(folder.join("turnwire"))
}
