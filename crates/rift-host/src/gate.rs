//! The way to the database: short leases for readers, exclusive access for the writer.

use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, MutexGuard, PoisonError};

use query_graph::RootDatabase;
use rift_base::{Deadline, Interrupt};
use salsa::{Cancelled, Database as _};

/// How often a lease that a writer cancelled is tried again before it is run with writers kept out.
const RETRIES: usize = 3;

/// Guards the one database of the process.
pub(crate) struct Gate(Mutex<RootDatabase>);

impl Gate {
    pub(crate) fn new(db: RootDatabase) -> Self {
        Self(Mutex::new(db))
    }

    fn lock(&self) -> MutexGuard<'_, RootDatabase> {
        // A panic in one request harms no other: salsa's storage stays consistent across unwinding.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A handle for another thread. The writer waits until it is dropped.
    pub(crate) fn handle(&self) -> RootDatabase {
        self.lock().clone()
    }

    /// Runs `work` on a lease. A write that arrives meanwhile cancels it, and it runs again on the new revision; after
    /// [`RETRIES`] rounds it runs with writers kept out. `work` must not take another lease.
    pub(crate) fn read<T>(&self, work: impl Fn(&RootDatabase) -> T) -> T {
        for _ in 0..RETRIES {
            let db = self.handle();
            if let Ok(value) = Cancelled::catch(AssertUnwindSafe(|| work(&db))) {
                return value;
            }
        }
        work(&self.lock())
    }

    /// [`Gate::read`] for a request that may be taken back: that stops the query that runs for it at its next step.
    ///
    /// # Errors
    /// The request was taken back, or its time is over. Nothing of it is memoized.
    pub(crate) fn read_within<T>(
        &self,
        deadline: &Deadline,
        work: impl Fn(&RootDatabase) -> T,
    ) -> Result<T, Interrupt> {
        for _ in 0..RETRIES {
            deadline.check()?;
            let db = self.handle();
            let token = db.cancellation_token();
            let hook = deadline.on_cancel(move || token.cancel());
            let outcome = Cancelled::catch(AssertUnwindSafe(|| work(&db)));
            drop(hook);
            match outcome {
                Ok(value) => return Ok(value),
                Err(Cancelled::Local) => return Err(Interrupt::Cancelled),
                Err(_) => {}
            }
        }
        deadline.check()?;
        // Without a hook: a cancellation that comes late would stay in the one handle that the writer uses.
        Ok(work(&self.lock()))
    }

    /// Runs `work` with exclusive access, after every lease has ended.
    pub(crate) fn write<T>(&self, work: impl FnOnce(&mut RootDatabase) -> T) -> T {
        let mut db = self.lock();
        db.trigger_cancellation();
        work(&mut db)
    }

    /// Puts `db` in the place of the database, which is given back. Leases that run go on in it.
    pub(crate) fn replace(&self, db: RootDatabase) -> RootDatabase {
        std::mem::replace(&mut self.lock(), db)
    }

    pub(crate) fn into_inner(self) -> RootDatabase {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Runs until something ends it.
    fn endless(db: &RootDatabase) {
        loop {
            db.unwind_if_revision_cancelled();
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_request_that_is_taken_back_leaves_its_query() {
        let gate = Gate::new(RootDatabase::new());
        let deadline = Deadline::never();
        let (started, has_started) = mpsc::channel();
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                gate.read_within(&deadline, |db| {
                    let _ = started.send(());
                    endless(db);
                })
            });
            has_started.recv().expect("the reader runs");
            deadline.cancel();
            assert_eq!(reader.join().expect("no panic"), Err(Interrupt::Cancelled));
        });
        // Other requests and the writer go on.
        assert_eq!(gate.read_within(&Deadline::never(), |_| 1), Ok(1));
        assert_eq!(gate.write(|_| 2), 2);
        assert_eq!(gate.read_within(&deadline, |_| 3), Err(Interrupt::Cancelled));
    }

    #[test]
    fn a_write_is_not_kept_waiting_by_a_request() {
        let gate = Gate::new(RootDatabase::new());
        let deadline = Deadline::never();
        let (started, has_started) = mpsc::channel();
        std::thread::scope(|scope| {
            let (gate, inner) = (&gate, deadline.clone());
            scope.spawn(move || {
                let first = std::cell::Cell::new(true);
                gate.read_within(&inner, |db| {
                    let _ = started.send(());
                    if first.replace(false) {
                        endless(db);
                    }
                })
            });
            has_started.recv().expect("the reader runs");
            assert_eq!(gate.write(|_| 1), 1);
            // The reader has run again, on the new revision.
            has_started.recv().expect("the reader runs again");
        });
    }
}
