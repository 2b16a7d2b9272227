//! The terms of a query in an index: where each is listed, and what it weighs.

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::TermInfo;

use crate::error::IndexError;
use crate::query::ParsedQuery;
use crate::schema::{TEXT_FIELDS, TextField};
use crate::searcher::Searcher;

/// BM25's saturation of repeated terms and strength of length normalisation: the values of Robertson et al.
/// (TREC-3) as most engines have them.
pub(crate) const K1: f32 = 1.2;
const B: f32 = 0.75;

/// The same for files as a whole. A long file holds many things, each as good as it would be in a short one: length
/// counts little, and a word that comes up often says more than it does in a paragraph.
const FILE_B: f32 = 0.2;
pub(crate) const FILE_K1: f32 = 4.0;

/// What a word of the query counts that is no hint at a name, where it stands in one.
const STOP_WORD_FACTOR: f32 = 0.02;
/// What another form of a word of the query counts.
const INFLECTION_FACTOR: f32 = 0.5;

/// A term, phrase or compound of the query, with its place in every segment.
pub(crate) struct Scored {
    /// The bit of its unit; none for a compound or an inflection, which scores but need not be there.
    pub(crate) bit: u64,
    /// The bit of the unit that it stands for in names; none when it does not count in the ranking by names.
    pub(crate) hint: u64,
    /// Whether it counts in the ranking by names.
    pub(crate) names: bool,
    /// The number of its unit, where it tells what is asked for; none for a compound.
    pub(crate) unit: Option<usize>,
    /// The inverse document frequency of its words in contents.
    pub(crate) rarity: f32,
    pub(crate) words: Vec<(u32, String)>,
    /// By segment and field: where its words are listed, when the segment has them all.
    pub(crate) terms: Vec<[Option<Vec<TermInfo>>; TEXT_FIELDS]>,
    /// By field: weight times inverse document frequency.
    pub(crate) weights: [f32; TEXT_FIELDS],
}

pub(crate) fn scored(searcher: &Searcher, query: &ParsedQuery) -> Result<Vec<Scored>, IndexError> {
    let mut out = Vec::with_capacity(query.units.len() + query.compounds.len());
    let tells = query.units.iter().any(|unit| unit.names);
    for (at, unit) in query.units.iter().enumerate() {
        let bit = 1 << at.min(63);
        let hint = if unit.names { bit } else { 0 };
        let number = (unit.names || !tells).then_some(at);
        let mut term = Scored { bit, hint, names: unit.names, unit: number, ..locate(searcher, unit.words.clone())? };
        if !unit.names {
            for field in [TextField::Name, TextField::Qualified, TextField::Signature, TextField::Path] {
                term.weights[field as usize] *= STOP_WORD_FACTOR;
            }
        }
        out.push(term);
        for inflection in &unit.inflections {
            if !is_in_contents(searcher, inflection)? {
                continue;
            }
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

/// Whether any content has the word. Most forms of a word are in none, and need not be looked for in other fields.
fn is_in_contents(searcher: &Searcher, word: &str) -> Result<bool, IndexError> {
    let field = TextField::Content as usize;
    for segment in &searcher.state.segments {
        if let Some(info) = segment.term(field, word)?
            && segment.live_rows(field, &info)? > 0
        {
            return Ok(true);
        }
    }
    Ok(false)
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
pub(crate) fn norm_tables(searcher: &Searcher) -> [[f32; 256]; TEXT_FIELDS] {
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
pub(crate) fn rarities(units: usize, scored: &[Scored]) -> Vec<Option<f32>> {
    let mut out = vec![None; units];
    for scored in scored {
        let Some(unit) = scored.unit else { continue };
        out[unit] = Some(out[unit].map_or(scored.rarity, |known: f32| known.min(scored.rarity)));
    }
    out
}

/// By length norm of contents: what a term's frequency is divided by, for files as a whole.
pub(crate) fn file_lengths(searcher: &Searcher) -> [f32; 256] {
    let totals = searcher.state.totals[TextField::Content as usize];
    let average = totals.words as f32 / totals.rows.max(1) as f32;
    let mut table = [1.0; 256];
    for (norm, slot) in (0..=255u8).zip(table.iter_mut()) {
        *slot = 1.0 - FILE_B + FILE_B * FieldNormReader::id_to_fieldnorm(norm) as f32 / average.max(1.0);
    }
    table
}
