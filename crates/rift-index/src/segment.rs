//! What a searcher knows about one segment: columns, paths, and exact statistics of its live rows.

use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rift_base::ProjectPath;
use rustc_hash::FxHashMap;
use tantivy::columnar::{Column, StrColumn};
use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::{InvertedIndexReader, SegmentReader};
use tantivy::postings::{SegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption;
use tantivy::space_usage::SegmentSpaceUsage;
use tantivy::termdict::TermDictionary;
use tantivy::{DocId, DocSet, TERMINATED};

use crate::bits::Bits;
use crate::dead::Dead;
use crate::error::IndexError;
use crate::paths::PathTable;
use crate::rows::{KeyTable, RowColumns, RowFacts, RowTable};
use crate::schema::{Fields, NameMark, TEXT_FIELDS, column};

/// Rows and words of a field: what its length norm and its inverse document frequencies are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FieldTotals {
    /// Rows that have words in the field.
    pub(crate) rows: u64,
    /// Their words, each row's number rounded as its length norm is (so that a row counts the same wherever
    /// it lies, whatever was merged or deleted around it).
    pub(crate) words: u64,
}

/// What a segment holds that no deletion changes; kept from one reader of the segment to the next.
#[derive(Debug)]
pub(crate) struct SegmentFacts {
    /// The paths of its rows, in the order of the path column's ordinals, which is the order of paths.
    paths: Vec<ProjectPath>,
    totals: [FieldTotals; TEXT_FIELDS],
    known_words: Mutex<KnownWords>,
    /// Made by the first question.
    rows: OnceLock<RowTable>,
    keys: OnceLock<KeyTable>,
}

/// Words whose places in the dictionaries of one segment are remembered.
const KNOWN_WORDS_MAX: usize = 2_048;

/// Words that begin alike with so many bytes are looked for in one pass over a dictionary: they are mostly forms of one
/// word, and lie in one block.
const ALIKE_BYTES: usize = 3;
/// Terms past which a pass gives up finding the next word, and looks for it anew: a look costs as much as reading a few
/// hundred terms.
const PASSED_TERMS_MAX: usize = 400;

/// Where the rows of a word are listed, by field, as far as that was looked for: a look decodes a block of the
/// dictionary, and questions share most of their words.
type KnownWords = FxHashMap<Box<str>, [Option<Option<TermInfo>>; TEXT_FIELDS]>;

/// One segment as it was written or committed, shared by all searchers over it.
pub(crate) struct SegmentCore {
    pub(crate) reader: SegmentReader,
    facts: Arc<SegmentFacts>,
    text: [Arc<InvertedIndexReader>; TEXT_FIELDS],
    norms: [Option<FieldNormReader>; TEXT_FIELDS],
    pub(crate) names_spelled: Arc<InvertedIndexReader>,
    pub(crate) names_folded: Arc<InvertedIndexReader>,
    path_terms: Arc<InvertedIndexReader>,
    columns: RowColumns,
    key_column: Column<u64>,
    versions: Column<u64>,
    pub(crate) qualified: Option<StrColumn>,
    /// The rows that its commit deleted.
    deleted: Arc<Dead>,
    usage: OnceLock<Option<SegmentSpaceUsage>>,
    /// Whether its files are in memory, and go with it.
    is_resident: bool,
}

/// One segment of a searcher: what it holds, and which of its rows are live there.
#[derive(Clone)]
pub(crate) struct Segment {
    core: Arc<SegmentCore>,
    /// The rank of each of its paths among all paths of the searcher; without meaning for those that have no live row.
    ranks: Arc<[u32]>,
    dead: Arc<Dead>,
}

impl Deref for Segment {
    type Target = SegmentCore;

    fn deref(&self) -> &SegmentCore {
        &self.core
    }
}

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKind {
    File,
    Chunk,
    Symbol(u32),
}

/// What tells of the symbol that a row's declaration belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct RowSymbol {
    /// The hash of its key.
    pub(crate) key: u64,
    /// Whether declarations of other files may be of the same symbol.
    pub(crate) joins: bool,
    /// The mark of its short name.
    pub(crate) name: NameMark,
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

impl SegmentCore {
    /// Opens a segment. `known` are earlier cores, which may know it already; `table` has the texts of most paths.
    pub(crate) fn open(
        reader: &SegmentReader,
        fields: &Fields,
        known: &[Segment],
        table: &PathTable,
        is_resident: bool,
    ) -> Result<Arc<Self>, IndexError> {
        let known = known.iter().find(|known| known.reader.segment_id() == reader.segment_id());
        if let Some(known) = known.filter(|known| known.reader.num_docs() == reader.num_docs()) {
            return Ok(Arc::clone(&known.core));
        }
        let columns = reader.fast_fields();
        let path = columns.str(column::PATH)?;
        let mut norms: [Option<FieldNormReader>; TEXT_FIELDS] = Default::default();
        for (slot, field) in norms.iter_mut().zip(fields.text) {
            *slot = reader.fieldnorms_readers().get_field(field)?;
        }
        let facts = match known {
            Some(known) => Arc::clone(&known.facts),
            None => {
                let totals = totals(&norms, 0..reader.max_doc());
                let paths = read_paths(path.as_ref(), table)?;
                let known_words = Mutex::default();
                Arc::new(SegmentFacts { paths, totals, known_words, rows: OnceLock::new(), keys: OnceLock::new() })
            }
        };
        let [a, b, c, d, e, f] = fields.text;
        let inverted = |field| reader.inverted_index(field);
        // A segment without declarations has no column for what only they have.
        let number = |name| -> Result<Column<u64>, IndexError> {
            Ok(columns.column_opt(name)?.unwrap_or_else(|| Column::build_empty_column(reader.max_doc())))
        };
        let mut core = Self {
            text: [inverted(a)?, inverted(b)?, inverted(c)?, inverted(d)?, inverted(e)?, inverted(f)?],
            norms,
            names_spelled: inverted(fields.name_spelled)?,
            names_folded: inverted(fields.name_folded)?,
            path_terms: inverted(fields.path)?,
            columns: RowColumns {
                paths: match path {
                    Some(path) => path.ords().clone(),
                    None => Column::build_empty_column(reader.max_doc()),
                },
                ordinals: number(column::ORDINAL)?,
                flags: number(column::FLAGS)?,
                names: number(column::NAME_MARK)?,
            },
            key_column: number(column::KEY)?,
            versions: number(column::VERSION)?,
            qualified: columns.str(column::QUALIFIED)?,
            facts,
            deleted: Arc::default(),
            usage: OnceLock::new(),
            is_resident,
            reader: reader.clone(),
        };
        if let Some(alive) = reader.alive_bitset() {
            let docs: Vec<DocId> = (0..reader.max_doc()).filter(|doc| !alive.is_alive(*doc)).collect();
            core.deleted = Arc::new(Dead::default().with(&core, &docs));
        }
        Ok(Arc::new(core))
    }

    pub(crate) fn paths(&self) -> &[ProjectPath] {
        &self.facts.paths
    }

    /// The sizes of its files; absent when a merge removed them before this was asked first.
    pub(crate) fn usage(&self) -> Option<&SegmentSpaceUsage> {
        self.usage.get_or_init(|| self.reader.space_usage().ok()).as_ref()
    }

    /// Rows and words of each field, of `docs` alone.
    pub(crate) fn totals_of(&self, docs: &[DocId]) -> [FieldTotals; TEXT_FIELDS] {
        totals(&self.norms, docs.iter().copied())
    }

    /// The numbers of the short names that a row has for which `wanted` holds.
    pub(crate) fn short_names(&self, wanted: impl Fn(DocId) -> bool) -> Result<Bits, IndexError> {
        let mut found = Bits::below(self.names_spelled.terms().num_terms());
        let mut names = self.names_spelled.terms().stream()?;
        while names.advance() {
            let number = names.term_ord() as usize;
            let mut rows = self.names_spelled.read_postings_from_terminfo(names.value(), IndexRecordOption::Basic)?;
            if docs(&mut rows).any(&wanted) {
                found.insert(number);
            }
        }
        Ok(found)
    }

    /// The numbers of the qualified names that a row has for which `wanted` holds.
    pub(crate) fn qualified_names(&self, wanted: impl Fn(DocId) -> bool) -> Bits {
        let Some(column) = &self.qualified else { return Bits::default() };
        let mut found = Bits::below(column.dictionary().num_terms());
        for number in (0..self.reader.max_doc()).filter(|doc| wanted(*doc)).filter_map(|doc| column.ords().first(doc)) {
            found.insert(number as usize);
        }
        found
    }

    fn row(&self, doc: DocId) -> RowFacts {
        let made = || RowTable::of(self.reader.max_doc(), &self.columns);
        self.facts.rows.get_or_init(made).get(doc)
    }

    fn path_number(&self, doc: DocId) -> Option<usize> {
        self.columns.paths.first(doc).map(|number| number as usize)
    }

    fn keys(&self) -> &KeyTable {
        self.facts.keys.get_or_init(|| KeyTable::of(self.reader.max_doc(), &self.key_column))
    }
}

impl Segment {
    /// The segment as it was committed, with ranks of `table`.
    pub(crate) fn committed(core: Arc<SegmentCore>, table: &PathTable) -> Self {
        Self { ranks: table.ranks(core.paths()), dead: Arc::clone(&core.deleted), core }
    }

    /// The paths of live rows, in order.
    pub(crate) fn live_paths(&self) -> impl Iterator<Item = ProjectPath> {
        let all = self.dead.is_empty();
        let mut live = Bits::below(self.paths().len());
        if !all {
            let docs = (0..self.reader.max_doc()).filter(|doc| self.is_live(*doc));
            docs.filter_map(|doc| self.path_number(doc)).for_each(|number| live.insert(number));
        }
        let numbered = self.paths().iter().enumerate();
        numbered.filter(move |(number, _)| all || live.has(*number)).map(|(_, path)| path.clone())
    }

    /// This segment with ranks of another table: `moved` says which rank each old one is there.
    pub(crate) fn moved(&self, moved: &[u32]) -> Self {
        let rank = |rank: &u32| moved.get(*rank as usize).copied().unwrap_or(0);
        Self { ranks: self.ranks.iter().map(rank).collect(), ..self.clone() }
    }

    /// This segment with the ranks of `table`.
    pub(crate) fn ranked(&self, table: &PathTable) -> Self {
        Self { ranks: table.ranks(self.paths()), ..self.clone() }
    }

    /// This segment without the rows of `paths`.
    pub(crate) fn without<'p>(&self, paths: impl Iterator<Item = &'p ProjectPath>) -> Result<Self, IndexError> {
        let mut gone: Vec<DocId> = Vec::new();
        for path in paths.filter(|path| self.paths().binary_search(path).is_ok()) {
            if let Some(mut rows) = raw_rows(&self.path_terms, path.as_str().as_bytes())? {
                gone.extend(live_docs(self, &mut rows));
            }
        }
        if gone.is_empty() {
            return Ok(self.clone());
        }
        gone.sort_unstable();
        Ok(Self { dead: Arc::new(self.dead.with(&self.core, &gone)), ..self.clone() })
    }

    /// Live rows.
    pub(crate) fn rows(&self) -> u64 {
        u64::from(self.reader.max_doc()) - self.dead.len() as u64
    }

    /// Rows and words of each field, of live rows alone.
    pub(crate) fn live_totals(&self) -> [FieldTotals; TEXT_FIELDS] {
        let mut live = self.facts.totals;
        for (live, dead) in live.iter_mut().zip(self.dead.totals()) {
            live.rows -= dead.rows;
            live.words -= dead.words;
        }
        live
    }

    pub(crate) fn is_live(&self, doc: DocId) -> bool {
        !self.dead.has(doc)
    }

    /// Whether a live row has the short name with this number in the segment.
    pub(crate) fn is_live_short_name(&self, number: u64) -> Result<bool, IndexError> {
        Ok(self.dead.is_empty() || self.dead.live_short_names(&self.core)?.has(number as usize))
    }

    /// Whether a live row has the qualified name with this number in the segment.
    pub(crate) fn is_live_qualified_name(&self, number: u64) -> bool {
        self.dead.is_empty() || self.dead.live_qualified_names(&self.core).has(number as usize)
    }

    /// The rank of the row's path.
    pub(crate) fn rank(&self, doc: DocId) -> u32 {
        self.ranks.get(self.row(doc).path()).copied().unwrap_or(0)
    }

    /// The live files with the versions that their rows were made with; 0 where none was stated.
    pub(crate) fn live_versions(&self) -> impl Iterator<Item = (u32, u64)> {
        let docs = (0..self.reader.max_doc()).filter(|doc| self.is_live(*doc));
        docs.filter_map(|doc| self.versions.first(doc).map(|version| (self.rank(doc), version)))
    }

    pub(crate) fn kind(&self, doc: DocId) -> RowKind {
        self.row(doc).kind()
    }

    /// The facets' bits.
    pub(crate) fn facets(&self, doc: DocId) -> u32 {
        self.row(doc).facets()
    }

    pub(crate) fn is_generated(&self, doc: DocId) -> bool {
        self.row(doc).is_generated()
    }

    pub(crate) fn name_chars(&self, doc: DocId) -> u32 {
        self.row(doc).name().chars()
    }

    /// The row's symbol; nothing for a file's row.
    pub(crate) fn symbol(&self, doc: DocId) -> RowSymbol {
        match self.kind(doc) {
            RowKind::Symbol(_) => {
                let row = self.row(doc);
                RowSymbol { key: self.key(doc), joins: row.joins(), name: row.name() }
            }
            RowKind::File | RowKind::Chunk => RowSymbol::default(),
        }
    }

    /// The hash of the row's symbol key.
    pub(crate) fn key(&self, doc: DocId) -> u64 {
        self.key_column.first(doc).unwrap_or(0)
    }

    /// The live rows of the symbol whose key has this hash.
    pub(crate) fn rows_of_key(&self, hash: u64) -> impl Iterator<Item = DocId> {
        self.keys().rows(hash).filter(move |doc| self.is_live(*doc) && self.key(*doc) == hash)
    }

    pub(crate) fn norms(&self, field: usize) -> Option<&FieldNormReader> {
        self.norms[field].as_ref()
    }

    /// Where the rows that hold `word` in the field are listed.
    pub(crate) fn term(&self, field: usize, word: &str) -> Result<Option<TermInfo>, IndexError> {
        Ok(self.terms(field, &[word])?.pop().flatten())
    }

    /// Where the rows that hold each of `words` in the field are listed; `words` in order, without repetition.
    pub(crate) fn terms(&self, field: usize, words: &[&str]) -> Result<Vec<Option<TermInfo>>, IndexError> {
        let known = {
            let known = self.known_words();
            words.iter().map(|word| known.get(*word).and_then(|fields| fields[field].clone())).collect::<Vec<_>>()
        };
        let unknown: Vec<&str> =
            words.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(word, _)| *word).collect();
        if unknown.is_empty() {
            return Ok(known.into_iter().map(Option::flatten).collect());
        }
        let looked = look_up(self.text[field].terms(), &unknown)?;
        let mut words = self.known_words();
        if words.len() + unknown.len() > KNOWN_WORDS_MAX {
            words.clear();
        }
        for (word, info) in unknown.iter().zip(&looked) {
            words.entry((*word).into()).or_default()[field] = Some(info.clone());
        }
        drop(words);
        let mut looked = looked.into_iter();
        Ok(known.into_iter().map(|known| known.unwrap_or_else(|| looked.next().flatten())).collect())
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

    fn known_words(&self) -> MutexGuard<'_, KnownWords> {
        self.facts.known_words.lock().unwrap_or_else(PoisonError::into_inner)
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
        for dead in self.dead.docs() {
            let doc = if postings.doc() < dead { postings.seek(dead) } else { postings.doc() };
            if doc == TERMINATED {
                break;
            }
            rows -= u64::from(doc == dead);
        }
        Ok(rows)
    }

    /// Bytes of memory that a searcher with this segment does not share with one that has `others`.
    pub(crate) fn unshared(&self, others: &[Segment]) -> u64 {
        let Some(other) = others.iter().find(|other| Arc::ptr_eq(&self.core, &other.core)) else {
            let files = self.usage().filter(|_| self.is_resident).map_or(0, |usage| usage.total().get_bytes());
            return self.memory() + files;
        };
        let ranks = if Arc::ptr_eq(&self.ranks, &other.ranks) { 0 } else { self.ranks.len() * 4 };
        let dead = if Arc::ptr_eq(&self.dead, &other.dead) { 0 } else { self.dead.unshared(Some(&other.dead)) };
        (ranks + dead) as u64
    }

    /// Bytes that the searcher holds in memory for this segment, beside what the system maps from files.
    pub(crate) fn memory(&self) -> u64 {
        let paths: usize = self.facts.paths.iter().map(|path| path.as_str().len() + 32).sum();
        let facts = &self.facts;
        let tables = facts.rows.get().map_or(0, RowTable::memory) + facts.keys.get().map_or(0, KeyTable::memory);
        (paths + tables + self.ranks.len() * 4 + self.dead.unshared(None) + size_of::<SegmentCore>()) as u64
    }
}

/// Looks `words` up, which are in order. A look decodes a block of the dictionary, so words that are near each other are
/// looked for together.
fn look_up(dictionary: &TermDictionary, words: &[&str]) -> Result<Vec<Option<TermInfo>>, IndexError> {
    let mut out = Vec::with_capacity(words.len());
    let begins = |word: &&str| word.as_bytes().first_chunk::<ALIKE_BYTES>().copied();
    for mut alike in words.chunk_by(|a, b| begins(a).is_some() && begins(a) == begins(b)) {
        while let [word, rest @ ..] = alike {
            let Some(last) = rest.last() else {
                out.push(dictionary.get(word.as_bytes())?);
                break;
            };
            let mut terms = dictionary.range().ge(word).le(last).into_stream()?;
            let mut passed = 0;
            while !alike.is_empty() && passed < PASSED_TERMS_MAX {
                if !terms.advance() {
                    // No term is left up to the last word.
                    out.extend(alike.iter().map(|_| None));
                    alike = &[];
                    break;
                }
                while let [word, rest @ ..] = alike
                    && word.as_bytes() <= terms.key()
                {
                    out.push((word.as_bytes() == terms.key()).then(|| terms.value().clone()));
                    alike = rest;
                    passed = 0;
                }
                passed += 1;
            }
        }
    }
    Ok(out)
}

/// The rows of a raw term, deleted ones included.
pub(crate) fn raw_rows(index: &InvertedIndexReader, term: &[u8]) -> Result<Option<SegmentPostings>, IndexError> {
    match index.terms().get(term)? {
        Some(info) => Ok(Some(index.read_postings_from_terminfo(&info, IndexRecordOption::Basic)?)),
        None => Ok(None),
    }
}

/// The rows of a posting list.
fn docs(postings: &mut SegmentPostings) -> impl Iterator<Item = DocId> {
    let mut next = postings.doc();
    std::iter::from_fn(move || {
        let doc = next;
        if doc == TERMINATED {
            return None;
        }
        next = postings.advance();
        Some(doc)
    })
}

/// The live rows of a posting list.
pub(crate) fn live_docs<'a>(
    segment: &'a Segment,
    postings: &'a mut SegmentPostings,
) -> impl Iterator<Item = DocId> + 'a {
    docs(postings).filter(|doc| segment.is_live(*doc))
}

/// The paths of a segment. Those that `table` has share its text.
fn read_paths(column: Option<&StrColumn>, table: &PathTable) -> Result<Vec<ProjectPath>, IndexError> {
    let Some(column) = column else { return Ok(Vec::new()) };
    let mut paths = Vec::with_capacity(column.dictionary().num_terms());
    let mut stream = column.dictionary().stream()?;
    let mut known = table.paths().iter().peekable();
    while stream.advance() {
        let text = std::str::from_utf8(stream.key()).unwrap_or_default();
        while known.next_if(|path| path.as_str() < text).is_some() {}
        let path = match known.next_if(|path| path.as_str() == text) {
            Some(path) => Some(path.clone()),
            None => ProjectPath::new(text).ok(),
        };
        let Some(path) = path else {
            let error = std::io::Error::new(std::io::ErrorKind::InvalidData, "a path of the index is malformed");
            return Err(error.into());
        };
        paths.push(path);
    }
    Ok(paths)
}

/// Counts rows and words of `docs`.
fn totals(
    norms: &[Option<FieldNormReader>; TEXT_FIELDS],
    docs: impl Iterator<Item = DocId> + Clone,
) -> [FieldTotals; TEXT_FIELDS] {
    let mut out = [FieldTotals::default(); TEXT_FIELDS];
    for (total, norms) in out.iter_mut().zip(norms) {
        let Some(norms) = norms else { continue };
        for doc in docs.clone() {
            let words = norms.fieldnorm(doc);
            total.rows += u64::from(words > 0);
            total.words += u64::from(words);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::TextField;
    use crate::{Index, IndexDelta, IndexOptions};
    use rift_base::FileUnits;

    #[test]
    fn words_looked_up_together_are_those_looked_up_alone() {
        // Blocks of the dictionary hold a few hundred terms: words in one, in neighbours and far apart.
        let text: String = (0..9000u32).step_by(3).map(|n| format!("run{n:04} ")).collect();
        let path = ProjectPath::new("a.txt").expect("valid");
        let units =
            FileUnits { path: &path, language: None, text: &text, version: 0, generated: false, symbols: Vec::new() };
        let mut index = Index::in_memory(IndexOptions::default()).expect("an index");
        let searcher = index.apply(&[IndexDelta::Replace(units)], "").expect("applied");
        let segment = &searcher.state.segments[0];
        let dictionary = segment.text[TextField::Content as usize].terms();
        let words: Vec<String> = [0, 1, 3, 4, 6, 2000, 2001, 2004, 2999, 3000, 8990, 8994, 8997, 8999]
            .map(|n| format!("run{n:04}"))
            .into_iter()
            .chain(["ru", "run", "runs", "x"].map(str::to_owned))
            .collect();
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        words.sort_unstable();
        let alone = |word: &&str| dictionary.get(word.as_bytes()).expect("readable");
        let expected: Vec<Option<TermInfo>> = words.iter().map(alone).collect();
        assert!(expected.iter().flatten().count() > 4 && expected.iter().any(Option::is_none));
        assert_eq!(look_up(dictionary, &words).expect("readable"), expected);
        // Remembered words come back among those that are looked up.
        assert_eq!(segment.terms(TextField::Content as usize, &words[3..5]).expect("readable"), expected[3..5]);
        assert_eq!(segment.terms(TextField::Content as usize, &words).expect("readable"), expected);
    }
}
