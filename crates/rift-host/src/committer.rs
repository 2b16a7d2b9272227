//! Upkeep behind the edits, on one thread that holds no lane while it works: commits of the index, stored facts, and
//! renewal of the database.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rift_index::{IndexError, Staged};

use crate::host::Shared;
use crate::lane::Lane;
use crate::renew::renew_when_heavy;

/// What is staged is committed once no edit came for this long.
const QUIET: Duration = Duration::from_millis(500);
/// What is staged is committed after this long, however many edits come.
const LONGEST: Duration = Duration::from_secs(5);
/// A commit that failed (a full disk) is tried again after this long.
const RETRY: Duration = Duration::from_secs(10);

/// How the lane tells the committer that something is staged.
#[derive(Default)]
pub(crate) struct Signal {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// When a commit should begin; absent while nothing is staged.
    at: Option<Instant>,
    /// Since when something is staged.
    since: Option<Instant>,
    is_prepared: bool,
    stopping: bool,
}

impl Signal {
    /// Notes what is staged now.
    pub(crate) fn staged(&self, staged: &Staged) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        state.since = (staged.files > 0).then(|| state.since.unwrap_or(now));
        state.at = state.since.map(|since| match staged.is_commit_due() {
            true => now,
            false => (now + QUIET).min(since + LONGEST),
        });
        self.changed.notify_all();
    }

    /// Notes that the workspace is prepared, and its facts are complete.
    pub(crate) fn prepared(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.at = Some(Instant::now() + QUIET);
        state.is_prepared = true;
        self.changed.notify_all();
    }

    /// Whether preparation ended since this was asked.
    fn take_prepared(&self) -> bool {
        std::mem::take(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner).is_prepared)
    }

    fn retry(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.at = Some(Instant::now() + RETRY);
    }

    fn stop(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).stopping = true;
        self.changed.notify_all();
    }

    /// Waits until a commit should begin; false when there are no more.
    fn wait(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.stopping {
                return false;
            }
            state = match state.at {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(at) => {
                    let left = at.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        state.at = None;
                        state.since = None;
                        return true;
                    }
                    self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

/// The thread. Dropped, it commits what is staged and ends.
pub(crate) struct Committer {
    signal: Arc<Signal>,
    thread: Option<JoinHandle<()>>,
}

impl Committer {
    pub(crate) fn start(shared: Arc<Shared>) -> Self {
        let signal = shared.lane().committer.clone();
        let woken = signal.clone();
        let run = move || {
            while woken.wait() {
                let lane = shared.lane();
                if let Err(error) = commit(&shared, lane) {
                    tracing::warn!("the search index could not be committed and will be again: {error}");
                    woken.retry();
                }
                shared.facts.flush(woken.take_prepared());
                let current = shared.current();
                if current.preparation.is_none() {
                    shared.facts.prune(&current.tree);
                }
                drop(current);
                if let Err(error) = renew_when_heavy(&shared) {
                    tracing::warn!("the database could not be renewed: {error}");
                }
            }
            // Not while the workspace is being prepared: nothing is staged then.
            let Some(lane) = shared.try_lane() else { return };
            if let Err(error) = commit(&shared, lane) {
                tracing::warn!("the last edits are not in the stored search index: {error}");
            }
        };
        let thread = crate::behind::spawn("rift-commit", run);
        Self { signal, thread }
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        self.signal.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Commits what is staged. The lane is held to begin and to adopt, not while the disk works.
fn commit(shared: &Shared, mut lane: MutexGuard<'_, Lane>) -> Result<(), IndexError> {
    let Some(job) = lane.index.as_mut().and_then(|index| index.begin_commit()) else { return Ok(()) };
    drop(lane);
    job.run();
    let mut lane = shared.lane();
    let committer = lane.committer.clone();
    let Some(index) = lane.index.as_mut() else { return Ok(()) };
    let before = index.adopt()?;
    if before.is_some() {
        shared.replace_searcher(index.searcher());
    }
    committer.staged(&index.staged());
    drop(lane);
    // Outside the lane: files that a merge removed go with it, which takes long.
    drop(before);
    Ok(())
}
