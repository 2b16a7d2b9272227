//! An accepted `rift.toml` with what is compiled from it.

use std::path::Path;
use std::sync::Arc;

use rift_base::{Config, Digest};
use rift_workspace::{IndexRules, LanguageMap, load_config};

use crate::error::HostError;

/// A configuration that holds.
pub(crate) struct Accepted {
    pub(crate) config: Arc<Config>,
    /// SHA-256 of the file's bytes.
    pub(crate) digest: Digest,
    pub(crate) languages: Arc<LanguageMap>,
    pub(crate) rules: Arc<IndexRules>,
}

impl Accepted {
    /// The configuration of the workspace at `root`.
    pub(crate) fn load(root: &Path) -> Result<Self, HostError> {
        let loaded = load_config(root)?;
        Self::compile(loaded.config, loaded.digest)
    }

    /// That of a workspace without `rift.toml`, under a digest that no file has.
    pub(crate) fn none() -> Result<Self, HostError> {
        Self::compile(Config::default(), Digest::of(b"no configuration is accepted yet"))
    }

    fn compile(config: Config, digest: Digest) -> Result<Self, HostError> {
        Ok(Self {
            languages: Arc::new(LanguageMap::new(&config)?),
            rules: Arc::new(IndexRules::new(&config)?),
            config: Arc::new(config),
            digest,
        })
    }
}
