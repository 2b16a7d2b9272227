//! The rows of a segment that are not live: deleted by a commit, or superseded by rows that are staged.

use std::sync::{Arc, OnceLock};

use tantivy::DocId;

use crate::bits::Bits;
use crate::error::IndexError;
use crate::schema::TEXT_FIELDS;
use crate::segment::{FieldTotals, SegmentCore};

/// Rows whose bits are kept together. States of one index share what is equal: each edit makes one, and views hold
/// thousands.
const CHUNK_ROWS: usize = 4096;

type Chunk = [u64; CHUNK_ROWS / 64];

/// A set of dead rows with what they take from the segment's statistics.
#[derive(Debug, Default)]
pub(crate) struct Dead {
    /// One bit for each row; absent where no row is dead.
    chunks: Vec<Option<Arc<Chunk>>>,
    count: usize,
    totals: [FieldTotals; TEXT_FIELDS],
    /// The numbers of short and of qualified names that live rows have; computed when a question needs them.
    short_names: OnceLock<Bits>,
    qualified_names: OnceLock<Bits>,
}

impl Dead {
    /// These rows and `more`, which are none of them.
    pub(crate) fn with(&self, core: &SegmentCore, more: &[DocId]) -> Self {
        let mut chunks = self.chunks.clone();
        chunks.resize((core.reader.max_doc() as usize).div_ceil(CHUNK_ROWS), None);
        for doc in more.iter().map(|doc| *doc as usize) {
            if let Some(slot) = chunks.get_mut(doc / CHUNK_ROWS) {
                let chunk = Arc::make_mut(slot.get_or_insert_with(|| Arc::new([0; CHUNK_ROWS / 64])));
                chunk[doc % CHUNK_ROWS / 64] |= 1 << (doc % 64);
            }
        }
        let mut totals = self.totals;
        for (total, more) in totals.iter_mut().zip(core.totals_of(more)) {
            total.rows += more.rows;
            total.words += more.words;
        }
        Self { chunks, count: self.count + more.len(), totals, ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The rows, ascending.
    pub(crate) fn docs(&self) -> impl Iterator<Item = DocId> {
        let chunks = self.chunks.iter().enumerate().filter_map(|(at, chunk)| Some((at * CHUNK_ROWS, chunk.as_ref()?)));
        chunks.flat_map(|(base, chunk)| {
            chunk.iter().enumerate().flat_map(move |(at, word)| {
                let mut word = *word;
                std::iter::from_fn(move || {
                    let bit = (word != 0).then(|| word.trailing_zeros())?;
                    word &= word - 1;
                    Some((base + at * 64) as DocId + bit)
                })
            })
        })
    }

    pub(crate) fn has(&self, doc: DocId) -> bool {
        let doc = doc as usize;
        let chunk = self.chunks.get(doc / CHUNK_ROWS).and_then(Option::as_ref);
        chunk.is_some_and(|chunk| chunk[doc % CHUNK_ROWS / 64] & (1 << (doc % 64)) != 0)
    }

    pub(crate) fn totals(&self) -> &[FieldTotals; TEXT_FIELDS] {
        &self.totals
    }

    /// By number of a short name in the segment: whether a live row has it.
    pub(crate) fn live_short_names(&self, core: &SegmentCore) -> Result<&Bits, IndexError> {
        match self.short_names.get() {
            Some(names) => Ok(names),
            None => {
                let names = core.short_names(|doc| !self.has(doc))?;
                Ok(self.short_names.get_or_init(|| names))
            }
        }
    }

    /// By number of a qualified name in the segment: whether a live row has it.
    pub(crate) fn live_qualified_names(&self, core: &SegmentCore) -> &Bits {
        self.qualified_names.get_or_init(|| core.qualified_names(|doc| !self.has(doc)))
    }

    /// Bytes on the heap that are not those of `other` as well.
    pub(crate) fn unshared(&self, other: Option<&Self>) -> usize {
        let others = |at: usize| other.and_then(|other| other.chunks.get(at)?.as_ref());
        let own = |(at, chunk): &(usize, &Arc<Chunk>)| others(*at).is_none_or(|other| !Arc::ptr_eq(chunk, other));
        let chunks = self.chunks.iter().enumerate().filter_map(|(at, chunk)| Some((at, chunk.as_ref()?)));
        let names = [&self.short_names, &self.qualified_names];
        let names: usize = names.iter().filter_map(|names| names.get()).map(Bits::memory).sum();
        chunks.filter(own).count() * size_of::<Chunk>() + self.chunks.len() * size_of::<Option<Arc<Chunk>>>() + names
    }
}
