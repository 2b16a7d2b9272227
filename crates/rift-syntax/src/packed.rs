//! Facts in few bytes: what a memo holds while nobody reads it. Encoded by postcard, compressed by LZ4; a typical file
//! shrinks to a quarter and unpacks in some ten microseconds.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use rift_base::{ByteRange, NamePath};
use serde::{Deserialize, Deserializer, Serialize};

use crate::documents::Document;
use crate::facts::{DeclPosition, FileFacts, Outline, Problem};

/// A file's facts in few bytes. Equal facts have equal bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedFacts {
    /// The outline.
    pub outline: PackedOutline,
    /// The positions.
    pub positions: Arc<[u8]>,
    /// The blocks of a document; no bytes without any.
    document: Arc<[u8]>,
}

/// An outline in few bytes, with what is read without unpacking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedOutline {
    /// [`Outline::package`].
    pub package: Option<NamePath>,
    /// [`Outline::problems`].
    pub problems: Arc<[Problem]>,
    bytes: Arc<[u8]>,
}

/// Offsets as differences: from the declaration before, and from the declaration's own start.
#[derive(Serialize, Deserialize)]
struct Delta {
    start: i64,
    length: u32,
    item: (u32, u32),
    name: (i64, u32),
    body: (i64, u32),
}

impl PackedFacts {
    /// Packs `facts`.
    pub fn pack(facts: &FileFacts) -> Self {
        let document = match *facts.document == Document::default() {
            true => Arc::default(),
            false => compress(&postcard::to_stdvec(&*facts.document).unwrap_or_default()),
        };
        Self { outline: PackedOutline::pack(&facts.outline), positions: pack_positions(&facts.positions), document }
    }

    /// Unpacks them again.
    pub fn unpack(&self) -> FileFacts {
        FileFacts {
            outline: Arc::new(self.outline.unpack()),
            positions: Arc::new(unpack_positions(&self.positions)),
            document: Arc::new(self.unpack_document()),
        }
    }

    /// Unpacks the blocks of the document alone.
    pub fn unpack_document(&self) -> Document {
        match self.document.is_empty() {
            true => Document::default(),
            false => postcard::from_bytes(&decompress(&self.document)).unwrap_or_default(),
        }
    }

    /// Unpacks the positions alone.
    pub fn unpack_positions(&self) -> Vec<DeclPosition> {
        unpack_positions(&self.positions)
    }

    /// Bytes on the heap.
    pub fn heap_size(&self) -> usize {
        self.outline.heap_size() + self.positions.len() + self.document.len()
    }

    /// One run of bytes, to be stored.
    pub fn to_bytes(&self) -> Vec<u8> {
        let PackedOutline { package, problems, bytes } = &self.outline;
        postcard::to_stdvec(&Stored {
            package: package.clone(),
            problems: problems.to_vec(),
            bytes,
            positions: &self.positions,
            document: &self.document,
        })
        .unwrap_or_default()
    }

    /// Reads what [`PackedFacts::to_bytes`] of the same [`EXTRACTOR`](crate::EXTRACTOR) wrote; absent for other bytes
    /// where that shows. The caller checks that the bytes are whole.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let Stored { package, problems, bytes, positions, document } = postcard::from_bytes(bytes).ok()?;
        let outline = PackedOutline { package, problems: problems.into(), bytes: bytes.into() };
        Some(Self { outline, positions: positions.into(), document: document.into() })
    }
}

/// What is stored of packed facts.
#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    package: Option<NamePath>,
    problems: Vec<Problem>,
    bytes: &'a [u8],
    positions: &'a [u8],
    document: &'a [u8],
}

impl PackedOutline {
    fn pack(outline: &Outline) -> Self {
        Self {
            package: outline.package.clone(),
            problems: outline.problems.as_slice().into(),
            bytes: compress(&postcard::to_stdvec(outline).unwrap_or_default()),
        }
    }

    /// Unpacks it again.
    pub fn unpack(&self) -> Outline {
        Self::unpack_bytes(&self.bytes)
    }

    /// Unpacks what [`PackedOutline::bytes`] gave.
    pub fn unpack_bytes(bytes: &[u8]) -> Outline {
        // Bytes that this process packed unpack; anything else would be an empty outline.
        postcard::from_bytes(&decompress(bytes)).unwrap_or_default()
    }

    /// The outline as it is held. Equal outlines have equal bytes.
    pub fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }

    /// Bytes on the heap.
    pub fn heap_size(&self) -> usize {
        self.bytes.len() + self.problems.len() * size_of::<Problem>()
    }
}

pub(crate) fn compress(bytes: &[u8]) -> Arc<[u8]> {
    lz4_flex::compress_prepend_size(bytes).into()
}

pub(crate) fn decompress(bytes: &[u8]) -> Vec<u8> {
    lz4_flex::decompress_size_prepended(bytes).unwrap_or_default()
}

fn pack_positions(positions: &[DeclPosition]) -> Arc<[u8]> {
    let mut before = 0i64;
    let from = |base: u32, range: ByteRange| (i64::from(range.start) - i64::from(base), range.end - range.start);
    let deltas: Vec<Delta> = positions
        .iter()
        .map(|p| {
            let start = i64::from(p.declaration.start) - before;
            before = i64::from(p.declaration.start);
            Delta {
                start,
                length: p.declaration.end - p.declaration.start,
                item: (p.item.start.saturating_sub(p.declaration.start), p.item.end - p.item.start),
                name: from(p.item.start, p.name),
                body: from(p.item.start, p.body),
            }
        })
        .collect();
    compress(&postcard::to_stdvec(&deltas).unwrap_or_default())
}

fn unpack_positions(bytes: &[u8]) -> Vec<DeclPosition> {
    let deltas: Vec<Delta> = postcard::from_bytes(&decompress(bytes)).unwrap_or_default();
    let mut before = 0i64;
    let range = |start: i64, length: u32| {
        let start = u32::try_from(start).unwrap_or(0);
        ByteRange { start, end: start.saturating_add(length) }
    };
    deltas
        .into_iter()
        .map(|d| {
            before += d.start;
            let item = before + i64::from(d.item.0);
            DeclPosition {
                declaration: range(before, d.length),
                item: range(item, d.item.1),
                name: range(item + d.name.0, d.name.1),
                body: range(item + d.body.0, d.body.1),
            }
        })
        .collect()
}

/// Reads a kind word back as one of the program's own: there are few, and each is kept once.
pub(crate) fn kind<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    static KINDS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let word = <&str>::deserialize(deserializer)?;
    let mut kinds = KINDS.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(match kinds.get(word) {
        Some(known) => known,
        None => {
            let kept: &'static str = String::leak(word.to_owned());
            kinds.insert(kept);
            kept
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, extract};
    use rift_base::Language;

    #[test]
    fn packing_loses_nothing() {
        let rust = "/// Doc.\n#[test]\npub async fn f(a: u32) -> u8 { fn inner() {} 1 }\nstruct S { x: u8 }\nimpl S { fn m(&self) {} }\n";
        let java = "package a.b;\n/** D */ public class C { int x = 1; void f(int... y) {} void f() {} }\n";
        let markdown = "# Title\n\nProse with `code`.\n\n```sh\nmake\n```\n";
        for (language, text) in [("rust", rust), ("java", java), ("markdown", markdown), ("rust", "")] {
            let language = Language::new(language).expect("valid");
            let facts = extract(text, &language, &Bounds::default()).expect("served");
            assert_eq!(facts.outline.declarations.is_empty(), text.is_empty());
            assert_eq!(facts.document.blocks.len(), if language.as_str() == "markdown" { 2 } else { 0 });
            let packed = PackedFacts::pack(&facts);
            assert_eq!(packed.unpack(), facts);
            assert_eq!(packed, PackedFacts::pack(&packed.unpack()));
            let bytes = packed.to_bytes();
            assert_eq!(PackedFacts::from_bytes(&bytes), Some(packed));
            assert_eq!(PackedFacts::from_bytes(&bytes[..bytes.len() - 1]), None);
        }
    }
}
