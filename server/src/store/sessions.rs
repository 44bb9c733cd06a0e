//! Sessions and their messages.

use super::{Store, StoreError};
use crate::engine::SessionKey;
use jiff::Timestamp;
use sqlx::{Sqlite, SqliteConnection, Transaction};
use turnwire::loopengine::HistoryMessage;

/// A message and when it was added.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    /// The message.
    pub message: HistoryMessage,
    /// When, in milliseconds since 1970; 0 where that was not noted.
    pub added_ms: i64,
}

impl Store {
    /// A session's messages, oldest first, and how many of them its prompts leave out; nothing for
    /// a session that does not exist.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails.
    pub(crate) async fn session(
        &self,
        key: &SessionKey,
    ) -> Result<(Vec<HistoryMessage>, usize), StoreError> {
        let mut connection = self.read.acquire().await?;
        let Some((number, left_out)) = find(&mut connection, key).await? else {
            return Ok((Vec::new(), 0));
        };
        Ok((messages(&mut connection, number).await?, left_out))
    }
}

/// The number of a session and how many messages its prompts leave out.
pub(super) async fn find(
    connection: &mut SqliteConnection,
    key: &SessionKey,
) -> Result<Option<(i64, usize)>, StoreError> {
    let row: Option<(i64, i64)> = sqlx::query_as(
        "SELECT number, left_out FROM sessions
         WHERE tenant = ? AND environment = ? AND agent = ? AND id = ?",
    )
    .bind(&key.scope.tenant)
    .bind(&key.scope.environment)
    .bind(&key.scope.agent)
    .bind(&key.id)
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|(number, left_out)| (number, usize::try_from(left_out).unwrap_or(0))))
}

/// A session's messages, oldest first.
pub(super) async fn messages(
    connection: &mut SqliteConnection,
    session: i64,
) -> Result<Vec<HistoryMessage>, StoreError> {
    let rows: Vec<String> =
        sqlx::query_scalar("SELECT json FROM messages WHERE session = ? ORDER BY seq")
            .bind(session)
            .fetch_all(connection)
            .await?;
    rows.iter().map(|text| Ok(HistoryMessage::from_json(serde_json::from_str(text)?)?)).collect()
}

/// A session's messages, oldest first, each with its time.
pub(super) async fn said(
    connection: &mut SqliteConnection,
    session: i64,
) -> Result<Vec<Said>, StoreError> {
    let rows: Vec<(String, i64)> =
        sqlx::query_as("SELECT json, added_ms FROM messages WHERE session = ? ORDER BY seq")
            .bind(session)
            .fetch_all(connection)
            .await?;
    let said = |(text, added_ms): (String, i64)| {
        let message = HistoryMessage::from_json(serde_json::from_str(&text)?)?;
        Ok(Said { message, added_ms })
    };
    rows.into_iter().map(said).collect()
}

/// The number of a session, which is created where it does not exist.
pub(super) async fn number(
    transaction: &mut Transaction<'_, Sqlite>,
    key: &SessionKey,
) -> Result<i64, StoreError> {
    // The update changes nothing: it makes the row that is already there come back.
    let number = sqlx::query_scalar(
        "INSERT INTO sessions (tenant, environment, agent, id) VALUES (?, ?, ?, ?)
         ON CONFLICT (tenant, environment, agent, id) DO UPDATE SET id = excluded.id
         RETURNING number",
    )
    .bind(&key.scope.tenant)
    .bind(&key.scope.environment)
    .bind(&key.scope.agent)
    .bind(&key.id)
    .fetch_one(&mut **transaction)
    .await?;
    Ok(number)
}

/// Adds messages at the end of a session and keeps what its prompts leave out.
pub(super) async fn append(
    transaction: &mut Transaction<'_, Sqlite>,
    session: i64,
    messages: &[HistoryMessage],
    left_out: usize,
) -> Result<(), StoreError> {
    let now = Timestamp::now().as_millisecond();
    for message in messages {
        sqlx::query(
            "INSERT INTO messages (session, seq, json, added_ms)
             SELECT ?1, COALESCE(MAX(seq) + 1, 0), ?2, ?3 FROM messages WHERE session = ?1",
        )
        .bind(session)
        .bind(serde_json::to_string(message)?)
        .bind(now)
        .execute(&mut **transaction)
        .await?;
    }
    sqlx::query("UPDATE sessions SET left_out = ?1 WHERE number = ?2 AND left_out < ?1")
        .bind(i64::try_from(left_out).unwrap_or(i64::MAX))
        .bind(session)
        .execute(&mut **transaction)
        .await?;
    Ok(())
}
