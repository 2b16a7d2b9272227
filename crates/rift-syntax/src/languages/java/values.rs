//! Fields, constants, enum constants and record components.

use rift_base::{Facet, Facets};
use tree_sitter::Node;

use super::head::{Head, document};
use super::{callables, member, name_of, scope};
use crate::engine::{Draft, Scope, Visit, Walk};
use crate::text::{clip, range, squeeze};

/// Declarators of one declaration that get its documentation; further ones go without, so that a comment is not kept
/// thousands of times.
const DOCUMENTED: usize = 16;

/// Longest type, in bytes, that a field keeps, and that each of several declarators shows.
const SHARED_TYPE: usize = 256;

/// Longest argument list, in bytes, that an enum constant's signature shows.
const SHORT_ARGUMENTS: usize = 80;

/// A field declaration: a declaration for each of its names. `static final` ones, and all of an interface, are
/// constants. The value is the body.
pub(super) fn fields<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let head = Head::read(walk, node);
    let in_interface = walk.scope.tag & scope::INTERFACE != 0;
    let is_final = head.has("final") || in_interface;
    let kind = if is_final && (head.has("static") || in_interface) { "constant" } else { "field" };
    let mut cursor = node.walk();
    let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator", &mut cursor).collect();
    let Some(first) = declarators.first() else { return Visit::Skip };
    let mut shared = head.signature(walk, node, first.start_byte());
    if declarators.len() > 1 {
        shared = clip(shared, SHARED_TYPE);
    }
    for (at, declarator) in declarators.iter().copied().enumerate() {
        let Some(name) = name_of(declarator) else { continue };
        let value = declarator.child_by_field_name("value");
        let mut draft = Draft::new(kind, walk.text, node, name);
        draft.facets = member(walk.scope.tag)
            .with(Facet::Value)
            .with_if(Facet::Mutable, !is_final)
            .with_if(Facet::Static, in_interface);
        head.apply(walk, node, &mut draft);
        if at < DOCUMENTED {
            document(walk, &mut draft);
        }
        let dimensions = declarator.child_by_field_name("dimensions").map_or("", |d| walk.str(d));
        draft.signature = format!("{shared} {}{dimensions}", walk.str(name));
        draft.value_type = declared_type(walk, node, declarator).map(|t| clip(t, SHARED_TYPE));
        draft.body = value.map_or(draft.body, range);
        walk.declare(draft);
    }
    Visit::Skip
}

pub(super) fn enum_constant<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = name_of(node) else { return Visit::Descend };
    let head = Head::read(walk, node);
    let mut draft = Draft::new("enum_constant", walk.text, node, name);
    draft.facets = member(walk.scope.tag).union(Facets::of(&[Facet::Value, Facet::Variant, Facet::Static]));
    head.apply(walk, node, &mut draft);
    document(walk, &mut draft);
    let body = node.child_by_field_name("body");
    draft.body = body.map_or(draft.body, range);
    // Enum constants are public (Java language specification, 8.9.3).
    draft.visibility.get_or_insert_with(|| "public".to_owned());
    draft.facets.insert(Facet::Public);
    let arguments = node.child_by_field_name("arguments").map(|a| squeeze(walk.str(a)));
    draft.signature = head.signature(walk, node, name.end_byte());
    draft.signature.extend(arguments.filter(|a| a.len() <= SHORT_ARGUMENTS));
    let id = walk.declare(draft);
    Visit::Enter(walk.scope_of(id, scope::CLASS))
}

/// The components of a record, as fields: each is a private final field with an accessor of its name.
pub(super) fn components<'t>(walk: &mut Walk<'t>, scope: &Scope, list: Node<'t>) {
    let mut cursor = list.walk();
    for node in list.named_children(&mut cursor) {
        let Some(parameter) = callables::parameter(walk, node).filter(|_| node.kind().ends_with("_parameter")) else {
            continue;
        };
        let mut inner = node.walk();
        let declarator = node.named_children(&mut inner).find(|c| c.kind() == "variable_declarator").unwrap_or(node);
        let Some(name) = name_of(declarator) else { continue };
        let head = Head::read(walk, node);
        let mut draft = Draft::new("field", walk.text, node, name);
        draft.facets = Facets::of(&[Facet::Value, Facet::Member, Facet::Property])
            .with_if(Facet::Deprecated, head.annotated("Deprecated"));
        draft.signature = squeeze(walk.str(node));
        draft.value_type = parameter.annotation.map(|a| if parameter.variadic { format!("{a}...") } else { a.into() });
        walk.declare_in(scope, draft);
    }
}

/// The type that `node` states, with the dimensions that stand behind `declarator`'s name.
pub(super) fn declared_type(walk: &Walk<'_>, node: Node<'_>, declarator: Node<'_>) -> Option<String> {
    let mut out = squeeze(walk.str(node.child_by_field_name("type")?));
    if let Some(dimensions) = declarator.child_by_field_name("dimensions") {
        out.push_str(&squeeze(walk.str(dimensions)));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_not_kept_for_each_of_many_names() {
        let names: Vec<String> = (0..100).map(|n| format!("n{n}")).collect();
        let text = format!("class A {{ /** d */ int {}; }}", names.join(", "));
        let language = rift_base::Language::new("java").unwrap();
        let facts = crate::extract(&text, &language, &crate::Bounds::default()).unwrap();
        let named = facts.outline.declarations.iter().filter(|d| d.path.name().starts_with('n'));
        let documented: Vec<bool> = named.map(|d| d.documentation.is_some()).collect();
        assert_eq!(documented.len(), 100);
        assert!(documented[..DOCUMENTED].iter().all(|d| *d) && documented[DOCUMENTED..].iter().all(|d| !*d));
    }
}
