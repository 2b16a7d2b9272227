//! The host's views and its index, as rows.

use crate::clock::rfc3339;
use crate::host::Host;
use crate::patterns::PatternProgress;
use crate::stores::Kept;
use crate::vectors::Vectors;
use crate::views::{VIEW_BYTES_MAX, VIEWS_MAX};

/// One view that an answer named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewRow {
    /// Its identity.
    pub id: String,
    /// The publication behind it.
    pub generation: u64,
    /// Files of its tree.
    pub files: u64,
    /// Until when it is kept, as an RFC 3339 time.
    pub expires: String,
    /// Bytes that only it keeps, as estimated.
    pub bytes: u64,
}

/// The views that are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewsState {
    /// The newest publication.
    pub generation: u64,
    /// The identity of its view.
    pub current: String,
    /// The views, by expiry, then identity.
    pub views: Vec<ViewRow>,
    /// Bytes of all.
    pub bytes: u64,
    /// The most views, and the most bytes of them.
    pub bounds: (u64, u64),
}

/// The search index and what stands beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexState {
    /// The newest publication.
    pub generation: u64,
    /// Sizes of the search index.
    pub search: rift_index::Statistics,
    /// Bytes of it by part and field.
    pub parts: Vec<(String, u64)>,
    /// How many files have trigrams.
    pub patterns: PatternProgress,
    /// Files with vectors, and all that need them; absent without a model.
    pub vectors: Option<(u64, u64)>,
    /// Facts stored for the next start; absent where nothing is kept.
    pub facts: Option<Kept>,
    /// Texts that were parsed in this process, and facts that came from the store.
    pub work: (u64, u64),
}

impl Host {
    /// The views that answers have named.
    pub fn views_state(&self) -> ViewsState {
        let current = self.shared.current();
        let mut views: Vec<(u64, ViewRow)> = self.shared.views.list(|publication, expires, bytes| {
            let row = ViewRow {
                id: publication.view_id.clone(),
                generation: publication.generation,
                files: publication.tree.total,
                expires: rfc3339(expires),
                bytes,
            };
            (expires, row)
        });
        views.sort_by(|(a, left), (b, right)| a.cmp(b).then_with(|| left.id.cmp(&right.id)));
        let (_, bytes) = self.shared.views.size();
        ViewsState {
            generation: current.generation,
            current: current.view_id.clone(),
            views: views.into_iter().map(|(_, row)| row).collect(),
            bytes,
            bounds: (VIEWS_MAX as u64, VIEW_BYTES_MAX),
        }
    }

    /// The search index and what stands beside it.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn index_state(&self) -> Result<IndexState, crate::HostError> {
        let publication = self.shared.current();
        let searcher = publication.searcher.clone();
        let vectors = match &publication.vectors {
            Vectors::Preparing(progress) => Some((progress.prepared, progress.total)),
            Vectors::Ready(_) => Some((publication.tree.total, publication.tree.total)),
            Vectors::Off | Vectors::Unavailable(_) | Vectors::TooMany(_) => None,
        };
        let work = self.fact_work();
        Ok(IndexState {
            generation: publication.generation,
            search: searcher.statistics()?,
            parts: searcher.sizes()?.into_iter().collect(),
            patterns: self.shared.view(publication, None).pattern_progress(),
            vectors,
            facts: self.kept_facts(),
            work: (work.extracted(), work.restored()),
        })
    }
}
