//! Files that a request asks for by glob, whatever the configuration and ignore files hide. What is never visible stays so:
//! `.git`, `.rift` and build folders, links, linked worktrees, and everything above the root.

use std::path::Path;
use std::sync::atomic::AtomicU64;

use rift_base::{Deadline, Interrupt, ProjectPath, SourceConfig};

use super::SourceRules;
use super::walk::{Ground, Task, Walker};
use crate::languages::LanguageMap;
use crate::pattern::PathPatterns;

/// The files that were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outside {
    /// At most as many as were wanted; in path order when they are all.
    pub files: Vec<ProjectPath>,
    /// All of them.
    pub count: u64,
}

/// Finds the files below `root` that `globs` match and that are not `known`, keeping the paths of at most `most`. Looks into the
/// directories that may hold some, one after another.
///
/// # Errors
/// The request was taken back, or its time is over.
pub fn find_outside(
    root: &Path,
    globs: &PathPatterns,
    languages: &LanguageMap,
    known: &dyn Fn(&ProjectPath) -> bool,
    most: usize,
    deadline: &Deadline,
) -> Result<Outside, Interrupt> {
    let rules = SourceRules {
        include: globs.clone(),
        exclude: PathPatterns::none(),
        force_include: PathPatterns::none(),
        respect_gitignore: false,
    };
    let source = SourceConfig { files: u64::MAX, ..SourceConfig::default() };
    let kept = AtomicU64::new(0);
    let ground = Ground { root, rules: &rules, languages, source: &source, watcher: None, kept: &kept };
    let mut walker = Walker::new(ground);
    let mut waiting = vec![Task::root()];
    let mut out = Outside::default();
    while let Some(task) = waiting.pop() {
        deadline.check()?;
        walker.directory(task);
        waiting.append(&mut walker.below);
        for file in walker.found.discovery.files.drain(..) {
            if !known(&file.path) {
                out.count += 1;
                if out.files.len() < most {
                    out.files.push(file.path);
                }
            }
        }
        walker.found.discovery.directories.clear();
        walker.found.discovery.omitted.clear();
    }
    out.files.sort_unstable();
    Ok(out)
}
