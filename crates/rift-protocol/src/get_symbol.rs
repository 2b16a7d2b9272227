//! `get_symbol`: one symbol by its exact identity.

use rift_base::ProjectPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::DECLARATION_LIMIT_DEFAULT;
use crate::schema::PathSchema;
use crate::{
    CapturedView, CapturedViewId, DocumentationContext, NodeId, ReadWarning, RevisionId, SourceUnitId, Symbol,
    SymbolId, SymbolOrigin, TextRange, UnavailableReason,
};

/// What `get_symbol` is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetSymbolParams {
    /// The symbol's identity, `rift://symbol/…`, exactly as a search, nodes or map answer prints it. To find a symbol
    /// by name, use `search`.
    pub id: SymbolId,
    /// What to answer beside the declaration's facts. `[]` asks for nothing more.
    #[serde(default = "default_include")]
    pub include: Vec<SymbolInclude>,
    /// A git revision (branch, tag, commit id, with `~N` or `^N`) to read in place of the working tree. Excludes `view`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rev: Option<RevisionId>,
    /// A view that an earlier answer named, to read the same selection again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<CapturedViewId>,
    /// Declarations of one answer.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 10000))]
    pub declaration_limit: u64,
    /// Where a preceding answer's `declaration_cursor` continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 4096))]
    pub declaration_cursor: Option<String>,
}

impl GetSymbolParams {
    /// A request with every member at its default.
    pub fn new(id: SymbolId) -> Self {
        Self {
            id,
            include: default_include(),
            rev: None,
            view: None,
            declaration_limit: DECLARATION_LIMIT_DEFAULT,
            declaration_cursor: None,
        }
    }
}

fn default_include() -> Vec<SymbolInclude> {
    vec![SymbolInclude::Source]
}

fn default_limit() -> u64 {
    DECLARATION_LIMIT_DEFAULT
}

/// What `get_symbol` may answer beside the declaration's facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SymbolInclude {
    /// The source of each declaration, and its node.
    Source,
    /// Documentation that refers to the symbol.
    Documentation,
    /// The symbol's versions over the history.
    History,
}

/// What `get_symbol` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum GetSymbolResult {
    /// The symbol exists.
    Found(Box<FoundSymbol>),
    /// The selection was searched completely and holds no such symbol.
    Missing(MissingSymbol),
    /// Neither can be said.
    Unavailable(UnavailableSymbol),
}

/// A symbol and where it is declared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundSymbol {
    /// The symbol; its `id` is the requested one.
    pub symbol: Symbol,
    /// The selection that was read.
    pub view: CapturedView,
    /// The declarations, in source order; none for a symbol without source.
    #[schemars(length(max = 10000))]
    pub declarations: Vec<SymbolDeclaration>,
    /// Documentation that refers to the symbol, when `include` names `documentation`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<DocumentationContext>,
    /// Continues the declarations in a further request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declaration_cursor: Option<String>,
    /// Conditions that qualify the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ReadWarning>,
}

/// One place that declares a symbol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SymbolDeclaration {
    /// Where the declaration comes from.
    pub origin: SymbolOrigin,
    /// The project file; excludes `unit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<PathSchema>")]
    pub path: Option<ProjectPath>,
    /// The source unit of a package or runtime, in place of `path`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<SourceUnitId>,
    /// The bytes of the declaration with its attributes and attached documentation.
    pub range: TextRange,
    /// The line of the declaration's item, 1-based.
    #[schemars(range(min = 1))]
    pub line: u64,
    /// The node of the declaration's item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// The source that `range` covers, when `include` names `source`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Whether `source` is all that `range` covers.
    pub source_complete: bool,
    /// The symbol's signatures that this declaration states: indices, ascending.
    #[serde(default)]
    pub signature_indices: Vec<u64>,
    /// The symbol's types that this declaration states: indices, ascending.
    #[serde(default)]
    pub type_indices: Vec<u64>,
    /// The symbol's documentation that this declaration carries: indices, ascending.
    #[serde(default)]
    pub documentation_indices: Vec<u64>,
}

/// A definite miss.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MissingSymbol {
    /// What was asked for, and what comes close.
    pub symbol_not_found: SymbolNotFound,
    /// The selection that was read.
    pub view: CapturedView,
    /// Conditions that qualify the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ReadWarning>,
}

/// What a miss asked for, and what comes close.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SymbolNotFound {
    /// The requested identity.
    pub id: SymbolId,
    /// The closest existing symbols, closest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 3))]
    pub alternatives: Vec<SymbolAlternative>,
    /// Why alternatives are incomplete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// A symbol that comes close to a missing one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SymbolAlternative {
    /// Its identity.
    pub id: SymbolId,
    /// Its short name.
    pub name: String,
    /// The parts of the identity that equal the requested one's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub match_context: Vec<MatchContext>,
}

/// A part of an identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MatchContext {
    /// The owner.
    Owner,
    /// The language.
    Language,
    /// The modules.
    Module,
    /// The containers.
    Container,
    /// The form of the path: how many names it has.
    Form,
    /// The name.
    Name,
    /// The owner's version.
    Version,
}

impl MatchContext {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            MatchContext::Owner => "owner",
            MatchContext::Language => "language",
            MatchContext::Module => "module",
            MatchContext::Container => "container",
            MatchContext::Form => "form",
            MatchContext::Name => "name",
            MatchContext::Version => "version",
        }
    }
}

/// A read that could say neither.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnavailableSymbol {
    /// The requested identity.
    pub id: SymbolId,
    /// The view asked for, when it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<CapturedView>,
    /// Why.
    pub reason: UnavailableReason,
    /// Conditions that qualify the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ReadWarning>,
}
