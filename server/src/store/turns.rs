//! Turns and their events.

use super::keys::{self, Key};
use super::{Store, StoreError, items, sessions};
use crate::engine::{Progress, Turn};
use sqlx::{Sqlite, Transaction};
use std::time::Duration;
use turnwire::loopengine::{LoopEvent, decode};

/// Who drives a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Driver {
    /// A server, which takes its turns up again after a restart.
    Server,
    /// A command, whose turns end with it.
    Command,
}

/// Where a turn is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TurnRow {
    number: i64,
    session: i64,
}

/// A turn that was not over when its server stopped.
#[derive(Debug)]
pub(crate) struct Unfinished {
    /// Its id.
    pub id: String,
    /// Where it is stored.
    pub row: TurnRow,
    /// The turn, with its conversation.
    pub turn: Turn,
    /// Its events so far.
    pub events: Vec<LoopEvent>,
    /// Whether somebody has asked to stop it.
    pub is_cancelled: bool,
}

/// A turn as it is stored, for those who ask about it.
#[derive(Debug)]
pub(crate) struct Stored {
    /// The turn, without its conversation.
    pub turn: Turn,
    /// Its events so far; none where they are no longer kept.
    pub events: Vec<LoopEvent>,
}

impl Driver {
    fn as_str(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Command => "command",
        }
    }
}

impl Store {
    /// Stores a new turn with its first events, and the name that its message has.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails; nothing is stored then.
    pub(crate) async fn open_turn(
        &self,
        id: &str,
        driver: Driver,
        turn: &Turn,
        progress: &Progress,
        key: Option<&Key>,
    ) -> Result<TurnRow, StoreError> {
        let mut transaction = self.begin().await?;
        let session = sessions::number(&mut transaction, turn.session()).await?;
        let number = sqlx::query_scalar(
            "INSERT INTO turns (id, session, driver, is_over, state) VALUES (?, ?, ?, 0, ?)
             RETURNING number",
        )
        .bind(id)
        .bind(session)
        .bind(driver.as_str())
        .bind(serde_json::to_string(turn)?)
        .fetch_one(&mut *transaction)
        .await?;
        let row = TurnRow { number, session };
        add_events(&mut transaction, row, &progress.events).await?;
        if let Some(key) = key {
            keys::add(&mut transaction, &turn.session().scope, key, number).await?;
        }
        transaction.commit().await?;
        Ok(row)
    }

    /// Stores a step of a turn: its state, new events, new messages and new pending items, all or
    /// nothing.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails; nothing is stored then.
    pub(crate) async fn commit(
        &self,
        row: TurnRow,
        turn: &Turn,
        progress: &Progress,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(
            "UPDATE turns SET state = ?1, is_over = ?2,
               ended_at = CASE WHEN ?2 THEN unixepoch() END WHERE number = ?3",
        )
        .bind(serde_json::to_string(turn)?)
        .bind(turn.is_over())
        .bind(row.number)
        .execute(&mut *transaction)
        .await?;
        sessions::append(&mut transaction, row.session, &progress.messages, turn.left_out())
            .await?;
        add_events(&mut transaction, row, &progress.events).await?;
        Ok(transaction.commit().await?)
    }

    /// The turns that a server has to take up again, those that had begun before those that waited.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails or holds what cannot be read.
    pub(crate) async fn unfinished(&self) -> Result<Vec<Unfinished>, StoreError> {
        let rows: Vec<(i64, i64, String, String, bool)> = sqlx::query_as(
            "SELECT number, session, id, state, is_cancelled FROM turns
             WHERE is_over = 0 AND driver = 'server' ORDER BY number",
        )
        .fetch_all(&self.read)
        .await?;
        let mut turns = Vec::with_capacity(rows.len());
        for (number, session, id, state, is_cancelled) in rows {
            let row = TurnRow { number, session };
            let (turn, events) = self.read_back(row, &state).await?;
            turns.push(Unfinished { id, row, turn, events, is_cancelled });
        }
        turns.sort_by_key(|unfinished| unfinished.turn.is_queued());
        Ok(turns)
    }

    async fn read_back(
        &self,
        row: TurnRow,
        state: &str,
    ) -> Result<(Turn, Vec<LoopEvent>), StoreError> {
        let mut turn: Turn = serde_json::from_str(state)?;
        turn.restore(self.session(turn.session()).await?.0);
        Ok((turn, self.events(row).await?))
    }

    /// The turn of this id.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails or holds what cannot be read.
    pub(crate) async fn turn(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        let row: Option<(i64, i64, String)> =
            sqlx::query_as("SELECT number, session, state FROM turns WHERE id = ?")
                .bind(id)
                .fetch_optional(&self.read)
                .await?;
        let Some((number, session, state)) = row else { return Ok(None) };
        let events = self.events(TurnRow { number, session }).await?;
        Ok(Some(Stored { turn: serde_json::from_str(&state)?, events }))
    }

    /// Notes that a turn is to stop; false where it is over or unknown.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails.
    pub(crate) async fn cancel(&self, id: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("UPDATE turns SET is_cancelled = 1 WHERE id = ? AND is_over = 0")
            .bind(id)
            .execute(&self.write)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Drops the events of turns that ended longer ago than `age`; their sessions stay.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails.
    pub(crate) async fn drop_events(&self, age: Duration) -> Result<u64, StoreError> {
        let done = sqlx::query(
            "DELETE FROM events WHERE turn IN
               (SELECT number FROM turns WHERE is_over = 1 AND ended_at < unixepoch() - ?)",
        )
        .bind(i64::try_from(age.as_secs()).unwrap_or(i64::MAX))
        .execute(&self.write)
        .await?;
        Ok(done.rows_affected())
    }

    /// A turn's events, in order.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails or holds what cannot be read.
    pub(crate) async fn events(&self, row: TurnRow) -> Result<Vec<LoopEvent>, StoreError> {
        let rows: Vec<String> =
            sqlx::query_scalar("SELECT json FROM events WHERE turn = ? ORDER BY seq")
                .bind(row.number)
                .fetch_all(&self.read)
                .await?;
        rows.iter().map(|text| Ok(decode(text)?)).collect()
    }
}

async fn add_events(
    transaction: &mut Transaction<'_, Sqlite>,
    row: TurnRow,
    events: &[LoopEvent],
) -> Result<(), StoreError> {
    for event in events {
        sqlx::query(
            "INSERT INTO events (turn, seq, json)
             SELECT ?1, COALESCE(MAX(seq) + 1, 0), ?2 FROM events WHERE turn = ?1",
        )
        .bind(row.number)
        .bind(serde_json::to_string(event)?)
        .execute(&mut **transaction)
        .await?;
        items::add(transaction, row.number, event).await?;
    }
    Ok(())
}
