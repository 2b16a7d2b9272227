//! Counts that many threads raise at once: each thread has a shard of its own, and readers add them up.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::{SUBJECTS_MAX, Subject};

/// Shards; threads beyond that many share some.
const SHARDS: usize = 16;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Count {
    Executed,
    Validated,
    Backdated,
    Reused,
    Evicted,
    Nanos,
    OwnNanos,
    Worst,
}

/// The counts of one subject in one shard: a line of the processor's cache.
#[derive(Default)]
#[repr(align(64))]
struct Cells([AtomicU64; 8]);

/// The counts of all subjects.
pub(crate) struct Tallies(Box<[Cells]>);

impl Default for Tallies {
    fn default() -> Self {
        Self((0..SHARDS * SUBJECTS_MAX).map(|_| Cells::default()).collect())
    }
}

/// The counts of one subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Times a body ran; of keys, those that were new; of inputs, times a field was set.
    pub executed: u64,
    /// Times a memo of an earlier revision was found current without running.
    pub validated: u64,
    /// Runs whose value equals the one before, which ends the change there.
    pub backdated: u64,
    /// Calls that found a current memo; of keys, those that were known; of inputs, reads of a field.
    pub reused: u64,
    /// Memos that were dropped, most of them with a database that was renewed.
    pub evicted: u64,
    /// Nanoseconds from start to end of all runs, other queries that they asked included.
    pub nanos: u64,
    /// The same without what other queries took.
    pub own_nanos: u64,
    /// Nanoseconds of the longest run since the start, other queries included.
    pub worst_nanos: u64,
}

impl Totals {
    /// What came to `earlier` since then. The longest run is that of the whole time: it has no difference.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            executed: self.executed.saturating_sub(earlier.executed),
            validated: self.validated.saturating_sub(earlier.validated),
            backdated: self.backdated.saturating_sub(earlier.backdated),
            reused: self.reused.saturating_sub(earlier.reused),
            evicted: self.evicted.saturating_sub(earlier.evicted),
            nanos: self.nanos.saturating_sub(earlier.nanos),
            own_nanos: self.own_nanos.saturating_sub(earlier.own_nanos),
            worst_nanos: self.worst_nanos,
        }
    }

    /// Nanoseconds of a run, on the average.
    pub fn mean_nanos(&self) -> u64 {
        self.nanos.checked_div(self.executed).unwrap_or(0)
    }
}

/// The shard of this thread.
fn shard() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static SHARD: usize = NEXT.fetch_add(1, Ordering::Relaxed) % SHARDS;
    }
    SHARD.with(|shard| *shard)
}

impl Tallies {
    fn cell(&self, shard: usize, subject: Subject, count: Count) -> Option<&AtomicU64> {
        self.0.get(shard * SUBJECTS_MAX + subject.index())?.0.get(count as usize)
    }

    /// Raises a count.
    pub(crate) fn add(&self, subject: Subject, count: Count, by: u64) {
        if let Some(cell) = self.cell(shard(), subject, count) {
            cell.fetch_add(by, Ordering::Relaxed);
        }
    }

    /// Notes the time of one run.
    pub(crate) fn ran(&self, subject: Subject, nanos: u64, own: u64) {
        let shard = shard();
        let cell = |count| self.cell(shard, subject, count);
        if let (Some(all), Some(mine), Some(worst)) = (cell(Count::Nanos), cell(Count::OwnNanos), cell(Count::Worst)) {
            all.fetch_add(nanos, Ordering::Relaxed);
            mine.fetch_add(own, Ordering::Relaxed);
            worst.fetch_max(nanos, Ordering::Relaxed);
        }
    }

    /// The counts of `subject` over all shards.
    pub(crate) fn totals(&self, subject: Subject) -> Totals {
        let cells = |count| (0..SHARDS).filter_map(move |shard| self.cell(shard, subject, count));
        let sum = |count| cells(count).map(|cell| cell.load(Ordering::Relaxed)).sum();
        Totals {
            executed: sum(Count::Executed),
            validated: sum(Count::Validated),
            backdated: sum(Count::Backdated),
            reused: sum(Count::Reused),
            evicted: sum(Count::Evicted),
            nanos: sum(Count::Nanos),
            own_nanos: sum(Count::OwnNanos),
            worst_nanos: cells(Count::Worst).map(|cell| cell.load(Ordering::Relaxed)).max().unwrap_or(0),
        }
    }
}
