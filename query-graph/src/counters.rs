//! Counts of what the database did, per query.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::db::Db;
use crate::queries::describe;
use dashmap::DashMap;
use rustc_hash::FxBuildHasher;
use salsa::{DatabaseKeyIndex, Event, EventKind, IngredientIndex};

/// Tallies of database events. Clones share them. Salsa's callback knows no names, so tallies are kept by ingredient
/// and named when they are read.
#[derive(Clone, Default)]
pub struct Counters(Arc<Inner>);

#[derive(Default)]
struct Inner {
    queries: DashMap<IngredientIndex, Tally, FxBuildHasher>,
    /// Executed keys in order, kept only while a test or `debug` asks for them.
    log: std::sync::Mutex<Vec<DatabaseKeyIndex>>,
    logging: AtomicBool,
}

#[derive(Default)]
struct Tally {
    executed: AtomicU64,
    validated: AtomicU64,
    discarded: AtomicU64,
}

/// What one query did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueryCount {
    /// Times its body ran.
    pub executed: u64,
    /// Times a memo was found current without running.
    pub validated: u64,
    /// Memos dropped.
    pub discarded: u64,
}

impl Counters {
    pub(crate) fn record(&self, event: &Event) {
        // `WillCheckCancellation` fires on every call: the two frequent kinds of interest come first.
        match &event.kind {
            EventKind::WillExecute { database_key } => {
                self.bump(database_key, |t| &t.executed);
                if self.0.logging.load(Ordering::Relaxed)
                    && let Ok(mut log) = self.0.log.lock()
                {
                    log.push(*database_key);
                }
            }
            EventKind::DidValidateMemoizedValue { database_key } => self.bump(database_key, |t| &t.validated),
            EventKind::DidDiscard { key } => self.bump(key, |t| &t.discarded),
            _ => {}
        }
    }

    fn bump(&self, key: &DatabaseKeyIndex, which: fn(&Tally) -> &AtomicU64) {
        which(&self.0.queries.entry(key.ingredient_index()).or_default()).fetch_add(1, Ordering::Relaxed);
    }

    /// The tallies by query name since the last call, which resets them. Queries that did nothing are left out.
    pub fn take(&self, db: &dyn salsa::Database) -> BTreeMap<String, QueryCount> {
        let mut out: BTreeMap<String, QueryCount> = BTreeMap::new();
        for entry in &self.0.queries {
            let (index, tally) = entry.pair();
            let count = QueryCount {
                executed: tally.executed.swap(0, Ordering::Relaxed),
                validated: tally.validated.swap(0, Ordering::Relaxed),
                discarded: tally.discarded.swap(0, Ordering::Relaxed),
            };
            if count == QueryCount::default() {
                continue;
            }
            let slot = out.entry(db.ingredient_debug_name(*index).to_string()).or_default();
            slot.executed += count.executed;
            slot.validated += count.validated;
            slot.discarded += count.discarded;
        }
        out
    }

    /// Starts keeping the keys of executed queries, in place of an earlier log.
    pub fn start_log(&self) {
        if let Ok(mut log) = self.0.log.lock() {
            log.clear();
        }
        self.0.logging.store(true, Ordering::Relaxed);
    }

    /// Ends the log: what was executed since its start as `query(/path)`, sorted.
    pub fn take_log(&self, db: &dyn Db) -> Vec<String> {
        self.0.logging.store(false, Ordering::Relaxed);
        let keys = self.0.log.lock().map(|mut log| std::mem::take(&mut *log)).unwrap_or_default();
        let mut names: Vec<String> = keys.iter().map(|key| describe(db, *key)).collect();
        names.sort();
        names
    }
}
