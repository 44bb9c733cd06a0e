//! A session at one moment: what it holds, and where its turns stand.
//!
//! A step of a turn is stored in one transaction, and what is here is read in one: whoever reads
//! the session knows exactly which events it knows already.

use super::{ItemKind, Said, Store, StoreError, items, sessions};
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
    /// Whether nobody has decided yet what it waits for.
    pub is_undecided: bool,
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
        let turns = standings(&mut reading, session, None).await?;
        reading.commit().await?;
        Ok(Moment { content, turns })
    }

    /// A session's messages with their times, oldest first; `turn` is among its turns even if it is
    /// over and others came after it.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails or holds what cannot be read.
    pub(crate) async fn conversation(
        &self,
        key: &SessionKey,
        turn: Option<&str>,
    ) -> Result<Moment<Said>, StoreError> {
        let mut reading = self.read.begin().await?;
        let Some((session, _)) = sessions::find(&mut reading, key).await? else {
            return Ok(Moment { content: Vec::new(), turns: Vec::new() });
        };
        let content = sessions::said(&mut reading, session).await?;
        let turns = standings(&mut reading, session, turn).await?;
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
        let turns = standings(&mut reading, session, None).await?;
        reading.commit().await?;
        Ok(Moment { content, turns })
    }
}

type Row = (String, String, bool, i64, Option<String>, bool);

async fn standings(
    connection: &mut SqliteConnection,
    session: i64,
    also: Option<&str>,
) -> Result<Vec<Standing>, StoreError> {
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT id, state, driver = 'server',
           (SELECT COUNT(*) FROM events WHERE turn = number),
           (SELECT json FROM events WHERE turn = number ORDER BY seq DESC LIMIT 1),
           EXISTS (SELECT 1 FROM items WHERE turn = turns.number AND decision IS NULL)
         FROM turns WHERE session = ?1
           AND (is_over = 0 OR id = ?2
             OR number = (SELECT MAX(number) FROM turns WHERE session = ?1))
         ORDER BY number",
    )
    .bind(session)
    .bind(also)
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(standing).collect()
}

fn standing(
    (id, state, is_served, events, last, has_open_item): Row,
) -> Result<Standing, StoreError> {
    let turn: Turn = serde_json::from_str(&state)?;
    Ok(Standing {
        id,
        is_undecided: has_open_item && turn.pending_item().is_some(),
        turn,
        is_served,
        events: usize::try_from(events).unwrap_or(0),
        last: last.as_deref().map(decode).transpose()?,
    })
}
