//! The counters of a database: raised by salsa's events and by what stands around queries, keys and inputs.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{Hash as _, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use salsa::{DatabaseKeyIndex, Event, EventKind, IngredientIndex};

use crate::db::Db;
use crate::probe::{Count, Edge, Node, Recorder, SUBJECTS_MAX, Step, Subject, Tallies, Totals, Weights};
use crate::queries::{QUERIES, describe, subjects};

/// Ingredients of salsa that are told apart; a database has about a hundred.
const INGREDIENTS_MAX: usize = 512;
/// Generations whose counts are kept.
pub const GENERATIONS_MAX: usize = 64;
/// Stands for an ingredient that is no subject.
const UNKNOWN: u8 = u8::MAX;

/// The counters of one database. Clones share them; a database that takes over goes on with the same counts.
#[derive(Clone, Default)]
pub struct Counters(Arc<Inner>);

#[derive(Default)]
struct Inner {
    lasting: Arc<Lasting>,
    weights: Weights,
    /// Executed keys in order, kept only while a test asks for them.
    log: Mutex<Vec<DatabaseKeyIndex>>,
    is_logging: AtomicBool,
    recorder: Recorder,
    recording: AtomicU8,
}

/// What outlives a database.
#[derive(Default)]
struct Lasting {
    tallies: Tallies,
    ingredients: Ingredients,
    marks: Mutex<VecDeque<Mark>>,
    /// What [`Counters::take`] answered so far.
    taken: Mutex<Vec<Totals>>,
}

/// Which subject an ingredient is. Salsa's callback knows numbers and no names: a number is learned at the first run of a query.
/// Databases of one process number alike.
struct Ingredients(Box<[AtomicU8]>);

impl Default for Ingredients {
    fn default() -> Self {
        Self((0..INGREDIENTS_MAX).map(|_| AtomicU8::new(UNKNOWN)).collect())
    }
}

/// The counts of all subjects when a generation was published.
#[derive(Debug, Clone)]
pub struct Mark {
    /// The generation.
    pub generation: u64,
    pub(crate) totals: Vec<Totals>,
}

/// What is recorded beside counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Recording {
    /// Nothing.
    Off = 0,
    /// Who read what.
    Edges = 1,
    /// Every step, in order: for one thread.
    Steps = 2,
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

thread_local! {
    /// The ingredient of the query that salsa runs next on this thread.
    static RUNS_NEXT: std::cell::Cell<Option<u32>> = const { std::cell::Cell::new(None) };
}

/// Takes the number out of an ingredient's hash: salsa shows it in no other way.
#[derive(Default)]
struct Number(u32);

impl Hasher for Number {
    fn finish(&self) -> u64 {
        u64::from(self.0)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.wrapping_shl(8) | u32::from(*byte);
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = number;
    }
}

fn number(ingredient: IngredientIndex) -> u32 {
    let mut number = Number::default();
    ingredient.hash(&mut number);
    number.0
}

impl Counters {
    /// The counters of a database that takes over from the one of these.
    pub(crate) fn renewed(&self) -> Self {
        Self(Arc::new(Inner { lasting: self.0.lasting.clone(), ..Inner::default() }))
    }

    /// Notes that the database of these counters went with all its memos.
    pub fn retire(&self) {
        for subject in subjects() {
            self.add(subject, Count::Evicted, self.0.weights.of(subject).memos);
        }
    }

    pub(crate) fn record(&self, event: &Event) {
        // `WillCheckCancellation` fires on every call: the two frequent kinds of interest come first.
        match &event.kind {
            EventKind::WillExecute { database_key } => {
                crate::probe::worked();
                RUNS_NEXT.set(Some(number(database_key.ingredient_index())));
                if self.0.is_logging.load(Ordering::Relaxed) {
                    self.0.log.lock().unwrap_or_else(PoisonError::into_inner).push(*database_key);
                }
            }
            EventKind::DidValidateMemoizedValue { database_key } => {
                crate::probe::worked();
                if let Some(subject) = self.known(database_key) {
                    self.add(subject, Count::Validated, 1);
                    self.step(|| Step::Validated(Node::query(subject, database_key.key_index())));
                }
            }
            EventKind::DidInternValue { .. } => crate::probe::interned(),
            EventKind::DidDiscard { key } => {
                if let Some(subject) = self.known(key)
                    && self.0.weights.drop_memo(subject, key.key_index())
                {
                    self.add(subject, Count::Evicted, 1);
                }
            }
            _ => {}
        }
    }

    /// The query behind a key, once it ran.
    fn known(&self, key: &DatabaseKeyIndex) -> Option<Subject> {
        let slot = self.0.lasting.ingredients.0.get(number(key.ingredient_index()) as usize)?;
        Some(slot.load(Ordering::Relaxed)).filter(|known| *known != UNKNOWN).map(Subject)
    }

    pub(crate) fn add(&self, subject: Subject, count: Count, by: u64) {
        self.0.lasting.tallies.add(subject, count, by);
    }

    pub(crate) fn weights(&self) -> &Weights {
        &self.0.weights
    }

    /// A body begins to run: that of the query which salsa just named.
    pub(crate) fn started(&self, node: Node) {
        if let Some(number) = RUNS_NEXT.take()
            && let Some(slot) = self.0.lasting.ingredients.0.get(number as usize)
            && slot.load(Ordering::Relaxed) == UNKNOWN
        {
            slot.store(node.subject.0, Ordering::Relaxed);
        }
        self.add(node.subject, Count::Executed, 1);
        if self.is_recording() {
            Recorder::enter(node);
            self.step(|| Step::Started(node));
        }
    }

    pub(crate) fn ended(&self, node: Node, nanos: u64, own: u64) {
        self.0.lasting.tallies.ran(node.subject, nanos, own);
        if self.is_recording() {
            Recorder::leave(node);
            self.step(|| Step::Ended(node, nanos, own));
        }
    }

    /// Whether anything is recorded.
    #[inline]
    pub(crate) fn is_recording(&self) -> bool {
        self.0.recording.load(Ordering::Relaxed) != Recording::Off as u8
    }

    fn records(&self, what: Recording) -> bool {
        self.0.recording.load(Ordering::Relaxed) == what as u8
    }

    /// Records a call or a read of a field.
    pub(crate) fn asked(&self, node: Node) {
        if self.records(Recording::Edges) {
            self.0.recorder.edge(node);
        }
        self.step(|| Step::Asked(node));
    }

    /// Records a step, while that is asked for.
    pub(crate) fn step(&self, step: impl FnOnce() -> Step) {
        if self.records(Recording::Steps) {
            self.0.recorder.step(step());
        }
    }

    /// Says what is recorded from now on.
    pub(crate) fn record_from_now(&self, what: Recording) {
        self.0.recording.store(what as u8, Ordering::Relaxed);
    }

    /// The edges recorded so far, in their order.
    pub(crate) fn take_edges(&self) -> Vec<Edge> {
        self.0.recorder.take_edges()
    }

    /// The steps recorded so far, in theirs.
    pub(crate) fn take_steps(&self) -> Vec<Step> {
        self.0.recorder.take_steps()
    }

    /// The counts of `subject` since the start.
    pub(crate) fn totals(&self, subject: Subject) -> Totals {
        self.0.lasting.tallies.totals(subject)
    }

    fn all_totals(&self) -> Vec<Totals> {
        subjects().map(|subject| self.totals(subject)).collect()
    }

    /// Remembers the counts as those of `generation`, which was just published.
    pub fn mark(&self, generation: u64) {
        let totals = self.all_totals();
        let mut marks = self.0.lasting.marks.lock().unwrap_or_else(PoisonError::into_inner);
        marks.push_back(Mark { generation, totals });
        if marks.len() > GENERATIONS_MAX {
            marks.pop_front();
        }
    }

    /// What is remembered of the last generations, oldest first.
    pub fn marks(&self) -> Vec<Mark> {
        self.0.lasting.marks.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The counts by query name since the last call. Queries that did nothing are left out.
    pub fn take(&self) -> BTreeMap<String, QueryCount> {
        let now = self.all_totals();
        let mut taken = self.0.lasting.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.resize(SUBJECTS_MAX, Totals::default());
        let since = now.iter().zip(taken.iter()).map(|(now, before)| now.since(before));
        let counts = since.map(|t| QueryCount { executed: t.executed, validated: t.validated, discarded: t.evicted });
        let named = QUERIES.iter().map(|(name, _)| (*name).to_owned()).zip(counts);
        let out = named.filter(|(_, count)| *count != QueryCount::default()).collect();
        *taken = now;
        out
    }

    /// Starts keeping the keys of executed queries, in place of an earlier log.
    pub fn start_log(&self) {
        self.0.log.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.0.is_logging.store(true, Ordering::Relaxed);
    }

    /// Ends the log: what was executed since its start as `query(/path)`, sorted.
    pub fn take_log(&self, db: &dyn Db) -> Vec<String> {
        self.0.is_logging.store(false, Ordering::Relaxed);
        let keys = std::mem::take(&mut *self.0.log.lock().unwrap_or_else(PoisonError::into_inner));
        let mut names: Vec<String> = keys.iter().map(|key| describe(db, *key)).collect();
        names.sort();
        names
    }
}
