//! From ranked rows to candidates: declarations of one symbol are one candidate, and the first file rows give way to the
//! declarations that hold the query's terms.

use rift_base::parallel::each;
use rift_base::{Deadline, Digest, ProjectPath};
use rift_host::View;
use rift_host::facts::{DeclId, FileEntry, Joins};
use rift_host::index::{Hit, Matched, NameMark, Row};
use rift_protocol::limits::CONTENT_ROWS_READ;
use rift_protocol::{Failure, SearchTarget, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::content::{Attributed, Terms, attribute};
use super::order::Standing;
use crate::context::check;
use crate::symbol::identity;

/// Something to answer, before it is read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) path: ProjectPath,
    /// The declaration; absent for a file.
    pub(super) declaration: Option<DeclId>,
    /// The mark of its short name, where the row that ranked it said so.
    pub(super) name: Option<NameMark>,
    pub(super) score: f64,
    pub(super) matched: Matched,
    /// What the score is made of.
    pub(super) standing: Standing,
}

/// The mark of a candidate's short name; nothing for a file.
pub(super) fn name(view: &View, candidate: &Candidate) -> Option<NameMark> {
    let id = candidate.declaration?;
    candidate.name.or_else(|| {
        let facts = view.facts(view.entry(&candidate.path)?)?;
        Some(NameMark::of(&facts.outline.get(id)?.path.name()))
    })
}

/// The candidates behind `rows`, in order.
pub(super) fn gather(
    view: &View,
    target: SearchTarget,
    terms: &Terms,
    rows: Vec<Hit>,
    deadline: &Deadline,
) -> Result<Vec<Candidate>, Failure> {
    let rows = distinct(view, rows);
    if target == SearchTarget::File {
        return Ok(rows.into_iter().filter(|c| c.declaration.is_none()).collect());
    }
    let read: Vec<&Candidate> = rows.iter().filter(|c| c.declaration.is_none()).take(CONTENT_ROWS_READ).collect();
    let found = each(&read, |row| {
        check(deadline)?;
        let found = |entry| (row.path.clone(), attribute(view, entry, terms));
        Ok(view.entry(&row.path).map(found))
    });
    let files: Vec<_> = found.into_iter().flat_map(Result::transpose).collect::<Result<_, Failure>>()?;
    // What a file row would show best: its line is in that declaration.
    let best: FxHashMap<ProjectPath, DeclId> =
        files.iter().filter_map(|(path, found)| Some((path.clone(), found.first()?.id))).collect();
    let attributed = each(&best_first(files), |place| declarations(view, place.clone()));
    Ok(replace(target, rows, attributed, &best))
}

/// What rows of several files that share a key are compared by: equal for rows of one symbol.
#[derive(PartialEq, Eq, Hash)]
enum Shared {
    Symbol(SymbolId),
    /// A declaration that joins no other is told from others of its key by its file's content.
    Alone {
        key: u64,
        content: Digest,
        declaration: DeclId,
    },
}

/// One candidate per symbol, where its best row stands: rows of several files that share a key are resolved. Of the declarations of a
/// symbol, the first that has a body stands for it: a definition says more than the prototypes of it.
fn distinct(view: &View, rows: Vec<Hit>) -> Vec<Candidate> {
    // Rows of one file are symbols of their own, whatever their keys.
    let mut holders: FxHashMap<u64, Option<&ProjectPath>> = FxHashMap::default();
    for hit in &rows {
        if let Row::Symbol { path, key, .. } = &hit.row {
            let holder = holders.entry(*key).or_insert(Some(path));
            *holder = holder.filter(|known| *known == path);
        }
    }
    let shared: FxHashSet<u64> = holders.into_iter().filter(|(_, only)| only.is_none()).map(|(key, _)| key).collect();
    let mut seen: FxHashMap<Shared, usize> = FxHashMap::default();
    let mut out: Vec<Candidate> = Vec::with_capacity(rows.len());
    for hit in rows {
        let (path, declaration, name, same) = match hit.row {
            Row::File { path } => (path, None, None, None),
            Row::Symbol { path, ordinal, key, joins, name } => {
                let id = DeclId(ordinal);
                let same = shared.contains(&key).then(|| shared_by(view, &path, id, key, joins)).flatten();
                (path, Some(id), Some(name), same)
            }
        };
        let standing = Standing { rows: hit.ranks, files: 0 };
        let candidate = Candidate { path, declaration, name, score: hit.score, matched: hit.matched, standing };
        if let Some(same) = same {
            if let Some(at) = seen.get(&same) {
                out[*at] = joined(view, &out[*at], candidate);
                continue;
            }
            seen.insert(same, out.len());
        }
        out.push(candidate);
    }
    out
}

/// What declaration `id` of the file at `path` is compared by, whose key other files share.
fn shared_by(view: &View, path: &ProjectPath, id: DeclId, key: u64, joins: bool) -> Option<Shared> {
    let entry = view.entry(path)?;
    match joins {
        true => identity(view, entry, id).map(Shared::Symbol),
        false => Some(Shared::Alone { key, content: entry.digest()?, declaration: id }),
    }
}

/// Two rows of one symbol, the better one first, as one candidate.
fn joined(view: &View, first: &Candidate, second: Candidate) -> Candidate {
    let has_body = |candidate: &Candidate| {
        let facts = view.entry(&candidate.path).and_then(|entry| view.facts(entry));
        let position = candidate.declaration.zip(facts).and_then(|(id, f)| f.positions.get(id.0 as usize).copied());
        position.is_some_and(|position| !position.body.is_empty())
    };
    let matched = first.matched.union(second.matched);
    let shown = if !has_body(first) && has_body(&second) { second } else { first.clone() };
    Candidate { score: first.score, matched, standing: first.standing, ..shown }
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
fn declarations(view: &View, place: Place) -> Vec<Place> {
    let mut out = vec![place];
    let (path, id) = out[0].clone();
    let Some(entry) = view.entry(&path) else { return out };
    if is_alone(view, entry, id) {
        return out;
    }
    let Some((key, _)) = view.identity(entry, id) else { return out };
    for symbol in view.resolve(&key).iter() {
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
    out
}

/// Whether a declaration joins no other, so that its symbol need not be looked for in other files.
fn is_alone(view: &View, entry: &FileEntry, id: DeclId) -> bool {
    view.facts(entry).is_some_and(|facts| facts.outline.get(id).is_some_and(|found| found.joins == Joins::Alone))
}

/// Puts `attributed`, each with the other declarations of its symbol, in place of the first file row. A symbol that its
/// own row placed ahead of it keeps its place and its tags; one that its own row placed behind it moves up and keeps its
/// tags beside the new one. The row itself goes when its file gave a declaration; further file rows stay where files are
/// asked for, unless they would show a declaration that stands ahead of them, by `best`, again.
fn replace(
    target: SearchTarget,
    rows: Vec<Candidate>,
    attributed: Vec<Vec<Place>>,
    best: &FxHashMap<ProjectPath, DeclId>,
) -> Vec<Candidate> {
    let Some(at) = rows.iter().position(|c| c.declaration.is_none()) else { return rows };
    let (ahead, behind) = rows.split_at(at);
    let row = &behind[0];
    let mut out: Vec<Candidate> = ahead.to_vec();
    // Rows are a thousand, places a few: what rows say of these alone is noted.
    let places: FxHashSet<&Place> = attributed.iter().flatten().collect();
    let own = |rows: &[Candidate]| -> FxHashMap<Place, Matched> {
        let place = |c: &Candidate| Some(((c.path.clone(), c.declaration?), c.matched));
        rows.iter().filter_map(place).filter(|(place, _)| places.contains(place)).collect()
    };
    let (placed, own) = (own(ahead), own(behind));
    let mut moved: FxHashSet<Place> = FxHashSet::default();
    let gave = attributed.iter().filter_map(|places| places.first()).any(|(path, _)| *path == row.path);
    for places in attributed.iter() {
        if places.iter().any(|place| placed.contains_key(place) || moved.contains(place)) {
            continue;
        }
        // The declaration that its own row names stands for the symbol.
        let known = places.iter().find_map(|place| Some((place, *own.get(place)?)));
        let Some((place, matched)) = known.or_else(|| Some((places.first()?, Matched::NONE))) else { continue };
        let (path, id) = place.clone();
        let matched = matched.union(Matched::CONTENT);
        let (score, standing) = (row.score, row.standing);
        out.push(Candidate { path, declaration: Some(id), name: None, score, matched, standing });
        moved.extend(places.iter().cloned());
    }
    let files = target == SearchTarget::All;
    let mut shown: FxHashSet<Place> = placed.into_keys().chain(moved.iter().cloned()).collect();
    for (n, candidate) in behind.iter().enumerate() {
        let keep = match candidate.declaration {
            Some(id) => !moved.contains(&(candidate.path.clone(), id)),
            None => {
                let again = best.get(&candidate.path).is_some_and(|id| shown.contains(&(candidate.path.clone(), *id)));
                files && !(n == 0 && gave) && !again
            }
        };
        if keep {
            shown.extend(candidate.declaration.map(|id| (candidate.path.clone(), id)));
            out.push(candidate.clone());
        }
    }
    out
}
