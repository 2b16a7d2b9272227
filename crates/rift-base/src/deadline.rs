//! How long a request may run, and whether anybody still waits for it.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
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
    taken_back: Arc<TakenBack>,
}

/// Whether a request was taken back, and what is to be done then.
#[derive(Default)]
struct TakenBack {
    flag: AtomicBool,
    next: AtomicU64,
    hooks: Mutex<Vec<(u64, Hook)>>,
}

type Hook = Box<dyn Fn() + Send>;

impl fmt::Debug for TakenBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.flag.fmt(f)
    }
}

/// Takes its hook off when it is dropped.
#[derive(Debug)]
pub struct OnCancel {
    taken_back: Arc<TakenBack>,
    number: u64,
}

impl Drop for OnCancel {
    fn drop(&mut self) {
        let mut hooks = self.taken_back.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        hooks.retain(|(number, _)| *number != self.number);
    }
}

impl Deadline {
    /// No time bound; only cancellation stops the work.
    pub fn never() -> Self {
        Self { at: None, taken_back: Arc::default() }
    }

    /// A budget that starts now.
    pub fn within(budget: Duration) -> Self {
        Self { at: Instant::now().checked_add(budget), taken_back: Arc::default() }
    }

    /// Takes the request back. Work that calls [`Deadline::check`] stops at its next call; hooks are called now.
    pub fn cancel(&self) {
        self.taken_back.flag.store(true, Ordering::SeqCst);
        let hooks = self.taken_back.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        hooks.iter().for_each(|(_, hook)| hook());
    }

    /// Calls `hook` when the request is taken back, from the thread that does so, for as long as the returned guard lives; at
    /// once when it was taken back before. The hook must not use this deadline.
    pub fn on_cancel(&self, hook: impl Fn() + Send + 'static) -> OnCancel {
        let number = self.taken_back.next.fetch_add(1, Ordering::Relaxed);
        let mut hooks = self.taken_back.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        // Under the lock: whoever cancels meanwhile finds either the flag read or the hook added.
        if self.taken_back.flag.load(Ordering::SeqCst) {
            hook();
        }
        hooks.push((number, Box::new(hook)));
        drop(hooks);
        OnCancel { taken_back: self.taken_back.clone(), number }
    }

    /// `Err` once the work must stop.
    pub fn check(&self) -> Result<(), Interrupt> {
        if self.taken_back.flag.load(Ordering::Relaxed) {
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

    #[test]
    fn hooks_are_called_once_while_they_stand() {
        let deadline = Deadline::never();
        let calls = Arc::new(AtomicU64::new(0));
        let hook = |weight: u64| {
            let calls = calls.clone();
            move || {
                calls.fetch_add(weight, Ordering::Relaxed);
            }
        };
        let gone = deadline.on_cancel(hook(100));
        let stands = deadline.clone().on_cancel(hook(1));
        drop(gone);
        deadline.cancel();
        assert_eq!(calls.load(Ordering::Relaxed), 1);
        drop(stands);
        let _late = deadline.on_cancel(hook(10));
        assert_eq!(calls.load(Ordering::Relaxed), 11);
    }
}
