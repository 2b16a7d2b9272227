//! What `search` is asked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::SEARCH_LIMIT_DEFAULT;
use crate::{CapturedViewId, PathPattern, RelationshipFacet, RevisionId, Scope, SymbolId};

/// What `search` is asked. At least one of `query`, `pattern`, `traversal` and `change` is required.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchParams {
    /// Words, identifiers or a question. Case does not matter; identifiers also match by their parts; double quotes
    /// keep a phrase together.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 4096))]
    pub query: Option<String>,
    /// A regular expression (Rust `regex` syntax, as ripgrep reads it) matched line by line in file text, in place
    /// of `query`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1024))]
    pub pattern: Option<String>,
    /// What a hit is.
    #[serde(default)]
    pub target: SearchTarget,
    /// How hits are ordered. Every order ends in the hit's identity.
    #[serde(default)]
    pub order: SearchOrder,
    /// Globs over project paths that narrow what is searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<PathSelector>,
    /// Extra members of each hit. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<SearchInclude>,
    /// Hits of one page.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 10000))]
    pub limit: u64,
    /// The page, 0-based. A page past the last is empty.
    #[serde(default)]
    pub page_index: u64,
    /// A git revision (branch, tag, commit id, with `~N` or `^N`) to search in place of the working tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rev: Option<RevisionId>,
    /// Where to search.
    #[serde(default)]
    pub scope: Scope,
    /// Package versions to reach beside the ones that the manifests name. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    pub packages: Vec<RequestedPackage>,
    /// A walk along references or calls from one symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traversal: Option<SearchTraversal>,
    /// A comparison of two revisions by declaration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<ChangeSelector>,
    /// A view that an earlier answer named, to search the same selection again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<CapturedViewId>,
}

fn default_limit() -> u64 {
    SEARCH_LIMIT_DEFAULT
}

impl Default for SearchParams {
    fn default() -> Self {
        Self {
            query: None,
            pattern: None,
            target: SearchTarget::default(),
            order: SearchOrder::default(),
            paths: None,
            include: Vec::new(),
            limit: SEARCH_LIMIT_DEFAULT,
            page_index: 0,
            rev: None,
            scope: Scope::default(),
            packages: Vec::new(),
            traversal: None,
            change: None,
            view: None,
        }
    }
}

/// What a hit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchTarget {
    /// Declarations.
    Symbol,
    /// Files, at a line.
    File,
    /// Documentation blocks.
    Documentation,
    /// Commits, by their message.
    Commit,
    /// Declarations, files and documentation blocks.
    #[default]
    All,
}

/// How hits are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchOrder {
    /// Best first; matches of a pattern by path, then offset.
    #[default]
    Relevance,
    /// By path, then offset.
    Path,
    /// By identity.
    Identity,
}

/// An extra member of each hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchInclude {
    /// The lines that show the hit: a short declaration whole, of a long one its head and the lines that match.
    Source,
    /// The value that ordered the page, comparable within one answer only.
    Score,
}

/// Globs over project paths: `*` stays within a folder, `**` crosses folders.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathSelector {
    /// Search only these. Default: everything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 512))]
    pub include: Vec<PathPattern>,
    /// Leave these out. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 512))]
    pub exclude: Vec<PathPattern>,
    /// Search these too, although configuration or .gitignore keep them out of the index; at most 256 such files.
    /// Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 512))]
    pub force_include: Vec<PathPattern>,
}

/// A package version to reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestedPackage {
    /// The package manager, such as `cargo`, `npm` or `pypi`.
    #[schemars(length(min = 1, max = 128))]
    pub manager: String,
    /// The registry, such as `crates.io`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 4096))]
    pub registry: Option<String>,
    /// The package's name.
    #[schemars(length(min = 1, max = 4096))]
    pub name: String,
    /// The exact version. Default: the newest collected one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 4096))]
    pub version: Option<String>,
}

/// A walk along references or calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchTraversal {
    /// The symbol the walk starts from.
    pub seed: SymbolId,
    /// A symbol to find the shortest way to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<SymbolId>,
    /// Which edges to follow.
    #[serde(default)]
    pub direction: TraversalDirection,
    /// The relationships to follow. Default: all that are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facets: Vec<RelationshipFacet>,
    /// How many steps to go.
    #[serde(default = "default_depth")]
    #[schemars(range(min = 1, max = 2))]
    pub depth: u64,
}

fn default_depth() -> u64 {
    1
}

/// Which edges a walk follows, seen from the symbol it is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TraversalDirection {
    /// To what refers to the symbol.
    #[default]
    Incoming,
    /// To what the symbol refers to.
    Outgoing,
}

/// Two sides to compare.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeSelector {
    /// The committed revision compared from.
    pub base: RevisionId,
    /// What it is compared to: a revision, or `{"kind": "working_tree"}`. Default: `HEAD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<ChangeHead>,
}

/// The side that a comparison compares to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ChangeHead {
    /// A committed revision.
    Revision(RevisionId),
    /// The working tree.
    WorkingTree(WorkingTree),
}

/// The working tree as a side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum WorkingTree {
    /// The files as they are now.
    WorkingTree {},
}
