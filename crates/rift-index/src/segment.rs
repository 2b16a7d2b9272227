//! What a searcher knows about one segment: columns, paths, and exact statistics of its live rows.

use std::sync::Arc;

use rift_base::ProjectPath;
use rustc_hash::FxHashMap;
use tantivy::columnar::{Column, StrColumn};
use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::{InvertedIndexReader, SegmentId, SegmentReader};
use tantivy::postings::{SegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED};

use crate::error::IndexError;
use crate::schema::{CHUNK_ROW, FILE_ROW, Fields, GENERATED_BIT, SYMBOL_ROWS, TEXT_FIELDS, column, key_bucket};

/// Rows and words of a field: what its length norm and its inverse document frequencies are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FieldTotals {
    /// Rows that have words in the field.
    pub(crate) rows: u64,
    /// Their words, each row's number rounded as its length norm is (so that a row counts the same wherever
    /// it lies, whatever was merged or deleted around it).
    pub(crate) words: u64,
}

/// The part of a segment's knowledge that no deletion changes; kept from one searcher to the next.
#[derive(Debug)]
pub(crate) struct SegmentFacts {
    /// The paths of its rows, in the order of the path column's ordinals, which is the order of paths.
    paths: Vec<ProjectPath>,
    totals: [FieldTotals; TEXT_FIELDS],
}

/// Facts by segment, of the segments of the last searcher.
pub(crate) type SegmentCache = FxHashMap<SegmentId, Arc<SegmentFacts>>;

/// One segment of a searcher.
pub(crate) struct Segment {
    pub(crate) reader: SegmentReader,
    facts: Arc<SegmentFacts>,
    text: [Arc<InvertedIndexReader>; TEXT_FIELDS],
    norms: [Option<FieldNormReader>; TEXT_FIELDS],
    pub(crate) names_spelled: Arc<InvertedIndexReader>,
    pub(crate) names_folded: Arc<InvertedIndexReader>,
    keys: Arc<InvertedIndexReader>,
    path_ordinals: Column<u64>,
    ordinals: Column<u64>,
    flags: Column<u64>,
    name_chars: Column<u64>,
    key_column: Column<u64>,
    pub(crate) qualified: Option<StrColumn>,
    /// The rank of each path among all paths of the searcher; unused entries belong to deleted files.
    path_ranks: Vec<u32>,
    /// Rows that were deleted since the segment was written, ascending.
    dead: Vec<DocId>,
}

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKind {
    File,
    Chunk,
    Symbol(u32),
}

impl RowKind {
    /// Files before their declarations, those in source order.
    pub(crate) fn order(self) -> u64 {
        match self {
            RowKind::File | RowKind::Chunk => 0,
            RowKind::Symbol(ordinal) => u64::from(ordinal) + 1,
        }
    }
}

impl Segment {
    pub(crate) fn open(reader: &SegmentReader, fields: &Fields, cache: &SegmentCache) -> Result<Self, IndexError> {
        let columns = reader.fast_fields();
        let path = columns.str(column::PATH)?;
        let norm = |field| match reader.fieldnorms_readers().get_field(field) {
            Ok(norms) => Ok(norms),
            Err(error) => Err(IndexError::from(error)),
        };
        let mut norms: [Option<FieldNormReader>; TEXT_FIELDS] = Default::default();
        for (slot, field) in norms.iter_mut().zip(fields.text) {
            *slot = norm(field)?;
        }
        let facts = match cache.get(&reader.segment_id()) {
            Some(facts) => Arc::clone(facts),
            None => Arc::new(SegmentFacts { paths: read_paths(path.as_ref())?, totals: totals(reader, &norms, None) }),
        };
        let [a, b, c, d, e, f] = fields.text;
        let inverted = |field| reader.inverted_index(field);
        let number = |name| columns.u64(name);
        let dead = match reader.alive_bitset() {
            Some(alive) => (0..reader.max_doc()).filter(|doc| !alive.is_alive(*doc)).collect(),
            None => Vec::new(),
        };
        Ok(Self {
            text: [inverted(a)?, inverted(b)?, inverted(c)?, inverted(d)?, inverted(e)?, inverted(f)?],
            norms,
            names_spelled: inverted(fields.name_spelled)?,
            names_folded: inverted(fields.name_folded)?,
            keys: inverted(fields.key_bucket)?,
            path_ordinals: match path {
                Some(path) => path.ords().clone(),
                None => Column::build_empty_column(reader.max_doc()),
            },
            ordinals: number(column::ORDINAL)?,
            flags: number(column::FLAGS)?,
            // A segment without declarations has no column for what only they have.
            name_chars: columns
                .column_opt(column::NAME_CHARS)?
                .unwrap_or_else(|| Column::build_empty_column(reader.max_doc())),
            key_column: columns
                .column_opt(column::KEY)?
                .unwrap_or_else(|| Column::build_empty_column(reader.max_doc())),
            qualified: columns.str(column::QUALIFIED)?,
            path_ranks: vec![0; facts.paths.len()],
            facts,
            dead,
            reader: reader.clone(),
        })
    }

    pub(crate) fn facts(&self) -> &Arc<SegmentFacts> {
        &self.facts
    }

    /// The paths of live rows, in order, with their numbers in this segment.
    pub(crate) fn live_paths(&self) -> Vec<(ProjectPath, u32)> {
        let mut live = vec![self.dead.is_empty(); self.facts.paths.len()];
        if !self.dead.is_empty() {
            for doc in self.reader.doc_ids_alive() {
                if let Some(slot) = self.path_ordinals.first(doc).and_then(|ord| live.get_mut(ord as usize)) {
                    *slot = true;
                }
            }
        }
        let numbered = self.facts.paths.iter().zip(0u32..).zip(live);
        numbered.filter(|(_, live)| *live).map(|((path, number), _)| (path.clone(), number)).collect()
    }

    /// Notes that the path with `number` in this segment has `rank` among all of the searcher's.
    pub(crate) fn set_rank(&mut self, number: u32, rank: u32) {
        if let Some(slot) = self.path_ranks.get_mut(number as usize) {
            *slot = rank;
        }
    }

    /// Rows and words of each field, of live rows alone.
    pub(crate) fn live_totals(&self) -> [FieldTotals; TEXT_FIELDS] {
        let dead = totals(&self.reader, &self.norms, Some(&self.dead));
        let mut live = self.facts.totals;
        for (live, dead) in live.iter_mut().zip(dead) {
            live.rows -= dead.rows;
            live.words -= dead.words;
        }
        live
    }

    pub(crate) fn is_live(&self, doc: DocId) -> bool {
        !self.reader.is_deleted(doc)
    }

    /// The rank of the row's path.
    pub(crate) fn rank(&self, doc: DocId) -> u32 {
        let number = self.path_ordinals.first(doc).unwrap_or(0);
        self.path_ranks.get(number as usize).copied().unwrap_or(0)
    }

    pub(crate) fn kind(&self, doc: DocId) -> RowKind {
        match self.ordinals.first(doc) {
            Some(CHUNK_ROW) => RowKind::Chunk,
            None | Some(FILE_ROW) => RowKind::File,
            Some(row) => RowKind::Symbol((row - SYMBOL_ROWS) as u32),
        }
    }

    /// The facets' bits.
    pub(crate) fn facets(&self, doc: DocId) -> u32 {
        self.flags.first(doc).unwrap_or(0) as u32
    }

    pub(crate) fn is_generated(&self, doc: DocId) -> bool {
        self.flags.first(doc).unwrap_or(0) & GENERATED_BIT != 0
    }

    pub(crate) fn name_chars(&self, doc: DocId) -> u32 {
        self.name_chars.first(doc).unwrap_or(0) as u32
    }

    /// The hash of the row's symbol key.
    pub(crate) fn key(&self, doc: DocId) -> u64 {
        self.key_column.first(doc).unwrap_or(0)
    }

    /// The live rows of the symbol whose key has this hash.
    pub(crate) fn rows_of_key(&self, hash: u64) -> Result<Vec<DocId>, IndexError> {
        let Some(mut bucket) = raw_rows(&self.keys, &key_bucket(hash).to_be_bytes())? else { return Ok(Vec::new()) };
        Ok(live_docs(self, &mut bucket).filter(|doc| self.key(*doc) == hash).collect())
    }

    pub(crate) fn norms(&self, field: usize) -> Option<&FieldNormReader> {
        self.norms[field].as_ref()
    }

    /// Where the rows that hold `word` in the field are listed.
    pub(crate) fn term(&self, field: usize, word: &str) -> Result<Option<TermInfo>, IndexError> {
        Ok(self.text[field].terms().get(word.as_bytes())?)
    }

    /// The rows of a term of the field, deleted ones included.
    pub(crate) fn postings(
        &self,
        field: usize,
        term: &TermInfo,
        option: IndexRecordOption,
    ) -> Result<SegmentPostings, IndexError> {
        Ok(self.text[field].read_postings_from_terminfo(term, option)?)
    }

    /// The number of live rows of a term of the field.
    pub(crate) fn live_rows(&self, field: usize, term: &TermInfo) -> Result<u64, IndexError> {
        if self.dead.is_empty() {
            return Ok(u64::from(term.doc_freq));
        }
        let mut postings = self.postings(field, term, IndexRecordOption::Basic)?;
        if (term.doc_freq as usize) < self.dead.len() {
            return Ok(live_docs(self, &mut postings).count() as u64);
        }
        let mut rows = u64::from(term.doc_freq);
        for &dead in &self.dead {
            let doc = if postings.doc() < dead { postings.seek(dead) } else { postings.doc() };
            if doc == TERMINATED {
                break;
            }
            rows -= u64::from(doc == dead);
        }
        Ok(rows)
    }

    /// Bytes that the searcher holds in memory for this segment, beside what the system maps from files.
    pub(crate) fn memory(&self) -> u64 {
        let paths: usize = self.facts.paths.iter().map(|path| path.as_str().len() + 32).sum();
        (paths + self.path_ranks.len() * 4 + self.dead.len() * 4 + size_of::<Self>()) as u64
    }
}

/// The rows of a raw term, deleted ones included.
pub(crate) fn raw_rows(index: &InvertedIndexReader, term: &[u8]) -> Result<Option<SegmentPostings>, IndexError> {
    match index.terms().get(term)? {
        Some(info) => Ok(Some(index.read_postings_from_terminfo(&info, IndexRecordOption::Basic)?)),
        None => Ok(None),
    }
}

/// The live rows of a posting list.
pub(crate) fn live_docs<'a>(segment: &'a Segment, docs: &'a mut SegmentPostings) -> impl Iterator<Item = DocId> + 'a {
    let mut next = docs.doc();
    std::iter::from_fn(move || {
        loop {
            let doc = next;
            if doc == TERMINATED {
                return None;
            }
            next = docs.advance();
            if segment.is_live(doc) {
                return Some(doc);
            }
        }
    })
}

fn read_paths(column: Option<&StrColumn>) -> Result<Vec<ProjectPath>, IndexError> {
    let Some(column) = column else { return Ok(Vec::new()) };
    let mut paths = Vec::with_capacity(column.dictionary().num_terms());
    let mut stream = column.dictionary().stream()?;
    while stream.advance() {
        let text = std::str::from_utf8(stream.key()).ok();
        let path = text.and_then(|text| ProjectPath::new(text).ok());
        let Some(path) = path else {
            let error = std::io::Error::new(std::io::ErrorKind::InvalidData, "a path of the index is malformed");
            return Err(error.into());
        };
        paths.push(path);
    }
    Ok(paths)
}

/// Counts rows and words of all rows, or of `docs`.
fn totals(
    reader: &SegmentReader,
    norms: &[Option<FieldNormReader>; TEXT_FIELDS],
    docs: Option<&[DocId]>,
) -> [FieldTotals; TEXT_FIELDS] {
    let mut out = [FieldTotals::default(); TEXT_FIELDS];
    for (total, norms) in out.iter_mut().zip(norms) {
        let Some(norms) = norms else { continue };
        let mut count = |doc: DocId| {
            let words = norms.fieldnorm(doc);
            total.rows += u64::from(words > 0);
            total.words += u64::from(words);
        };
        match docs {
            Some(docs) => docs.iter().for_each(|doc| count(*doc)),
            None => (0..reader.max_doc()).for_each(count),
        }
    }
    out
}
