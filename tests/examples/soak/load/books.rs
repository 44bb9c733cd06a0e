//! What is on the books of the shop: an approved refund once, a denied one never.

use super::{AGENT, Client, Fault};
use turnwire::client::RequestOptions;
use turnwire::loopengine::{Block, Content, HistoryMessage, TurnResult};

const REFUND: &str = "issue_refund";

/// Compares the session and the shop with the verdict.
pub(crate) async fn check(client: &Client, session: &str, is_approved: bool) -> Result<(), Fault> {
    let history = client.history(AGENT, session, &RequestOptions::default()).await?.value.history;
    let [(call, order)] = &refunds(&history)[..] else {
        return Err("there is not one call for a refund".into());
    };
    let made = results(&history, call).filter(|is_error| !is_error).count();
    if made != usize::from(is_approved) {
        return Err(format!("{made} refunds were made; approved: {is_approved}").into());
    }
    let told = ask(client, session, order).await?;
    match told.contains("is refunded") == is_approved {
        true => Ok(()),
        false => Err(format!("the shop says: {told} Approved: {is_approved}").into()),
    }
}

/// What the shop's own records say of an order.
async fn ask(client: &Client, session: &str, order: &str) -> Result<String, Fault> {
    let options = RequestOptions { session_id: Some(session.into()), ..Default::default() };
    let message = format!("where is order {order}?");
    match client.send(AGENT, &message, &options).await?.value {
        TurnResult::Finished(turn) => Ok(turn.text),
        other => Err(format!("looking an order up needs nobody, but: {other:?}").into()),
    }
}

fn blocks(history: &[HistoryMessage]) -> impl Iterator<Item = &Block> {
    history.iter().flat_map(|message| match &message.content {
        Content::Text(_) => &[][..],
        Content::Blocks(blocks) => blocks,
    })
}

/// The ids of the calls for a refund, with the order of each.
fn refunds(history: &[HistoryMessage]) -> Vec<(String, String)> {
    let call = |block: &Block| match block {
        Block::ToolUse { id, name, input } if name == REFUND => {
            Some((id.clone(), input["orderId"].as_str()?.to_owned()))
        }
        _ => None,
    };
    blocks(history).filter_map(call).collect()
}

/// Whether each result of a call is an error.
fn results<'a>(history: &'a [HistoryMessage], call: &'a str) -> impl Iterator<Item = bool> + 'a {
    blocks(history).filter_map(move |block| match block {
        Block::ToolResult { tool_use_id, is_error, .. } if tool_use_id == call => {
            Some(is_error.unwrap_or(false))
        }
        _ => None,
    })
}
