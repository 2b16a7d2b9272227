//! Documentation hits as they travel.

use rift_base::{ByteRange, line_of};
use rift_host::View;
use rift_host::facts::{BlockKind, DeclId, FileEntry};
use rift_protocol::{DocumentationKind, Failure, Hit, MatchedField, SearchHit, SearchInclude, SearchParams, SymbolId};

use super::super::content::Terms;
use super::super::snippet;
use super::rank::{Candidate, Place};
use crate::documents::{attached_range, block_identity, comment_identity, kind, links, references, revision};
use crate::symbol::identity;

/// The hit of `candidate`; absent when its file is gone from the view.
pub(super) fn build(
    view: &View,
    params: &SearchParams,
    terms: &Terms,
    candidate: &Candidate,
) -> Result<Option<SearchHit>, Failure> {
    let Some(entry) = view.entry(&candidate.path) else { return Ok(None) };
    let excerpt = params.include.contains(&SearchInclude::Source).then_some(terms);
    let hit = match candidate.place {
        Place::Block(at) => of_block(view, entry, at, excerpt)?,
        Place::Comment(id) => of_comment(view, entry, id, excerpt)?,
    };
    let Some(mut hit) = hit else { return Ok(None) };
    if params.include.contains(&SearchInclude::Score) {
        hit.score = Some(candidate.score);
    }
    Ok(Some(hit))
}

/// Block `at` of the document `entry`; with an excerpt when there are terms to choose one by.
pub(crate) fn of_block(
    view: &View,
    entry: &FileEntry,
    at: usize,
    excerpt: Option<&Terms>,
) -> Result<Option<SearchHit>, Failure> {
    let document = view.document(entry).unwrap_or_default();
    let (Some(block), Some(text)) = (document.blocks.get(at), view.text(entry)) else { return Ok(None) };
    let prose = block.kind == BlockKind::Prose;
    let named = if prose { references(view, block, &text)? } else { Vec::new() };
    let symbol = match named.as_slice() {
        [one] => Some(one.target.clone()),
        _ => None,
    };
    let mut hit = SearchHit::new(Hit::Documentation {
        block: block_identity(&entry.path, &document, at),
        kind: kind(block.kind),
        language: block.language.as_deref().map(str::to_owned),
        heading_path: document.heading_path(block),
        symbol,
        references: named,
        links: if prose { links(view, &entry.path, &document, block, &text)? } else { Vec::new() },
        documentation_revision: revision(view)?,
    });
    place(&mut hit, entry, &text, block.range());
    hit.matched_by = vec![MatchedField::Content];
    match (excerpt, &block.text) {
        (Some(terms), None) => snippet::of_block(&text, block.range(), terms).attach(&mut hit),
        // The parts of what a notebook spells are no bytes of the file.
        (Some(terms), Some(own)) => {
            snippet::of_block(own, ByteRange::new(0, own.len()), terms).without_parts().attach(&mut hit);
        }
        (None, _) => {}
    }
    Ok(Some(hit))
}

/// The comment that documents declaration `id` of `entry`.
fn of_comment(
    view: &View,
    entry: &FileEntry,
    id: DeclId,
    excerpt: Option<&Terms>,
) -> Result<Option<SearchHit>, Failure> {
    let (Some(facts), Some(text)) = (view.facts(entry), view.text(entry)) else { return Ok(None) };
    let (Some(declaration), Some(position)) = (facts.outline.get(id), facts.positions.get(id.0 as usize)) else {
        return Ok(None);
    };
    let Some(documentation) = &declaration.documentation else { return Ok(None) };
    let symbol = identity(view, entry, id);
    let owner = symbol.as_ref().map_or_else(|| declaration.path.to_string(), |id: &SymbolId| id.as_str().to_owned());
    let range = attached_range(&text, position, &documentation.text);
    let mut hit = SearchHit::new(Hit::Documentation {
        block: comment_identity(&entry.path, &owner, id.0),
        kind: DocumentationKind::Prose,
        language: None,
        heading_path: Vec::new(),
        symbol,
        references: Vec::new(),
        links: Vec::new(),
        documentation_revision: revision(view)?,
    });
    place(&mut hit, entry, &text, range);
    hit.matched_by = vec![MatchedField::Documentation];
    if let Some(terms) = excerpt {
        snippet::of_block(&text, range, terms).attach(&mut hit);
    }
    Ok(Some(hit))
}

fn place(hit: &mut SearchHit, entry: &FileEntry, text: &str, range: ByteRange) {
    hit.path = Some(entry.path.clone());
    hit.range = Some(range.into());
    hit.line = Some(line_of(text, range.start as usize));
}
