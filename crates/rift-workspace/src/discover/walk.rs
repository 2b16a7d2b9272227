//! The walk itself: directories are tasks on a shared stack; each thread gathers what it finds and the
//! parts are put together at the end.

use std::ffi::{OsStr, OsString};
use std::fs::{DirEntry, FileType, Metadata};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rift_base::{Language, ProjectPath, SourceConfig};

use super::{CatalogError, Discovery, FileEntry, Omission, OmissionReason, RuleProblem, Rules, SourceRules};
use crate::binary::is_binary_name;
use crate::git::Checkout;
use crate::ignore_rules::IgnoreRules;
use crate::languages::{LanguageConflict, LanguageMap};
use crate::read::describe;
use crate::stamp::FileStamp;
use crate::watch::Watcher;

/// The most threads a walk uses; more only wait for each other.
const THREADS_MAX: usize = 16;

/// A directory to look into.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) path: ProjectPath,
    /// The rules that hold around it.
    rules: Rules,
    /// Whether the directory is hidden, so that only `force_include` shows files in it.
    hidden: bool,
}

impl Task {
    /// The root, around which no rules hold.
    pub(super) fn root() -> Self {
        Self { path: ProjectPath::root(), rules: None, hidden: false }
    }
}

/// What every thread of a walk shares.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) root: &'a Path,
    pub(super) rules: &'a SourceRules,
    pub(super) languages: &'a LanguageMap,
    pub(super) source: &'a SourceConfig,
    /// Told of each directory before it is listed.
    pub(super) watcher: Option<&'a Watcher>,
    /// Files kept so far.
    pub(super) kept: &'a AtomicU64,
}

/// What a walk found, before bounds are checked and lists are sorted.
#[derive(Default)]
pub(super) struct Found {
    pub(super) discovery: Discovery,
    pub(super) file_count: u64,
    /// The conflict at the smallest path.
    pub(super) conflict: Option<LanguageConflict>,
    root_error: Option<String>,
}

impl Found {
    pub(super) fn merge(&mut self, other: Found) {
        let (into, from) = (&mut self.discovery, other.discovery);
        into.files.extend(from.files);
        into.directories.extend(from.directories);
        into.omitted.extend(from.omitted);
        into.rule_problems.extend(from.rule_problems);
        into.binary_files += from.binary_files;
        into.bytes += from.bytes;
        self.file_count += other.file_count;
        self.conflict = [self.conflict.take(), other.conflict].into_iter().flatten().min();
        self.root_error = self.root_error.take().or(other.root_error);
    }

    fn omit(&mut self, path: &str, reason: OmissionReason) {
        self.discovery.omitted.push(Omission { path: path.to_owned(), reason });
    }
}

/// Directories that wait, and how many are being looked into.
struct Queue {
    state: Mutex<(Vec<Task>, usize)>,
    changed: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, (Vec<Task>, usize)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next directory; none when all are done.
    fn take(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if let Some(task) = state.0.pop() {
                state.1 += 1;
                return Some(task);
            }
            if state.1 == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The work on one directory. Its end is counted even when it ends in a panic, so that no other thread
/// waits for it for good.
struct Busy<'a>(&'a Queue);

impl Busy<'_> {
    /// Hands over the directories found below.
    fn found(&self, below: &mut Vec<Task>) {
        if !below.is_empty() {
            self.0.lock().0.append(below);
        }
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.lock().1 -= 1;
        self.0.changed.notify_all();
    }
}

/// Walks everything below the directories of `start`.
pub(super) fn walk(ground: Ground<'_>, start: Vec<Task>, threads: usize) -> Result<Found, CatalogError> {
    let queue = Queue { state: Mutex::new((start, 0)), changed: Condvar::new() };
    let run = || {
        let mut walker = Walker::new(ground);
        while let Some(task) = queue.take() {
            let busy = Busy(&queue);
            walker.directory(task);
            busy.found(&mut walker.below);
        }
        walker.found
    };
    let found = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.clamp(1, THREADS_MAX)).map(|_| scope.spawn(run)).collect();
        let mut found = run();
        for other in others {
            match other.join() {
                Ok(part) => found.merge(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        found
    });
    match found.root_error {
        Some(error) => Err(CatalogError::Root { path: ground.root.display().to_string(), error }),
        None => Ok(found),
    }
}

/// A directory's entries with their names.
fn list(directory: &Path) -> io::Result<Vec<(OsString, DirEntry)>> {
    std::fs::read_dir(directory)?.map(|entry| entry.map(|entry| (entry.file_name(), entry))).collect()
}

/// One thread's part of a walk.
pub(super) struct Walker<'a> {
    ground: Ground<'a>,
    pub(super) found: Found,
    /// Directories found and not looked into yet.
    pub(super) below: Vec<Task>,
    /// The path of the entry at hand; kept for its memory.
    path: String,
}

impl<'a> Walker<'a> {
    pub(super) fn new(ground: Ground<'a>) -> Self {
        Self { ground, found: Found::default(), below: Vec::new(), path: String::new() }
    }

    /// Looks into one directory.
    pub(super) fn directory(&mut self, task: Task) {
        let full = self.ground.root.join(task.path.as_str());
        // Watched first, then listed: what comes in between is an event.
        if let Some(watcher) = self.ground.watcher {
            watcher.directory(&task.path, &full);
        }
        let entries = match list(&full) {
            Ok(entries) => entries,
            Err(error) => return self.unreadable_directory(&task, &error),
        };
        let has = |name: &str| entries.iter().any(|(entry, _)| entry == name);
        let Some(rules) = self.enter(&task, has(".git"), has(".gitignore")) else { return };
        for (name, entry) in entries {
            let Ok(kind) = entry.file_type() else { continue };
            self.entry(&task, &rules, &name, kind, || entry.metadata());
        }
        self.found.discovery.directories.push(task.path);
    }

    fn unreadable_directory(&mut self, task: &Task, error: &io::Error) {
        if task.path.is_root() {
            self.found.root_error = Some(describe(error));
        } else if error.kind() != io::ErrorKind::NotFound {
            self.found.omit(task.path.as_str(), OmissionReason::Unreadable(describe(error)));
        }
    }

    /// The ignore rules inside a directory that may hold `.git` and a `.gitignore`; none when it is not to be looked into.
    pub(super) fn enter(&mut self, task: &Task, git: bool, gitignore: bool) -> Option<Rules> {
        let full = self.ground.root.join(task.path.as_str());
        let respects = self.ground.rules.respect_gitignore && !task.hidden;
        let mut rules = task.rules.clone();
        if git && let Some(checkout) = Checkout::of(&full) {
            if checkout.linked && !task.path.is_root() {
                self.found.omit(task.path.as_str(), OmissionReason::LinkedWorktree);
                return None;
            }
            if let Some(watcher) = self.ground.watcher {
                watcher.checkout(&task.path, &checkout);
            }
            // A repository answers to its own rules only.
            if respects {
                rules = self.read_rules(&checkout.exclude, task, None);
            }
        }
        if respects && gitignore {
            rules = self.read_rules(&full.join(".gitignore"), task, rules);
        }
        Some(rules)
    }

    fn read_rules(&mut self, file: &Path, task: &Task, outer: Rules) -> Rules {
        let mut problems = Vec::new();
        let rules = IgnoreRules::read(file, task.path.as_str(), outer, &mut problems);
        if !problems.is_empty() {
            let file = file.strip_prefix(self.ground.root).unwrap_or(file).display().to_string();
            let named = problems.into_iter().map(|problem| RuleProblem { file: file.clone(), problem });
            self.found.discovery.rule_problems.extend(named);
        }
        rules
    }

    /// Looks at the entry `name` of the directory of `task`, inside which `rules` hold.
    pub(super) fn entry(
        &mut self,
        task: &Task,
        rules: &Rules,
        name: &OsStr,
        kind: FileType,
        metadata: impl FnOnce() -> io::Result<Metadata>,
    ) {
        if name == ".git" || name == ".rift" || kind.is_symlink() {
            return;
        }
        let shown = name.to_string_lossy();
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        if !task.path.is_root() {
            path.push_str(task.path.as_str());
            path.push('/');
        }
        path.push_str(&shown);
        let is_dir = kind.is_dir();
        let mut hides = None;
        let mut hidden =
            || *hides.get_or_insert_with(|| task.hidden || rules.as_ref().is_some_and(|r| r.hides(&path, is_dir)));
        let visible = if is_dir {
            self.ground.rules.enters(&path, hidden())
        } else {
            self.ground.rules.shows(&path, &mut hidden)
        };
        if visible {
            let project_path = (name.to_str().is_some()).then(|| ProjectPath::new(&path).ok()).flatten();
            match project_path {
                None => self.found.omit(&path, OmissionReason::Name),
                Some(_) if is_dir && name == "target" => self.found.omit(&path, OmissionReason::BuildDirectory),
                Some(below) if is_dir => {
                    let hidden = hidden();
                    self.below.push(Task { path: below, rules: if hidden { None } else { rules.clone() }, hidden });
                }
                Some(_) if !kind.is_file() => self.found.omit(&path, OmissionReason::NotRegular),
                Some(file) => self.file(file, metadata),
            }
        }
        self.path = path;
    }

    /// Takes in a file that the rules show.
    pub(super) fn file(&mut self, path: ProjectPath, metadata: impl FnOnce() -> io::Result<Metadata>) {
        let language = match self.ground.languages.entry(path.as_str()) {
            Ok(claim) => claim,
            Err(conflict) => {
                self.found.conflict = [self.found.conflict.take(), Some(conflict)].into_iter().flatten().min();
                None
            }
        };
        if language.is_none() && is_binary_name(path.file_name()) {
            self.found.discovery.binary_files += 1;
            return;
        }
        let metadata = match metadata() {
            Ok(metadata) if metadata.is_file() => metadata,
            // It vanished, or something else took its place, since the directory was listed.
            Ok(_) => return,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => {
                return self.found.omit(path.as_str(), OmissionReason::Unreadable(describe(&error)));
            }
        };
        let stamp = FileStamp::of(&metadata);
        let language: Option<Language> = language.filter(|e| e.enabled).map(|e| e.language.clone());
        self.found.file_count += 1;
        self.found.discovery.bytes = self.found.discovery.bytes.saturating_add(stamp.size);
        if self.ground.kept.fetch_add(1, Ordering::Relaxed) < self.ground.source.files {
            self.found.discovery.files.push(FileEntry { path, stamp, language });
        }
    }
}
