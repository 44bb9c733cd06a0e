//! The session snapshots of AgentsKit's protocol.

use super::{Store, StoreError, sessions};
use crate::engine::{Scope, SessionKey};

impl Store {
    /// A session's snapshot; none for a session that has none.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails.
    pub(crate) async fn agentskit_session(
        &self,
        key: &SessionKey,
    ) -> Result<Option<String>, StoreError> {
        let snapshot = sqlx::query_scalar(
            "SELECT snapshot FROM agentskit_sessions JOIN sessions ON number = session
             WHERE tenant = ? AND environment = ? AND agent = ? AND id = ?",
        )
        .bind(&key.scope.tenant)
        .bind(&key.scope.environment)
        .bind(&key.scope.agent)
        .bind(&key.id)
        .fetch_optional(&self.read)
        .await?;
        Ok(snapshot)
    }

    /// Saves a snapshot in the place of the one with the cursor `expected`, or as the first one;
    /// false where another one stands there.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails; nothing is saved then.
    pub(crate) async fn save_agentskit_session(
        &self,
        key: &SessionKey,
        snapshot: &str,
        cursor: u64,
        expected: Option<u64>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.begin().await?;
        let number = sessions::number(&mut transaction, key).await?;
        let statement = match expected {
            None => {
                "INSERT OR IGNORE INTO agentskit_sessions (snapshot, cursor, session)
                 VALUES (?, ?, ?)"
            }
            Some(_) => {
                "UPDATE agentskit_sessions SET snapshot = ?, cursor = ?
                 WHERE session = ? AND cursor = ?"
            }
        };
        let mut saving = sqlx::query(statement).bind(snapshot).bind(stored(cursor)).bind(number);
        if let Some(expected) = expected {
            saving = saving.bind(stored(expected));
        }
        let saved = saving.execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(saved.rows_affected() == 1)
    }

    /// The sessions whose snapshots say that a turn is active, each with its snapshot.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails.
    pub(crate) async fn active_agentskit_sessions(
        &self,
    ) -> Result<Vec<(SessionKey, String)>, StoreError> {
        let rows: Vec<(String, String, String, String, String)> = sqlx::query_as(
            "SELECT tenant, environment, agent, id, snapshot
             FROM agentskit_sessions JOIN sessions ON number = session
             WHERE json_extract(snapshot, '$.activeTurn') IS NOT NULL",
        )
        .fetch_all(&self.read)
        .await?;
        let active = |(tenant, environment, agent, id, snapshot)| {
            (SessionKey { scope: Scope { tenant, environment, agent }, id }, snapshot)
        };
        Ok(rows.into_iter().map(active).collect())
    }
}

/// Cursors are integers that JavaScript holds exactly, far below the database's limit.
fn stored(cursor: u64) -> i64 {
    i64::try_from(cursor).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::DataPlace;

    #[tokio::test]
    async fn of_two_who_save_over_the_same_snapshot_one_does() {
        let store = Store::open(&DataPlace::Memory).await.unwrap();
        let scope = Scope { tenant: "t".into(), environment: "e".into(), agent: "a".into() };
        let key = SessionKey { scope, id: "s".into() };
        let save = |text: &'static str, cursor, expected| {
            let (store, key) = (store.clone(), key.clone());
            async move { store.save_agentskit_session(&key, text, cursor, expected).await.unwrap() }
        };
        assert_eq!(store.agentskit_session(&key).await.unwrap(), None);
        assert!(!save("{}", 2, Some(1)).await, "nothing stands there yet");
        assert!(save("{\"first\":1}", 1, None).await);
        assert!(!save("{}", 1, None).await, "somebody was first");
        assert!(save("{\"activeTurn\":{}}", 2, Some(1)).await);
        assert!(!save("{}", 2, Some(1)).await, "somebody was faster");
        let stored = store.agentskit_session(&key).await.unwrap();
        assert_eq!(stored.as_deref(), Some("{\"activeTurn\":{}}"));
        let active = store.active_agentskit_sessions().await.unwrap();
        assert_eq!(active, [(key, "{\"activeTurn\":{}}".to_owned())]);
    }
}
