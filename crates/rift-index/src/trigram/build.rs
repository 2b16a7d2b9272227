//! From the trigrams of many files to a segment.

use super::extract::Trigram;
use super::segment::{ROWS_MAX, SegmentWriter, TrigramRow};

/// Pairs of row and trigram of one segment, which bounds what building one takes: four bytes each, 16 MB.
const PAIRS_MAX: usize = 4 << 20;

/// Gathers rows for one segment.
pub struct SegmentBuilder {
    rows: Vec<TrigramRow>,
    /// By the trigram's first byte: its two others, and the row.
    buckets: Vec<Vec<u32>>,
    pairs: usize,
}

impl std::fmt::Debug for SegmentBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SegmentBuilder").field("rows", &self.rows.len()).field("pairs", &self.pairs).finish()
    }
}

impl Default for SegmentBuilder {
    fn default() -> Self {
        Self { rows: Vec::new(), buckets: vec![Vec::new(); 256], pairs: 0 }
    }
}

impl SegmentBuilder {
    /// Adds a file with its different trigrams, in any order.
    pub fn add(&mut self, row: TrigramRow, trigrams: &[Trigram]) {
        let number = self.rows.len() as u32;
        debug_assert!(self.rows.len() < ROWS_MAX);
        self.rows.push(row);
        self.pairs += trigrams.len();
        for trigram in trigrams {
            self.buckets[(trigram >> 16) as usize & 0xff].push(trigram << 16 | number);
        }
    }

    /// Whether it should become a segment before more is added.
    pub fn is_full(&self) -> bool {
        self.pairs >= PAIRS_MAX || self.rows.len() >= ROWS_MAX
    }

    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows, and the segment's bytes.
    pub(super) fn finish(self) -> (Vec<TrigramRow>, Vec<u8>) {
        let mut writer = SegmentWriter::new(&self.rows);
        let (mut spare, mut list) = (Vec::new(), Vec::new());
        for (first, mut pairs) in (0u32..).zip(self.buckets) {
            sort_by_trigram(&mut pairs, &mut spare);
            for group in pairs.chunk_by(|a, b| a >> 16 == b >> 16) {
                list.clear();
                list.extend(group.iter().map(|pair| pair & 0xffff));
                writer.add(first << 16 | group[0] >> 16, &list);
            }
        }
        (self.rows, writer.finish())
    }
}

/// Sorts by the upper half; what is equal there stays in its order, which is that of rows.
fn sort_by_trigram(pairs: &mut Vec<u32>, spare: &mut Vec<u32>) {
    for shift in [16, 24] {
        let digit = |pair: u32| (pair >> shift) as usize & 0xff;
        let mut places = [0usize; 256];
        pairs.iter().for_each(|pair| places[digit(*pair)] += 1);
        let mut start = 0;
        for place in &mut places {
            start += std::mem::replace(place, start);
        }
        spare.clear();
        spare.resize(pairs.len(), 0);
        for pair in pairs.iter() {
            let place = &mut places[digit(*pair)];
            spare[*place] = *pair;
            *place += 1;
        }
        std::mem::swap(pairs, spare);
    }
}

#[cfg(test)]
mod tests {
    use super::super::segment::Segment;
    use super::*;
    use rift_base::ProjectPath;
    use tantivy::directory::OwnedBytes;

    #[test]
    fn lists_name_the_rows_in_order() {
        let texts = ["fn main() {}", "fn mail()", "", "é main"];
        let mut extractor = super::super::extract::Extractor::default();
        let mut builder = SegmentBuilder::default();
        for (number, text) in texts.iter().enumerate() {
            let path = ProjectPath::new(&format!("{number}.rs")).expect("a path");
            builder.add(TrigramRow { path, content: 0 }, extractor.trigrams(text.as_bytes()));
        }
        let segment = Segment::open(OwnedBytes::new(builder.finish().1)).expect("whole");
        let mut windows: Vec<[u8; 3]> =
            texts.iter().flat_map(|text| text.as_bytes().windows(3).filter_map(|w| w.try_into().ok())).collect();
        windows.sort_unstable();
        windows.dedup();
        let spelled = |t: Trigram| [(t >> 16) as u8, (t >> 8) as u8, t as u8];
        assert!(segment.lists().map(|(trigram, _)| spelled(trigram)).eq(windows.iter().copied()));
        for window in windows {
            let mut found = Vec::new();
            let trigram = u32::from_be_bytes([0, window[0], window[1], window[2]]);
            segment.read(segment.list(trigram).expect("a list"), &mut found);
            let holds = |text: &str| text.as_bytes().windows(3).any(|w| w == window);
            let expected: Vec<u32> = (0u32..).zip(texts).filter(|(_, text)| holds(text)).map(|(n, _)| n).collect();
            assert_eq!(found, expected);
        }
    }
}
