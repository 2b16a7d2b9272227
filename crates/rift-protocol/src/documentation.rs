//! Documentation blocks: what they are, what they name, and how they answer for a symbol.

use rift_base::ProjectPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema::PathSchema;
use crate::{Digest, SourceExcerpt, SourceUnitId, SymbolId, TextRange};

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DocumentationKind {
    /// Paragraphs, lists, tables, comments.
    Prose,
    /// Code.
    Code,
}

/// How sure it is which symbol a block names; the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceEvidence {
    /// A provider resolved it.
    Provider,
    /// A link leads to it.
    AuthoredLink,
    /// Its name is written with what contains it.
    QualifiedName,
    /// Nothing else in the workspace has its name.
    UniqueName,
}

impl ReferenceEvidence {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            ReferenceEvidence::Provider => "provider",
            ReferenceEvidence::AuthoredLink => "authored_link",
            ReferenceEvidence::QualifiedName => "qualified_name",
            ReferenceEvidence::UniqueName => "unique_name",
        }
    }
}

/// A place of a block that names a symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentationReference {
    /// The symbol.
    pub target: SymbolId,
    /// The bytes that name it in the file; those of its block in a notebook.
    pub range: TextRange,
    /// How it is written.
    pub authored: String,
    /// How sure it is.
    pub evidence: ReferenceEvidence,
}

/// A link of a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentationLink {
    /// The bytes of the link in the file; those of its block in a notebook.
    pub range: TextRange,
    /// Where it leads, as written.
    pub authored: String,
    /// What that is.
    pub resolution: LinkResolution,
}

/// What a link leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case", deny_unknown_fields)]
pub enum LinkResolution {
    /// It leads to something of the workspace.
    Resolved {
        /// What.
        target: LinkTarget,
    },
    /// It does not, or not to one thing.
    Unresolved {
        /// Why.
        reason: LinkReason,
    },
}

/// Something that a link leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum LinkTarget {
    /// A block of documentation.
    Block {
        /// Its identity.
        block: String,
    },
    /// A file.
    Source {
        /// Its unit.
        unit: SourceUnitId,
    },
    /// A symbol.
    Symbol {
        /// Its identity.
        symbol: SymbolId,
    },
}

/// Why a link leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkReason {
    /// There is no such file or symbol.
    Missing,
    /// Several symbols have the name.
    Ambiguous,
    /// It leads out of the workspace.
    External,
    /// The file has no such heading.
    Fragment,
    /// It cannot be read.
    Invalid,
}

/// Documentation that refers to a symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentationContext {
    /// The digest of the tree that was looked through.
    pub documentation_revision: Digest,
    /// The blocks, those with the strongest evidence first, then by path and position.
    #[schemars(length(max = 32))]
    pub blocks: Vec<ReferencedBlock>,
}

/// A block that refers to a symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferencedBlock {
    /// The block.
    pub block: DocumentationBlock,
    /// The strongest of its references, the first of equals.
    pub reference: DocumentationReference,
    /// The lines around the reference.
    pub source: SourceExcerpt,
}

/// A block of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentationBlock {
    /// Its identity: 64 lowercase hexadecimal digits.
    pub identity: String,
    /// What it is.
    pub kind: DocumentationKind,
    /// The headings above it, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heading_path: Vec<String>,
    /// The document.
    #[schemars(with = "PathSchema")]
    pub path: ProjectPath,
    /// Its bytes.
    pub range: TextRange,
    /// The line it begins on, 1-based.
    #[schemars(range(min = 1))]
    pub line: u64,
}
