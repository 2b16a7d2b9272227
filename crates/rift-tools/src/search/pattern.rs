//! `search` with `pattern`: every match of a regular expression in the searched text.
//!
//! The trigram index selects files, the pattern itself decides, in parallel and in path order, until as many hits are found as
//! an answer can hold.

use std::sync::atomic::{AtomicUsize, Ordering};

use rift_base::Deadline;
use rift_host::View;
use rift_host::facts::{DeclId, FileEntry};
use rift_host::index::{Pattern, PatternError, PatternMatch};
use rift_protocol::limits::{RESULTS_MAX, WARNING_FILES_MAX};
use rift_protocol::{Failure, FileId, ReadWarning, SearchHit, SearchOrder, SearchParams, SearchTarget};

use super::{Paths, hits, matched};
use crate::context::check;
use crate::symbol::identity;
use crate::warnings::standing;

/// Threads of one search.
const THREADS_MAX: usize = 8;
/// Bytes of text up to which one thread looks at all of it: starting others takes about as long.
const ALONE_BYTES: u64 = 64 << 10;

/// What a pattern finds.
pub(super) struct Found {
    /// In the requested order, all that may be paged.
    places: Vec<Place>,
    pub(super) warnings: Vec<ReadWarning>,
}

/// Something to answer, before it is read.
#[derive(Debug, Clone)]
struct Place {
    entry: FileEntry,
    what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// A match.
    Match(PatternMatch),
    /// A declaration that begins at a byte, with the line of its first match.
    Declaration { start: u32, id: DeclId, line: u64 },
}

impl What {
    fn start(&self) -> u64 {
        match self {
            What::Match(found) => found.range.start as u64,
            What::Declaration { start, .. } => u64::from(*start),
        }
    }
}

/// What one file holds.
struct FileHits {
    /// By offset, then by identity.
    hits: Vec<What>,
    /// Whether it holds more matches than one file contributes.
    is_cut: bool,
}

/// Finds what `params` ask for.
pub(super) fn find(
    view: &View,
    params: &SearchParams,
    pattern: &str,
    paths: &Paths,
    deadline: &Deadline,
) -> Result<Found, Failure> {
    let config = &view.config().search;
    let compiled_max = usize::try_from(config.pattern_compiled_size).unwrap_or(usize::MAX);
    let pattern = Pattern::new(pattern, compiled_max).map_err(|error| refusal(&error, config.pattern_compiled_size))?;
    check(deadline)?;
    let mut warnings = standing(view);
    let (files, preparing) = files(view, &pattern, paths)?;
    check(deadline)?;
    let most = usize::try_from(config.pattern_matches_per_file).unwrap_or(usize::MAX);
    let found = verify(
        &files,
        deadline,
        |entry, search, room| {
            let Some(text) = entry.searched_text() else { return Ok(FileHits { hits: Vec::new(), is_cut: false }) };
            let matches = search.matches(text.read(room), most);
            let hits = file_hits(view, params.target, entry, matches.found)?;
            Ok(FileHits { hits, is_cut: matches.is_cut })
        },
        &pattern,
    )?;
    let mut places: Vec<Place> = Vec::new();
    let mut cut = Vec::new();
    for (at, file) in found {
        let Some(entry) = files.get(at).filter(|_| (places.len() as u64) < RESULTS_MAX) else { break };
        if file.is_cut {
            cut.push(&entry.path);
        }
        places.extend(file.hits.into_iter().map(|what| Place { entry: (*entry).clone(), what }));
    }
    if places.len() as u64 >= RESULTS_MAX {
        places.truncate(RESULTS_MAX as usize);
        warnings.push(ReadWarning::ResultsTruncated { results_max: RESULTS_MAX });
    }
    if !cut.is_empty() {
        warnings.push(ReadWarning::PatternMatchesTruncated {
            matches_per_file: config.pattern_matches_per_file,
            files: cut.into_iter().take(WARNING_FILES_MAX).filter_map(|path| FileId::new(path).ok()).collect(),
        });
    }
    warnings.extend(preparing);
    Ok(Found { places, warnings })
}

fn refusal(error: &PatternError, compiled_max: u64) -> Failure {
    let violation = match error {
        PatternError::TooLarge => {
            format!(
                "more than {compiled_max} bytes compiled, the [search] pattern_compiled_size bound; simplify `pattern`"
            )
        }
        PatternError::Syntax { .. } | PatternError::OnlyLineFeeds => format!("regex ({error})"),
    };
    Failure::invalid_field("pattern", violation)
}

/// The files to look at, in path order, within the bounds; and what is said when files without rows do not fit.
fn files<'v>(
    view: &'v View,
    pattern: &Pattern,
    paths: &Paths,
) -> Result<(Vec<&'v FileEntry>, Option<ReadWarning>), Failure> {
    let config = &view.config().search;
    let found = view.pattern_files(pattern.query(), &|path| paths.reaches(path));
    let (rows_max, bytes_max) = (config.pattern_candidate_rows, config.pattern_verified_size);
    let bytes = |files: &[&FileEntry]| files.iter().map(|entry| text_bytes(entry)).sum::<u64>();
    let (rows, size) = (found.selected.len() as u64, bytes(&found.selected));
    let refused = |what: String| Err(Failure::invalid_field("pattern", what + " bound; narrow `pattern` or `paths`"));
    if found.by_rows && rows > rows_max {
        return refused(format!("more than {rows_max} candidate rows, the [search] pattern_candidate_rows"));
    }
    if size > bytes_max {
        return refused(format!("more than {bytes_max} bytes of text to verify, the [search] pattern_verified_size"));
    }
    let mut files = found.selected;
    if found.lacking.is_empty() {
        return Ok((files, None));
    }
    if rows + found.lacking.len() as u64 > rows_max || size + bytes(&found.lacking) > bytes_max {
        let progress = view.pattern_progress();
        return Ok((
            files,
            Some(ReadWarning::PatternIndexPreparing {
                prepared: progress.prepared,
                total: progress.total,
                detail: format!(
                    "{} of {} files have rows; looking at the others too would pass the [search] keys pattern_candidate_rows \
                 or pattern_verified_size, so matches in them are missing; repeat the request, or narrow `paths`",
                    progress.prepared, progress.total
                ),
            }),
        ));
    }
    files.extend(found.lacking);
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok((files, None))
}

fn text_bytes(entry: &FileEntry) -> u64 {
    entry.searched_text().map_or(0, |text| text.length() as u64)
}

/// Looks at `files` in order, on several threads, until enough is found: every file up to the last one that was looked at was
/// looked at. Gives what is not empty, by the file's number, in order.
fn verify(
    files: &[&FileEntry],
    deadline: &Deadline,
    look: impl Fn(&FileEntry, &mut rift_host::index::PatternSearch<'_>, &mut Vec<u8>) -> Result<FileHits, Failure> + Sync,
    pattern: &Pattern,
) -> Result<Vec<(usize, FileHits)>, Failure> {
    let (next, hits) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = |pattern: &Pattern| -> Result<Vec<(usize, FileHits)>, Failure> {
        let (mut search, mut room, mut out) = (pattern.search(), Vec::new(), Vec::new());
        while (hits.load(Ordering::Relaxed) as u64) < RESULTS_MAX {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(entry) = files.get(at) else { break };
            check(deadline)?;
            let found = look(entry, &mut search, &mut room)?;
            hits.fetch_add(found.hits.len(), Ordering::Relaxed);
            if !found.hits.is_empty() || found.is_cut {
                out.push((at, found));
            }
        }
        Ok(out)
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX).min(files.len());
    if threads < 2 || files.iter().map(|entry| text_bytes(entry)).sum::<u64>() <= ALONE_BYTES {
        return work(pattern);
    }
    let parts: Vec<Result<Vec<(usize, FileHits)>, Failure>> = std::thread::scope(|scope| {
        // Each has a matcher of its own: they would wait for each other's scratch space.
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| work(&pattern.clone()))).collect();
        let own = work(pattern);
        // An interrupted read of facts unwinds; it goes on doing so here.
        let joined = others.into_iter().map(|thread| thread.join().unwrap_or_else(|e| std::panic::resume_unwind(e)));
        std::iter::once(own).chain(joined).collect()
    });
    let mut out: Vec<(usize, FileHits)> =
        parts.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    out.sort_unstable_by_key(|(at, _)| *at);
    Ok(out)
}

/// The hits that `matches` of a file make.
fn file_hits(
    view: &View,
    target: SearchTarget,
    entry: &FileEntry,
    matches: Vec<PatternMatch>,
) -> Result<Vec<What>, Failure> {
    if matches.is_empty() {
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    if target != SearchTarget::File {
        out = declarations(view, entry, &matches)?;
    }
    if target != SearchTarget::Symbol {
        out.extend(matches.into_iter().map(What::Match));
        // Of equal offsets the match is first: so are identities of files before those of symbols.
        out.sort_by_key(|what| (what.start(), matches!(what, What::Declaration { .. })));
    }
    Ok(out)
}

/// Every declaration that holds one of `matches`, by offset, then by identity.
fn declarations(view: &View, entry: &FileEntry, matches: &[PatternMatch]) -> Result<Vec<What>, Failure> {
    let positions = view.positions(entry).unwrap_or_default();
    let mut out = Vec::new();
    for (id, position) in (0u32..).map(DeclId).zip(positions.iter()) {
        let (start, end) = (position.declaration.start as usize, position.declaration.end as usize);
        let first = matches.partition_point(|found| found.range.start < start);
        // The first that begins within may reach beyond, and then no later one ends within.
        let held = matches.get(first).filter(|found| found.range.start < end && found.range.end <= end);
        let Some(found) = held else { continue };
        if view.identity(entry, id).is_some() {
            out.push(What::Declaration { start: start as u32, id, line: found.line });
        }
    }
    out.sort_by_key(What::start);
    let mut sorted = Vec::with_capacity(out.len());
    for group in out.chunk_by(|a, b| a.start() == b.start()) {
        let mut group = group.to_vec();
        if group.len() > 1 {
            let mut named = Vec::with_capacity(group.len());
            for what in group {
                let What::Declaration { id, .. } = what else { continue };
                named.push((identity(view, entry, id), id, what));
            }
            named.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
            group = named.into_iter().map(|(_, _, what)| what).collect();
        }
        sorted.extend(group);
    }
    Ok(sorted)
}

impl Found {
    /// Hits that may be paged.
    pub(super) fn len(&self) -> u64 {
        self.places.len() as u64
    }

    /// The hits of the requested page, in the requested order.
    pub(super) fn page(
        self,
        view: &View,
        params: &SearchParams,
        deadline: &Deadline,
    ) -> Result<Vec<SearchHit>, Failure> {
        let first = usize::try_from(params.page_index.saturating_mul(params.limit)).unwrap_or(usize::MAX);
        let limit = usize::try_from(params.limit).unwrap_or(usize::MAX);
        let build = |place: Place| {
            check(deadline)?;
            match place.what {
                What::Match(found) => Ok(Some(matched::match_hit(view, params, &place.entry, &found))),
                What::Declaration { id, line, .. } => matched::declaration_hit(view, params, &place.entry, id, line),
            }
        };
        let all = params.order == SearchOrder::Identity;
        let (skip, take) = if all { (0, usize::MAX) } else { (first, limit) };
        let mut out = Vec::new();
        for place in self.places.into_iter().skip(skip).take(take) {
            out.extend(build(place)?);
        }
        if all {
            out.sort_by_cached_key(|hit| (hits::identity(hit), hits::place(hit)));
            out = out.into_iter().skip(first).take(limit).collect();
        }
        Ok(out)
    }
}
