//! The names that clients give their messages.

use super::{Store, StoreError};
use crate::engine::Scope;
use sqlx::{Sqlite, Transaction};

/// A message's name and what was asked for under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    /// The name, unique for its agent.
    pub name: String,
    /// What tells one request from another.
    pub request: String,
}

impl Store {
    /// What was asked for under a name, and the id of its turn.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails.
    pub(crate) async fn keyed(
        &self,
        scope: &Scope,
        name: &str,
    ) -> Result<Option<(String, String)>, StoreError> {
        let found = sqlx::query_as(
            "SELECT request, turns.id FROM keys JOIN turns ON turns.number = keys.turn
             WHERE tenant = ? AND environment = ? AND agent = ? AND key = ?",
        )
        .bind(&scope.tenant)
        .bind(&scope.environment)
        .bind(&scope.agent)
        .bind(name)
        .fetch_optional(&self.read)
        .await?;
        Ok(found)
    }
}

/// Keeps a name with the turn that it started.
pub(super) async fn add(
    transaction: &mut Transaction<'_, Sqlite>,
    scope: &Scope,
    key: &Key,
    turn: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO keys (tenant, environment, agent, key, request, turn)
         VALUES (?, ?, ?, ?, ?, ?)",
    )
    .bind(&scope.tenant)
    .bind(&scope.environment)
    .bind(&scope.agent)
    .bind(&key.name)
    .bind(&key.request)
    .bind(turn)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}
