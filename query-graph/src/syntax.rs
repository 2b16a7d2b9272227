//! Facts of one file revision. A revision never changes, so these memos are never invalidated; equal content at one
//! path shares them across edits, undo and branch flips.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use query_graph_macros::query;
use rift_base::{Digest, Language, ProjectPath};
use rift_syntax::{Bounds, DeclPosition, FileFacts, Outline, ParsedFile, Problem, extract, extract_bound};

use crate::db::Db;
use crate::kept::{FactKey, RevisionFacts};
use crate::probe::{Subject, intern};
use crate::queries::subject;
use crate::stored::StoredText;

/// A text that is compared by its digest.
#[derive(Debug, Clone)]
pub struct SourceText {
    /// SHA-256 of the file's raw bytes.
    pub digest: Digest,
    /// The decoded text.
    pub text: StoredText,
}

impl PartialEq for SourceText {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Eq for SourceText {}

impl Hash for SourceText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

/// One path with one content, read as one language. Interned for the life of the database: the host renews the
/// database when dead revisions outweigh live ones.
#[salsa::interned(constructor = interned, unsafe(no_lifetime), revisions = usize::MAX, debug, heap_size = revision_heap)]
#[derive(PartialOrd, Ord)]
pub struct FileRevision {
    /// Where the content stood.
    pub path: ProjectPath,
    /// What it is parsed as; absent when it is not parsed.
    pub language: Option<Language>,
    /// The content.
    pub source: SourceText,
}

impl FileRevision {
    /// The revision of this content at `path`, read as `language`.
    pub fn new(db: &dyn Db, path: ProjectPath, language: Option<Language>, source: SourceText) -> Self {
        const KEY: Subject = subject("FileRevision");
        let weigh =
            |key: Self| revision_heap(&(key.path(db).clone(), key.language(db).clone(), key.source(db).clone()));
        intern(
            db,
            KEY,
            size_of::<(ProjectPath, Option<Language>, SourceText)>(),
            || Self::interned(db, path, language, source),
            weigh,
        )
    }
}

fn revision_heap((path, _, source): &(ProjectPath, Option<Language>, SourceText)) -> usize {
    path.as_str().len() + source.text.heap_size()
}

/// Everything syntax says about one revision, packed. Reads the revision alone; takes the facts from the database before
/// this one or from the store, or parses, extracts and drops the tree; the same parse gives the binding facts where the
/// database was made for them. A revision that is not parsed has no declarations. Read it with [`file_facts`].
#[query(returns(clone), heap_size = facts_heap)]
pub fn facts(db: &dyn Db, revision: FileRevision) -> RevisionFacts {
    let bounds = Bounds::default();
    let language = revision.language(db).as_ref();
    let source = revision.source(db);
    let key = language.map(|language| FactKey::new(&source.digest, language, &bounds));
    let work = db.fact_work();
    if let Some(known) = key.and_then(|key| db.known_facts(&key)) {
        work.note_revision(source.text.heap_size() + known.heap_size());
        return known;
    }
    let stored = key.zip(db.fact_store()).and_then(|(key, store)| store.get(&key));
    if let Some(kept) = stored.and_then(|bytes| RevisionFacts::from_bytes(&bytes)) {
        work.note_restored();
        work.note_revision(source.text.heap_size() + kept.heap_size());
        return kept;
    }
    let found = language.and_then(|language| {
        work.note_extracted();
        let text = source.text.get();
        match db.binds() {
            true => extract_bound(&text, language, &bounds),
            false => extract(&text, language, &bounds).map(|facts| (facts, None)),
        }
    });
    let nothing =
        || FileFacts { outline: Arc::new(Outline::default()), positions: Arc::default(), document: Arc::default() };
    let (facts, binding) = found.unwrap_or_else(|| (nothing(), None));
    let packed = RevisionFacts::pack(&facts, binding.as_ref());
    if let Some((key, store)) = key.zip(db.fact_store()) {
        store.put(&key, packed.to_bytes());
        if let Some((binding, language)) = packed.binding.as_ref().zip(language) {
            store.put(&FactKey::binding(&source.digest, language, &bounds), binding.to_bytes());
        }
    }
    work.note_revision(source.text.heap_size() + packed.heap_size());
    db.unpacked().facts.keep(revision, Arc::new(facts));
    packed
}

fn facts_heap(facts: &RevisionFacts) -> usize {
    facts.heap_size()
}

/// The facts of one revision, as they are read: [`facts`], unpacked. The last ones read are kept unpacked.
pub fn file_facts(db: &dyn Db, revision: FileRevision) -> Arc<FileFacts> {
    // Asked first, also when the unpacked form is at hand: the caller's query depends on it.
    let packed = facts(db, revision);
    if let Some(kept) = db.unpacked().facts.get(&revision) {
        return kept;
    }
    let facts = Arc::new(packed.packed.unpack());
    db.unpacked().facts.keep(revision, facts.clone());
    facts
}

/// The positions of one revision, for readers that need nothing else of its facts.
pub fn file_positions(db: &dyn Db, revision: FileRevision) -> Arc<Vec<DeclPosition>> {
    let packed = facts(db, revision);
    match db.unpacked().facts.get(&revision) {
        Some(kept) => kept.positions.clone(),
        None => Arc::new(packed.packed.unpack_positions()),
    }
}

/// The tree of one revision, parsed anew: trees are not memoized. Absent when the revision is not parsed.
pub fn parse_tree(db: &dyn Db, revision: FileRevision) -> Option<Result<ParsedFile, Problem>> {
    let language = revision.language(db).as_ref()?;
    ParsedFile::new(&revision.source(db).text.get(), language, &Bounds::default())
}
