//! Byte ranges and lines. Positions inside the house are UTF-8 byte offsets, half-open.

use std::ops::Range;

/// A half-open range of UTF-8 byte offsets into one file's decoded text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ByteRange {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl ByteRange {
    /// `start..end`; an end before the start is taken as the start.
    pub fn new(start: usize, end: usize) -> Self {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let end = u32::try_from(end).unwrap_or(u32::MAX);
        Self { start, end: end.max(start) }
    }

    /// Bytes covered.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether no byte is covered.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `offset` lies inside.
    pub fn contains(self, offset: usize) -> bool {
        (self.start as usize) <= offset && offset < self.end as usize
    }

    /// Whether `other` lies inside, ends included.
    pub fn covers(self, other: ByteRange) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// As the standard library's range, for slicing.
    pub fn span(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text covered, empty when the range does not fit `text`.
    pub fn of(self, text: &str) -> &str {
        text.get(self.span()).unwrap_or("")
    }
}

/// The 1-based line that `offset` lies on; a line ends with `\n`. Counts bytes, allocates nothing.
pub fn line_of(text: &str, offset: usize) -> u64 {
    /// So many bytes are counted in a byte, which vector instructions do many of at once.
    const COUNTED: usize = 255;
    let feeds = |bytes: &[u8]| u64::from(bytes.iter().map(|b| u8::from(*b == b'\n')).sum::<u8>());
    1 + text.as_bytes()[..offset.min(text.len())].chunks(COUNTED).map(feeds).sum::<u64>()
}

/// Line starts of one text, for many look-ups in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<u32>,
    length: u32,
}

impl LineIndex {
    /// Scans `text` once.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        Self { starts, length: text.len() as u32 }
    }

    /// The 1-based line of `offset`.
    pub fn line(&self, offset: usize) -> u64 {
        self.starts.partition_point(|start| *start as usize <= offset) as u64
    }

    /// How many lines the text has; a final `\n` ends its line and begins none.
    pub fn lines(&self) -> u64 {
        let last = self.starts.last().copied().unwrap_or(0);
        self.starts.len() as u64 - u64::from(last == self.length && self.starts.len() > 1)
    }

    /// The bytes of 1-based `line`, its line feed included; absent past the last line.
    pub fn range(&self, line: u64) -> Option<ByteRange> {
        let index = usize::try_from(line.checked_sub(1)?).ok()?;
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).copied().unwrap_or(self.length);
        Some(ByteRange { start, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let text = "a\nbb\r\n\nccc";
        let index = LineIndex::new(text);
        assert_eq!(index.lines(), 4);
        for (offset, line) in [(0, 1), (1, 1), (2, 2), (5, 2), (6, 3), (7, 4), (9, 4), (10, 4)] {
            assert_eq!((index.line(offset), line_of(text, offset)), (line, line), "offset {offset}");
        }
        assert_eq!(index.range(2).map(|r| r.of(text)), Some("bb\r\n"));
        assert_eq!(index.range(5), None);
        assert_eq!(LineIndex::new("").lines(), 1);
        assert_eq!(LineIndex::new("a\n").lines(), 1);
    }
}
