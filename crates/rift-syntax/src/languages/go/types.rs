//! Types and their fields.

use rift_base::{ByteRange, Facet, Facets};
use tree_sitter::Node;

use super::shared::{Shared, names};
use super::{comments, exported, member, scope, usable};
use crate::engine::{Draft, Visit, Walk};
use crate::text::{header, range, squeeze};

pub(super) fn declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name").filter(|n| usable(walk, *n)) else { return Visit::Skip };
    let definition = node.child_by_field_name("type");
    let (kind, facets) = match definition.map(|d| d.kind()) {
        _ if node.kind() == "type_alias" => ("type_alias", Facets::of(&[Facet::Alias])),
        Some("struct_type") => ("struct", Facets::of(&[Facet::MemberContainer, Facet::Constructible])),
        Some("interface_type") => ("interface", Facets::of(&[Facet::MemberContainer, Facet::Implementable])),
        _ => ("type", Facets::NONE),
    };
    let item = walk.outer(node);
    let mut draft = Draft::new(kind, walk.text, item, name);
    draft.facets = facets.with(Facet::Type);
    if let Some(body) = definition.and_then(braces) {
        draft.body = body;
    }
    if kind == "type_alias" {
        draft.value_type = definition.map(|d| squeeze(walk.str(d)));
    }
    let head = ByteRange { start: draft.item.start, end: draft.body.start };
    draft.signature = header(walk.text, item, head, &[]);
    if item == node {
        // A line of a group reads like a lone declaration.
        draft.signature.insert_str(0, "type ");
    }
    comments::attach(walk, node, &mut draft);
    exported(&mut draft, walk.scope.tag);
    let id = walk.declare(draft);
    Visit::Enter(walk.scope_of(id, scope::TYPE))
}

/// The braces of a struct or interface type.
fn braces(definition: Node<'_>) -> Option<ByteRange> {
    match definition.kind() {
        "struct_type" => definition.named_child(0).filter(|n| n.kind() == "field_declaration_list").map(range),
        "interface_type" => {
            let mut cursor = definition.walk();
            let open = definition.children(&mut cursor).find(|c| c.kind() == "{")?;
            Some(ByteRange::new(open.start_byte(), definition.end_byte()))
        }
        _ => None,
    }
}

pub(super) fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(definition) = node.child_by_field_name("type") else { return Visit::Skip };
    let mut names = names(walk, node);
    let embedded = node.child_by_field_name("name").is_none();
    if embedded {
        names.extend(type_name(definition).filter(|n| usable(walk, *n)));
    }
    let body = braces(definition);
    let shared = Shared::read(walk, node, &names);
    let mut last = None;
    for (at, name) in names.iter().enumerate() {
        let mut draft = Draft::new("field", walk.text, node, *name);
        draft.facets = member(walk.scope.tag).union(Facets::of(&[Facet::Value, Facet::Mutable]));
        draft.modifiers.extend(embedded.then(|| "embedded".into()));
        draft.value_type = shared.definition.clone();
        draft.body = body.unwrap_or(draft.body);
        let head = ByteRange { start: draft.item.start, end: draft.body.start };
        draft.signature = match names.len() {
            1 => header(walk.text, node, head, &[]),
            _ => shared.signature(&draft.name),
        };
        if embedded {
            let star = ByteRange { start: draft.item.start, end: range(definition).end };
            draft.value_type = Some(header(walk.text, node, star, &[]));
        }
        shared.document(walk, node, at, &mut draft);
        exported(&mut draft, walk.scope.tag);
        last = Some(walk.declare(draft));
    }
    shared.inside(walk, last)
}

/// The name that an embedded field's type gives it: the type's, without package and type arguments.
fn type_name(mut definition: Node<'_>) -> Option<Node<'_>> {
    loop {
        definition = match definition.kind() {
            "type_identifier" => return Some(definition),
            "qualified_type" => definition.child_by_field_name("name")?,
            "generic_type" => definition.child_by_field_name("type")?,
            "pointer_type" | "parenthesized_type" => definition.named_child(0)?,
            _ => return None,
        };
    }
}
