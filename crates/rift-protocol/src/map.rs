//! The resource `rift://map`: a codebase at a glance.

use rift_base::{Language, ProjectPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema::{LanguageSchema, PathSchema};
use crate::{Digest, Pagination, ReadWarning, SymbolId};

/// A codebase at a glance. Lists without entries are omitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceMap {
    /// The digest of the indexed tree.
    pub revision: Digest,
    /// Files and symbols of each language, by language.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 128))]
    pub languages: Vec<LanguageCount>,
    /// The folders that hold indexed files, three levels deep, by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1000))]
    pub modules: Vec<ModuleSummary>,
    /// The symbols with the most references, most first, then by identity.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 20))]
    pub hubs: Vec<Hub>,
    /// Where execution starts, by path, then identity.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 50))]
    pub entry_points: Vec<SymbolId>,
    /// Documentation files, by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<PathSchema>", length(max = 100))]
    pub docs: Vec<ProjectPath>,
    /// The modules that refer to each other, most references first, then by `from` and `to`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 100))]
    pub module_relationships: Vec<ModuleRelationship>,
    /// The packages that manifests and lockfiles state, and the standard libraries in use, by manager, name, then
    /// requirements before versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<PackageContextEntry>,
    /// Commands that select an installed language server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recommendations: Vec<Recommendation>,
    /// Always page 0 of 1.
    pub pagination: Pagination,
    /// Conditions that qualify the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ReadWarning>,
}

/// What a language has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LanguageCount {
    /// The language.
    #[schemars(with = "LanguageSchema")]
    pub language: Language,
    /// Its files.
    pub files: u64,
    /// Its symbols.
    pub symbols: u64,
}

/// A folder. Its counts include the folders below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModuleSummary {
    /// The folder; empty for the root.
    #[schemars(with = "PathSchema")]
    pub path: ProjectPath,
    /// Files in it and below.
    pub files: u64,
    /// Symbols in it and below.
    pub symbols: u64,
    /// The folders directly in it, by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1000))]
    pub children: Vec<ModuleSummary>,
}

/// A symbol that many refer to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hub {
    /// The symbol.
    pub symbol: SymbolId,
    /// Its kind.
    pub kind: String,
    /// Resolved references to it.
    pub references: u64,
}

/// Two modules, the first of which refers to the second.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModuleRelationship {
    /// The folder that refers.
    #[schemars(with = "PathSchema")]
    pub from: ProjectPath,
    /// The folder referred to.
    #[schemars(with = "PathSchema")]
    pub to: ProjectPath,
    /// Resolved references.
    pub references: u64,
}

/// A package that a manifest or lockfile states: at an exact `version`, or by a `requirement`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackageContextEntry {
    /// The package manager, or `stdlib`.
    #[schemars(length(min = 1, max = 128))]
    pub manager: String,
    /// The package's name.
    #[schemars(length(min = 1, max = 4096))]
    pub name: String,
    /// The exact version; excludes `requirement`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The declared requirement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirement: Option<String>,
    /// Where the package can be had.
    pub availability: Availability,
}

/// Where a package can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Availability {
    /// The manager's public registry.
    Canonical,
    /// A folder.
    Path,
    /// A git repository.
    Git,
    /// A private registry.
    PrivateRegistry,
    /// An address.
    Url,
}

impl Availability {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            Availability::Canonical => "canonical",
            Availability::Path => "path",
            Availability::Git => "git",
            Availability::PrivateRegistry => "private_registry",
            Availability::Url => "url",
        }
    }
}

/// A command that selects an installed language server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recommendation {
    /// The language.
    #[schemars(with = "LanguageSchema")]
    pub language: Language,
    /// The project, relative to the map's; `.` for the map's own.
    pub root: String,
    /// The command, to run from the map's project.
    pub command: String,
}
