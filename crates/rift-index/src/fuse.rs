//! Fusion of rankings.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// One ranking to be fused: its weight and its items, best first. `None` where it could not answer.
#[derive(Debug, Clone, Copy)]
pub struct Ranking<'a, T> {
    /// The share of the ranking.
    pub weight: f64,
    /// The items, without repetition.
    pub items: Option<&'a [T]>,
}

/// Fuses `rankings` by reciprocal rank (Cormack, Clarke and Büttcher, SIGIR 2009): an item scores
/// `Σ weight / (k + rank)` over the rankings that hold it, with ranks from 1 and weights normalised over the
/// rankings that answered. Best first; equal scores in the items' own order.
pub fn fuse<T: Ord + Hash + Clone>(rankings: &[Ranking<'_, T>], k: u64) -> Vec<(T, f64)> {
    let total: f64 = rankings.iter().filter(|r| r.items.is_some()).map(|r| r.weight).sum();
    if total <= 0.0 {
        return Vec::new();
    }
    let mut scores: FxHashMap<&T, f64> = FxHashMap::default();
    for ranking in rankings {
        for (item, rank) in ranking.items.unwrap_or_default().iter().zip(1u64..) {
            *scores.entry(item).or_default() += ranking.weight / total / (k + rank) as f64;
        }
    }
    let mut fused: Vec<(T, f64)> = scores.into_iter().map(|(item, score)| (item.clone(), score)).collect();
    fused.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    fused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_reciprocal_ranks() {
        // Weights 0.35 and 0.35 of 0.7 answered, the third ranking did not answer: one half each.
        let rankings = [
            Ranking { weight: 0.35, items: Some(&["a", "b"][..]) },
            Ranking { weight: 0.35, items: Some(&["b", "c"][..]) },
            Ranking { weight: 0.30, items: None },
        ];
        let fused = fuse(&rankings, 60);
        let expected = [("b", 0.5 / 62.0 + 0.5 / 61.0), ("a", 0.5 / 61.0), ("c", 0.5 / 62.0)];
        assert_eq!(fused.len(), expected.len());
        for (found, expected) in fused.iter().zip(expected) {
            assert_eq!(found.0, expected.0);
            assert!((found.1 - expected.1).abs() < 1e-15);
        }
    }

    #[test]
    fn ties_end_in_the_item() {
        let rankings =
            [Ranking { weight: 1.0, items: Some(&["z"][..]) }, Ranking { weight: 1.0, items: Some(&["a"][..]) }];
        assert_eq!(fuse(&rankings, 1).iter().map(|(item, _)| *item).collect::<Vec<_>>(), ["a", "z"]);
    }

    #[test]
    fn nothing_answered() {
        assert!(fuse::<&str>(&[Ranking { weight: 1.0, items: None }], 60).is_empty());
    }
}
