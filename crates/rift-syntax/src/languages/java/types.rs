//! Types and modules.

use rift_base::{Facet, Facets};
use tree_sitter::Node;

use super::head::{Head, document};
use super::{member, name_of, scope, values};
use crate::engine::{Draft, Visit, Walk};
use crate::text::range;

pub(super) fn declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: &'static str) -> Visit {
    let Some(name) = name_of(node) else { return Visit::Descend };
    let head = Head::read(walk, node);
    let mut draft = Draft::new(kind, walk.text, node, name);
    let is_abstract = head.has("abstract");
    let own: &[Facet] = match kind {
        "interface" => &[Facet::Implementable, Facet::Extensible, Facet::Abstract],
        "annotation" => &[Facet::Annotation],
        "enum" => &[Facet::Enumeration],
        "record" => &[Facet::Constructible],
        _ => &[],
    };
    draft.facets = Facets::of(own)
        .union(member(walk.scope.tag))
        .with(Facet::Type)
        .with(Facet::MemberContainer)
        .with_if(Facet::Abstract, is_abstract)
        .with_if(Facet::Constructible, kind == "class" && !is_abstract)
        .with_if(Facet::Extensible, kind == "class" && !head.has("final"));
    head.apply(walk, node, &mut draft);
    document(walk, &mut draft);
    // Member types that are static without saying so (Java language specification, 8.5.1, 8.9, 8.10 and 9.5).
    let in_interface = walk.scope.tag & scope::INTERFACE != 0;
    let is_static = in_interface || kind != "class" && draft.facets.has(Facet::Member);
    draft.facets = draft.facets.with_if(Facet::Static, is_static);
    let body = node.child_by_field_name("body");
    draft.body = body.map_or(draft.body, range);
    let end = body.map_or(node.end_byte(), |b| b.start_byte());
    draft.signature = head.signature(walk, node, end);

    let mut tag = if matches!(kind, "interface" | "annotation") { scope::INTERFACE } else { scope::CLASS };
    let superclass = node.child_by_field_name("superclass").map_or("", |s| walk.str(s));
    if superclass.ends_with("TestCase") {
        tag |= scope::TEST_CASE;
    }
    let id = walk.declare(draft);
    let inner = walk.scope_of(id, tag);
    if let Some(components) = node.child_by_field_name("parameters").filter(|_| kind == "record") {
        values::components(walk, &inner, components);
    }
    Visit::Enter(inner)
}

/// `module a.b { … }` of a `module-info.java`.
pub(super) fn module<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = name_of(node) else { return Visit::Skip };
    let head = Head::read(walk, node);
    let mut draft = Draft::new("module", walk.text, node, name);
    draft.facets = Facets::of(&[Facet::Namespace, Facet::Module]);
    head.apply(walk, node, &mut draft);
    document(walk, &mut draft);
    let body = node.child_by_field_name("body");
    draft.body = body.map_or(draft.body, range);
    let end = body.map_or(node.end_byte(), |b| b.start_byte());
    draft.signature = head.signature(walk, node, end);
    walk.declare(draft);
    Visit::Skip
}
