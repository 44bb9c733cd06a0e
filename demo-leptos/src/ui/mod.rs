//! What the browser draws: one component a file, over the signals of [`session`].

#![expect(unreachable_pub, reason = "leptos's component macro writes `pub` before what it makes")]

pub mod browser;
pub mod session;

mod agentskit;
mod app;
mod approval_card;
mod busy_button;
mod card;
mod card_frame;
mod chat_page;
mod composer;
mod connection;
mod conversation;
mod countdown;
mod error_banner;
mod header;
mod icon;
mod json_view;
mod log;
mod message;
mod notice;
mod own_answer;
mod part;
mod protocol_switch;
mod question_card;
mod status_line;
mod surroundings;
mod theme_switch;
mod tool_call;
mod turn_state;
mod unanswered;
mod welcome;
mod working;

pub use app::App;
