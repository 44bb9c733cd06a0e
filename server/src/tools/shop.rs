//! The shop: three orders, whose refunds each session keeps for itself.

use super::arguments::texts;
use crate::engine::{Call, SessionKey, ToolError};
use crate::store::{Store, StoreError};
use serde_json::{Value, json};

struct Order {
    id: &'static str,
    item: &'static str,
    total: &'static str,
    status: &'static str,
    email: &'static str,
}

const ORDERS: [Order; 3] = [
    Order {
        id: "A-1001",
        item: "stoneware teapot",
        total: "$42.00",
        status: "delivered",
        email: "ada@example.com",
    },
    Order {
        id: "A-1002",
        item: "linen napkins",
        total: "$18.50",
        status: "delivered",
        email: "ada@example.com",
    },
    Order {
        id: "A-1003",
        item: "oak tray",
        total: "$64.00",
        status: "on its way",
        email: "ada@example.com",
    },
];

pub(super) async fn lookup_order(
    store: &Store,
    session: &SessionKey,
    call: &Call,
) -> Result<Value, ToolError> {
    let [id] = texts(call, ["orderId"])?;
    let order = order(id)?;
    let is_refunded = store.is_refunded(session, id).await.map_err(failed)?;
    let status = if is_refunded { "refunded" } else { order.status };
    Ok(json!({"orderId": id, "item": order.item, "total": order.total, "status": status}))
}

pub(super) async fn issue_refund(
    store: &Store,
    session: &SessionKey,
    call: &Call,
) -> Result<Value, ToolError> {
    let [id] = texts(call, ["orderId"])?;
    let order = order(id)?;
    match store.refund(session, id).await.map_err(failed)? {
        true => Ok(json!({"orderId": id, "amount": order.total, "to": "original payment method"})),
        false => Err(ToolError(format!("order {id} has been refunded already"))),
    }
}

/// Checks the email and says that it was sent; nothing leaves the machine.
pub(super) fn send_email(call: &Call) -> Result<Value, ToolError> {
    let [id, subject, _] = texts(call, ["orderId", "subject", "text"])?;
    Ok(json!({"sent": true, "to": order(id)?.email, "subject": subject}))
}

/// The rules deny it; should others allow it, it still deletes nothing.
pub(super) fn delete_orders(call: &Call) -> Result<Value, ToolError> {
    texts(call, [])?;
    Err(ToolError("orders cannot be deleted".into()))
}

fn order(id: &str) -> Result<&'static Order, ToolError> {
    ORDERS
        .iter()
        .find(|order| order.id == id)
        .ok_or_else(|| ToolError(format!("there is no order {id}")))
}

/// The log has the details; the conversation is not the place for them.
fn failed(error: StoreError) -> ToolError {
    tracing::error!(%error, "the shop's store failed");
    ToolError("the shop's records cannot be reached".into())
}
