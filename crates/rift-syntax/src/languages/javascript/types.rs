//! Interfaces, type aliases, enums and namespaces.

use rift_base::Facet;
use tree_sitter::Node;

use super::classes::method_signature;
use super::parts::{annotation, attach, begin, body, declare, has, is_spread, scope, signature};
use crate::engine::{Draft, Scope, Visit, Walk};
use crate::facts::Joins;
use crate::text::{range, tag};

/// An interface; interfaces of one name are one.
pub(super) fn interface<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name") else { return Visit::Descend };
    let facets = [Facet::Type, Facet::MemberContainer, Facet::Extensible, Facet::Implementable];
    let mut draft = begin(walk, "interface", node, name, &facets);
    draft.joins = Joins::Part(tag("interface"));
    body(walk, node, node.child_by_field_name("body"), &mut draft);
    let scope = walk.scope.clone();
    let id = declare(walk, &scope, draft);
    Visit::Enter(walk.scope_of(id, scope::INTERFACE))
}

/// A property of an interface.
pub(super) fn property_signature<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    if walk.scope.tag == scope::INTERFACE
        && let Some(name) = node.child_by_field_name("name").filter(|name| !is_spread(walk, *name))
    {
        let mut draft = begin(walk, "property", node, name, &[Facet::Value, Facet::Member, Facet::Property]);
        property_facets(&mut draft);
        draft.value_type = annotation(walk, node.child_by_field_name("type"));
        draft.signature = signature(walk, node, draft.item.start as usize, draft.item.end as usize);
        let scope = walk.scope.clone();
        declare(walk, &scope, draft);
    }
    Visit::Skip
}

/// A property can be assigned unless it is `readonly`.
pub(super) fn property_facets(draft: &mut Draft<'_>) {
    if !has(draft, "readonly") {
        draft.facets = draft.facets.with(Facet::Mutable);
    }
}

/// Types around an object type that leave its members' names as they are.
const TRANSPARENT: &[&str] = &["Readonly", "$ReadOnly", "Partial", "Required"];

/// Longest type, in bytes, that an alias's signature shows.
const SHORT_TYPE: usize = 200;

/// A type alias. An object type in it has members as an interface has.
pub(super) fn alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name") else { return Visit::Descend };
    let mut draft = begin(walk, "type_alias", node, name, &[Facet::Type, Facet::Alias]);
    let value = node.child_by_field_name("value");
    let objects = value.map_or_else(Vec::new, |value| object_types(walk, value));
    if !objects.is_empty() {
        draft.facets = draft.facets.with(Facet::MemberContainer);
    }
    let is_long = |v: &Node<'t>| {
        range(*v).len() > SHORT_TYPE || (!objects.is_empty() && v.start_position().row != v.end_position().row)
    };
    body(walk, node, value.filter(is_long), &mut draft);
    draft.signature.truncate(draft.signature.trim_end_matches([' ', '=']).len());
    let scope = walk.scope.clone();
    let id = declare(walk, &scope, draft);
    let inner = walk.scope_of(id, scope::INTERFACE);
    let outer = std::mem::replace(&mut walk.scope, inner);
    walk.wrapper = None;
    for object in objects {
        members(walk, object, |walk, member| match member.kind() {
            "property_signature" => drop(property_signature(walk, member)),
            "method_signature" => drop(method_signature(walk, member)),
            _ => {}
        });
    }
    walk.scope = outer;
    Visit::Skip
}

/// The object types that a type is, or is an intersection of.
fn object_types<'t>(walk: &Walk<'t>, value: Node<'t>) -> Vec<Node<'t>> {
    let mut out = Vec::new();
    let mut open = vec![value];
    while let Some(node) = open.pop() {
        match node.kind() {
            "object_type" => out.push(node),
            "intersection_type" | "parenthesized_type" => {
                let mut cursor = node.walk();
                let parts: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
                open.extend(parts.into_iter().rev());
            }
            "generic_type" if node.child_by_field_name("name").is_some_and(|n| TRANSPARENT.contains(&walk.str(n))) => {
                open.extend(node.child_by_field_name("type_arguments").and_then(|a| a.named_child(0)));
            }
            _ => {}
        }
    }
    out
}

/// Shows the named children of `container` to `each`, with the comments before each in [`Walk::leading`].
fn members<'t>(walk: &mut Walk<'t>, container: Node<'t>, mut each: impl FnMut(&mut Walk<'t>, Node<'t>)) {
    let mut cursor = container.walk();
    walk.leading.clear();
    for node in container.named_children(&mut cursor) {
        if node.kind() == "comment" {
            walk.leading.push(node);
        } else {
            each(walk, node);
            walk.leading.clear();
        }
    }
}

/// An enum with its members.
pub(super) fn enumeration<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name") else { return Visit::Descend };
    let code = node.child_by_field_name("body");
    let facets = [Facet::Type, Facet::Value, Facet::MemberContainer, Facet::Enumeration];
    let mut draft = begin(walk, "enum", node, name, &facets);
    body(walk, node, code, &mut draft);
    let scope = walk.scope.clone();
    let id = declare(walk, &scope, draft);
    let inner = walk.scope_of(id, scope::LOCAL);
    let outer = std::mem::replace(&mut walk.scope, inner.clone());
    walk.wrapper = None;
    if let Some(code) = code {
        members(walk, code, |walk, member| {
            let name =
                if member.kind() == "enum_assignment" { member.child_by_field_name("name") } else { Some(member) };
            let Some(name) = name.filter(|_| !member.is_error()) else { return };
            let facets = [Facet::Value, Facet::Member, Facet::Variant];
            let mut draft = begin(walk, "enum_member", member, name, &facets);
            draft.signature = signature(walk, member, member.start_byte(), member.end_byte());
            declare(walk, &inner, draft);
        });
    }
    walk.scope = outer;
    Visit::Skip
}

/// `namespace A.B {}`, `module A {}` or `declare module "x" {}`; each name of a dotted one is a namespace. Namespaces
/// of one path are one.
pub(super) fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name") else { return Visit::Descend };
    let code = node.child_by_field_name("body");
    let mut scope = walk.scope.clone();
    let mut tag_below = scope::NAMESPACE_HEAD;
    for (i, name) in dotted(name).into_iter().enumerate() {
        let mut draft = begin(walk, "namespace", node, name, &[Facet::Namespace, Facet::MemberContainer]);
        if i > 0 {
            draft.documentation = None;
        }
        if has(&draft, "declare") || scope.tag == scope::AMBIENT {
            tag_below = scope::AMBIENT_HEAD;
        }
        draft.joins = Joins::Part(tag("namespace"));
        body(walk, node, code, &mut draft);
        let id = declare(walk, &scope, draft);
        scope = Scope { tag: tag_below, ..walk.scope_of(id, tag_below) };
    }
    Visit::Enter(scope)
}

/// The name nodes of `a.b.c`, in order.
pub(super) fn dotted(name: Node<'_>) -> Vec<Node<'_>> {
    let mut out = Vec::new();
    let mut open = Some(name);
    while let Some(node) = open.take() {
        match (node.child_by_field_name("object"), node.child_by_field_name("property")) {
            (Some(object), Some(property)) => {
                out.push(property);
                open = Some(object);
            }
            _ => out.push(node),
        }
    }
    out.reverse();
    out
}

/// `declare …`: what is declared starts here. `declare global {}` is a namespace of that name.
pub(super) fn ambient<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let mut cursor = node.walk();
    let Some(global) = node.children(&mut cursor).find(|n| n.kind() == "global") else { return Visit::Unwrap };
    let mut draft = Draft::named("namespace", node, walk.str(global).into());
    draft.name_range = range(global);
    draft.facets = rift_base::Facets::of(&[Facet::Namespace, Facet::MemberContainer]);
    draft.modifiers.push("declare".into());
    draft.joins = Joins::Part(tag("namespace"));
    attach(walk, &walk.leading, walk.outer(node).start_byte(), &mut draft);
    let mut cursor = node.walk();
    let code = node.named_children(&mut cursor).find(|n| n.kind() == "statement_block");
    body(walk, node, code, &mut draft);
    let scope = walk.scope.clone();
    let id = declare(walk, &scope, draft);
    Visit::Enter(walk.scope_of(id, scope::AMBIENT_HEAD))
}
