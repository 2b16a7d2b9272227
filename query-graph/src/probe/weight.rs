//! What memos weigh, kept as they are made: for each query the number of its memos, and the bytes on their heaps. Salsa's own
//! report is exact and stops every reader; this one is a sum that anybody reads at any time.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;
use salsa::Id;

use super::{SUBJECTS_MAX, Subject};

/// Keys of one page: as many as a page of salsa's tables holds, so that the keys of a page are of one kind.
const PAGE: u32 = 128;
/// What salsa keeps of a memo beside its value: a header of 32 bytes. Its edges, of 8 bytes each, are in salsa's report alone.
pub(crate) const MEMO_HEADER: u64 = 32;

type Page = Arc<[AtomicU32]>;

/// The weights of everything in one database.
pub(crate) struct Weights(Box<[Column]>);

/// The weights of one subject.
#[derive(Default)]
struct Column {
    memos: AtomicU64,
    heap: AtomicU64,
    /// Bytes of one memo beside its heap.
    each: AtomicU64,
    /// For each key with a memo: the bytes on its heap, and one.
    pages: RwLock<FxHashMap<u32, Page>>,
}

/// What one subject weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Weight {
    pub(crate) memos: u64,
    pub(crate) own: u64,
    pub(crate) heap: u64,
}

impl Default for Weights {
    fn default() -> Self {
        Self((0..SUBJECTS_MAX).map(|_| Column::default()).collect())
    }
}

impl Column {
    fn page(&self, number: u32) -> Page {
        if let Some(page) = self.pages.read().unwrap_or_else(PoisonError::into_inner).get(&number) {
            return page.clone();
        }
        let mut pages = self.pages.write().unwrap_or_else(PoisonError::into_inner);
        pages.entry(number).or_insert_with(|| (0..PAGE).map(|_| AtomicU32::new(0)).collect()).clone()
    }

    /// Puts `kept` in the place of `key`; answers what stood there.
    fn swap(&self, key: Id, kept: u32) -> u32 {
        let page = self.page(key.index() / PAGE);
        page.get((key.index() % PAGE) as usize).map_or(0, |slot| slot.swap(kept, Ordering::Relaxed))
    }
}

impl Weights {
    /// Notes that the memo of `key` has so many bytes on its heap, and `each` beside them. Answers whether it had one before.
    pub(crate) fn memo(&self, subject: Subject, key: Id, each: usize, heap: usize) -> bool {
        let Some(column) = self.0.get(subject.index()) else { return false };
        let kept = u32::try_from(heap).unwrap_or(u32::MAX).saturating_add(1);
        let before = column.swap(key, kept);
        if before == 0 {
            column.each.store(each as u64 + MEMO_HEADER, Ordering::Relaxed);
            column.memos.fetch_add(1, Ordering::Relaxed);
        }
        column.grow(u64::from(kept - 1), u64::from(before.saturating_sub(1)));
        before > 0
    }

    /// Notes that the memo of `key` is gone. Answers whether there was one.
    pub(crate) fn drop_memo(&self, subject: Subject, key: Id) -> bool {
        let Some(column) = self.0.get(subject.index()) else { return false };
        let before = column.swap(key, 0);
        if before > 0 {
            column.memos.fetch_sub(1, Ordering::Relaxed);
            column.grow(0, u64::from(before - 1));
        }
        before > 0
    }

    /// Notes a key or an input that is there for good, of `each` bytes and so many on its heap.
    pub(crate) fn lasting(&self, subject: Subject, each: usize, heap: usize) {
        if let Some(column) = self.0.get(subject.index()) {
            column.each.store(each as u64, Ordering::Relaxed);
            column.memos.fetch_add(1, Ordering::Relaxed);
            column.grow(heap as u64, 0);
        }
    }

    /// Notes that so many bytes took the place of others.
    pub(crate) fn changed(&self, subject: Subject, after: usize, before: usize) {
        if let Some(column) = self.0.get(subject.index()) {
            column.grow(after as u64, before as u64);
        }
    }

    pub(crate) fn of(&self, subject: Subject) -> Weight {
        let Some(column) = self.0.get(subject.index()) else { return Weight::default() };
        let memos = column.memos.load(Ordering::Relaxed);
        Weight { memos, own: memos * column.each.load(Ordering::Relaxed), heap: column.heap.load(Ordering::Relaxed) }
    }
}

impl Column {
    /// Wraps, as counts of several threads may pass each other on the way; the sum is right when they have ended.
    fn grow(&self, by: u64, less: u64) {
        self.heap.fetch_add(by.wrapping_sub(less), Ordering::Relaxed);
    }
}
