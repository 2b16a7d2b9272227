//! What can go wrong with an index.

use std::path::PathBuf;

use tantivy::TantivyError;

/// Why an index could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The directory holds no index.
    #[error("no index in {}", .0.display())]
    Absent(PathBuf),
    /// The directory holds an index already, of whatever kind.
    #[error("{} holds an index already", .0.display())]
    Exists(PathBuf),
    /// The directory holds an index of another program or of another version's layout.
    #[error("the index in {} has another layout; build it anew", .0.display())]
    Foreign(PathBuf),
    /// Files of the index are damaged.
    #[error("the index in {} is damaged ({detail}); build it anew", .path.display())]
    Corrupt {
        /// The index's directory.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// Another process or another [`Index`](crate::Index) writes to the directory.
    #[error("the index is being written by another process")]
    Busy,
    /// A commit was dropped before it had run.
    #[error("a commit of the index was given up before it had run")]
    Abandoned,
    /// The index engine failed, most often for lack of disk space.
    #[error("the index engine failed: {0}")]
    Engine(TantivyError),
}

impl From<TantivyError> for IndexError {
    fn from(error: TantivyError) -> Self {
        match error {
            TantivyError::LockFailure(..) => Self::Busy,
            other => Self::Engine(other),
        }
    }
}

impl From<std::io::Error> for IndexError {
    fn from(error: std::io::Error) -> Self {
        Self::Engine(error.into())
    }
}
