//! Hits of a pattern as they travel.

use rift_base::ByteRange;
use rift_host::View;
use rift_host::facts::{DeclId, FileEntry};
use rift_host::index::PatternMatch;
use rift_protocol::{Failure, Hit, MatchedField, SearchHit, SearchInclude, SearchParams};

use super::hits::symbol_hit;
use super::snippet;

/// Bytes of the lines around a match. Of minified text a line may be all there is.
const MATCH_MAX: usize = 400;

/// The hit of a match: its bytes, its line, and, when asked for, the lines that it stands in.
pub(super) fn match_hit(view: &View, params: &SearchParams, entry: &FileEntry, found: &PatternMatch) -> SearchHit {
    let languages = entry.language.iter().cloned().collect();
    let mut hit = SearchHit::new(Hit::File { size: entry.size(), languages });
    hit.path = Some(entry.path.clone());
    hit.matched_by = vec![MatchedField::Content];
    hit.line = Some(found.line);
    hit.range = Some(ByteRange::new(found.range.start, found.range.end).into());
    if params.include.contains(&SearchInclude::Source) {
        let text = view.text(entry).unwrap_or_default();
        hit.source = Some(matched_lines(&text, found).to_owned());
    }
    hit
}

/// The lines of a match without the last line break; of long ones the part around the beginning of the match.
fn matched_lines<'t>(text: &'t str, found: &PatternMatch) -> &'t str {
    let lines = text.get(found.lines.clone()).unwrap_or_default();
    let lines = lines.strip_suffix('\r').unwrap_or(lines);
    if lines.len() <= MATCH_MAX {
        return lines;
    }
    let at = found.range.start - found.lines.start;
    // A little before the match, unless it stands near the beginning anyhow.
    let start = if at < MATCH_MAX / 2 { 0 } else { lines.floor_char_boundary(at - MATCH_MAX / 4) };
    let cut = &lines[start..lines.floor_char_boundary(start + MATCH_MAX)];
    // Of several lines whole ones, when the first fits.
    match cut.rfind('\n') {
        Some(feed) if start == 0 && cut.len() < lines.len() => cut[..feed].trim_end_matches('\r'),
        _ => cut,
    }
}

/// The hit of a declaration that holds a match, the first of which stands in `line`.
pub(super) fn declaration_hit(
    view: &View,
    params: &SearchParams,
    entry: &FileEntry,
    id: DeclId,
    line: u64,
) -> Result<Option<SearchHit>, Failure> {
    let Some(mut hit) = symbol_hit(view, entry, id, None)? else { return Ok(None) };
    hit.path = Some(entry.path.clone());
    hit.matched_by = vec![MatchedField::Content];
    hit.line = Some(line);
    let positions = view.positions(entry).unwrap_or_default();
    let position = positions.get(id.0 as usize).filter(|_| params.include.contains(&SearchInclude::Source));
    if let Some(position) = position {
        let text = view.text(entry).unwrap_or_default();
        snippet::of_declaration_at(&text, position, line).attach(&mut hit);
    }
    Ok(Some(hit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_match_are_cut_around_it() {
        let of = |text: &str, range: std::ops::Range<usize>, lines: std::ops::Range<usize>| {
            matched_lines(text, &PatternMatch { range, line: 1, lines }).to_owned()
        };
        assert_eq!(of("a\nbc\r\nd", 2..3, 2..5), "bc");
        let long = format!("{}needle{}", "é".repeat(3_000), "x".repeat(3_000));
        let cut = of(&long, 6_000..6_006, 0..long.len());
        assert_eq!(cut.len(), MATCH_MAX);
        assert!(cut.starts_with(&"é".repeat(50)) && cut[100..].starts_with("needlexx"));
        let lines = format!("{}\n", "l".repeat(99)).repeat(20);
        assert_eq!(of(&lines, 0..1_900, 0..1_999).len(), 399);
    }
}
