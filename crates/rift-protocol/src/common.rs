//! Values that several answers share.

use rift_base::ByteRange;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CapturedViewId, SourceUnitId};

/// A half-open range of UTF-8 byte offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct TextRange {
    /// First byte, 0-based.
    pub start: u64,
    /// One past the last byte; not below `start`.
    pub end: u64,
}

impl From<ByteRange> for TextRange {
    fn from(range: ByteRange) -> Self {
        Self { start: range.start.into(), end: range.end.into() }
    }
}

/// Which page an answer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pagination {
    /// The served page, 0-based.
    pub page_index: u64,
    /// How many pages there are.
    pub total_pages: u64,
}

/// The immutable selection an answer was read from. Later reads can name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapturedView {
    /// Names the view in later requests.
    pub id: CapturedViewId,
    /// When the view stops answering, as an RFC 3339 date-time.
    pub expires_at: String,
}

/// Where a piece of source stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceSpan {
    /// The source unit.
    pub unit: SourceUnitId,
    /// The bytes of the unit.
    pub range: TextRange,
}

/// A piece of source, with its bytes unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceExcerpt {
    /// Where it stands.
    pub span: SourceSpan,
    /// Its text.
    pub text: String,
}

/// Why an answer could establish neither presence nor absence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum UnavailableReason {
    /// The exact release is not served.
    ExactRelease,
    /// The index still prepares the selection.
    IndexPreparing,
    /// A read failed.
    ReadFailed,
    /// The stored publication is damaged.
    CorruptPublication,
    /// The selection does not cover what was asked.
    InsufficientCoverage,
    /// The view has expired.
    ViewExpired,
    /// The view belongs to another workspace or scope.
    ViewContext,
}

impl UnavailableReason {
    /// The wire word.
    pub fn word(self) -> &'static str {
        match self {
            UnavailableReason::ExactRelease => "exact_release",
            UnavailableReason::IndexPreparing => "index_preparing",
            UnavailableReason::ReadFailed => "read_failed",
            UnavailableReason::CorruptPublication => "corrupt_publication",
            UnavailableReason::InsufficientCoverage => "insufficient_coverage",
            UnavailableReason::ViewExpired => "view_expired",
            UnavailableReason::ViewContext => "view_context",
        }
    }
}

pub(crate) fn is_false(value: &bool) -> bool {
    !*value
}
