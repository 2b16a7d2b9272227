//! Looking again at parts of a tree: single names, and everything below some directories.
//!
//! A directory's ignore rules are those of the directories above it, so the way down from the root is
//! taken first; a name that was visible before is spared that.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;

use rift_base::ProjectPath;

use super::walk::{Found, Ground, Task, Walker, walk};
use super::{CatalogError, Rules};
use crate::watch::Moved;

/// What is visible of what `moved` names.
pub(super) fn look(
    ground: Ground<'_>,
    moved: &Moved,
    known: &dyn Fn(&ProjectPath) -> bool,
) -> Result<Found, CatalogError> {
    let mut way = Way { ground, walker: Walker::new(ground), entered: HashMap::new() };
    let trees = outermost(&moved.trees);
    let starts: Vec<Task> = trees.iter().filter_map(|tree| way.task(tree)).collect();
    for file in &moved.files {
        // A tree's own name may be a file's now.
        if !trees.iter().any(|tree| file != tree && file.strip_prefix(tree).is_some()) {
            way.file(file, known(file));
        }
    }
    let mut found = way.walker.found;
    // What was met on the way down is left out already, and known.
    found.discovery.omitted.retain(|omission| {
        ProjectPath::new(&omission.path).map_or(true, |path| {
            moved.files.contains(&path) || trees.iter().any(|tree| path.strip_prefix(tree).is_some())
        })
    });
    found.discovery.rule_problems.clear();
    if !starts.is_empty() {
        let mut below = walk(ground, starts, 1)?;
        if let Some(watcher) = ground.watcher {
            below.discovery.directories.sort_unstable();
            trees.iter().for_each(|tree| watcher.keep(tree, &below.discovery.directories));
        }
        found.merge(below);
    }
    Ok(found)
}

/// The paths that lie below no other one.
fn outermost(trees: &BTreeSet<ProjectPath>) -> Vec<ProjectPath> {
    let mut out: Vec<ProjectPath> = Vec::new();
    for tree in trees {
        // A directory sorts before what is below it, but not directly: `a`, `a-b`, `a/c`.
        if !out.iter().any(|outer| tree.strip_prefix(outer).is_some()) {
            out.push(tree.clone());
        }
    }
    out
}

/// The way down from the root to what is looked at.
struct Way<'a> {
    ground: Ground<'a>,
    walker: Walker<'a>,
    /// The directories on the way, with the rules inside; none when one is not to be looked into.
    entered: HashMap<ProjectPath, Option<(Task, Rules)>>,
}

impl Way<'_> {
    /// The directory at `path` as a walk finds it; none when there is no such directory, or it is not to be looked into.
    fn task(&mut self, path: &ProjectPath) -> Option<Task> {
        let Some(parent) = path.parent() else { return Some(Task::root()) };
        let (above, rules) = self.enter(&parent)?;
        let full = self.ground.root.join(path.as_str());
        let metadata = std::fs::symlink_metadata(full).ok()?;
        if !metadata.is_dir() {
            // It may have become a file, which is an event of its own.
            return None;
        }
        self.walker.entry(&above, &rules, OsStr::new(path.file_name()), metadata.file_type(), || Ok(metadata));
        self.walker.below.pop()
    }

    fn enter(&mut self, path: &ProjectPath) -> Option<(Task, Rules)> {
        if let Some(known) = self.entered.get(path) {
            return known.clone();
        }
        let entered = self.task(path).and_then(|task| Some((task.clone(), self.walker.enter(&task, true, true)?)));
        self.entered.insert(path.clone(), entered.clone());
        entered
    }

    fn file(&mut self, path: &ProjectPath, known: bool) {
        let full = self.ground.root.join(path.as_str());
        let Ok(metadata) = std::fs::symlink_metadata(full) else { return };
        if metadata.is_dir() {
            return;
        }
        if known && metadata.is_file() {
            return self.walker.file(path.clone(), || Ok(metadata));
        }
        let Some(parent) = path.parent() else { return };
        let Some((above, rules)) = self.enter(&parent) else { return };
        self.walker.entry(&above, &rules, OsStr::new(path.file_name()), metadata.file_type(), || Ok(metadata));
    }
}
