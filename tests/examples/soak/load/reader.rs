//! A reader of a turn's stream, in one of several manners.

use super::deciders::Item;
use super::{AGENT, Client, Fault};
use turnwire::client::{EventStream, RequestOptions, ReqwestTransport};
use turnwire::loopengine::{LoopEvent, Received};

/// After so many events a reader of the manner `Dropping` leaves and joins again.
const EVENTS_A_CONNECTION: usize = 3;

/// How a reader reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// From the start, as events come.
    Steady,
    /// As events come, joined behind an event that it knows from elsewhere.
    Late,
    /// From the start, and nothing between the first decision and the turn's end.
    Pausing,
    /// From the start, over many connections that it drops itself.
    Dropping,
}

/// A reader and what it has seen.
pub(crate) struct Reader {
    manner: Manner,
    turn: String,
    stream: EventStream<ReqwestTransport>,
    /// The number of the first event that it wanted to see.
    start: usize,
    /// The events' JSON, in the order in which they came.
    seen: Vec<String>,
    is_over: bool,
}

impl Manner {
    pub(crate) const ALL: [Self; 4] = [Self::Steady, Self::Late, Self::Pausing, Self::Dropping];
}

impl Reader {
    /// Sends the message that starts a turn and reads the answer's own stream.
    pub(crate) async fn send(client: &Client, session: &str, message: &str) -> Result<Self, Fault> {
        let options = RequestOptions { session_id: Some(session.into()), ..Default::default() };
        let stream = client.stream(AGENT, message, &options).await?;
        let turn = stream.turn_id().ok_or("the response names no turn")?.to_owned();
        Ok(Self::of(stream, turn, 0, Manner::Steady))
    }

    /// Joins a turn behind its first `start` events.
    pub(crate) async fn join(
        client: &Client,
        turn: &str,
        start: usize,
        manner: Manner,
    ) -> Result<Self, Fault> {
        let stream = client.join(turn, start as u64, &RequestOptions::default()).await?;
        Ok(Self::of(stream, turn.to_owned(), start, manner))
    }

    fn of(
        stream: EventStream<ReqwestTransport>,
        turn: String,
        start: usize,
        manner: Manner,
    ) -> Self {
        Self { manner, turn, stream, start, seen: Vec::new(), is_over: false }
    }

    pub(crate) fn manner(&self) -> Manner {
        self.manner
    }

    pub(crate) fn turn_id(&self) -> &str {
        &self.turn
    }

    pub(crate) fn start(&self) -> usize {
        self.start
    }

    pub(crate) fn seen(&self) -> &[String] {
        &self.seen
    }

    /// How many of the turn's events it knows, those that it did not want to see included.
    pub(crate) fn known(&self) -> usize {
        self.start + self.seen.len()
    }

    /// Reads until the turn waits, and gives what for.
    pub(crate) async fn read_to_item(&mut self) -> Result<Item, Fault> {
        loop {
            match self.read_one().await? {
                LoopEvent::ApprovalPending(item) => return Ok(Item::Approval(item.id)),
                LoopEvent::QuestionPending(item) => return Ok(Item::Question(item.id)),
                _ => {}
            }
        }
    }

    /// Reads until it knows so many events.
    pub(crate) async fn read_to(&mut self, known: usize) -> Result<(), Fault> {
        while self.known() < known {
            self.read_one().await?;
        }
        Ok(())
    }

    /// Reads to the end of the turn.
    pub(crate) async fn read_on(&mut self, client: &Client) -> Result<(), Fault> {
        while !self.is_over {
            if self.manner == Manner::Dropping && self.known().is_multiple_of(EVENTS_A_CONNECTION) {
                let known = self.known() as u64;
                self.stream = client.join(&self.turn, known, &RequestOptions::default()).await?;
            }
            self.read_one().await?;
        }
        match self.stream.next().await {
            Some(_) => Err("something comes behind the turn's end".into()),
            None => Ok(()),
        }
    }

    async fn read_one(&mut self) -> Result<LoopEvent, Fault> {
        let frame = self.stream.next().await.ok_or("the stream ends before the turn")??;
        let Received::Event(event) = frame.received else {
            return Err(format!("no event: {}", frame.json).into());
        };
        self.seen.push(frame.json);
        self.is_over = matches!(event, LoopEvent::Done(_) | LoopEvent::Error(_));
        Ok(event)
    }
}
