//! Facts of one file revision. A revision never changes, so these memos are never invalidated; equal content at one
//! path shares them across edits, undo and branch flips.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rift_base::{Digest, Language, ProjectPath};
use rift_syntax::{Bounds, FileFacts, Outline, ParsedFile, Problem, extract};

use crate::db::Db;

/// A text that is compared by its digest.
#[derive(Debug, Clone)]
pub struct SourceText {
    /// SHA-256 of the file's raw bytes.
    pub digest: Digest,
    /// The decoded text.
    pub text: Arc<str>,
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
#[salsa::interned(unsafe(no_lifetime), revisions = usize::MAX, debug, heap_size = revision_heap)]
#[derive(PartialOrd, Ord)]
pub struct FileRevision {
    /// Where the content stood.
    pub path: ProjectPath,
    /// What it is parsed as; absent when it is not parsed.
    pub language: Option<Language>,
    /// The content.
    pub source: SourceText,
}

fn revision_heap((path, _, source): &(ProjectPath, Option<Language>, SourceText)) -> usize {
    path.as_str().len() + source.text.len()
}

/// Everything syntax says about one revision. Reads the revision alone; parses, extracts and drops the tree. A revision
/// that is not parsed has no declarations.
#[salsa::tracked(returns(clone), heap_size = facts_heap)]
pub fn facts(db: &dyn Db, revision: FileRevision) -> Arc<FileFacts> {
    let found = revision
        .language(db)
        .as_ref()
        .and_then(|language| extract(&revision.source(db).text, language, &Bounds::default()));
    Arc::new(found.unwrap_or_else(|| FileFacts { outline: Arc::new(Outline::default()), positions: Arc::default() }))
}

fn facts_heap(facts: &Arc<FileFacts>) -> usize {
    size_of::<FileFacts>()
        + facts.outline.heap_size()
        + facts.positions.capacity() * size_of::<rift_syntax::DeclPosition>()
}

/// The tree of one revision, parsed anew: trees are not memoized. Absent when the revision is not parsed.
pub fn parse_tree(db: &dyn Db, revision: FileRevision) -> Option<Result<ParsedFile, Problem>> {
    let language = revision.language(db).as_ref()?;
    ParsedFile::new(&revision.source(db).text, language, &Bounds::default())
}
