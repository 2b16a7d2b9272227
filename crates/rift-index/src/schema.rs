//! The fields of a row, their weights, and how units become rows.

use rift_base::{FileUnits, SymbolUnit};
use tantivy::TantivyDocument;
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use xxhash_rust::xxh3::xxh3_64;

use crate::tokenizer::{CodeTokenizer, fold};

/// The number of fields whose words are ranked.
pub(crate) const TEXT_FIELDS: usize = 6;

/// The ranked fields, in the order that scores are summed in. The value is the index into per-field tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum TextField {
    Name,
    Qualified,
    Signature,
    Documentation,
    Content,
    Path,
}

impl TextField {
    pub(crate) const ALL: [TextField; TEXT_FIELDS] =
        [Self::Name, Self::Qualified, Self::Signature, Self::Documentation, Self::Content, Self::Path];

    /// What a match in the field counts, against one in a file's content.
    pub(crate) fn weight(self) -> f32 {
        match self {
            Self::Name => 10.0,
            Self::Qualified => 6.0,
            Self::Signature => 3.0,
            Self::Documentation => 2.0,
            Self::Content => 1.0,
            Self::Path => 4.0,
        }
    }

    /// The field in which a match is reported.
    pub(crate) fn matched(self) -> MatchedFields {
        match self {
            Self::Name | Self::Qualified => MatchedFields::NAME,
            Self::Signature => MatchedFields::SIGNATURE,
            Self::Documentation => MatchedFields::DOCUMENTATION,
            Self::Content => MatchedFields::CONTENT,
            Self::Path => MatchedFields::PATH,
        }
    }
}

/// The fields of a row that carried a term of the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MatchedFields(u8);

impl MatchedFields {
    /// No field.
    pub const NONE: Self = Self(0);
    /// The short or the qualified name.
    pub const NAME: Self = Self(1);
    /// The signature.
    pub const SIGNATURE: Self = Self(2);
    /// The attached documentation.
    pub const DOCUMENTATION: Self = Self(4);
    /// The file's text.
    pub const CONTENT: Self = Self(8);
    /// The file's path.
    pub const PATH: Self = Self(16);

    /// Both sets together.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether every field of `other` is in this set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether no field is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The value of the ordinal column for a file's only row.
pub(crate) const FILE_ROW: u64 = 0;
/// The value of the ordinal column for one of several rows of a file's text.
pub(crate) const CHUNK_ROW: u64 = 1;
/// What is added to a declaration's ordinal in the ordinal column.
pub(crate) const SYMBOL_ROWS: u64 = 2;
/// The bit of the flags column that says that the row's file is generated; the bits below are facets.
pub(crate) const GENERATED_BIT: u64 = 1 << 32;
/// The bit of the flags column that says that declarations of other files may be of the same symbol.
pub(crate) const JOINS_BIT: u64 = 1 << 33;

/// Names of the columns.
pub(crate) mod column {
    pub(crate) const PATH: &str = "path";
    pub(crate) const ORDINAL: &str = "ordinal";
    pub(crate) const FLAGS: &str = "flags";
    pub(crate) const NAME_MARK: &str = "name_mark";
    pub(crate) const KEY: &str = "key";
    pub(crate) const QUALIFIED: &str = "qualified_spelled";
    pub(crate) const VERSION: &str = "version";
}

/// Handles of all fields.
#[derive(Debug, Clone)]
pub(crate) struct Fields {
    pub(crate) schema: Schema,
    pub(crate) text: [Field; TEXT_FIELDS],
    pub(crate) path: Field,
    pub(crate) name_spelled: Field,
    pub(crate) name_folded: Field,
    key: Field,
    qualified_spelled: Field,
    ordinal: Field,
    flags: Field,
    name_mark: Field,
    version: Field,
}

impl Fields {
    /// The schema. Any change to it makes older indexes [`Foreign`](crate::IndexError::Foreign).
    pub(crate) fn new() -> Self {
        let mut schema = Schema::builder();
        let words = |tokenizer| {
            TextOptions::default().set_indexing_options(
                TextFieldIndexing::default()
                    .set_tokenizer(tokenizer)
                    .set_index_option(IndexRecordOption::WithFreqsAndPositions),
            )
        };
        // Names as spelled have fields of their own, so the words of names need no compounds.
        let text = [
            schema.add_text_field("name", words(CodeTokenizer::PARTS)),
            schema.add_text_field("qualified", words(CodeTokenizer::PARTS)),
            schema.add_text_field("signature", words(CodeTokenizer::PARTS)),
            schema.add_text_field("documentation", words(CodeTokenizer::COMPOUNDS)),
            schema.add_text_field("content", words(CodeTokenizer::COMPOUNDS)),
            schema.add_text_field("path_words", words(CodeTokenizer::PARTS)),
        ];
        let raw = || {
            TextOptions::default().set_indexing_options(
                TextFieldIndexing::default()
                    .set_tokenizer("raw")
                    .set_fieldnorms(false)
                    .set_index_option(IndexRecordOption::Basic),
            )
        };
        Self {
            text,
            path: schema.add_text_field(column::PATH, raw().set_fast("raw")),
            name_spelled: schema.add_text_field("name_spelled", raw()),
            name_folded: schema.add_text_field("name_folded", raw()),
            key: schema.add_u64_field(column::KEY, FAST),
            qualified_spelled: schema.add_text_field(column::QUALIFIED, TextOptions::default().set_fast("raw")),
            ordinal: schema.add_u64_field(column::ORDINAL, FAST),
            flags: schema.add_u64_field(column::FLAGS, FAST),
            name_mark: schema.add_u64_field(column::NAME_MARK, FAST),
            version: schema.add_u64_field(column::VERSION, FAST),
            schema: schema.build(),
        }
    }

    /// The rows of `units`: its text, in chunks of at most `chunk_max` bytes, then its declarations.
    pub(crate) fn rows<'a>(
        &'a self,
        units: &'a FileUnits<'_>,
        chunk_max: usize,
    ) -> impl Iterator<Item = TantivyDocument> + 'a {
        let chunks = chunks(units.text, chunk_max);
        let kind = if chunks.len() > 1 { CHUNK_ROW } else { FILE_ROW };
        let file = move |(at, chunk)| {
            let mut row = self.file_row(units, chunk, kind);
            if at == 0 {
                row.add_u64(self.version, units.version);
            }
            row
        };
        let files = chunks.into_iter().enumerate().map(file);
        files.chain(units.symbols.iter().map(|symbol| self.symbol_row(units, symbol)))
    }

    fn file_row(&self, units: &FileUnits<'_>, chunk: &str, kind: u64) -> TantivyDocument {
        let mut row = self.row(units, kind, 0);
        row.add_text(self.text[TextField::Path as usize], units.path.as_str());
        if !chunk.is_empty() {
            row.add_text(self.text[TextField::Content as usize], chunk);
        }
        row
    }

    fn symbol_row(&self, units: &FileUnits<'_>, symbol: &SymbolUnit<'_>) -> TantivyDocument {
        let flags = u64::from(symbol.facets.bits()) | if symbol.joins { JOINS_BIT } else { 0 };
        let mut row = self.row(units, SYMBOL_ROWS + u64::from(symbol.ordinal), flags);
        row.add_text(self.text[TextField::Name as usize], &symbol.name);
        row.add_text(self.text[TextField::Qualified as usize], &symbol.qualified);
        if !symbol.signature.is_empty() {
            row.add_text(self.text[TextField::Signature as usize], symbol.signature);
        }
        if !symbol.documentation.is_empty() {
            row.add_text(self.text[TextField::Documentation as usize], symbol.documentation);
        }
        row.add_text(self.name_spelled, &symbol.name);
        row.add_text(self.name_folded, fold(&symbol.name));
        let key = key_hash(&symbol.key);
        row.add_u64(self.key, key);
        row.add_text(self.qualified_spelled, &symbol.qualified);
        row.add_u64(self.name_mark, u64::from(NameMark::of(&symbol.name).0));
        row
    }

    fn row(&self, units: &FileUnits<'_>, ordinal: u64, flags: u64) -> TantivyDocument {
        let mut row = TantivyDocument::with_capacity(256);
        row.add_text(self.path, units.path.as_str());
        row.add_u64(self.ordinal, ordinal);
        row.add_u64(self.flags, flags | if units.generated { GENERATED_BIT } else { 0 });
        row
    }
}

/// The hash under which a symbol's key is looked up: XXH3 with 64 bits.
pub(crate) fn key_hash(key: &str) -> u64 {
    xxh3_64(key.as_bytes())
}

/// What tells one short name from others, in 32 bits: the number of its characters, at most 255, below 24 bits of XXH3.
/// Equal names have equal marks; the few others that have do no harm where names are compared to order rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct NameMark(u32);

impl NameMark {
    const CHARS: u32 = 0xff;

    /// That of a short name.
    pub fn of(name: &str) -> Self {
        let chars = name.chars().take(Self::CHARS as usize).count() as u32;
        Self(xxh3_64(name.as_bytes()) as u32 & !Self::CHARS | chars)
    }

    /// The mark that a row's column holds.
    pub(crate) fn stored(value: u64) -> Self {
        Self(value as u32)
    }

    /// The characters of the name, as far as they are counted.
    pub(crate) fn chars(self) -> u32 {
        self.0 & Self::CHARS
    }
}

/// `text` in pieces of at most `max` bytes that end behind a line break where one is in the last half of the
/// piece, else at a character border. At least one piece.
fn chunks(text: &str, max: usize) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    let max = max.max(4);
    while rest.len() > max {
        let border = rest.floor_char_boundary(max);
        let line = rest.as_bytes()[..border].iter().rposition(|b| *b == b'\n').map(|at| at + 1);
        let end = line.filter(|at| *at > border / 2).unwrap_or(border);
        let (piece, tail) = rest.split_at(end);
        out.push(piece);
        rest = tail;
    }
    out.push(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_end_at_lines_or_chars() {
        assert_eq!(chunks("", 8), [""]);
        assert_eq!(chunks("12345678", 8), ["12345678"]);
        assert_eq!(chunks("12345\n78\n", 8), ["12345\n", "78\n"]);
        // The break in the first half would leave a short piece.
        assert_eq!(chunks("1\n3456789", 8), ["1\n345678", "9"]);
        assert_eq!(chunks("éééé", 5), ["éé", "éé"]);
    }

    #[test]
    fn marks_of_names() {
        assert_eq!(NameMark::of("é_id").chars(), 4);
        assert_eq!(NameMark::of(&"x".repeat(300)).chars(), 255);
        assert_eq!(NameMark::of("create"), NameMark::stored(u64::from(NameMark::of("create").0)));
        assert_ne!(NameMark::of("create"), NameMark::of("delete"));
    }

    #[test]
    fn matched_sets() {
        let set = MatchedFields::NAME.union(MatchedFields::CONTENT);
        assert!(set.has(MatchedFields::NAME) && !set.has(MatchedFields::PATH) && !set.is_empty());
        assert!(!set.has(MatchedFields::NAME.union(MatchedFields::PATH)));
    }
}
