//! Items that a person decides: approvals and questions.

use super::{Store, StoreError};
use crate::engine::Scope;
use serde::{Deserialize, Serialize};
use sqlx::{Sqlite, SqliteConnection, Transaction};
use turnwire::loopengine::{LoopEvent, decode};

/// What kind of decision an item asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemKind {
    /// Whether a call may run.
    Approval,
    /// An answer in words.
    Question,
}

/// What a person decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Decision {
    /// The call may run.
    Approve,
    /// It must not.
    Deny,
    /// The answer to a question.
    Answer(String),
}

impl ItemKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Approval => "approval",
            Self::Question => "question",
        }
    }
}

impl Decision {
    /// The kind of item that it decides.
    #[must_use]
    pub(crate) fn kind(&self) -> ItemKind {
        match self {
            Self::Approve | Self::Deny => ItemKind::Approval,
            Self::Answer(_) => ItemKind::Question,
        }
    }
}

/// What became of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Settled {
    /// A person decided.
    Decided(Decision),
    /// Nobody decided in time.
    Expired,
}

/// What a decision meets.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Met {
    /// The item was pending: the decision is taken, and this turn goes on with it.
    Pending(String),
    /// The same decision stands already; of this turn.
    Same(String),
    /// Another decision stands.
    Other(Decision),
    /// Nobody decided in time.
    Expired,
    /// The turn is over without a decision.
    Over,
    /// There is no such item.
    Nothing,
}

/// How "expired" is stored in the place of a decision.
const EXPIRED: &str = "\"expired\"";

impl Settled {
    fn read(text: &str) -> Result<Self, StoreError> {
        match text {
            EXPIRED => Ok(Self::Expired),
            text => Ok(Self::Decided(serde_json::from_str(text)?)),
        }
    }
}

impl Store {
    /// Takes a decision, if the item is pending; exactly one of any number of deciders wins.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails.
    pub(crate) async fn decide(&self, id: &str, decision: &Decision) -> Result<Met, StoreError> {
        let kind = decision.kind().as_str();
        let turn: Option<String> = sqlx::query_scalar(
            "UPDATE items SET decision = ?
             WHERE id = ? AND kind = ? AND decision IS NULL
               AND EXISTS (SELECT 1 FROM turns WHERE number = turn AND is_over = 0)
             RETURNING (SELECT id FROM turns WHERE number = turn)",
        )
        .bind(serde_json::to_string(decision)?)
        .bind(id)
        .bind(kind)
        .fetch_optional(&self.write)
        .await?;
        match turn {
            Some(turn) => Ok(Met::Pending(turn)),
            None => self.met(id, kind, decision).await,
        }
    }

    /// What stands in the way of a decision; what is settled once stays so.
    async fn met(&self, id: &str, kind: &str, decision: &Decision) -> Result<Met, StoreError> {
        let row: Option<(Option<String>, String)> = sqlx::query_as(
            "SELECT items.decision, turns.id FROM items
             JOIN turns ON turns.number = items.turn WHERE items.id = ? AND kind = ?",
        )
        .bind(id)
        .bind(kind)
        .fetch_optional(&self.read)
        .await?;
        let Some((settled, turn)) = row else { return Ok(Met::Nothing) };
        Ok(match settled.as_deref().map(Settled::read).transpose()? {
            None => Met::Over,
            Some(Settled::Expired) => Met::Expired,
            Some(Settled::Decided(standing)) if standing == *decision => Met::Same(turn),
            Some(Settled::Decided(standing)) => Met::Other(standing),
        })
    }

    /// Settles an item that nobody decided in time, unless somebody just did.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails.
    pub(crate) async fn expire(&self, id: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE items SET decision = ? WHERE id = ? AND decision IS NULL")
            .bind(EXPIRED)
            .bind(id)
            .execute(&self.write)
            .await?;
        Ok(())
    }

    /// What became of an item; none while it is pending.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails or holds what cannot be read.
    pub(crate) async fn settled(&self, id: &str) -> Result<Option<Settled>, StoreError> {
        let text: Option<Option<String>> =
            sqlx::query_scalar("SELECT decision FROM items WHERE id = ?")
                .bind(id)
                .fetch_optional(&self.read)
                .await?;
        text.flatten().as_deref().map(Settled::read).transpose()
    }

    /// The pending items of an agent, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails or holds what cannot be read.
    pub(crate) async fn pending(
        &self,
        kind: ItemKind,
        scope: &Scope,
    ) -> Result<Vec<LoopEvent>, StoreError> {
        let mut connection = self.read.acquire().await?;
        pending(&mut connection, kind, scope, None).await
    }
}

/// The pending items of an agent, or of one of its sessions, oldest first.
pub(super) async fn pending(
    connection: &mut SqliteConnection,
    kind: ItemKind,
    scope: &Scope,
    session: Option<&str>,
) -> Result<Vec<LoopEvent>, StoreError> {
    let rows: Vec<String> = sqlx::query_scalar(
        "SELECT items.event FROM items
         JOIN turns ON turns.number = items.turn
         JOIN sessions ON sessions.number = turns.session
         WHERE items.decision IS NULL AND items.kind = ?1 AND turns.is_over = 0
           AND sessions.tenant = ?2 AND sessions.environment = ?3 AND sessions.agent = ?4
           AND (?5 IS NULL OR sessions.id = ?5)
         ORDER BY items.number",
    )
    .bind(kind.as_str())
    .bind(&scope.tenant)
    .bind(&scope.environment)
    .bind(&scope.agent)
    .bind(session)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|text| Ok(decode(text)?)).collect()
}

/// Keeps a pending item with the event that raises it.
pub(super) async fn add(
    transaction: &mut Transaction<'_, Sqlite>,
    turn: i64,
    event: &LoopEvent,
) -> Result<(), StoreError> {
    let (id, kind) = match event {
        LoopEvent::ApprovalPending(item) => (&item.id, ItemKind::Approval),
        LoopEvent::QuestionPending(item) => (&item.id, ItemKind::Question),
        _ => return Ok(()),
    };
    sqlx::query("INSERT INTO items (id, turn, kind, event) VALUES (?, ?, ?, ?)")
        .bind(id)
        .bind(turn)
        .bind(kind.as_str())
        .bind(serde_json::to_string(event)?)
        .execute(&mut **transaction)
        .await?;
    Ok(())
}
