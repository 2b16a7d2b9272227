//! The source of a hit, and what it leaves out.

use rift_protocol::SearchHit;

use crate::text::{Facts, Item, counted};

/// Adds that lines of the hit's range are left out.
pub(crate) fn omission(facts: &mut Facts, hit: &SearchHit) {
    if let Some(lines) = hit.source_omitted {
        facts.add(format!("{} cut", counted(usize::try_from(lines).unwrap_or(usize::MAX), "line")));
    }
}

/// The source, behind a blank line when it stands `apart`. A part of the file that does not begin where the part before it
/// ends, and a first one that does not begin at the hit's line, is headed by the line it begins on.
pub(crate) fn write(item: &mut Item<'_>, hit: &SearchHit, apart: bool) {
    let source = hit.source.as_deref().unwrap_or_default();
    let Some(parts) = parts(hit, source) else {
        match apart {
            true => item.copied_apart(source),
            false => item.copied(source),
        }
        return;
    };
    if apart {
        item.blank();
    }
    for (at, (line, text)) in parts.into_iter().enumerate() {
        if at > 0 || hit.line != Some(line) {
            item.line(&format!("… line {line}"));
        }
        item.copied(text);
    }
}

/// The parts of `source` with the lines they begin on; absent when it is one piece, or not what its parts say.
fn parts<'s>(hit: &SearchHit, source: &'s str) -> Option<Vec<(u64, &'s str)>> {
    let mut rest = source;
    let mut out = Vec::with_capacity(hit.source_parts.len());
    for part in &hit.source_parts {
        if !out.is_empty() {
            rest = rest.strip_prefix('\n')?;
        }
        let length = usize::try_from(part.range.end.checked_sub(part.range.start)?).ok()?;
        let (text, tail) = rest.split_at_checked(length)?;
        out.push((part.line, text));
        rest = tail;
    }
    (!out.is_empty() && rest.is_empty()).then_some(out)
}
