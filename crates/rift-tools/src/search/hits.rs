//! Hits as they travel.

use rift_base::line_of;
use rift_host::facts::{DeclId, FileEntry};
use rift_host::index::Matched;
use rift_host::{ResolvedSymbol, SymbolKey};
use rift_host::{Vectors, View};
use rift_protocol::{Failure, Hit, MatchedField, SearchHit, SearchInclude, SearchParams, SearchTarget, Symbol};

use super::candidates::Candidate;
use super::content::{Terms, best_line, line_around};
use super::{documentation, order, snippet};
use crate::documents::{block_around, is_document};
use crate::symbol::{Built, Shown, build as build_symbol};

/// The hit of `candidate`; absent when its file is gone from the view.
pub(super) fn build(
    view: &View,
    params: &SearchParams,
    terms: &Terms,
    candidate: &Candidate,
) -> Result<Option<SearchHit>, Failure> {
    let Some(entry) = view.entry(&candidate.path) else { return Ok(None) };
    let with_source = params.include.contains(&SearchInclude::Source).then_some(terms);
    let hit = match candidate.declaration {
        Some(id) => symbol_hit(view, entry, id, with_source)?,
        None => match block_hit(view, params, entry, terms, with_source)? {
            Some(block) => Some(block),
            None => Some(file_hit(view, entry, terms, with_source.is_some())),
        },
    };
    let Some(mut hit) = hit else { return Ok(None) };
    hit.path = Some(entry.path.clone());
    hit.matched_by = matched_by(candidate.matched);
    if hit.matched_by.is_empty() && candidate.standing.rows.vector.is_some() {
        hit.matched_by.push(MatchedField::Ranked);
    }
    if params.include.contains(&SearchInclude::Score) {
        hit.score = Some(candidate.score);
        let is_by_vectors = matches!(view.vectors(), Vectors::Ready(_));
        hit.ranking = order::explained(candidate.standing, &view.config().search.ranking, is_by_vectors);
    }
    Ok(Some(hit))
}

/// A declaration; with an excerpt when there are terms to choose one by.
pub(super) fn symbol_hit(
    view: &View,
    entry: &FileEntry,
    id: DeclId,
    excerpt: Option<&Terms>,
) -> Result<Option<SearchHit>, Failure> {
    let Some((key, _)) = view.identity(entry, id) else { return Ok(None) };
    let resolved = view.resolve(&key);
    let Some(facts) = view.facts(entry) else { return Ok(None) };
    let Some(position) = facts.positions.get(id.0 as usize) else { return Ok(None) };
    let Some(symbol) = wire(view, &key, &resolved, entry, id)? else { return Ok(None) };
    let text = view.text(entry).unwrap_or_default();
    let mut hit = SearchHit::new(Hit::Symbol { symbol: Box::new(symbol) });
    hit.line = Some(line_of(&text, position.item.start as usize));
    hit.range = Some(position.declaration.into());
    if let Some(terms) = excerpt {
        snippet::of_declaration(&text, position, terms).attach(&mut hit);
    }
    Ok(Some(hit))
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

/// Where all is asked for, a document answers with the block that holds its best line.
fn block_hit(
    view: &View,
    params: &SearchParams,
    entry: &FileEntry,
    terms: &Terms,
    excerpt: Option<&Terms>,
) -> Result<Option<SearchHit>, Failure> {
    if params.target != SearchTarget::All || !is_document(&entry.path) {
        return Ok(None);
    }
    let text = view.text(entry).unwrap_or_default();
    let at = best_line(&text, terms).and_then(|line| {
        let document = view.document(entry)?;
        block_around(&document, line.start as usize)
    });
    at.map_or(Ok(None), |at| documentation::of_block(view, entry, at, excerpt))
}

/// A file at the line that holds the most of the query's terms, or at its first line when only its path matched.
fn file_hit(view: &View, entry: &FileEntry, terms: &Terms, with_source: bool) -> SearchHit {
    let text = view.text(entry).unwrap_or_default();
    let best = best_line(&text, terms);
    let range = best.unwrap_or_else(|| line_around(&text, 0));
    let languages = entry.language.iter().cloned().collect();
    let mut hit = SearchHit::new(Hit::File { size: entry.size(), languages });
    hit.line = Some(line_of(&text, range.start as usize));
    hit.range = Some(range.into());
    if with_source {
        let positions = view.positions(entry).unwrap_or_default();
        snippet::of_file(&text, range, best.is_some(), &positions, terms).attach(&mut hit);
    }
    hit
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

/// Path and offset, for ordering.
pub(super) fn place(hit: &SearchHit) -> (Option<String>, u64) {
    (hit.path.as_ref().map(|path| path.as_str().to_owned()), hit.range.map_or(0, |range| range.start))
}

/// The hit's own identity, for ordering: a symbol's, a block's, or the file's path.
pub(super) fn identity(hit: &SearchHit) -> String {
    match &hit.hit {
        Hit::Symbol { symbol } => match &symbol.id {
            Some(id) => id.as_str().to_owned(),
            None => symbol.name.clone(),
        },
        Hit::Documentation { block, .. } => block.clone(),
        _ => hit.path.as_ref().map(|path| format!("rift://file/{path}")).unwrap_or_default(),
    }
}
