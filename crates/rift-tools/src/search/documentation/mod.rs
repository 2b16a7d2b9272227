//! `search` with `target: documentation`: blocks of documents and attached comments, ranked together. The index holds a document's
//! text once, in the file's own row, and a comment's in its declaration's: the best rows lead to blocks, and the blocks of all of
//! them are ranked against each other.

mod hit;
mod rank;

use rift_base::Deadline;
use rift_host::View;
use rift_host::facts::DeclId;
use rift_host::index::{Matched, ParsedQuery, PathSet, Row, Selection, Target};
use rift_protocol::limits::{
    DOCUMENT_BYTES_READ_MAX, DOCUMENTS_READ_MAX, QUERY_TERMS_MAX, RANKED_UNITS_MAX, RESULTS_MAX,
};
use rift_protocol::{Failure, Pagination, ReadWarning, SearchAnswer, SearchParams, SearchResult};

use super::content::Terms;
use super::{Paths, file_warnings, page, snippet};
use crate::context::{captured, check, index_failure};
use crate::documents::{Lacks, is_document};
use crate::warnings::standing;
use rank::{Candidate, Pool};

pub(super) use hit::of_block;

/// Answers one page of documentation.
pub(super) fn search(
    view: &View,
    params: &SearchParams,
    query: &ParsedQuery,
    paths: &Paths,
    deadline: &Deadline,
) -> Result<SearchAnswer, Failure> {
    let mut warnings = standing(view);
    let (candidates, found) = candidates(view, query, paths, deadline)?;
    warnings.extend(found);
    warnings.extend(file_warnings(view, paths));
    let total = candidates.len() as u64;
    let terms = Terms::new(&snippet::telling_query(query));
    let results = page(params, candidates, deadline, |candidate| hit::build(view, params, &terms, candidate))?;
    Ok(SearchAnswer::Found(SearchResult {
        results,
        pagination: Pagination { page_index: params.page_index, total_pages: total.div_ceil(params.limit).max(1) },
        view: captured(view)?,
        warnings,
    }))
}

/// What the query reaches, best first, with what qualifies it.
fn candidates(
    view: &View,
    query: &ParsedQuery,
    paths: &Paths,
    deadline: &Deadline,
) -> Result<(Vec<Candidate>, Vec<ReadWarning>), Failure> {
    let query = snippet::telling_query(query);
    let ranking = &view.config().search.ranking;
    let documents = view.searcher().select(|path| paths.reaches(path) && is_document(path));
    let declared = paths.narrows().then(|| view.searcher().select(|path| paths.reaches(path)));
    let rank = |paths: Option<&PathSet>, target: Target| {
        view.searcher().rank(&query, &Selection { paths, target }, ranking).map_err(index_failure)
    };
    let (files, symbols) = (rank(Some(&documents), Target::Files)?, rank(declared.as_ref(), Target::Symbols)?);
    check(deadline)?;
    let mut pool = Pool::new(&query);
    let mut lacks = Lacks::default();
    let limit = DOCUMENTS_READ_MAX as usize;
    let comments: Vec<_> = symbols.hits.iter().filter(|hit| hit.matched.has(Matched::DOCUMENTATION)).collect();
    let mut bytes = 0;
    let mut truncated = files.hits.len() > limit || comments.len() > limit;
    for (order, hit) in files.hits.iter().take(limit).enumerate() {
        check(deadline)?;
        let Some(entry) = view.entry(hit.row.path()) else { continue };
        truncated |= bytes >= DOCUMENT_BYTES_READ_MAX;
        if bytes >= DOCUMENT_BYTES_READ_MAX {
            break;
        }
        bytes += entry.size();
        let document = view.document(entry).unwrap_or_default();
        lacks.note(&entry.path, &document);
        pool.add_document(entry, &view.text(entry).unwrap_or_default(), &document, order);
    }
    for (order, hit) in comments.iter().take(limit).enumerate() {
        let Row::Symbol { path, ordinal, .. } = &hit.row else { continue };
        if let Some(entry) = view.entry(path) {
            pool.add_comment(view, entry, DeclId(*ordinal), order);
        }
    }
    check(deadline)?;
    let mut warnings: Vec<ReadWarning> = lacks.warnings().collect();
    if query.narrowed {
        warnings.push(ReadWarning::QueryNarrowed { terms_max: QUERY_TERMS_MAX });
    }
    if files.lexical_truncated || symbols.lexical_truncated {
        warnings.push(ReadWarning::LexicalRankingTruncated { matches_max: RANKED_UNITS_MAX });
    }
    let mut candidates = pool.ranked();
    if truncated {
        warnings.push(ReadWarning::ResultsTruncated { results_max: DOCUMENTS_READ_MAX });
    } else if candidates.len() as u64 > RESULTS_MAX {
        warnings.push(ReadWarning::ResultsTruncated { results_max: RESULTS_MAX });
    }
    candidates.truncate(RESULTS_MAX as usize);
    Ok((candidates, warnings))
}
