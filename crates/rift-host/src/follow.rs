//! The lane's thread: it prepares the workspace, and then follows the tree for as long as the host lives.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use rift_workspace::{Moved, ScanReason, WatchKind};

use crate::change::{accept, apply};
use crate::error::{HostError, HostErrorClass};
use crate::freshness::Following;
use crate::host::Shared;
use crate::prepare;

/// A batch of more names than this is part of something larger: the lane waits for the rest of it.
const BATCH_SMALL: usize = 16;
/// A larger change is over when nothing has moved for this long.
const QUIET: Duration = Duration::from_millis(5);
/// The longest wait for a larger change to be over.
const GATHER_MAX: Duration = Duration::from_millis(250);
/// The least time between two attempts to prepare a workspace.
const RETRY_PAUSE: Duration = Duration::from_millis(20);
/// After a batch the lane rests for so many times what the batch took, unless a reader waits.
const REST_SHARE: u32 = 3;
/// The longest such rest.
const REST_MAX: Duration = Duration::from_secs(1);
/// How often git's lock is looked for: its directory makes no events.
const LOCK_PAUSE: Duration = Duration::from_millis(2);

/// The thread's work.
pub(crate) fn run(shared: &Arc<Shared>) {
    if first(shared) && shared.freshness.following != Following::Told {
        Lane::new(shared).follow();
    }
}

/// Prepares the workspace. A configuration that does not hold, or a bound that is passed, is waited out: whoever mends it makes
/// an event. Answers whether the workspace is prepared.
fn first(shared: &Arc<Shared>) -> bool {
    loop {
        let ticket = shared.freshness.take().map_or(0, |(_, ticket)| ticket);
        let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut lane = shared.lane();
            accept(shared, &mut lane)?;
            shared.begin();
            shared.freshness.done(ticket, Ok(Vec::new()), || ());
            prepare::prepare(shared, &mut lane)?;
            lane.owed = Default::default();
            Ok(())
        }));
        let outcome = attempt.unwrap_or(Err(HostError::Internal));
        let again = match &outcome {
            Ok(()) => false,
            Err(error) => matches!(error.class(), HostErrorClass::Configuration | HostErrorClass::Limit { .. }),
        };
        let prepared = outcome.is_ok();
        shared.finish(outcome.err());
        shared.freshness.done(ticket, Ok(Vec::new()), || ());
        if !again || shared.freshness.following == Following::Told {
            return prepared;
        }
        // Nothing is retried while nothing moves and nobody asks.
        shared.freshness.watcher.wait(Some(shared.current().config.server.validation_interval));
        std::thread::sleep(RETRY_PAUSE);
        if shared.freshness.is_stopped() {
            return false;
        }
    }
}

/// The state of the thread between two batches.
struct Lane<'a> {
    shared: &'a Arc<Shared>,
    /// When everything was looked at last.
    validated: Instant,
    /// Locks of git that outlived a wait: nobody removes them, and nobody waits for them again.
    abandoned: Vec<(PathBuf, Option<SystemTime>)>,
    /// Whether the last batch failed, so that what it named is not known any more.
    failed: bool,
    told: Option<WatchKind>,
}

impl<'a> Lane<'a> {
    fn new(shared: &'a Arc<Shared>) -> Self {
        Self { shared, validated: Instant::now(), abandoned: Vec::new(), failed: false, told: None }
    }

    fn follow(&mut self) {
        let freshness = &self.shared.freshness;
        self.postpone();
        loop {
            if freshness.is_stopped() {
                return;
            }
            self.tell();
            let (moved, ticket) = match freshness.take() {
                Some(taken) => taken,
                None if Instant::now() >= self.validate_at() => {
                    freshness.watcher.restart();
                    (Moved { all: true, ..Moved::default() }, 0)
                }
                None => {
                    freshness.watcher.wait(Some(self.validate_at().saturating_duration_since(Instant::now())));
                    continue;
                }
            };
            let start = Instant::now();
            self.batch(moved, ticket);
            // A tree that never rests is followed with a part of one processor while nobody asks.
            freshness.rest((start.elapsed() * REST_SHARE).min(REST_MAX));
        }
    }

    /// One batch, from what moved to what is published.
    fn batch(&mut self, mut moved: Moved, mut ticket: u64) {
        let freshness = &self.shared.freshness;
        self.gather(&mut moved, &mut ticket);
        moved.all |= self.failed;
        if moved.all && freshness.watcher.status().kind == WatchKind::Scanning(ScanReason::RootLost) {
            // Another directory stands there now; it can be watched as the first one was.
            freshness.watcher.restart();
        }
        // Held until the outcome is published: the next change starts from it.
        let mut lane = self.shared.lane();
        let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| apply(self.shared, &mut lane, &moved)));
        let outcome = attempt.unwrap_or(Err(HostError::Internal));
        self.failed = outcome.is_err();
        if let Err(error) = &outcome {
            tracing::warn!(%error, "the tree changed and could not be indexed");
        }
        let (publication, outcome) = match outcome {
            Ok(applied) => (applied.publication, Ok(applied.restless)),
            Err(error) => (None, Err(error)),
        };
        let before = freshness.done(ticket, outcome, || publication.map(|next| self.shared.swap(next)));
        drop(lane);
        if let Some(before) = before {
            before.resolved.close();
        }
        if moved.all {
            self.postpone();
        }
    }

    /// Everything was looked at just now.
    fn postpone(&mut self) {
        self.shared.views.sweep();
        self.validated = Instant::now();
    }

    /// When everything is due to be looked at again, by the interval that holds now.
    fn validate_at(&self) -> Instant {
        self.validated + self.shared.current().config.server.validation_interval
    }

    /// Waits for the rest of a change that is made of many: while git holds its lock, and while events keep coming.
    fn gather(&mut self, moved: &mut Moved, ticket: &mut u64) {
        let freshness = &self.shared.freshness;
        let start = Instant::now();
        let patience = self.shared.current().config.server.version_control_timeout;
        while let Some(lock) = self.held_lock() {
            if freshness.is_stopped() {
                return;
            }
            if start.elapsed() >= patience {
                tracing::warn!(lock = %lock.0.display(), "git's lock stays; the tree is read as it is");
                self.abandoned.push(lock);
                break;
            }
            std::thread::sleep(LOCK_PAUSE);
            freshness.take_more(moved, ticket);
        }
        let start = Instant::now();
        while moved.len() > BATCH_SMALL && start.elapsed() < GATHER_MAX {
            std::thread::sleep(QUIET);
            if !freshness.take_more(moved, ticket) {
                break;
            }
        }
        freshness.take_more(moved, ticket);
    }

    /// A lock that some git process holds on an index of the tree.
    fn held_lock(&mut self) -> Option<(PathBuf, Option<SystemTime>)> {
        let mut held = self.shared.freshness.watcher.git_locks().into_iter().filter_map(|path| {
            let made = std::fs::symlink_metadata(&path).ok()?.modified().ok();
            Some((path, made))
        });
        held.find(|lock| !self.abandoned.contains(lock))
    }

    /// One line in the log whenever the way of following changes.
    fn tell(&mut self) {
        let kind = self.shared.freshness.watcher.status().kind;
        if self.told.as_ref() == Some(&kind) {
            return;
        }
        match &kind {
            WatchKind::Inotify if self.told.is_some() => tracing::info!("the tree is watched again"),
            WatchKind::Inotify => {}
            WatchKind::Scanning(reason) => {
                tracing::warn!(%reason, "the tree is not watched; it is looked at before each read");
            }
        }
        self.told = Some(kind);
    }
}
