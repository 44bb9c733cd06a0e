//! The load: turns that all wait before the first of them is decided, their readers and deciders,
//! and what was found of them at the end.

use std::time::Duration;
use tally::Tally;
use tokio::task::JoinSet;
use turn::WaitingTurn;
use turnwire::client::{LoopClient, ReqwestTransport, Timeouts};

mod books;
mod deciders;
mod reader;
mod tally;
mod turn;

const AGENT: &str = "customer-service";

/// How long anything may take: a soak that hangs has failed.
const PATIENCE: Duration = Duration::from_secs(600);

/// How many lines tell of each half of a soak.
const PROGRESS_LINES: usize = 10;

type Client = LoopClient<ReqwestTransport>;

type Fault = Box<dyn std::error::Error + Send + Sync>;

/// How large a load is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) streams: usize,
    pub(crate) turns: usize,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Turns that were played to their end.
    pub(crate) turns: usize,
    /// Streams that were open before the first decision.
    pub(crate) streams: usize,
    /// Verdicts and answers that stand.
    pub(crate) decisions: usize,
    /// Turns whose refund was approved; that of the others was denied.
    pub(crate) approved: usize,
    /// What all readers saw.
    pub(crate) tally: Tally,
    /// Why turns failed.
    pub(crate) faults: Vec<String>,
}

impl Size {
    /// A turn is started by the first of its streams.
    pub(crate) fn is_sound(self) -> bool {
        self.turns > 0 && self.streams >= self.turns
    }

    /// How many streams the turn of this number has.
    fn streams_of(self, turn: usize) -> usize {
        self.streams / self.turns + usize::from(turn < self.streams % self.turns)
    }
}

impl Findings {
    pub(crate) fn are_sound(&self) -> bool {
        self.faults.is_empty() && self.tally.is_clean()
    }
}

/// A client of the server at this address.
pub(crate) fn client(address: &str) -> turnwire::Result<Client> {
    let timeouts = Timeouts { total: Some(PATIENCE), ..Timeouts::default() };
    Ok(LoopClient::new(ReqwestTransport::new(), address)?.with_timeouts(timeouts))
}

/// Opens all streams, then decides all turns at once, and tells how far it is.
pub(crate) async fn run(client: &Client, size: Size, mut tell: impl FnMut(String)) -> Findings {
    let mut findings = Findings::default();
    let opening = (0..size.turns).map(|number| {
        let client = client.clone();
        async move { WaitingTurn::open(&client, number, size.streams_of(number)).await }
    });
    let waiting = gather(opening, &mut findings.faults, |count| {
        tell(format!("{count} of {} turns wait for a decision", size.turns));
    })
    .await;
    findings.streams = waiting.iter().map(WaitingTurn::streams).sum();
    tell(format!("{} streams are open", findings.streams));

    let playing = waiting.into_iter().map(|turn| {
        let client = client.clone();
        async move { turn.play(&client).await }
    });
    let played = gather(playing, &mut findings.faults, |count| {
        tell(format!("{count} of {} turns are over", size.turns));
    })
    .await;
    findings.turns = played.len();
    findings.decisions = played.iter().map(|turn| turn.decisions).sum();
    findings.approved = played.iter().filter(|turn| turn.is_approved).count();
    findings.tally = played.into_iter().map(|turn| turn.tally).sum();
    findings
}

/// Runs all of them at once; what fails becomes a fault.
async fn gather<T: Send + 'static>(
    futures: impl ExactSizeIterator<Item = impl Future<Output = Result<T, Fault>> + Send + 'static>,
    faults: &mut Vec<String>,
    mut tell: impl FnMut(usize),
) -> Vec<T> {
    let line = futures.len().div_ceil(PROGRESS_LINES).max(1);
    let mut running: JoinSet<_> = futures.collect();
    let mut done = Vec::with_capacity(running.len());
    while let Some(joined) = running.join_next().await {
        match joined {
            Ok(Ok(value)) => done.push(value),
            Ok(Err(fault)) => faults.push(fault.to_string()),
            Err(panicked) => faults.push(panicked.to_string()),
        }
        if done.len().is_multiple_of(line) {
            tell(done.len());
        }
    }
    done
}
