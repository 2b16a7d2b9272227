//! The full-text ranking: rows that hold every term and phrase first, then rows that hold any, each by BM25
//! summed over fields with the fields' weights.
//!
//! Scores are computed here and not by tantivy's query machinery, for four reasons: both passes are one
//! (a row's covered terms are counted while it is scored), the fields that matched fall out, statistics are
//! those of live rows, and sums are made in a fixed order, so that equal rows score equally to the bit
//! wherever they lie. Rows are scored in windows, so memory does not grow with the index.

use std::cmp::Reverse;

use rift_base::parallel::{join, threads};
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
use crate::segment::{RowKind, RowSymbol, Segment};
use crate::terms::{FILE_K1, K1, Scored, file_lengths, norm_tables, rarities};

/// What the score of a name counts by the declaration's class ([`definition_class`]): definitions first.
const CLASS_FACTORS: [f32; 4] = [1.0, 0.9, 0.8, 0.5];

/// What the score of a declaration counts whose name the query spells. Its words alone would not tell it from
/// names that hold them beside others, in a short file that is full of them.
const SPELLED_FACTOR: f32 = 1.5;

/// Rows that are scored at once.
const WINDOW: u32 = 4096;

/// Entries of postings past which two threads score them.
const SHARED_POSTINGS_MIN: u64 = 4_000;

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

/// Ranks the rows in `reach`: those of the query's terms, as they are `scored`; `tiers` say by segment whose names the query
/// spells.
pub(crate) fn rank(
    searcher: &Searcher,
    query: &ParsedQuery,
    scored: Vec<Scored>,
    reach: &Reach<'_>,
    tiers: &[Tiers],
) -> Result<FullText, IndexError> {
    if query.units.is_empty() {
        return Ok(FullText::default());
    }
    let norms = norm_tables(searcher);
    let lengths = file_lengths(searcher);
    let gathering = || Gathering {
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
    let gathered = |segments: &[usize]| -> Result<Gathering<'_>, IndexError> {
        let (mut window, mut gathering) = (Window::new(), gathering());
        for at in segments {
            let segment = &searcher.state.segments[*at];
            let mut cursors = cursors(segment, *at, &scored, &norms, &lengths)?;
            score(segment, &tiers[*at], &mut cursors, &mut window, &mut gathering);
        }
        Ok(gathering)
    };
    let halves = halves(searcher, &scored);
    let mut gathering = match halves[1].is_empty() {
        true => gathered(&halves[0])?,
        false => {
            let (first, second) = join(|| gathered(&halves[0]), || gathered(&halves[1]));
            first?.and(second?)
        }
    };
    gathering.files.note_names(searcher, reach, tiers);
    Ok(gathering.finish())
}

/// The numbers of all segments in two groups that are about as much work; in one where a second thread would gain nothing.
fn halves(searcher: &Searcher, scored: &[Scored]) -> [Vec<usize>; 2] {
    let postings = |segment: usize| -> u64 {
        let infos = scored.iter().flat_map(|scored| scored.terms[segment].iter().flatten().flatten());
        infos.map(|info| u64::from(info.doc_freq)).sum()
    };
    let mut segments: Vec<(u64, usize)> = (0..searcher.state.segments.len()).map(|at| (postings(at), at)).collect();
    let all: u64 = segments.iter().map(|(work, _)| work).sum();
    let mut halves = [(0, Vec::new()), (0, Vec::new())];
    segments.sort_unstable_by(|a, b| b.cmp(a));
    for (work, at) in segments {
        let into = usize::from(threads() > 1 && all >= SHARED_POSTINGS_MIN && halves[1].0 < halves[0].0);
        halves[into].0 += work;
        halves[into].1.push(at);
    }
    halves.map(|(_, segments)| segments)
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

/// The rows that are scored; empty between two windows.
struct Window {
    slots: Vec<Slot>,
    touched: [u64; WINDOW as usize / 64],
    /// Rows whose text has the unit that is being scored.
    counted: Vec<u32>,
}

impl Window {
    fn new() -> Self {
        let (slots, touched) = (vec![Slot::default(); WINDOW as usize], [0; WINDOW as usize / 64]);
        Self { slots, touched, counted: Vec::new() }
    }

    /// Takes the unit's frequencies, in all its forms, for what it scores in contents.
    fn settle(&mut self, rarity: f32) {
        for at in self.counted.drain(..) {
            let slot = &mut self.slots[at as usize];
            slot.content += rarity * slot.times / (slot.times + FILE_K1);
            slot.times = 0.0;
        }
    }
}

fn score(
    segment: &Segment,
    tiers: &Tiers,
    cursors: &mut [Cursor<'_>],
    window: &mut Window,
    gathering: &mut Gathering<'_>,
) {
    loop {
        let next = cursors.iter().map(|cursor| cursor.rows.doc()).min().unwrap_or(TERMINATED);
        if next == TERMINATED {
            return;
        }
        let base = next - next % WINDOW;
        for forms in cursors.chunk_by_mut(|a, b| a.unit == b.unit) {
            forms.iter_mut().for_each(|cursor| cursor.fill(base, base.saturating_add(WINDOW), window));
            let unit = forms.first().and_then(|cursor| cursor.unit);
            window.settle(unit.map_or(0.0, |unit| gathering.files.rarity(unit)));
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
            RowKind::File | RowKind::Chunk => self.files.text(segment, doc, rank, slot.named, slot.content),
        }
        if !self.reach.has(rank, kind) {
            return;
        }
        let prior = prior(self.searcher, segment, doc, rank);
        slot.score *= prior;
        if kind == RowKind::Chunk {
            self.chunk(rank, &slot);
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
        let place = place(rank, kind);
        // One word of many is no hint at a name: by it, any name would be ranked that happens to hold the word.
        let is_hinted = slot.name_units.count_ones() * 2 >= self.all_names.count_ones();
        if slot.name_score > 0.0 && is_hinted {
            let class = definition_class(segment.facets(doc));
            let score = slot.name_score * prior * CLASS_FACTORS[usize::from(class)];
            let matched = slot.fields.union(MatchedFields::NAME);
            let name = Candidate { key: (), place, symbol: RowSymbol::default(), score, matched };
            self.names.offer_with(name, |name| name.symbol = segment.symbol(doc));
        }
        let row = Candidate {
            key: Reverse(slot.units == self.all),
            place,
            symbol: RowSymbol::default(),
            score: slot.score,
            matched: slot.fields,
        };
        self.rows.offer_with(row, |row| row.symbol = segment.symbol(doc));
    }

    /// What both have gathered. Nothing depends on which of them met a row.
    fn and(mut self, other: Self) -> Self {
        self.rows.extend(other.rows);
        self.names.extend(other.names);
        for (rank, slot) in other.chunks {
            self.chunk(rank, &slot);
        }
        self.files.extend(other.files);
        self
    }

    /// Takes in one of several rows of a file.
    fn chunk(&mut self, rank: u32, slot: &Slot) {
        let file = self.chunks.entry(rank).or_default();
        file.score = file.score.max(slot.score);
        file.units |= slot.units;
        file.fields = file.fields.union(slot.fields);
    }

    fn finish(mut self) -> FullText {
        // The best of the bounded many does not depend on the order of offers.
        for (rank, slot) in std::mem::take(&mut self.chunks) {
            self.rows.offer(Candidate {
                key: Reverse(slot.units == self.all),
                place: place(rank, RowKind::Chunk),
                symbol: RowSymbol::default(),
                score: slot.score,
                matched: slot.fields,
            });
        }
        let (rows, truncated) = self.rows.finish();
        FullText { rows, truncated, names: self.names.finish().0, files: self.files }
    }
}
