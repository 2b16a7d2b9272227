//! `macro name(…) { … }` and `macro name { (…) => { … } }`, which the grammar does not know: it answers with errors of
//! many shapes. So they are read off the text of an error.

use rift_base::ByteRange;
use tree_sitter::Node;

use super::attached::attached;
use super::items::{common, kind_facets, trim_signature};
use crate::engine::{Draft, Visit, Walk};
use crate::text::squeeze;

/// Looks for declarative macros in the error `node`.
pub(super) fn recover<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let text = walk.text;
    let mut from = node.start_byte();
    while let Some(found) = next_macro(text, from, node.end_byte()) {
        let mut draft = Draft::new("macro", text, node, node);
        draft.name = found.name.of(text).into();
        draft.name_range = found.name;
        draft.item = ByteRange::new(found.start, found.body.end as usize);
        let attached = attached(walk, node);
        let written = Some(squeeze(&text[found.start..found.keyword])).filter(|v| !v.is_empty());
        common(walk, &mut draft, written, &attached);
        if found.start != node.start_byte() {
            draft.documentation = None;
            draft.start = found.start;
        }
        draft.signature = squeeze(&text[found.start..found.body.start as usize]);
        draft.body = found.body;
        trim_signature(&mut draft);
        draft.facets = draft.facets.union(kind_facets("macro"));
        walk.declare(draft);
        from = found.body.end as usize;
        walk.skip_until(from);
    }
    Visit::Descend
}

struct Found {
    /// The visibility, or the keyword.
    start: usize,
    keyword: usize,
    name: ByteRange,
    body: ByteRange,
}

/// The first declarative macro that begins in `from..to`.
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
        let Some(mut body) = group(text, at + length).filter(|_| length > 0) else { continue };
        if text[body.span()].starts_with('(') {
            let Some(block) = group(text, body.end as usize) else { continue };
            body = block;
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
    for (i, byte) in text.as_bytes()[start..].iter().enumerate() {
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
