//! Hits as they travel.

use rift_base::{ByteRange, line_of};
use rift_host::View;
use rift_host::facts::{DeclId, FileEntry};
use rift_host::index::Matched;
use rift_host::{ResolvedSymbol, SymbolKey};
use rift_protocol::{Failure, Hit, MatchedField, SearchHit, SearchInclude, SearchParams, Symbol};

use super::candidates::Candidate;
use super::content::{Terms, best_line, line_around};
use super::order;
use crate::context::index_failure;
use crate::symbol::{Built, Shown, build as build_symbol};

/// Bytes of a hit's excerpt. Twenty of them with the rest of a page stay below what hosts cut.
const EXCERPT_MAX: usize = 4_000;
/// Lines of a hit's excerpt.
const EXCERPT_LINES_MAX: usize = 60;

/// The hit of `candidate`; absent when its file is gone from the view.
pub(super) fn build(
    view: &View,
    params: &SearchParams,
    terms: &Terms,
    candidate: &Candidate,
) -> Result<Option<SearchHit>, Failure> {
    let Some(entry) = view.entry(&candidate.path) else { return Ok(None) };
    let hit = match candidate.declaration {
        Some(id) => symbol_hit(view, entry, id)?,
        None => Some(file_hit(view, entry, terms)),
    };
    let Some((mut hit, range)) = hit else { return Ok(None) };
    let text = view.text(entry).unwrap_or_default();
    hit.path = Some(entry.path.clone());
    hit.matched_by = matched_by(candidate.matched);
    if params.include.contains(&SearchInclude::Score) {
        hit.score = Some(candidate.score);
        hit.ranking = order::explained(candidate.standing, &view.config().search.ranking);
    }
    let range = if params.include.contains(&SearchInclude::Source) {
        let excerpt = excerpt(&text, range);
        hit.source = Some(excerpt.of(&text).to_owned());
        excerpt
    } else {
        range
    };
    hit.range = Some(range.into());
    Ok(Some(hit))
}

fn symbol_hit(view: &View, entry: &FileEntry, id: DeclId) -> Result<Option<(SearchHit, ByteRange)>, Failure> {
    let Some((key, _)) = view.identity(entry, id).map_err(index_failure)? else { return Ok(None) };
    let resolved = view.resolve(&key).map_err(index_failure)?;
    let Some(facts) = view.facts(entry) else { return Ok(None) };
    let Some(position) = facts.positions.get(id.0 as usize) else { return Ok(None) };
    let Some(symbol) = wire(view, &key, &resolved, entry, id)? else { return Ok(None) };
    let text = view.text(entry).unwrap_or_default();
    let mut hit = SearchHit::new(Hit::Symbol { symbol: Box::new(symbol) });
    hit.line = Some(line_of(&text, position.item.start as usize));
    Ok(Some((hit, position.declaration)))
}

/// The wire symbol that declaration `id` of `entry` belongs to, its own signature first.
fn wire(
    view: &View,
    key: &SymbolKey,
    resolved: &[ResolvedSymbol],
    entry: &FileEntry,
    id: DeclId,
) -> Result<Option<Symbol>, Failure> {
    let holds = |symbol: &&ResolvedSymbol| {
        symbol.members.iter().any(|member| {
            member.entry.path == entry.path && member.group().is_some_and(|group| group.declarations.contains(&id))
        })
    };
    let Some(symbol) = resolved.iter().find(holds) else { return Ok(None) };
    let Built { mut symbol, declarations } = build_symbol(view, key, symbol)?;
    let shown = declarations.iter().find(|shown| shown.entry.path == entry.path && shown.id == id);
    if let Some(own) = shown.and_then(Shown::signature).filter(|own| *own < symbol.signatures.len()) {
        symbol.signatures[..=own].rotate_right(1);
    }
    Ok(Some(symbol))
}

/// A file at the line that holds the most of the query's terms, or at its first line when only its path matched.
fn file_hit(view: &View, entry: &FileEntry, terms: &Terms) -> (SearchHit, ByteRange) {
    let text = view.text(entry).unwrap_or_default();
    let range = best_line(&text, terms).unwrap_or_else(|| line_around(&text, 0));
    let languages = entry.language.iter().cloned().collect();
    let mut hit = SearchHit::new(Hit::File { size: entry.size(), languages });
    hit.line = Some(line_of(&text, range.start as usize));
    (hit, range)
}

fn matched_by(matched: Matched) -> Vec<MatchedField> {
    let fields = [
        (Matched::NAME, MatchedField::Name),
        (Matched::SIGNATURE, MatchedField::Signature),
        (Matched::DOCUMENTATION, MatchedField::Documentation),
        (Matched::CONTENT, MatchedField::Content),
        (Matched::PATH, MatchedField::Path),
    ];
    fields.into_iter().filter(|(field, _)| matched.has(*field)).map(|(_, word)| word).collect()
}

/// The first lines of `range` that fit an excerpt; whole lines, unless the first alone does not fit.
fn excerpt(text: &str, range: ByteRange) -> ByteRange {
    let whole = range.of(text);
    let mut end = 0;
    for line in whole.split_inclusive('\n').take(EXCERPT_LINES_MAX) {
        if end + line.len() > EXCERPT_MAX {
            break;
        }
        end += line.len();
    }
    if end == 0 {
        end = whole.floor_char_boundary(EXCERPT_MAX);
    }
    let cut = if end < whole.len() { whole[..end].trim_end_matches(['\n', '\r']).len() } else { end };
    ByteRange { start: range.start, end: range.start + cut as u32 }
}

/// Path and offset, for ordering.
pub(super) fn place(hit: &SearchHit) -> (Option<String>, u64) {
    (hit.path.as_ref().map(|path| path.as_str().to_owned()), hit.range.map_or(0, |range| range.start))
}

/// The hit's own identity, for ordering: a symbol's, or the file's path.
pub(super) fn identity(hit: &SearchHit) -> String {
    match &hit.hit {
        Hit::Symbol { symbol } => match &symbol.id {
            Some(id) => id.as_str().to_owned(),
            None => symbol.name.clone(),
        },
        _ => hit.path.as_ref().map(|path| format!("rift://file/{path}")).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_end_at_line_borders() {
        let text = format!("{}\nend\n", "x".repeat(3_998));
        let range = excerpt(&text, ByteRange::new(0, text.len()));
        assert_eq!(range.end, 3_998);
        let long = "é".repeat(5_000);
        assert_eq!(excerpt(&long, ByteRange::new(0, long.len())).end, 4_000);
        assert_eq!(excerpt("a\nb\n", ByteRange::new(0, 4)), ByteRange::new(0, 4));
        let lines = "l\n".repeat(100);
        assert_eq!(excerpt(&lines, ByteRange::new(0, 200)).end, 119);
    }
}
