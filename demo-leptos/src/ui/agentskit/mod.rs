//! A conversation in AgentsKit's turn protocol: its messages, and the components in them.

pub(super) use page::TurnPage;

mod approval_request;
mod catalog;
mod choice_list;
mod component;
mod conversation;
mod message;
mod page;
mod progress;
mod source_list;
mod table;
mod turns;
