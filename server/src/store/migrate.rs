//! Tables by version; SQLite's `user_version` tells which one a file has.

use super::StoreError;
use sqlx::SqlitePool;

/// Each version's step from the one before it.
const STEPS: &[&str] = &[
    include_str!("schema-1.sql"),
    include_str!("schema-2.sql"),
    include_str!("schema-3.sql"),
    include_str!("schema-4.sql"),
];

/// Brings the tables up to date.
pub(super) async fn up(pool: &SqlitePool) -> Result<(), StoreError> {
    take(STEPS, pool).await
}

async fn take(steps: &[&'static str], pool: &SqlitePool) -> Result<(), StoreError> {
    let found: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(pool).await?;
    let known = steps.len() as i64;
    if found > known {
        return Err(StoreError::TooNew { found, known });
    }
    let done = usize::try_from(found).unwrap_or(0);
    for (index, step) in steps.iter().enumerate().skip(done) {
        let mut transaction = pool.begin_with("BEGIN IMMEDIATE").await?;
        sqlx::raw_sql(*step).execute(&mut *transaction).await?;
        // A pragma takes no parameters; the number is ours.
        let stamp = sqlx::AssertSqlSafe(format!("PRAGMA user_version = {}", index + 1));
        sqlx::raw_sql(stamp).execute(&mut *transaction).await?;
        transaction.commit().await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Scope, SessionKey};
    use crate::store::Store;

    /// A turn that is over and one that waits, as version 1 stored them.
    const DATA: &str = r#"
        INSERT INTO sessions (number, tenant, environment, agent, id)
        VALUES (1, 'default', 'production', 'customer-service', 's-1');
        INSERT INTO messages (session, seq, json) VALUES
          (1, 0, '{"role":"user","content":"hello"}'),
          (1, 1, '{"role":"assistant","content":"Hello!"}'),
          (1, 2, '{"role":"user","content":"refund A-1001"}');
        INSERT INTO turns (number, id, session, driver, is_over, state) VALUES
          (1, 't-1', 1, 'server', 1, '{"session":{"scope":{"tenant":"default",
            "environment":"production","agent":"customer-service"},"id":"s-1"},
            "limits":{"max_turns":6,"budget_tokens":8000},"message":"hello","step":{"at":"over"},
            "model_calls":1,"is_nudged":false,"left_out":0,"user_at":0,"usage":null,"batch":[]}'),
          (2, 't-2', 1, 'server', 0, '{"session":{"scope":{"tenant":"default",
            "environment":"production","agent":"customer-service"},"id":"s-1"},
            "limits":{"max_turns":6,"budget_tokens":8000},"message":"refund A-1001",
            "step":{"at":"approval","call":0,"id":"i-1","reason":"a rule"},"model_calls":1,
            "is_nudged":false,"left_out":0,"user_at":2,"usage":null,"batch":[{"call":
            {"id":"call_1","tool":"issue_refund","args":{}},"fate":{"is":"open"}}]}');
        INSERT INTO events (turn, seq, json) VALUES
          (1, 0, '{"type":"session","sessionId":"s-1"}'),
          (2, 0, '{"type":"session","sessionId":"s-1"}'),
          (2, 1, '{"type":"assistant:text","text":"Let me refund it."}');
    "#;

    fn session() -> SessionKey {
        let (tenant, environment) = ("default".into(), "production".into());
        let scope = Scope { tenant, environment, agent: "customer-service".into() };
        SessionKey { scope, id: "s-1".into() }
    }

    async fn version(pool: &SqlitePool) -> i64 {
        sqlx::query_scalar("PRAGMA user_version").fetch_one(pool).await.unwrap()
    }

    #[tokio::test]
    async fn data_of_every_older_version_tells_where_its_turns_stand() {
        for older in 1..STEPS.len() {
            let store = Store::in_memory().await.unwrap();
            take(&STEPS[..older], &store.write).await.unwrap();
            sqlx::raw_sql(DATA).execute(&store.write).await.unwrap();
            up(&store.write).await.unwrap();
            assert_eq!(version(&store.write).await, STEPS.len() as i64);

            let moment = store.history(&session()).await.unwrap();
            assert_eq!(moment.content.len(), 3, "{older}");
            let [standing] = &moment.turns[..] else { panic!("{older}: {moment:?}") };
            assert_eq!((standing.id.as_str(), standing.events), ("t-2", 2));
            assert_eq!(standing.turn.pending_item(), Some("i-1"));
            assert_eq!(standing.turn.message(), "refund A-1001");
            assert_eq!(standing.turn.user_at(), Some(2));
        }
    }

    #[tokio::test]
    async fn data_that_is_up_to_date_stays_as_it_is() {
        let store = Store::in_memory().await.unwrap();
        up(&store.write).await.unwrap();
        sqlx::raw_sql(DATA).execute(&store.write).await.unwrap();
        up(&store.write).await.unwrap();
        assert_eq!(store.history(&session()).await.unwrap().content.len(), 3);
    }
}
