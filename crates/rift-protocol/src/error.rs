//! Errors as they travel.

use std::collections::BTreeMap;

use rift_base::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema::LanguageSchema;
use crate::{Extensions, FileId, TextRange};

macro_rules! error_codes {
    ($($(#[$doc:meta])* $name:ident $word:literal $retry:ident,)*) => {
        /// What kind of failure an error is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum ErrorCode { $($(#[$doc])* $name,)* }

        impl ErrorCode {
            /// Every code.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$name,)*];

            /// The wire word.
            pub fn word(self) -> &'static str {
                match self { $(ErrorCode::$name => $word,)* }
            }

            /// What a caller can do about it, unless the instance says otherwise.
            pub fn retry(self) -> Retry {
                match self { $(ErrorCode::$name => Retry::$retry,)* }
            }
        }
    };
}

error_codes! {
    /// The request is not of the documented form.
    InvalidRequest "invalid_request" Never,
    /// The path may not be read.
    PermissionDenied "permission_denied" Never,
    /// Nothing of that name exists.
    ResourceNotFound "resource_not_found" Never,
    /// It exists and its content cannot be had.
    ContentUnavailable "content_unavailable" Never,
    /// The cursor belongs to another request.
    CursorInvalid "cursor_invalid" Never,
    /// The cursor's view has expired.
    CursorExpired "cursor_expired" Never,
    /// The caller took the request back.
    Cancelled "cancelled" SameRequest,
    /// A bound is crossed; `limit` says which.
    LimitExceeded "limit_exceeded" Never,
    /// Storage failed.
    StorageFailure "storage_failure" SameRequest,
    /// A defect of the server.
    InternalError "internal_error" Never,
    /// The path is of a kind that is not served.
    UnsupportedPath "unsupported_path" Never,
    /// The server cannot answer yet.
    TemporarilyUnavailable "temporarily_unavailable" SameRequest,
    /// `rift.toml` is invalid.
    ConfigurationInvalid "configuration_invalid" OperatorAction,
    /// Nothing serves the request.
    CapabilityUnavailable "capability_unavailable" OperatorAction,
    /// The time budget is spent.
    DeadlineExceeded "deadline_exceeded" SameRequest,
}

/// What a caller can do about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// Nothing: the same bytes fail the same way.
    Never,
    /// Send the same request again.
    SameRequest,
    /// Change the workspace's state or configuration first.
    OperatorAction,
}

impl Retry {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            Retry::Never => "never",
            Retry::SameRequest => "same_request",
            Retry::OperatorAction => "operator_action",
        }
    }
}

/// The operation that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Reading the workspace or a provider's data.
    #[default]
    Read,
}

/// A failure as callers receive it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorData {
    /// What kind of failure it is.
    pub code: ErrorCode,
    /// What happened, with what, and what to do.
    #[schemars(length(max = 4096))]
    pub message: String,
    /// What to do about the call.
    pub retry: Retry,
    /// The operation that failed.
    pub phase: Phase,
    /// Findings that explain it.
    #[serde(default)]
    #[schemars(length(max = 64))]
    pub diagnostics: Vec<DiagnosticContext>,
    /// The bound that was crossed; with `limit_exceeded` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitEvidence>,
    /// The chain of causes, outermost first.
    #[serde(default)]
    #[schemars(length(max = 8))]
    pub causes: Vec<ErrorCause>,
}

/// A bound that was crossed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitEvidence {
    /// The request's member or the configuration key.
    #[schemars(length(min = 1, max = 128))]
    pub field: String,
    /// The bound.
    pub limit: u64,
    /// What the request needs.
    pub required: u64,
}

/// One link of a chain of causes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorCause {
    /// What kind of failure it is.
    pub code: ErrorCode,
    /// What happened.
    pub message: String,
    /// What could be done about this cause.
    pub retry: Retry,
}

/// A finding and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiagnosticContext {
    /// Who reports it.
    pub source: DiagnosticSource,
    /// The finding.
    pub diagnostic: Diagnostic,
    /// The line, 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub line: Option<u64>,
    /// The column in UTF-8 bytes, 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub column: Option<u64>,
    /// The source there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
}

/// Who reports a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiagnosticSource {
    /// A provider of facts.
    Provider,
    /// A hook.
    Hook,
    /// The application of a change.
    Apply,
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The reporter's code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What it says.
    pub message: String,
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<FileSpan>,
    /// Findings that belong to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<RelatedDiagnostic>,
    /// What the code there is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<DiagnosticTag>,
    /// Whether it comes from source that parsed whole.
    pub reliability: Reliability,
    /// Whether an edit can go on from here.
    pub continuation: Continuation,
    /// Facts of the reporter's own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extensions: Extensions,
    /// The language.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<LanguageSchema>")]
    pub language: Option<Language>,
}

impl Diagnostic {
    /// A finding of reliable source, with every optional member absent.
    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        Self {
            severity,
            code: None,
            message: message.into(),
            span: None,
            related: Vec::new(),
            tags: Vec::new(),
            reliability: Reliability::Reliable,
            continuation: Continuation::Unknown,
            extensions: Extensions::new(),
            language: None,
        }
    }
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire words say it")]
pub enum Severity {
    Error,
    Warning,
    Info,
    Hint,
}

impl Severity {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
            Severity::Hint => "hint",
        }
    }
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileSpan {
    /// The file.
    pub unit: FileId,
    /// The bytes.
    pub range: TextRange,
}

/// A finding that belongs to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RelatedDiagnostic {
    /// What it says.
    pub message: String,
    /// Where it is.
    pub span: FileSpan,
}

/// What the code of a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiagnosticTag {
    /// Deprecated.
    Deprecated,
    /// Not needed.
    Unnecessary,
}

/// Whether a finding comes from source that parsed whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reliability {
    /// It does.
    Reliable,
    /// The parser had to recover.
    Recovered,
}

/// Whether an edit can go on from a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Continuation {
    /// A further edit can repair it.
    Repairable,
    /// No edit can.
    Unrepairable,
    /// Not known.
    Unknown,
}
