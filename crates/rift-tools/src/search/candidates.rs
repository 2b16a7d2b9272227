//! From ranked rows to candidates: declarations of one symbol are one candidate, and the first file rows give way to the
//! declarations that hold the query's terms.

use std::collections::{HashMap, HashSet};

use rift_base::{Deadline, ProjectPath};
use rift_host::View;
use rift_host::facts::DeclId;
use rift_host::index::{Hit, Matched, ParsedQuery, Row};
use rift_protocol::limits::CONTENT_ROWS_READ;
use rift_protocol::{Failure, SearchTarget, SymbolId};

use super::content::{Attributed, attribute};
use crate::context::check;
use crate::symbol::identity;

/// Something to answer, before it is read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) path: ProjectPath,
    /// The declaration; absent for a file.
    pub(super) declaration: Option<DeclId>,
    pub(super) score: f64,
    pub(super) matched: Matched,
}

/// The candidates behind `rows`, in order.
pub(super) fn gather(
    view: &View,
    target: SearchTarget,
    query: &ParsedQuery,
    rows: Vec<Hit>,
    deadline: &Deadline,
) -> Result<Vec<Candidate>, Failure> {
    let rows = distinct(view, rows)?;
    if target == SearchTarget::File {
        return Ok(rows.into_iter().filter(|c| c.declaration.is_none()).collect());
    }
    let mut files = Vec::new();
    for row in rows.iter().filter(|c| c.declaration.is_none()).take(CONTENT_ROWS_READ) {
        check(deadline)?;
        let Some(entry) = view.entry(&row.path) else { continue };
        files.push((row.path.clone(), attribute(view, entry, query)));
    }
    let attributed = best_first(files);
    Ok(replace(target, rows, attributed))
}

/// One candidate per symbol: rows that share a key are resolved, and the first of each symbol stays.
fn distinct(view: &View, rows: Vec<Hit>) -> Result<Vec<Candidate>, Failure> {
    let mut uses: HashMap<u64, u32> = HashMap::new();
    for hit in &rows {
        if let Row::Symbol { key, .. } = &hit.row {
            *uses.entry(*key).or_default() += 1;
        }
    }
    let mut seen: HashSet<SymbolId> = HashSet::new();
    let mut out = Vec::with_capacity(rows.len());
    for hit in rows {
        let (path, declaration) = match hit.row {
            Row::File { path } => (path, None),
            Row::Symbol { path, ordinal, key } => {
                let declaration = DeclId(ordinal);
                if uses.get(&key).is_some_and(|n| *n > 1)
                    && let Some(entry) = view.entry(&path)
                    && let Some(id) = identity(view, entry, declaration)?
                    && !seen.insert(id)
                {
                    continue;
                }
                (path, Some(declaration))
            }
        };
        out.push(Candidate { path, declaration, score: hit.score, matched: hit.matched });
    }
    Ok(out)
}

/// Declarations of all files, best first: those with the most of the query's terms, then in the order of their files'
/// ranks, then the smaller ones.
fn best_first(files: Vec<(ProjectPath, Vec<Attributed>)>) -> Vec<(ProjectPath, DeclId)> {
    let mut all: Vec<(std::cmp::Reverse<u32>, usize, u32, ProjectPath, DeclId)> = Vec::new();
    for (rank, (path, found)) in files.into_iter().enumerate() {
        for declaration in found {
            let terms = std::cmp::Reverse(declaration.terms);
            all.push((terms, rank, declaration.bytes, path.clone(), declaration.id));
        }
    }
    all.sort();
    all.into_iter().take(CONTENT_ROWS_READ).map(|(_, _, _, path, id)| (path, id)).collect()
}

/// Puts `attributed` in place of the first file row. A declaration that its own row placed ahead of it keeps its place
/// and its tags; one that its own row placed behind it moves up and keeps its tags beside the new one. The row itself
/// goes when its file gave a declaration; further file rows stay where files are asked for.
fn replace(target: SearchTarget, rows: Vec<Candidate>, attributed: Vec<(ProjectPath, DeclId)>) -> Vec<Candidate> {
    let Some(at) = rows.iter().position(|c| c.declaration.is_none()) else { return rows };
    let (ahead, behind) = rows.split_at(at);
    let row = &behind[0];
    let mut out: Vec<Candidate> = ahead.to_vec();
    let placed: HashSet<(&ProjectPath, DeclId)> =
        ahead.iter().filter_map(|c| Some((&c.path, c.declaration?))).collect();
    let own: HashMap<(&ProjectPath, DeclId), Matched> =
        behind.iter().filter_map(|c| Some(((&c.path, c.declaration?), c.matched))).collect();
    let mut moved: HashSet<(ProjectPath, DeclId)> = HashSet::new();
    let gave = attributed.iter().any(|(path, _)| *path == row.path);
    for (path, id) in attributed {
        if placed.contains(&(&path, id)) || !moved.insert((path.clone(), id)) {
            continue;
        }
        let matched = own.get(&(&path, id)).copied().unwrap_or(Matched::NONE).union(Matched::CONTENT);
        out.push(Candidate { path, declaration: Some(id), score: row.score, matched });
    }
    let files = target == SearchTarget::All;
    for (n, candidate) in behind.iter().enumerate() {
        let keep = match candidate.declaration {
            Some(id) => !moved.contains(&(candidate.path.clone(), id)),
            None => files && !(n == 0 && gave),
        };
        if keep {
            out.push(candidate.clone());
        }
    }
    out
}
