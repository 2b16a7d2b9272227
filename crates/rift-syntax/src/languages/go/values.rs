//! Constants and variables of the package.

use rift_base::{Facet, Facets};
use tree_sitter::Node;

use super::exported;
use super::shared::{Shared, names};
use crate::engine::{Draft, Visit, Walk};
use crate::text::range;

/// One line of a `const` or `var` declaration: a declaration for each name. The value is the body.
pub(super) fn spec<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: &'static str) -> Visit {
    let names = names(walk, node);
    let is_constant = kind == "constant";
    let keyword = if is_constant { "const" } else { "var" };
    let item = walk.outer(node);
    let value = node.child_by_field_name("value");
    let shared = Shared::read(walk, node, &names);
    let mut last = None;
    for (at, name) in names.iter().enumerate() {
        let mut draft = Draft::new(kind, walk.text, item, *name);
        draft.facets = Facets::of(&[Facet::Value]).with_if(Facet::Mutable, !is_constant);
        draft.signature = format!("{keyword} {}", shared.signature(&draft.name));
        draft.value_type = shared.definition.clone();
        draft.body = value.map_or(draft.body, range);
        shared.document(walk, node, at, &mut draft);
        exported(&mut draft, walk.scope.tag);
        last = Some(walk.declare(draft));
    }
    shared.inside(walk, last)
}
