//! A whole turn with its decisions, for programs.

use super::decisions::Decisions;
use super::decoded::Decoded;
use super::loopengine::LoopClient;
use super::request::{RequestOptions, invalid};
use super::transport::Transport;
use crate::chat::Verdict;
use crate::json::JsonObject;
use crate::loopengine::{Finished, PendingApproval, PendingQuestion, TurnResult};
use crate::{Error, ErrorKind, Result};
use std::future::Future;

/// What a turn waits for.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "one lives at a time, and it is matched at once")]
pub enum PendingDecision {
    /// A call that waits for approval.
    Approval(PendingApproval),
    /// A question that waits for its answer.
    Question(PendingQuestion),
}

impl PendingDecision {
    /// Id of the item.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Approval(item) => &item.id,
            Self::Question(item) => &item.id,
        }
    }
}

/// Sends a message and decides whatever comes up, until the turn is over.
///
/// `options` are those of the message; the decisions take its headers and its switch over, not its
/// body.
///
/// # Protocol
/// Our choice: at most 32 decisions a turn, and each item once.
///
/// # Errors
/// Those of [`LoopClient::send`] and [`LoopClient::approve`]; `decision-limit`; `no-progress` where
/// an item is pending again after its decision, or the server lost track of the turn;
/// `invalid-argument` for a verdict that does not fit the item, which stays pending.
///
/// # Cancellation
/// Dropping the future cancels the request under way. The turn goes on at the server, and an item
/// may stay pending there.
///
/// # Examples
/// ```
/// use turnwire::chat::Verdict;
/// use turnwire::client::{LoopClient, PendingDecision, RequestOptions, Transport, run_turn};
///
/// async fn refund<T: Transport>(client: &LoopClient<T>) -> turnwire::Result<String> {
///     let options = RequestOptions::default();
///     let turn = run_turn(client, "customer-service", "refund A-1001", &options, async |item| {
///         match item {
///             PendingDecision::Approval(call) if call.tool == "issue_refund" => Verdict::Approve,
///             PendingDecision::Approval(_) => Verdict::Deny,
///             PendingDecision::Question(_) => Verdict::Answer { text: "A-1001".into() },
///         }
///     });
///     Ok(turn.await?.text)
/// }
/// ```
pub async fn run_turn<T, D, F>(
    client: &LoopClient<T>,
    agent: &str,
    message: &str,
    options: &RequestOptions,
    mut decider: D,
) -> Result<Finished>
where
    T: Transport,
    D: FnMut(PendingDecision) -> F,
    F: Future<Output = Verdict>,
{
    let deciding = RequestOptions { body: JsonObject::new(), ..options.clone() };
    let mut decisions = Decisions::default();
    let mut result = client.send(agent, message, options).await?.value;
    loop {
        let item = match result {
            TurnResult::Finished(turn) => return Ok(turn),
            TurnResult::PendingApproval(item) => PendingDecision::Approval(item),
            TurnResult::PendingQuestion(item) => PendingDecision::Question(item),
            TurnResult::Acknowledged => return Err(lost()),
        };
        let id = item.id().to_owned();
        decisions.note(&id)?;
        let question = matches!(item, PendingDecision::Question(_));
        let verdict = fitting(question, decider(item).await)?;
        result = decide(client, &id, &verdict, &deciding).await?.value;
    }
}

fn fitting(question: bool, verdict: Verdict) -> Result<Verdict> {
    match (question, &verdict) {
        (true, Verdict::Answer { .. }) | (false, Verdict::Approve | Verdict::Deny) => Ok(verdict),
        (true, _) => Err(invalid("verdict: expected an answer to a question")),
        (false, _) => Err(invalid("verdict: expected approve or deny for a call")),
    }
}

pub(super) async fn decide<T: Transport>(
    client: &LoopClient<T>,
    id: &str,
    verdict: &Verdict,
    options: &RequestOptions,
) -> Result<Decoded<TurnResult>> {
    match verdict {
        Verdict::Approve => client.approve(id, options).await,
        Verdict::Deny => client.deny(id, options).await,
        Verdict::Answer { text } => client.answer(id, text, options).await,
    }
}

fn lost() -> Error {
    Error::new(
        ErrorKind::NoProgress,
        "the decision was taken, but the server tracks the turn no more",
    )
}
