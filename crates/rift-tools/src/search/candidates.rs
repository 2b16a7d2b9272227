//! From ranked rows to candidates: declarations of one symbol are one candidate, and the first file rows give way to the
//! declarations that hold the query's terms.

use std::collections::{HashMap, HashSet};

use rift_base::{Deadline, ProjectPath};
use rift_host::facts::{DeclId, FileEntry};
use rift_host::index::{Hit, Matched, ParsedQuery, Row};
use rift_host::{Member, View};
use rift_protocol::limits::CONTENT_ROWS_READ;
use rift_protocol::{Failure, SearchTarget, SymbolId};

use super::content::{Attributed, attribute};
use crate::context::{check, index_failure};
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
    let attributed = best_first(files).into_iter().map(|place| declarations(view, place));
    let attributed = attributed.collect::<Result<Vec<_>, _>>()?;
    Ok(replace(target, rows, attributed))
}

/// One candidate per symbol: rows that share a key are resolved, and the first of each symbol stays. It leads to the
/// symbol's definition when that is among the rows, for a statement elsewhere (`class Name;`) says less.
fn distinct(view: &View, rows: Vec<Hit>) -> Result<Vec<Candidate>, Failure> {
    let mut uses: HashMap<u64, u32> = HashMap::new();
    let mut ranked: HashMap<Place, Matched> = HashMap::new();
    for hit in &rows {
        if let Row::Symbol { path, ordinal, key } = &hit.row {
            *uses.entry(*key).or_default() += 1;
            ranked.insert((path.clone(), DeclId(*ordinal)), hit.matched);
        }
    }
    let mut seen: HashSet<SymbolId> = HashSet::new();
    let mut out = Vec::with_capacity(rows.len());
    for hit in rows {
        let Hit { row, score, mut matched } = hit;
        let (path, declaration) = match row {
            Row::File { path } => (path, None),
            Row::Symbol { path, ordinal, key } => {
                let mut place = (path, DeclId(ordinal));
                if uses.get(&key).is_some_and(|n| *n > 1)
                    && let Some(entry) = view.entry(&place.0)
                    && let Some(id) = identity(view, entry, place.1)?
                {
                    if !seen.insert(id) {
                        continue;
                    }
                    if let Some(definition) = definition(view, entry, place.1)?
                        && let Some(own) = ranked.get(&definition)
                    {
                        matched = matched.union(*own);
                        place = definition;
                    }
                }
                (place.0, Some(place.1))
            }
        };
        out.push(Candidate { path, declaration, score, matched });
    }
    Ok(out)
}

/// The primary declaration of the part that stands for the symbol of declaration `id` of `entry`.
fn definition(view: &View, entry: &FileEntry, id: DeclId) -> Result<Option<Place>, Failure> {
    let Some((key, _)) = view.identity(entry, id).map_err(index_failure)? else { return Ok(None) };
    let symbols = view.resolve(&key).map_err(index_failure)?;
    let holds = |member: &Member| {
        member.entry.path == entry.path && member.group().is_some_and(|group| group.declarations.contains(&id))
    };
    let symbol = symbols.iter().find(|symbol| symbol.members.iter().any(holds));
    Ok(symbol.and_then(|symbol| symbol.anchor()).map(|anchor| (anchor.entry.path.clone(), anchor.primary)))
}

/// Declarations of all files, best first: those with the most of the query's terms, then in the order of their files'
/// ranks, then the smaller ones.
fn best_first(files: Vec<(ProjectPath, Vec<Attributed>)>) -> Vec<Place> {
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

/// A declaration by its file and number.
type Place = (ProjectPath, DeclId);

/// Every declaration of the symbol that `place` belongs to, that one first.
fn declarations(view: &View, place: Place) -> Result<Vec<Place>, Failure> {
    let mut out = vec![place];
    let (path, id) = out[0].clone();
    let Some(entry) = view.entry(&path) else { return Ok(out) };
    let Some((key, _)) = view.identity(entry, id).map_err(index_failure)? else { return Ok(out) };
    for symbol in view.resolve(&key).map_err(index_failure)?.iter() {
        let places: Vec<Place> = symbol
            .members
            .iter()
            .flat_map(|member| {
                let ids = member.group().map(|group| group.declarations).unwrap_or_default();
                ids.into_iter().map(|id| (member.entry.path.clone(), id))
            })
            .collect();
        if places.contains(&out[0]) {
            out.extend(places.into_iter().filter(|place| (&place.0, place.1) != (&path, id)));
            break;
        }
    }
    Ok(out)
}

/// Puts `attributed`, each with the other declarations of its symbol, in place of the first file row. A symbol that its
/// own row placed ahead of it keeps its place and its tags; one that its own row placed behind it moves up and keeps its
/// tags beside the new one. The row itself goes when its file gave a declaration; further file rows stay where files are
/// asked for.
fn replace(target: SearchTarget, rows: Vec<Candidate>, attributed: Vec<Vec<Place>>) -> Vec<Candidate> {
    let Some(at) = rows.iter().position(|c| c.declaration.is_none()) else { return rows };
    let (ahead, behind) = rows.split_at(at);
    let row = &behind[0];
    let mut out: Vec<Candidate> = ahead.to_vec();
    let own = |rows: &[Candidate]| -> HashMap<Place, Matched> {
        rows.iter().filter_map(|c| Some(((c.path.clone(), c.declaration?), c.matched))).collect()
    };
    let (placed, own) = (own(ahead), own(behind));
    let mut moved: HashSet<Place> = HashSet::new();
    let gave = attributed.iter().filter_map(|places| places.first()).any(|(path, _)| *path == row.path);
    for places in attributed {
        if places.iter().any(|place| placed.contains_key(place) || moved.contains(place)) {
            continue;
        }
        // The declaration that its own row names stands for the symbol.
        let known = places.iter().find_map(|place| Some((place, *own.get(place)?)));
        let Some((place, matched)) = known.or_else(|| Some((places.first()?, Matched::NONE))) else { continue };
        let (path, id) = place.clone();
        let matched = matched.union(Matched::CONTENT);
        out.push(Candidate { path, declaration: Some(id), score: row.score, matched });
        moved.extend(places);
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
