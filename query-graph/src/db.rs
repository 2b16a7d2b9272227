//! The database and the trait that queries see.

use crate::counters::Counters;
use crate::syntax::Unpacked;

/// What queries need of the database.
#[salsa::db]
pub trait Db: salsa::Database {
    /// The event counters installed at construction.
    fn counters(&self) -> &Counters;

    /// Facts that are kept unpacked.
    fn unpacked(&self) -> &Unpacked;
}

/// The one database of the process. A clone is a read handle for another thread; a held clone blocks the writer.
#[salsa::db]
#[derive(Clone)]
pub struct RootDatabase {
    counters: Counters,
    unpacked: Unpacked,
    // Last: a clone's other references are gone by the time its storage lets the writer wake.
    storage: salsa::Storage<Self>,
}

impl RootDatabase {
    /// An empty database with its counters.
    pub fn new() -> Self {
        let counters = Counters::default();
        let record = counters.clone();
        let storage = salsa::Storage::new(Some(Box::new(move |event| record.record(&event))));
        Self { counters, unpacked: Unpacked::default(), storage }
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
}

/// The size function of values that own nothing on the heap, or nothing that another memo does not count.
pub(crate) fn shared<T>(_: &T) -> usize {
    0
}
