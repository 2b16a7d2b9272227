//! The order of the page: the rankings of rows, and a third one that ranks by files.
//!
//! A file is ranked by what all of its rows say ([`FileScore`]). In the ranking by files the first candidate of a file
//! counts as much as the file, each further one a fixed part of the one before it, so that one file does not fill the
//! page. It is fused with the others by reciprocal rank, and it outweighs them: they decide what of a file is
//! shown, and the order of what it leaves equal.

use rift_base::{ProjectPath, RankingConfig};
use rift_host::index::{FileScore, Ranks};
use rift_protocol::HitRank;
use rustc_hash::FxHashMap;

use super::candidates::Candidate;

/// What a candidate counts in the ranking by files, against the one before it of the same file.
const REPEAT_FACTOR: f32 = 0.4;
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
pub(super) fn by_files(mut candidates: Vec<Candidate>, files: &[FileScore], config: &RankingConfig) -> Vec<Candidate> {
    let scores: FxHashMap<&ProjectPath, f32> = files.iter().map(|file| (&file.path, file.score())).collect();
    let mut seen: FxHashMap<ProjectPath, f32> = FxHashMap::default();
    let mut ranking: Vec<(f32, usize)> = Vec::with_capacity(candidates.len());
    for (at, candidate) in candidates.iter().enumerate() {
        let first = || scores.get(&candidate.path).copied().unwrap_or(0.0);
        let score =
            seen.entry(candidate.path.clone()).and_modify(|score| *score *= REPEAT_FACTOR).or_insert_with(first);
        ranking.push((*score, at));
    }
    ranking.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    for ((_, at), rank) in ranking.into_iter().zip(1u32..) {
        let candidate = &mut candidates[at];
        let by_file = FILES_WEIGHT / (config.fusion_k as f64 + f64::from(rank));
        candidate.score = (candidate.score + by_file) / (1.0 + FILES_WEIGHT);
        candidate.standing.files = rank;
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    candidates
}

/// The ranks that a score is the sum of, with their weights: `score = Σ weight / (k + rank)`.
pub(super) fn explained(standing: Standing, config: &RankingConfig) -> Vec<HitRank> {
    let rows = (config.identifier_weight + config.lexical_weight) * (1.0 + FILES_WEIGHT);
    let rankings = [
        ("identifier", standing.rows.identifier, config.identifier_weight / rows),
        ("lexical", standing.rows.lexical, config.lexical_weight / rows),
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
        let standing = Standing { rows: Ranks { identifier: Some(1), lexical: Some(1) }, files: 1 };
        let explained = explained(standing, &config);
        assert_eq!(explained.iter().map(|r| r.name.as_str()).collect::<Vec<_>>(), ["identifier", "lexical", "file"]);
        let sum: f64 = explained.iter().map(|r| r.weight / (config.fusion_k + r.rank) as f64).sum();
        // First in all rankings, whose weights are normalised.
        assert!((sum - 1.0 / 61.0).abs() < 1e-12, "{sum}");
    }

    #[test]
    fn no_rank_elsewhere_turns_neighbours() {
        const { assert!(FILES_WEIGHT * (1.0 / 79.0 - 1.0 / 80.0) > 1.0 / 61.0 - 1.0 / 1060.0) };
    }
}
