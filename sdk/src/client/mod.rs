//! Transports and clients: the only part of this crate that does I/O.
//!
//! A client is generic over a [`Transport`]: `FetchTransport` on wasm32, `ReqwestTransport` natively
//! behind the feature `native`, or one of your own. It turns a call into a request, watches over it
//! with the caller's [`CancelToken`] and [`Timeouts`], and turns what comes back into typed values.
//! It retries nothing, as a message that was sent twice is a turn that runs twice; only what a server
//! refused with status 401, and so did nothing about, is sent once more where a function
//! [gives fresh headers](HeaderSource). What takes up again what broke off are [`Chat`] and
//! [`TurnSession`], as far as their protocols make that safe.

pub use agentskit::{
    DamagedLine, TurnClient, TurnInput, TurnLine, TurnPhase, TurnSession, TurnState, TurnStream,
};
pub use cancel::{CancelToken, Cancelled};
pub use chat::{Chat, Heard, OnPending, WeakChat};
pub use decoded::Decoded;
pub use events::EventStream;
#[cfg(target_arch = "wasm32")]
pub use fetch::{FetchBody, FetchSleep, FetchTransport};
pub use header_source::{BoxError, HeaderSource, HeadersFor};
pub use loopengine::LoopClient;
#[cfg(all(feature = "native", not(target_arch = "wasm32")))]
pub use native::ReqwestTransport;
pub use platform::{Happened, Lead, News, Platform};
pub use reconnect::Reconnect;
pub use request::RequestOptions;
pub use run_turn::{PendingDecision, run_turn};
pub use threads::{BoxFuture, Portable, SendOutsideWasm, SyncOutsideWasm};
pub use timeouts::Timeouts;
pub use transport::{Headers, Method, Request, Response, Transport};
pub use turns::TurnInfo;

mod agentskit;
mod body;
mod cancel;
mod chat;
mod decisions;
mod decoded;
mod endpoint;
mod events;
mod failure;
#[cfg(target_arch = "wasm32")]
mod fetch;
mod header_source;
mod loopengine;
#[cfg(all(feature = "native", not(target_arch = "wasm32")))]
mod native;
mod pace;
mod platform;
mod reconnect;
mod request;
mod run_turn;
mod settings;
mod threads;
mod timeouts;
mod transport;
mod turns;
mod watch;
