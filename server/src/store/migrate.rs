//! Tables by version; SQLite's `user_version` tells which one a file has.

use super::StoreError;
use sqlx::SqlitePool;

/// Each version's step from the one before it.
const STEPS: &[&str] = &[include_str!("schema-1.sql"), include_str!("schema-2.sql")];

pub(super) async fn up(pool: &SqlitePool) -> Result<(), StoreError> {
    let found: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(pool).await?;
    let known = STEPS.len() as i64;
    if found > known {
        return Err(StoreError::TooNew { found, known });
    }
    let done = usize::try_from(found).unwrap_or(0);
    for (index, step) in STEPS.iter().enumerate().skip(done) {
        let mut transaction = pool.begin_with("BEGIN IMMEDIATE").await?;
        sqlx::raw_sql(*step).execute(&mut *transaction).await?;
        // A pragma takes no parameters; the number is ours.
        let stamp = sqlx::AssertSqlSafe(format!("PRAGMA user_version = {}", index + 1));
        sqlx::raw_sql(stamp).execute(&mut *transaction).await?;
        transaction.commit().await?;
    }
    Ok(())
}
