//! What outlives the process: the search index, the trigram index, the facts and the vectors, in the folder that [`StoreFolder`] finds.
//!
//! Nothing here is needed for an answer. What is damaged, foreign or out of reach is set aside and made anew; each row says
//! which version of its file it was made of ([`crate::units::version`]), so a start takes over what is current and no more.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use query_graph::{Bounds, DirectoryManifest, EXTRACTOR, FactKey, FactStore};
use rift_index::{Index, IndexError, IndexOptions, TrigramStore};
use rustc_hash::FxHashSet;

use crate::cache::CacheFolder;
use crate::error::HostError;
use crate::folder::{StoreFolder, set_aside};
use crate::record_log::RecordLog;

/// The stores of one workspace.
pub(crate) struct Stores {
    folder: StoreFolder,
    facts: Arc<KeptFacts>,
    root: PathBuf,
    /// Where a folder is made when `.rift` is out of reach.
    base: PathBuf,
}

impl Stores {
    /// Claims the folder. Nothing is opened yet: that reads files.
    pub(crate) fn claim(root: &Path, base: PathBuf) -> Result<Self, HostError> {
        let folder = StoreFolder::open(root, &base)?;
        Ok(Self { folder, facts: Arc::default(), root: root.to_owned(), base })
    }

    /// Where the trigram index lies.
    pub(crate) fn trigram_folder(&self) -> PathBuf {
        self.folder.path().join("trigrams")
    }

    /// Where vectors lie; absent where nothing is kept.
    pub(crate) fn vector_folder(&self) -> Option<PathBuf> {
        self.folder.is_kept().then(|| self.folder.path().join("vectors"))
    }

    /// The facts; they keep nothing until [`Stores::open`].
    pub(crate) fn facts(&self) -> Arc<KeptFacts> {
        self.facts.clone()
    }

    /// Opens the facts, and the index with the rows that it had.
    pub(crate) fn open(&mut self, options: IndexOptions) -> Result<Index, HostError> {
        if self.folder.is_kept() && self.facts.0.get().is_none() {
            match RecordLog::open(&self.folder.path().join("facts"), EXTRACTOR) {
                Ok(log) => drop(self.facts.0.set(log)),
                Err(error) => tracing::warn!("facts are not stored: {error}"),
            }
        }
        match open_index(&self.folder.path().join("index"), options) {
            Ok(index) => Ok(index),
            Err(error) if self.folder.is_kept() => {
                tracing::warn!("the stored search index cannot be used, and a passing one is made: {error}");
                self.folder = StoreFolder::Passing(CacheFolder::create(&self.base, &self.root)?);
                open_index(&self.folder.path().join("index"), options)
            }
            Err(error) => Err(error),
        }
    }
}

/// The index in `folder`, or a new one there.
fn open_index(folder: &Path, options: IndexOptions) -> Result<Index, HostError> {
    // The engine checks what it reads; should it stumble over some bytes all the same, they are damage like other damage.
    let opened = catch_unwind(AssertUnwindSafe(|| Index::open(folder, options)));
    match opened {
        Ok(Ok(index)) => return Ok(index),
        Ok(Err(IndexError::Absent(_))) => crate::folder::remove(folder),
        Ok(Err(IndexError::Busy)) => return Err(IndexError::Busy.into()),
        Ok(Err(error)) => set_aside(folder, &error),
        Err(_) => set_aside(folder, &"opening it panicked"),
    }
    .and_then(|()| std::fs::create_dir_all(folder))
    .map_err(|source| HostError::Cache { path: folder.to_owned(), source })?;
    Ok(Index::create(folder, options)?)
}

/// The trigram index in `folder`, or a new one there. What the folder lies in is not made: when the root went, it stays gone.
pub(crate) fn open_trigrams(folder: &Path) -> Result<TrigramStore, HostError> {
    let made = |source| HostError::Cache { path: folder.to_owned(), source };
    let make = || match std::fs::create_dir(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    };
    make().map_err(made)?;
    match TrigramStore::open(folder) {
        Err(error @ (IndexError::Foreign(_) | IndexError::Corrupt { .. })) => {
            set_aside(folder, &error).and_then(|()| make()).map_err(made)?;
            Ok(TrigramStore::open(folder)?)
        }
        opened => Ok(opened?),
    }
}

/// The fact store that the database asks: empty until it is opened, and for good where nothing is kept.
#[derive(Default)]
pub(crate) struct KeptFacts(OnceLock<RecordLog>);

impl FactStore for KeptFacts {
    fn get(&self, key: &FactKey) -> Option<Vec<u8>> {
        self.0.get()?.get(&key.0)
    }

    fn put(&self, key: &FactKey, bytes: Vec<u8>) {
        if let Some(log) = self.0.get() {
            log.put(&key.0, &bytes);
        }
    }
}

impl KeptFacts {
    /// Writes what waits; with `durable`, to the disk itself.
    pub(crate) fn flush(&self, durable: bool) {
        if let Some(log) = self.0.get() {
            log.flush(durable);
        }
    }

    /// Drops facts of contents that are not in `tree` once they are too many.
    pub(crate) fn prune(&self, tree: &DirectoryManifest) {
        let Some(log) = self.0.get().filter(|log| log.is_prune_due()) else { return };
        let mut live = FxHashSet::default();
        tree.walk(&mut |entry| {
            if let (Some(source), Some(language)) = (entry.source(), &entry.language) {
                live.insert(FactKey::new(&source.digest, language, &Bounds::default()).0);
            }
        });
        if let Err(error) = log.prune(&live) {
            tracing::warn!("old facts could not be dropped: {error}");
        }
    }

    /// What is stored; absent where nothing is kept.
    pub(crate) fn kept(&self) -> Option<Kept> {
        self.0.get().map(|log| Kept { records: log.len() as u64, bytes: log.bytes() })
    }
}

/// Facts that are stored for the next start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// Contents with facts.
    pub records: u64,
    /// Bytes on disk.
    pub bytes: u64,
}
