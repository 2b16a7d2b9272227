//! `nodes`: the syntax nodes around a position.

use std::collections::BTreeMap;

use rift_base::{Language, ProjectPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema::{LanguageSchema, PathSchema};
use crate::{Extensions, FileId, NodeId, ReadWarning, RevisionId, SourceExcerpt, SymbolId, TextRange};

/// What `nodes` is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodesParams {
    /// The file, relative to the project's root.
    #[schemars(with = "PathSchema", length(min = 1))]
    pub path: ProjectPath,
    /// A UTF-8 byte offset into the file, 0-based.
    pub position: u64,
    /// A git revision (branch, tag, commit id, with `~N` or `^N`) to read in place of the working tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rev: Option<RevisionId>,
}

/// The nodes that cover a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodesResult {
    /// The nodes, outermost first; none at the end of the file and past it.
    pub nodes: Vec<Node>,
    /// The source of each node, in the same order.
    pub source: Vec<SourceExcerpt>,
    /// Conditions that qualify the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ReadWarning>,
}

/// A named node of a syntax tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// The node's identity.
    pub id: NodeId,
    /// The symbol that the node declares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<SymbolId>,
    /// The file.
    pub unit: FileId,
    /// The language.
    #[schemars(with = "LanguageSchema")]
    pub language: Language,
    /// The kind, in the grammar's word behind the language (`rust.function_item`).
    pub kind: String,
    /// What the node is, in words all languages share.
    #[serde(default)]
    pub facets: Vec<NodeFacet>,
    /// The bytes covered.
    pub range: TextRange,
    /// Parts of the node that have a role.
    #[serde(default)]
    pub regions: Vec<Region>,
    /// The smallest named node around this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<NodeId>,
    /// Facts of the provider's own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extensions: Extensions,
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire words say it")]
pub enum NodeFacet {
    Declaration,
    Definition,
    Body,
    Block,
    Statement,
    Expression,
    TypeExpression,
    Import,
    Export,
    Parameter,
    Argument,
    Annotation,
    Comment,
    Identifier,
    Literal,
    Pattern,
    Generated,
    Test,
}

/// A part of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// What the part is.
    pub role: RegionRole,
    /// Its bytes in the file.
    pub range: TextRange,
}

/// What a part of a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire words say it")]
pub enum RegionRole {
    Selection,
    Name,
    Header,
    Body,
    Content,
    Documentation,
    Enclosing,
}

impl RegionRole {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            RegionRole::Selection => "selection",
            RegionRole::Name => "name",
            RegionRole::Header => "header",
            RegionRole::Body => "body",
            RegionRole::Content => "content",
            RegionRole::Documentation => "documentation",
            RegionRole::Enclosing => "enclosing",
        }
    }
}
