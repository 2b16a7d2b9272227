//! What keeps a workspace from being served.

use std::path::PathBuf;

use rift_index::IndexError;
use rift_workspace::{CatalogError, ConfigError, LanguagePatternError, PatternError, RootError};

/// Why the host cannot serve the workspace.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The root cannot be used.
    #[error(transparent)]
    Root(#[from] RootError),
    /// `rift.toml` is refused.
    #[error(transparent)]
    Configuration(#[from] ConfigError),
    /// `rift.toml` names a language pattern that does not hold.
    #[error(transparent)]
    LanguagePattern(#[from] LanguagePatternError),
    /// `rift.toml` names a path pattern that does not hold.
    #[error(transparent)]
    Pattern(#[from] PatternError),
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

/// What a caller can do about a [`HostError`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostErrorClass {
    /// Mend `rift.toml`.
    Configuration,
    /// Raise a bound, or leave files out.
    Limit {
        /// The configuration key.
        key: &'static str,
        /// Its value.
        limit: u64,
        /// What the workspace needs.
        required: u64,
    },
    /// Mend the machine's state: permissions, space, paths.
    Environment,
    /// Try again; the stored index failed.
    Index,
    /// Report a defect.
    Internal,
}

impl HostError {
    /// What a caller can do about it.
    pub fn class(&self) -> HostErrorClass {
        match self {
            HostError::Configuration(_) | HostError::LanguagePattern(_) | HostError::Pattern(_) => {
                HostErrorClass::Configuration
            }
            HostError::Catalog(CatalogError::LimitExceeded { key, limit, required }) => {
                HostErrorClass::Limit { key, limit: *limit, required: *required }
            }
            HostError::Catalog(CatalogError::Language(_) | CatalogError::Pattern(_)) => HostErrorClass::Configuration,
            HostError::Catalog(CatalogError::Root { .. }) | HostError::Root(_) | HostError::Cache { .. } => {
                HostErrorClass::Environment
            }
            HostError::Index(_) => HostErrorClass::Index,
            HostError::Internal => HostErrorClass::Internal,
        }
    }
}
