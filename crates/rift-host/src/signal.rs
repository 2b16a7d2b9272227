//! How the lane wakes a thread that works behind the answers.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// After a failure (a full disk) it is tried again after this long.
const RETRY: Duration = Duration::from_secs(10);

/// How the lane tells that there is something to do.
#[derive(Default)]
pub(crate) struct Signal {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_raised: bool,
    is_stopping: bool,
}

impl Signal {
    pub(crate) fn raise(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_raised = true;
        self.changed.notify_all();
    }

    pub(crate) fn stop(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_stopping = true;
        self.changed.notify_all();
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_stopping
    }

    /// Waits until there is something to do; false when there is nothing any more.
    pub(crate) fn wait(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = |state: &mut State| !state.is_raised && !state.is_stopping;
        let mut state = self.changed.wait_while(state, idle).unwrap_or_else(PoisonError::into_inner);
        state.is_raised = false;
        !state.is_stopping
    }

    /// Waits before another attempt; false when there is none.
    pub(crate) fn pause(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let goes_on = |state: &mut State| !state.is_stopping;
        let paused = self.changed.wait_timeout_while(state, RETRY, goes_on).unwrap_or_else(PoisonError::into_inner);
        !paused.0.is_stopping
    }
}
