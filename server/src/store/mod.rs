//! What outlives a restart: sessions, turns, their events and the items that people decide, in
//! SQLite.

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Sqlite, SqlitePool, Transaction};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use error::StoreError;
pub(crate) use items::{Decision, ItemKind, Met, Settled};
pub(crate) use keys::Key;
pub(crate) use moment::{Moment, Standing};
pub(crate) use sessions::Said;
pub(crate) use turns::{Driver, Stored, TurnRow, Unfinished};

mod agentskit;
mod error;
mod items;
mod keys;
mod migrate;
mod moment;
mod sessions;
mod shop;
mod turns;

/// How long a write waits for another process's write.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

const READERS: u32 = 4;

/// Where the data is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataPlace {
    /// In memory, until the store is dropped.
    Memory,
    /// In a folder, which is created where it does not exist.
    Folder(PathBuf),
}

/// The store; clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    /// One connection, so that writes wait for each other here and never fail as busy.
    write: SqlitePool,
    read: SqlitePool,
}

impl Store {
    /// Opens the store and brings its tables up to date.
    ///
    /// # Errors
    /// [`StoreError`] where the folder or the file cannot be used, or a newer version wrote it.
    pub(crate) async fn open(place: &DataPlace) -> Result<Self, StoreError> {
        let store = match place {
            DataPlace::Memory => Self::in_memory().await?,
            DataPlace::Folder(folder) => Self::in_folder(folder).await?,
        };
        migrate::up(&store.write).await?;
        Ok(store)
    }

    async fn in_memory() -> Result<Self, StoreError> {
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_with(SqliteConnectOptions::new().in_memory(true).foreign_keys(true))
            .await?;
        Ok(Self { write: pool.clone(), read: pool })
    }

    async fn in_folder(folder: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(folder).map_err(StoreError::Folder)?;
        // FULL: what was told to anyone, such as that a decision was taken, survives a power cut
        // too. NORMAL would keep it through a crash of the server only.
        let options = SqliteConnectOptions::new()
            .filename(folder.join("turnwire.sqlite"))
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT);
        let pool = |connections| SqlitePoolOptions::new().max_connections(connections);
        let write = pool(1).connect_with(options.clone()).await?;
        let read = pool(READERS).connect_with(options).await?;
        Ok(Self { write, read })
    }

    /// Closes the files; what was committed stays.
    pub(crate) async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }

    /// Takes the write lock at once, so that a transaction cannot fail half-way as busy.
    async fn begin(&self) -> Result<Transaction<'static, Sqlite>, StoreError> {
        Ok(self.write.begin_with("BEGIN IMMEDIATE").await?)
    }
}
