//! The database and the trait that queries see.

use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::counters::Counters;
use crate::kept::{FactKey, FactStore, FactWork, KnownFacts, RevisionFacts};
use crate::unpacked::Unpacked;

/// What queries need of the database.
#[salsa::db]
pub trait Db: salsa::Database {
    /// The event counters installed at construction.
    fn counters(&self) -> &Counters;

    /// Facts that are kept unpacked.
    fn unpacked(&self) -> &Unpacked;

    /// The store installed at construction.
    fn fact_store(&self) -> Option<&dyn FactStore>;

    /// The facts under `key`, when the database before this one had them and this one is still being filled.
    fn known_facts(&self, key: &FactKey) -> Option<RevisionFacts>;

    /// Where facts came from.
    fn fact_work(&self) -> &FactWork;

    /// Whether the parse for a file's facts gives its binding facts too, because somebody will ask for them. Constant for the
    /// life of the database. Binding facts of a database that was not made for them take a parse of their own.
    fn binds(&self) -> bool;
}

/// The one database of the process. A clone is a read handle for another thread; a held clone blocks the writer.
#[salsa::db]
#[derive(Clone)]
pub struct RootDatabase {
    counters: Counters,
    unpacked: Unpacked,
    store: Option<Arc<dyn FactStore>>,
    work: FactWork,
    known: KnownFacts,
    binds: bool,
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
        Self::made(store, FactWork::default(), FxHashMap::default(), false, Counters::default())
    }

    /// The same database, made for binding facts.
    #[must_use]
    pub fn binding(mut self) -> Self {
        self.binds = true;
        self
    }

    /// An empty database that takes over from this one: it has the store and goes on counting, and what is among `known` is not
    /// made again until [`RootDatabase::forget_known`]. Revisions and memos of this one stay behind.
    pub fn renewed(&self, known: FxHashMap<FactKey, RevisionFacts>) -> Self {
        Self::made(self.store.clone(), self.work.renewed(), known, self.binds, self.counters.renewed())
    }

    /// Lets go of the facts that were taken over.
    pub fn forget_known(&self) {
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = FxHashMap::default();
    }

    fn made(
        store: Option<Arc<dyn FactStore>>,
        work: FactWork,
        known: FxHashMap<FactKey, RevisionFacts>,
        binds: bool,
        counters: Counters,
    ) -> Self {
        let record = counters.clone();
        let storage = salsa::Storage::new(Some(Box::new(move |event| record.record(&event))));
        Self {
            counters,
            unpacked: Unpacked::default(),
            store,
            work,
            known: Arc::new(RwLock::new(known)),
            binds,
            storage,
        }
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

    fn known_facts(&self, key: &FactKey) -> Option<RevisionFacts> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn fact_work(&self) -> &FactWork {
        &self.work
    }

    fn binds(&self) -> bool {
        self.binds
    }
}

/// The size function of values that own nothing on the heap, or nothing that another memo does not count.
pub(crate) fn shared<T>(_: &T) -> usize {
    0
}
