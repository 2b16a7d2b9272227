//! Items: where a declaration starts with the macros, attributes and comments in front of it, and its signature.

use std::borrow::Cow;

use rift_base::ByteRange;
use tree_sitter::Node;

use super::declarators::Spelled;
use super::docs;
use super::mask::is_attribute_macro;
use crate::engine::{Draft, Walk};
use crate::facts::Documentation;
use crate::text::squeeze;

/// Where a declaration stands, and what stands in front of it.
#[derive(Clone)]
pub(super) struct Item {
    /// First byte with documentation and attributes.
    pub(super) start: usize,
    /// The item, from its template header or its export macro to its end.
    pub(super) range: ByteRange,
    pub(super) documentation: Option<Documentation>,
    /// An attribute or a macro in front says so.
    pub(super) deprecated: bool,
    pub(super) friend: bool,
}

/// The item that `node` is, or that its outermost wrapper is.
pub(super) fn item<'t>(walk: &Walk<'t>, node: Node<'t>) -> Item {
    let outer = walk.outer(node);
    let before = walk.text.get(outer.start_byte()..node.start_byte()).unwrap_or("");
    let friend = before.split_whitespace().any(|w| w == "friend");
    let prefix = prefix(walk, outer.start_byte());
    let from = prefix.map_or(outer.start_byte(), |p| p.start);
    let item_from = prefix.map_or(outer.start_byte(), |p| p.item);
    let (start, leading) = docs::leading(walk, from);
    let documentation = leading.or_else(|| docs::trailing(walk, outer.end_byte()));
    let (attributes_end, deprecated) = attributes(walk, node);
    let item_start = if prefix.is_none() && outer == node { attributes_end } else { item_from };
    Item {
        start,
        range: ByteRange::new(item_start, outer.end_byte()),
        documentation,
        deprecated: deprecated || prefix.is_some_and(|p| p.deprecated),
        friend,
    }
}

/// The end of the attributes that `node` begins with, and whether one of its attributes deprecates.
fn attributes(walk: &Walk<'_>, node: Node<'_>) -> (usize, bool) {
    let mut end = node.start_byte();
    let mut deprecated = false;
    let mut first = true;
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "attribute_declaration" | "attribute_specifier" | "ms_declspec_modifier" => {
                deprecated |= walk.str(child).contains("deprecated");
            }
            "comment" => {}
            "compound_statement" | "field_declaration_list" | "enumerator_list" => break,
            _ if first => {
                first = false;
                end = child.start_byte();
            }
            _ => {}
        }
    }
    (end, deprecated)
}

#[derive(Clone, Copy)]
struct Prefix {
    /// The first macro or attribute.
    start: usize,
    /// The first macro; attributes are no part of the item.
    item: usize,
    deprecated: bool,
}

/// The masked macros directly in front of `at` that belong to what starts there: `EXPORT_API`, `DEPRECATED("…")`.
fn prefix(walk: &Walk<'_>, at: usize) -> Option<Prefix> {
    let parsed = walk.parsed.as_bytes();
    let from = parsed.get(..at)?.iter().rposition(|b| !b.is_ascii_whitespace()).map_or(0, |i| i + 1);
    let gap = walk.text.get(from..at)?;
    if gap.trim_start().is_empty() {
        return None;
    }
    let bytes = gap.as_bytes();
    let mut start: Option<usize> = None;
    let mut item: Option<usize> = None;
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        if start.is_none() {
            item = None;
        }
        match byte {
            b'\n' => {
                let next = bytes[i + 1..].iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r'));
                if next.and_then(|n| bytes.get(i + 1 + n)) == Some(&b'\n') {
                    start = None;
                }
                i += 1;
            }
            b' ' | b'\t' | b'\r' | b'\\' => i += 1,
            b'@' => {
                // What is masked of Objective-C ends with `@end`.
                start = None;
                i += 1 + bytes[i + 1..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
            }
            b'#' => {
                start = None;
                i = line_end(bytes, i);
            }
            b if b.is_ascii_alphabetic() || b == b'_' => {
                start = start.or(Some(i));
                let word = bytes[i..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
                let name = gap.get(i..i + word).unwrap_or("");
                if !name.starts_with("__attribute") {
                    item = item.or(Some(i));
                }
                i += word;
                let open = bytes[i..].iter().take_while(|b| **b == b' ').count();
                if bytes.get(i + open) == Some(&b'(') {
                    i = close(bytes, i + open);
                    let rest = bytes[i..].iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r'));
                    let alone = rest.and_then(|r| bytes.get(i + r)) == Some(&b'\n');
                    if alone && !is_attribute_macro(name) {
                        start = None;
                    }
                }
            }
            _ => {
                start = None;
                i += 1;
            }
        }
    }
    let start = start?;
    let deprecated = gap.get(start..).is_some_and(|macros| macros.contains("DEPRECAT"));
    Some(Prefix { start: from + start, item: item.map_or(at, |i| from + i), deprecated })
}

/// The end of the logical line at `i`.
fn line_end(bytes: &[u8], mut i: usize) -> usize {
    while let Some(&byte) = bytes.get(i) {
        if byte == b'\n' && bytes.get(i.wrapping_sub(1)) != Some(&b'\\') {
            return i;
        }
        i += 1;
    }
    i
}

/// Behind the bracket that closes the one at `i`.
fn close(bytes: &[u8], mut i: usize) -> usize {
    let mut depth = 0usize;
    while let Some(&byte) = bytes.get(i) {
        i += 1;
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return i;
                }
            }
            _ => {}
        }
    }
    i
}

/// A draft of `item` named `name`, with everything that the item alone tells.
pub(super) fn draft<'t>(kind: &'static str, node: Node<'t>, item: &Item, spelled: Spelled<'t>) -> Draft<'t> {
    let mut draft = Draft::named(kind, node, Cow::Owned(spelled.name));
    draft.qualifier = spelled.qualifier;
    draft.name_range = ByteRange::new(spelled.node.start_byte(), spelled.node.end_byte());
    place(&mut draft, item);
    draft
}

/// Puts `draft` where `item` stands.
pub(super) fn place(draft: &mut Draft<'_>, item: &Item) {
    draft.item = item.range;
    draft.start = item.start;
    draft.body = ByteRange { start: item.range.end, end: item.range.end };
    draft.documentation = item.documentation.clone();
    if item.deprecated {
        draft.facets.insert(rift_base::Facet::Deprecated);
    }
}

/// The text `from..to` on one line without comments, attributes and the semicolon.
pub(super) fn signature(text: &str, from: usize, to: usize) -> String {
    let source = text.get(from..to).unwrap_or("");
    let plain = !source.contains("//")
        && !source.contains("/*")
        && !source.contains("[[")
        && !source.contains("__attribute")
        && !source.contains(['\\', '#']);
    let out = if plain { squeeze(source) } else { squeeze(&stripped(source)) };
    out.trim_end_matches([';', ' ', ',']).to_owned()
}

/// `source` without comments, attributes, directives and line splices.
fn stripped(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let line_start = out.trim_end_matches([' ', '\t']).ends_with('\n');
        let skip = if rest.starts_with("//") || (c == '#' && line_start) {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |i| i + 2)
        } else if rest.starts_with("[[") {
            rest.find("]]").map_or(rest.len(), |i| i + 2)
        } else if rest.starts_with("__attribute") {
            let open = rest.find('(').unwrap_or(rest.len());
            close(rest.as_bytes(), open)
        } else if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
            1
        } else if c == '"' || c == '\'' {
            let end = literal_end(rest, c);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        out.push(' ');
        rest = rest.get(skip..).unwrap_or("");
    }
    out
}

fn literal_end(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return i + 1;
        } else if c == '\n' {
            return i;
        }
    }
    rest.len()
}

/// At most `max` bytes of `text`, cut on a character border.
pub(super) fn clip(mut text: String, max: usize) -> String {
    if text.len() > max {
        text.truncate(text.floor_char_boundary(max));
    }
    text
}
