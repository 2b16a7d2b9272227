//! The best of many candidates, in bounded memory.

/// Keeps the `limit` smallest of the values that it is offered.
pub(crate) struct Best<T> {
    limit: usize,
    kept: Vec<T>,
    /// The worst value that may still be among the best, once that is known.
    bar: Option<T>,
    offered: u64,
}

impl<T: Ord + Clone> Best<T> {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit: limit.max(1), kept: Vec::new(), bar: None, offered: 0 }
    }

    /// A value that `limit` kept ones are not worse than, once there are that many: worse ones are of no use.
    pub(crate) fn bar(&self) -> Option<&T> {
        self.bar.as_ref()
    }

    pub(crate) fn offer(&mut self, value: T) {
        self.offer_with(value, |_| ());
    }

    /// [`Best::offer`] of a value without what it is not compared by: `complete` adds that when it may be kept.
    pub(crate) fn offer_with(&mut self, mut value: T, complete: impl FnOnce(&mut T)) {
        self.offered += 1;
        if self.bar.as_ref().is_some_and(|bar| value > *bar) {
            return;
        }
        complete(&mut value);
        self.kept.push(value);
        if self.kept.len() >= 2 * self.limit {
            let (_, bar, _) = self.kept.select_nth_unstable(self.limit - 1);
            self.bar = Some(bar.clone());
            self.kept.truncate(self.limit);
        }
    }

    /// Takes in all that `other` was offered.
    pub(crate) fn extend(&mut self, other: Self) {
        // What it has let go is no better than what it kept, of which there is as much as can be among the best.
        let gone = other.offered - other.kept.len() as u64;
        other.kept.into_iter().for_each(|value| self.offer(value));
        self.offered += gone;
    }

    /// The kept values, best first, and whether more were offered.
    pub(crate) fn finish(mut self) -> (Vec<T>, bool) {
        self.kept.sort_unstable();
        self.kept.truncate(self.limit);
        (self.kept, self.offered > self.limit as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_sorting(values in proptest::collection::vec(0u32..50, 0..60), limit in 1usize..8) {
            let mut best = Best::new(limit);
            values.iter().for_each(|value| best.offer(*value));
            let (kept, more) = best.finish();
            let mut expected = values.clone();
            expected.sort_unstable();
            expected.truncate(limit);
            prop_assert_eq!(kept, expected);
            prop_assert_eq!(more, values.len() > limit);
        }

        #[test]
        fn halves_make_the_whole(values in proptest::collection::vec(0u32..50, 0..60), at in 0usize..60, limit in 1usize..8) {
            let best = |values: &[u32]| {
                let mut best = Best::new(limit);
                values.iter().for_each(|value| best.offer(*value));
                best
            };
            let (first, second) = values.split_at(at.min(values.len()));
            let mut both = best(first);
            both.extend(best(second));
            prop_assert_eq!(both.finish(), best(&values).finish());
        }
    }
}
