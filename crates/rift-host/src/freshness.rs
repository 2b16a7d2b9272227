//! Whether the publication is the tree.
//!
//! One thread, the lane's, follows the tree: it waits for events, looks at what they name and publishes. A read of the
//! current tree drains the events itself, which takes microseconds, and so knows of every write that returned before; it waits
//! until the lane has published as far, or says that its answer is behind. What is known to have moved is counted by
//! tickets: `seen` is the last one given out, `done` the last one that the publication covers.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rift_base::{Deadline, ProjectPath};
use rift_workspace::{Moved, WatchMode, Watcher};

use crate::error::HostError;

/// How a host keeps up with its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Following {
    /// By events where the system has them, else by looking at the tree before each read.
    #[default]
    Events,
    /// By looking at the tree before each read.
    Scanning,
    /// Not at all: the caller says what moved ([`crate::Host::refresh`], [`crate::Host::rescan`]).
    Told,
}

/// Faults for tests: each makes answers wrong in a way that a comparison with a fresh host shows.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults {
    /// Events are read and thrown away.
    pub drop_events: bool,
    /// Directories and ignore files that changed are not walked again.
    pub skip_invalidation: bool,
    /// An edited file keeps the rows that it had for patterns.
    pub forget_rows: bool,
    /// Watches are used up after so many directories. This one is no fault of the host's: answers stay right.
    pub watches_max: Option<u64>,
}

/// The longest wait for one writer that is not done, over all files of a batch.
const WRITERS_WAIT: Duration = Duration::from_secs(2);
/// How long the lane sleeps between two looks at something that makes no event.
const PAUSE: Duration = Duration::from_millis(2);

/// How often a resting lane empties the queue of events, which is bounded.
const DRAIN_EVERY: Duration = Duration::from_millis(20);

/// What the lane and the readers share.
pub(crate) struct Freshness {
    pub(crate) watcher: Watcher,
    pub(crate) following: Following,
    pub(crate) faults: Faults,
    standing: Mutex<Standing>,
    changed: Condvar,
    /// The lane is wanted.
    called: Condvar,
}

/// How far the lane has got.
#[derive(Default)]
pub(crate) struct Standing {
    /// What moved and the lane has not taken yet.
    waiting: Moved,
    /// What the lane has taken and not published yet.
    taken: Moved,
    /// What moved since [`Freshness::mark`].
    marked: Moved,
    seen: u64,
    done: u64,
    /// The last ticket that a reader waits for.
    asked: u64,
    /// The last attempt's failure; it stands until one succeeds.
    pub(crate) failure: Option<Arc<HostError>>,
    /// What was taken for attempts that failed.
    lost: Moved,
    /// Files that changed whenever they were read for the publication.
    pub(crate) restless: Vec<ProjectPath>,
    stopped: bool,
}

impl Standing {
    /// What is not in the publication, as far as is known.
    pub(crate) fn behind(&self) -> Moved {
        let mut behind = self.lost.clone();
        behind.merge(self.taken.clone());
        behind.merge(self.waiting.clone());
        behind
    }
}

impl Freshness {
    pub(crate) fn new(root: &std::path::Path, following: Following, faults: Faults) -> Self {
        let mode = if following == Following::Events { WatchMode::Events } else { WatchMode::Scanning };
        let watcher = Watcher::new(root, mode);
        if faults.drop_events {
            watcher.drop_events();
        }
        watcher.limit_directories(faults.watches_max);
        let (changed, called) = (Condvar::new(), Condvar::new());
        Self { watcher, following, faults, standing: Mutex::default(), changed, called }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drains events into `standing`. Answers whether there were any.
    fn drain(&self, standing: &mut Standing) -> bool {
        let mut moved = self.watcher.drain();
        if self.faults.skip_invalidation {
            moved.trees.clear();
        }
        if moved.is_empty() {
            return false;
        }
        standing.seen += 1;
        standing.marked.merge(moved.clone());
        standing.waiting.merge(moved);
        true
    }

    /// Notes all that has moved until now, and gives the ticket that stands for it.
    pub(crate) fn look(&self) -> u64 {
        let mut standing = self.lock();
        let mut moved = self.drain(&mut standing);
        if !self.watcher.is_watching() && self.following != Following::Told {
            // Readers that come before the lane looks share one look.
            if !standing.waiting.all {
                standing.waiting.all = true;
                standing.seen += 1;
            }
            moved = true;
        }
        let ticket = standing.seen;
        standing.asked = ticket;
        let waits = ticket > standing.done;
        drop(standing);
        if moved || waits {
            self.watcher.wake();
            self.called.notify_all();
        }
        ticket
    }

    /// Waits until the lane is done with `ticket`, at most `budget`, and not longer than somebody waits for the answer. Answers
    /// with the state then, and whether it is done.
    pub(crate) fn wait_for(
        &self,
        ticket: u64,
        budget: Duration,
        deadline: &Deadline,
    ) -> (MutexGuard<'_, Standing>, bool) {
        let end = Instant::now().checked_add(budget);
        let mut standing = self.lock();
        loop {
            if standing.done >= ticket {
                return (standing, true);
            }
            let left = end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() || deadline.check().is_err() || standing.stopped {
                return (standing, false);
            }
            // Bounded, so that a cancellation is noticed.
            let wait = left.min(Duration::from_millis(50));
            standing = self.changed.wait_timeout(standing, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The lane takes what has moved, with the ticket that stands for it. Nothing when nothing moved.
    pub(crate) fn take(&self) -> Option<(Moved, u64)> {
        let mut standing = self.lock();
        self.drain(&mut standing);
        let moved = std::mem::take(&mut standing.waiting);
        if moved.is_empty() {
            if standing.done < standing.seen {
                standing.done = standing.seen;
                self.changed.notify_all();
            }
            return None;
        }
        standing.taken = moved.clone();
        Some((moved, standing.seen))
    }

    /// The lane adds to what it has taken what has moved since. Answers whether anything did.
    pub(crate) fn take_more(&self, moved: &mut Moved, ticket: &mut u64) -> bool {
        let mut standing = self.lock();
        self.drain(&mut standing);
        let more = std::mem::take(&mut standing.waiting);
        let any = !more.is_empty();
        moved.merge(more);
        standing.taken = moved.clone();
        *ticket = standing.seen;
        any
    }

    /// The lane is done with everything up to `ticket`. `publish` puts the outcome in place: readers see it together with
    /// what is said of it here.
    pub(crate) fn done<T>(
        &self,
        ticket: u64,
        outcome: Result<Vec<ProjectPath>, HostError>,
        publish: impl FnOnce() -> T,
    ) -> T {
        let mut standing = self.lock();
        let published = publish();
        standing.done = standing.done.max(ticket);
        let taken = std::mem::take(&mut standing.taken);
        match outcome {
            Ok(restless) => {
                standing.failure = None;
                standing.lost = Moved::default();
                if !restless.is_empty() {
                    // What was read of them is not to stay.
                    standing.waiting.files.extend(restless.iter().cloned());
                    standing.seen += 1;
                }
                standing.restless = restless;
            }
            Err(error) => {
                standing.failure = Some(Arc::new(error));
                standing.lost.merge(taken);
            }
        }
        drop(standing);
        self.changed.notify_all();
        published
    }

    /// From here on, what moves is kept for [`Freshness::moved_since_mark`].
    pub(crate) fn mark(&self) {
        let mut standing = self.lock();
        self.drain(&mut standing);
        standing.marked = Moved::default();
    }

    /// What moved since the mark. It stays noted for the lane.
    pub(crate) fn moved_since_mark(&self) -> Moved {
        let mut standing = self.lock();
        self.drain(&mut standing);
        std::mem::take(&mut standing.marked)
    }

    /// Waits until nobody is writing to `files`, as far as events tell, for a bounded time.
    pub(crate) fn wait_for_writers(&self, files: &BTreeSet<ProjectPath>) {
        let end = Instant::now() + WRITERS_WAIT;
        loop {
            let mut standing = self.lock();
            self.drain(&mut standing);
            drop(standing);
            if self.watcher.unfinished(files).is_empty() || Instant::now() >= end {
                return;
            }
            self.watcher.wait(Some(PAUSE));
        }
    }

    /// The lane rests for `time`, unless a reader waits for it.
    pub(crate) fn rest(&self, time: Duration) {
        let end = Instant::now() + time;
        let mut standing = self.lock();
        while standing.asked <= standing.done && !standing.stopped {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let step = left.min(DRAIN_EVERY);
            standing = self.called.wait_timeout(standing, step).unwrap_or_else(PoisonError::into_inner).0;
            self.drain(&mut standing);
        }
    }

    /// Ends the lane's thread.
    pub(crate) fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
        self.called.notify_all();
        self.watcher.wake();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.lock().stopped
    }
}
