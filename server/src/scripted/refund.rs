//! The conversation about a refund: which order, look it up, refund it, perhaps write an email.

use super::view::{Past, View};
use super::words::{has_word, order_id};
use crate::engine::{ASK_USER, Reply};
use serde_json::json;

pub(super) fn reply(view: &View<'_>) -> Reply {
    match wanted_order(view) {
        Ok(order) => about(view, &order),
        Err(reply) => reply,
    }
}

/// The order's id from the message or from the answer to a question, or the reply that asks for it.
fn wanted_order(view: &View<'_>) -> Result<String, Reply> {
    if let Some(order) = order_id(view.ask) {
        return Ok(order);
    }
    let Some(answer) = view.result(ASK_USER) else {
        let question =
            json!({"question": "Which order is it about?", "options": ["A-1001", "A-1002"]});
        return Err(view.calling("I can help with that.", [(ASK_USER, question)]));
    };
    let text = answer.text().unwrap_or_default();
    order_id(&text).ok_or_else(|| {
        super::scripts::answer("I found no order id in that. An order id looks like A-1001.")
    })
}

fn about(view: &View<'_>, order: &str) -> Reply {
    let Some(found) = view.result("lookup_order") else {
        let text = format!("Let me look at order {order} first.");
        return view.calling(&text, [("lookup_order", json!({"orderId": order}))]);
    };
    if found.is_error {
        return super::scripts::answer(&format!("I cannot refund that: {}.", found.fault()));
    }
    match view.result("issue_refund") {
        Some(refund) => ended(view, order, refund),
        None if found.field("status").as_deref() == Some("refunded") => {
            super::scripts::answer(&format!("Order {order} has been refunded already."))
        }
        None => ask_for_refund(view, order, found),
    }
}

fn ask_for_refund(view: &View<'_>, order: &str, found: Past<'_>) -> Reply {
    let total = found.field("total").unwrap_or_default();
    let refund = ("issue_refund", json!({"orderId": order}));
    if !wants_email(view) {
        let text = format!("I will refund {total} for order {order}.");
        return view.calling(&text, [refund]);
    }
    let email = json!({
        "orderId": order,
        "subject": format!("Your refund for order {order}"),
        "text": format!("We have refunded {total} to your original payment method."),
    });
    let text = format!("I will refund {total} for order {order} and write you an email.");
    view.calling(&text, [refund, ("send_email", email)])
}

fn ended(view: &View<'_>, order: &str, refund: Past<'_>) -> Reply {
    if refund.is_error {
        let text = format!("The refund of order {order} failed: {}.", refund.fault());
        return super::scripts::answer(&text);
    }
    let amount = refund.field("amount").unwrap_or_default();
    let refunded = format!("Refunded {amount} to your original payment method.");
    let email = view.result("send_email").map(|email| match email.is_error {
        true => format!(" The email could not be sent: {}.", email.fault()),
        false => " An email that confirms it is on its way.".into(),
    });
    super::scripts::answer(&(refunded + &email.unwrap_or_default()))
}

fn wants_email(view: &View<'_>) -> bool {
    has_word(view.ask, &["email", "e-mail", "mail"])
}
