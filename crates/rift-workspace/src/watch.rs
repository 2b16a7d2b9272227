//! Watching the tree: what moved since it was looked at last.
//!
//! On Linux an inotify queue (inotify(7)) is drained: the event of every write that has returned is in the queue
//! already, so an empty queue says that nothing moved, in a few microseconds and without a mark in the user's tree. Only
//! directories that discovery looks into are watched. Discovery watches each one before it lists it, so what
//! comes into a directory is either listed or an event. Elsewhere, and when the system refuses, the caller is told to look at the
//! tree itself.
//!
//! Nothing is decided here: [`Moved`] names what to look at again, and a name too many costs a look.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rift_base::ProjectPath;

use crate::git::Checkout;

#[cfg(target_os = "linux")]
mod queue;
#[cfg(not(target_os = "linux"))]
#[path = "watch/without.rs"]
mod queue;
mod wake;

use queue::Queue;
use wake::Wake;

/// A file that was written to and not closed is taken as it is after this long: its writer keeps it open.
pub const WRITER_PATIENCE: Duration = Duration::from_secs(1);
/// Files held open by writers that are remembered; past that, those waited for long enough are forgotten.
const WRITERS_MAX: usize = 4096;

/// How a tree is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WatchMode {
    /// By events, where the system has them.
    #[default]
    Events,
    /// Not at all: the caller looks at the tree itself.
    Scanning,
}

/// How the watcher finds out what moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchKind {
    /// From an inotify queue.
    Inotify,
    /// Not at all; the tree is looked at instead.
    Scanning(ScanReason),
}

/// Why a tree is looked at instead of being watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScanReason {
    /// The caller asked for it.
    Requested,
    /// No way to watch is built in for this system.
    Unsupported,
    /// The user's watches are used up (`fs.inotify.max_user_watches`).
    WatchLimit,
    /// The root is not the directory any more that was watched.
    RootLost,
    /// The system refused, in its words.
    Refused(String),
}

impl std::fmt::Display for ScanReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ScanReason::Requested => f.write_str("watching is switched off"),
            ScanReason::Unsupported => f.write_str("watching is not supported on this system"),
            ScanReason::WatchLimit => f.write_str("fs.inotify.max_user_watches is used up; raise it"),
            ScanReason::RootLost => f.write_str("the root was moved or replaced"),
            ScanReason::Refused(cause) => write!(f, "the system refused: {cause}"),
        }
    }
}

/// The watcher's state, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchStatus {
    /// How it finds out what moved.
    pub kind: WatchKind,
    /// Directories watched.
    pub directories: u64,
    /// The most watches that the user may have, where the system says.
    pub watches_max: Option<u64>,
    /// How often events were lost because the queue was full.
    pub overflows: u64,
}

/// What to look at again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Moved {
    /// Names that came, went or changed.
    pub files: BTreeSet<ProjectPath>,
    /// Directories that came, went or changed, or whose ignore rules did: with everything below.
    pub trees: BTreeSet<ProjectPath>,
    /// Whether the root's `rift.toml` came, went or changed.
    pub config: bool,
    /// Whether events were lost: everything is to be looked at.
    pub all: bool,
}

impl Moved {
    /// Whether nothing moved.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.trees.is_empty() && !self.config && !self.all
    }

    /// Takes in what `other` names.
    pub fn merge(&mut self, other: Moved) {
        self.files.extend(other.files);
        self.trees.extend(other.trees);
        self.config |= other.config;
        self.all |= other.all;
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.files.len() + self.trees.len()
    }
}

/// Watches one workspace. All methods may be called from any thread.
pub struct Watcher {
    root: PathBuf,
    state: Mutex<State>,
    wake: Wake,
}

struct State {
    /// Absent while the tree is not watched.
    queue: Option<Queue>,
    /// Why there is no queue.
    reason: ScanReason,
    overflows: u64,
    /// The device and inode of the watched root.
    root: Option<(u64, u64)>,
    /// Files that were written to and not closed since, with the time of the first write.
    writing: BTreeMap<ProjectPath, Instant>,
    /// The git directory of each checkout in the tree, by the checkout's directory.
    git_dirs: BTreeMap<ProjectPath, PathBuf>,
    /// The git directory of the repository that the root lies in, when that begins above the root.
    outer_git_dir: Option<PathBuf>,
    drop_events: bool,
    /// Directories past which watching ends, in place of the system's bound.
    directories_max: Option<u64>,
}

impl Watcher {
    /// A watcher of the tree below `root`, which should be canonical. Nothing is watched until discovery runs with it.
    pub fn new(root: &Path, mode: WatchMode) -> Self {
        let outer = root.ancestors().skip(1).find_map(Checkout::of).map(|checkout| checkout.git_dir);
        let mut state = State {
            queue: None,
            reason: ScanReason::Requested,
            overflows: 0,
            root: None,
            writing: BTreeMap::new(),
            git_dirs: BTreeMap::new(),
            outer_git_dir: outer,
            drop_events: false,
            directories_max: None,
        };
        let wake = Wake::new();
        if mode == WatchMode::Events {
            state.open(root, &wake);
        }
        Self { root: root.to_owned(), state: Mutex::new(state), wake }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether events tell what moved. Otherwise [`Watcher::drain`] never names anything.
    pub fn is_watching(&self) -> bool {
        self.lock().queue.is_some()
    }

    /// Tries to watch again after a failure. The tree must be discovered anew with this watcher; until then events are missing.
    /// Answers whether that has any use.
    pub fn restart(&self) -> bool {
        let mut state = self.lock();
        if state.queue.is_some() || matches!(state.reason, ScanReason::Requested | ScanReason::Unsupported) {
            return false;
        }
        state.open(&self.root, &self.wake);
        state.queue.is_some()
    }

    /// What moved since the last call. Everything that a write changed which returned before this call is in this
    /// answer, or was in an earlier one.
    pub fn drain(&self) -> Moved {
        let mut moved = Moved::default();
        let mut state = self.lock();
        if state.queue.is_none() {
            return moved;
        }
        let here = identity(&self.root);
        if here != state.root {
            state.close(ScanReason::RootLost);
            moved.all = true;
            return moved;
        }
        let State { queue: Some(queue), writing, .. } = &mut *state else { return moved };
        let outcome = queue.drain(&self.root, &mut moved, writing);
        if moved.all {
            state.overflows += 1;
            state.writing.clear();
        }
        if let Err(reason) = outcome {
            state.close(reason);
            moved.all = true;
        }
        if state.writing.len() > WRITERS_MAX {
            state.writing.retain(|_, since| since.elapsed() < WRITER_PATIENCE);
        }
        if state.drop_events {
            return Moved::default();
        }
        moved
    }

    /// Of `files`, those whose writer is not done yet, as far as events tell. Writers that keep a file open are waited for no
    /// longer than [`WRITER_PATIENCE`].
    pub fn unfinished(&self, files: &BTreeSet<ProjectPath>) -> BTreeSet<ProjectPath> {
        let state = self.lock();
        let young =
            |path: &&ProjectPath| state.writing.get(path).is_some_and(|since| since.elapsed() < WRITER_PATIENCE);
        if state.writing.len() < files.len() {
            state.writing.keys().filter(|path| files.contains(path)).filter(young).cloned().collect()
        } else {
            files.iter().filter(young).cloned().collect()
        }
    }

    /// Waits until something moves, [`Watcher::wake`] is called, or `timeout` has passed.
    pub fn wait(&self, timeout: Option<Duration>) {
        let events = self.lock().queue.as_ref().map(Queue::handle);
        self.wake.wait(events.as_ref(), timeout);
    }

    /// Ends the running or the next [`Watcher::wait`].
    pub fn wake(&self) {
        self.wake.signal();
    }

    /// The lock files of the git directories that the tree's files are written from: while one exists, git writes.
    pub fn git_locks(&self) -> Vec<PathBuf> {
        let state = self.lock();
        state.outer_git_dir.iter().chain(state.git_dirs.values()).map(|dir| dir.join("index.lock")).collect()
    }

    /// The watcher's state.
    pub fn status(&self) -> WatchStatus {
        let state = self.lock();
        let kind = match &state.queue {
            Some(_) => WatchKind::Inotify,
            None => WatchKind::Scanning(state.reason.clone()),
        };
        WatchStatus {
            kind,
            directories: state.queue.as_ref().map_or(0, Queue::directories),
            watches_max: queue::watches_max(),
            overflows: state.overflows,
        }
    }

    /// A fault for tests: events are read and thrown away.
    #[doc(hidden)]
    pub fn drop_events(&self) {
        self.lock().drop_events = true;
    }

    /// A fault for tests: as if the user's watches were used up after `directories`.
    #[doc(hidden)]
    pub fn limit_directories(&self, directories: Option<u64>) {
        self.lock().directories_max = directories;
    }

    /// Watches a directory that is about to be listed.
    pub(crate) fn directory(&self, path: &ProjectPath, full: &Path) {
        let mut state = self.lock();
        let limit = state.directories_max;
        let Some(queue) = &mut state.queue else { return };
        let outcome = match limit.is_some_and(|max| queue.directories() >= max) {
            true => Err(ScanReason::WatchLimit),
            false => queue.watch(path, full),
        };
        if path.is_root() {
            state.root = identity(full);
        }
        if let Err(reason) = outcome {
            state.close(reason);
        }
    }

    /// Watches the rules that a checkout at `path` keeps outside the tree.
    pub(crate) fn checkout(&self, path: &ProjectPath, checkout: &Checkout) {
        let mut state = self.lock();
        state.git_dirs.insert(path.clone(), checkout.git_dir.clone());
        let (Some(queue), Some(info)) = (&mut state.queue, checkout.exclude.parent()) else { return };
        if let Err(reason) = queue.watch_rules(path, info) {
            state.close(reason);
        }
    }

    /// Drops what is watched at and below `below` and is not in `keep`, which is sorted.
    pub(crate) fn keep(&self, below: &ProjectPath, keep: &[ProjectPath]) {
        let mut state = self.lock();
        let kept = |path: &ProjectPath| keep.binary_search(path).is_ok();
        state.git_dirs.retain(|path, _| path.strip_prefix(below).is_none() || kept(path));
        if let Some(queue) = &mut state.queue {
            queue.forget(below, kept);
        }
    }
}

impl State {
    /// Opens a queue and watches the root, so that a configuration file that comes is an event.
    fn open(&mut self, root: &Path, wake: &Wake) {
        let opened = Queue::open(wake).and_then(|mut queue| {
            // First the watch: a directory that takes the root's place afterwards is told from it.
            queue.watch(&ProjectPath::root(), root)?;
            self.root = identity(root);
            self.root.map(|_| queue).ok_or(ScanReason::RootLost)
        });
        match opened {
            Ok(queue) => self.queue = Some(queue),
            Err(reason) => self.reason = reason,
        }
    }

    fn close(&mut self, reason: ScanReason) {
        self.queue = None;
        self.reason = reason;
        self.writing.clear();
    }
}

/// What tells one directory from another.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::symlink_metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
