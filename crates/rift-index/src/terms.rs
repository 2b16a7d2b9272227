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
    let words = Words::of(searcher, query)?;
    for (at, unit) in query.units.iter().enumerate() {
        let bit = 1 << at.min(63);
        let hint = if unit.names { bit } else { 0 };
        let number = (unit.names || !tells).then_some(at);
        let term = words.scored(searcher, unit.words.clone());
        let mut term = Scored { bit, hint, names: unit.names, unit: number, ..term };
        if !unit.names {
            for field in [TextField::Name, TextField::Qualified, TextField::Signature, TextField::Path] {
                term.weights[field as usize] *= STOP_WORD_FACTOR;
            }
        }
        out.push(term);
        for inflection in unit.inflections.iter().filter(|form| words.is_in_contents(form)) {
            let term = words.scored(searcher, vec![(0, inflection.clone())]);
            let mut term = Scored { hint, names: unit.names, unit: number, ..term };
            term.weights.iter_mut().for_each(|weight| *weight *= INFLECTION_FACTOR);
            out.push(term);
        }
    }
    for compound in &query.compounds {
        out.push(Scored { names: true, ..words.scored(searcher, vec![(0, compound.clone())]) });
    }
    Ok(out)
}

/// The words of a query with their places in an index. They are looked for together, segment by segment.
struct Words<'q> {
    /// In order.
    words: Vec<&'q str>,
    /// By word: where it is listed.
    places: Vec<WordPlaces>,
}

#[derive(Default)]
struct WordPlaces {
    /// By segment and field.
    terms: Vec<[Option<TermInfo>; TEXT_FIELDS]>,
    /// By field: the live rows that hold the word.
    rows: [u64; TEXT_FIELDS],
}

impl<'q> Words<'q> {
    fn of(searcher: &Searcher, query: &'q ParsedQuery) -> Result<Self, IndexError> {
        let asked = query.units.iter().flat_map(|unit| unit.words.iter().map(|(_, word)| word));
        let mut asked: Vec<&str> = asked.chain(&query.compounds).map(String::as_str).collect();
        asked.sort_unstable();
        let forms = query.units.iter().flat_map(|unit| &unit.inflections).map(String::as_str);
        let mut words: Vec<&str> = asked.iter().copied().chain(forms).collect();
        words.sort_unstable();
        words.dedup();
        let segments = searcher.state.segments.len();
        let place = || WordPlaces { terms: vec![Default::default(); segments], ..WordPlaces::default() };
        let mut places: Vec<WordPlaces> = words.iter().map(|_| place()).collect();
        find(searcher, TextField::Content, &words, &mut places)?;
        // Most forms of a word are in no content, and need not be looked for in other fields.
        let is_wanted = |word: &str, place: &WordPlaces| {
            place.rows[TextField::Content as usize] > 0 || asked.binary_search(&word).is_ok()
        };
        let (words, mut places): (Vec<&str>, Vec<WordPlaces>) =
            words.into_iter().zip(places).filter(|(word, place)| is_wanted(word, place)).unzip();
        for field in TextField::ALL.into_iter().filter(|field| *field != TextField::Content) {
            find(searcher, field, &words, &mut places)?;
        }
        Ok(Self { words, places })
    }

    fn place(&self, word: &str) -> Option<&WordPlaces> {
        self.words.binary_search(&word).ok().map(|at| &self.places[at])
    }

    fn is_in_contents(&self, word: &str) -> bool {
        self.place(word).is_some_and(|place| place.rows[TextField::Content as usize] > 0)
    }

    /// The words with their places and weights. A phrase weighs what its words do together.
    fn scored(&self, searcher: &Searcher, words: Vec<(u32, String)>) -> Scored {
        let state = &searcher.state;
        let places: Vec<&WordPlaces> = words.iter().filter_map(|(_, word)| self.place(word)).collect();
        let of = |segment: usize, field: usize| -> Option<Vec<TermInfo>> {
            places.iter().map(|place| place.terms[segment][field].clone()).collect()
        };
        let terms = (0..state.segments.len()).map(|segment| std::array::from_fn(|field| of(segment, field))).collect();
        let rarity = |field: TextField| -> f32 {
            let total = state.totals[field as usize].rows;
            places.iter().map(|place| idf(total, place.rows[field as usize])).sum()
        };
        let mut weights = [0.0; TEXT_FIELDS];
        for field in TextField::ALL {
            weights[field as usize] = field.weight() * (K1 + 1.0) * rarity(field);
        }
        let rarity = rarity(TextField::Content);
        Scored { bit: 0, hint: 0, names: false, unit: None, rarity, words, terms, weights }
    }
}

/// Notes where each of `words` is listed in `field`.
fn find(searcher: &Searcher, field: TextField, words: &[&str], places: &mut [WordPlaces]) -> Result<(), IndexError> {
    let field = field as usize;
    for (number, segment) in searcher.state.segments.iter().enumerate() {
        for (place, info) in places.iter_mut().zip(segment.terms(field, words)?) {
            if let Some(info) = &info {
                place.rows[field] += segment.live_rows(field, info)?;
            }
            place.terms[number][field] = info;
        }
    }
    Ok(())
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
