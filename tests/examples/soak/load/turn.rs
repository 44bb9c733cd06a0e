//! One turn with its readers: brought to where it waits, then decided and read to its end.

use super::deciders::{Decided, Item};
use super::reader::{Manner, Reader};
use super::tally::Tally;
use super::{Client, Fault, books, deciders};
use futures_util::future::{join, try_join_all};

/// What turns start from: the first asks for an approval, the second for an answer before that.
const MESSAGES: [&str; 2] =
    ["order A-1001 arrived broken, can you refund it?", "I would like a refund"];

/// A turn that waits for a decision, and everybody who reads it.
pub(crate) struct WaitingTurn {
    id: String,
    number: usize,
    session: String,
    item: Item,
    readers: Vec<Reader>,
}

/// What was found of a turn that is over.
pub(crate) struct PlayedTurn {
    pub(crate) decisions: usize,
    pub(crate) is_approved: bool,
    pub(crate) tally: Tally,
}

impl WaitingTurn {
    /// Starts the turn of this number and opens its streams; each has been read up to where the
    /// turn waits.
    pub(crate) async fn open(
        client: &Client,
        number: usize,
        streams: usize,
    ) -> Result<Self, Fault> {
        let session = format!("soak-{number}");
        let message = MESSAGES[number % MESSAGES.len()];
        let mut first = Reader::send(client, &session, message).await?;
        let item = first.read_to_item().await?;
        let (id, len) = (first.turn_id().to_owned(), first.known());
        let others = (1..streams).map(|place| {
            let manner = Manner::ALL[place % Manner::ALL.len()];
            // Every place between the turn's start and where it waits has its turn.
            let known = if manner == Manner::Late { 1 + (number + place) % len } else { 0 };
            Reader::join(client, &id, known, manner)
        });
        let mut readers = try_join_all(others).await?;
        try_join_all(readers.iter_mut().map(|reader| reader.read_to(len))).await?;
        readers.insert(0, first);
        Ok(Self { id, number, session, item, readers })
    }

    pub(crate) fn streams(&self) -> usize {
        self.readers.len()
    }

    /// Decides whatever comes up while everybody reads on, and compares what they saw.
    pub(crate) async fn play(self, client: &Client) -> Result<PlayedTurn, Fault> {
        let Self { id, number, session, item, readers } = self;
        let named = |fault: Fault| format!("turn {number} ({id}): {fault}");
        play(client, &id, number, &session, item, readers).await.map_err(|f| named(f).into())
    }
}

async fn play(
    client: &Client,
    id: &str,
    number: usize,
    session: &str,
    item: Item,
    readers: Vec<Reader>,
) -> Result<PlayedTurn, Fault> {
    let (mut pausing, mut reading): (Vec<_>, Vec<_>) =
        readers.into_iter().partition(|reader| reader.manner() == Manner::Pausing);
    let reading_on = try_join_all(reading.iter_mut().map(|reader| reader.read_on(client)));
    let (decided, read) = join(deciders::decide_all(client, item, number), reading_on).await;
    let Decided { decisions, is_approved, events } = decided?;
    read?;
    // The turn is over: what they did not read so far has to be there still.
    try_join_all(pausing.iter_mut().map(|reader| reader.read_on(client))).await?;

    let mut whole = Reader::join(client, id, 0, Manner::Steady).await?;
    whole.read_on(client).await?;
    if whole.seen().len() != events {
        let (stream, answer) = (whole.seen().len(), events);
        return Err(format!("{stream} events in its stream, {answer} in its answer").into());
    }
    books::check(client, session, is_approved).await?;
    let tally = |reader: &Reader| {
        Tally::of(whole.seen().get(reader.start()..).unwrap_or_default(), reader.seen())
    };
    let tally = reading.iter().chain(&pausing).map(tally).sum();
    Ok(PlayedTurn { decisions, is_approved, tally })
}
