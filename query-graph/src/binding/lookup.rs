//! Paths to inputs, as queries ask: a path that is not there is an answer that a later file changes.

use query_graph_macros::query;
use rift_base::ProjectPath;

use crate::db::{Db, shared};
use crate::inputs::{Content, Directory, File, Workspace};
use crate::probe::{Subject, intern};
use crate::queries::subject;

/// A path that the layout of modules asks about.
#[salsa::interned(constructor = interned, unsafe(no_lifetime), revisions = usize::MAX, debug, heap_size = path_heap)]
#[derive(PartialOrd, Ord)]
pub struct PathKey {
    /// Relative to the workspace's root.
    pub path: ProjectPath,
}

impl PathKey {
    /// The key of `path`.
    pub fn new(db: &dyn Db, path: ProjectPath) -> Self {
        const KEY: Subject = subject("PathKey");
        let weigh = |key: Self| path_heap(&(key.path(db).clone(),));
        intern(db, KEY, size_of::<(ProjectPath,)>(), || Self::interned(db, path), weigh)
    }
}

fn path_heap((path,): &(ProjectPath,)) -> usize {
    path.as_str().len()
}

/// The directory at a path, when one was ever seen there. Reads the list of its parent; shields from files that come and go.
#[query(returns(copy), heap_size = shared)]
pub fn directory_at(db: &dyn Db, key: PathKey) -> Option<Directory> {
    let path = key.path(db);
    let Some(parent) = path.parent() else { return Some(Workspace::get(db).root(db)) };
    let above = directory_at(db, PathKey::new(db, parent))?;
    let known = above.known(db);
    let at = known.binary_search_by(|other| other.path(db).file_name().cmp(path.file_name())).ok()?;
    known.get(at).copied()
}

/// The visible file at a path. Reads the listing of its directory; shields from the other files there.
#[query(returns(copy), heap_size = shared)]
pub fn file_at(db: &dyn Db, key: PathKey) -> Option<File> {
    let path = key.path(db);
    let directory = directory_at(db, PathKey::new(db, path.parent()?))?;
    let files = directory.files(db);
    let at = files.binary_search_by(|other| other.path(db).file_name().cmp(path.file_name())).ok()?;
    files.get(at).copied().filter(|file| *file.content(db) != Content::Absent)
}
