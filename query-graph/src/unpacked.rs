//! Values that were read last, unpacked.

use std::collections::VecDeque;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use rift_base::NamePath;
use rift_syntax::{DeclId, FileFacts, Outline, Surface};
use rustc_hash::FxHashMap;

use crate::syntax::FileRevision;

/// Entries that each of these caches holds.
const KEPT_MAX: usize = 512;

/// What is kept unpacked. What a key stands for never changes, so what is kept is never wrong; whether something is kept
/// shows in time alone.
#[derive(Clone, Default)]
pub struct Unpacked {
    /// Facts by revision.
    pub(crate) facts: Recent<FileRevision, FileFacts>,
    /// Outlines by their packed bytes.
    pub(crate) outlines: Recent<Bytes, PathOutline>,
    /// Surfaces by their packed bytes.
    pub(crate) surfaces: Recent<Bytes, Surface>,
}

/// An outline whose declarations are found by path.
pub(crate) struct PathOutline {
    /// The outline.
    pub(crate) outline: Outline,
    by_path: FxHashMap<NamePath, Vec<DeclId>>,
}

impl PathOutline {
    pub(crate) fn new(outline: Outline) -> Self {
        let mut by_path: FxHashMap<NamePath, Vec<DeclId>> = FxHashMap::default();
        for (id, declaration) in outline.iter() {
            by_path.entry(declaration.path.clone()).or_default().push(id);
        }
        Self { outline, by_path }
    }

    /// The declarations of `path`, in source order.
    pub(crate) fn at(&self, path: &NamePath) -> &[DeclId] {
        self.by_path.get(path).map_or(&[], |found| found)
    }
}

/// Bytes that are told apart by where they lie: cheap, and sound while the key holds on to them. Equal bytes elsewhere are
/// unpacked once more.
#[derive(Clone, Debug)]
pub(crate) struct Bytes(pub(crate) Arc<[u8]>);

impl PartialEq for Bytes {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Bytes {}

impl Hash for Bytes {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.as_ptr().addr().hash(state);
    }
}

/// The values kept last, by key. Clones share them.
pub(crate) struct Recent<K, V>(Arc<Mutex<Kept<K, V>>>);

struct Kept<K, V> {
    values: FxHashMap<K, Arc<V>>,
    order: VecDeque<K>,
}

impl<K, V> Clone for Recent<K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Kept { values: FxHashMap::default(), order: VecDeque::new() })))
    }
}

impl<K: Clone + Eq + Hash, V> Recent<K, V> {
    pub(crate) fn get(&self, key: &K) -> Option<Arc<V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values.get(key).cloned()
    }

    pub(crate) fn keep(&self, key: K, value: Arc<V>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.values.insert(key.clone(), value).is_none() {
            kept.order.push_back(key);
            if kept.order.len() > KEPT_MAX
                && let Some(oldest) = kept.order.pop_front()
            {
                kept.values.remove(&oldest);
            }
        }
    }

    /// The value of `key`, made by `make` when it is not at hand.
    pub(crate) fn get_or(&self, key: K, make: impl FnOnce(&K) -> V) -> Arc<V> {
        if let Some(kept) = self.get(&key) {
            return kept;
        }
        let value = Arc::new(make(&key));
        self.keep(key, value.clone());
        value
    }
}
