//! Types and their fields.

use rift_base::{ByteRange, Facet, Facets};
use tree_sitter::Node;

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
    let head = ByteRange { start: draft.item.start, end: draft.body.start };
    draft.signature = with_keyword("type", header(walk.text, item, head, &[]), item, node);
    comments::attach(walk, node, &mut draft);
    exported(&mut draft, walk.scope.tag);
    let container = walk.scope.decl;
    let id = walk.declare(draft);
    walk.remember(container, walk.str(name), id);
    Visit::Enter(walk.scope_of(id, scope::TYPE))
}

/// A line of a parenthesised group gets the group's keyword, so that its signature reads like a lone declaration's.
pub(super) fn with_keyword(keyword: &str, signature: String, item: Node<'_>, spec: Node<'_>) -> String {
    if item == spec { format!("{keyword} {signature}") } else { signature }
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
    let mut cursor = node.walk();
    let mut names: Vec<Node<'t>> = node.children_by_field_name("name", &mut cursor).filter(Node::is_named).collect();
    let Some(definition) = node.child_by_field_name("type") else { return Visit::Skip };
    let embedded = names.is_empty();
    if embedded {
        names.extend(type_name(definition));
    }
    names.retain(|n| usable(walk, *n));
    let body = braces(definition);
    let start = if embedded { node.start_byte() } else { definition.start_byte() };
    let value_type = squeeze(walk.text.get(start..definition.end_byte()).unwrap_or(""));
    let mut only = None;
    for name in &names {
        let mut draft = Draft::new("field", walk.text, node, *name);
        draft.facets = member(walk.scope.tag).union(Facets::of(&[Facet::Value, Facet::Mutable]));
        draft.modifiers.extend(embedded.then(|| "embedded".into()));
        draft.signature = header(walk.text, node, range(node), &[]);
        draft.value_type = Some(value_type.clone());
        draft.body = body.unwrap_or(draft.body);
        comments::attach(walk, node, &mut draft);
        exported(&mut draft, walk.scope.tag);
        only = Some(walk.declare(draft));
    }
    match only {
        Some(id) if names.len() == 1 => Visit::Enter(walk.scope_of(id, scope::TYPE)),
        _ => Visit::Skip,
    }
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
