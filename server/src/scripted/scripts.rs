//! Which conversation a message starts, and the short ones.

use super::ordered::or_failed;
use super::view::View;
use super::words::{has_word, order_id};
use super::{refund, shop};
use crate::engine::{ModelError, Prompt, Reply, SKILL};
use serde_json::{Value, json};

/// How many messages a shortened prompt of the conversation "compact" may have.
const SHORT_PROMPT_MESSAGES: usize = 16;

type Script = fn(&View<'_>) -> Result<Reply, ModelError>;

/// The reply to a prompt.
pub(super) fn reply(prompt: &Prompt) -> Result<Reply, ModelError> {
    let view = View::of(prompt);
    script(view.ask)(&view)
}

/// A reply that ends the turn.
pub(super) fn answer(text: &str) -> Reply {
    Reply { text: text.into(), ..Reply::default() }
}

/// The script that a message starts; the first that fits.
fn script(ask: &str) -> Script {
    let all = |words: &[&str]| words.iter().all(|word| has_word(ask, &[word]));
    match () {
        () if all(&["delete", "everything"]) => delete_everything,
        () if all(&["never", "stop"]) => never_stop,
        () if all(&["skill"]) => use_skill,
        () if all(&["compact"]) => compact,
        () if all(&["nudge"]) => nudge,
        () if all(&["break"]) => break_off,
        () if has_word(ask, &["refund", "refunds", "refunded"]) => |view| Ok(refund::reply(view)),
        () if all(&["track"]) && order_id(ask).is_some() => |view| or_failed(shop::track(view)),
        () if order_id(ask).is_some() => look_up,
        () if has_word(ask, &["return", "returns"]) && all(&["policy"]) => {
            |view| or_failed(shop::policy(view))
        }
        () if all(&["list", "orders"]) => |view| or_failed(shop::orders(view)),
        () if all(&["map"]) => |view| or_failed(shop::map(view)),
        () if has_word(ask, &["hello", "hi", "hey"]) => |_| Ok(answer(GREETING)),
        () => |_| Ok(answer(ABILITIES)),
    }
}

const GREETING: &str = "Hello! How can I help you with your order?";

const ABILITIES: &str = "I can look up an order, refund it and email you about it. Write, for \
example: \"order A-1001 arrived broken, can you refund it?\"";

fn look_up(view: &View<'_>) -> Result<Reply, ModelError> {
    let order = order_id(view.ask).unwrap_or_default();
    let Some(found) = view.result("lookup_order") else {
        return Ok(view.calling("Let me look that up.", [lookup(&order)]));
    };
    Ok(answer(&match (found.field("item"), found.field("status")) {
        (Some(item), Some(status)) => format!("Order {order} ({item}) is {status}."),
        _ => format!("I could not look that up: {}.", found.fault()),
    }))
}

fn delete_everything(view: &View<'_>) -> Result<Reply, ModelError> {
    Ok(view.calling("I will delete all orders.", [("delete_orders", json!({}))]))
}

fn never_stop(view: &View<'_>) -> Result<Reply, ModelError> {
    Ok(view.calling("", [lookup("A-1001")]))
}

fn use_skill(view: &View<'_>) -> Result<Reply, ModelError> {
    let Some(skill) = view.result(SKILL) else {
        let call = (SKILL, json!({"skill": wanted_skill(view.ask)}));
        return Ok(view.calling("Let me read how that is done.", [call]));
    };
    let rule = skill.content.lines().next().unwrap_or_default();
    Ok(answer(rule))
}

fn wanted_skill(ask: &str) -> &str {
    let words: Vec<_> = ask.split_whitespace().collect();
    words.windows(2).find(|pair| has_word(pair[1], &["skill"])).map_or("returns", |pair| pair[0])
}

fn break_off(view: &View<'_>) -> Result<Reply, ModelError> {
    match view.rounds {
        0 => Ok(view.calling("Working on it.", [lookup("A-1001")])),
        _ => Err(ModelError::Failed("the scripted model broke off, as it was asked to".into())),
    }
}

/// Says that it has counted nearly as many tokens as the budget allows.
fn nudge(view: &View<'_>) -> Result<Reply, ModelError> {
    match view.rounds {
        0 => Ok(Reply {
            used_tokens: Some(share(view, 85)),
            ..view.calling("Let me look at an order.", [lookup("A-1001")])
        }),
        _ => Ok(answer("My context is nearly full, so I keep it short.")),
    }
}

/// Looks two orders up, says that it has counted too many tokens, and takes only a shorter prompt.
fn compact(view: &View<'_>) -> Result<Reply, ModelError> {
    match view.rounds {
        _ if view.is_compacted() && view.prompt.messages.len() <= SHORT_PROMPT_MESSAGES => {
            Ok(answer(COMPACTED))
        }
        0 => Ok(view.calling("Let me look at two orders.", [lookup("A-1001")])),
        1 => Ok(Reply {
            used_tokens: Some(share(view, 120)),
            ..view.calling("", [lookup("A-1002")])
        }),
        _ => Err(ModelError::PromptTooLong),
    }
}

const COMPACTED: &str =
    "Our conversation got too long for me, so I left its oldest messages out and went on.";

fn share(view: &View<'_>, percent: u64) -> u64 {
    view.prompt.budget_tokens.saturating_mul(percent) / 100
}

fn lookup(order: &str) -> (&'static str, Value) {
    ("lookup_order", json!({"orderId": order}))
}
