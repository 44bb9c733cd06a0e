//! What the chatbox shows and allows, decided without a browser.

pub mod address;
pub mod agent;
pub mod agentskit;
pub mod announce;
pub mod card;
pub mod composer;
pub mod connection;
pub mod deadline;
pub mod examples;
pub mod fault;
pub mod json_text;
pub mod notice;
pub mod parts;
pub mod scroll;
pub mod theme;
pub mod tool;
