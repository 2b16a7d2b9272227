//! What manifests, lockfiles and pins state about packages: read per file, gathered per directory.

use std::collections::BTreeMap;
use std::sync::Arc;

use query_graph_macros::query;
use rift_base::ProjectPath;
use rift_workspace::{DependencyFile, StatedDependencies, parse_dependencies};

use crate::db::Db;
use crate::inputs::{Content, File};

/// The most files of one kind that one summary holds; the first in path order.
pub const DEPENDENCY_FILES_MAX: usize = 256;

/// What a manifest, a lockfile or a pin states about packages. Reads the file's content; shields its folder's sums from edits
/// that keep what it states. Absent for every other file.
#[query(returns(clone), heap_size = stated_heap)]
pub fn stated_dependencies(db: &dyn Db, file: File) -> Option<Arc<StatedDependencies>> {
    let Content::Source(source) = file.content(db) else { return None };
    let name = file.path(db).file_name();
    // Before the text is unpacked.
    DependencyFile::of(name)?;
    parse_dependencies(name, &source.text.get()).map(Arc::new)
}

fn stated_heap(stated: &Option<Arc<StatedDependencies>>) -> usize {
    stated.as_ref().map_or(0, |stated| size_of::<StatedDependencies>() + stated.heap_size())
}

/// Files of one kind: the first in path order with what they state, and how many in all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StatedFiles {
    /// At most [`DEPENDENCY_FILES_MAX`], in path order.
    pub files: Vec<(ProjectPath, Arc<StatedDependencies>)>,
    /// All files of the kind.
    pub count: u64,
}

/// By kind of file.
pub type DependencyFiles = BTreeMap<DependencyFile, StatedFiles>;

/// Adds one file.
pub(crate) fn add_file(files: &mut DependencyFiles, path: &ProjectPath, stated: &Arc<StatedDependencies>) {
    let slot = files.entry(stated.file).or_default();
    slot.count += 1;
    slot.files.push((path.clone(), stated.clone()));
}

/// Adds those of a directory below.
pub(crate) fn add(files: &mut DependencyFiles, below: &DependencyFiles) {
    for (kind, stated) in below {
        let slot = files.entry(*kind).or_default();
        slot.count += stated.count;
        slot.files.extend(stated.files.iter().cloned());
    }
}

/// Sorts and bounds them; what a level drops has that many others before it.
pub(crate) fn settle(files: &mut DependencyFiles) {
    for stated in files.values_mut() {
        stated.files.sort_by(|a, b| a.0.cmp(&b.0));
        stated.files.truncate(DEPENDENCY_FILES_MAX);
    }
}

/// Bytes on the heap, without what files state, which their own memos count.
pub(crate) fn heap_size(files: &DependencyFiles) -> usize {
    let held = |stated: &StatedFiles| stated.files.capacity() * size_of::<(ProjectPath, Arc<StatedDependencies>)>();
    files.values().map(held).sum()
}
