//! Rankings over search units: full text and names, held in tantivy.
//!
//! [`Index`] takes in [`rift_base::FileUnits`] (one row for a file's text, one row for each declaration) and
//! publishes immutable [`Searcher`]s. A searcher answers a [`ParsedQuery`] with two rankings, full text
//! ([`lexical`](Searcher::rank)) and identifiers, fused by reciprocal rank, with the files that all of their rows
//! together speak for, and exact look-ups of symbol keys and nearby names. The crate knows nothing of files on disk:
//! its rows are what it was given.
//!
//! Every answer is a function of the live rows alone. Statistics count live rows exactly, scores are summed
//! in a fixed order, and ties end in path and ordinal, so neither the layout of segments nor the number of
//! threads that built them can show.

mod best;
mod bits;
mod commit;
mod dead;
mod distance;
mod error;
mod files;
mod forms;
mod fuse;
mod habits;
mod identifier;
mod letters;
mod lexical;
mod mentions;
mod named;
mod nearest;
mod overlay;
mod paths;
mod pattern;
mod phrase;
mod query;
mod rank;
mod rows;
mod schema;
mod searcher;
mod segment;
mod terms;
mod tokenizer;
mod trigram;
mod vector;
mod writer;

pub use commit::CommitJob;
pub use distance::NameWork;
pub use error::IndexError;
pub use files::{FileScore, NameEvidence};
pub use fuse::{Ranking, fuse};
pub use nearest::{NearName, NearNames};
pub use overlay::Staged;
pub use pattern::{Pattern, PatternError, PatternMatch, PatternMatches, PatternSearch};
pub use query::{Identifier, ParsedQuery, QUERY_TERMS_MAX, Unit};
pub use rank::{Hit, Matched, RANKED_UNITS_MAX, Ranked, Rankings, Ranks, Row};
pub use schema::{MatchedFields, NameMark};
pub use searcher::{PathSet, Searcher, Selection, Statistics, SymbolRow, Target};
pub use trigram::{ContentKey, Extractor, RecentRow, SegmentBuilder, TrigramQuery, TrigramRow, TrigramStore, Trigrams};
pub use vector::{FileVectors, Model, ModelError, ModelFiles, Nearest, NearestBounds, VectorTable};
pub use writer::{Applying, Bulk, Index, IndexDelta, IndexOptions};
