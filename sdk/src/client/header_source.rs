//! Headers that a function gives, anew for every request, such as a token that expires.

use super::failure::excerpt_of;
use super::request::HeaderList;
use super::threads::{SendOutsideWasm, SyncOutsideWasm};
use crate::{Error, ErrorKind, Result};
use futures_util::FutureExt;
use futures_util::future::{Shared, WeakShared};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What headers are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeadersFor {
    /// A request that is about to be sent.
    Request,
    /// A request that the server refused with status 401: whatever it carried is no longer good.
    Refresh,
}

/// Why a function has no headers to give: any error, or a text.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Headers that can be sent.
type Given = Arc<[(String, String)]>;

/// The function, and what its answers have in common.
trait Source: SendOutsideWasm + SyncOutsideWasm {
    fn ask(&self, what_for: HeadersFor) -> Asking;
}

/// The function at work.
type Asking = Pin<Box<dyn Answering>>;

trait Answering: Future<Output = Result<Given>> + SendOutsideWasm {}

impl<F: Future<Output = Result<Given>> + SendOutsideWasm> Answering for F {}

impl<F, R> Source for F
where
    F: Fn(HeadersFor) -> R + SendOutsideWasm + SyncOutsideWasm,
    R: Future<Output = Result<Vec<(String, String)>, BoxError>> + SendOutsideWasm + 'static,
{
    fn ask(&self, what_for: HeadersFor) -> Asking {
        let answer = self(what_for);
        Box::pin(async move { checked(answer.await) })
    }
}

/// A function that gives the headers of each request, such as a token that expires.
///
/// It is asked for every request of a client: for messages, streams, decisions and lists, and anew
/// each time that a stream which broke off is joined again. Where the server answers with status
/// 401 it is asked once more, for [`HeadersFor::Refresh`], and the request is sent again with what
/// it gives then. Requests that are refused at the same time share one such refresh; so do all
/// clients of clones of this. The function must not use such a client itself.
///
/// Waiting for the function counts as waiting for the head of the response, and is bounded by
/// [`Timeouts::connect`](super::Timeouts::connect) also where that is not.
///
/// # Protocol
/// RFC 9110, section 15.5.2: a request that was answered with 401 has not been applied, so sending
/// it again sends no message twice. A second 401 is the answer.
///
/// # Errors
/// Calls end with `headers-failed` where the function fails, and with `invalid-argument` where what
/// it gives cannot be sent, or where it fails with an [`Error`] of that kind.
///
/// # Cancellation
/// Dropping or stopping a call drops the function's future too, unless another call waits for the
/// same refresh.
///
/// # Examples
/// ```
/// use turnwire::client::{HeaderSource, HeadersFor, LoopClient, Transport};
/// # async fn sign_in(_again: bool) -> Result<String, std::io::Error> { Ok("…".to_owned()) }
/// fn signed_in<T: Transport>(client: LoopClient<T>) -> LoopClient<T> {
///     client.with_header_source(HeaderSource::new(async |what_for| {
///         let token = sign_in(what_for == HeadersFor::Refresh).await?;
///         Ok(vec![("authorization".to_owned(), format!("Bearer {token}"))])
///     }))
/// }
/// ```
#[derive(Clone)]
pub struct HeaderSource(Arc<Inner>);

struct Inner {
    source: Box<dyn Source>,
    refreshes: Mutex<Refreshes>,
}

/// Invariant: at most one refresh is under way. It lives as long as somebody waits for it, so one
/// that hangs and was given up by all is begun anew.
#[derive(Default)]
struct Refreshes {
    under_way: Option<WeakShared<Asking>>,
    /// How many have brought headers, and those of the last one.
    generation: u64,
    latest: Option<Given>,
}

impl HeaderSource {
    /// A source that asks this function.
    #[allow(clippy::arc_with_non_send_sync, reason = "one thread on wasm32, and one type for all")]
    pub fn new<F, R>(function: F) -> Self
    where
        F: Fn(HeadersFor) -> R + SendOutsideWasm + SyncOutsideWasm + 'static,
        R: Future<Output = Result<Vec<(String, String)>, BoxError>> + SendOutsideWasm + 'static,
    {
        Self(Arc::new(Inner { source: Box::new(function), refreshes: Mutex::default() }))
    }

    /// Headers for a request, and the generation that they are of.
    ///
    /// A refresh that ends while the function is at work makes the next generation: what the
    /// function gives may still be the old.
    ///
    /// # Errors
    /// `headers-failed`, `invalid-argument`.
    pub(super) async fn first(&self) -> Result<(Given, u64)> {
        let generation = self.0.refreshes().generation;
        let given = self.0.source.ask(HeadersFor::Request).await?;
        Ok((given, generation))
    }

    /// Headers in place of those of this generation, which the server refused. Who asks at the same
    /// time shares one refresh, and who comes after it has what it brought.
    ///
    /// # Errors
    /// `headers-failed`, `invalid-argument`. A refresh that fails is not remembered.
    ///
    /// # Cancellation
    /// The refresh goes on for the others who wait for it; with the last of them it is dropped.
    pub(super) async fn fresh(&self, refused: u64) -> Result<Given> {
        let refresh = {
            let mut refreshes = self.0.refreshes();
            if let Some(newer) = refreshes.newer_than(refused) {
                return Ok(newer);
            }
            refreshes.join_or(|| refresh(Arc::clone(&self.0)))
        };
        refresh.await
    }
}

impl fmt::Debug for HeaderSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeaderSource").finish_non_exhaustive()
    }
}

impl Inner {
    fn refreshes(&self) -> MutexGuard<'_, Refreshes> {
        // Every change under the lock is complete in itself, so a poisoned one is still sound.
        self.refreshes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Refreshes {
    fn newer_than(&self, generation: u64) -> Option<Given> {
        self.latest.clone().filter(|_| self.generation > generation)
    }

    fn join_or(&mut self, begin: impl FnOnce() -> Asking) -> Shared<Asking> {
        if let Some(under_way) = self.under_way.as_ref().and_then(WeakShared::upgrade) {
            return under_way;
        }
        let begun = begin().shared();
        self.under_way = begun.downgrade();
        begun
    }

    fn end(&mut self, outcome: &Result<Given>) {
        self.under_way = None;
        if let Ok(given) = outcome {
            self.generation += 1;
            self.latest = Some(Arc::clone(given));
        }
    }
}

/// One refresh. The function is called when it is first waited for, outside of the lock.
fn refresh(inner: Arc<Inner>) -> Asking {
    Box::pin(async move {
        let outcome = inner.source.ask(HeadersFor::Refresh).await;
        inner.refreshes().end(&outcome);
        outcome
    })
}

fn checked(answer: Result<Vec<(String, String)>, BoxError>) -> Result<Given> {
    let headers = answer.map_err(|error| failure(&error))?;
    HeaderList::default().set_all(&headers)?;
    Ok(headers.into())
}

fn failure(error: &BoxError) -> Error {
    match error.downcast_ref::<Error>() {
        Some(own) if own.kind() == ErrorKind::InvalidArgument => own.clone(),
        _ => {
            let reason = excerpt_of(&error.to_string()).unwrap_or_else(|| "no reason given".into());
            Error::new(
                ErrorKind::HeadersFailed,
                format!("the function that gives headers failed: {reason}"),
            )
        }
    }
}
