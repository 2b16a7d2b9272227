//! What errors in the tree still say: heads of items whose rest does not parse, and `macro name(…) { … }` or
//! `macro name { (…) => { … } }`, which the grammar does not know and answers with errors of many shapes.

use rift_base::ByteRange;
use tree_sitter::Node;

use super::attached::{Attached, attached};
use super::items::{self, common, kind_facets, trim_signature};
use super::tags;
use crate::engine::{Draft, Scope, Visit, Walk};
use crate::text::{range, squeeze};

/// Bytes that a declarative macro's brackets may span. Bounds what unbalanced ones can cost.
const MACRO_MAX: usize = 8 << 10;

/// Reads the error `node`.
pub(super) fn recover<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    // The text of an error holds those of the errors inside it.
    if walk.scope.tag & tags::BROKEN == 0 {
        declarative_macros(walk, node);
    }
    heads(walk, node);
    Visit::Enter(Scope { tag: walk.scope.tag | tags::BROKEN, ..walk.scope.clone() })
}

/// Declares items of which only `keyword name` and what follows on the error's level is there. Their bodies are not
/// found, so what stands in one is declared beside them.
fn heads<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut cursor = node.walk();
    let children: Vec<Node<'t>> = node.children(&mut cursor).collect();
    let mut leads: Vec<ByteRange> = Vec::new();
    let mut start: Option<Node<'t>> = None;
    for (at, child) in children.iter().enumerate() {
        let kind = match child.kind() {
            "line_comment" | "block_comment" | "attribute_item" => {
                leads.push(range(*child));
                continue;
            }
            "visibility_modifier" | "function_modifiers" => {
                start = start.or(Some(*child));
                continue;
            }
            "fn" => "function",
            "struct" => "struct",
            "enum" => "enum",
            "trait" => "trait",
            "mod" => "module",
            _ => "",
        };
        let next = children.get(at + 1).filter(|n| matches!(n.kind(), "identifier" | "type_identifier"));
        if let (Some(name), false) = (next, kind.is_empty()) {
            head(walk, kind, start.unwrap_or(*child), *name, children.get(at + 2).copied(), &leads);
        }
        leads.clear();
        start = None;
    }
}

fn head<'t>(
    walk: &mut Walk<'t>,
    kind: &'static str,
    start: Node<'t>,
    name: Node<'t>,
    behind: Option<Node<'t>>,
    leads: &[ByteRange],
) {
    let parameters = behind.filter(|b| kind == "function" && b.kind() == "parameters");
    let end = parameters.unwrap_or(name).end_byte();
    let attached = super::attached::attached_to(walk.text, leads.iter().copied(), start.start_byte());
    let mut draft = Draft::new(kind, walk.text, start, name);
    draft.item = ByteRange::new(start.start_byte(), end);
    let written = Some(start).filter(|s| s.kind() == "visibility_modifier").map(|s| squeeze(walk.str(s)));
    common(walk, &mut draft, written, &attached);
    draft.body = ByteRange { start: draft.item.end, end: draft.item.end };
    draft.signature = squeeze(draft.item.of(walk.text));
    if kind == "function" {
        draft.callable = parameters.map(|p| items::parameters(walk, p));
        items::function_facets(walk, &mut draft, &attached, true);
    } else {
        draft.facets = draft.facets.union(kind_facets(kind));
    }
    walk.declare(draft);
}

fn declarative_macros<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let text = walk.text;
    let mut from = node.start_byte();
    while let Some(found) = next_macro(text, from, node.end_byte()) {
        let mut draft = Draft::new("macro", text, node, node);
        draft.name = found.name.of(text).into();
        draft.name_range = found.name;
        draft.item = ByteRange::new(found.start, found.body.end as usize);
        let attached = match found.start == node.start_byte() {
            true => attached(walk, node),
            false => Attached { start: found.start, ..Attached::default() },
        };
        let written = Some(squeeze(&text[found.start..found.keyword])).filter(|v| !v.is_empty());
        common(walk, &mut draft, written, &attached);
        draft.signature = squeeze(&text[found.start..found.body.start as usize]);
        draft.body = found.body;
        trim_signature(&mut draft);
        draft.facets = draft.facets.union(kind_facets("macro"));
        walk.declare(draft);
        from = found.body.end as usize;
        walk.skip_until(from);
    }
}

struct Found {
    /// The visibility, or the keyword.
    start: usize,
    keyword: usize,
    name: ByteRange,
    body: ByteRange,
}

/// The first declarative macro that begins in `from..to`. Gives up at one whose brackets do not close.
fn next_macro(text: &str, from: usize, to: usize) -> Option<Found> {
    let mut at = from;
    loop {
        let keyword = at + text.get(at..to)?.find("macro ")?;
        at = keyword + "macro ".len();
        let line = text[..keyword].rfind('\n').map_or(0, |l| l + 1).max(from);
        let start = line + text[line..keyword].len() - text[line..keyword].trim_start().len();
        let before = text[start..keyword].trim_end();
        if !(before.is_empty() || before.starts_with("pub") && !before.contains([';', '{', '='])) {
            continue;
        }
        let length = text[at..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(0);
        let name = ByteRange::new(at, at + length);
        if length == 0 {
            continue;
        }
        let mut body = group(text, at + length)?;
        if text[body.span()].starts_with('(') {
            body = group(text, body.end as usize)?;
        }
        return Some(Found { start, keyword, name, body });
    }
}

/// The bracketed group that begins at `from`, white space aside. Brackets inside literals and comments are counted
/// like others: a macro's arms balance them.
fn group(text: &str, from: usize) -> Option<ByteRange> {
    let rest = text.get(from..)?;
    let start = from + rest.len() - rest.trim_start().len();
    let mut depth = 0usize;
    for (i, byte) in text.as_bytes()[start..].iter().take(MACRO_MAX).enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (i > 0).then(|| ByteRange::new(start, start + i + 1));
        }
    }
    None
}
