//! What a server is started with.

use crate::store::DataPlace;
use std::path::PathBuf;
use std::time::Duration;

/// How long events are kept where nobody says otherwise: a week.
pub(crate) const KEEP_EVENTS: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How long a turn of AgentsKit's protocol may take where nobody says otherwise: its default.
pub(crate) const TURN_TIMEOUT: Duration = Duration::from_secs(30);

/// What a server is started with; the default suits tests: all in memory, no delay.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where sessions and turns are kept.
    pub data: DataPlace,
    /// Folders with agents, beside the embedded one; later ones win.
    pub agents: Vec<PathBuf>,
    /// Folder with the files of a user interface, served at `/`.
    pub ui: Option<PathBuf>,
    /// Origins whose pages may use the server from a browser.
    pub cors_origins: Vec<String>,
    /// Which names the server answers to.
    pub hosts: Hosts,
    /// The environment of all sessions and rules, such as `production`.
    pub environment: String,
    /// A pause before each step of a turn, so that a person sees it happen.
    pub step_delay: Duration,
    /// How long the events of a turn are kept once it is over; its session stays.
    pub keep_events: Duration,
    /// How long a turn of AgentsKit's protocol may take before it is stopped; one that waits for a
    /// person takes no time.
    pub turn_timeout: Duration,
}

/// Which names a server answers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hosts {
    /// Any: for a server that other machines reach.
    Any,
    /// Only names of this machine, and these.
    Loopback {
        /// Other names, such as that of a proxy in front.
        also: Vec<String>,
    },
}

impl Default for Config {
    fn default() -> Self {
        Self {
            data: DataPlace::Memory,
            agents: Vec::new(),
            ui: None,
            cors_origins: Vec::new(),
            hosts: Hosts::Loopback { also: Vec::new() },
            environment: "production".into(),
            step_delay: Duration::ZERO,
            keep_events: KEEP_EVENTS,
            turn_timeout: TURN_TIMEOUT,
        }
    }
}
