//! One immutable part of the trigram index: rows, and for each trigram the rows that hold it.
//!
//! A row says that a file with one content holds certain trigrams. That stays true whatever becomes of the file, so rows
//! are never changed or marked: whoever asks compares the content with that of the file he has.
//!
//! ```text
//! magic, 8 bytes
//! rows, blocks, bytes of each part below: 5 x u32, then postings: u64
//! rows       path (bytes shared with the path before, bytes of its own), content
//! blocks     of BLOCK trigrams each: first trigram u32, offset in the dictionary u32, offset in the postings u64
//! dictionary trigram (less the one before in the block), count, then a single row itself, else bytes of its postings
//! postings   one list after another, see `rice`
//! xxh3 of everything before, u64
//! ```
//!
//! Numbers in rows and dictionary are LEB128, all others little-endian.

use std::fmt;

use rift_base::ProjectPath;
use tantivy::directory::OwnedBytes;
use xxhash_rust::xxh3::xxh3_64;

use super::extract::Trigram;
use super::rice;

/// The layout's name; another layout gets another one.
pub(super) const MAGIC: &[u8; 8] = b"rift3g 1";
/// Trigrams of one block.
const BLOCK: usize = 64;
/// Bytes of a block's entry.
const BLOCK_BYTES: usize = 16;
/// Bytes before the rows.
const HEAD_BYTES: usize = 8 + 4 * 4 + 8;
/// Rows of one segment.
pub(super) const ROWS_MAX: usize = 1 << 16;

/// What a row's file held: the first half of its SHA-256.
pub type ContentKey = u128;

/// A file with one content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrigramRow {
    /// The file.
    pub path: ProjectPath,
    /// What it held.
    pub content: ContentKey,
}

/// Why bytes are no segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Malformed {
    /// Of another layout.
    Foreign,
    /// Cut, or changed.
    Damaged,
}

/// A segment that is read.
pub(crate) struct Segment {
    rows: Vec<TrigramRow>,
    bytes: OwnedBytes,
    blocks: std::ops::Range<usize>,
    dictionary: std::ops::Range<usize>,
    postings: std::ops::Range<usize>,
}

impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Segment").field("rows", &self.rows.len()).field("bytes", &self.bytes.len()).finish()
    }
}

/// Where the rows of one trigram are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct List {
    pub(super) count: usize,
    place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Single(u32),
    Postings { start: usize, end: usize },
}

impl Segment {
    /// Reads what [`SegmentWriter`] made, all of it: its sum is compared.
    pub(super) fn open(bytes: OwnedBytes) -> Result<Self, Malformed> {
        let data = bytes.as_slice();
        if data.len() < HEAD_BYTES + 8 {
            return Err(Malformed::Damaged);
        }
        if !data.starts_with(MAGIC) {
            return Err(Malformed::Foreign);
        }
        let (content, sum) = data.split_at(data.len() - 8);
        if xxh3_64(content).to_le_bytes() != sum {
            return Err(Malformed::Damaged);
        }
        let number = |at: usize| content.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
        let part = |at: usize| number(at).map(|n| n as usize).ok_or(Malformed::Damaged);
        let (count, rows_len, blocks_len, dictionary_len) = (part(8)?, part(12)?, part(16)?, part(20)?);
        let blocks = HEAD_BYTES + rows_len..HEAD_BYTES + rows_len + blocks_len;
        let dictionary = blocks.end..blocks.end + dictionary_len;
        if dictionary.end > content.len() {
            return Err(Malformed::Damaged);
        }
        let rows = read_rows(&content[HEAD_BYTES..blocks.start], count).ok_or(Malformed::Damaged)?;
        let postings = dictionary.end..content.len();
        Ok(Self { rows, blocks, dictionary, postings, bytes })
    }

    pub(super) fn rows(&self) -> &[TrigramRow] {
        &self.rows
    }

    /// Bytes on disk.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn block(&self, at: usize) -> Option<(Trigram, usize, usize)> {
        let entry = self.bytes.get(self.blocks.clone())?.get(at * BLOCK_BYTES..)?.first_chunk::<BLOCK_BYTES>()?;
        let (trigram, rest) = entry.split_first_chunk::<4>()?;
        let (dictionary, postings) = rest.split_first_chunk::<4>()?;
        let postings = u64::from_le_bytes(postings.try_into().ok()?);
        Some((u32::from_le_bytes(*trigram), u32::from_le_bytes(*dictionary) as usize, postings as usize))
    }

    /// Where the rows of `trigram` are; absent when no row holds it.
    pub(super) fn list(&self, trigram: Trigram) -> Option<List> {
        let (mut low, mut high) = (0, self.blocks.len() / BLOCK_BYTES);
        while low < high {
            let middle = low.midpoint(high);
            match self.block(middle)?.0 <= trigram {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let mut lists = self.block_lists(low.checked_sub(1)?);
        lists.find(|(here, _)| *here >= trigram).filter(|(here, _)| *here == trigram).map(|(_, list)| list)
    }

    /// The lists of one block, in order of trigrams.
    fn block_lists(&self, at: usize) -> impl Iterator<Item = (Trigram, List)> {
        let (mut trigram, from, mut start) = self.block(at).unwrap_or((0, 0, 0));
        let dictionary = self.bytes.get(self.dictionary.clone()).unwrap_or_default();
        let end = self.block(at + 1).map_or(dictionary.len(), |(_, end, _)| end);
        let mut entries = dictionary.get(from..end).unwrap_or_default();
        std::iter::from_fn(move || {
            trigram += leb(&mut entries)?;
            let count = leb(&mut entries)? as usize;
            let last = leb(&mut entries)?;
            let place = match count {
                1 => Place::Single(last),
                _ => {
                    let list = Place::Postings { start, end: start + last as usize };
                    start += last as usize;
                    list
                }
            };
            Some((trigram, List { count, place }))
        })
    }

    /// Every list, in order of trigrams.
    pub(super) fn lists(&self) -> impl Iterator<Item = (Trigram, List)> {
        (0..self.blocks.len() / BLOCK_BYTES).flat_map(|block| self.block_lists(block))
    }

    /// Appends the numbers of the list's rows, ascending.
    pub(super) fn read(&self, list: List, out: &mut Vec<u32>) {
        match list.place {
            Place::Single(row) => out.push(row),
            Place::Postings { start, end } => {
                let postings = self.bytes.get(self.postings.clone()).unwrap_or_default();
                rice::decode(postings.get(start..end).unwrap_or_default(), list.count, self.rows.len(), out);
            }
        }
    }
}

fn read_rows(mut bytes: &[u8], count: usize) -> Option<Vec<TrigramRow>> {
    let mut rows: Vec<TrigramRow> = Vec::with_capacity(count.min(ROWS_MAX));
    let mut path = String::new();
    for _ in 0..count {
        let (shared, own) = (leb(&mut bytes)? as usize, leb(&mut bytes)? as usize);
        if !path.is_char_boundary(shared) {
            return None;
        }
        path.truncate(shared);
        let (text, rest) = bytes.split_at_checked(own)?;
        path.push_str(std::str::from_utf8(text).ok()?);
        let (content, rest) = rest.split_first_chunk::<16>()?;
        bytes = rest;
        rows.push(TrigramRow { path: ProjectPath::new(&path).ok()?, content: u128::from_le_bytes(*content) });
    }
    bytes.is_empty().then_some(rows)
}

/// Writes one segment, list by list in the order of trigrams.
pub(super) struct SegmentWriter {
    count: usize,
    rows: Vec<u8>,
    blocks: Vec<u8>,
    dictionary: Vec<u8>,
    postings: Vec<u8>,
    lists: usize,
    last: Trigram,
}

impl SegmentWriter {
    /// A segment of `rows`, at most [`ROWS_MAX`].
    pub(super) fn new(rows: &[TrigramRow]) -> Self {
        let mut bytes = Vec::new();
        let mut before = "";
        for row in rows {
            let path = row.path.as_str();
            let mut shared = path.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
            while !path.is_char_boundary(shared) {
                shared -= 1;
            }
            put_leb(shared as u32, &mut bytes);
            put_leb((path.len() - shared) as u32, &mut bytes);
            bytes.extend_from_slice(&path.as_bytes()[shared..]);
            bytes.extend_from_slice(&row.content.to_le_bytes());
            before = path;
        }
        let (blocks, dictionary, postings) = (Vec::new(), Vec::new(), Vec::new());
        Self { count: rows.len(), rows: bytes, blocks, dictionary, postings, lists: 0, last: 0 }
    }

    /// Adds the rows that hold `trigram`, which is greater than the one before. They ascend, and there is one at least.
    pub(super) fn add(&mut self, trigram: Trigram, rows: &[u32]) {
        if self.lists.is_multiple_of(BLOCK) {
            self.blocks.extend_from_slice(&trigram.to_le_bytes());
            self.blocks.extend_from_slice(&(self.dictionary.len() as u32).to_le_bytes());
            self.blocks.extend_from_slice(&(self.postings.len() as u64).to_le_bytes());
            self.last = trigram;
        }
        self.lists += 1;
        put_leb(trigram - self.last, &mut self.dictionary);
        self.last = trigram;
        put_leb(rows.len() as u32, &mut self.dictionary);
        if let [single] = rows {
            put_leb(*single, &mut self.dictionary);
            return;
        }
        let start = self.postings.len();
        rice::encode(rows, self.count, &mut self.postings);
        put_leb((self.postings.len() - start) as u32, &mut self.dictionary);
    }

    /// The segment's bytes.
    pub(super) fn finish(self) -> Vec<u8> {
        let parts = [&self.rows, &self.blocks, &self.dictionary, &self.postings];
        let mut out = Vec::with_capacity(HEAD_BYTES + 8 + parts.iter().map(|part| part.len()).sum::<usize>());
        out.extend_from_slice(MAGIC);
        for number in [self.count, self.rows.len(), self.blocks.len(), self.dictionary.len()] {
            out.extend_from_slice(&(number as u32).to_le_bytes());
        }
        out.extend_from_slice(&(self.postings.len() as u64).to_le_bytes());
        parts.iter().for_each(|part| out.extend_from_slice(part));
        let sum = xxh3_64(&out);
        out.extend_from_slice(&sum.to_le_bytes());
        out
    }
}

fn put_leb(mut value: u32, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn leb(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0u32;
    for shift in (0..32).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Lists = BTreeMap<Trigram, std::collections::BTreeSet<u32>>;

    fn rows(count: u32) -> Vec<TrigramRow> {
        let path = |n: u32| ProjectPath::new(&format!("src/é{}/{n}.rs", n / 3)).expect("a path");
        (0..count).map(|n| TrigramRow { path: path(n), content: u128::from(n) << 64 | 7 }).collect()
    }

    fn written(rows: &[TrigramRow], lists: &Lists) -> Vec<u8> {
        let mut writer = SegmentWriter::new(rows);
        lists.iter().for_each(|(trigram, rows)| writer.add(*trigram, &rows.iter().copied().collect::<Vec<_>>()));
        writer.finish()
    }

    proptest! {
        #[test]
        fn lists_are_found(
            lists in proptest::collection::btree_map(0u32..3000, proptest::collection::btree_set(0u32..40, 1..20), 0..300),
            asked in proptest::collection::vec(0u32..3000, 0..40),
        ) {
            let rows = rows(40);
            let segment = Segment::open(OwnedBytes::new(written(&rows, &lists))).expect("whole");
            prop_assert_eq!(segment.rows(), &rows[..]);
            for trigram in asked.iter().chain(lists.keys()) {
                let mut found = Vec::new();
                if let Some(list) = segment.list(*trigram) {
                    segment.read(list, &mut found);
                }
                let expected: Vec<u32> = lists.get(trigram).into_iter().flatten().copied().collect();
                prop_assert_eq!(found, expected);
            }
            prop_assert!(segment.lists().map(|(trigram, _)| trigram).eq(lists.keys().copied()));
        }
    }

    #[test]
    fn any_changed_byte_is_noticed() {
        let lists: Lists = (0..200).map(|t| (t * 17, (0..t % 9 + 1).collect())).collect();
        let whole = written(&rows(9), &lists);
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0x10;
            assert!(Segment::open(OwnedBytes::new(changed)).is_err(), "byte {at}");
            assert!(Segment::open(OwnedBytes::new(whole[..at].to_vec())).is_err(), "cut at {at}");
        }
    }
}
