//! Search along relationships: a walk alone, or beside a query.

use std::collections::HashMap;

use rift_base::Deadline;
use rift_host::index::ParsedQuery;
use rift_host::{Host, View};
use rift_protocol::limits::QUERY_TERMS_MAX;
use rift_protocol::{
    Failure, MatchedField, Pagination, SearchAnswer, SearchHit, SearchInclude, SearchParams, SearchResult,
    SearchTarget, SearchTraversal, SymbolId, UnavailableReason,
};

use super::candidates::Candidate;
use super::content::Terms;
use super::walk::{Reached, WalkError, walk};
use super::{Paths, file_warnings, hits, page, ranked, scope, unavailable};
use crate::context::{Selected, captured, check, select};
use crate::symbol::identity;
use crate::warnings::standing;

/// How often a walk begins again on a newer state when the tree moves under it.
const ATTEMPTS: usize = 4;

/// One hit to be: of the query, of the walk, or of both.
struct Item {
    candidate: Option<Candidate>,
    reached: Option<Reached>,
}

/// Answers one page of the walk that `traversal` describes, beside the query when there is one.
pub(super) fn search(
    host: &Host,
    params: &SearchParams,
    traversal: &SearchTraversal,
    paths: &Paths,
    deadline: &Deadline,
) -> Result<SearchAnswer, Failure> {
    for _ in 0..ATTEMPTS {
        let view = match select(host, params.view.as_ref(), deadline)? {
            Selected::View(view) => view,
            Selected::Unavailable(reason) => return Ok(unavailable(reason)),
        };
        check(deadline)?;
        match answer(&view, params, traversal, paths, deadline) {
            Ok(answer) => return Ok(answer),
            Err(WalkError::Failure(failure)) => return Err(failure),
            // What a named view selects is gone from the database; a current one is captured again.
            Err(WalkError::Moved) if params.view.is_some() => break,
            Err(WalkError::Moved) => {}
        }
    }
    Ok(unavailable(UnavailableReason::InsufficientCoverage))
}

fn answer(
    view: &View,
    params: &SearchParams,
    traversal: &SearchTraversal,
    paths: &Paths,
    deadline: &Deadline,
) -> Result<SearchAnswer, WalkError> {
    let walked = walk(view, traversal, deadline)?;
    let parsed = ParsedQuery::parse(params.query.as_deref().unwrap_or_default(), QUERY_TERMS_MAX as usize);
    let terms = Terms::new(&parsed);
    let (candidates, mut warnings) = match &params.query {
        None => (Vec::new(), standing(view)),
        Some(_) => {
            let selected = paths.narrows().then(|| view.searcher().select(|path| paths.reaches(path)));
            ranked(view, params, &parsed, &terms, selected.as_ref(), deadline)?
        }
    };
    warnings.extend(walked.warnings.iter().cloned());
    warnings.extend(file_warnings(view, paths));
    warnings.extend(scope::warnings(view, params));
    // A walk reaches symbols alone.
    let symbols = matches!(params.target, SearchTarget::Symbol | SearchTarget::All);
    let reached = walked.reached.iter().filter(|reached| symbols && paths.reaches(&reached.path)).cloned();
    let items = merged(view, candidates, reached.collect())?;
    let total = items.len() as u64;
    let results = page(params, items, deadline, |item| hit(view, params, &terms, item))?;
    Ok(SearchAnswer::Found(SearchResult {
        results,
        pagination: Pagination { page_index: params.page_index, total_pages: total.div_ceil(params.limit).max(1) },
        view: captured(view)?,
        warnings,
    }))
}

/// The query's hits in their order, those that the walk reached marked so, then what the walk alone reached.
fn merged(view: &View, candidates: Vec<Candidate>, reached: Vec<Reached>) -> Result<Vec<Item>, Failure> {
    let mut by_id: HashMap<SymbolId, usize> =
        reached.iter().enumerate().map(|(at, reached)| (reached.id.clone(), at)).collect();
    let mut reached: Vec<Option<Reached>> = reached.into_iter().map(Some).collect();
    let mut items = Vec::with_capacity(candidates.len() + reached.len());
    for candidate in candidates {
        let id = match candidate.declaration.zip(view.entry(&candidate.path)) {
            Some((declaration, entry)) if !by_id.is_empty() => identity(view, entry, declaration),
            _ => None,
        };
        let also = id.and_then(|id| by_id.remove(&id)).and_then(|at| reached.get_mut(at)?.take());
        items.push(Item { candidate: Some(candidate), reached: also });
    }
    items.extend(reached.into_iter().flatten().map(|reached| Item { candidate: None, reached: Some(reached) }));
    Ok(items)
}

fn hit(view: &View, params: &SearchParams, terms: &Terms, item: &Item) -> Result<Option<SearchHit>, Failure> {
    let built = match (&item.candidate, &item.reached) {
        (Some(candidate), _) => hits::build(view, params, terms, candidate)?,
        (None, Some(reached)) => {
            let Some(entry) = view.entry(&reached.path) else { return Ok(None) };
            let excerpt = params.include.contains(&SearchInclude::Source).then_some(terms);
            let built = hits::symbol_hit(view, entry, reached.declaration, excerpt)?;
            built.map(|hit| SearchHit { path: Some(entry.path.clone()), ..hit })
        }
        (None, None) => None,
    };
    let Some(mut hit) = built else { return Ok(None) };
    if let Some(reached) = &item.reached {
        hit.matched_by.push(MatchedField::Relationship);
        hit.distance = Some(reached.hops.len() as u64);
        hit.traversal_path = reached.hops.clone();
    }
    Ok(Some(hit))
}
