//! Facts that outlive the process: what the database asks of a store, and what it gives one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

use rift_base::{DigestBuilder, Facet, Language};
use rift_syntax::{BindingFacts, Bounds, DeclId, EXTRACTOR, FileFacts, PackedBinding, PackedFacts};
use rustc_hash::FxHashMap;

use crate::symbols::count_symbols;

/// Keeps facts by what they are made of. Losing some costs time alone.
pub trait FactStore: Send + Sync {
    /// The bytes that were put under `key`, whole and unchanged.
    fn get(&self, key: &FactKey) -> Option<Vec<u8>>;

    /// Keeps `bytes` under `key`. Equal keys have equal bytes.
    fn put(&self, key: &FactKey, bytes: Vec<u8>);
}

/// A digest of a content, the language it is read as, the bounds and the extractor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactKey(pub [u8; 16]);

impl FactKey {
    /// The key of the facts of the content with this digest.
    pub fn new(content: &rift_base::Digest, language: &Language, bounds: &Bounds) -> Self {
        Self::made("facts", content, language, bounds)
    }

    /// The key of its binding facts.
    pub fn binding(content: &rift_base::Digest, language: &Language, bounds: &Bounds) -> Self {
        Self::made("binding", content, language, bounds)
    }

    fn made(what: &str, content: &rift_base::Digest, language: &Language, bounds: &Bounds) -> Self {
        let Bounds { steps_per_byte, nodes, depth, declarations } = *bounds;
        let mut digest = DigestBuilder::default().part(what.as_bytes());
        digest = digest.part(EXTRACTOR.as_bytes()).part(content.as_bytes());
        digest = digest.part(language.as_str().as_bytes());
        for bound in [steps_per_byte, nodes, depth, declarations] {
            digest = digest.part(&bound.to_le_bytes());
        }
        let mut key = [0; 16];
        key.copy_from_slice(&digest.finish().as_bytes()[..16]);
        Self(key)
    }
}

/// The facts of one revision, packed, with what sums read of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisionFacts {
    /// The facts.
    pub packed: PackedFacts,
    /// How many symbols the declarations form.
    pub symbols: u32,
    /// Where execution starts.
    pub entry_points: Arc<[DeclId]>,
    /// The binding facts, when the parse behind these gave them too. They are stored apart.
    pub binding: Option<PackedBinding>,
}

impl RevisionFacts {
    /// Packs `facts` and what came with them.
    pub fn pack(facts: &FileFacts, binding: Option<&BindingFacts>) -> Self {
        let starts = facts.outline.iter().filter(|(_, declaration)| declaration.facets.has(Facet::Entrypoint));
        Self {
            packed: PackedFacts::pack(facts),
            symbols: count_symbols(&facts.outline),
            entry_points: starts.map(|(id, _)| id).collect(),
            binding: binding.map(PackedBinding::pack),
        }
    }

    /// One run of bytes: the numbers in little-endian order with 32 bits each, then the facts.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let numbers = [self.symbols, self.entry_points.len() as u32].into_iter();
        let numbers = numbers.chain(self.entry_points.iter().map(|id| id.0));
        let mut bytes: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
        bytes.extend_from_slice(&self.packed.to_bytes());
        bytes
    }

    pub(crate) fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let mut number = || {
            let (head, rest) = bytes.split_first_chunk::<4>()?;
            bytes = rest;
            Some(u32::from_le_bytes(*head))
        };
        let (symbols, count) = (number()?, number()?);
        let mut entry_points = Vec::new();
        for _ in 0..count {
            entry_points.push(DeclId(number()?));
        }
        let packed = PackedFacts::from_bytes(bytes)?;
        Some(Self { packed, symbols, entry_points: entry_points.into(), binding: None })
    }

    /// Bytes on the heap.
    pub fn heap_size(&self) -> usize {
        self.packed.heap_size()
            + self.entry_points.len() * size_of::<DeclId>()
            + self.binding.as_ref().map_or(0, PackedBinding::heap_size)
    }
}

/// What a revision weighs beside its text and its facts: its keys and the memos behind them, as estimated.
pub const REVISION_OVERHEAD: u64 = 1 << 10;

/// How facts came about, and what they weigh. Clones share the counts.
#[derive(Clone, Default)]
pub struct FactWork {
    counts: Arc<Counts>,
    weight: Arc<AtomicU64>,
}

#[derive(Default)]
struct Counts {
    extracted: AtomicU64,
    restored: AtomicU64,
}

impl FactWork {
    /// Texts that were parsed for their facts, in this database and those that it took over from.
    pub fn extracted(&self) -> u64 {
        self.counts.extracted.load(Ordering::Relaxed)
    }

    /// Facts that came from the store, in this database and those that it took over from.
    pub fn restored(&self) -> u64 {
        self.counts.restored.load(Ordering::Relaxed)
    }

    /// Bytes that all revisions of this database take, live and dead, as estimated.
    pub fn weight(&self) -> u64 {
        self.weight.load(Ordering::Relaxed)
    }

    /// The work of a database that takes over.
    pub(crate) fn renewed(&self) -> Self {
        Self { counts: self.counts.clone(), weight: Arc::default() }
    }

    pub(crate) fn note_extracted(&self) {
        self.counts.extracted.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn note_restored(&self) {
        self.counts.restored.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn note_revision(&self, bytes: usize) {
        self.weight.fetch_add(bytes as u64 + REVISION_OVERHEAD, Ordering::Relaxed);
    }
}

/// Facts of the database before, which a new one takes over while it is filled.
pub(crate) type KnownFacts = Arc<RwLock<FxHashMap<FactKey, RevisionFacts>>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_facts_come_back_whole() {
        let language = Language::new("rust").expect("valid");
        let text = "fn main() {}\nfn other() {}\n";
        let facts = rift_syntax::extract(text, &language, &Bounds::default()).expect("served");
        let packed = RevisionFacts::pack(&facts, None);
        assert_eq!((packed.symbols, &*packed.entry_points), (2, &[DeclId(0)][..]));
        let bytes = packed.to_bytes();
        assert_eq!(RevisionFacts::from_bytes(&bytes), Some(packed));
        for end in 0..bytes.len() {
            assert_eq!(RevisionFacts::from_bytes(&bytes[..end]), None, "{end} bytes");
        }
    }

    #[test]
    fn keys_tell_contents_languages_and_bounds_apart() {
        let (rust, go) = (Language::new("rust").expect("valid"), Language::new("go").expect("valid"));
        let content = rift_base::Digest::of(b"a");
        let key = FactKey::new(&content, &rust, &Bounds::default());
        assert_eq!(key, FactKey::new(&content, &rust, &Bounds::default()));
        assert_ne!(key, FactKey::new(&rift_base::Digest::of(b"b"), &rust, &Bounds::default()));
        assert_ne!(key, FactKey::new(&content, &go, &Bounds::default()));
        assert_ne!(key, FactKey::new(&content, &rust, &Bounds { depth: 3, ..Bounds::default() }));
    }
}
