//! The full-text ranking: rows that hold every term and phrase first, then rows that hold any, each by BM25
//! summed over fields with the fields' weights.
//!
//! Scores are computed here and not by tantivy's query machinery, for four reasons: both passes are one
//! (a row's covered terms are counted while it is scored), the fields that matched fall out, statistics are
//! those of live rows, and sums are made in a fixed order, so that equal rows score equally to the bit
//! wherever they lie. Rows are scored in windows, so memory does not grow with the index.

use std::cmp::Reverse;

use rift_base::{Facet, Facets};
use rustc_hash::FxHashMap;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED};

use crate::best::Best;
use crate::error::IndexError;
use crate::files::Evidence;
use crate::identifier::Tiers;
use crate::phrase::phrase_rows;
use crate::query::ParsedQuery;
use crate::rank::{Candidate, Coverage, RANKED_UNITS_MAX, definition_class, place, prior};
use crate::schema::{MatchedFields, TEXT_FIELDS, TextField};
use crate::searcher::{Reach, Searcher};
use crate::segment::{RowKind, Segment};

/// BM25's saturation of repeated terms and strength of length normalisation: the values of Robertson et al.
/// (TREC-3) as most engines have them.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// BM25's length normalisation and saturation for files as a whole. A long file holds many things, each as good as it would be
/// in a short one: length counts little, and words that come up often say more than in a paragraph.
const FILE_B: f32 = 0.2;
const FILE_K1: f32 = 4.0;

/// What the score of a name counts by the declaration's class ([`definition_class`]): definitions first.
const CLASS_FACTORS: [f32; 4] = [1.0, 0.9, 0.8, 0.5];

/// What the score of a declaration counts whose name the query spells. Its words alone would not tell it from
/// names that hold them beside others, in a short file that is full of them.
const SPELLED_FACTOR: f32 = 1.5;

/// What a word of the query counts that is no hint at a name, where it stands in one.
const STOP_WORD_FACTOR: f32 = 0.02;
/// What another form of a word of the query counts.
const INFLECTION_FACTOR: f32 = 0.5;

/// Rows that are scored at once.
const WINDOW: u32 = 4096;

/// A row of the full-text ranking.
pub(crate) type TextRow = Candidate<Coverage>;

/// The full-text ranking of a query.
#[derive(Default)]
pub(crate) struct FullText {
    pub(crate) rows: Vec<TextRow>,
    pub(crate) truncated: bool,
    /// Declarations by BM25 over their short names alone: what prose says about names.
    pub(crate) names: Vec<Candidate<()>>,
    /// What rows say about their files.
    pub(crate) files: Evidence,
}

/// A term, phrase or compound of the query, with its place in every segment.
struct Scored {
    /// The bit of its unit; none for a compound or an inflection, which scores but need not be there.
    bit: u64,
    /// The bit of the unit that it stands for in names; none when it does not count in the ranking by names.
    hint: u64,
    /// Whether it counts in the ranking by names.
    names: bool,
    /// The number of its unit; none for a compound.
    unit: Option<usize>,
    /// The inverse document frequency of its words in contents.
    rarity: f32,
    words: Vec<(u32, String)>,
    /// By segment and field: where its words are listed, when the segment has them all.
    terms: Vec<[Option<Vec<TermInfo>>; TEXT_FIELDS]>,
    /// By field: weight times inverse document frequency.
    weights: [f32; TEXT_FIELDS],
}

/// What is known of a row while it is scored.
#[derive(Clone, Copy, Default)]
struct Slot {
    score: f32,
    name_score: f32,
    units: u64,
    /// The units that stand in the name or in what qualifies it and may be meant for a name.
    name_units: u64,
    fields: MatchedFields,
    /// How often the text has the unit that is being scored, against its length; then what all units score together.
    times: f32,
    content: f32,
    /// The units that stand in the name, or for a file in the path.
    named: u64,
}

/// Ranks the rows in `reach`; `tiers` say by segment whose names the query spells.
pub(crate) fn rank(
    searcher: &Searcher,
    query: &ParsedQuery,
    reach: &Reach<'_>,
    tiers: &[Tiers],
) -> Result<FullText, IndexError> {
    if query.units.is_empty() {
        return Ok(FullText::default());
    }
    let scored = scored(searcher, query)?;
    let norms = norm_tables(searcher);
    let lengths = file_lengths(searcher);
    let mut gathering = Gathering {
        searcher,
        reach,
        // Past 64 units (only phrases can be that many) the last ones count as one.
        all: scored.iter().fold(0, |all, scored| all | scored.bit),
        all_names: scored.iter().fold(0, |all, scored| all | scored.hint),
        lead: query.is_one_identifier().then(|| scored.iter().flat_map(|scored| scored.weights).sum()),
        rows: Best::new(RANKED_UNITS_MAX),
        names: Best::new(RANKED_UNITS_MAX),
        chunks: FxHashMap::default(),
        files: Evidence::new(searcher.paths().len(), rarities(query.units.len(), &scored)),
    };
    gathering.files.note_names(searcher, reach, tiers);
    for (at, segment) in searcher.state.segments.iter().enumerate() {
        let mut cursors = cursors(segment, at, &scored, &norms, &lengths)?;
        score(segment, &tiers[at], &mut cursors, &mut gathering);
    }
    Ok(gathering.finish())
}

fn scored(searcher: &Searcher, query: &ParsedQuery) -> Result<Vec<Scored>, IndexError> {
    let mut out = Vec::with_capacity(query.units.len() + query.compounds.len());
    for (at, unit) in query.units.iter().enumerate() {
        let bit = 1 << at.min(63);
        let hint = if unit.names { bit } else { 0 };
        let number = unit.names.then_some(at);
        let mut term = Scored { bit, hint, names: unit.names, unit: number, ..locate(searcher, unit.words.clone())? };
        if !unit.names {
            for field in [TextField::Name, TextField::Qualified, TextField::Signature, TextField::Path] {
                term.weights[field as usize] *= STOP_WORD_FACTOR;
            }
        }
        out.push(term);
        for inflection in &unit.inflections {
            let term = locate(searcher, vec![(0, inflection.clone())])?;
            let mut term = Scored { hint, names: unit.names, unit: number, ..term };
            term.weights.iter_mut().for_each(|weight| *weight *= INFLECTION_FACTOR);
            out.push(term);
        }
    }
    for compound in &query.compounds {
        out.push(Scored { names: true, ..locate(searcher, vec![(0, compound.clone())])? });
    }
    Ok(out)
}

/// Finds the words in every segment and weighs them. A phrase weighs what its words do together.
fn locate(searcher: &Searcher, words: Vec<(u32, String)>) -> Result<Scored, IndexError> {
    let state = &searcher.state;
    let mut terms = Vec::with_capacity(state.segments.len());
    let mut rows = vec![[0u64; TEXT_FIELDS]; words.len()];
    for segment in &state.segments {
        let mut of_segment: [Option<Vec<TermInfo>>; TEXT_FIELDS] = Default::default();
        for (field, slot) in of_segment.iter_mut().enumerate() {
            let mut infos = Vec::with_capacity(words.len());
            for ((_, word), rows) in words.iter().zip(&mut rows) {
                if let Some(info) = segment.term(field, word)? {
                    rows[field] += segment.live_rows(field, &info)?;
                    infos.push(info);
                }
            }
            *slot = (infos.len() == words.len()).then_some(infos);
        }
        terms.push(of_segment);
    }
    let mut weights = [0.0; TEXT_FIELDS];
    let rarity = |field: TextField| -> f32 {
        let total = state.totals[field as usize].rows;
        rows.iter().map(|rows| idf(total, rows[field as usize])).sum()
    };
    for field in TextField::ALL {
        weights[field as usize] = field.weight() * (K1 + 1.0) * rarity(field);
    }
    Ok(Scored { bit: 0, hint: 0, names: false, unit: None, rarity: rarity(TextField::Content), words, terms, weights })
}

/// The inverse document frequency of a term that `rows` of `total` rows hold; never negative.
fn idf(total: u64, rows: u64) -> f32 {
    let (total, rows) = (total as f64, rows as f64);
    (1.0 + ((total - rows).max(0.0) + 0.5) / (rows + 0.5)).ln() as f32
}

/// By field and length norm: what a row's term frequency is damped by.
fn norm_tables(searcher: &Searcher) -> [[f32; 256]; TEXT_FIELDS] {
    let mut tables = [[0.0; 256]; TEXT_FIELDS];
    for (table, totals) in tables.iter_mut().zip(searcher.state.totals) {
        let average = totals.words as f32 / totals.rows.max(1) as f32;
        for (norm, slot) in (0..=255u8).zip(table.iter_mut()) {
            let words = FieldNormReader::id_to_fieldnorm(norm) as f32;
            *slot = K1 * (1.0 - B + B * words / average.max(1.0));
        }
    }
    tables
}

/// By unit: how rare it is in contents, in its most frequent form. None for words that are no hint.
fn rarities(units: usize, scored: &[Scored]) -> Vec<Option<f32>> {
    let mut out = vec![None; units];
    for scored in scored {
        let Some(unit) = scored.unit else { continue };
        out[unit] = Some(out[unit].map_or(scored.rarity, |known: f32| known.min(scored.rarity)));
    }
    out
}

/// By length norm of contents: what a term's frequency is divided by, for files as a whole.
fn file_lengths(searcher: &Searcher) -> [f32; 256] {
    let totals = searcher.state.totals[TextField::Content as usize];
    let average = totals.words as f32 / totals.rows.max(1) as f32;
    let mut table = [1.0; 256];
    let b = crate::knobs::knob("fb", FILE_B);
    for (norm, slot) in (0..=255u8).zip(table.iter_mut()) {
        *slot = 1.0 - b + b * FieldNormReader::id_to_fieldnorm(norm) as f32 / average.max(1.0);
    }
    table
}

enum Rows {
    Term(Box<SegmentPostings>),
    Phrase(Vec<(DocId, u32)>, usize),
}

impl Rows {
    fn doc(&self) -> DocId {
        match self {
            Rows::Term(postings) => postings.doc(),
            Rows::Phrase(rows, at) => rows.get(*at).map_or(TERMINATED, |row| row.0),
        }
    }
}

/// One unit in one field of one segment.
struct Cursor<'a> {
    rows: Rows,
    norms: Option<&'a FieldNormReader>,
    damping: &'a [f32; 256],
    weight: f32,
    bit: u64,
    names: bool,
    /// The bit of the unit that the declaration is then named by, with what qualifies it.
    hint: u64,
    field: MatchedFields,
    /// The number of the unit, where it counts for files.
    unit: Option<usize>,
    /// By length norm: what frequencies are divided by; for contents alone.
    lengths: Option<&'a [f32; 256]>,
    /// The bit of the unit in names and paths.
    named: u64,
}

fn cursors<'a>(
    segment: &'a Segment,
    number: usize,
    scored: &[Scored],
    tables: &'a [[f32; 256]; TEXT_FIELDS],
    lengths: &'a [f32; 256],
) -> Result<Vec<Cursor<'a>>, IndexError> {
    let mut out = Vec::new();
    for unit in scored {
        for field in TextField::ALL {
            let at = field as usize;
            let Some(infos) = &unit.terms[number][at] else { continue };
            let rows = match infos.as_slice() {
                [term] => Rows::Term(Box::new(segment.postings(at, term, IndexRecordOption::WithFreqs)?)),
                terms => {
                    let distances = unit.words.iter().map(|(distance, _)| *distance);
                    let words: Vec<(u32, TermInfo)> = distances.zip(terms.iter().cloned()).collect();
                    Rows::Phrase(phrase_rows(segment, at, &words)?, 0)
                }
            };
            out.push(Cursor {
                rows,
                norms: segment.norms(at),
                damping: &tables[at],
                weight: unit.weights[at],
                bit: unit.bit,
                names: unit.names && field == TextField::Name,
                hint: match field {
                    TextField::Name => unit.hint,
                    // What qualifies a name is long; another form of a word is there by chance.
                    TextField::Qualified => unit.hint & unit.bit,
                    _ => 0,
                },
                field: field.matched(),
                unit: unit.unit,
                lengths: (unit.unit.is_some() && field == TextField::Content).then_some(lengths),
                named: match field {
                    TextField::Name | TextField::Path => unit.unit.map_or(0, |unit| 1 << unit.min(63)),
                    _ => 0,
                },
            });
        }
    }
    Ok(out)
}

impl Cursor<'_> {
    /// Scores the rows before `end` into the window that starts at `base`.
    fn fill(&mut self, base: DocId, end: DocId, window: &mut Window) {
        let (norms, damping, weight) = (self.norms, self.damping, self.weight);
        let (bit, names, hint, field) = (self.bit, self.names, self.hint, self.field);
        let (lengths, named) = (self.lengths, self.named);
        let mut add = |doc: DocId, times: u32| {
            let norm = norms.map(|norms| norms.fieldnorm_id(doc) as usize);
            let damping = norm.map_or(K1, |norm| damping[norm]);
            let score = weight * times as f32 / (times as f32 + damping);
            let at = (doc - base) as usize;
            window.touched[at / 64] |= 1 << (at % 64);
            let slot = &mut window.slots[at];
            slot.score += score;
            slot.name_score += if names { score } else { 0.0 };
            slot.units |= bit;
            slot.name_units |= hint;
            slot.fields = slot.fields.union(field);
            slot.named |= named;
            if let Some(lengths) = lengths {
                if slot.times == 0.0 {
                    window.counted.push(at as u32);
                }
                slot.times += times as f32 / norm.map_or(1.0, |norm| lengths[norm]);
            }
        };
        match &mut self.rows {
            Rows::Term(postings) => {
                let mut doc = postings.doc();
                while doc < end {
                    add(doc, postings.term_freq());
                    doc = postings.advance();
                }
            }
            Rows::Phrase(rows, at) => {
                while let Some((doc, times)) = rows.get(*at).filter(|row| row.0 < end) {
                    add(*doc, *times);
                    *at += 1;
                }
            }
        }
    }
}

struct Window {
    slots: Vec<Slot>,
    touched: [u64; WINDOW as usize / 64],
    /// Rows whose text has the unit that is being scored.
    counted: Vec<u32>,
}

impl Window {
    /// Takes the unit's frequencies, in all its forms, for what it scores in contents.
    fn settle(&mut self, rarity: f32, k1: f32) {
        for at in self.counted.drain(..) {
            let slot = &mut self.slots[at as usize];
            slot.content += rarity * slot.times / (slot.times + k1);
            slot.times = 0.0;
        }
    }
}

fn score(segment: &Segment, tiers: &Tiers, cursors: &mut [Cursor<'_>], gathering: &mut Gathering<'_>) {
    let (slots, touched) = (vec![Slot::default(); WINDOW as usize], [0; WINDOW as usize / 64]);
    let mut window = Window { slots, touched, counted: Vec::new() };
    let k1 = crate::knobs::knob("fk1", FILE_K1);
    loop {
        let next = cursors.iter().map(|cursor| cursor.rows.doc()).min().unwrap_or(TERMINATED);
        if next == TERMINATED {
            return;
        }
        let base = next - next % WINDOW;
        for forms in cursors.chunk_by_mut(|a, b| a.unit == b.unit) {
            forms.iter_mut().for_each(|cursor| cursor.fill(base, base.saturating_add(WINDOW), &mut window));
            let unit = forms.first().and_then(|cursor| cursor.unit);
            window.settle(unit.map_or(0.0, |unit| gathering.files.rarity(unit)), k1);
        }
        for block in 0..window.touched.len() {
            let mut bits = std::mem::take(&mut window.touched[block]);
            while bits != 0 {
                let at = block * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                gathering.row(segment, tiers, base + at as u32, std::mem::take(&mut window.slots[at]));
            }
        }
    }
}

/// Collects scored rows.
struct Gathering<'a> {
    searcher: &'a Searcher,
    reach: &'a Reach<'a>,
    all: u64,
    /// The bits of the units that may be meant for names.
    all_names: u64,
    /// For a query that is one name and nothing else: what puts its declarations ahead of rows that hold its words,
    /// which is as much as any row can score.
    lead: Option<f32>,
    rows: Best<TextRow>,
    names: Best<Candidate<()>>,
    /// Rows of files that have several, by the files' ranks.
    chunks: FxHashMap<u32, Slot>,
    files: Evidence,
}

impl Gathering<'_> {
    fn row(&mut self, segment: &Segment, tiers: &Tiers, doc: DocId, mut slot: Slot) {
        let (rank, kind) = (segment.rank(doc), segment.kind(doc));
        if !segment.is_live(doc) || !self.reach.has_path(rank) {
            return;
        }
        match kind {
            RowKind::Symbol(_) => self.files.symbol(segment, doc, rank, slot.named, slot.score),
            RowKind::File | RowKind::Chunk => self.files.text(rank, slot.named, slot.content),
        }
        if !self.reach.has(rank, kind) {
            return;
        }
        let prior = prior(self.searcher, segment, doc, rank);
        slot.score *= prior;
        if kind == RowKind::Chunk {
            let file = self.chunks.entry(rank).or_default();
            file.score = file.score.max(slot.score);
            file.units |= slot.units;
            file.fields = file.fields.union(slot.fields);
            return;
        }
        if tiers.is_spelled(doc) {
            // `Or404` is one word and `or_404` two; the name is the one that is asked for all the same.
            slot.units |= self.lead.map_or(0, |_| self.all);
            // The type, which has the same name, stands before its constructors.
            if segment.facets(doc) & Facets::of(&[Facet::Constructor]).bits() == 0 {
                slot.score = match self.lead {
                    Some(lead) => slot.score + lead,
                    None => slot.score * SPELLED_FACTOR,
                };
            }
        }
        let symbol_key = if let RowKind::Symbol(_) = kind { segment.key(doc) } else { 0 };
        let place = place(rank, kind);
        // One word of many is no hint at a name: by it, any name would be ranked that happens to hold the word.
        let is_hinted = slot.name_units.count_ones() * 2 >= self.all_names.count_ones();
        if slot.name_score > 0.0 && is_hinted {
            let class = definition_class(segment.facets(doc));
            let score = slot.name_score * prior * CLASS_FACTORS[usize::from(class)];
            let matched = slot.fields.union(MatchedFields::NAME);
            self.names.offer(Candidate { key: (), place, symbol_key, score, matched });
        }
        self.rows.offer(Candidate {
            key: Reverse(slot.units == self.all),
            place,
            symbol_key,
            score: slot.score,
            matched: slot.fields,
        });
    }

    fn finish(mut self) -> FullText {
        // The best of the bounded many does not depend on the order of offers.
        for (rank, slot) in std::mem::take(&mut self.chunks) {
            self.rows.offer(Candidate {
                key: Reverse(slot.units == self.all),
                place: place(rank, RowKind::Chunk),
                symbol_key: 0,
                score: slot.score,
                matched: slot.fields,
            });
        }
        let (rows, truncated) = self.rows.finish();
        FullText { rows, truncated, names: self.names.finish().0, files: self.files }
    }
}
