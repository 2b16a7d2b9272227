//! Constants and variables of the package.

use rift_base::{ByteRange, Facet, Facets};
use tree_sitter::Node;

use super::types::with_keyword;
use super::{comments, exported, scope, usable};
use crate::engine::{Draft, Visit, Walk};
use crate::text::{header, range, squeeze, with_value};

/// One line of a `const` or `var` declaration: a declaration for each name.
pub(super) fn spec<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: &'static str) -> Visit {
    let mut cursor = node.walk();
    let mut names: Vec<Node<'t>> = node.children_by_field_name("name", &mut cursor).filter(Node::is_named).collect();
    names.retain(|n| usable(walk, *n));
    let is_constant = kind == "constant";
    let item = walk.outer(node);
    let value = node.child_by_field_name("value");
    let definition = node.child_by_field_name("type");
    let head_end = value.map_or(node.end_byte(), |v| v.start_byte());
    let head = header(walk.text, item, ByteRange::new(item.start_byte(), head_end), &[]);
    let shown = with_value(&head, value.map_or("", |v| walk.str(v)));
    let signature = with_keyword(if is_constant { "const" } else { "var" }, shown, item, node);
    let mut only = None;
    for name in &names {
        let mut draft = Draft::new(kind, walk.text, item, *name);
        draft.facets = Facets::of(&[Facet::Value]).with_if(Facet::Mutable, !is_constant);
        draft.signature.clone_from(&signature);
        draft.value_type = definition.map(|d| squeeze(walk.str(d)));
        draft.body = value.map_or(draft.body, range);
        comments::attach(walk, node, &mut draft);
        exported(&mut draft, walk.scope.tag);
        only = Some(walk.declare(draft));
    }
    match only {
        Some(id) if names.len() == 1 => Visit::Enter(walk.scope_of(id, scope::TYPE)),
        _ => Visit::Skip,
    }
}
