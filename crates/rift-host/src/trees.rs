//! A few kept trees, so that walking up and down one file parses it once.

use std::sync::{Arc, Mutex, PoisonError};

use query_graph::ParsedFile;
use rift_base::{Digest, Language};

/// Trees kept.
const TREES_MAX: usize = 16;
/// Bytes of source whose trees are kept: a tree takes some ten times its source.
const SOURCE_MAX: usize = 4 << 20;

/// What a tree is the tree of: a content, and the language that it is parsed as.
pub(crate) type TreeKey = (Digest, Language);

/// Least recently used trees go first.
#[derive(Default)]
pub(crate) struct Trees(Mutex<Vec<Kept>>);

struct Kept {
    key: TreeKey,
    tree: Arc<ParsedFile>,
    bytes: usize,
}

impl Trees {
    /// The tree of `key`, when it is kept.
    pub(crate) fn get(&self, key: &TreeKey) -> Option<Arc<ParsedFile>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|k| k.key == *key)?;
        let hit = kept.remove(at);
        let tree = hit.tree.clone();
        kept.push(hit);
        Some(tree)
    }

    /// Keeps a tree of `bytes` of source.
    pub(crate) fn keep(&self, key: TreeKey, tree: Arc<ParsedFile>, bytes: usize) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|k| k.key != key);
        kept.push(Kept { key, tree, bytes });
        while kept.len() > TREES_MAX || kept.iter().map(|k| k.bytes).sum::<usize>() > SOURCE_MAX {
            kept.remove(0);
        }
    }
}
