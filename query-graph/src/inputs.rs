//! Inputs: the ground state that the host sets. One per path for the life of the process: salsa never frees an input,
//! so deletion is a value, and re-creation sets it again.

use std::sync::Arc;

use rift_base::{BindingConfig, Config, Digest, IndexPolicy, ProjectPath, SourceKind, Unavailable};
use rift_workspace::LanguageMap;

use salsa::Setter as _;

use crate::catalog::{DirectoryManifest, FileEntry};
use crate::db::{Db, RootDatabase};
use crate::probe::{self, Count, Subject};
use crate::queries::subject;
use crate::stored::StoredText;
use crate::summary::{DirectorySummary, FileSummary};

/// One path of the workspace.
#[salsa::input(debug, heap_size = file_heap)]
#[derive(PartialOrd, Ord)]
pub struct File {
    /// Frozen at creation.
    pub path: ProjectPath,
    /// The directory that holds it; frozen at creation.
    #[returns(copy)]
    pub directory: Directory,
    /// What the path holds now.
    #[get(content_field)]
    pub(crate) content: Content,
}

/// What a path holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Nothing: deleted, or not visible any more.
    Absent,
    /// Readable source.
    Source(Arc<Source>),
    /// A visible file that gives no text.
    LeftOut(Arc<LeftOut>),
}

/// A readable file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// SHA-256 of the raw bytes. First, so that unequal contents are told apart without reading the text.
    pub digest: Digest,
    /// Decoded text without a byte order mark.
    pub text: StoredText,
    /// Raw bytes.
    pub size: u64,
    /// Written by a person or by a tool.
    pub kind: SourceKind,
    /// Whether it is parsed and searched, and why not.
    pub policy: IndexPolicy,
}

/// A visible file without text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// SHA-256 of the raw bytes, when they could be read.
    pub digest: Option<Digest>,
    /// Raw bytes, when known.
    pub size: u64,
    /// Why.
    pub reason: Unavailable,
}

/// A directory: the unit of folding.
///
/// What its files are and what lies below it arrives as values that the writer hands over after an edit
/// ([`crate::Ground::settle`]), not as a query over its files and directories: a fold over queries is validated edge by
/// edge down to every file of the workspace after each write, while this one has one value of each kind to look at.
#[salsa::input(debug, heap_size = directory_heap)]
#[derive(PartialOrd, Ord)]
pub struct Directory {
    /// Frozen at creation.
    pub path: ProjectPath,
    /// The containing directory; frozen at creation; absent for the root.
    #[returns(copy)]
    pub parent: Option<Directory>,
    /// Its visible files in byte order of names.
    #[returns(clone)]
    #[get(files_field)]
    pub(crate) files: Arc<Vec<File>>,
    /// What each of its files is, in the same order.
    #[returns(clone)]
    #[get(entries_field)]
    pub(crate) entries: Arc<Vec<FileEntry>>,
    /// The sums of each of its files, in the same order.
    #[returns(clone)]
    #[get(sums_field)]
    pub(crate) sums: Arc<Vec<Arc<FileSummary>>>,
    /// Its directories that are not empty, in byte order of names.
    #[returns(clone)]
    #[get(below_field)]
    pub(crate) below: Arc<Vec<Below>>,
    /// Every directory in it that was ever seen, in byte order of names. Changes when one is seen for the first time, and not
    /// with what they hold, so that a path can be looked up without reading what lies around it.
    #[returns(clone)]
    #[get(known_field)]
    pub(crate) known: Arc<Vec<Directory>>,
}

/// A directory as its parent sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Below {
    /// Its tree.
    pub manifest: Arc<DirectoryManifest>,
    /// Its sums.
    pub summary: Arc<DirectorySummary>,
}

/// The workspace as a whole.
#[salsa::input(singleton, debug, heap_size = workspace_heap)]
pub struct Workspace {
    /// The root directory.
    #[returns(copy)]
    pub root: Directory,
    /// The root's own folder name: the stand-in for a package that no manifest names.
    pub name: Arc<str>,
    /// The accepted configuration.
    #[returns(clone)]
    #[get(config_field)]
    pub(crate) config: Arc<Config>,
    /// Which paths belong to which language, compiled from the configuration.
    #[returns(clone)]
    #[get(languages_field)]
    pub(crate) languages: Arc<LanguageMap>,
    /// What binding may cost, of the configuration: apart, so that no other change of it binds anything again.
    #[returns(copy)]
    #[get(binding_field)]
    pub(crate) binding: BindingConfig,
}

/// The root directory of the workspace that `db` holds.
pub fn root(db: &dyn crate::db::Db) -> Directory {
    Workspace::get(db).root(db)
}

/// The fields of an input that change, each with what reads it and what sets it: the way for everybody, since it counts.
macro_rules! fields {
    ($input:ident: $($number:literal $field:ident ($get:ident, $set:ident, $put:ident): $kind:ty, $heap:expr;)*) => {
        impl $input {
            const SUBJECT: Subject = subject(stringify!($input));

            $(
                pub fn $field(self, db: &dyn Db) -> $kind {
                    probe::read(db, Self::SUBJECT, $number, self);
                    self.$get(db).clone()
                }

                pub(crate) fn $put(self, db: &mut RootDatabase, value: $kind) {
                    let heap: fn(&$kind) -> usize = $heap;
                    let before = heap(&self.$get(db).clone());
                    self.note(db, heap(&value), before);
                    self.$set(db).to(value);
                }
            )*

            /// Notes that so many bytes of the heap take the place of others.
            fn note(self, db: &RootDatabase, after: usize, before: usize) {
                db.counters().add(Self::SUBJECT, Count::Executed, 1);
                db.counters().weights().changed(Self::SUBJECT, after, before);
            }
        }
    };
}

fields! { File: }

fields! {
    Directory:
    0 files (files_field, set_files, put_files): Arc<Vec<File>>, list_heap;
    1 entries (entries_field, set_entries, put_entries): Arc<Vec<FileEntry>>, list_heap;
    2 sums (sums_field, set_sums, put_sums): Arc<Vec<Arc<FileSummary>>>, list_heap;
    3 below (below_field, set_below, put_below): Arc<Vec<Below>>, list_heap;
    4 known (known_field, set_known, put_known): Arc<Vec<Directory>>, list_heap;
}

fields! {
    Workspace:
    0 config (config_field, set_config, put_config): Arc<Config>, |_| size_of::<Config>();
    1 languages (languages_field, set_languages, put_languages): Arc<LanguageMap>, |_| size_of::<LanguageMap>();
    2 binding (binding_field, set_binding, put_binding): BindingConfig, |_| 0;
}

impl File {
    /// What the path holds now. By reference: a content is compared more often than it is kept.
    pub fn content(self, db: &dyn Db) -> &Content {
        probe::read(db, Self::SUBJECT, 0, self);
        self.content_field(db)
    }

    pub(crate) fn put_content(self, db: &mut RootDatabase, content: Content) {
        self.note(db, content_heap(&content), content_heap(self.content_field(db)));
        self.set_content(db).to(content);
    }

    /// Counts an input that was just made.
    pub(crate) fn made(self, db: &RootDatabase) -> Self {
        let heap = self.path(db).as_str().len() + content_heap(self.content_field(db));
        db.counters().weights().lasting(Self::SUBJECT, size_of::<(ProjectPath, Directory, Content)>(), heap);
        self
    }
}

impl Directory {
    /// Counts an input that was just made, without anything in it.
    pub(crate) fn made(self, db: &RootDatabase) -> Self {
        db.counters().weights().lasting(Self::SUBJECT, size_of::<DirectoryFields>(), self.path(db).as_str().len());
        self
    }
}

impl Workspace {
    /// Counts the one input that was just made.
    pub(crate) fn made(self, db: &RootDatabase) -> Self {
        let heap = self.name(db).len() + size_of::<Config>() + size_of::<LanguageMap>();
        db.counters().weights().lasting(Self::SUBJECT, size_of::<WorkspaceFields>(), heap);
        self
    }
}

fn list_heap<T>(list: &Arc<Vec<T>>) -> usize {
    list.capacity() * size_of::<T>()
}

fn content_heap(content: &Content) -> usize {
    match content {
        Content::Absent => 0,
        Content::Source(source) => size_of::<Source>() + source.text.heap_size(),
        Content::LeftOut(_) => size_of::<LeftOut>(),
    }
}

fn file_heap((path, _, content): &(ProjectPath, Directory, Content)) -> usize {
    path.as_str().len() + content_heap(content)
}

type DirectoryFields = (
    ProjectPath,
    Option<Directory>,
    Arc<Vec<File>>,
    Arc<Vec<FileEntry>>,
    Arc<Vec<Arc<FileSummary>>>,
    Arc<Vec<Below>>,
    Arc<Vec<Directory>>,
);

fn directory_heap((path, _, files, entries, sums, below, known): &DirectoryFields) -> usize {
    path.as_str().len() + list_heap(files) + list_heap(entries) + list_heap(sums) + list_heap(below) + list_heap(known)
}

type WorkspaceFields = (Directory, Arc<str>, Arc<Config>, Arc<LanguageMap>, BindingConfig);

fn workspace_heap((_, name, ..): &WorkspaceFields) -> usize {
    name.len() + size_of::<Config>() + size_of::<LanguageMap>()
}
