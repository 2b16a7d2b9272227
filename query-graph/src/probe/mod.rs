//! What the database counts of itself: how often each query ran, how long, what came out equal, who was answered from a memo,
//! and what memos weigh. `#[query]` of query-graph-macros puts these calls around every query, [`keys`] and the inputs' readers
//! around everything else; nothing of it is seen by a fact.

mod intern;
mod run;
mod tally;
mod trace;
mod weight;

pub(crate) use intern::{intern, interned, read};
pub(crate) use run::{Call, Fact, Run, worked};
pub use tally::Totals;
pub(crate) use tally::{Count, Tallies};
pub use trace::{Edge, Node};
pub(crate) use trace::{Recorder, Step};
pub(crate) use weight::Weights;

/// What counts are kept of: a query, a kind of key, or an input. Its place in the lists of [`crate::queries`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Subject(pub(crate) u8);

/// More than there are subjects.
pub(crate) const SUBJECTS_MAX: usize = 64;

impl Subject {
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}
