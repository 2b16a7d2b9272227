//! What `search` answers.

use rift_base::{Language, ProjectPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema::{LanguageSchema, PathSchema};
use crate::{
    CapturedView, CommitHit, Digest, DocumentationKind, DocumentationLink, DocumentationReference, GraphHop,
    Pagination, ReadWarning, SourceUnitId, Symbol, SymbolChange, SymbolId, TextRange, UnavailableReason,
};

/// What `search` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SearchAnswer {
    /// The search ran.
    Found(SearchResult),
    /// The selection could not be searched.
    Unavailable(SearchUnavailable),
}

/// One page of hits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchResult {
    /// The hits of the page, in the requested order.
    pub results: Vec<SearchHit>,
    /// Which page this is.
    pub pagination: Pagination,
    /// The selection that was searched.
    pub view: CapturedView,
    /// Conditions that qualify the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ReadWarning>,
}

/// A search whose selection could not be served.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchUnavailable {
    /// Always `unavailable`.
    pub outcome: UnavailableTag,
    /// Why.
    pub reason: UnavailableReason,
    /// The view asked for, when it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<CapturedView>,
    /// Conditions that qualify the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ReadWarning>,
}

/// The word `unavailable`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnavailableTag {
    /// The only outcome an unavailable search has.
    #[default]
    Unavailable,
}

/// One hit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchHit {
    /// What was found.
    pub hit: Hit,
    /// The value that ordered the page, when `include` names `score`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// What the score is the sum of, when `include` names `score`: `score = Σ weight / (k + rank)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranking: Vec<HitRank>,
    /// The fields that matched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matched_by: Vec<MatchedField>,
    /// Lines that show the hit, when `include` names `source`: what `range` covers when that is short, else the parts of
    /// its file that `source_parts` lists, joined by line feeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What `source` is made of, in order; absent when it is just what `range` covers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_parts: Vec<SourcePart>,
    /// How many lines of `range` are not whole in `source`, blank ones aside; absent for none, and for a file of which
    /// only the path matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub source_omitted: Option<u64>,
    /// The bytes of the hit in its file; stands with `line`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<TextRange>,
    /// The line of the hit, 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub line: Option<u64>,
    /// The file of a project hit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<PathSchema>")]
    pub path: Option<ProjectPath>,
    /// The source unit of a package hit, in place of `path`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<SourceUnitId>,
    /// The steps from the seed of a walk to this hit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 2))]
    pub traversal_path: Vec<GraphHop>,
    /// The number of those steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 2))]
    pub distance: Option<u64>,
    /// How the declaration differs between the compared sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<SymbolChange>,
    /// The commit of a commit hit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<CommitHit>,
    /// The view of a dependency hit, in place of the answer's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<CapturedView>,
}

/// Where a hit stands in one of the rankings that were fused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HitRank {
    /// The ranking: `identifier`, `lexical`, `vector` or `file`.
    pub name: String,
    /// The hit's rank there, from 1.
    #[schemars(range(min = 1))]
    pub rank: u64,
    /// The share of the ranking; those of all rankings that answered sum to 1.
    pub weight: f64,
}

impl SearchHit {
    /// A hit with every optional member absent.
    pub fn new(hit: Hit) -> Self {
        Self {
            hit,
            score: None,
            ranking: Vec::new(),
            matched_by: Vec::new(),
            source: None,
            source_parts: Vec::new(),
            source_omitted: None,
            range: None,
            line: None,
            path: None,
            unit: None,
            traversal_path: Vec::new(),
            distance: None,
            change: None,
            commit: None,
            view: None,
        }
    }
}

/// One part of a hit's source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourcePart {
    /// Its bytes in the file, without the last line break.
    pub range: TextRange,
    /// The line it begins on, 1-based.
    #[schemars(range(min = 1))]
    pub line: u64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "target", rename_all = "snake_case", deny_unknown_fields)]
pub enum Hit {
    /// A declaration.
    Symbol {
        /// The declared symbol.
        symbol: Box<Symbol>,
    },
    /// A line of a file.
    File {
        /// The file's size in bytes.
        size: u64,
        /// Its languages.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[schemars(with = "Vec<LanguageSchema>")]
        languages: Vec<Language>,
    },
    /// A documentation block.
    Documentation {
        /// The block's identity: 64 lowercase hexadecimal digits.
        block: String,
        /// What it is.
        kind: DocumentationKind,
        /// The language of code, as the document spells it.
        #[serde(skip_serializing_if = "Option::is_none")]
        language: Option<String>,
        /// The headings above the block, outermost first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        heading_path: Vec<String>,
        /// The symbol that the block documents: the one that the comment stands at, or the only one that the prose names.
        #[serde(skip_serializing_if = "Option::is_none")]
        symbol: Option<SymbolId>,
        /// What the prose names, in its order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[schemars(length(max = 32))]
        references: Vec<DocumentationReference>,
        /// Its links, in their order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[schemars(length(max = 32))]
        links: Vec<DocumentationLink>,
        /// The digest of the tree that the block was read from.
        documentation_revision: Digest,
    },
    /// A commit; `commit` of the hit holds it.
    Commit {},
}

/// A field that matched, or the lane that reached a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MatchedField {
    /// The declaration's name.
    Name,
    /// Its signature.
    Signature,
    /// Its documentation.
    Documentation,
    /// File text.
    Content,
    /// The vector ranking.
    Ranked,
    /// The file's path.
    Path,
    /// A walk.
    Relationship,
    /// A comparison.
    Change,
}

impl MatchedField {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            MatchedField::Name => "name",
            MatchedField::Signature => "signature",
            MatchedField::Documentation => "documentation",
            MatchedField::Content => "content",
            MatchedField::Ranked => "ranked",
            MatchedField::Path => "path",
            MatchedField::Relationship => "relationship",
            MatchedField::Change => "change",
        }
    }
}
