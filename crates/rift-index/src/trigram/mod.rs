//! The trigram index: which files may hold a match of a pattern.
//!
//! Plain posting lists beside tantivy cost a quarter of what trigrams as its terms do. Rows are facts (see
//! [`TrigramRow`]): a file with one content holds certain trigrams, which no edit changes. So an edit adds a row, to a short list
//! in memory, and nothing is rewritten or marked; whoever asks compares a row's content with that of the file in his tree. One
//! thread makes segments of the list, merges small ones, and drops the rows of contents that are gone ([`TrigramStore`]).

mod build;
mod extract;
mod merge;
mod plan;
mod query;
mod rice;
mod segment;
mod store;

use std::sync::Arc;

pub use build::SegmentBuilder;
pub use extract::Extractor;
pub(crate) use plan::plan;
pub use query::TrigramQuery;
pub use segment::{ContentKey, TrigramRow};
pub use store::TrigramStore;

use extract::Trigram;
use segment::Segment;

/// A row that no segment holds yet.
#[derive(Debug, PartialEq, Eq)]
pub struct RecentRow {
    /// Which file, and what it held.
    pub row: TrigramRow,
    /// Ascending.
    trigrams: Box<[Trigram]>,
}

impl RecentRow {
    /// The row of a file that holds `text`.
    pub fn new(row: TrigramRow, text: &str, extractor: &mut Extractor) -> Self {
        let mut trigrams: Box<[Trigram]> = extractor.trigrams(text.as_bytes()).into();
        trigrams.sort_unstable();
        Self { row, trigrams }
    }

    /// Its different trigrams.
    pub fn trigrams(&self) -> &[Trigram] {
        &self.trigrams
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.trigrams.len() * size_of::<Trigram>()
    }
}

/// One state of the trigram index. Cloning shares it; it does not change, whatever is written afterwards.
#[derive(Debug, Clone, Default)]
pub struct Trigrams {
    segments: Arc<[Arc<Segment>]>,
    recent: Arc<[Arc<RecentRow>]>,
}

impl Trigrams {
    /// The rows that may hold a match: every row of a text with one is among them. In no order, and the same row may come
    /// twice.
    pub fn candidates(&self, query: &TrigramQuery) -> Vec<&TrigramRow> {
        let mut out = Vec::new();
        for segment in self.segments.iter() {
            match query.rows(segment) {
                None => out.extend(segment.rows()),
                Some(rows) => out.extend(rows.into_iter().filter_map(|row| segment.rows().get(row as usize))),
            }
        }
        out.extend(self.recent.iter().filter(|recent| query.admits(&recent.trigrams)).map(|recent| &recent.row));
        out
    }

    /// Every row.
    pub fn rows(&self) -> impl Iterator<Item = &TrigramRow> {
        self.segments.iter().flat_map(|segment| segment.rows()).chain(self.recent.iter().map(|recent| &recent.row))
    }

    /// The rows that no segment holds.
    pub fn recent(&self) -> &Arc<[Arc<RecentRow>]> {
        &self.recent
    }

    /// This state with rows beside its own. A file has one recent row at most, the last one.
    pub fn with_recent(&self, rows: Vec<RecentRow>) -> Self {
        let is_kept = |recent: &&Arc<RecentRow>| rows.iter().all(|new| new.row.path != recent.row.path);
        let kept: Vec<_> = self.recent.iter().filter(is_kept).cloned().collect();
        let recent = kept.into_iter().chain(rows.into_iter().map(Arc::new)).collect();
        Self { segments: self.segments.clone(), recent }
    }

    /// This state over the segments of `written`, without the recent rows that they hold now.
    pub fn over(&self, written: &Trigrams, held: &[Arc<RecentRow>]) -> Self {
        let is_kept = |recent: &&Arc<RecentRow>| !held.iter().any(|held| Arc::ptr_eq(held, recent));
        let recent = self.recent.iter().filter(is_kept).cloned().collect();
        Self { segments: written.segments.clone(), recent }
    }

    /// Bytes on disk, or in memory for an index that was made there.
    pub fn bytes(&self) -> u64 {
        self.segments.iter().map(|segment| segment.bytes()).sum()
    }

    /// Segments.
    pub fn segments(&self) -> usize {
        self.segments.len()
    }
}
