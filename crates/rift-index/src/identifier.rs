//! The identifier ranking: declarations whose names the query's identifiers resemble.
//!
//! First come the names of identifiers that the query surely means: spelled alike, equal but for case and
//! separators, beginning alike, holding all its words, misspelled. Names that a run of prose words makes
//! follow, then names that hold some of the query's words, by BM25 over names. Among names that resemble
//! equally, definitions come first, then shorter names.

use rift_base::parallel::each;
use rift_base::{Facet, Facets};
use tantivy::query::{DfaWrapper, FuzzyTermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED, Term};

use crate::best::Best;
use crate::error::IndexError;
use crate::query::{Identifier, ParsedQuery, Strength};
use crate::rank::{Candidate, RANKED_UNITS_MAX, definition_class, is_generated, is_test, place};
use crate::schema::{MatchedFields, TextField};
use crate::searcher::{Reach, Searcher};
use crate::segment::{Segment, live_docs, raw_rows};

/// The shortest identifier in characters that is taken for the beginning of longer names.
const PREFIX_CHARS_MIN: usize = 3;
/// The shortest identifier in characters that may be misspelled by one edit, and by two.
const MISSPELT_CHARS_MIN: [usize; 2] = [4, 8];

/// How a name resembles an identifier; smaller is closer.
mod tier {
    pub(super) const EXACT: u8 = 0;
    pub(super) const FOLDED: u8 = 1;
    pub(super) const PREFIX: u8 = 2;
    pub(super) const CONTAINED: u8 = 3;
    pub(super) const MISSPELT: u8 = 4;
    /// Added when what qualifies the identifier does not qualify the name.
    pub(super) const UNQUALIFIED: u8 = 8;
    /// A run of prose words; the longest run first.
    pub(super) const JOINED: u8 = 16;
    /// Added when the run is a small part of the query: then it names types and callables alone. `stop signal` in a
    /// long question is seldom about fields of that name.
    pub(super) const PART: u8 = 8;
    /// Some words of the query.
    pub(super) const WORDS: u8 = 32;
}

/// A declaration of the ranking.
pub(crate) type Name = Candidate<NameKey>;

/// What orders names, ahead of path and ordinal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NameKey {
    tier: u8,
    /// Copies that tools made come after what they were made of.
    is_generated: bool,
    class: u8,
    is_test: bool,
    /// Characters of the name; for names that hold some words, their order by BM25.
    length: u32,
}

/// By segment: how the names of its rows resemble the identifiers of the query.
pub(crate) fn resemblance(searcher: &Searcher, query: &ParsedQuery) -> Result<Vec<Tiers>, IndexError> {
    let mut tiers: Vec<Tiers> = searcher.state.segments.iter().map(Tiers::of).collect();
    let hints = query.units.iter().filter(|unit| unit.names).count();
    for identifier in &query.identifiers {
        let joined = match identifier.strength {
            Strength::Joined(words) if usize::from(words) * 2 < hints => tier::JOINED + tier::PART,
            _ => tier::JOINED,
        };
        find(searcher, identifier, joined, &mut tiers)?;
    }
    Ok(tiers)
}

/// Ranks the declarations in `reach`, of those whose names resemble; `words` are the ones whose names hold
/// words of the query, best first. Also says whether more resemble.
pub(crate) fn rank(
    searcher: &Searcher,
    query: &ParsedQuery,
    reach: &Reach<'_>,
    tiers: Vec<Tiers>,
    words: Vec<Candidate<()>>,
) -> (Vec<Name>, bool) {
    let mut best = Best::new(RANKED_UNITS_MAX);
    for (segment, tiers) in searcher.state.segments.iter().zip(tiers) {
        for doc in tiers.rows {
            let tier = tiers.closest[doc as usize];
            // The type, which has the same name, stands for its constructors.
            let facets = segment.facets(doc);
            if tier >= tier::JOINED && facets & Facets::of(&[Facet::Constructor]).bits() != 0
                || tier >= tier::JOINED + tier::PART && definition_class(facets) != 0
            {
                continue;
            }
            if best.bar().is_some_and(|bar: &Name| tier > bar.key.tier) {
                continue;
            }
            let (rank, kind) = (segment.rank(doc), segment.kind(doc));
            if reach.has(rank, kind) {
                best.offer(candidate(searcher, segment, doc, tier));
            }
        }
    }
    let (mut names, truncated) = best.finish();
    // Beside names that resemble the one identifier that is asked for, names with some of its words are noise.
    let is_answered = names.first().is_some_and(|name| name.key.tier < tier::JOINED);
    if !(is_answered && query.is_one_identifier()) {
        add_words(&mut names, words);
    }
    (names, truncated)
}

/// In what way a query spells a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// As one word.
    Meant,
    /// As one word, with qualifiers that are not the name's.
    Elsewhere,
    /// As a run of prose words.
    Joined,
}

/// The closest tier of each row of a segment.
pub(crate) struct Tiers {
    closest: Vec<u8>,
    /// The rows that have one.
    rows: Vec<DocId>,
}

impl Tiers {
    const NONE: u8 = u8::MAX;

    fn of(segment: &Segment) -> Self {
        Self { closest: vec![Self::NONE; segment.reader.max_doc() as usize], rows: Vec::new() }
    }

    /// Whether the query spells the row's name, case and separators aside.
    pub(crate) fn is_spelled(&self, doc: DocId) -> bool {
        self.closest[doc as usize] <= tier::FOLDED
    }

    /// The rows whose names the query spells, case and separators aside, with how sure it is that it means them.
    pub(crate) fn spelled(&self) -> impl Iterator<Item = (DocId, Spelling)> {
        self.rows.iter().filter_map(|doc| {
            let spelling = match self.closest[*doc as usize] {
                tier::EXACT | tier::FOLDED => Spelling::Meant,
                tier if tier == tier::UNQUALIFIED || tier == tier::UNQUALIFIED + tier::FOLDED => Spelling::Elsewhere,
                tier if (tier::JOINED..tier::WORDS).contains(&tier) => Spelling::Joined,
                _ => return None,
            };
            Some((*doc, spelling))
        })
    }

    fn note(&mut self, doc: DocId, tier: u8) {
        let closest = &mut self.closest[doc as usize];
        if *closest == Self::NONE {
            self.rows.push(doc);
        }
        *closest = tier.min(*closest);
    }
}

fn candidate(searcher: &Searcher, segment: &Segment, doc: DocId, tier: u8) -> Name {
    let rank = segment.rank(doc);
    let key = NameKey {
        tier,
        is_generated: is_generated(searcher, segment, doc, rank),
        class: definition_class(segment.facets(doc)),
        is_test: is_test(searcher, segment, doc, rank),
        length: segment.name_chars(doc),
    };
    let place = place(rank, segment.kind(doc));
    Candidate { key, place, symbol: segment.symbol(doc), score: 0.0, matched: MatchedFields::NAME }
}

/// Appends the names that hold some words, without those that are there, up to the bound.
fn add_words(names: &mut Vec<Name>, words: Vec<Candidate<()>>) {
    let mut known: Vec<_> = names.iter().map(|name| name.place).collect();
    known.sort_unstable();
    for (word, at) in words.into_iter().zip(0u32..) {
        if names.len() == RANKED_UNITS_MAX {
            return;
        }
        if known.binary_search(&word.place).is_err() {
            let key = NameKey { tier: tier::WORDS, is_generated: false, class: 0, is_test: false, length: at };
            let Candidate { place, symbol, score, matched, .. } = word;
            names.push(Candidate { key, place, symbol, score, matched });
        }
    }
}

fn find(searcher: &Searcher, identifier: &Identifier, joined: u8, tiers: &mut [Tiers]) -> Result<(), IndexError> {
    let mut spelled = false;
    let mut found: Vec<Vec<(DocId, u8)>> = Vec::with_capacity(tiers.len());
    for segment in &searcher.state.segments {
        let rows = resembling(segment, identifier)?;
        spelled |= rows.iter().any(|(_, tier)| *tier <= tier::FOLDED);
        found.push(rows);
    }
    // A name that exists is not a misspelling of another.
    if !spelled
        && identifier.strength == Strength::Sure
        && let Some(misspellings) = Misspellings::of(identifier)?
    {
        let more = each(&searcher.state.segments, |segment| misspellings.rows(segment));
        for (rows, more) in found.iter_mut().zip(more) {
            rows.extend(more?.into_iter().map(|doc| (doc, tier::MISSPELT)));
        }
    }
    for ((segment, rows), tiers) in searcher.state.segments.iter().zip(found).zip(tiers) {
        let qualified = if identifier.qualifiers.is_empty() || rows.is_empty() {
            None
        } else {
            Some(rows_with_all(segment, TextField::Qualified, &identifier.qualifiers)?)
        };
        for (doc, mut tier) in rows {
            match identifier.strength {
                Strength::Joined(words) => tier = joined + 4u8.saturating_sub(words),
                Strength::Sure if qualified.as_ref().is_some_and(|rows| rows.binary_search(&doc).is_err()) => {
                    tier += tier::UNQUALIFIED;
                }
                Strength::Sure => {}
            }
            tiers.note(doc, tier);
        }
    }
    Ok(())
}

/// The live rows of a segment whose names resemble, misspellings aside; a row may come with several tiers.
fn resembling(segment: &Segment, identifier: &Identifier) -> Result<Vec<(DocId, u8)>, IndexError> {
    let mut out = Vec::new();
    let folded = identifier.folded.as_bytes();
    if let Some(mut rows) = raw_rows(&segment.names_folded, folded)? {
        out.extend(live_docs(segment, &mut rows).map(|doc| (doc, tier::FOLDED)));
    }
    if identifier.strength != Strength::Sure {
        return Ok(out);
    }
    if let Some(mut rows) = raw_rows(&segment.names_spelled, identifier.name.as_bytes())? {
        out.extend(live_docs(segment, &mut rows).map(|doc| (doc, tier::EXACT)));
    }
    if identifier.folded.chars().count() >= PREFIX_CHARS_MIN {
        let index = &segment.names_folded;
        let mut names = index.terms().range().gt(folded).into_stream()?;
        while names.advance() && names.key().starts_with(folded) {
            let mut rows = index.read_postings_from_terminfo(names.value(), IndexRecordOption::Basic)?;
            out.extend(live_docs(segment, &mut rows).map(|doc| (doc, tier::PREFIX)));
        }
    }
    let contained = rows_with_all(segment, TextField::Name, &identifier.words)?;
    out.extend(contained.into_iter().map(|doc| (doc, tier::CONTAINED)));
    Ok(out)
}

/// Names that are one or two edits away from an identifier (a swap of neighbours is one).
struct Misspellings(DfaWrapper);

impl Misspellings {
    /// Those of `identifier`; none where it is too short to tell.
    fn of(identifier: &Identifier) -> Result<Option<Self>, IndexError> {
        let chars = identifier.folded.chars().count();
        let distance = MISSPELT_CHARS_MIN.iter().filter(|least| chars >= **least).count() as u8;
        if distance == 0 {
            return Ok(None);
        }
        // The automaton takes the text of the term alone; the field is of no account.
        let field = tantivy::schema::Field::from_field_id(0);
        let term = Term::from_field_text(field, &identifier.folded);
        Ok(Some(Self(FuzzyTermQuery::new(term, distance, true).automaton()?)))
    }

    /// The live rows of a segment that have such names.
    fn rows(&self, segment: &Segment) -> Result<Vec<DocId>, IndexError> {
        let index = &segment.names_folded;
        let mut out = Vec::new();
        let mut names = index.terms().search(&self.0).into_stream()?;
        while names.advance() {
            let mut rows = index.read_postings_from_terminfo(names.value(), IndexRecordOption::Basic)?;
            out.extend(live_docs(segment, &mut rows));
        }
        Ok(out)
    }
}

/// The live rows whose field holds every word, ascending.
fn rows_with_all(segment: &Segment, field: TextField, words: &[String]) -> Result<Vec<DocId>, IndexError> {
    let mut lists = Vec::with_capacity(words.len());
    for word in words {
        let Some(term) = segment.term(field as usize, word)? else { return Ok(Vec::new()) };
        lists.push(segment.postings(field as usize, &term, IndexRecordOption::Basic)?);
    }
    lists.sort_by_key(|rows| rows.doc_freq());
    let Some((lead, others)) = lists.split_first_mut() else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    let mut doc = lead.doc();
    while doc != TERMINATED {
        let all = others.iter_mut().all(|rows| {
            let at = if rows.doc() < doc { rows.seek(doc) } else { rows.doc() };
            at == doc
        });
        if all && segment.is_live(doc) {
            out.push(doc);
        }
        doc = lead.advance();
    }
    Ok(out)
}
