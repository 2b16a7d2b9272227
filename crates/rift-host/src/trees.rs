//! A few kept trees, so that walking up and down one file parses it once.

use std::sync::{Arc, Mutex, PoisonError};

use query_graph::{FileRevision, ParsedFile};

/// Trees kept.
const TREES_MAX: usize = 16;
/// Bytes of source whose trees are kept: a tree takes some ten times its source.
const SOURCE_MAX: usize = 4 << 20;

/// Least recently used trees go first.
#[derive(Default)]
pub(crate) struct Trees(Mutex<Vec<Kept>>);

struct Kept {
    revision: FileRevision,
    tree: Arc<ParsedFile>,
    bytes: usize,
}

impl Trees {
    /// The tree of `revision`, when it is kept.
    pub(crate) fn get(&self, revision: FileRevision) -> Option<Arc<ParsedFile>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|k| k.revision == revision)?;
        let hit = kept.remove(at);
        let tree = hit.tree.clone();
        kept.push(hit);
        Some(tree)
    }

    /// Keeps a tree of `bytes` of source.
    pub(crate) fn keep(&self, revision: FileRevision, tree: Arc<ParsedFile>, bytes: usize) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|k| k.revision != revision);
        kept.push(Kept { revision, tree, bytes });
        while kept.len() > TREES_MAX || kept.iter().map(|k| k.bytes).sum::<usize>() > SOURCE_MAX {
            kept.remove(0);
        }
    }
}
