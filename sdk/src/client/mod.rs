//! Transports and clients: the only part of this crate that does I/O.
//!
//! A client is generic over a [`Transport`]: `FetchTransport` on wasm32, `ReqwestTransport` natively
//! behind the feature `native`, or one of your own. It turns a call into a request, watches over it
//! with the caller's [`CancelToken`] and [`Timeouts`], and turns what comes back into typed values.
//! It retries nothing: a message that was sent twice is a turn that runs twice.

pub use cancel::{CancelToken, Cancelled};
pub use chat::{Chat, OnPending};
pub use decoded::Decoded;
pub use events::EventStream;
#[cfg(target_arch = "wasm32")]
pub use fetch::{FetchBody, FetchSleep, FetchTransport};
pub use loopengine::LoopClient;
#[cfg(all(feature = "native", not(target_arch = "wasm32")))]
pub use native::ReqwestTransport;
pub use platform::{Happened, Lead, News, Platform};
pub use portable::{BoxFuture, Portable};
pub use reconnect::Reconnect;
pub use request::RequestOptions;
pub use run_turn::{PendingDecision, run_turn};
pub use timeouts::Timeouts;
pub use transport::{Headers, Method, Request, Response, Transport};
pub use turns::TurnInfo;

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
mod loopengine;
#[cfg(all(feature = "native", not(target_arch = "wasm32")))]
mod native;
mod platform;
mod portable;
mod reconnect;
mod request;
mod run_turn;
mod timeouts;
mod transport;
mod turns;
mod watch;
