//! A captured selection, as tools read it.

use std::sync::Arc;

use query_graph::{
    ChainNode, DeclPosition, DirectoryManifest, DirectorySummary, Document, FileEntry, FileFacts, FileSymbols, Problem,
    RootDatabase, documentation, file_facts, file_positions, file_symbols, parse_tree,
};
use rift_base::{Config, Deadline, ProjectPath};
use rift_index::Searcher;

use crate::clock::rfc3339;
use crate::host::Shared;
use crate::publication::{Preparation, Publication};
use crate::stale::Stale;

/// One immutable selection of the workspace. It holds no database handle, so it never delays a writer.
#[derive(Clone)]
pub struct View {
    pub(crate) publication: Arc<Publication>,
    pub(crate) stale: Option<Arc<Stale>>,
    pub(crate) shared: Arc<Shared>,
    pub(crate) deadline: Deadline,
}

/// Why a requested view is not served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewError {
    /// It belongs to another workspace.
    Context,
    /// Its time is over, or it was never named.
    Expired,
}

impl View {
    /// The same selection, read for a request that ends with `deadline`. A fact that is asked for when the request was taken
    /// back or its time is over unwinds with a [`rift_base::Interrupt`], which whoever serves requests catches.
    pub fn within(mut self, deadline: &Deadline) -> Self {
        self.deadline = deadline.clone();
        self
    }

    /// Takes a lease for `work`.
    pub(crate) fn lease<T>(&self, work: impl Fn(&RootDatabase) -> T) -> T {
        match self.shared.gate.read_within(&self.deadline, work) {
            Ok(value) => value,
            // Not a panic: no hook is called. An absent fact would be taken for a fact that is not there.
            Err(interrupt) => std::panic::resume_unwind(Box::new(interrupt)),
        }
    }

    /// The view's identity, 64 hexadecimal digits.
    pub fn id(&self) -> &str {
        &self.publication.view_id
    }

    /// Keeps it readable by its identity from now on ([`crate::Host::view`]). Answers until when, as an RFC 3339 time: the
    /// view is not let go before, and is refused from then on.
    pub fn keep(&self) -> String {
        rfc3339(self.shared.views.keep(&self.publication))
    }

    /// What was remembered under `key` for later pages; absent when it was forgotten, or is of another type.
    pub fn memo<T: Send + Sync + 'static>(&self, key: &str) -> Option<Arc<T>> {
        self.publication.resolved.answer(key)?.downcast().ok()
    }

    /// Remembers `answer` under `key` while the view is kept. A bounded number is remembered, the latest.
    pub fn memoize<T: Send + Sync + 'static>(&self, key: String, answer: Arc<T>) {
        self.publication.resolved.keep_answer(key, answer);
    }

    /// What it is behind the tree by; absent when it was the tree when it was captured, and for a view that was named.
    pub fn stale(&self) -> Option<&Stale> {
        self.stale.as_deref()
    }

    /// The configuration it was captured with.
    pub fn config(&self) -> &Config {
        &self.publication.config
    }

    /// The published state behind it.
    pub fn publication(&self) -> &Publication {
        &self.publication
    }

    /// The tree.
    pub fn tree(&self) -> &DirectoryManifest {
        &self.publication.tree
    }

    /// The tree's sums.
    pub fn summary(&self) -> &DirectorySummary {
        &self.publication.summary
    }

    /// The index over the tree.
    pub fn searcher(&self) -> &Searcher {
        &self.publication.searcher
    }

    /// How far preparation has got; absent when the selection is complete.
    pub fn preparation(&self) -> Option<Preparation> {
        self.publication.preparation
    }

    /// The file at `path`.
    pub fn entry(&self, path: &ProjectPath) -> Option<&FileEntry> {
        self.publication.tree.file(path)
    }

    /// The decoded text of `entry`; absent when it has none.
    pub fn text(&self, entry: &FileEntry) -> Option<Arc<str>> {
        self.shared.texts.get(entry)
    }

    /// The facts of `entry`; absent when it has no text.
    pub fn facts(&self, entry: &FileEntry) -> Option<Arc<FileFacts>> {
        self.lease(|db| Some(file_facts(db, entry.revision(db)?)))
    }

    /// The positions of `entry`'s declarations; absent when it has no text.
    pub fn positions(&self, entry: &FileEntry) -> Option<Arc<Vec<DeclPosition>>> {
        self.lease(|db| Some(file_positions(db, entry.revision(db)?)))
    }

    /// The blocks of `entry`, a document; absent when it has no text.
    pub fn document(&self, entry: &FileEntry) -> Option<Arc<Document>> {
        self.lease(|db| Some(documentation(db, entry.revision(db)?)))
    }

    /// The symbols of `entry`; absent when it has no text.
    pub fn symbols(&self, entry: &FileEntry) -> Option<Arc<FileSymbols>> {
        self.lease(|db| Some(file_symbols(db, entry.placed(db)?)))
    }

    /// The named syntax nodes that cover byte `offset` of `entry`, outermost first; absent when no provider parses it.
    pub fn nodes(&self, entry: &FileEntry, offset: usize) -> Option<Result<Vec<ChainNode>, Problem>> {
        let parsed_as = entry.place.as_ref()?.parsed_as.clone()?;
        let key = (entry.digest()?, parsed_as);
        if let Some(tree) = self.shared.trees.get(&key) {
            return Some(Ok(tree.chain(offset)));
        }
        let parsed = self.lease(|db| parse_tree(db, entry.revision(db)?))?;
        let tree = match parsed {
            Ok(tree) => Arc::new(tree),
            Err(problem) => return Some(Err(problem)),
        };
        let nodes = tree.chain(offset);
        self.shared.trees.keep(key, tree, self.text(entry).map_or(0, |text| text.len()));
        Some(Ok(nodes))
    }
}
