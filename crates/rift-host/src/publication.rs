//! What the host has published: one complete state of the workspace.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use query_graph::{DirectoryManifest, DirectorySummary};
use rift_base::{Config, Digest, DigestBuilder};
use rift_index::Searcher;

use crate::forced::Forced;
use crate::patterns::PatternRows;
use crate::resolve::ResolvedSymbol;
use crate::vectors::Vectors;

/// How far preparation has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preparation {
    /// Visible files whose capture and analysis is finished.
    pub prepared: u64,
    /// Visible files in all, once discovery has ended.
    pub total: Option<u64>,
}

/// An immutable state of the workspace: tree, sums, index and configuration, captured together.
pub struct Publication {
    /// Counts up from 0 within a process.
    pub generation: u64,
    /// The configuration in force.
    pub config: Arc<Config>,
    /// SHA-256 of `rift.toml`'s bytes.
    pub config_digest: Digest,
    /// The tree.
    pub tree: Arc<DirectoryManifest>,
    /// The tree's sums.
    pub summary: Arc<DirectorySummary>,
    /// The index over the tree.
    pub searcher: Searcher,
    /// Which files may hold a match of a pattern.
    pub(crate) rows: PatternRows,
    /// Whether it ranks by vectors.
    pub(crate) vectors: Vectors,
    /// Absent once every visible file is prepared.
    pub preparation: Option<Preparation>,
    /// Paths that discovery could not catalog, each with its reason, in path order.
    pub omitted: Arc<[String]>,
    /// The view's identity: 64 hexadecimal digits, the first 16 of them the workspace context's.
    pub view_id: String,
    /// The files that a request named beside the index; absent in what the host publishes.
    pub(crate) forced: Option<Arc<Forced>>,
    /// Symbols resolved so far, by key.
    pub(crate) resolved: Arc<Resolved>,
}

impl Publication {
    /// The same state over another form of the same index.
    pub(crate) fn with_searcher(&self, searcher: Searcher) -> Self {
        Self {
            generation: self.generation,
            config: self.config.clone(),
            config_digest: self.config_digest,
            tree: self.tree.clone(),
            summary: self.summary.clone(),
            searcher,
            rows: self.rows.clone(),
            vectors: self.vectors.clone(),
            preparation: self.preparation,
            omitted: self.omitted.clone(),
            view_id: self.view_id.clone(),
            forced: self.forced.clone(),
            resolved: self.resolved.clone(),
        }
    }

    /// The same state with a tree and sums that equal its own.
    pub(crate) fn with_tree(&self, tree: Arc<DirectoryManifest>, summary: Arc<DirectorySummary>) -> Self {
        Self { tree, summary, ..self.with_searcher(self.searcher.clone()) }
    }

    /// The same state with other rows for patterns. A state that answers patterns otherwise has another identity.
    pub(crate) fn with_rows(&self, rows: PatternRows, view_id: String) -> Self {
        Self { rows, view_id, ..self.with_searcher(self.searcher.clone()) }
    }

    /// The same state with another ranking by vectors, and the identity that goes with it.
    pub(crate) fn with_vectors(&self, vectors: Vectors, view_id: String) -> Self {
        Self { vectors, view_id, ..self.with_searcher(self.searcher.clone()) }
    }
}

/// Bound on the symbols that a publication remembers as resolved.
const RESOLVED_MAX: usize = 20_000;

/// Answers that a publication remembers for later pages of them.
const ANSWERS_MAX: usize = 16;

/// A bounded memo of resolved keys, and of answers that took a walk. It belongs to one publication, whose answers never change.
#[derive(Default)]
pub(crate) struct Resolved(Mutex<Memo>);

#[derive(Default)]
struct Memo {
    symbols: HashMap<String, Arc<Vec<ResolvedSymbol>>>,
    /// Oldest first.
    answers: Vec<(String, Arc<dyn Any + Send + Sync>)>,
    closed: bool,
}

impl Resolved {
    fn lock(&self) -> std::sync::MutexGuard<'_, Memo> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, key: &str) -> Option<Arc<Vec<ResolvedSymbol>>> {
        self.lock().symbols.get(key).cloned()
    }

    pub(crate) fn put(&self, key: String, symbols: Arc<Vec<ResolvedSymbol>>) {
        let mut memo = self.lock();
        if memo.closed {
            return;
        }
        if memo.symbols.len() >= RESOLVED_MAX {
            memo.symbols.clear();
        }
        memo.symbols.insert(key, symbols);
    }

    pub(crate) fn answer(&self, key: &str) -> Option<Arc<dyn Any + Send + Sync>> {
        self.lock().answers.iter().find(|(known, _)| known == key).map(|(_, answer)| answer.clone())
    }

    pub(crate) fn keep_answer(&self, key: String, answer: Arc<dyn Any + Send + Sync>) {
        let mut memo = self.lock();
        if memo.answers.len() >= ANSWERS_MAX {
            memo.answers.remove(0);
        }
        memo.answers.push((key, answer));
    }

    /// Forgets resolved keys, for good: views of old publications are many, and each is asked little. Answers stay: their later
    /// pages are asked for by view.
    pub(crate) fn close(&self) {
        let mut memo = self.lock();
        memo.symbols = HashMap::new();
        memo.closed = true;
    }
}

/// The first 16 digits of every view of one workspace: a digest of its canonical root.
pub(crate) fn context(root: &std::path::Path) -> String {
    let mut hex =
        DigestBuilder::default().part(b"rift view context").part(root.as_os_str().as_encoded_bytes()).finish().hex();
    hex.truncate(16);
    hex
}

/// A view's identity: equal states of one workspace have equal ones. `lag` counts files without rows while that may keep a
/// pattern from an answer that covers them, and `vectors` is what a ranking by them is marked with.
pub(crate) fn view_id(
    context: &str,
    tree: Digest,
    config: Digest,
    preparation: Option<Preparation>,
    lag: Option<u64>,
    vectors: Option<String>,
) -> String {
    let mut progress = match preparation {
        Some(p) => format!("{}/{:?}", p.prepared, p.total),
        None => String::new(),
    };
    if let Some(lag) = lag {
        progress += &format!(" {lag} without rows");
    }
    if let Some(vectors) = vectors {
        progress += &format!(" {vectors}");
    }
    let state = DigestBuilder::default()
        .part(context.as_bytes())
        .part(tree.as_bytes())
        .part(config.as_bytes())
        .part(progress.as_bytes())
        .finish();
    format!("{context}{}", &state.hex()[..48])
}
