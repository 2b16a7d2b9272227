//! What rankings read of every row, laid out in memory.
//!
//! Columns are packed by bits: a value costs some ten nanoseconds to read, and a ranking reads several of each of
//! thousands of rows. Symbols are looked up by the hashes of their keys some forty times for a page; a dictionary of
//! terms would decode a block for each.

use tantivy::DocId;
use tantivy::columnar::Column;

use crate::schema::{CHUNK_ROW, FILE_ROW, GENERATED_BIT, JOINS_BIT, NameMark, SYMBOL_ROWS};
use crate::segment::RowKind;

/// Rows whose values are read at once.
const BLOCK_ROWS: usize = 1024;

/// What is known of each row of a segment.
#[derive(Debug)]
pub(crate) struct RowTable(Box<[RowFacts]>);

/// One row; 16 bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RowFacts {
    /// The number of its path in the segment.
    path: u32,
    /// The value of the ordinal column, with bits above it.
    ordinal: u32,
    facets: u32,
    name: NameMark,
}

/// The columns that a row's facts are read from.
pub(crate) struct RowColumns {
    pub(crate) paths: Column<u64>,
    pub(crate) ordinals: Column<u64>,
    pub(crate) flags: Column<u64>,
    pub(crate) names: Column<u64>,
}

/// The bit of [`RowFacts::ordinal`] that says that the file is generated.
const GENERATED: u32 = 1 << 31;
/// The bit that says that declarations of other files may be of the same symbol.
const JOINS: u32 = 1 << 30;
const BITS: u32 = GENERATED | JOINS;

impl RowTable {
    /// The rows of a segment with so many, from its columns.
    pub(crate) fn of(rows: u32, columns: &RowColumns) -> Self {
        let RowColumns { paths, ordinals, flags, names } = columns;
        let mut out = vec![RowFacts::default(); rows as usize];
        each_value(paths, rows, |row, path| out[row].path = path as u32);
        each_value(ordinals, rows, |row, ordinal| out[row].ordinal = ordinal as u32 & !BITS);
        each_value(flags, rows, |row, flags| {
            out[row].facets = flags as u32;
            let bit = |flag, bit| if flags & flag != 0 { bit } else { 0 };
            out[row].ordinal |= bit(GENERATED_BIT, GENERATED) | bit(JOINS_BIT, JOINS);
        });
        each_value(names, rows, |row, mark| out[row].name = NameMark::stored(mark));
        Self(out.into())
    }

    pub(crate) fn get(&self, row: DocId) -> RowFacts {
        self.0.get(row as usize).copied().unwrap_or_default()
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.0)
    }
}

impl RowFacts {
    pub(crate) fn path(self) -> usize {
        self.path as usize
    }

    pub(crate) fn kind(self) -> RowKind {
        match u64::from(self.ordinal & !BITS) {
            FILE_ROW => RowKind::File,
            CHUNK_ROW => RowKind::Chunk,
            row => RowKind::Symbol((row - SYMBOL_ROWS) as u32),
        }
    }

    /// The facets' bits.
    pub(crate) fn facets(self) -> u32 {
        self.facets
    }

    /// The mark of the declaration's short name.
    pub(crate) fn name(self) -> NameMark {
        self.name
    }

    pub(crate) fn is_generated(self) -> bool {
        self.ordinal & GENERATED != 0
    }

    pub(crate) fn joins(self) -> bool {
        self.ordinal & JOINS != 0
    }
}

/// The declarations of a segment by the hashes of their symbols' keys.
#[derive(Debug)]
pub(crate) struct KeyTable(Box<[(u32, DocId)]>);

impl KeyTable {
    /// The keys of a segment with so many rows, from their column.
    pub(crate) fn of(rows: u32, keys: &Column<u64>) -> Self {
        let mut out = Vec::with_capacity(rows as usize);
        each_value(keys, rows, |row, key| out.push((high(key), row as DocId)));
        out.sort_unstable();
        Self(out.into())
    }

    /// The rows whose key may have this hash, ascending: half of it is compared.
    pub(crate) fn rows(&self, hash: u64) -> impl Iterator<Item = DocId> {
        let first = self.0.partition_point(|(known, _)| *known < high(hash));
        self.0[first..].iter().take_while(move |(known, _)| *known == high(hash)).map(|(_, row)| *row)
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.0)
    }
}

fn high(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Hands over each row that has a value with it, in order.
fn each_value(column: &Column<u64>, rows: u32, mut take: impl FnMut(usize, u64)) {
    let mut values = [None; BLOCK_ROWS];
    let all: Vec<DocId> = (0..rows).collect();
    for block in all.chunks(BLOCK_ROWS) {
        let values = &mut values[..block.len()];
        values.fill(None);
        column.first_vals(block, values);
        for (row, value) in block.iter().zip(values) {
            if let Some(value) = value {
                take(*row as usize, *value);
            }
        }
    }
}
