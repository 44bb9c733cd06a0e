//! The tools of the demo shop: local, deterministic, with a memory of what was refunded.

use crate::engine::{BoxFuture, Call, SessionKey, ToolError, Tools};
use crate::store::Store;
use futures_util::FutureExt;
use serde_json::Value;

mod arguments;
mod shop;

/// The tools that one agent may use.
#[derive(Debug, Clone)]
pub(crate) struct Toolbox {
    offered: Vec<String>,
    store: Store,
}

impl Toolbox {
    /// The tools of these names; a name that no tool has is answered with an error.
    #[must_use]
    pub(crate) fn new(offered: Vec<String>, store: Store) -> Self {
        Self { offered, store }
    }

    async fn run_offered(&self, session: &SessionKey, call: &Call) -> Result<Value, ToolError> {
        let is_offered = self.offered.contains(&call.tool);
        match call.tool.as_str() {
            "lookup_order" if is_offered => shop::lookup_order(&self.store, session, call).await,
            "issue_refund" if is_offered => shop::issue_refund(&self.store, session, call).await,
            "send_email" if is_offered => shop::send_email(call),
            "delete_orders" if is_offered => shop::delete_orders(call),
            name => Err(ToolError(format!("there is no tool '{name}'"))),
        }
    }
}

impl Tools for Toolbox {
    fn run<'a>(
        &'a self,
        session: &'a SessionKey,
        call: &'a Call,
    ) -> BoxFuture<'a, Result<Value, ToolError>> {
        self.run_offered(session, call).boxed()
    }
}
