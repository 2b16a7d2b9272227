//! How long a request may run, and whether anybody still waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why work must stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interrupt {
    /// The caller took the request back.
    Cancelled,
    /// The time budget is spent.
    Expired,
}

/// A request's time budget and its cancellation flag. Clones share the flag.
#[derive(Debug, Clone)]
pub struct Deadline {
    at: Option<Instant>,
    cancelled: Arc<AtomicBool>,
}

impl Deadline {
    /// No time bound; only cancellation stops the work.
    pub fn never() -> Self {
        Self { at: None, cancelled: Arc::default() }
    }

    /// A budget that starts now.
    pub fn within(budget: Duration) -> Self {
        Self { at: Instant::now().checked_add(budget), cancelled: Arc::default() }
    }

    /// Takes the request back. Work that calls [`Deadline::check`] stops at its next call.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// `Err` once the work must stop.
    pub fn check(&self) -> Result<(), Interrupt> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Interrupt::Cancelled);
        }
        match self.at {
            Some(at) if Instant::now() >= at => Err(Interrupt::Expired),
            _ => Ok(()),
        }
    }

    /// Time left; absent without a bound.
    pub fn remaining(&self) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancel_reaches_clones() {
        let deadline = Deadline::never();
        let clone = deadline.clone();
        assert_eq!(clone.check(), Ok(()));
        deadline.cancel();
        assert_eq!(clone.check(), Err(Interrupt::Cancelled));
        assert_eq!(Deadline::within(Duration::ZERO).check(), Err(Interrupt::Expired));
    }
}
