//! Where the boxes of a graph stand: in layers, what is read to the left of what reads it.

use std::collections::BTreeMap;

use rift_server::debug::EdgeLine;

/// Rounds in which boxes move towards their neighbours.
const ROUNDS: usize = 8;

/// A box of the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// What stands in it.
    pub(crate) name: String,
    /// The layer, from 0 at the left: what reads nothing.
    pub(crate) layer: usize,
    /// The place in the layer, from 0 at the top.
    pub(crate) row: usize,
}

/// Places for everything that `edges` name, in the order of the names.
pub(crate) fn places(edges: &[EdgeLine]) -> Vec<Place> {
    let mut reads: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for edge in edges {
        reads.entry(&edge.to).or_default();
        let read = reads.entry(&edge.from).or_default();
        // A query that reads other memos of its own stands in one place.
        if edge.from != edge.to {
            read.push(&edge.to);
        }
    }
    let mut layers: BTreeMap<&str, usize> = BTreeMap::new();
    for name in reads.keys() {
        layer(name, &reads, &mut layers, &mut Vec::new());
    }
    let last = layers.values().copied().max().unwrap_or(0);
    let mut columns: Vec<Vec<&str>> = vec![Vec::new(); last + 1];
    for (name, layer) in &layers {
        if let Some(column) = columns.get_mut(*layer) {
            column.push(name);
        }
    }
    untangle(&mut columns, &reads);
    let mut out: Vec<Place> = Vec::new();
    for (layer, column) in columns.iter().enumerate() {
        out.extend(column.iter().enumerate().map(|(row, name)| Place { name: (*name).to_owned(), layer, row }));
    }
    out.sort_by(|a, b| a.name.cmp(&b.name));
    out
}

/// One more than the layer of anything that `name` reads. An edge back to a query whose layer is being found does not count.
fn layer<'a>(
    name: &'a str,
    reads: &BTreeMap<&'a str, Vec<&'a str>>,
    layers: &mut BTreeMap<&'a str, usize>,
    open: &mut Vec<&'a str>,
) -> usize {
    if let Some(known) = layers.get(name) {
        return *known;
    }
    open.push(name);
    let mut own = 0;
    for read in reads.get(name).into_iter().flatten() {
        if !open.contains(read) {
            own = own.max(layer(read, reads, layers, open) + 1);
        }
    }
    open.pop();
    layers.insert(name, own);
    own
}

/// Orders each column by where the neighbours of its boxes stand, on the average.
fn untangle(columns: &mut [Vec<&str>], reads: &BTreeMap<&str, Vec<&str>>) {
    for _ in 0..ROUNDS {
        let mut rows: BTreeMap<&str, f64> = BTreeMap::new();
        for column in columns.iter() {
            // Columns of all lengths are spread over the same height.
            let height = column.len().max(1) as f64;
            rows.extend(column.iter().enumerate().map(|(row, name)| (*name, (row as f64 + 0.5) / height)));
        }
        let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        for (from, read) in reads {
            for to in read {
                for (one, other) in [(from, to), (to, from)] {
                    let sum = sums.entry(one).or_default();
                    *sum = (sum.0 + rows.get(other).copied().unwrap_or(0.5), sum.1 + 1.0);
                }
            }
        }
        let wish = |name: &str| match sums.get(name) {
            Some((sum, count)) if *count > 0.0 => sum / count,
            _ => rows.get(name).copied().unwrap_or(0.5),
        };
        for column in columns.iter_mut() {
            column.sort_by(|a, b| wish(a).total_cmp(&wish(b)).then_with(|| a.cmp(b)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: &str, to: &str) -> EdgeLine {
        EdgeLine { from: from.to_owned(), to: to.to_owned(), count: 1 }
    }

    #[test]
    fn what_is_read_stands_to_the_left() {
        let edges = [edge("c", "b"), edge("b", "a"), edge("c", "a"), edge("b", "b")];
        let found: Vec<(String, usize)> = places(&edges).into_iter().map(|p| (p.name, p.layer)).collect();
        assert_eq!(found, [("a".to_owned(), 0), ("b".to_owned(), 1), ("c".to_owned(), 2)]);
    }

    #[test]
    fn circles_end() {
        let found = places(&[edge("a", "b"), edge("b", "a")]);
        assert_eq!(found.len(), 2);
        assert_ne!(found[0].layer, found[1].layer);
    }

    #[test]
    fn every_box_has_a_place_of_its_own() {
        let edges: Vec<EdgeLine> = (0..40).map(|n| edge(&format!("r{n:02}"), &format!("q{:02}", n % 7))).collect();
        let mut seen: Vec<(usize, usize)> = places(&edges).iter().map(|p| (p.layer, p.row)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 47);
    }
}
