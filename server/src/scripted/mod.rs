//! A model without a network: deterministic replies, read off the conversation alone.
//!
//! It keeps no state. Whatever it says follows from the last message of the user and the results
//! of the calls since, so a turn that is stored and resumed goes on as if nothing had happened.

use crate::engine::{BoxFuture, Model, ModelError, Prompt, Reply};
use futures_util::FutureExt;
use futures_util::future::ready;

mod ordered;
mod refund;
mod scripts;
mod shop;
mod view;
mod words;

/// The scripted model.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Scripted;

impl Model for Scripted {
    fn reply<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, ModelError>> {
        ready(scripts::reply(prompt)).boxed()
    }
}
