//! Doc comments and attributes before an item.

use rift_base::ByteRange;
use tree_sitter::Node;

use crate::engine::Walk;
use crate::facts::Documentation;
use crate::text::{block_comment, line_breaks, line_comments, range};

/// What stands before an item and belongs to it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Attached {
    /// First byte of what is attached, or of the item.
    pub(super) start: usize,
    pub(super) documentation: Option<Documentation>,
    /// `#[test]` and its kin.
    pub(super) test: bool,
    /// `#[cfg(test)]`.
    pub(super) test_only: bool,
    pub(super) deprecated: bool,
    /// `#[macro_export]`.
    pub(super) exported: bool,
    /// `#[proc_macro]` and its kin.
    pub(super) procedural_macro: bool,
}

/// What belongs to the item `node` that is being visited.
pub(super) fn attached(walk: &Walk<'_>, node: Node<'_>) -> Attached {
    attached_to(walk.text, walk.leading.iter().map(|n| range(*n)), node.start_byte())
}

/// Outer attributes and outer doc comments among `leads` (comments and attributes in source order) belong to the item
/// that starts at `item`. A blank line detaches what lies before it from the documentation and the range; attributes
/// keep their meaning, as they do for the compiler. Plain comments do not attach, and do not detach what lies before.
pub(super) fn attached_to(text: &str, leads: impl DoubleEndedIterator<Item = ByteRange>, item: usize) -> Attached {
    let mut out = Attached { start: item, ..Attached::default() };
    let mut documentation: Vec<String> = Vec::new();
    let mut next = item;
    let mut adjacent = true;
    for lead in leads.rev() {
        let source = lead.of(text).trim_end();
        let start = lead.start as usize;
        adjacent &= line_breaks(text, start + source.len(), next) <= 1;
        next = start;
        if source.starts_with("#[") {
            attribute(source, &mut out);
        }
        if !adjacent {
            continue;
        }
        let doc = doc_comment(source).or_else(|| doc_attribute(source));
        if doc.is_some() || source.starts_with("#[") {
            out.start = start;
        }
        documentation.extend(doc);
    }
    documentation.reverse();
    if !documentation.is_empty() {
        out.documentation = Some(Documentation { markdown: true, text: documentation.join("\n").into() });
    }
    out
}

/// The text of an outer doc comment.
fn doc_comment(source: &str) -> Option<String> {
    if source.starts_with("///") && !source.starts_with("////") {
        return Some(line_comments([source], "///"));
    }
    let is_block = source.starts_with("/**") && !source.starts_with("/***") && source.len() > 4;
    is_block.then(|| block_comment(source, "/**"))
}

/// The text of `#[doc = "…"]`.
fn doc_attribute(source: &str) -> Option<String> {
    let value = source.strip_prefix("#[")?.trim_start().strip_prefix("doc")?.trim_start().strip_prefix('=')?;
    let literal = value.trim_end().strip_suffix(']')?.trim();
    if let Some(raw) = literal.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let raw = raw.get(hashes..raw.len().checked_sub(hashes)?)?;
        return Some(raw.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    }
    Some(unescape(literal.strip_prefix('"')?.strip_suffix('"')?))
}

/// Resolves the escapes of a string literal.
fn unescape(literal: &str) -> String {
    let mut out = String::with_capacity(literal.len());
    let mut chars = literal.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('\n') => {
                let rest = chars.as_str().trim_start();
                chars = rest.chars();
            }
            Some('u') => {
                let digits: String = chars.by_ref().take_while(|c| *c != '}').filter(|c| *c != '{').collect();
                out.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

/// Reads the meaning of one attribute, `#[…]`.
fn attribute(source: &str, out: &mut Attached) {
    let inner = source.trim_start_matches("#[").trim_start();
    let end = inner.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(inner.len());
    let (path, rest) = inner.split_at(end);
    match path.rsplit("::").next().unwrap_or("") {
        "test" | "rstest" | "test_case" | "quickcheck" | "wasm_bindgen_test" | "bench" | "gtest" => out.test = true,
        "deprecated" => out.deprecated = true,
        "macro_export" => out.exported = true,
        "proc_macro" | "proc_macro_attribute" | "proc_macro_derive" => out.procedural_macro = true,
        "cfg" => out.test_only |= is_test_only(rest),
        _ => {}
    }
}

/// Whether a `cfg` predicate, `(…)]`, holds in test builds only: `test` itself or inside `all`.
fn is_test_only(predicate: &str) -> bool {
    let bare: String = predicate.chars().filter(|c| !c.is_whitespace()).collect();
    let conjunction = bare.starts_with("(all(") && !bare.contains("any(") && !bare.contains("not(");
    bare.starts_with("(test)") || conjunction && bare.split(['(', ',', ')']).any(|word| word == "test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doc_attributes() {
        for (source, expected) in [
            ("#[doc = \"a\\n\\\"b\\\" \\u{e9}\"]", Some("a\n\"b\" é")),
            ("#[doc = r#\"a \"b\"\"#]", Some("a \"b\"")),
            ("#[doc=\"\"]", Some("")),
            ("#[doc(hidden)]", None),
            ("#[doc = include_str!(\"a.md\")]", None),
            ("#[doc = r]", None),
        ] {
            assert_eq!(doc_attribute(source).as_deref(), expected, "{source}");
        }
    }

    #[test]
    fn doc_comments() {
        for (source, expected) in [
            ("/// a", Some("a")),
            ("///", Some("")),
            ("//// a", None),
            ("//! a", None),
            ("// a", None),
            ("/** a */", Some("a")),
            ("/**/", None),
            ("/*** a */", None),
            ("/*! a */", None),
        ] {
            assert_eq!(doc_comment(source).as_deref(), expected, "{source}");
        }
    }

    #[test]
    fn attributes() {
        let read = |source: &str| {
            let mut out = Attached::default();
            attribute(source, &mut out);
            (out.test, out.test_only, out.deprecated)
        };
        for (source, expected) in [
            ("#[test]", (true, false, false)),
            ("#[tokio::test(flavor = \"multi_thread\")]", (true, false, false)),
            ("#[cfg(test)]", (false, true, false)),
            ("#[cfg(all(test, unix))]", (false, true, false)),
            ("#[cfg(not(test))]", (false, false, false)),
            ("#[cfg(any(test, unix))]", (false, false, false)),
            ("#[cfg(all(not(test), unix))]", (false, false, false)),
            ("#[cfg(feature = \"test\")]", (false, false, false)),
            ("#[deprecated(since = \"1\")]", (false, false, true)),
            ("#[testing]", (false, false, false)),
        ] {
            assert_eq!(read(source), expected, "{source}");
        }
    }
}
