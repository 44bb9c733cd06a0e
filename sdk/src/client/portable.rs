//! What may cross threads natively and cannot on wasm32, in one place.

use std::future::Future;
use std::pin::Pin;

/// A future behind a pointer; natively it is `Send`.
#[cfg(not(target_arch = "wasm32"))]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
/// A future behind a pointer.
#[cfg(target_arch = "wasm32")]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// What can be used wherever a client is used: natively `Send` and `Sync`, on wasm32 everything.
#[cfg(not(target_arch = "wasm32"))]
pub trait Portable: Send + Sync {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: Send + Sync + ?Sized> Portable for T {}

/// What can be used wherever a client is used: natively `Send` and `Sync`, on wasm32 everything.
#[cfg(target_arch = "wasm32")]
pub trait Portable {}
#[cfg(target_arch = "wasm32")]
impl<T: ?Sized> Portable for T {}
