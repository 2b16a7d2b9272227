//! What an error swallowed: an open bracket turns the rest of a file into one expression, in which `def f(…): …` is a
//! row of names. Functions and classes at the start of a line are found again; what stands indented is not.

use rift_base::{ByteRange, Facet, Facets};
use tree_sitter::Node;

use super::{scope, visibility};
use crate::engine::{Draft, Scope, Visit, Walk};
use crate::text::squeeze;

/// Heads looked at in one error. Each costs a look at the error's children.
const HEADS: usize = 64;

/// What a keyword may belong to without having been swallowed: definitions that the walk sees, and text.
const SEEN: &[&str] = &["function_definition", "class_definition", "string", "string_content", "comment"];

/// Reads the error `node`; the text of an error holds those of the errors inside it.
pub(super) fn recover<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    if walk.scope.tag & scope::BROKEN == 0 {
        let mut at = node.start_byte();
        let mut looked = 0;
        for line in walk.str(node).split_inclusive('\n') {
            let starts_line = at == 0 || walk.text.as_bytes().get(at - 1) == Some(&b'\n');
            if let Some(head) = head(line).filter(|_| starts_line && looked < HEADS) {
                looked += 1;
                swallowed(walk, node, at, line.trim_end(), head);
            }
            at += line.len();
        }
    }
    Visit::Enter(Scope { tag: walk.scope.tag | scope::BROKEN, ..walk.scope.clone() })
}

struct Head {
    kind: &'static str,
    is_async: bool,
    /// Bytes of the keyword and the name in the line.
    keyword: usize,
    name: std::ops::Range<usize>,
}

/// The head of a function or class that starts `line`.
fn head(line: &str) -> Option<Head> {
    let is_async = line.starts_with("async ");
    let keyword = if is_async { "async ".len() } else { 0 };
    let (kind, word) = match &line[keyword..] {
        rest if rest.starts_with("def ") => ("function", "def "),
        rest if rest.starts_with("class ") && !is_async => ("class", "class "),
        _ => return None,
    };
    let start = keyword + word.len();
    let length = line[start..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(line.len() - start);
    (length > 0).then_some(Head { kind, is_async, keyword, name: start..start + length })
}

/// Declares the head in the file's scope, unless its keyword belongs to one of [`SEEN`].
fn swallowed<'t>(walk: &mut Walk<'t>, error: Node<'t>, at: usize, line: &'t str, head: Head) {
    let keyword = at + head.keyword;
    let read_as = error.named_descendant_for_byte_range(keyword, keyword + 1).map_or("", |n| n.kind());
    if SEEN.contains(&read_as) {
        return;
    }
    let Some(name) = line.get(head.name.clone()) else { return };
    let mut draft = Draft::named(head.kind, error, name.into());
    draft.start = at;
    draft.item = ByteRange::new(at, at + line.len());
    draft.name_range = ByteRange::new(at + head.name.start, at + head.name.end);
    draft.body = ByteRange { start: draft.item.end, end: draft.item.end };
    let end = line.rfind(':').unwrap_or(line.len());
    draft.signature = squeeze(&line[..end]);
    draft.modifiers.extend(head.is_async.then(|| "async".into()));
    draft.facets = match head.kind {
        "class" => Facets::of(&[Facet::Type, Facet::MemberContainer, Facet::Constructible, Facet::Extensible]),
        _ => Facets::of(&[Facet::Value, Facet::Callable]).with_if(Facet::Async, head.is_async),
    };
    visibility(&mut draft, 0);
    let file = Scope { decl: None, path: rift_base::NamePath::default(), tag: 0 };
    walk.declare_in(&file, draft);
}
