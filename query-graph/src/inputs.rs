//! Inputs: the ground state that the host sets. One per path for the life of the process: salsa never frees an input,
//! so deletion is a value, and re-creation sets it again.

use std::sync::Arc;

use rift_base::{BindingConfig, Config, Digest, IndexPolicy, ProjectPath, SourceKind, Unavailable};
use rift_workspace::LanguageMap;

use crate::catalog::{DirectoryManifest, FileEntry};
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
    pub content: Content,
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
    pub files: Arc<Vec<File>>,
    /// What each of its files is, in the same order.
    #[returns(clone)]
    pub entries: Arc<Vec<FileEntry>>,
    /// The sums of each of its files, in the same order.
    #[returns(clone)]
    pub sums: Arc<Vec<Arc<FileSummary>>>,
    /// Its directories that are not empty, in byte order of names.
    #[returns(clone)]
    pub below: Arc<Vec<Below>>,
    /// Every directory in it that was ever seen, in byte order of names. Changes when one is seen for the first time, and not
    /// with what they hold, so that a path can be looked up without reading what lies around it.
    #[returns(clone)]
    pub known: Arc<Vec<Directory>>,
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
    pub config: Arc<Config>,
    /// Which paths belong to which language, compiled from the configuration.
    #[returns(clone)]
    pub languages: Arc<LanguageMap>,
    /// What binding may cost, of the configuration: apart, so that no other change of it binds anything again.
    #[returns(copy)]
    pub binding: BindingConfig,
}

/// The root directory of the workspace that `db` holds.
pub fn root(db: &dyn crate::db::Db) -> Directory {
    Workspace::get(db).root(db)
}

fn file_heap((path, _, content): &(ProjectPath, Directory, Content)) -> usize {
    let content = match content {
        Content::Absent => 0,
        Content::Source(source) => size_of::<Source>() + source.text.heap_size(),
        Content::LeftOut(_) => size_of::<LeftOut>(),
    };
    path.as_str().len() + content
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
    path.as_str().len()
        + files.capacity() * size_of::<File>()
        + entries.capacity() * size_of::<FileEntry>()
        + sums.capacity() * size_of::<Arc<FileSummary>>()
        + below.capacity() * size_of::<Below>()
        + known.capacity() * size_of::<Directory>()
}

fn workspace_heap((_, name, ..): &(Directory, Arc<str>, Arc<Config>, Arc<LanguageMap>, BindingConfig)) -> usize {
    name.len() + size_of::<Config>() + size_of::<LanguageMap>()
}
