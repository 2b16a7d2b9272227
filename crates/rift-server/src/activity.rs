//! Whether a server is of use: the requests it works on, and when it answered last.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Counts requests. Clones share the count.
#[derive(Debug, Clone)]
pub(crate) struct Activity(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    active: usize,
    /// When the last request came or was answered.
    last: Instant,
}

/// One request that is being worked on.
#[derive(Debug)]
pub(crate) struct Active(Activity);

impl Activity {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(State { active: 0, last: Instant::now() })))
    }

    /// Counts a request until its value is dropped.
    pub(crate) fn enter(&self) -> Active {
        let mut state = self.lock();
        state.active += 1;
        state.last = Instant::now();
        Active(self.clone())
    }

    /// Ends when no request is active and `span` has passed since the last one was answered.
    pub(crate) async fn idle_for(&self, span: Duration) {
        loop {
            let due = {
                let state = self.lock();
                let since = if state.active > 0 { Instant::now() } else { state.last };
                since + span
            };
            if due <= Instant::now() {
                return;
            }
            tokio::time::sleep_until(due).await;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.active -= 1;
        state.last = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_span_starts_at_the_last_answer() {
        const SPAN: Duration = Duration::from_millis(40);
        let activity = Activity::new();
        let working = activity.enter();
        let waiting = tokio::spawn({
            let activity = activity.clone();
            async move { activity.idle_for(SPAN).await }
        });
        tokio::time::sleep(SPAN * 4).await;
        assert!(!waiting.is_finished(), "a request is active");
        let answered = Instant::now();
        drop(working);
        waiting.await.expect("ended");
        assert!(answered.elapsed() >= SPAN, "{:?}", answered.elapsed());
    }
}
