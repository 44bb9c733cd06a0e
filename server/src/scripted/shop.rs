//! What the shop can show: its policy, a customer's orders, where a parcel is.

use super::ordered::{Component, Ordered};
use super::view::{Past, View};
use super::words::order_id;
use crate::engine::Reply;
use serde_json::{Value, json};
use turnwire::Result;

/// The customer's orders, as the tools know them.
const ORDERS: [&str; 3] = ["A-1001", "A-1002", "A-1003"];

/// "Show me the return policy."
pub(super) fn policy(view: &View<'_>) -> Result<Reply> {
    let sources = [
        json!({"id": "returns", "title": "Returns and refunds", "url": "https://example.com/returns",
            "snippet": "Anything can be returned within 30 days."}),
        json!({"id": "damage", "title": "Damaged items",
            "snippet": "A damaged item is refunded in full and need not be sent back."}),
    ];
    Ordered::default()
        .text("You can return anything within 30 days, and a damaged item need not be sent back.")
        .component(Component {
            key: "source-list",
            instance: instance(view, "sources"),
            props: json!({"label": "Where this is written", "sources": sources}),
            words: "Where this is written: Returns and refunds, Damaged items.",
        })?
        .reply()
}

/// "List my orders."
pub(super) fn orders(view: &View<'_>) -> Result<Reply> {
    let found: Vec<_> = view.results_of("lookup_order").collect();
    if found.is_empty() {
        let lookup = |order| ("lookup_order", json!({"orderId": order}));
        return Ok(view.calling("Let me look at your orders.", ORDERS.map(lookup)));
    }
    let columns = [("order", "Order"), ("item", "Item"), ("total", "Total"), ("status", "Status")]
        .map(|(key, label)| json!({"key": key, "label": label}));
    let rows: Vec<_> = found.iter().map(row).collect();
    let choices: Vec<_> = found.iter().filter_map(choice).collect();
    let table = Component {
        key: "table",
        instance: instance(view, "orders"),
        props: json!({"caption": "Your orders", "columns": columns, "rows": rows}),
        words: &list(&found),
    };
    let choices = Component {
        key: "choice-list",
        instance: instance(view, "choices"),
        props: json!({"prompt": "Which one is it about?", "choices": choices}),
        words: &format!("Which one is it about? {}.", ORDERS.join(", ")),
    };
    Ordered::default().text("These are your orders:").component(table)?.component(choices)?.reply()
}

/// "Track order A-1003."
pub(super) fn track(view: &View<'_>) -> Result<Reply> {
    let order = order_id(view.ask).unwrap_or_default();
    let Some(found) = view.result("lookup_order") else {
        let lookup = ("lookup_order", json!({"orderId": order}));
        return Ok(view.calling("Let me see how far it has come.", [lookup]));
    };
    let (Some(item), Some(status)) = (found.field("item"), found.field("status")) else {
        return Ok(super::scripts::answer(&format!("I cannot track that: {}.", found.fault())));
    };
    let value = if status == "on its way" { 60 } else { 100 };
    Ordered::default()
        .text(&format!("Your {item}:"))
        .component(Component {
            key: "progress",
            instance: instance(view, "progress"),
            props: json!({"label": format!("Order {order}"), "value": value, "status": status}),
            words: &format!("Order {order} is {status} ({value} %)."),
        })?
        .reply()
}

/// "Show the map": a component that no client knows, for what its fallback says.
pub(super) fn map(view: &View<'_>) -> Result<Reply> {
    Ordered::default()
        .text("This is where your parcel is:")
        .component(Component {
            key: "delivery-map",
            instance: instance(view, "map"),
            props: json!({"order": "A-1003", "latitude": 48.3, "longitude": 14.29}),
            words: "Order A-1003 is at the depot in Linz, two stops from you.",
        })?
        .reply()
}

/// Instances differ from answer to answer, so that a choice is one of its own list.
fn instance(view: &View<'_>, name: &str) -> String {
    format!("{name}-{}", view.prompt.messages.len())
}

fn row(found: &Past<'_>) -> Value {
    let field = |name| found.field(name);
    json!({"order": field("orderId"), "item": field("item"), "total": field("total"),
        "status": field("status")})
}

fn choice(found: &Past<'_>) -> Option<Value> {
    let (order, item) = (found.field("orderId")?, found.field("item")?);
    Some(json!({"id": order, "label": format!("Order {order}, {item}")}))
}

fn list(found: &[Past<'_>]) -> String {
    let line = |found: &Past<'_>| {
        let [order, item, total, status] = ["orderId", "item", "total", "status"]
            .map(|name| found.field(name).unwrap_or_default());
        format!("{order}: {item}, {total}, {status}")
    };
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}
