//! What is asked of functions and futures where there are threads to share them between.

pub use bounds::{BoxFuture, SendOutsideWasm, SyncOutsideWasm};

/// What can be kept wherever a client is kept.
pub trait Portable: SendOutsideWasm + SyncOutsideWasm {}
impl<T: SendOutsideWasm + SyncOutsideWasm + ?Sized> Portable for T {}

#[cfg(not(target_arch = "wasm32"))]
mod bounds {
    use std::future::Future;
    use std::pin::Pin;

    /// A future behind a pointer; on wasm32 it need not be `Send`.
    pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

    /// `Send`; on wasm32 nothing, as what browsers hand out never is.
    pub trait SendOutsideWasm: Send {}
    impl<T: Send + ?Sized> SendOutsideWasm for T {}

    /// `Sync`; on wasm32 nothing.
    pub trait SyncOutsideWasm: Sync {}
    impl<T: Sync + ?Sized> SyncOutsideWasm for T {}
}

#[cfg(target_arch = "wasm32")]
mod bounds {
    use std::future::Future;
    use std::pin::Pin;

    /// A future behind a pointer; where there are threads it is `Send`.
    pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

    /// Nothing; `Send` where there are threads.
    pub trait SendOutsideWasm {}
    impl<T: ?Sized> SendOutsideWasm for T {}

    /// Nothing; `Sync` where there are threads.
    pub trait SyncOutsideWasm {}
    impl<T: ?Sized> SyncOutsideWasm for T {}
}
