//! What keeps a workspace from being served.

use std::path::PathBuf;

use rift_index::IndexError;
use rift_workspace::{CatalogError, ConfigError, RootError};

/// Why the host cannot serve the workspace.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The root cannot be used.
    #[error(transparent)]
    Root(#[from] RootError),
    /// `rift.toml` is refused.
    #[error(transparent)]
    Configuration(#[from] ConfigError),
    /// The tree cannot be cataloged, or is past a bound.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// The search index failed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The folder of the index cannot be made.
    #[error("index folder unusable: path {}, cause {source}; free space or name another folder with RIFT_CACHE_DIR", path.display())]
    Cache {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// A thread of the preparation panicked.
    #[error("preparation stopped: an internal error; report it with the log")]
    Internal,
}
