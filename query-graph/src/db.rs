//! The database and the trait that queries see.

use std::sync::Arc;

use crate::counters::Counters;
use crate::kept::{FactStore, FactWork};
use crate::syntax::Unpacked;

/// What queries need of the database.
#[salsa::db]
pub trait Db: salsa::Database {
    /// The event counters installed at construction.
    fn counters(&self) -> &Counters;

    /// Facts that are kept unpacked.
    fn unpacked(&self) -> &Unpacked;

    /// The store installed at construction.
    fn fact_store(&self) -> Option<&dyn FactStore>;

    /// Where facts came from.
    fn fact_work(&self) -> &FactWork;
}

/// The one database of the process. A clone is a read handle for another thread; a held clone blocks the writer.
#[salsa::db]
#[derive(Clone)]
pub struct RootDatabase {
    counters: Counters,
    unpacked: Unpacked,
    store: Option<Arc<dyn FactStore>>,
    work: FactWork,
    // Last: a clone's other references are gone by the time its storage lets the writer wake.
    storage: salsa::Storage<Self>,
}

impl RootDatabase {
    /// An empty database with its counters.
    pub fn new() -> Self {
        Self::with_store(None)
    }

    /// An empty database that keeps facts in `store`.
    pub fn with_store(store: Option<Arc<dyn FactStore>>) -> Self {
        let counters = Counters::default();
        let record = counters.clone();
        let storage = salsa::Storage::new(Some(Box::new(move |event| record.record(&event))));
        Self { counters, unpacked: Unpacked::default(), store, work: FactWork::default(), storage }
    }
}

impl Default for RootDatabase {
    fn default() -> Self {
        Self::new()
    }
}

#[salsa::db]
impl salsa::Database for RootDatabase {}

#[salsa::db]
impl Db for RootDatabase {
    fn counters(&self) -> &Counters {
        &self.counters
    }

    fn unpacked(&self) -> &Unpacked {
        &self.unpacked
    }

    fn fact_store(&self) -> Option<&dyn FactStore> {
        self.store.as_deref()
    }

    fn fact_work(&self) -> &FactWork {
        &self.work
    }
}

/// The size function of values that own nothing on the heap, or nothing that another memo does not count.
pub(crate) fn shared<T>(_: &T) -> usize {
    0
}
