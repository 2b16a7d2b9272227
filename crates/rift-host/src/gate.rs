//! The way to the database: short leases for readers, exclusive access for the writer.

use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, MutexGuard, PoisonError};

use query_graph::RootDatabase;
use salsa::Database as _;

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
            if let Ok(value) = salsa::Cancelled::catch(AssertUnwindSafe(|| work(&db))) {
                return value;
            }
        }
        work(&self.lock())
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
