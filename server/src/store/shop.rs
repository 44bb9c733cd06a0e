//! What the demo shop remembers: the refunds of each session.

use super::{Store, StoreError, sessions};
use crate::engine::SessionKey;

impl Store {
    /// Notes a refund; false where the order was refunded before.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails.
    pub(crate) async fn refund(
        &self,
        session: &SessionKey,
        order: &str,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.begin().await?;
        let number = sessions::number(&mut transaction, session).await?;
        let added = sqlx::query("INSERT OR IGNORE INTO refunds (session, order_id) VALUES (?, ?)")
            .bind(number)
            .bind(order)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(added.rows_affected() == 1)
    }

    /// Whether an order was refunded in this session.
    ///
    /// # Errors
    /// [`StoreError`] where the database fails.
    pub(crate) async fn is_refunded(
        &self,
        session: &SessionKey,
        order: &str,
    ) -> Result<bool, StoreError> {
        let found: Option<i64> = sqlx::query_scalar(
            "SELECT 1 FROM refunds JOIN sessions ON sessions.number = refunds.session
             WHERE order_id = ? AND tenant = ? AND environment = ? AND agent = ? AND id = ?",
        )
        .bind(order)
        .bind(&session.scope.tenant)
        .bind(&session.scope.environment)
        .bind(&session.scope.agent)
        .bind(&session.id)
        .fetch_optional(&self.read)
        .await?;
        Ok(found.is_some())
    }
}
