//! The rows of a segment that are not live: deleted by a commit, or superseded by rows that are staged.

use std::sync::OnceLock;

use tantivy::DocId;

use crate::bits::Bits;
use crate::error::IndexError;
use crate::schema::TEXT_FIELDS;
use crate::segment::{FieldTotals, SegmentCore};

/// A set of dead rows with what they take from the segment's statistics.
#[derive(Debug, Default)]
pub(crate) struct Dead {
    /// Ascending.
    docs: Vec<DocId>,
    bits: Bits,
    totals: [FieldTotals; TEXT_FIELDS],
    /// The numbers of short and of qualified names that live rows have; computed when a question needs them.
    short_names: OnceLock<Bits>,
    qualified_names: OnceLock<Bits>,
}

impl Dead {
    /// The rows `docs`, ascending.
    pub(crate) fn new(core: &SegmentCore, docs: Vec<DocId>) -> Self {
        if docs.is_empty() {
            return Self::default();
        }
        let mut bits = Bits::below(core.reader.max_doc() as usize);
        docs.iter().for_each(|doc| bits.insert(*doc as usize));
        Self { totals: core.totals_of(&docs), docs, bits, ..Self::default() }
    }

    /// These rows and `more`, which are none of them.
    pub(crate) fn with(&self, core: &SegmentCore, more: &[DocId]) -> Self {
        let mut bits = if self.is_empty() { Bits::below(core.reader.max_doc() as usize) } else { self.bits.clone() };
        let mut docs = Vec::with_capacity(self.docs.len() + more.len());
        docs.extend_from_slice(&self.docs);
        docs.extend_from_slice(more);
        // Two sorted runs, which a stable sort merges.
        docs.sort();
        more.iter().for_each(|doc| bits.insert(*doc as usize));
        let mut totals = self.totals;
        for (total, more) in totals.iter_mut().zip(core.totals_of(more)) {
            total.rows += more.rows;
            total.words += more.words;
        }
        Self { docs, bits, totals, ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.docs.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.docs.len()
    }

    pub(crate) fn docs(&self) -> &[DocId] {
        &self.docs
    }

    pub(crate) fn has(&self, doc: DocId) -> bool {
        self.bits.has(doc as usize)
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

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        let names = [&self.short_names, &self.qualified_names];
        let names: usize = names.iter().filter_map(|names| names.get()).map(Bits::memory).sum();
        self.docs.len() * 4 + self.bits.memory() + names
    }
}
