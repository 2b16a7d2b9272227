//! Where the keys of a TOML text stand: its headers and its pairs, in the order of the text.

use std::ops::Range;

use toml_edit::{Item, Table};

/// A line of a TOML text that states something; a pair may take several lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) kind: Kind,
    /// The key with all its tables.
    pub(super) path: Vec<String>,
    /// The lines it stands on, with the last line end.
    pub(super) lines: Range<usize>,
    /// A pair's value, or a header with its brackets.
    pub(super) span: Range<usize>,
    /// Whether it stands in an item of a list of tables.
    pub(super) in_list: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `[path]`.
    Table,
    /// `[[path]]`.
    ListItem,
    /// `key = value`, with a path that is relative to the header above it.
    Pair,
}

impl Statement {
    pub(super) fn is_header(&self) -> bool {
        self.kind != Kind::Pair
    }
}

/// The statements of a text that is TOML.
pub(super) fn statements(text: &str) -> Result<Vec<Statement>, toml_edit::TomlError> {
    let document = toml_edit::Document::parse(text)?;
    let mut found = Vec::new();
    collect(text, document.as_table(), &mut Vec::new(), false, &mut found);
    found.sort_by_key(|statement| statement.span.start);
    Ok(found)
}

fn collect(text: &str, table: &Table, path: &mut Vec<String>, in_list: bool, found: &mut Vec<Statement>) {
    for (key, item) in table {
        path.push(key.to_owned());
        let mut add = |kind, span: Option<Range<usize>>| {
            if let Some(span) = span {
                let lines = lines(text, &span);
                found.push(Statement { kind, path: path.clone(), lines, span, in_list });
            }
        };
        match item {
            Item::None => {}
            Item::Value(value) => add(Kind::Pair, value.span()),
            Item::Table(below) => {
                if !below.is_dotted() && !below.is_implicit() {
                    add(Kind::Table, below.span());
                }
                collect(text, below, path, in_list, found);
            }
            Item::ArrayOfTables(items) => {
                for below in items {
                    let span = below.span();
                    if let Some(span) = span {
                        let lines = lines(text, &span);
                        found.push(Statement { kind: Kind::ListItem, path: path.clone(), lines, span, in_list: true });
                    }
                    collect(text, below, path, true, found);
                }
            }
        }
        path.pop();
    }
}

/// The whole lines that a span touches. A key stands on the line on which its value begins.
fn lines(text: &str, span: &Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = memchr::memrchr(b'\n', &bytes[..span.start]).map_or(0, |at| at + 1);
    let end = memchr::memchr(b'\n', &bytes[span.end..]).map_or(text.len(), |at| span.end + at + 1);
    start..end
}
