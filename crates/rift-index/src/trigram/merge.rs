//! From several segments to one, without the texts: rows that nobody needs go.

use std::sync::Arc;

use super::segment::{ROWS_MAX, Segment, SegmentWriter, TrigramRow};

/// Segments of about the same size from which on they become one.
const TIER_WIDTH: usize = 6;
/// Each tier holds segments of up to so many times the bytes of the one below.
const TIER_GROWTH: u64 = 6;
/// Bytes of the lowest tier.
const TIER_BYTES: u64 = 64 << 10;
/// Bytes from which on a segment is left alone while half of it is live: a full one when it is built has about as many.
const FULL_BYTES: u64 = 2 << 20;

/// What is known of a segment when segments are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Weight {
    pub(super) rows: usize,
    pub(super) live: usize,
    pub(super) bytes: u64,
}

impl Weight {
    fn tier(self) -> u32 {
        (self.bytes / TIER_BYTES).max(1).ilog(TIER_GROWTH)
    }
}

/// Which segments are to become one: those that are half dead, else those of a tier that has become wide. The positions ascend.
pub(super) fn choose(segments: &[Weight]) -> Vec<usize> {
    let those = |wanted: &dyn Fn(Weight) -> bool| {
        let (mut rows, mut bytes) = (0, 0);
        let fits = |at: &usize| {
            let segment = segments[*at];
            let fits = rows + segment.live <= ROWS_MAX && bytes < FULL_BYTES;
            if fits {
                rows += segment.live;
                bytes += segment.bytes * segment.live as u64 / segment.rows.max(1) as u64;
            }
            fits
        };
        (0..segments.len()).filter(|at| wanted(segments[*at])).filter(fits).collect::<Vec<usize>>()
    };
    let dead = those(&|segment| segment.live * 2 <= segment.rows);
    if !dead.is_empty() {
        return dead;
    }
    for tier in 0..=FULL_BYTES.ilog(TIER_GROWTH) {
        let of_tier = those(&|segment| segment.bytes < FULL_BYTES && segment.tier() == tier);
        if of_tier.len() >= TIER_WIDTH {
            return of_tier;
        }
    }
    Vec::new()
}

/// The rows of `segments` that `live` wants, and the bytes of the segment of them.
pub(super) fn merge(segments: &[Arc<Segment>], live: impl Fn(&TrigramRow) -> bool) -> (Vec<TrigramRow>, Vec<u8>) {
    let mut rows: Vec<TrigramRow> = Vec::new();
    // The new number of each row of each segment.
    let mut numbers: Vec<Vec<Option<u32>>> = Vec::new();
    for segment in segments {
        let number = |row: &TrigramRow| {
            let wanted = rows.len() < ROWS_MAX && live(row);
            wanted.then(|| {
                rows.push(row.clone());
                rows.len() as u32 - 1
            })
        };
        numbers.push(segment.rows().iter().map(number).collect());
    }
    let mut writer = SegmentWriter::new(&rows);
    let mut heads: Vec<_> = segments.iter().map(|segment| segment.lists().peekable()).collect();
    let (mut read, mut list) = (Vec::new(), Vec::new());
    while let Some(trigram) = heads.iter_mut().filter_map(|head| head.peek().map(|(trigram, _)| *trigram)).min() {
        list.clear();
        for ((segment, head), numbers) in segments.iter().zip(&mut heads).zip(&numbers) {
            if let Some((_, here)) = head.next_if(|(next, _)| *next == trigram) {
                read.clear();
                segment.read(here, &mut read);
                list.extend(read.iter().filter_map(|row| numbers.get(*row as usize).copied().flatten()));
            }
        }
        if !list.is_empty() {
            writer.add(trigram, &list);
        }
    }
    (rows, writer.finish())
}

#[cfg(test)]
mod tests {
    use super::super::build::SegmentBuilder;
    use super::*;
    use rift_base::ProjectPath;
    use tantivy::directory::OwnedBytes;

    fn row(number: u32) -> TrigramRow {
        TrigramRow { path: ProjectPath::new(&format!("{number}")).expect("a path"), content: number.into() }
    }

    fn trigrams(number: u32) -> Vec<u32> {
        (1..60).map(|factor| number * factor % 101).collect::<std::collections::BTreeSet<_>>().into_iter().collect()
    }

    fn built(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
        let mut builder = SegmentBuilder::default();
        numbers.into_iter().for_each(|number| builder.add(row(number), &trigrams(number)));
        builder.finish().1
    }

    #[test]
    fn merging_equals_building() {
        let open = |bytes| Arc::new(Segment::open(OwnedBytes::new(bytes)).expect("whole"));
        let parts = [open(built(0..40)), open(built(40..43)), open(built([])), open(built(43..90))];
        let live = |row: &TrigramRow| row.content % 3 != 1;
        let (rows, merged) = merge(&parts, live);
        let expected: Vec<u32> = (0..90).filter(|n| n % 3 != 1).collect();
        assert!(rows.iter().map(|row| row.content as u32).eq(expected.iter().copied()));
        assert_eq!(merged, built(expected));
    }

    #[test]
    fn segments_stay_few_and_mostly_live() {
        const BYTES: u64 = 1_500;
        let weight = |rows: usize| Weight { rows, live: rows, bytes: rows as u64 * BYTES };
        let mut segments: Vec<Weight> = Vec::new();
        let mut written = 0;
        // Every flush of 128 rows supersedes as many of the oldest, of 5,000 live ones.
        for _ in 0..2_000 {
            segments.push(weight(128));
            written += 128;
            let mut surplus = segments.iter().map(|s| s.live).sum::<usize>().saturating_sub(5_000);
            for segment in &mut segments {
                let gone = surplus.min(segment.live);
                segment.live -= gone;
                surplus -= gone;
            }
            loop {
                let chosen = choose(&segments);
                if chosen.is_empty() {
                    break;
                }
                let live: usize = chosen.iter().map(|at| segments[*at].live).sum();
                written += live;
                let mut at = 0;
                segments.retain(|_| {
                    at += 1;
                    !chosen.contains(&(at - 1))
                });
                if live > 0 {
                    segments.push(weight(live));
                }
            }
            let full = 5_000 * BYTES / FULL_BYTES;
            assert!(segments.len() as u64 <= 3 * TIER_WIDTH as u64 + 2 * full, "{segments:?}");
            assert!(segments.iter().map(|s| s.rows).sum::<usize>() <= 2 * 5_000 + 128, "{segments:?}");
        }
        assert!(written <= 4 * 128 * 2_000, "{written} rows written for {}", 128 * 2_000);
    }
}
