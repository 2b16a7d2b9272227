//! Warnings: conditions that qualify an answer.

use rift_base::{Language, ProjectPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema::{LanguageSchema, PathSchema};
use crate::{
    Digest, FileId, PackageContextEntry, PackageIdentity, RelationshipFacet, SourceUnitId, SymbolAlternative, SymbolId,
};

/// A condition that qualifies an answer. `detail` is prose of at most 4096 characters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "members carry the wire's names")]
pub enum ReadWarning {
    /// A framework's context of a file could not be resolved.
    FrameworkContextUnresolved { unit: FileId, framework: Framework, detail: String },
    /// No symbol has this name.
    SymbolNotFound {
        name: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        alternatives: Vec<SymbolAlternative>,
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// A documentation source was not read whole.
    Documentation { warning: DocumentationWarning },
    /// No documentation block joins the answer.
    DocumentationUnavailable { detail: String },
    /// The index lags the tree that the read captured.
    StaleIndex { index_tree_revision: Digest, captured_tree_revision: Digest, detail: String },
    /// The vector ranking holds nothing for this tree yet.
    VectorIndexPreparing { prepared: u64, total: u64, ready_in: String, detail: String },
    /// Files are still read; the answer covers the prepared ones.
    LocalIndexPreparing {
        prepared: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        total: Option<u64>,
        /// Never sent: nothing estimates it.
        #[serde(skip_serializing_if = "Option::is_none")]
        ready_in: Option<String>,
        detail: String,
    },
    /// The vector ranking will not answer.
    VectorRankingUnavailable { detail: String },
    /// The full-text ranking did not take part.
    LexicalRankingUnavailable { detail: String },
    /// The query had more terms than are ranked; the shortest were dropped.
    QueryNarrowed { terms_max: u64 },
    /// The full-text ranking reached its bound.
    LexicalRankingTruncated { matches_max: u64 },
    /// The read reached its bound before ordering and paging.
    ResultsTruncated { results_max: u64 },
    /// Files held more matches than one file contributes.
    PatternMatchesTruncated { matches_per_file: u64, files: Vec<FileId> },
    /// The trigram index lags the stored text.
    PatternIndexPreparing { prepared: u64, total: u64, detail: String },
    /// A file is left out, or, without `unit`, as many as `detail` counts.
    SourceUnavailable {
        #[serde(skip_serializing_if = "Option::is_none")]
        unit: Option<FileId>,
        detail: String,
    },
    /// Large files are left out of the text index.
    LargeFileSkipped { skipped: u64, detail: String },
    /// Large files are held as text without syntax.
    LargeFileUnparsed { files: Vec<FileId>, detail: String },
    /// Lockfiles are left out of search.
    LockfileExcluded { files: Vec<FileId>, detail: String },
    /// Providers disagree about a symbol.
    SymbolDisagreement { symbol: SymbolId, providers: Vec<String>, detail: String },
    /// A walk reached its bound.
    TraversalTruncated { visited: u64, detail: String },
    /// No lane serves the requested relationships.
    RelationshipCoverageMissing {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        facets: Vec<RelationshipFacet>,
        detail: String,
    },
    /// No language engine took part.
    EngineAnalysisUnavailable {
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<LanguageSchema>")]
        language: Option<Language>,
        detail: String,
    },
    /// Callees that no declaration answers for were dropped.
    CalleesDropped { callees: u64, detail: String },
    /// An engine gave no sign that it settled.
    EngineReadinessUnconfirmed { processes: Vec<String>, detail: String },
    /// The history store still fills.
    HistoryStoreFilling { analyzed: u64, total: u64, detail: String },
    /// A comparison reached its bound.
    ChangeTruncated { paths_max: u64, detail: String },
    /// Package reads are switched off.
    GlobalAccessDisabled {},
    /// The global index did not answer.
    GlobalApiUnavailable { failure_class: GlobalFailureClass },
    /// The global index speaks a form that is not understood.
    GlobalPublicationIncompatible { failure_class: GlobalFailureClass },
    /// The global index's answer is invalid or cut.
    GlobalResponseInvalid { failure_class: GlobalFailureClass },
    /// A page of the global index carries a condition.
    GlobalPageWarning {
        warning_code: GlobalWarningCode,
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// The global index holds no release of the package.
    PackageAbsent { package: PackageIdentity },
    /// The global index holds no release that the requirement admits.
    PackageRequirementAbsent { entry: PackageContextEntry },
    /// The nearest collected release answers.
    PackageSubstituted { entry: PackageContextEntry, package: PackageIdentity },
    /// No public registry serves the package.
    PackageUnavailable { entry: PackageContextEntry, reason: String },
    /// A resolver read less than the manifests state.
    PackageContextDegraded { resolver: String, reason: String },
}

impl ReadWarning {
    /// The wire word.
    pub fn code(&self) -> &'static str {
        match self {
            ReadWarning::FrameworkContextUnresolved { .. } => "framework_context_unresolved",
            ReadWarning::SymbolNotFound { .. } => "symbol_not_found",
            ReadWarning::Documentation { .. } => "documentation",
            ReadWarning::DocumentationUnavailable { .. } => "documentation_unavailable",
            ReadWarning::StaleIndex { .. } => "stale_index",
            ReadWarning::VectorIndexPreparing { .. } => "vector_index_preparing",
            ReadWarning::LocalIndexPreparing { .. } => "local_index_preparing",
            ReadWarning::VectorRankingUnavailable { .. } => "vector_ranking_unavailable",
            ReadWarning::LexicalRankingUnavailable { .. } => "lexical_ranking_unavailable",
            ReadWarning::QueryNarrowed { .. } => "query_narrowed",
            ReadWarning::LexicalRankingTruncated { .. } => "lexical_ranking_truncated",
            ReadWarning::ResultsTruncated { .. } => "results_truncated",
            ReadWarning::PatternMatchesTruncated { .. } => "pattern_matches_truncated",
            ReadWarning::PatternIndexPreparing { .. } => "pattern_index_preparing",
            ReadWarning::SourceUnavailable { .. } => "source_unavailable",
            ReadWarning::LargeFileSkipped { .. } => "large_file_skipped",
            ReadWarning::LargeFileUnparsed { .. } => "large_file_unparsed",
            ReadWarning::LockfileExcluded { .. } => "lockfile_excluded",
            ReadWarning::SymbolDisagreement { .. } => "symbol_disagreement",
            ReadWarning::TraversalTruncated { .. } => "traversal_truncated",
            ReadWarning::RelationshipCoverageMissing { .. } => "relationship_coverage_missing",
            ReadWarning::EngineAnalysisUnavailable { .. } => "engine_analysis_unavailable",
            ReadWarning::CalleesDropped { .. } => "callees_dropped",
            ReadWarning::EngineReadinessUnconfirmed { .. } => "engine_readiness_unconfirmed",
            ReadWarning::HistoryStoreFilling { .. } => "history_store_filling",
            ReadWarning::ChangeTruncated { .. } => "change_truncated",
            ReadWarning::GlobalAccessDisabled {} => "global_access_disabled",
            ReadWarning::GlobalApiUnavailable { .. } => "global_api_unavailable",
            ReadWarning::GlobalPublicationIncompatible { .. } => "global_publication_incompatible",
            ReadWarning::GlobalResponseInvalid { .. } => "global_response_invalid",
            ReadWarning::GlobalPageWarning { .. } => "global_page_warning",
            ReadWarning::PackageAbsent { .. } => "package_absent",
            ReadWarning::PackageRequirementAbsent { .. } => "package_requirement_absent",
            ReadWarning::PackageSubstituted { .. } => "package_substituted",
            ReadWarning::PackageUnavailable { .. } => "package_unavailable",
            ReadWarning::PackageContextDegraded { .. } => "package_context_degraded",
        }
    }
}

/// A framework whose context is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire words say it")]
pub enum Framework {
    Angular,
    Tailwind,
}

impl Framework {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            Framework::Angular => "angular",
            Framework::Tailwind => "tailwind",
        }
    }
}

/// A documentation source that was not read whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentationWarning {
    /// The source.
    pub source: DocumentationSource,
    /// The stage that failed.
    pub stage: DocumentationStage,
    /// The failure's label.
    pub failure: String,
    /// What was left out.
    pub omitted: u64,
}

/// A documentation source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum DocumentationSource {
    /// A file of the project.
    Project {
        /// The file.
        #[schemars(with = "PathSchema")]
        path: ProjectPath,
    },
    /// A file of a package.
    Package {
        /// The source unit.
        unit: SourceUnitId,
    },
}

/// A stage of collecting documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire words say it")]
pub enum DocumentationStage {
    Source,
    Extract,
    Resolve,
    Index,
}

impl DocumentationStage {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            DocumentationStage::Source => "source",
            DocumentationStage::Extract => "extract",
            DocumentationStage::Resolve => "resolve",
            DocumentationStage::Index => "index",
        }
    }
}

/// How a read of the global index failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire words say it")]
pub enum GlobalFailureClass {
    Connection,
    Timeout,
    RetryExhausted,
    Authentication,
    CredentialConfiguration,
    NonSuccessResponse,
    InvalidResponse,
    ResponseTruncated,
    PublicationFormat,
    CorpusRevision,
    RequiredFieldSet,
}

impl GlobalFailureClass {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            GlobalFailureClass::Connection => "connection",
            GlobalFailureClass::Timeout => "timeout",
            GlobalFailureClass::RetryExhausted => "retry_exhausted",
            GlobalFailureClass::Authentication => "authentication",
            GlobalFailureClass::CredentialConfiguration => "credential_configuration",
            GlobalFailureClass::NonSuccessResponse => "non_success_response",
            GlobalFailureClass::InvalidResponse => "invalid_response",
            GlobalFailureClass::ResponseTruncated => "response_truncated",
            GlobalFailureClass::PublicationFormat => "publication_format",
            GlobalFailureClass::CorpusRevision => "corpus_revision",
            GlobalFailureClass::RequiredFieldSet => "required_field_set",
        }
    }
}

/// A condition of a page of the global index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire words say it")]
pub enum GlobalWarningCode {
    QueryNarrowed,
    SourceTruncated,
    PublicationChanged,
    CapabilityUnavailable,
    ResultTruncated,
    Unknown,
}

impl GlobalWarningCode {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            GlobalWarningCode::QueryNarrowed => "query_narrowed",
            GlobalWarningCode::SourceTruncated => "source_truncated",
            GlobalWarningCode::PublicationChanged => "publication_changed",
            GlobalWarningCode::CapabilityUnavailable => "capability_unavailable",
            GlobalWarningCode::ResultTruncated => "result_truncated",
            GlobalWarningCode::Unknown => "unknown",
        }
    }
}
