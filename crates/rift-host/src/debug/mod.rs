//! What the host tells of itself: the counters of its database, its views, its index; and, in a database beside its own, what an
//! edit would make run and what one query is made of.

mod phases;
mod scratch;
mod state;

use query_graph::{Counters, Explanation, Mark, Report, Totals};
use rift_base::ProjectPath;

use crate::error::HostError;
use crate::host::{Host, Shared};

pub use phases::{LanguageShare, Phase, PhaseWork, phases};
pub use scratch::{TakenGraph, TracedQuery};
pub use state::{IndexState, ViewRow, ViewsState};

/// Why a question about the host has no answer.
#[derive(Debug, thiserror::Error)]
pub enum DebugError {
    /// The counts of a generation are not kept.
    #[error(
        "generation {asked} is not among those whose counts are kept: {oldest} to {newest}; ask `rift debug queries` for the newest"
    )]
    Generation {
        /// The one that was asked for.
        asked: u64,
        /// The oldest that is kept.
        oldest: u64,
        /// The newest.
        newest: u64,
    },
    /// No query is called so.
    #[error("no query is called {0:?}; `rift debug queries` lists them")]
    Query(String),
    /// The key has another form.
    #[error("the key of {query} is {form}, not {key:?}")]
    Key {
        /// The query.
        query: String,
        /// What was given.
        key: String,
        /// What its keys are.
        form: &'static str,
    },
    /// The key names a path that is not there, or has no text.
    #[error("{0:?} is not in the workspace, or has no text there")]
    Absent(String),
    /// What the host itself met.
    #[error(transparent)]
    Host(#[from] HostError),
}

/// The counters of a database at one moment.
#[derive(Debug, Clone)]
pub struct QueryReport {
    /// The newest publication.
    pub generation: u64,
    /// Files of it.
    pub files: u64,
    /// Counts and weights, of the whole time or since a generation.
    pub report: Report,
    /// What was done from one generation to the next, oldest first: each with the names and counts of what did anything.
    pub generations: Vec<(u64, Vec<(&'static str, Totals)>)>,
}

impl Host {
    /// The counters of the database, of its whole time or of what came after the generation `since` was published. Reads counters
    /// alone: neither readers nor the writer wait for it. With `exact`, memos and bytes are those of salsa's own report, for which
    /// every reader stops.
    ///
    /// # Errors
    /// [`DebugError::Generation`].
    pub fn query_report(&self, since: Option<u64>, exact: bool) -> Result<QueryReport, DebugError> {
        let counters = self.shared.counters();
        let marks = counters.marks();
        let mut report = Report::of(&counters);
        if let Some(asked) = since {
            report = report.since(mark(&marks, asked)?);
        }
        if exact {
            report = self.shared.gate.write(|db| report.exactly(db));
        }
        let current = self.shared.current();
        let earlier = std::iter::once(None).chain(marks.iter().map(Some));
        let generations = marks.iter().zip(earlier).map(|(mark, before)| (mark.generation, mark.since(before)));
        let generations = generations.filter(|(generation, _)| since.is_none_or(|since| *generation > since)).collect();
        Ok(QueryReport { generation: current.generation, files: current.tree.total, report, generations })
    }

    /// What replacing the text of the file at `path` would make run: found in a database beside the host's, filled from the fact
    /// store. Nothing of the host changes, and nothing is written.
    ///
    /// # Errors
    /// [`DebugError::Host`].
    pub fn explain_edit(&self, path: &ProjectPath, text: &str) -> Result<Explanation, DebugError> {
        let scratch = self.scratch()?;
        scratch.ask_all()?;
        Ok(scratch.explain(path, text))
    }

    /// The value of one query, what it read and who reads it: found in a database beside the host's that records who asks what
    /// while it is filled.
    ///
    /// # Errors
    /// When `query` and `key` name nothing.
    pub fn trace_query(&self, query: &str, key: &str) -> Result<TracedQuery, DebugError> {
        self.recording_scratch()?.trace(query, key)
    }

    /// The edges between queries that filling a database with this workspace takes.
    ///
    /// # Errors
    /// [`DebugError::Host`].
    pub fn query_edges(&self) -> Result<TakenGraph, DebugError> {
        Ok(self.recording_scratch()?.graph())
    }
}

/// The counts of the generation `asked`.
fn mark(marks: &[Mark], asked: u64) -> Result<&Mark, DebugError> {
    let ends = marks.first().zip(marks.last());
    let (oldest, newest) = ends.map_or((0, 0), |(first, last)| (first.generation, last.generation));
    let found = marks.iter().find(|mark| mark.generation == asked);
    found.ok_or(DebugError::Generation { asked, oldest, newest })
}

impl Shared {
    /// The counters of the database that serves now.
    pub(crate) fn counters(&self) -> Counters {
        self.counters.read().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// Takes over the counters of a database that took the place of another, whose memos are gone.
    pub(crate) fn count_with(&self, counters: Counters) {
        let mut current = self.counters.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        std::mem::replace(&mut *current, counters).retire();
    }
}
