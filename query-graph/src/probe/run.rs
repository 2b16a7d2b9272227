//! What `#[query]` puts around a query: a call from outside, a run of its body, and the value that is compared after it.

use std::cell::{Cell, RefCell};
use std::time::Instant;

use salsa::plumbing::AsId;

use super::{Count, Node, Step, Subject};
use crate::counters::Counters;
use crate::db::Db;

thread_local! {
    /// Runs and validations on this thread so far.
    static WORK: Cell<u64> = const { Cell::new(0) };
    /// Nanoseconds of the runs that ended inside the current one.
    static NESTED: Cell<u64> = const { Cell::new(0) };
    /// The run that ended last, when there was a value before its own: salsa compares the two next.
    static ENDED: RefCell<Option<(Counters, Node)>> = const { RefCell::new(None) };
}

/// Notes that salsa ran or validated something on this thread.
pub(crate) fn worked() {
    WORK.set(WORK.get().wrapping_add(1));
}

/// The value of a query as salsa keeps it. Salsa compares it once, after a run that had a value before; equal values end the
/// change, and there is no event for that.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fact<T> {
    pub(crate) value: T,
}

impl<T: PartialEq> PartialEq for Fact<T> {
    fn eq(&self, other: &Self) -> bool {
        let equal = self.value == other.value;
        if let Some((counters, node)) = ENDED.take() {
            if equal {
                counters.add(node.subject, Count::Backdated, 1);
            }
            counters.step(|| Step::Compared(node, equal));
        }
        equal
    }
}

/// A call, from where it is made to its answer.
pub(crate) struct Call<'a> {
    counters: &'a Counters,
    node: Node,
    worked: u64,
}

impl<'a> Call<'a> {
    #[inline]
    pub(crate) fn start(db: &'a dyn Db, subject: Subject, key: impl AsId) -> Self {
        let (counters, node) = (db.counters(), Node::query(subject, key.as_id()));
        if counters.is_recording() {
            counters.asked(node);
        }
        Self { counters, node, worked: WORK.get() }
    }

    #[inline]
    pub(crate) fn end(self) {
        if WORK.get() == self.worked {
            self.counters.add(self.node.subject, Count::Reused, 1);
        }
        if self.counters.is_recording() {
            self.counters.step(|| Step::Answered(self.node));
        }
    }
}

/// A run of a body. Cancelled, it unwinds; what it took is counted all the same.
pub(crate) struct Run<'a> {
    counters: &'a Counters,
    node: Node,
    started: Instant,
    /// What had ended inside the run around this one.
    around: u64,
}

impl<'a> Run<'a> {
    pub(crate) fn start(db: &'a dyn Db, subject: Subject, key: impl AsId) -> Self {
        let (counters, node) = (db.counters(), Node::query(subject, key.as_id()));
        counters.started(node);
        Self { counters, node, started: Instant::now(), around: NESTED.replace(0) }
    }

    /// Ends the run with its value, whose heap `heap` measures.
    pub(crate) fn end<T>(self, value: T, heap: fn(&Fact<T>) -> usize) -> Fact<T> {
        let (counters, node) = (self.counters, self.node);
        drop(self);
        let fact = Fact { value };
        let again = counters.weights().memo(node.subject, node.id, size_of::<Fact<T>>(), heap(&fact));
        // What an earlier run left is nothing that salsa compares any more.
        ENDED.set(again.then(|| (counters.clone(), node)));
        fact
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        let nanos = u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let own = nanos.saturating_sub(NESTED.get());
        NESTED.set(self.around.saturating_add(nanos));
        self.counters.ended(self.node, nanos, own);
    }
}
