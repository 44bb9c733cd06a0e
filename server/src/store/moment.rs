//! A session at one moment: what it holds, and where its turns stand.
//!
//! A step of a turn is stored in one transaction, and what is here is read in one: whoever reads
//! the session knows exactly which events it knows already.

use super::{ItemKind, Store, StoreError, items, sessions};
use crate::engine::{SessionKey, Turn};
use sqlx::SqliteConnection;
use turnwire::loopengine::{HistoryMessage, LoopEvent, decode};

/// What was read of a session, and those of its turns that are not over, with the last one, in the
/// order of their arrival.
#[derive(Debug)]
pub(crate) struct Moment<T> {
    /// What was read.
    pub content: Vec<T>,
    /// Where its turns stood.
    pub turns: Vec<Standing>,
}

/// A turn as it stood at that moment.
#[derive(Debug)]
pub(crate) struct Standing {
    /// Its id.
    pub id: String,
    /// The turn, without its conversation.
    pub turn: Turn,
    /// Whether a server drives it.
    pub is_served: bool,
    /// How many events it had.
    pub events: usize,
    /// The last one of them; none where they are no longer kept.
    pub last: Option<LoopEvent>,
}

impl Store {
    /// A session's messages, oldest first; nothing for a session that does not exist.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails or holds what cannot be read.
    pub(crate) async fn history(
        &self,
        key: &SessionKey,
    ) -> Result<Moment<HistoryMessage>, StoreError> {
        let mut reading = self.read.begin().await?;
        let Some((session, _)) = sessions::find(&mut reading, key).await? else {
            return Ok(Moment { content: Vec::new(), turns: Vec::new() });
        };
        let content = sessions::messages(&mut reading, session).await?;
        let turns = standings(&mut reading, session).await?;
        reading.commit().await?;
        Ok(Moment { content, turns })
    }

    /// A session's pending items, oldest first; nothing for a session that does not exist.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails or holds what cannot be read.
    pub(crate) async fn pending_of(
        &self,
        kind: ItemKind,
        key: &SessionKey,
    ) -> Result<Moment<LoopEvent>, StoreError> {
        let mut reading = self.read.begin().await?;
        let Some((session, _)) = sessions::find(&mut reading, key).await? else {
            return Ok(Moment { content: Vec::new(), turns: Vec::new() });
        };
        let content = items::pending(&mut reading, kind, &key.scope, Some(&key.id)).await?;
        let turns = standings(&mut reading, session).await?;
        reading.commit().await?;
        Ok(Moment { content, turns })
    }
}

async fn standings(
    connection: &mut SqliteConnection,
    session: i64,
) -> Result<Vec<Standing>, StoreError> {
    type Row = (String, String, bool, i64, Option<String>);
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT id, state, driver = 'server',
           (SELECT COUNT(*) FROM events WHERE turn = number),
           (SELECT json FROM events WHERE turn = number ORDER BY seq DESC LIMIT 1)
         FROM turns WHERE session = ?1
           AND (is_over = 0 OR number = (SELECT MAX(number) FROM turns WHERE session = ?1))
         ORDER BY number",
    )
    .bind(session)
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(standing).collect()
}

fn standing(
    (id, state, is_served, events, last): (String, String, bool, i64, Option<String>),
) -> Result<Standing, StoreError> {
    Ok(Standing {
        id,
        turn: serde_json::from_str(&state)?,
        is_served,
        events: usize::try_from(events).unwrap_or(0),
        last: last.as_deref().map(decode).transpose()?,
    })
}
