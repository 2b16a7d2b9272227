//! `get_source`: the text of one source unit.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    CapturedView, CapturedViewId, ReadWarning, RevisionId, SourceExcerpt, SourceUnitId, TextRange, UnavailableReason,
};

/// What `get_source` is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetSourceParams {
    /// The source unit, `rift://source/…`. A file of the project is `rift://source/project/<path>`.
    pub unit: SourceUnitId,
    /// The bytes to read: UTF-8 byte offsets, 0-based, end excluded, on character borders. Default: the whole unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<TextRange>,
    /// A git revision (branch, tag, commit id, with `~N` or `^N`) to read in place of the working tree. Excludes `view`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rev: Option<RevisionId>,
    /// A view that an earlier answer named, to read the same selection again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<CapturedViewId>,
}

impl GetSourceParams {
    /// A request for the whole unit.
    pub fn new(unit: SourceUnitId) -> Self {
        Self { unit, range: None, rev: None, view: None }
    }
}

/// What `get_source` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum GetSourceResult {
    /// The unit exists.
    Found(FoundSource),
    /// The selection was searched completely and holds no such unit.
    Missing(MissingSource),
    /// Neither can be said.
    Unavailable(UnavailableSource),
}

/// A piece of source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundSource {
    /// The source and where it stands.
    pub source: SourceExcerpt,
    /// Whether `source` is the whole unit.
    pub source_complete: bool,
    /// The selection that was read.
    pub view: CapturedView,
    /// Conditions that qualify the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ReadWarning>,
}

/// A definite miss.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MissingSource {
    /// The requested unit.
    pub unit: SourceUnitId,
    /// The selection that was read.
    pub view: CapturedView,
    /// Conditions that qualify the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ReadWarning>,
}

/// A read that could say neither.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnavailableSource {
    /// The requested unit.
    pub unit: SourceUnitId,
    /// The view asked for, when it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<CapturedView>,
    /// Why.
    pub reason: UnavailableReason,
    /// Conditions that qualify the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ReadWarning>,
}
