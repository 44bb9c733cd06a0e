//! Why the store failed.

use std::io;

/// Why the store failed; for the log, never for a client.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder cannot be used.
    #[error("the data folder cannot be used: {0}")]
    Folder(#[source] io::Error),
    /// SQLite failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    /// A newer version of this program wrote the file.
    #[error("the database has version {found}, and this program knows versions up to {known}")]
    TooNew {
        /// The file's version.
        found: i64,
        /// The latest version known here.
        known: i64,
    },
    /// Something stored cannot be read back.
    #[error("stored data cannot be read: {0}")]
    Corrupt(String),
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Corrupt(error.to_string())
    }
}

impl From<turnwire::Error> for StoreError {
    fn from(error: turnwire::Error) -> Self {
        Self::Corrupt(error.to_string())
    }
}
