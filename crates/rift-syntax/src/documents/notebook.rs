//! Blocks of a Jupyter notebook (nbformat 4): Markdown cells are read as Markdown, code cells are code. Ranges are those
//! of the JSON that spells a block; its text is what the JSON says.

use rift_base::ByteRange;
use tree_sitter::Node;

use super::{ByteSpan, Document, DocumentFailure, Draft, markdown};
use crate::languages::MARKDOWN;
use crate::languages::json::JSON;
use crate::parse::{Bounds, parse_best};
use crate::text::range;

/// The blocks of the notebook `text`.
pub(super) fn document(text: &str, bounds: &Bounds) -> Document {
    let tree = match parse_best(&JSON, text, bounds) {
        Ok((tree, _)) => tree,
        Err(_) => return Document::failed(DocumentFailure::ParserSteps),
    };
    let root = tree.root_node().named_child(0).filter(|_| !tree.root_node().has_error());
    let Some((root, cells)) = root.and_then(|root| Some((root, member(text, root, "cells")?))) else {
        return Document::failed(DocumentFailure::Malformed);
    };
    let language = kernel(text, root);
    let mut draft = Draft::default();
    let mut cursor = cells.walk();
    for (number, cell) in (0u32..).zip(cells.named_children(&mut cursor)) {
        read(&mut draft, text, cell, number, language.as_deref(), bounds);
    }
    draft.finish()
}

/// The language that the notebook's code is in.
fn kernel(text: &str, root: Node<'_>) -> Option<String> {
    let metadata = member(text, root, "metadata")?;
    let info = member(text, metadata, "language_info").and_then(|info| member(text, info, "name"));
    let spec = || member(text, metadata, "kernelspec").and_then(|spec| member(text, spec, "language"));
    Some(Source::of(text, info.or_else(spec)?).text)
}

fn read(draft: &mut Draft, text: &str, cell: Node<'_>, number: u32, language: Option<&str>, bounds: &Bounds) {
    let kind = member(text, cell, "cell_type").map(|kind| Source::of(text, kind).text);
    let Some(source) = member(text, cell, "source").map(|source| Source::of(text, source)) else { return };
    let before = (draft.document.blocks.len(), draft.document.headings.len());
    match kind.as_deref() {
        Some("code") => draft.code(&source.text, language, ByteRange::new(0, source.text.len())),
        Some("markdown") => {
            if let Ok((tree, _)) = parse_best(&MARKDOWN, &source.text, bounds) {
                markdown::read(draft, &source.text, tree.root_node(), bounds);
                draft.end_prose();
            } else {
                draft.document.omitted += 1;
            }
        }
        // Raw cells are for converters.
        _ => {}
    }
    for block in draft.document.blocks.iter_mut().skip(before.0) {
        let inside = block.range();
        block.text = Some(inside.of(&source.text).into());
        block.range = ByteSpan(source.place(inside.start), source.place_behind(inside.end));
        block.cell = Some(number);
    }
    for heading in draft.document.headings.iter_mut().skip(before.1) {
        heading.start = source.place(heading.start);
    }
}

/// The value of `key` in a JSON object.
fn member<'t>(text: &str, object: Node<'t>, key: &str) -> Option<Node<'t>> {
    let mut cursor = object.walk();
    let pairs = object.named_children(&mut cursor).filter(|child| child.kind() == "pair");
    let mut found = None;
    for pair in pairs {
        let named = pair.child_by_field_name("key").is_some_and(|k| range(k).of(text).trim_matches('"') == key);
        if named {
            found = pair.child_by_field_name("value");
        }
    }
    found
}

/// A text that JSON spells as a string, or as a list of strings to be joined.
struct Source {
    text: String,
    /// Its characters in order: runs that the file spells as they are, and escapes.
    runs: Vec<Run>,
}

/// A part of a text and what spells it.
#[derive(Clone, Copy)]
struct Run {
    /// Where it begins in the text.
    start: u32,
    /// Where it begins in the file.
    place: u32,
    /// Bytes of the escape that it is; 0 for characters as they are.
    escape: u32,
}

impl Source {
    fn of(text: &str, value: Node<'_>) -> Self {
        let mut out = Self { text: String::new(), runs: Vec::new() };
        match value.kind() {
            "array" => {
                let mut cursor = value.walk();
                for part in value.named_children(&mut cursor).filter(|part| part.kind() == "string") {
                    out.string(text, range(part));
                }
            }
            "string" => out.string(text, range(value)),
            _ => {}
        }
        out
    }

    /// Adds the string literal at `literal`, quotes included.
    fn string(&mut self, text: &str, literal: ByteRange) {
        let start = literal.start as usize + 1;
        let inner = ByteRange::new(start, (literal.end as usize).saturating_sub(1)).of(text);
        let mut rest = inner;
        while !rest.is_empty() {
            let place = (start + inner.len() - rest.len()) as u32;
            let run = Run { start: self.text.len() as u32, place, escape: 0 };
            let plain = rest.find('\\').unwrap_or(rest.len());
            if plain > 0 {
                self.runs.push(run);
                self.text.push_str(&rest[..plain]);
                rest = &rest[plain..];
                continue;
            }
            let (character, length) = escape(rest);
            self.runs.push(Run { escape: length as u32, ..run });
            self.text.push(character);
            rest = rest.get(length..).unwrap_or("");
        }
    }

    /// The byte of the file that spells byte `at` of the text.
    fn place(&self, at: u32) -> u32 {
        let run = self.runs.partition_point(|run| run.start <= at).checked_sub(1);
        run.and_then(|run| self.runs.get(run))
            .map_or(at, |run| run.place + if run.escape > 0 { 0 } else { at - run.start })
    }

    /// The byte of the file behind what spells the text up to `end`.
    fn place_behind(&self, end: u32) -> u32 {
        let run = self.runs.partition_point(|run| run.start < end).checked_sub(1);
        let Some(run) = run.and_then(|run| self.runs.get(run)) else { return end };
        run.place + if run.escape > 0 { run.escape } else { end - run.start }
    }
}

/// The character that the escape at the start of `text` stands for, and the escape's bytes.
fn escape(text: &str) -> (char, usize) {
    let unit = |at: usize| text.get(at..at + 4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match text.as_bytes().get(1) {
        Some(b'n') => ('\n', 2),
        Some(b't') => ('\t', 2),
        Some(b'r') => ('\r', 2),
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(b'u') => match (unit(2), text.get(6..8), unit(8)) {
            (Some(high @ 0xd800..0xdc00), Some("\\u"), Some(low @ 0xdc00..0xe000)) => {
                let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
            }
            (Some(code), ..) => (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 6),
            _ => (char::REPLACEMENT_CHARACTER, 2),
        },
        Some(other) if other.is_ascii() => (char::from(*other), 2),
        _ => (char::REPLACEMENT_CHARACTER, 1),
    }
}
