//! Rankings of rows, and the hits they make together.

use std::cmp::Reverse;

use rift_base::parallel::join;
use rift_base::{Facet, Facets, ProjectPath, RankingConfig};
use rustc_hash::FxHashMap;
use tantivy::DocId;

use crate::error::IndexError;
use crate::files::FileScore;
use crate::fuse::{Ranking, fuse};
use crate::query::ParsedQuery;
use crate::schema::{MatchedFields, NameMark};
use crate::searcher::{Searcher, Selection};
use crate::segment::{RowKind, RowSymbol, Segment};
use crate::{identifier, lexical, terms};

/// The most rows that one ranking holds.
pub const RANKED_UNITS_MAX: usize = 1000;

/// What the score of a row of a test counts, against a row of other code.
const TEST_FACTOR: f32 = 0.5;
/// What the score of a row of a generated file counts.
const GENERATED_FACTOR: f32 = 0.5;

/// A row, as its content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
    /// A file as a whole, whatever number of rows hold its text.
    File {
        /// The file.
        path: ProjectPath,
    },
    /// A declaration.
    Symbol {
        /// Its file.
        path: ProjectPath,
        /// Its number within the file's facts.
        ordinal: u32,
        /// The hash of its symbol's key.
        key: u64,
        /// Whether declarations of other files may be of the same symbol.
        joins: bool,
        /// The mark of its short name.
        name: NameMark,
    },
}

impl Row {
    /// The file.
    pub fn path(&self) -> &ProjectPath {
        match self {
            Row::File { path } | Row::Symbol { path, .. } => path,
        }
    }
}

/// The fields of a hit that carried the query's words.
pub type Matched = MatchedFields;

/// A row's ranks, from 1, in the rankings that are fused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ranks {
    /// In the ranking by identifiers.
    pub identifier: Option<u32>,
    /// In the full-text ranking.
    pub lexical: Option<u32>,
    /// In the ranking by vectors, which is fused with these two by whoever has one.
    pub vector: Option<u32>,
}

/// A row with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The row.
    pub row: Row,
    /// The value that orders the hits of one answer; no scale of its own.
    pub score: f64,
    /// The fields that carried a term of the query, or a name that resembles one of its identifiers.
    pub matched: Matched,
    /// What the score is made of; a single ranking states none.
    pub ranks: Ranks,
}

/// The answer to a query.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ranked {
    /// Best first; ties in the order of path and ordinal.
    pub hits: Vec<Hit>,
    /// Whether the query was narrowed (`query_narrowed`).
    pub narrowed: bool,
    /// Whether more than [`RANKED_UNITS_MAX`] rows match as full text (`lexical_ranking_truncated`).
    pub lexical_truncated: bool,
    /// The best files by what all of their rows say together, best first; ties in the order of paths.
    pub files: Vec<FileScore>,
    /// By unit of the query: how rare it is in contents; absent for words that say nothing about what is asked for.
    pub rarities: Vec<Option<f32>>,
}

/// The rankings before their fusion. Scores are those of each ranking.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rankings {
    /// Rows that hold every term and phrase by BM25, then rows that hold any.
    pub lexical: Vec<Hit>,
    /// Whether more rows match as full text.
    pub lexical_truncated: bool,
    /// Declarations whose names the query's identifiers resemble; the score falls by one a rank.
    pub identifier: Vec<Hit>,
    /// Whether more names match.
    pub identifier_truncated: bool,
}

/// A row by its place: path rank and order within the file, which is the order of ties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    pub(crate) rank: u32,
    pub(crate) order: u64,
}

/// A ranked row. Better ones are smaller.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<K> {
    pub(crate) key: K,
    pub(crate) place: Place,
    pub(crate) symbol: RowSymbol,
    pub(crate) score: f32,
    pub(crate) matched: MatchedFields,
}

impl<K: Ord> PartialEq for Candidate<K> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<K: Ord> Eq for Candidate<K> {}

impl<K: Ord> PartialOrd for Candidate<K> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord> Ord for Candidate<K> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key
            .cmp(&other.key)
            .then_with(|| other.score.total_cmp(&self.score))
            .then_with(|| self.place.cmp(&other.place))
    }
}

/// What the scores of a row are multiplied by, for what it is.
pub(crate) fn prior(searcher: &Searcher, segment: &Segment, doc: DocId, rank: u32) -> f32 {
    let mut factor = 1.0;
    if is_test(searcher, segment, doc, rank) {
        factor *= TEST_FACTOR;
    }
    if is_generated(searcher, segment, doc, rank) {
        factor *= GENERATED_FACTOR;
    }
    factor
}

pub(crate) fn is_test(searcher: &Searcher, segment: &Segment, doc: DocId, rank: u32) -> bool {
    searcher.is_test(rank) || segment.facets(doc) & Facets::of(&[Facet::Test]).bits() != 0
}

/// Whether a tool wrote the row's file: by its text, or by the place that tools write scripts to.
pub(crate) fn is_generated(searcher: &Searcher, segment: &Segment, doc: DocId, rank: u32) -> bool {
    segment.is_generated(doc) || searcher.is_output(rank)
}

/// How much of a definition a declaration is: types and callables first, then what else stands for itself
/// and constructors, which stand for their types, then members that hold values, then parameters.
pub(crate) fn definition_class(facets: u32) -> u8 {
    const CONSTRUCTOR: u32 = Facets::of(&[Facet::Constructor]).bits();
    const FIRST: u32 = Facets::of(&[Facet::Type, Facet::Callable, Facet::Macro]).bits();
    const LAST: u32 = Facets::of(&[Facet::Parameter, Facet::TypeParameter]).bits();
    const MEMBER: u32 = Facets::of(&[Facet::Member, Facet::Property, Facet::Variant, Facet::Mutable]).bits();
    match facets {
        f if f & LAST != 0 => 3,
        f if f & CONSTRUCTOR != 0 => 1,
        f if f & FIRST != 0 => 0,
        f if f & MEMBER != 0 => 2,
        _ => 1,
    }
}

impl Searcher {
    /// Ranks the selected rows for `query`: full text and identifiers, fused with the weights and `k` of
    /// `config` (the vector weight counts for nothing: a table of vectors is no part of an index).
    ///
    /// # Errors
    /// [`IndexError::Engine`] when the index cannot be read.
    pub fn rank(
        &self,
        query: &ParsedQuery,
        selection: &Selection<'_>,
        config: &RankingConfig,
    ) -> Result<Ranked, IndexError> {
        let (lexical, identifier) = self.candidates(query, selection)?;
        // Files take longer, and can be shared out once rows are fused.
        let (files, hits) =
            join(|| lexical.files.rank(self, query, config), || self.fused(&lexical, &identifier.0, config));
        Ok(Ranked {
            hits,
            narrowed: query.narrowed,
            lexical_truncated: lexical.truncated,
            files,
            rarities: lexical.files.rarities().to_vec(),
        })
    }

    /// The rows of both rankings, fused.
    fn fused(&self, lexical: &lexical::FullText, identifier: &[identifier::Name], config: &RankingConfig) -> Vec<Hit> {
        let mut rows: FxHashMap<Place, (RowSymbol, MatchedFields, Ranks)> = FxHashMap::default();
        for (c, rank) in identifier.iter().zip(1u32..) {
            let row = rows.entry(c.place).or_insert((c.symbol, MatchedFields::NONE, Ranks::default()));
            (row.1, row.2.identifier) = (row.1.union(c.matched), Some(rank));
        }
        for (c, rank) in lexical.rows.iter().zip(1u32..) {
            let row = rows.entry(c.place).or_insert((c.symbol, MatchedFields::NONE, Ranks::default()));
            (row.1, row.2.lexical) = (row.1.union(c.matched), Some(rank));
        }
        let lexical_places: Vec<Place> = lexical.rows.iter().map(|c| c.place).collect();
        let identifier_places: Vec<Place> = identifier.iter().map(|c| c.place).collect();
        let fused = fuse(
            &[
                Ranking { weight: config.identifier_weight, items: Some(&identifier_places) },
                Ranking { weight: config.lexical_weight, items: Some(&lexical_places) },
                Ranking { weight: config.vector_weight, items: None },
            ],
            config.fusion_k,
        );
        let hit = |(place, score)| {
            let (symbol, matched, ranks) = rows.get(&place).copied().unwrap_or_default();
            Hit { row: self.row(place, symbol), score, matched, ranks }
        };
        fused.into_iter().map(hit).collect()
    }

    /// The two rankings for themselves.
    ///
    /// # Errors
    /// [`IndexError::Engine`] when the index cannot be read.
    pub fn rankings(&self, query: &ParsedQuery, selection: &Selection<'_>) -> Result<Rankings, IndexError> {
        let (lexical, (names, identifier_truncated)) = self.candidates(query, selection)?;
        let hit = |place: Place, symbol, score, matched| Hit {
            row: self.row(place, symbol),
            score,
            matched,
            ranks: Ranks::default(),
        };
        Ok(Rankings {
            lexical: lexical.rows.iter().map(|c| hit(c.place, c.symbol, f64::from(c.score), c.matched)).collect(),
            lexical_truncated: lexical.truncated,
            identifier: (0..names.len())
                .map(|at| (&names[at], (names.len() - at) as f64))
                .map(|(c, score)| hit(c.place, c.symbol, score, c.matched))
                .collect(),
            identifier_truncated,
        })
    }

    fn candidates(
        &self,
        query: &ParsedQuery,
        selection: &Selection<'_>,
    ) -> Result<(lexical::FullText, (Vec<identifier::Name>, bool)), IndexError> {
        let reach = self.reach(selection);
        let (tiers, scored) = join(|| identifier::resemblance(self, query), || terms::scored(self, query));
        let tiers = tiers?;
        let mut full_text = lexical::rank(self, query, scored?, &reach, &tiers)?;
        let words = std::mem::take(&mut full_text.names);
        Ok((full_text, identifier::rank(self, query, &reach, tiers, words)))
    }

    fn row(&self, place: Place, symbol: RowSymbol) -> Row {
        let path = self.path(place.rank);
        match place.order.checked_sub(1) {
            None => Row::File { path },
            Some(ordinal) => {
                let RowSymbol { key, joins, name } = symbol;
                Row::Symbol { path, ordinal: ordinal as u32, key, joins, name }
            }
        }
    }
}

/// The place of a row.
pub(crate) fn place(rank: u32, kind: RowKind) -> Place {
    Place { rank, order: kind.order() }
}

/// The key by which full text is ordered before the score: rows that hold every term first.
pub(crate) type Coverage = Reverse<bool>;
