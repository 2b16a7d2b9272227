//! The order of the page: the rankings of rows, and a third one that ranks by files.
//!
//! A file is ranked by what all of its rows say ([`FileScore`]). In the ranking by files the first candidate of a file
//! counts as much as the file, each further one a fixed part of the one before it, so that one file does not fill the
//! page. It is fused with the others by reciprocal rank, and it outweighs them: they decide what of a file is
//! shown, and the order of what it leaves equal.

use std::collections::HashMap;

use rift_base::{ProjectPath, RankingConfig};
use rift_host::index::{FileScore, NameMark, ParsedQuery, Ranks};
use rift_protocol::HitRank;
use rustc_hash::FxHashMap;

use super::candidates::Candidate;
use crate::documents::is_document;

/// What a candidate counts in the ranking by files, against the one before it of the same file.
const REPEAT_FACTOR: f32 = 0.4;
/// What a candidate counts there that resembles one before it: a declaration of the same name in another file of the folder
/// (steps of a tutorial, implementations of one interface), or the same document in another language.
const ALIKE_FACTOR: f32 = 0.6;
/// The first candidates among which such are looked for.
const ALIKE_MAX: usize = 100;
/// The weight of the ranking by files, against all others together. `100 (1/79 - 1/80) > 1/61`: no rank elsewhere
/// turns the order of two neighbours on a first page of twenty.
const FILES_WEIGHT: f64 = 100.0;

/// Where a candidate stands in each ranking.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Standing {
    /// In the rankings of rows.
    pub(super) rows: Ranks,
    /// In the ranking by files, from 1.
    pub(super) files: u32,
}

/// Fuses the ranking by `files` into the scores of `candidates`, which come in the order of the others, and orders by them.
/// Files that are `near` the query as vectors are ahead by so much.
pub(super) fn by_files(
    mut candidates: Vec<Candidate>,
    files: &[FileScore],
    near: &HashMap<ProjectPath, f32>,
    config: &RankingConfig,
    query: &ParsedQuery,
    name: impl Fn(&Candidate) -> Option<NameMark>,
) -> Vec<Candidate> {
    let mut scores: FxHashMap<&ProjectPath, f32> = files.iter().map(|file| (&file.path, file.score())).collect();
    near.iter().for_each(|(path, ahead)| *scores.entry(path).or_default() += ahead);
    // A query that is one name, and nothing is called so: the file of the name that resembles it most comes first.
    let likely = candidates.iter().find(|candidate| candidate.standing.rows.identifier == Some(1));
    if let Some(candidate) = likely.filter(|_| query.is_one_name())
        && files.iter().all(|file| file.names.spelled <= 0.0)
    {
        let best = scores.values().copied().fold(0.0, f32::max);
        *scores.entry(&candidate.path).or_default() += best;
    }
    let mut seen: FxHashMap<ProjectPath, f32> = FxHashMap::default();
    let mut ranking: Vec<(f32, usize)> = Vec::with_capacity(candidates.len());
    for (at, candidate) in candidates.iter().enumerate() {
        let first = || scores.get(&candidate.path).copied().unwrap_or(0.0);
        let score =
            seen.entry(candidate.path.clone()).and_modify(|score| *score *= REPEAT_FACTOR).or_insert_with(first);
        ranking.push((*score, at));
    }
    sort(&mut ranking);
    put_alike_behind(&mut ranking, &candidates, name);
    for ((_, at), rank) in ranking.into_iter().zip(1u32..) {
        let candidate = &mut candidates[at];
        let by_file = FILES_WEIGHT / (config.fusion_k as f64 + f64::from(rank));
        candidate.score = (candidate.score + by_file) / (1.0 + FILES_WEIGHT);
        candidate.standing.files = rank;
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    candidates
}

/// Orders a ranking by files: scores with the candidates' numbers, which decide between equal ones.
fn sort(ranking: &mut [(f32, usize)]) {
    ranking.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
}

/// Lowers what resembles a candidate of another file that stands ahead of it.
fn put_alike_behind(
    ranking: &mut [(f32, usize)],
    candidates: &[Candidate],
    name: impl Fn(&Candidate) -> Option<NameMark>,
) {
    let mut alike: HashMap<Likeness<'_>, (f32, usize)> = HashMap::new();
    for (score, at) in ranking.iter_mut().take(ALIKE_MAX) {
        let candidate = &candidates[*at];
        let Some(likeness) = Likeness::of(candidate, name(candidate)) else { continue };
        let (factor, first) = *alike.entry(likeness).and_modify(|seen| seen.0 *= ALIKE_FACTOR).or_insert((1.0, *at));
        // Those of one file stand behind each other already.
        if candidates[first].path != candidate.path {
            *score *= factor;
        }
    }
    sort(ranking);
}

/// What candidates have in common that say the same.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Likeness<'a> {
    /// A name that is declared in files of one folder.
    Named(&'a str, NameMark),
    /// A document, whatever its language.
    Document(String),
}

impl<'a> Likeness<'a> {
    /// That of a candidate, which is a declaration with this name; absent when nothing is known to resemble it.
    fn of(candidate: &'a Candidate, name: Option<NameMark>) -> Option<Self> {
        let path = candidate.path.as_str();
        if is_document(&candidate.path) {
            let common = |segment| if is_language_code(segment) { "*" } else { segment };
            let whole = path.split('/').map(common).collect::<Vec<_>>().join("/");
            return (whole != path).then_some(Self::Document(whole));
        }
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        Some(Self::Named(folder, name?))
    }
}

/// Whether a folder is called as a language is: `de`, `pt-BR`, `zh_hant`.
fn is_language_code(segment: &str) -> bool {
    let (language, region) = segment.split_once(['-', '_']).unwrap_or((segment, ""));
    let is_region =
        region.is_empty() || (2..=4).contains(&region.len()) && region.bytes().all(|b| b.is_ascii_alphanumeric());
    language.len() == 2 && language.bytes().all(|b| b.is_ascii_lowercase()) && is_region
}

/// The ranks that a score is the sum of, with their weights: `score = Σ weight / (k + rank)`.
pub(super) fn explained(standing: Standing, config: &RankingConfig, is_by_vectors: bool) -> Vec<HitRank> {
    // The weights of those that answered sum to 1.
    let vector = if is_by_vectors { config.vector_weight } else { 0.0 };
    let rows = (config.identifier_weight + config.lexical_weight + vector) * (1.0 + FILES_WEIGHT);
    let rankings = [
        ("identifier", standing.rows.identifier, config.identifier_weight / rows),
        ("lexical", standing.rows.lexical, config.lexical_weight / rows),
        ("vector", standing.rows.vector, vector / rows),
        ("file", Some(standing.files), FILES_WEIGHT / (1.0 + FILES_WEIGHT)),
    ];
    let of = |(name, rank, weight): (&str, Option<u32>, f64)| {
        Some(HitRank { name: name.to_owned(), rank: u64::from(rank?), weight })
    };
    rankings.into_iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_explanation_adds_up() {
        let config = RankingConfig::default();
        let all = Ranks { identifier: Some(1), lexical: Some(1), vector: Some(1) };
        for (rows, by_vectors) in [(Ranks { vector: None, ..all }, false), (all, true)] {
            let explained = explained(Standing { rows, files: 1 }, &config, by_vectors);
            let names: Vec<&str> = explained.iter().map(|rank| rank.name.as_str()).collect();
            assert_eq!(names.contains(&"vector"), by_vectors, "{names:?}");
            assert_eq!((names.first(), names.last()), (Some(&"identifier"), Some(&"file")));
            let sum: f64 = explained.iter().map(|r| r.weight / (config.fusion_k + r.rank) as f64).sum();
            // First in all rankings, whose weights are normalised.
            assert!((sum - 1.0 / 61.0).abs() < 1e-12, "{sum}");
        }
    }

    fn candidate(path: &str, identifier: Option<u32>) -> Candidate {
        let path = ProjectPath::new(path).expect("a path");
        let rows = Ranks { identifier, ..Ranks::default() };
        let standing = Standing { rows, files: 0 };
        let matched = rift_host::index::Matched::NONE;
        Candidate { path, declaration: None, name: None, score: 0.0, matched, standing }
    }

    /// The order of candidates, by their paths, when files that are near as vectors score so much.
    fn order(files: &[(&str, f32)], query: &str, name: Option<&str>) -> Vec<String> {
        let near = files.iter().map(|(path, score)| (ProjectPath::new(path).expect("a path"), *score)).collect();
        let mut candidates: Vec<Candidate> =
            files.iter().zip(1u32..).map(|((path, _), at)| candidate(path, Some(at))).collect();
        candidates.reverse();
        let query = ParsedQuery::parse(query, 64);
        let ordered = by_files(candidates, &[], &near, &RankingConfig::default(), &query, |_| name.map(NameMark::of));
        ordered.into_iter().map(|candidate| candidate.path.to_string()).collect()
    }

    #[test]
    fn what_resembles_what_stands_ahead_is_put_behind() {
        let pages = [("docs/en/a.md", 1.0), ("docs/pt-br/a.md", 0.9), ("docs/zh/a.md", 0.8), ("docs/en/b.md", 0.7)];
        assert_eq!(
            order(&pages, "some words", None),
            ["docs/en/a.md", "docs/en/b.md", "docs/pt-br/a.md", "docs/zh/a.md"]
        );
        let steps = [("t/one.py", 1.0), ("t/two.py", 0.9), ("u/three.py", 0.6)];
        assert_eq!(order(&steps, "some words", Some("create")), ["t/one.py", "u/three.py", "t/two.py"]);
        assert_eq!(order(&steps, "some words", None), ["t/one.py", "t/two.py", "u/three.py"]);
    }

    #[test]
    fn a_name_that_nothing_has_leads_to_the_one_that_resembles_it() {
        let files = [("likely.rs", 0.1), ("other.rs", 1.0)];
        assert_eq!(order(&files, "FuzyTermQuery", None), ["likely.rs", "other.rs"]);
        assert_eq!(order(&files, "a fuzzy term", None), ["other.rs", "likely.rs"]);
    }

    #[test]
    fn no_rank_elsewhere_turns_neighbours() {
        const { assert!(FILES_WEIGHT * (1.0 / 79.0 - 1.0 / 80.0) > 1.0 / 61.0 - 1.0 / 1060.0) };
    }
}
