//! `search`: ranked declarations and files for a query, or every match of a pattern.

mod candidates;
mod content;
mod defined;
mod documentation;
mod hits;
mod matched;
mod order;
mod pattern;
mod scope;
mod snippet;
mod vectors;
mod walk;
mod walked;

use rift_base::parallel::each;
use rift_base::{Deadline, ProjectPath};
use rift_host::index::{ParsedQuery, PathSet, Selection, Target};
use rift_host::{ForceError, Host, PathPatterns, View};
use rift_protocol::limits::{FORCE_INCLUDE_MAX, QUERY_TERMS_MAX, RANKED_UNITS_MAX, RESULTS_MAX};
use rift_protocol::{
    Failure, Pagination, PathPattern, PathSelector, ReadWarning, SearchAnswer, SearchHit, SearchOrder, SearchParams,
    SearchResult, SearchTarget, SearchUnavailable, UnavailableReason, UnavailableTag,
};

use crate::context::{Selected, captured, check, index_failure, interrupted, select};
use crate::warnings::{Reaches, large_skipped, large_unparsed, lockfile_excluded, source_unavailable, standing};
use candidates::Candidate;
use content::Terms;

/// Answers one page of hits.
pub fn search(host: &Host, params: &SearchParams, deadline: &Deadline) -> Result<SearchAnswer, Failure> {
    refuse_unserved(params)?;
    let paths = Paths::new(params.paths.as_ref())?;
    if let Some(traversal) = &params.traversal {
        return walked::search(host, params, traversal, &paths, deadline);
    }
    let view = match select(host, params.view.as_ref(), deadline)? {
        Selected::View(view) => view,
        Selected::Unavailable(reason) => return Ok(unavailable(reason)),
    };
    if !scope::is_served(&params.scope) {
        return Ok(unavailable(UnavailableReason::InsufficientCoverage));
    }
    check(deadline)?;
    let view = paths.forced(host, view, deadline)?;
    if let Some(pattern) = &params.pattern {
        return matches(&view, params, pattern, &paths, deadline);
    }
    let query = params.query.as_deref().ok_or_else(|| Failure::invalid_field("query", "missing"))?;
    let parsed = ParsedQuery::parse(query, QUERY_TERMS_MAX as usize);
    if params.target == SearchTarget::Documentation {
        return documentation::search(&view, params, &parsed, &paths, deadline);
    }
    let selected = paths.narrows().then(|| view.searcher().select(|path| paths.reaches(path)));
    let terms = Terms::new(&parsed);
    let (candidates, mut warnings) = ranked(&view, params, &parsed, &terms, selected.as_ref(), deadline)?;
    check(deadline)?;
    warnings.extend(file_warnings(&view, &paths));
    warnings.extend(scope::warnings(&view, params));
    let total = candidates.len() as u64;
    let page = page(params, candidates, deadline, |candidate| hits::build(&view, params, &terms, candidate))?;
    Ok(SearchAnswer::Found(SearchResult {
        results: page,
        pagination: Pagination { page_index: params.page_index, total_pages: total.div_ceil(params.limit).max(1) },
        view: captured(&view)?,
        warnings,
    }))
}

/// Answers one page of what a pattern finds.
fn matches(
    view: &View,
    params: &SearchParams,
    pattern: &str,
    paths: &Paths,
    deadline: &Deadline,
) -> Result<SearchAnswer, Failure> {
    let mut found = pattern::find(view, params, pattern, paths, deadline)?;
    let mut warnings = std::mem::take(&mut found.warnings);
    warnings.extend(file_warnings(view, paths));
    warnings.extend(scope::warnings(view, params));
    let pagination =
        Pagination { page_index: params.page_index, total_pages: found.len().div_ceil(params.limit).max(1) };
    let results = found.page(view, params, deadline)?;
    Ok(SearchAnswer::Found(SearchResult { results, pagination, view: captured(view)?, warnings }))
}

/// What later versions serve is refused by name.
fn refuse_unserved(params: &SearchParams) -> Result<(), Failure> {
    let documentation = params.target == SearchTarget::Documentation;
    let unserved = [
        // A block of documentation holds no text of a file.
        (documentation && params.pattern.is_some(), "pattern search in documentation (field target)"),
        (params.target == SearchTarget::Commit, "commit search (field target)"),
        (
            params.traversal.is_some() && params.change.is_some(),
            "relationship traversal of a comparison (field change)",
        ),
        (params.traversal.is_some() && params.rev.is_some(), "relationship traversal of a revision (field rev)"),
        (params.change.is_some(), "change comparison (field change)"),
        (params.rev.is_some(), "revision reads (field rev)"),
    ];
    match unserved.iter().find(|(asked, _)| *asked) {
        Some((_, capability)) => Err(Failure::not_served(capability)),
        None => Ok(()),
    }
}

fn unavailable(reason: UnavailableReason) -> SearchAnswer {
    SearchAnswer::Unavailable(SearchUnavailable {
        outcome: UnavailableTag::Unavailable,
        reason,
        view: None,
        warnings: Vec::new(),
    })
}

/// The globs of one request.
struct Paths {
    include: PathPatterns,
    exclude: PathPatterns,
    /// Reaches past both, and past what the index holds.
    force: PathPatterns,
    force_globs: Vec<String>,
}

impl Paths {
    fn new(selector: Option<&PathSelector>) -> Result<Self, Failure> {
        let Some(selector) = selector else {
            let none = PathPatterns::none;
            return Ok(Self { include: none(), exclude: none(), force: none(), force_globs: Vec::new() });
        };
        let compile = |field: &str, patterns: &[PathPattern]| {
            let texts: Vec<&str> = patterns.iter().map(PathPattern::as_str).collect();
            PathPatterns::new(&texts).map_err(|_| Failure::invalid_field(field, "glob"))
        };
        Ok(Self {
            include: compile("paths.include", &selector.include)?,
            exclude: compile("paths.exclude", &selector.exclude)?,
            force: compile("paths.force_include", &selector.force_include)?,
            force_globs: selector.force_include.iter().map(|glob| glob.as_str().to_owned()).collect(),
        })
    }

    fn narrows(&self) -> bool {
        !self.include.is_empty() || !self.exclude.is_empty()
    }

    fn reaches(&self, path: &ProjectPath) -> bool {
        let path = path.as_str();
        let narrowed = (self.include.is_empty() || self.include.matches(path)) && !self.exclude.matches(path);
        narrowed || self.force.matches(path)
    }

    /// `view` with the files that `force_include` names and its index does not hold.
    fn forced(&self, host: &Host, view: View, deadline: &Deadline) -> Result<View, Failure> {
        if self.force.is_empty() {
            return Ok(view);
        }
        let globs: Vec<&str> = self.force_globs.iter().map(String::as_str).collect();
        host.force(&view, &globs, FORCE_INCLUDE_MAX as usize, deadline).map_err(force_failure)
    }
}

fn force_failure(error: ForceError) -> Failure {
    match error {
        ForceError::TooMany { required } => Failure::limit_exceeded("paths.force_include", FORCE_INCLUDE_MAX, required),
        ForceError::Interrupted(interrupt) => interrupted(interrupt),
        ForceError::Index(error) => index_failure(error),
        ForceError::Configuration => Failure::internal("search", "the accepted configuration does not compile"),
    }
}

/// Everything the query reaches, best first, at most [`RESULTS_MAX`], with the warnings of the ranking.
fn ranked(
    view: &View,
    params: &SearchParams,
    query: &ParsedQuery,
    terms: &Terms,
    paths: Option<&PathSet>,
    deadline: &Deadline,
) -> Result<(Vec<Candidate>, Vec<ReadWarning>), Failure> {
    let mut warnings = standing(view);
    // Declarations are also found through the file rows that hold the query's terms.
    let target = if params.target == SearchTarget::File { Target::Files } else { Target::All };
    let selection = Selection { paths, target };
    let config = &view.config().search.ranking;
    let mut found = view.searcher().rank(query, &selection, config).map_err(index_failure)?;
    check(deadline)?;
    let reaches = |path: &ProjectPath| paths.is_none_or(|paths| paths.contains(path));
    let near =
        vectors::nearest(view, params.query.as_deref().unwrap_or_default(), params.target, reaches, &mut warnings);
    found.hits = near.fuse(view, params.target, found.hits, config)?;
    check(deadline)?;
    if found.narrowed {
        warnings.push(ReadWarning::QueryNarrowed { terms_max: QUERY_TERMS_MAX });
    }
    if found.lexical_truncated {
        warnings.push(ReadWarning::LexicalRankingTruncated { matches_max: RANKED_UNITS_MAX });
    }
    // The bound covers what is ranked and what is answered: several ranked rows may be one symbol.
    let filled = found.hits.len() as u64 >= RESULTS_MAX;
    let candidates = candidates::gather(view, params.target, terms, found.hits, deadline)?;
    defined::read(view, query, terms, &mut found.files, &found.rarities, deadline)?;
    let mut candidates = order::by_files(candidates, &found.files, &near.files(config), config, query, |candidate| {
        // All declarations of the name that is asked for are wanted.
        (!query.is_one_name()).then(|| candidates::name(view, candidate)).flatten()
    });
    if filled || candidates.len() as u64 >= RESULTS_MAX {
        candidates.truncate(RESULTS_MAX as usize);
        warnings.push(ReadWarning::ResultsTruncated { results_max: RESULTS_MAX });
    }
    Ok((candidates, warnings))
}

/// Files that give less than they could, of those that the request reaches.
fn file_warnings(view: &View, paths: &Paths) -> Vec<ReadWarning> {
    let narrowed = |path: &ProjectPath| paths.reaches(path);
    let reaches: Reaches<'_> = if paths.narrows() { Some(&narrowed) } else { None };
    let mut out = source_unavailable(view, reaches);
    out.extend(large_skipped(view, reaches));
    out.extend(large_unparsed(view, reaches));
    if !paths.include.is_empty() {
        out.extend(lockfile_excluded(view, reaches));
    }
    out
}

/// The hits of the requested page, in the requested order, as `build` makes them of `candidates`, which stand by relevance.
fn page<C: Sync>(
    params: &SearchParams,
    candidates: Vec<C>,
    deadline: &Deadline,
    build: impl Fn(&C) -> Result<Option<SearchHit>, Failure> + Sync,
) -> Result<Vec<SearchHit>, Failure> {
    let first = usize::try_from(params.page_index.saturating_mul(params.limit)).unwrap_or(usize::MAX);
    let limit = usize::try_from(params.limit).unwrap_or(usize::MAX);
    let mut out = Vec::new();
    let wanted = match params.order {
        SearchOrder::Relevance => candidates.into_iter().skip(first).take(limit).collect::<Vec<_>>(),
        // Places and identities are known of built hits alone.
        SearchOrder::Path | SearchOrder::Identity => candidates,
    };
    let built = each(&wanted, |candidate| {
        check(deadline)?;
        build(candidate)
    });
    for hit in built {
        out.extend(hit?);
    }
    match params.order {
        SearchOrder::Relevance => return Ok(out),
        SearchOrder::Path => out.sort_by_cached_key(|hit| (hits::place(hit), hits::identity(hit))),
        SearchOrder::Identity => out.sort_by_cached_key(|hit| (hits::identity(hit), hits::place(hit))),
    }
    Ok(out.into_iter().skip(first).take(limit).collect())
}
