//! Keys and inputs: how many there are, what they weigh, who reads them.

use std::cell::Cell;

use salsa::plumbing::AsId;

use super::{Count, Node, Subject};
use crate::db::Db;

thread_local! {
    /// Whether salsa interned a value on this thread since this was last looked at.
    static IS_NEW: Cell<bool> = const { Cell::new(false) };
}

/// Notes that salsa interned a new value.
pub(crate) fn interned() {
    IS_NEW.set(true);
}

/// Interns a key by `make`, and counts it: a new one with `each` bytes and what `heap` says of it.
pub(crate) fn intern<K: Copy>(
    db: &dyn Db,
    subject: Subject,
    each: usize,
    make: impl FnOnce() -> K,
    heap: impl FnOnce(K) -> usize,
) -> K {
    IS_NEW.set(false);
    let key = make();
    let counters = db.counters();
    if IS_NEW.take() {
        counters.add(subject, Count::Executed, 1);
        counters.weights().lasting(subject, each, heap(key));
    } else {
        counters.add(subject, Count::Reused, 1);
    }
    key
}

/// Notes that a field of an input is read.
#[inline]
pub(crate) fn read(db: &dyn Db, subject: Subject, field: u8, input: impl AsId) {
    let counters = db.counters();
    counters.add(subject, Count::Reused, 1);
    if counters.is_recording() {
        counters.asked(Node { subject, field, id: input.as_id() });
    }
}
