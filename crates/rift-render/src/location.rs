//! Locations: `path:line`, or `unit:line` in a package.

use rift_base::ProjectPath;
use rift_protocol::{SourceUnitId, TextRange};

use crate::text::value;

/// The location; absent without path and unit. A path that holds `·` or `:` is quoted. A unit is not: its escapes
/// leave no `·` in it, and what follows its last `:` is the line.
pub(crate) fn location(path: Option<&ProjectPath>, unit: Option<&SourceUnitId>, line: Option<u64>) -> Option<String> {
    let mut text = match (path, unit) {
        (Some(path), _) => value(path.as_str()).into_owned(),
        (None, Some(unit)) => unit.as_str().to_owned(),
        (None, None) => return None,
    };
    if let Some(line) = line {
        text.push(':');
        text.push_str(&line.to_string());
    }
    Some(text)
}

/// `START..END`.
pub(crate) fn range(range: TextRange) -> String {
    format!("{}..{}", range.start, range.end)
}
