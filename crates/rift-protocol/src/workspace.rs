//! The resource `rift://workspace`: the accepted configuration and the source catalog, by pages.

use rift_base::{Language, ProjectPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema::{LanguageSchema, PathSchema};
use crate::{Digest, Pagination, ReadWarning};

/// One page of the source catalog, with the configuration it was read under.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceResourcePage {
    /// The digest of the accepted `rift.toml`.
    pub configuration_revision: Digest,
    /// The effective languages, by identity; the same on every page.
    #[schemars(length(max = 64))]
    pub languages: Vec<LanguageSummary>,
    /// The source units of the page, by path.
    #[schemars(length(max = 1000))]
    pub source: Vec<SourceUnitEntry>,
    /// Which page this is.
    pub pagination: Pagination,
    /// Conditions that qualify the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ReadWarning>,
}

/// An effective language entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LanguageSummary {
    /// The language.
    #[schemars(with = "LanguageSchema")]
    pub language: Language,
    /// Whether syntax and language server are on for its files.
    pub enabled: bool,
    /// Globs of the files it claims.
    #[schemars(length(max = 64))]
    pub include: Vec<String>,
    /// Globs of the files it does not claim.
    #[schemars(length(max = 64))]
    pub exclude: Vec<String>,
    /// Whether code of the language may be run.
    pub execution: bool,
    /// Whether a syntax provider reads it.
    pub syntax: bool,
    /// The selected language server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lsp: Option<LspSummary>,
}

/// A selected language server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LspSummary {
    /// The process.
    #[schemars(length(min = 1, max = 129))]
    pub process: String,
    /// Its state.
    pub state: LspState,
}

/// The state of a language server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire words say it")]
pub enum LspState {
    Stopped,
    Starting,
    Analyzing,
    Ready,
    Failed,
}

impl LspState {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            LspState::Stopped => "stopped",
            LspState::Starting => "starting",
            LspState::Analyzing => "analyzing",
            LspState::Ready => "ready",
            LspState::Failed => "failed",
        }
    }
}

/// A source unit of the catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceUnitEntry {
    /// The file.
    #[schemars(with = "PathSchema")]
    pub path: ProjectPath,
    /// The digest of its bytes.
    pub digest: Digest,
    /// The language that claims it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<LanguageSchema>")]
    pub language: Option<Language>,
}
