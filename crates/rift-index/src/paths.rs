//! Every file of a searcher, in order.

use std::sync::Arc;

use rift_base::ProjectPath;

use crate::segment::Segment;

/// Names of directories whose files are tests.
const TEST_DIRECTORIES: &[&str] = &["test", "tests", "testing", "__tests__", "spec", "specs", "testdata"];

/// Names of directories that hold what was compiled or bundled.
const OUTPUT_DIRECTORIES: &[&str] = &["build", "dist", "out"];
/// Extensions of what compilers and bundlers of scripts write.
const OUTPUT_EXTENSIONS: &[&str] = &["js", "mjs", "cjs", "ts", "mts", "cts"];

/// The live paths in order, with what they alone say. A path's place is its rank.
#[derive(Debug, Default)]
pub(crate) struct PathTable {
    paths: Vec<ProjectPath>,
    tests: Vec<bool>,
    outputs: Vec<bool>,
}

impl PathTable {
    /// The paths of the segments' live rows.
    pub(crate) fn of(segments: &[Segment]) -> Self {
        let mut paths: Vec<ProjectPath> = segments.iter().flat_map(Segment::live_paths).collect();
        // A stable sort merges the segments' sorted runs.
        paths.sort();
        paths.dedup();
        let tests = paths.iter().map(is_test_file).collect();
        let outputs = paths.iter().map(is_output_file).collect();
        Self { paths, tests, outputs }
    }

    /// This table with `added`, which it does not have, and without the paths of rank `removed`, both ascending.
    /// Beside it the new rank of every old one; without meaning for those that went.
    pub(crate) fn changed(&self, added: &[ProjectPath], removed: &[u32]) -> (Self, Vec<u32>) {
        let room = self.paths.len() + added.len();
        let mut new = Self {
            paths: Vec::with_capacity(room),
            tests: Vec::with_capacity(room),
            outputs: Vec::with_capacity(room),
        };
        let mut ranks = Vec::with_capacity(self.paths.len());
        let mut stops: Vec<(usize, Option<&ProjectPath>)> = removed.iter().map(|rank| (*rank as usize, None)).collect();
        stops.extend(added.iter().map(|path| (self.paths.partition_point(|known| known < path), Some(path))));
        stops.sort_by_key(|(at, path)| (*at, path.is_none()));
        let mut from = 0;
        for (at, path) in stops {
            new.copy(self, from..at, &mut ranks);
            match path {
                Some(path) => {
                    new.push(path);
                    from = at;
                }
                None => {
                    ranks.push(0);
                    from = at + 1;
                }
            }
        }
        new.copy(self, from..self.paths.len(), &mut ranks);
        (new, ranks)
    }

    fn copy(&mut self, from: &Self, range: std::ops::Range<usize>, ranks: &mut Vec<u32>) {
        let start = self.paths.len() as u32;
        ranks.extend((start..).take(range.len()));
        self.paths.extend_from_slice(&from.paths[range.clone()]);
        self.tests.extend_from_slice(&from.tests[range.clone()]);
        self.outputs.extend_from_slice(&from.outputs[range]);
    }

    fn push(&mut self, path: &ProjectPath) {
        self.tests.push(is_test_file(path));
        self.outputs.push(is_output_file(path));
        self.paths.push(path.clone());
    }

    pub(crate) fn paths(&self) -> &[ProjectPath] {
        &self.paths
    }

    pub(crate) fn path(&self, rank: u32) -> Option<&ProjectPath> {
        self.paths.get(rank as usize)
    }

    pub(crate) fn rank(&self, path: &ProjectPath) -> Option<u32> {
        self.paths.binary_search(path).ok().map(|rank| rank as u32)
    }

    /// The rank of each of `paths`, which are in order; 0 for those that are not here.
    pub(crate) fn ranks(&self, paths: &[ProjectPath]) -> Arc<[u32]> {
        // Each search starts where the one before ended, so a long list is one walk over both.
        let mut from = 0;
        let rank = |path: &ProjectPath| {
            let mut step = 1;
            while self.paths.get(from + step).is_some_and(|known| known < path) {
                from += step;
                step *= 2;
            }
            let end = (from + step + 1).min(self.paths.len());
            let found = self.paths.get(from..end).map_or(Err(0), |near| near.binary_search(path));
            from += found.unwrap_or_else(|at| at.saturating_sub(1));
            found.map_or(0, |_| from as u32)
        };
        paths.iter().map(rank).collect()
    }

    pub(crate) fn is_output(&self, rank: u32) -> bool {
        self.outputs.get(rank as usize).copied().unwrap_or(false)
    }

    pub(crate) fn is_test(&self, rank: u32) -> bool {
        self.tests.get(rank as usize).copied().unwrap_or(false)
    }
}

/// Whether a path is one that compilers and bundlers of scripts write to, by their defaults.
fn is_output_file(path: &ProjectPath) -> bool {
    let is_script = path.extension().is_some_and(|extension| OUTPUT_EXTENSIONS.contains(&extension));
    is_script && path.segments().rev().skip(1).any(|directory| OUTPUT_DIRECTORIES.contains(&directory))
}

/// Whether a path is one that test files have, by the habits of the languages.
fn is_test_file(path: &ProjectPath) -> bool {
    let stem = path.stem();
    let directories = path.segments().rev().skip(1);
    let by_name = stem.starts_with("test_")
        || ["_test", "_tests", "_spec", ".test", ".spec", "Test", "Tests"].iter().any(|ending| stem.ends_with(ending))
        || matches!(stem, "test" | "tests" | "conftest");
    by_name || directories.into_iter().any(|directory| TEST_DIRECTORIES.contains(&directory))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table(names: &std::collections::BTreeSet<u8>) -> PathTable {
        let mut table = PathTable::default();
        paths(names).iter().for_each(|path| table.push(path));
        table
    }

    fn paths(names: &std::collections::BTreeSet<u8>) -> Vec<ProjectPath> {
        let name =
            |n: &u8| ProjectPath::new(&format!("{}{n:03}.ts", if n.is_multiple_of(3) { "tests/" } else { "out/" }));
        let mut paths: Vec<ProjectPath> = names.iter().map(|n| name(n).unwrap()).collect();
        paths.sort();
        paths
    }

    proptest! {
        #[test]
        fn changes_equal_building_anew(
            before in proptest::collection::btree_set(0u8..60, 0..40),
            after in proptest::collection::btree_set(0u8..60, 0..40),
        ) {
            let (old, new) = (table(&before), table(&after));
            let added = paths(&after.difference(&before).copied().collect());
            let removed: Vec<u32> =
                paths(&before.difference(&after).copied().collect()).iter().filter_map(|p| old.rank(p)).collect();
            let (changed, ranks) = old.changed(&added, &removed);
            prop_assert_eq!(&changed.paths, &new.paths);
            prop_assert_eq!((&changed.tests, &changed.outputs), (&new.tests, &new.outputs));
            for (rank, path) in old.paths.iter().enumerate() {
                prop_assert!(new.rank(path).is_none_or(|expected| ranks[rank] == expected));
            }
            prop_assert_eq!(ranks.len(), old.paths.len());
        }

        #[test]
        fn ranks_equal_looking_each_up(
            known in proptest::collection::btree_set(0u8..60, 0..40),
            asked in proptest::collection::btree_set(0u8..60, 0..40),
        ) {
            let (table, asked) = (table(&known), paths(&asked));
            let expected: Vec<u32> = asked.iter().map(|path| table.rank(path).unwrap_or(0)).collect();
            prop_assert_eq!(&*table.ranks(&asked), &expected[..]);
        }
    }
}
