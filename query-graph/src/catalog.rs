//! The catalog: which files there are, in which language, at which revision; folded per directory.

use std::sync::Arc;

use query_graph_macros::query;
use rift_base::{Digest, DigestBuilder, Language, ProjectPath};

use crate::db::{Db, shared};
use crate::inputs::{Content, Directory, File, Source, Workspace};
use crate::place::Module;
use crate::stored::StoredText;
use crate::symbols::{PlacedFile, placed};
use crate::syntax::{FileRevision, SourceText};

/// The language that the workspace's configuration gives a path. Reads the path and the language map; shields its
/// readers from every other change of the configuration.
#[query(returns(clone), heap_size = shared)]
pub fn claimed_language(db: &dyn Db, file: File) -> Option<Language> {
    // A path that two entries claim refuses the configuration before it gets here.
    Workspace::get(db).languages(db).language(file.path(db).as_str()).ok().flatten().cloned()
}

/// The revision that a path holds now; absent without text. Reads the path's content and its claimed language; shields
/// everything keyed by [`FileRevision`] from the path's later life.
#[query(returns(copy), heap_size = shared)]
pub fn revision(db: &dyn Db, file: File) -> Option<FileRevision> {
    let Content::Source(source) = file.content(db) else { return None };
    let language = match source.policy.parses() {
        true => {
            claimed_language(db, file).map(|c| rift_syntax::effective_language(file.path(db), &c, || source.text.get()))
        }
        false => None,
    };
    let text = SourceText { digest: source.digest, text: source.text.clone() };
    Some(FileRevision::new(db, file.path(db).clone(), language, text))
}

/// One visible file as a view holds it: readable without the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEntry {
    /// Where it stands.
    pub path: ProjectPath,
    /// What it holds.
    pub content: Content,
    /// Its language by path and text; also for files that are not parsed.
    pub language: Option<Language>,
    /// What its text is read as and where its declarations belong; absent without text.
    pub place: Option<Arc<EntryPlace>>,
}

/// What the facts and symbols of a captured file are made of, beside its path and content. It names nothing of the
/// database, which may be renewed while views are held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPlace {
    /// What its text is parsed as; absent when it is not parsed.
    pub parsed_as: Option<Language>,
    /// Where its declarations belong.
    pub module: Module,
}

impl FileEntry {
    /// What it holds, when it is readable.
    pub fn source(&self) -> Option<&Arc<Source>> {
        match &self.content {
            Content::Source(source) => Some(source),
            _ => None,
        }
    }

    /// The decoded text.
    pub fn text(&self) -> Option<Arc<str>> {
        self.source().map(|source| source.text.get())
    }

    /// The decoded text that search takes; absent when it takes none of this file.
    pub fn searched_text(&self) -> Option<&StoredText> {
        self.source().filter(|source| source.policy.indexes_text()).map(|source| &source.text)
    }

    /// Its revision in `db`; absent without text.
    pub fn revision(&self, db: &dyn Db) -> Option<FileRevision> {
        let (place, source) = (self.place.as_ref()?, self.source()?);
        let text = SourceText { digest: source.digest, text: source.text.clone() };
        Some(FileRevision::new(db, self.path.clone(), place.parsed_as.clone(), text))
    }

    /// Its placed revision in `db`; absent without text.
    pub fn placed(&self, db: &dyn Db) -> Option<PlacedFile> {
        let revision = self.revision(db)?;
        Some(PlacedFile::new(db, revision, self.place.as_ref()?.module.clone()))
    }

    /// SHA-256 of the raw bytes, when they could be read.
    pub fn digest(&self) -> Option<Digest> {
        match &self.content {
            Content::Source(source) => Some(source.digest),
            Content::LeftOut(left_out) => left_out.digest,
            Content::Absent => None,
        }
    }

    /// Raw bytes.
    pub fn size(&self) -> u64 {
        match &self.content {
            Content::Source(source) => source.size,
            Content::LeftOut(left_out) => left_out.size,
            Content::Absent => 0,
        }
    }
}

/// One directory of a captured tree with everything below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryManifest {
    /// SHA-256 over the names, kinds and digests of the entries, in byte order of names.
    pub digest: Digest,
    /// Where it stands.
    pub path: ProjectPath,
    /// Its files in byte order of names.
    pub files: Arc<Vec<FileEntry>>,
    /// Its directories in byte order of names.
    pub directories: Vec<Arc<DirectoryManifest>>,
    /// Files below, at any depth.
    pub total: u64,
}

impl DirectoryManifest {
    /// The file at `path`, which is relative to the workspace root.
    pub fn file(&self, path: &ProjectPath) -> Option<&FileEntry> {
        let mut here = self;
        let mut rest = path.strip_prefix(&self.path)?;
        while let Some((head, tail)) = rest.split_once('/') {
            let at = here.directories.binary_search_by(|d| d.path.file_name().cmp(head)).ok()?;
            here = here.directories.get(at)?;
            rest = tail;
        }
        let at = here.files.binary_search_by(|f| f.path.file_name().cmp(rest)).ok()?;
        here.files.get(at)
    }

    /// Every file below, in byte order of whole paths.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a FileEntry)) {
        // A directory `a` and a file `a.b` interleave: `a.b` sorts before `a/x`, because `.` sorts before `/`. So do `a` and
        // a directory `a.b`.
        let mut directories: Vec<&Arc<DirectoryManifest>> = self.directories.iter().collect();
        directories.sort_by(|a, b| a.path.as_str().bytes().chain(*b"/").cmp(b.path.as_str().bytes().chain(*b"/")));
        let mut directories = directories.into_iter().peekable();
        for file in self.files.iter() {
            while let Some(directory) = directories.next_if(|d| below(&d.path) < *file.path.as_str()) {
                directory.walk(visit);
            }
            visit(file);
        }
        directories.for_each(|d| d.walk(visit));
    }
}

/// A key that sorts a directory as its contents sort.
fn below(directory: &ProjectPath) -> Below<'_> {
    Below(directory.as_str())
}

struct Below<'a>(&'a str);

impl PartialEq<str> for Below<'_> {
    fn eq(&self, other: &str) -> bool {
        other.strip_prefix(self.0) == Some("/")
    }
}

impl PartialOrd<str> for Below<'_> {
    fn partial_cmp(&self, other: &str) -> Option<std::cmp::Ordering> {
        Some(self.0.bytes().chain(*b"/").cmp(other.bytes()))
    }
}

/// What one file is to a captured tree. Reads the file's content, language and place; shields the directory from
/// edits that leave them equal.
#[query(returns(clone), heap_size = entry_heap)]
pub fn file_entry(db: &dyn Db, file: File) -> FileEntry {
    let content = file.content(db).clone();
    let language = match &content {
        Content::Source(source) => claimed_language(db, file)
            .map(|claimed| rift_syntax::effective_language(file.path(db), &claimed, || source.text.get())),
        _ => claimed_language(db, file),
    };
    let place = placed(db, file).map(|placed| {
        let parsed_as = placed.revision(db).language(db).clone();
        Arc::new(EntryPlace { parsed_as, module: placed.module(db).clone() })
    });
    FileEntry { path: file.path(db).clone(), content, language, place }
}

fn entry_heap(entry: &FileEntry) -> usize {
    let module = |place: &Arc<EntryPlace>| place.module.linked.heap_size() + place.module.file_local.heap_size();
    entry.place.as_ref().map_or(0, |place| size_of::<EntryPlace>() + module(place))
}

/// A directory with everything below it: the whole tree at the root. Reads what the writer handed over of its files and
/// pushed up from its directories, so that an edit re-runs it for the edited file's own folders alone, and looks at no
/// other file of them.
#[query(returns(clone), heap_size = manifest_heap)]
pub fn directory_manifest(db: &dyn Db, directory: Directory) -> Arc<DirectoryManifest> {
    let files = directory.entries(db);
    let directories: Vec<_> = directory.below(db).iter().map(|below| below.manifest.clone()).collect();
    let mut digest = DigestBuilder::default();
    for file in files.iter() {
        digest.add(b"f");
        digest.add(file.path.file_name().as_bytes());
        match file.digest() {
            Some(content) => digest.add(content.as_bytes()),
            None => digest.add(b""),
        }
    }
    for below in &directories {
        digest.add(b"d");
        digest.add(below.path.file_name().as_bytes());
        digest.add(below.digest.as_bytes());
    }
    let total = files.len() as u64 + directories.iter().map(|d| d.total).sum::<u64>();
    Arc::new(DirectoryManifest { digest: digest.finish(), path: directory.path(db).clone(), files, directories, total })
}

fn manifest_heap(manifest: &Arc<DirectoryManifest>) -> usize {
    size_of::<DirectoryManifest>() + manifest.directories.capacity() * size_of::<Arc<DirectoryManifest>>()
}
