//! What is asked of functions and futures where there are threads to share them between.

pub use bounds::{SendOutsideWasm, SyncOutsideWasm};

#[cfg(not(target_arch = "wasm32"))]
mod bounds {
    /// `Send`; on wasm32 nothing, as what browsers hand out never is.
    pub trait SendOutsideWasm: Send {}
    impl<T: Send + ?Sized> SendOutsideWasm for T {}

    /// `Sync`; on wasm32 nothing.
    pub trait SyncOutsideWasm: Sync {}
    impl<T: Sync + ?Sized> SyncOutsideWasm for T {}
}

#[cfg(target_arch = "wasm32")]
mod bounds {
    /// Nothing; `Send` where there are threads.
    pub trait SendOutsideWasm {}
    impl<T: ?Sized> SendOutsideWasm for T {}

    /// Nothing; `Sync` where there are threads.
    pub trait SyncOutsideWasm {}
    impl<T: ?Sized> SyncOutsideWasm for T {}
}
