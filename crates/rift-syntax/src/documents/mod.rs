//! Documentation: the blocks of a document, the headings above them, and what their prose names. Markdown's blocks come
//! from the one parse of its file; other formats are read line by line when somebody asks.

mod inline;
pub(crate) mod markdown;
mod notebook;
mod prose;

use std::collections::HashMap;

use rift_base::{ByteRange, DocumentFormat};
use serde::{Deserialize, Serialize};

use crate::parse::Bounds;

pub use inline::{Markup, spans};

/// Bytes of the largest document that is read.
const SOURCE_BYTES_MAX: usize = 4 << 20;
/// Blocks kept of one document.
const BLOCKS_MAX: usize = 20_000;
/// Headings kept of one document.
const HEADINGS_MAX: usize = 20_000;
/// Bytes of the longest heading kept.
const HEADING_BYTES_MAX: usize = 512;
/// Bytes at which a block of prose ends with the paragraph that reached them.
const PROSE_BYTES: usize = 1_200;

/// The blocks of one document, in source order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Document {
    /// The headings; [`Block::heading`] and [`Heading::parent`] index them.
    pub headings: Vec<Heading>,
    /// The blocks.
    pub blocks: Vec<Block>,
    /// How many blocks and headings a bound left out.
    pub omitted: u32,
    /// Why nothing could be read.
    pub failure: Option<DocumentFailure>,
}

/// Why a document gives no blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DocumentFailure {
    /// A notebook that is not JSON, or has no cells.
    Malformed,
    /// Parsing was stopped by a bound.
    ParserSteps,
    /// More than 4 MiB.
    SourceBytes,
}

impl DocumentFailure {
    /// The label of the failure, as warnings carry it.
    pub fn word(self) -> &'static str {
        match self {
            DocumentFailure::Malformed => "malformed",
            DocumentFailure::ParserSteps => "parser_steps",
            DocumentFailure::SourceBytes => "source_bytes_max",
        }
    }
}

/// One heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// 1 for the outermost; levels may be left out.
    pub level: u8,
    /// The text on one line, at most 512 bytes.
    pub name: Box<str>,
    /// The heading it stands under.
    pub parent: Option<u32>,
    /// Its number among headings of its name under the same parent, from 1.
    pub number: u32,
    /// Where it begins, in bytes of the file.
    pub start: u32,
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum BlockKind {
    /// Paragraphs, lists, tables and quotes.
    Prose,
    /// Code.
    Code,
}

/// One block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// The language of code, as the document spells it.
    pub language: Option<Box<str>>,
    /// The innermost heading above it.
    pub heading: Option<u32>,
    /// Its bytes in the file.
    pub range: ByteSpan,
    /// The cell of a notebook, from 0.
    pub cell: Option<u32>,
    /// Its text, where that is not what `range` covers: a notebook spells it as JSON.
    pub text: Option<Box<str>>,
}

/// A range that can be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByteSpan(pub u32, pub u32);

impl From<ByteSpan> for ByteRange {
    fn from(span: ByteSpan) -> Self {
        ByteRange { start: span.0, end: span.1.max(span.0) }
    }
}

impl Block {
    /// Its bytes in the file.
    pub fn range(&self) -> ByteRange {
        self.range.into()
    }

    /// Its text in a document that holds `text`.
    pub fn text<'a>(&'a self, text: &'a str) -> &'a str {
        self.text.as_deref().unwrap_or_else(|| self.range().of(text))
    }
}

impl Document {
    /// The names of the headings above a block, outermost first. The second heading of a name under one parent ends
    /// with ` (2)`.
    pub fn heading_path(&self, block: &Block) -> Vec<String> {
        let mut out = Vec::new();
        let mut at = block.heading;
        while let Some(heading) = at.and_then(|at| self.headings.get(at as usize)) {
            out.push(match heading.number {
                0 | 1 => heading.name.to_string(),
                number => format!("{} ({number})", heading.name),
            });
            at = heading.parent;
        }
        out.reverse();
        out
    }

    /// The number of block `at` among those directly under its heading, from 0.
    pub fn place(&self, at: usize) -> usize {
        let Some(block) = self.blocks.get(at) else { return 0 };
        self.blocks[..at].iter().rev().take_while(|other| other.heading == block.heading).count()
    }

    /// Bytes on the heap.
    pub fn heap_size(&self) -> usize {
        let block = |b: &Block| b.language.as_ref().map_or(0, |l| l.len()) + b.text.as_ref().map_or(0, |t| t.len());
        self.headings.capacity() * size_of::<Heading>()
            + self.headings.iter().map(|h| h.name.len()).sum::<usize>()
            + self.blocks.capacity() * size_of::<Block>()
            + self.blocks.iter().map(block).sum::<usize>()
    }

    fn failed(failure: DocumentFailure) -> Self {
        Self { failure: Some(failure), ..Self::default() }
    }
}

/// The blocks of `text`, which is written in `format`. Ranges lie on character borders inside `text`.
pub fn document(text: &str, format: DocumentFormat, bounds: &Bounds) -> Document {
    if text.len() > SOURCE_BYTES_MAX {
        return Document::failed(DocumentFailure::SourceBytes);
    }
    match format {
        DocumentFormat::Markdown => markdown::document(text, bounds),
        DocumentFormat::Mdx => markdown::document(&markdown::without_modules(text), bounds),
        DocumentFormat::RestructuredText | DocumentFormat::Text => prose::document(text),
        DocumentFormat::Notebook => notebook::document(text, bounds),
    }
}

/// A document under construction.
#[derive(Default)]
struct Draft {
    document: Document,
    /// The headings that are open, outermost first.
    open: Vec<u32>,
    /// How many headings of a name stand under a parent. Looked up by key alone, never iterated.
    numbers: HashMap<(Option<u32>, Box<str>), u32>,
    /// The block of prose that goes on.
    prose: Option<ByteRange>,
}

impl Draft {
    /// Opens a heading and closes those of its own and deeper levels.
    fn heading(&mut self, level: u8, name: String, start: usize) {
        self.end_prose();
        let document = &mut self.document;
        if document.headings.len() >= HEADINGS_MAX {
            document.omitted += 1;
            return;
        }
        while self.open.pop_if(|at| document.headings.get(*at as usize).is_none_or(|h| h.level >= level)).is_some() {}
        let parent = self.open.last().copied();
        let name: Box<str> = crate::text::clip(name, HEADING_BYTES_MAX).into();
        let alike = self.numbers.entry((parent, name.clone())).or_insert(0);
        *alike += 1;
        let number = *alike;
        self.open.push(document.headings.len() as u32);
        document.headings.push(Heading { level, name, parent, number, start: start as u32 });
    }

    /// Adds a paragraph; short ones under one heading make one block.
    fn paragraph(&mut self, text: &str, range: ByteRange) {
        let Some(range) = trimmed(text, range) else { return };
        let prose = match self.prose.take() {
            Some(before) => ByteRange { start: before.start, end: range.end },
            None => range,
        };
        self.prose = Some(prose);
        if prose.len() >= PROSE_BYTES {
            self.end_prose();
        }
    }

    fn end_prose(&mut self) {
        if let Some(range) = self.prose.take() {
            self.add(BlockKind::Prose, None, range);
        }
    }

    /// Adds code.
    fn code(&mut self, text: &str, language: Option<&str>, range: ByteRange) {
        self.end_prose();
        if let Some(range) = trimmed(text, range) {
            self.add(BlockKind::Code, language, range);
        }
    }

    fn add(&mut self, kind: BlockKind, language: Option<&str>, range: ByteRange) {
        if self.document.blocks.len() >= BLOCKS_MAX {
            self.document.omitted += 1;
            return;
        }
        self.document.blocks.push(Block {
            kind,
            language: language.filter(|l| !l.is_empty()).map(|l| l.chars().take(64).collect::<String>().into()),
            heading: self.open.last().copied(),
            range: ByteSpan(range.start, range.end),
            cell: None,
            text: None,
        });
    }

    fn finish(mut self) -> Document {
        self.end_prose();
        self.document
    }
}

/// `range` from the first line that holds something, without the white space at its end.
fn trimmed(text: &str, range: ByteRange) -> Option<ByteRange> {
    let whole = range.of(text);
    let end = whole.trim_end().len();
    let blank: usize = whole.split_inclusive('\n').take_while(|line| line.trim().is_empty()).map(str::len).sum();
    (blank < end).then(|| ByteRange::new(range.start as usize + blank, range.start as usize + end))
}
