//! A small server that runs agent turns and speaks the protocols of the `turnwire` crate.
//!
//! Arrows point one way: `cli` → `app` → `http` → `agentskit` → `turns` → (`agents`, `tools`, `store`)
//! → `engine`. The engine knows no HTTP and no SQL; the store knows no HTTP; the routes hold no state.
//!
//! What this server refuses to do: tell anyone of an event before it is stored, run a tool call
//! twice, run a call that no rule allows, let a slow reader hold up a turn.
//!
//! # Examples
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use turnwire_server::{Config, TestServer};
//! let server = TestServer::start(Config::default()).await.unwrap();
//! assert!(server.base_url().starts_with("http://127.0.0.1:"));
//! server.stop().await;
//! # });
//! ```

pub use agents::{LoadError, RuleFault};
pub use app::{App, StartError, TestServer, app, serve};
pub use config::{Config, Hosts};
pub use http::OriginFault;
pub use store::{DataPlace, StoreError};

mod agents;
mod agentskit;
mod app;
pub mod cli;
mod config;
pub mod engine;
mod http;
mod scripted;
mod store;
mod tools;
mod turns;
