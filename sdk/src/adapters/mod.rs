//! What ties the core to where it runs: thin, over the [`client`](crate::client)'s chat.

pub mod page;
