//! Data formats: JSON, TOML and YAML. A key is a declaration, its path the keys around it. An element of a list adds
//! its index to the path of the keys inside it, and is no declaration itself (a TOML array of tables is: its tables
//! are written as such).

pub(crate) mod json;
pub(crate) mod toml;
pub(crate) mod yaml;

use std::borrow::Cow;

use rift_base::{ByteRange, Facet, Facets};
use tree_sitter::Node;

use crate::engine::{Draft, PATH_MAX, Scope, Walk};
use crate::facts::{DeclId, Documentation, Problem};
use crate::text::{clip, line_breaks, range, squeeze};

/// Bytes of the longest signature of a key.
const SIGNATURE_MAX: usize = 120;

/// What a node is to the walk over keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// A key with its value.
    Pair,
    /// A list: each named child is an element.
    List,
    /// To be walked through.
    Through,
    Comment,
    /// Nothing below it.
    Leaf,
}

/// How a format's tree holds keys.
pub(crate) struct Format {
    pub(crate) class: fn(&str) -> Class,
    /// Declares the key of a pair: [`key`] with what the format knows.
    pub(crate) pair: for<'t> fn(&mut Walk<'t>, Node<'t>, &[Node<'t>]) -> Option<DeclId>,
}

/// One tree level that the walk went into.
struct Frame {
    outer: Option<Scope>,
    /// Elements seen so far, in a list.
    elements: Option<usize>,
}

/// Walks the keys below `root` without recursion.
pub(crate) fn walk_keys<'t>(walk: &mut Walk<'t>, root: Node<'t>, format: &Format) {
    let mut cursor = root.walk();
    let mut frames = vec![Frame { outer: None, elements: None }];
    let mut leading: Vec<Node<'t>> = Vec::new();
    let mut nodes = 0u32;
    if !cursor.goto_first_child() {
        return;
    }
    loop {
        nodes += 1;
        if nodes > walk.bounds.nodes {
            walk.problem(Problem::Nodes);
            return;
        }
        let node = cursor.node();
        let below = match frames.last_mut() {
            Some(frame) if node.is_named() => look_at(walk, node, format, frame, &mut leading),
            _ => None,
        };
        if let Some(frame) = below {
            if frames.len() < walk.bounds.depth as usize && cursor.goto_first_child() {
                frames.push(frame);
                continue;
            }
            walk.problem(Problem::Depth);
            leave(walk, frame);
        }
        while !cursor.goto_next_sibling() {
            if let Some(frame) = frames.pop() {
                leave(walk, frame);
            }
            if frames.is_empty() || !cursor.goto_parent() {
                return;
            }
        }
    }
}

fn leave(walk: &mut Walk<'_>, frame: Frame) {
    if let Some(outer) = frame.outer {
        walk.scope = outer;
    }
}

fn look_at<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    format: &Format,
    frame: &mut Frame,
    leading: &mut Vec<Node<'t>>,
) -> Option<Frame> {
    let class = (format.class)(node.kind());
    if class == Class::Comment {
        leading.push(node);
        return None;
    }
    let mut scope = None;
    if let Some(elements) = &mut frame.elements {
        let index = *elements;
        *elements += 1;
        if class != Class::Leaf && node.child_count() > 0 {
            if walk.scope.path.as_str().len() > PATH_MAX {
                walk.problem(Problem::Depth);
                return None;
            }
            scope = Some(Scope { path: walk.scope.path.child(&index.to_string()), ..walk.scope.clone() });
        }
    }
    match class {
        Class::Pair => {
            let id = (format.pair)(walk, node, leading);
            leading.clear();
            scope = id.map(|id| walk.scope_of(id, 0));
        }
        Class::Leaf | Class::Comment => {
            leading.clear();
            return None;
        }
        Class::List | Class::Through => {}
    }
    if node.child_count() == 0 {
        return None;
    }
    let outer = scope.map(|scope| std::mem::replace(&mut walk.scope, scope));
    Some(Frame { outer, elements: (class == Class::List).then_some(0) })
}

/// What a format reads off a pair.
pub(crate) struct Key<'t> {
    pub(crate) node: Node<'t>,
    /// The key's names: more than one for a dotted key.
    pub(crate) names: Vec<String>,
    pub(crate) value: Option<Node<'t>>,
    /// What stands between key and value in the signature.
    pub(crate) separator: &'static str,
    /// Whether the value holds keys.
    pub(crate) holds_keys: bool,
    /// How the value reads when it is not a scalar: `{3 keys}`.
    pub(crate) shape: Option<String>,
}

/// Declares `key`, written as `pair`.
pub(crate) fn declare_key<'t>(
    walk: &mut Walk<'t>,
    pair: Node<'t>,
    mut key: Key<'t>,
    leading: &[Node<'t>],
) -> Option<DeclId> {
    let name = key.names.pop()?;
    let mut draft = Draft::named("key", pair, Cow::Owned(visible(name)));
    draft.qualifier = key.names.into_iter().map(visible).collect();
    draft.name_range = range(key.node);
    let value = key.shape.unwrap_or_else(|| key.value.map_or(String::new(), |v| start_of(walk.str(v))));
    let signature = format!("{}{}{value}", squeeze(walk.str(key.node)), key.separator);
    draft.signature = clip(squeeze(&signature), SIGNATURE_MAX);
    if let Some(value) = key.value {
        draft.body = range(value);
        // A comment behind the value is no part of the key.
        draft.item.end = draft.body.end.max(draft.item.start);
    }
    draft.facets = Facets::of(&[Facet::Value, Facet::Property]).with_if(Facet::MemberContainer, key.holds_keys);
    document(walk, &mut draft, leading);
    Some(walk.declare(draft))
}

/// An empty key is a key.
fn visible(name: String) -> String {
    if name.is_empty() { "\"\"".to_owned() } else { name }
}

/// Enough of `value` for a signature.
fn start_of(value: &str) -> String {
    squeeze(&value[..value.floor_char_boundary(4 * SIGNATURE_MAX)])
}

/// `{}`, `{1 key}`, `[3 items]`.
pub(crate) fn shape(brackets: &str, count: usize, one: &str) -> String {
    match count {
        0 => brackets.to_owned(),
        1 => format!("{}1 {one}{}", &brackets[..1], &brackets[1..]),
        n => format!("{}{n} {one}s{}", &brackets[..1], &brackets[1..]),
    }
}

/// How many children of `node` are not comments.
pub(crate) fn members(node: Node<'_>) -> usize {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|c| c.kind() != "comment").count()
}

/// The comments directly above document a key: each alone on its line, no blank line between.
pub(crate) fn document<'t>(walk: &Walk<'t>, draft: &mut Draft<'_>, leading: &[Node<'t>]) {
    let mut lines: Vec<&str> = Vec::new();
    for comment in leading.iter().rev() {
        let comment = range(*comment);
        let (start, source) = (comment.start as usize, comment.of(walk.text).trim_end());
        let line = walk.text[..start].rfind('\n').map_or(0, |n| n + 1);
        let alone = walk.text[line..start].trim_start_matches('\u{feff}').trim().is_empty();
        if !alone || line_breaks(walk.text, start + source.len(), draft.start) != 1 {
            break;
        }
        draft.start = start;
        lines.push(source);
    }
    if lines.is_empty() {
        return;
    }
    let strip = |line: &&str| {
        let bare = line.trim_start_matches("/*").trim_end_matches("*/").trim_start_matches(['#', '/']);
        bare.strip_prefix(' ').unwrap_or(bare).trim_end().to_owned()
    };
    let text = lines.iter().rev().map(strip).collect::<Vec<_>>().join("\n");
    draft.documentation = Some(Documentation { markdown: false, text: text.into() });
}

/// The value of a string in double quotes, its escapes resolved; or in single quotes, as it is.
pub(crate) fn unquote(source: &str) -> String {
    let source = source.trim();
    if let Some(inner) = source.strip_prefix('\'') {
        return inner.strip_suffix('\'').unwrap_or(inner).to_owned();
    }
    let Some(inner) = source.strip_prefix('"') else { return source.to_owned() };
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('n')) => out.push('\n'),
            ('\\', Some('t')) => out.push('\t'),
            ('\\', Some('u')) => {
                let digits = chars.as_str().get(..4).unwrap_or("");
                out.push(u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}'));
                chars = chars.as_str().get(digits.len()..).unwrap_or("").chars();
            }
            ('\\', Some(other)) => out.push(other),
            (c, _) => out.push(c),
        }
    }
    out
}

/// A range without the white space at its end.
pub(crate) fn trimmed(text: &str, range: ByteRange) -> ByteRange {
    let source = range.of(text);
    ByteRange::new(range.start as usize, range.start as usize + source.trim_end().len())
}

fn node_facets(kind: &str) -> &'static [&'static str] {
    match kind {
        "pair" | "block_mapping_pair" | "flow_pair" => &["declaration", "definition"],
        "table" | "table_array_element" => &["declaration", "definition", "block"],
        "object" | "array" | "inline_table" | "block_mapping" | "flow_mapping" | "block_sequence" | "flow_sequence" => {
            &["literal"]
        }
        "string"
        | "number"
        | "integer"
        | "float"
        | "boolean"
        | "true"
        | "false"
        | "null"
        | "local_date"
        | "plain_scalar"
        | "double_quote_scalar"
        | "single_quote_scalar"
        | "block_scalar" => &["literal"],
        "bare_key" | "quoted_key" | "dotted_key" => &["identifier"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings() {
        assert_eq!(unquote(r#""a\"b\u00e9\n""#), "a\"bé\n");
        assert_eq!(unquote("'a\\b'"), "a\\b");
        assert_eq!(unquote("plain "), "plain");
        assert_eq!(unquote(r#""\u00"#), "\u{fffd}00");
        assert_eq!(unquote("\""), "");
    }

    #[test]
    fn shapes() {
        assert_eq!(
            ["{}", "{1 key}", "{2 keys}"],
            [0, 1, 2].map(|n| shape("{}", n, "key")).each_ref().map(|s| s.as_str())
        );
    }
}
