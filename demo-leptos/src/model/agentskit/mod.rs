//! A conversation in AgentsKit's turn protocol: what is shown of its snapshots.

pub mod announce;
pub mod conversation;
pub mod fault;
pub mod message;
pub mod props;
pub mod tool;
