//! Vectors by file, and the search for the nearest. Every vector is looked at: 200,000 of 256 numbers are read in the
//! time of a page of hits, and the answer is exact.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use rift_base::ProjectPath;

/// Files that may change before they are merged into the others.
const RECENT_MAX: usize = 256;
/// Numbers that are multiplied side by side.
const LANES: usize = 16;

/// The vectors of one file, each for a declaration or, without one, for a part of the file's text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FileVectors {
    declarations: Vec<Option<u32>>,
    /// A row for each, in steps of its scale: a quarter of the memory, and as good for an order.
    steps: Vec<i8>,
    scales: Vec<f32>,
}

impl FileVectors {
    /// Takes in the vector of a declaration, or of a part of the text. All vectors of a table have the same length.
    pub fn push(&mut self, declaration: Option<u32>, vector: &[f32]) {
        let most = vector.iter().fold(0.0f32, |most, x| most.max(x.abs()));
        let scale = if most > 0.0 { most / 127.0 } else { 0.0 };
        self.declarations.push(declaration);
        self.scales.push(scale);
        self.steps.extend(vector.iter().map(|x| if scale > 0.0 { (x / scale).round() as i8 } else { 0 }));
    }

    /// The number of vectors.
    pub fn len(&self) -> usize {
        self.declarations.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.declarations.is_empty()
    }

    /// The nearness (cosine) of each row to `query`, of length 1.
    fn nearness<'a>(&'a self, query: &'a [f32]) -> impl Iterator<Item = (Option<u32>, f32)> + 'a {
        let rows = self.steps.chunks_exact(query.len().max(1)).zip(&self.scales);
        self.declarations.iter().zip(rows).map(move |(id, (row, scale))| (*id, scale * product(query, row)))
    }
}

/// The sum of products. In a fixed order, so that it is the same on every machine.
fn product(query: &[f32], row: &[i8]) -> f32 {
    let mut sums = [0.0f32; LANES];
    let (queries, rows) = (query.chunks_exact(LANES), row.chunks_exact(LANES));
    let rest: f32 = queries.remainder().iter().zip(rows.remainder()).map(|(q, r)| q * f32::from(*r)).sum();
    for (query, row) in queries.zip(rows) {
        for (sum, (q, r)) in sums.iter_mut().zip(query.iter().zip(row)) {
            *sum += q * f32::from(*r);
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// A row of the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// The file.
    pub path: ProjectPath,
    /// The declaration; absent for a part of the text.
    pub declaration: Option<u32>,
    /// The cosine, from -1 to 1.
    pub nearness: f32,
}

/// How many rows are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NearestBounds {
    /// In all.
    pub rows: usize,
    /// Of one file.
    pub per_file: usize,
}

/// The vectors of a workspace. Cloning shares them.
#[derive(Debug, Clone, Default)]
pub struct VectorTable {
    base: Arc<BTreeMap<ProjectPath, Arc<FileVectors>>>,
    /// Files that changed since, which hide those of the same path.
    recent: BTreeMap<ProjectPath, Option<Arc<FileVectors>>>,
    vectors: usize,
}

impl VectorTable {
    /// The number of vectors.
    pub fn len(&self) -> usize {
        self.vectors
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.vectors == 0
    }

    fn get(&self, path: &ProjectPath) -> Option<&Arc<FileVectors>> {
        match self.recent.get(path) {
            Some(recent) => recent.as_ref(),
            None => self.base.get(path),
        }
    }

    /// Puts the vectors of a file in place of those it had; none for a file that went, or has nothing to embed.
    pub fn set(&mut self, path: ProjectPath, vectors: Option<FileVectors>) {
        let vectors = vectors.filter(|vectors| !vectors.is_empty()).map(Arc::new);
        self.vectors += vectors.as_ref().map_or(0, |vectors| vectors.len());
        self.vectors -= self.get(&path).map_or(0, |vectors| vectors.len());
        // What nobody shares is changed in place; the rest waits until there is much of it.
        if let Some(base) = Arc::get_mut(&mut self.base).filter(|_| self.recent.is_empty()) {
            match vectors {
                Some(vectors) => base.insert(path, vectors),
                None => base.remove(&path),
            };
            return;
        }
        self.recent.insert(path, vectors);
        if self.recent.len() > RECENT_MAX {
            let mut base = BTreeMap::clone(&self.base);
            for (path, vectors) in std::mem::take(&mut self.recent) {
                match vectors {
                    Some(vectors) => base.insert(path, vectors),
                    None => base.remove(&path),
                };
            }
            self.base = Arc::new(base);
        }
    }

    /// The rows nearest to `query`, of length 1, of those that `reaches` accepts, nearest first; equal ones by path and
    /// then in source order. What is not nearer than a right angle is left out.
    pub fn nearest(
        &self,
        query: &[f32],
        bounds: NearestBounds,
        reaches: impl Fn(&ProjectPath, Option<u32>) -> bool,
    ) -> Vec<Nearest> {
        let kept = self.base.iter().filter(|(path, _)| !self.recent.contains_key(*path));
        let recent = self.recent.iter().filter_map(|(path, vectors)| Some((path, vectors.as_ref()?)));
        let mut best: BinaryHeap<Reverse<Row<'_>>> = BinaryHeap::new();
        let mut of_file: Vec<Row<'_>> = Vec::new();
        for (path, vectors) in kept.chain(recent) {
            of_file.clear();
            for ((declaration, nearness), at) in vectors.nearness(query).zip(0u32..) {
                if nearness > 0.0 && reaches(path, declaration) {
                    of_file.push(Row { nearness, path, at, declaration });
                }
            }
            of_file.sort_unstable_by(|a, b| b.cmp(a));
            for row in of_file.drain(..).take(bounds.per_file) {
                best.push(Reverse(row));
                if best.len() > bounds.rows {
                    best.pop();
                }
            }
        }
        let rows = best.into_sorted_vec().into_iter();
        rows.map(|Reverse(row)| Nearest {
            path: row.path.clone(),
            declaration: row.declaration,
            nearness: row.nearness,
        })
        .collect()
    }
}

/// A row while it is compared. Better ones are greater.
#[derive(Debug, Clone, Copy)]
struct Row<'a> {
    nearness: f32,
    path: &'a ProjectPath,
    at: u32,
    declaration: Option<u32>,
}

impl Ord for Row<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let place = (other.path, other.at).cmp(&(self.path, self.at));
        self.nearness.total_cmp(&other.nearness).then(place)
    }
}

impl PartialOrd for Row<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Row<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Row<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: NearestBounds = NearestBounds { rows: 3, per_file: 2 };

    fn path(text: &str) -> ProjectPath {
        ProjectPath::new(text).expect("a path")
    }

    /// A file whose rows stand at these angles to the first axis, in degrees.
    fn at(angles: &[f32]) -> Option<FileVectors> {
        let mut vectors = FileVectors::default();
        for (angle, number) in angles.iter().zip(0u32..) {
            let (sin, cos) = angle.to_radians().sin_cos();
            let mut vector = vec![0.0; 20];
            (vector[0], vector[19]) = (cos, sin);
            vectors.push(Some(number), &vector);
        }
        Some(vectors)
    }

    fn found(table: &VectorTable) -> Vec<String> {
        let mut query = vec![0.0; 20];
        query[0] = 1.0;
        let rows = table.nearest(&query, BOUNDS, |path, _| path.as_str() != "hidden");
        rows.iter().map(|row| format!("{}#{} {:.2}", row.path, row.declaration.expect("one"), row.nearness)).collect()
    }

    #[test]
    fn nearest_first_and_few_of_a_file() {
        let mut table = VectorTable::default();
        table.set(path("b"), at(&[10.0, 0.0, 5.0, 120.0]));
        table.set(path("a"), at(&[0.0, 80.0]));
        table.set(path("hidden"), at(&[0.0]));
        assert_eq!((found(&table), table.len()), (vec!["a#0 1.00".into(), "b#1 1.00".into(), "b#2 1.00".into()], 7));
        // A copy that is held is not changed.
        let held = table.clone();
        table.set(path("b"), at(&[60.0]));
        table.set(path("a"), None);
        assert_eq!((found(&table), table.len()), (vec!["b#0 0.50".to_owned()], 2));
        assert_eq!(found(&held).len(), 3);
    }

    #[test]
    fn many_changes_come_to_the_same() {
        let (mut table, mut fresh) = (VectorTable::default(), VectorTable::default());
        let mut held = Vec::new();
        for round in 0..3 * RECENT_MAX as u32 {
            let name = path(&format!("f{}", round % 300));
            let vectors = if round % 7 == 3 { None } else { at(&[(round % 89) as f32]) };
            table.set(name.clone(), vectors.clone());
            fresh.set(name, vectors);
            held.push(table.clone());
        }
        assert_eq!((found(&table), table.len()), (found(&fresh), fresh.len()));
    }

    #[test]
    fn products_of_odd_lengths() {
        let (query, row) = (vec![0.5f32; 37], vec![2i8; 37]);
        assert!((product(&query, &row) - 37.0).abs() < 1e-4);
        assert_eq!(product(&[], &[]), 0.0);
    }
}
