//! The order of a page: files by what all of their rows say, one file not filling the page.

use std::collections::HashMap;

use rift_base::ProjectPath;
use rift_host::index::knobs::knob;

use super::candidates::Candidate;

pub(super) fn order(candidates: Vec<Candidate>, files: &[(ProjectPath, f32)], k: u64) -> Vec<Candidate> {
    let scores: HashMap<&ProjectPath, f32> = files.iter().map(|(path, score)| (path, *score)).collect();
    let decay = knob("decay", 0.5);
    let weight = f64::from(knob("file_weight", 2.0));
    let mut seen: HashMap<ProjectPath, i32> = HashMap::new();
    let mut keyed: Vec<(f32, usize)> = Vec::new();
    for (at, candidate) in candidates.iter().enumerate() {
        let times = seen.entry(candidate.path.clone()).or_default();
        let score = scores.get(&candidate.path).copied().unwrap_or(0.0) * decay.powi(*times);
        *times += 1;
        keyed.push((score, at));
    }
    keyed.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut candidates = candidates;
    for (rank, (_, at)) in keyed.iter().enumerate() {
        let candidate = &mut candidates[*at];
        candidate.score = candidate.score * 0.7 / (0.7 + weight) + weight / (0.7 + weight) / (k as f64 + rank as f64 + 1.0);
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    candidates
}
