//! Who is referred to most: the bindings of every file, counted behind the answers. The first count also brings all
//! bindings into memory, so that questions after it find them there.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use query_graph::{Derivation, PathKey, bindings, directory_manifest, file_at};
use rift_base::{Digest, ProjectPath};
use rustc_hash::FxHashMap;

use crate::host::Shared;
use crate::references::Target;

/// Levels of folders that count as modules: those of the map.
const MODULE_LEVELS: usize = 3;
/// The most counts of each kind that are kept.
const KEPT_MAX: usize = 256;
/// Attempts at one count while edits keep coming.
const ATTEMPTS: usize = 5;
/// What is waited between them.
const PAUSE: Duration = Duration::from_secs(1);

/// How often what is referred to, over one whole tree. Proven references alone count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceCounts {
    /// The tree that was counted.
    pub tree: Digest,
    /// What is referred to most, by count, then file and name.
    pub targets: Vec<(Target, u64)>,
    /// Pairs of folders, of at most three levels, the first of which refers to the second: by count, then names.
    pub folders: Vec<((ProjectPath, ProjectPath), u64)>,
}

/// The count, as requests and the thread share it.
#[derive(Default)]
pub(crate) struct Counting {
    counts: Mutex<Option<Arc<ReferenceCounts>>>,
    counted: Condvar,
    wake: Mutex<Option<Sender<()>>>,
    is_stopping: AtomicBool,
}

impl Counting {
    /// The newest count; absent before the first.
    pub(crate) fn counts(&self) -> Option<Arc<ReferenceCounts>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The newest count, after waiting for one of `tree`, at most so long. Absent where no thread counts.
    pub(crate) fn wait_for(&self, tree: Digest, at_most: Duration) -> Option<Arc<ReferenceCounts>> {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let lacks = |counts: &mut Option<Arc<ReferenceCounts>>| counts.as_ref().is_none_or(|c| c.tree != tree);
        let waited = self.counted.wait_timeout_while(counts, at_most, lacks);
        waited.unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    /// Whether a thread counts.
    pub(crate) fn is_counting(&self) -> bool {
        self.wake.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Asks for a count of the current tree. Nothing happens where no thread counts.
    pub(crate) fn raise(&self) {
        if let Some(wake) = &*self.wake.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = wake.send(());
        }
    }
}

/// The thread that counts. Dropped, it ends.
pub(crate) struct Counter {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Counter {
    pub(crate) fn start(shared: &Arc<Shared>) -> Self {
        let (sender, receiver) = channel();
        *shared.counting.wake.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        let woken = Arc::downgrade(shared);
        let run = move || run(&woken, &receiver);
        let thread = crate::behind::spawn("rift-references", run);
        Self { shared: shared.clone(), thread }
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        let counting = &self.shared.counting;
        counting.is_stopping.store(true, Ordering::Relaxed);
        *counting.wake.lock().unwrap_or_else(PoisonError::into_inner) = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(shared: &Weak<Shared>, woken: &Receiver<()>) {
    while woken.recv().is_ok() {
        while woken.try_recv().is_ok() {}
        for _ in 0..ATTEMPTS {
            let Some(shared) = shared.upgrade() else { return };
            if shared.counting.is_stopping.load(Ordering::Relaxed) || count(&shared) {
                break;
            }
            drop(shared);
            // A wait that the host's end cuts short.
            if woken.recv_timeout(PAUSE) == Err(RecvTimeoutError::Disconnected) {
                return;
            }
        }
    }
}

/// Counts the current tree, and keeps the count. False when the tree moved on before the end.
fn count(shared: &Shared) -> bool {
    let current = shared.current();
    let known = shared.counting.counts().is_some_and(|counts| counts.tree == current.tree.digest);
    if known || current.preparation.is_some() || !current.config.binding.enabled {
        return true;
    }
    let mut paths = Vec::new();
    current.tree.walk(&mut |entry| {
        if entry.place.as_ref().is_some_and(|place| place.parsed_as.is_some()) {
            paths.push(entry.path.clone());
        }
    });
    let mut targets: FxHashMap<Target, u64> = FxHashMap::default();
    let mut folders: FxHashMap<(ProjectPath, ProjectPath), u64> = FxHashMap::default();
    for path in &paths {
        if shared.counting.is_stopping.load(Ordering::Relaxed) {
            return true;
        }
        let Some(found) = of_file(shared, current.tree.digest, path) else { return false };
        let from = module(path);
        for (target, count) in found {
            let to = module(&target.path);
            if to != from {
                *folders.entry((from.clone(), to)).or_default() += count;
            }
            *targets.entry(target).or_default() += count;
        }
    }
    let counts = ReferenceCounts { tree: current.tree.digest, targets: most(targets), folders: most(folders) };
    *shared.counting.counts.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(counts));
    shared.counting.counted.notify_all();
    true
}

/// What one file refers to, and how often. Absent when the database holds another tree.
fn of_file(shared: &Shared, tree: Digest, path: &ProjectPath) -> Option<Vec<(Target, u64)>> {
    shared.gate.read(|db| {
        if directory_manifest(db, query_graph::root(db)).digest != tree {
            return None;
        }
        let Some(file) = file_at(db, PathKey::new(db, path.clone())) else { return Some(Vec::new()) };
        let found = bindings(db, file);
        let mut counts = vec![0u64; found.targets.len()];
        for bound in found.bound.iter().filter(|bound| bound.derivation == Derivation::Syntax) {
            if let Some(count) = counts.get_mut(bound.target as usize) {
                *count += 1;
            }
        }
        let named =
            found.targets.iter().zip(counts).filter(|(_, count)| *count > 0).map(|(key, count)| {
                (Target { path: key.file(db).path(db).clone(), name: key.path(db).clone() }, count)
            });
        Some(named.collect())
    })
}

/// The folder that stands for a file among the map's modules.
fn module(path: &ProjectPath) -> ProjectPath {
    let mut folder = path.parent().unwrap_or_else(ProjectPath::root);
    while folder.segments().count() > MODULE_LEVELS
        && let Some(above) = folder.parent()
    {
        folder = above;
    }
    folder
}

/// The largest counts, then by key.
fn most<K: Ord>(counts: FxHashMap<K, u64>) -> Vec<(K, u64)> {
    let mut sorted: Vec<(K, u64)> = counts.into_iter().collect();
    sorted.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sorted.truncate(KEPT_MAX);
    sorted
}
