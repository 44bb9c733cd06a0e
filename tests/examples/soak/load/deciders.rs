//! Several people who decide the same at once: exactly one verdict stands.

use super::{Client, Fault};
use futures_util::future::try_join_all;
use turnwire::chat::Verdict;
use turnwire::client::{Decoded, RequestOptions};
use turnwire::loopengine::{Finished, TurnResult};

/// What a turn waits for, by its id.
pub(crate) enum Item {
    Approval(String),
    Question(String),
}

/// What the deciders of a turn led to.
pub(crate) struct Decided {
    pub(crate) decisions: usize,
    /// Whether the last verdict was to approve.
    pub(crate) is_approved: bool,
    /// How many events the turn's answer has.
    pub(crate) events: usize,
}

/// What one of the deciders was answered.
struct Answer {
    verdict: Verdict,
    result: turnwire::Result<Decoded<TurnResult>>,
}

impl Item {
    fn id(&self) -> &str {
        match self {
            Self::Approval(id) | Self::Question(id) => id,
        }
    }

    /// Two who agree and one who does not; who is first differs from turn to turn.
    fn verdicts(&self, turn: usize) -> [Verdict; 3] {
        let answer = |text: &str| Verdict::Answer { text: text.into() };
        let mut verdicts = match self {
            Self::Approval(_) => [Verdict::Approve, Verdict::Approve, Verdict::Deny],
            Self::Question(_) => [answer("A-1001"), answer("A-1001"), answer("A-1002")],
        };
        // Turns of one message have numbers of one parity.
        verdicts.rotate_left(turn / 2 % 3);
        verdicts
    }
}

/// Decides everything that a turn asks for, until it is over.
pub(crate) async fn decide_all(
    client: &Client,
    mut item: Item,
    turn: usize,
) -> Result<Decided, Fault> {
    let mut decisions = 0;
    loop {
        let (verdict, next) = decide(client, &item, turn).await?;
        decisions += 1;
        item = match next {
            TurnResult::PendingApproval(item) => Item::Approval(item.id),
            TurnResult::PendingQuestion(item) => Item::Question(item.id),
            TurnResult::Finished(end) => return Ok(ended(decisions, &verdict, &end)),
            TurnResult::Acknowledged => return Err("the server lost track of the turn".into()),
        };
    }
}

fn ended(decisions: usize, verdict: &Verdict, end: &Finished) -> Decided {
    let is_approved = *verdict == Verdict::Approve;
    Decided { decisions, is_approved, events: end.events.len() }
}

/// Lets all of them decide at once; gives the verdict that stands and what came of it.
async fn decide(client: &Client, item: &Item, turn: usize) -> Result<(Verdict, TurnResult), Fault> {
    let deciders = item.verdicts(turn).map(|verdict| {
        let (client, id) = (client.clone(), item.id().to_owned());
        tokio::spawn(async move { ask(&client, &id, verdict).await })
    });
    let mut answers = try_join_all(deciders).await?;
    let taken = answers.iter().position(|answer| answer.result.is_ok());
    let taken = answers.swap_remove(taken.ok_or("nobody could decide")?);
    let Answer { verdict, result } = taken;
    let Decoded { value, json, .. } = result?;
    answers.iter().try_for_each(|answer| agree(answer, &verdict, &json))?;
    Ok((verdict, value))
}

async fn ask(client: &Client, id: &str, verdict: Verdict) -> Answer {
    let options = RequestOptions::default();
    let result = match &verdict {
        Verdict::Approve => client.approve(id, &options).await,
        Verdict::Deny => client.deny(id, &options).await,
        Verdict::Answer { text } => client.answer(id, text, &options).await,
    };
    Answer { verdict, result }
}

/// The verdict that stands has one answer; another verdict is told which one stands.
fn agree(answer: &Answer, standing: &Verdict, json: &str) -> Result<(), Fault> {
    let is_same = answer.verdict == *standing;
    match &answer.result {
        Ok(other) if is_same && other.json == json => Ok(()),
        Err(error) if !is_same && error.status() == Some(409) => {
            let told = error.http().and_then(|details| details.verdict.as_deref());
            match told == Some(name(standing)) {
                true => Ok(()),
                false => Err(format!("{} stands, but {told:?} was told", name(standing)).into()),
            }
        }
        result => Err(format!("{} stands, and beside it {result:?}", name(standing)).into()),
    }
}

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Approve => "approve",
        Verdict::Deny => "deny",
        Verdict::Answer { .. } => "answer",
    }
}
