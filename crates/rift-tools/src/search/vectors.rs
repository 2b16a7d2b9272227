//! The ranking by vectors, when the view has one: its rows are fused with the others by reciprocal rank, and its files
//! join what is known of files.

use std::collections::{HashMap, HashSet};

use rift_base::{ProjectPath, RankingConfig};
use rift_host::facts::{DeclId, Declaration, Joins};
use rift_host::index::{Hit, Matched, NameMark, Nearest, NearestBounds, Ranks, Row, Searcher};
use rift_host::{Vectors, View};
use rift_protocol::limits::FREE_TEXT_MAX;
use rift_protocol::{Failure, ReadWarning, SearchTarget};

/// What the nearest file counts in the order of files, by the configured weight against those of the other rankings; a
/// file further down counts as its reciprocal rank does.
const FILE_WEIGHT: f32 = 0.25;

/// What a view's vectors say to a query.
#[derive(Default)]
pub(super) struct Near {
    /// Nearest first.
    rows: Vec<Nearest>,
    /// Whether they were asked at all.
    is_ranked: bool,
}

/// The rows nearest to `query`, of those that `reaches` accepts.
pub(super) fn nearest(
    view: &View,
    query: &str,
    target: SearchTarget,
    reaches: impl Fn(&ProjectPath) -> bool,
    warnings: &mut Vec<ReadWarning>,
) -> Near {
    let config = &view.config().search.vector;
    let size = |key: u64| usize::try_from(key).unwrap_or(usize::MAX);
    let bounds = NearestBounds { rows: size(config.candidates), per_file: size(config.candidates_per_file) };
    let reaches = |path: &ProjectPath, declaration: Option<u32>| {
        (target != SearchTarget::Symbol || declaration.is_some()) && reaches(path)
    };
    match view.nearest(query, bounds, reaches) {
        Ok(Some(rows)) => return Near { rows, is_ranked: true },
        Ok(None) => warnings.extend(warning(view.vectors(), config.max_vectors)),
        Err(error) => warnings.push(unavailable(&error.to_string())),
    }
    Near::default()
}

/// Why a view does not rank by vectors; absent when nobody asked for it.
fn warning(vectors: &Vectors, most: u64) -> Option<ReadWarning> {
    match vectors {
        Vectors::Off | Vectors::Ready(_) => None,
        Vectors::Unavailable(reason) => Some(unavailable(reason)),
        Vectors::TooMany(texts) => Some(unavailable(&format!(
            "the workspace has {texts} texts to embed, more than the [search.vector] key max_vectors = {most}; raise it, \
             or leave files out"
        ))),
        Vectors::Preparing(progress) => Some(ReadWarning::VectorIndexPreparing {
            prepared: progress.prepared,
            total: progress.total,
            ready_in: format!("{}s", progress.ready_in.as_secs()),
            detail: format!(
                "the vectors of {} of {} files are made; this answer is ranked without them",
                progress.prepared, progress.total
            ),
        }),
    }
}

fn unavailable(reason: &str) -> ReadWarning {
    ReadWarning::VectorRankingUnavailable { detail: reason.chars().take(FREE_TEXT_MAX).collect() }
}

impl Near {
    /// Fuses the rows into `hits`, which are fused of the other rankings, with `Σ w / (k + rank)` over all of them. The hits
    /// stay in their order, and those that only vectors know follow, nearest first: which declaration of a file is shown
    /// is for the words that it holds to say, where it holds any.
    pub(super) fn fuse(
        &self,
        view: &View,
        target: SearchTarget,
        hits: Vec<Hit>,
        config: &RankingConfig,
    ) -> Result<Vec<Hit>, Failure> {
        let others = config.identifier_weight + config.lexical_weight;
        let all = others + config.vector_weight;
        if !self.is_ranked || all <= 0.0 || config.vector_weight <= 0.0 {
            return Ok(hits);
        }
        let mut hits = hits;
        hits.iter_mut().for_each(|hit| hit.score *= others / all);
        let mut known: HashMap<(ProjectPath, Option<u32>), usize> =
            hits.iter().enumerate().map(|(at, hit)| (place(&hit.row), at)).collect();
        let mut seen: HashSet<(ProjectPath, Option<u32>)> = HashSet::new();
        let mut rank = 0u32;
        for row in &self.rows {
            let declaration = row.declaration.filter(|_| target != SearchTarget::File);
            let place = (row.path.clone(), declaration);
            // Parts of one text are one row, as are declarations where files are asked for.
            if !seen.insert(place.clone()) {
                continue;
            }
            rank += 1;
            let score = config.vector_weight / all / (config.fusion_k as f64 + f64::from(rank));
            let at = match known.get(&place) {
                Some(at) => *at,
                None => {
                    let Some(row) = ranked_row(view, &row.path, declaration)? else { continue };
                    hits.push(Hit { row, score: 0.0, matched: Matched::NONE, ranks: Ranks::default() });
                    known.insert(place, hits.len() - 1);
                    hits.len() - 1
                }
            };
            hits[at].score += score;
            hits[at].ranks.vector = Some(rank);
        }
        Ok(hits)
    }

    /// What each near file counts in the order of files.
    pub(super) fn files(&self, config: &RankingConfig) -> HashMap<ProjectPath, f32> {
        let others = config.identifier_weight + config.lexical_weight;
        let weight = FILE_WEIGHT * (config.vector_weight / others.max(f64::MIN_POSITIVE)) as f32;
        let mut files: HashMap<ProjectPath, f32> = HashMap::new();
        let k = config.fusion_k as f32;
        for row in &self.rows {
            let rank = files.len() as f32 + 1.0;
            files.entry(row.path.clone()).or_insert(weight * (k + 1.0) / (k + rank));
        }
        files
    }
}

fn place(row: &Row) -> (ProjectPath, Option<u32>) {
    match row {
        Row::File { path } => (path.clone(), None),
        Row::Symbol { path, ordinal, .. } => (path.clone(), Some(*ordinal)),
    }
}

/// The row of the index that a vector is of: that of the symbol which the declaration belongs to.
fn ranked_row(view: &View, path: &ProjectPath, declaration: Option<u32>) -> Result<Option<Row>, Failure> {
    let Some(ordinal) = declaration else { return Ok(Some(Row::File { path: path.clone() })) };
    let Some(entry) = view.entry(path) else { return Ok(None) };
    let identity = view.identity(entry, DeclId(ordinal));
    let of = |declaration: &Declaration| (declaration.joins != Joins::Alone, NameMark::of(&declaration.path.name()));
    let (joins, name) = view.facts(entry).and_then(|f| f.outline.get(DeclId(ordinal)).map(of)).unwrap_or_default();
    let key = |(key, _): (rift_host::SymbolKey, _)| Searcher::key(&format!("{}/{}", key.language, key.path));
    Ok(identity.map(|identity| Row::Symbol { path: path.clone(), ordinal, key: key(identity), joins, name }))
}
