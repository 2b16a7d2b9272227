//! Waking a thread that waits for events.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

#[cfg(target_os = "linux")]
pub(super) type Events = std::sync::Arc<std::os::fd::OwnedFd>;
#[cfg(not(target_os = "linux"))]
pub(super) type Events = std::convert::Infallible;

/// A signal that is kept until somebody waits for it.
pub(super) struct Wake {
    /// eventfd(2), which is waited for beside the queue's descriptor.
    #[cfg(target_os = "linux")]
    event: Option<std::os::fd::OwnedFd>,
    signalled: Mutex<bool>,
    changed: Condvar,
}

impl Wake {
    pub(super) fn new() -> Self {
        Self {
            #[cfg(target_os = "linux")]
            event: {
                use rustix::event::{EventfdFlags, eventfd};
                eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC).ok()
            },
            signalled: Mutex::new(false),
            changed: Condvar::new(),
        }
    }

    /// Whether one wait can end by a signal and by an event.
    #[cfg(target_os = "linux")]
    pub(super) fn joins_events(&self) -> bool {
        self.event.is_some()
    }

    /// Ends the running or the next wait.
    pub(super) fn signal(&self) {
        *self.signalled.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
        #[cfg(target_os = "linux")]
        if let Some(event) = &self.event {
            // Only a counter that is full refuses, and that wakes as well.
            let _ = rustix::io::write(event, &1u64.to_ne_bytes());
        }
    }

    /// Waits for a signal, an event or the end of `timeout`.
    pub(super) fn wait(&self, events: Option<&Events>, timeout: Option<Duration>) {
        #[cfg(target_os = "linux")]
        if let Some(event) = &self.event {
            self.poll(event, events, timeout);
            return;
        }
        #[cfg(not(target_os = "linux"))]
        let _ = events;
        let mut signalled = self.signalled.lock().unwrap_or_else(PoisonError::into_inner);
        if !*signalled {
            signalled = match timeout {
                Some(timeout) => {
                    self.changed.wait_timeout(signalled, timeout).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(signalled).unwrap_or_else(PoisonError::into_inner),
            };
        }
        *signalled = false;
    }

    #[cfg(target_os = "linux")]
    fn poll(&self, event: &std::os::fd::OwnedFd, events: Option<&Events>, timeout: Option<Duration>) {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut all = vec![PollFd::new(event, PollFlags::IN)];
        all.extend(events.map(|queue| PollFd::new(&**queue, PollFlags::IN)));
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        // An interrupted wait ends early, which its caller takes for a signal.
        let _ = poll(&mut all, timeout.as_ref());
        let _ = rustix::io::read(event, &mut [0u8; 8][..]);
        *self.signalled.lock().unwrap_or_else(PoisonError::into_inner) = false;
    }
}
