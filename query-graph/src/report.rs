//! The counters as rows: queries, inputs and keys, each with what it is for, what it did and what it weighs.

use std::collections::BTreeMap;

use crate::counters::{Counters, Mark};
use crate::probe::{Subject, Totals};
use crate::purposes::PURPOSES;
use crate::queries::{INPUTS, KEYS, QUERIES, subjects};

/// One query, input or kind of key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// What it did.
    pub totals: Totals,
    /// Memos, inputs or keys that there are.
    pub memos: u64,
    /// Bytes of them without their heap: values and headers, and no edges but in the exact report.
    pub own: u64,
    /// Bytes on their heap, by the size functions.
    pub heap: u64,
}

/// Everything that counters know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The queries, by name.
    pub queries: Vec<Row>,
    /// The inputs, by name.
    pub inputs: Vec<Row>,
    /// The kinds of interned keys, by name.
    pub interned: Vec<Row>,
    /// Whether bytes are those of salsa's own report.
    pub exact: bool,
}

impl Report {
    /// What `counters` say now. Reads counters alone: nobody waits for it.
    pub fn of(counters: &Counters) -> Self {
        let mut rows: Vec<Row> = subjects().map(|subject| row(counters, subject)).collect();
        let inputs = rows.split_off(QUERIES.len() + KEYS.len());
        let interned = rows.split_off(QUERIES.len());
        Self { queries: rows, inputs, interned, exact: false }
    }

    /// All rows: queries, then keys, then inputs, as counts are kept.
    fn rows(&mut self) -> impl Iterator<Item = &mut Row> {
        self.queries.iter_mut().chain(&mut self.interned).chain(&mut self.inputs)
    }

    /// The same with the counts of what came after `mark`. Memos and bytes stay those of now.
    #[must_use]
    pub fn since(mut self, mark: &Mark) -> Self {
        for (row, before) in self.rows().zip(&mark.totals) {
            row.totals = row.totals.since(before);
        }
        self
    }

    /// The same with memos and bytes as salsa itself reports them, edges included. `&mut`: every reader is told to stop, and
    /// waited for.
    #[must_use]
    pub fn exactly(mut self, db: &mut dyn salsa::Database) -> Self {
        let found = db.memory_usage();
        let mut sizes: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
        let size = |info: &salsa::IngredientInfo| {
            let own = info.size_of_fields() + info.size_of_metadata();
            (info.count(), own, info.heap_size_of_fields().unwrap_or(0))
        };
        let structs = found.structs.iter().map(|info| (info.debug_name(), info));
        for (name, info) in structs.chain(found.queries.iter().map(|(name, info)| (*name, info))) {
            sizes.insert(name.rsplit("::").next().unwrap_or_default(), size(info));
        }
        for row in self.rows() {
            let (memos, own, heap) = sizes.get(row.name).copied().unwrap_or_default();
            (row.memos, row.own, row.heap) = (memos as u64, own as u64, heap as u64);
        }
        self.exact = true;
        self
    }
}

impl Mark {
    /// What each subject did between `earlier` and this mark, by name; those that did nothing are left out.
    pub fn since(&self, earlier: Option<&Mark>) -> Vec<(&'static str, Totals)> {
        let nothing = Totals::default();
        let before = |at: usize| earlier.and_then(|mark| mark.totals.get(at)).unwrap_or(&nothing);
        let names = subjects().map(crate::queries::name_of);
        let rows = names.zip(&self.totals).enumerate().map(|(at, (name, totals))| (name, totals.since(before(at))));
        rows.filter(|(_, totals)| Totals { worst_nanos: 0, ..*totals } != Totals::default()).collect()
    }
}

fn row(counters: &Counters, subject: Subject) -> Row {
    let weight = counters.weights().of(subject);
    let (name, purpose) = about(subject);
    Row { name, purpose, totals: counters.totals(subject), memos: weight.memos, own: weight.own, heap: weight.heap }
}

/// What a subject is called and what it is for.
fn about(subject: Subject) -> (&'static str, &'static str) {
    let lists = PURPOSES.iter().chain(KEYS).copied().chain(INPUTS.iter().map(|(name, purpose, _)| (*name, *purpose)));
    lists.into_iter().nth(subject.index()).unwrap_or_default()
}
