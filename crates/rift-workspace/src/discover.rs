//! Discovery: which files a workspace has.
//!
//! The order of the rules, for each path:
//!
//! 1. `.git` and `.rift`, at any depth and of any kind, and *directories* named `target`, at any depth, are never
//!    visible; nothing in the configuration brings them back. A file named `target` is a file like any other.
//! 2. Symbolic links are neither followed nor listed. A linked worktree inside the tree is left out; a submodule's
//!    checkout and any other repository inside the tree is walked.
//! 3. `[source] exclude` drops a file.
//! 4. `[source] force_include` keeps one, past the two rules that follow.
//! 5. The workspace's own .gitignore files and `.git/info/exclude` hide it, unless `respect_gitignore` is off. As in git, a
//!    repository inside the tree answers to its own rules only, and nothing below a hidden directory can be shown again by them.
//!    Global rules, those above the root, and those of other tools (.ignore) are not read.
//! 6. `[source] include` must match, when there is any.
//!
//! Files whose extension stands for a binary format and that no language claims are counted instead of listed. Whatever else is left out
//! for a reason of its own (a name that is not UTF-8, a directory that cannot be read) is reported.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use rift_base::{Config, Language, ProjectPath, SourceConfig};

use crate::languages::{LanguageConflict, LanguageMap};
use crate::pattern::{PathPatterns, PatternError};
use crate::stamp::FileStamp;
use crate::watch::{Moved, Watcher};

mod look;
mod outside;
mod walk;

pub use outside::{Outside, find_outside};

/// One visible file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEntry {
    /// Its path.
    pub path: ProjectPath,
    /// What the file system says about it.
    pub stamp: FileStamp,
    /// The enabled language that claims it.
    pub language: Option<Language>,
}

/// Everything a walk found. Every list is sorted by path bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Discovery {
    /// The visible files.
    pub files: Vec<FileEntry>,
    /// Every directory that was looked into, the root included: what a watcher must watch.
    pub directories: Vec<ProjectPath>,
    /// What was left out though no rule of the user's hides it.
    pub omitted: Vec<Omission>,
    /// Rules in ignore files that do not hold.
    pub rule_problems: Vec<RuleProblem>,
    /// Files left out because their extension stands for a binary format.
    pub binary_files: u64,
    /// Bytes of the visible files.
    pub bytes: u64,
}

/// Something left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Omission {
    /// Its path, for people: bytes that are not UTF-8 are replaced.
    pub path: String,
    /// Why.
    pub reason: OmissionReason,
}

/// Why something was left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum OmissionReason {
    /// Its name is not UTF-8, or holds a control character or a backslash, or its path is too long.
    Name,
    /// A pipe, a socket or a device.
    NotRegular,
    /// A directory that is a linked worktree of some repository.
    LinkedWorktree,
    /// A directory named `target`.
    BuildDirectory,
    /// The system refused to list the directory or to describe the file.
    Unreadable(String),
}

impl std::fmt::Display for OmissionReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OmissionReason::Name => f.write_str(
                "a name that is not UTF-8, holds a control character or a backslash, or makes the path too long",
            ),
            OmissionReason::NotRegular => f.write_str("not a regular file"),
            OmissionReason::LinkedWorktree => f.write_str("a linked worktree"),
            OmissionReason::BuildDirectory => f.write_str("a build directory"),
            OmissionReason::Unreadable(error) => write!(f, "unreadable: {error}"),
        }
    }
}

/// A rule that does not hold, or an ignore file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleProblem {
    /// The ignore file: below the root when it lies there.
    pub file: String,
    /// What is wrong.
    pub problem: String,
}

/// A catalog that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CatalogError {
    /// More files or bytes than the configuration allows.
    #[error(
        "workspace past its bound: key {key}, limit {limit}, required {required}; raise the key in rift.toml, or leave files out with source.exclude or .gitignore"
    )]
    LimitExceeded {
        /// The key: `source.files` or `source.workspace_size`.
        key: &'static str,
        /// Its value.
        limit: u64,
        /// What the workspace needs.
        required: u64,
    },
    /// Two language entries claim a path.
    #[error(transparent)]
    Language(#[from] LanguageConflict),
    /// A pattern of `[source]` that does not compile; [`crate::load_config`] reports it with its place first.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// The root cannot be listed.
    #[error("workspace root unreadable: path {path}, cause {error}; check its permissions")]
    Root {
        /// The root.
        path: String,
        /// What the system said.
        error: String,
    },
}

/// The rules of `[source]`, compiled.
#[derive(Debug)]
pub(crate) struct SourceRules {
    include: PathPatterns,
    exclude: PathPatterns,
    force_include: PathPatterns,
    respect_gitignore: bool,
}

impl SourceRules {
    fn new(source: &SourceConfig) -> Result<Self, PatternError> {
        Ok(Self {
            include: PathPatterns::new(&source.include)?,
            exclude: PathPatterns::new(&source.exclude)?,
            force_include: PathPatterns::new(&source.force_include)?,
            respect_gitignore: source.respect_gitignore,
        })
    }

    /// Whether a file is visible. `hidden` is evaluated only when it decides.
    fn shows(&self, path: &str, hidden: impl FnOnce() -> bool) -> bool {
        if self.exclude.matches(path) {
            return false;
        }
        if self.force_include.matches(path) {
            return true;
        }
        !hidden() && (self.include.is_empty() || self.include.matches(path))
    }

    /// Whether a directory is worth looking into.
    fn enters(&self, path: &str, hidden: bool) -> bool {
        if self.exclude.matches_all_below(path) {
            return false;
        }
        self.force_include.may_match_below(path)
            || (!hidden && (self.include.is_empty() || self.include.may_match_below(path)))
    }
}

/// Finds every visible file below `root`, which should be canonical, with up to `threads` threads. The result does not depend
/// on their number. Refuses when a bound of `[source]` is passed, or when two languages claim one path.
pub fn discover(
    root: &std::path::Path,
    config: &Config,
    languages: &LanguageMap,
    threads: usize,
) -> Result<Discovery, CatalogError> {
    discover_watched(root, config, languages, threads, None)
}

/// As [`discover`]; `watcher` watches each directory before it is listed, and afterwards no other one.
pub fn discover_watched(
    root: &std::path::Path,
    config: &Config,
    languages: &LanguageMap,
    threads: usize,
    watcher: Option<&Watcher>,
) -> Result<Discovery, CatalogError> {
    let rules = SourceRules::new(&config.source)?;
    let kept = AtomicU64::new(0);
    let ground = walk::Ground { root, rules: &rules, languages, source: &config.source, watcher, kept: &kept };
    let found = walk::walk(ground, vec![walk::Task::root()], threads)?;
    check_bounds(&config.source, found.file_count, found.discovery.bytes)?;
    let discovery = finish(found)?;
    if let Some(watcher) = watcher {
        watcher.keep(&ProjectPath::root(), &discovery.directories);
    }
    Ok(discovery)
}

/// Looks again at what `moved` names, and only there: the files that are visible now among those it names and below its
/// trees, the directories looked into, and what was left out. `known` says which files were visible before; that holds
/// for a file as long as no tree with it is named. No bound is checked: see [`check_bounds`].
pub fn look_again(
    root: &std::path::Path,
    config: &Config,
    languages: &LanguageMap,
    watcher: Option<&Watcher>,
    moved: &Moved,
    known: &dyn Fn(&ProjectPath) -> bool,
) -> Result<Discovery, CatalogError> {
    let rules = SourceRules::new(&config.source)?;
    let kept = AtomicU64::new(0);
    let ground = walk::Ground { root, rules: &rules, languages, source: &config.source, watcher, kept: &kept };
    finish(look::look(ground, moved, known)?)
}

/// Refuses more files or bytes than `source` allows.
pub fn check_bounds(source: &SourceConfig, files: u64, bytes: u64) -> Result<(), CatalogError> {
    for (key, limit, required) in
        [("source.files", source.files, files), ("source.workspace_size", source.workspace_size, bytes)]
    {
        if required > limit {
            return Err(CatalogError::LimitExceeded { key, limit, required });
        }
    }
    Ok(())
}

/// Refuses a conflict, and sorts.
fn finish(found: walk::Found) -> Result<Discovery, CatalogError> {
    if let Some(conflict) = found.conflict {
        return Err(conflict.into());
    }
    let mut discovery = found.discovery;
    discovery.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    discovery.directories.sort_unstable();
    discovery.omitted.sort_unstable();
    discovery.rule_problems.sort_unstable();
    Ok(discovery)
}

/// Shared by the walk's modules: a directory's ignore state.
type Rules = Option<Arc<crate::ignore_rules::IgnoreRules>>;

#[cfg(test)]
mod tests;
