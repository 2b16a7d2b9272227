//! Methods, constructors and annotation elements.

use rift_base::{Facet, Facets};
use tree_sitter::Node;

use super::head::{Head, document};
use super::values::declared_type;
use super::{member, name_of, scope};
use crate::engine::{Draft, Visit, Walk};
use crate::facts::{Callable, Parameter};
use crate::text::{range, squeeze};

/// JUnit 4, JUnit 5 and TestNG annotations that make a method a test.
const TESTS: &[&str] = &["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"];

pub(super) fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = name_of(node) else { return Visit::Descend };
    let head = Head::read(walk, node);
    let tag = walk.scope.tag;
    let mut draft = Draft::new("method", walk.text, node, name);
    let body = node.child_by_field_name("body");
    let callable = callable(walk, node);
    let returns_void = callable.returns.first().is_some_and(|r| &**r == "void");
    let is_test = TESTS.iter().any(|t| head.annotated(t))
        || tag & scope::TEST_CASE != 0 && draft.name.starts_with("test") && callable.parameters.is_empty();
    let is_main = &*draft.name == "main" && head.has("static") && returns_void && takes_arguments(&callable);
    draft.facets = member(tag)
        .union(Facets::of(&[Facet::Value, Facet::Callable]))
        .with_if(Facet::Abstract, head.has("abstract") || tag & scope::INTERFACE != 0 && body.is_none())
        .with_if(Facet::Test, is_test);
    finish(walk, node, &head, &mut draft, callable);
    draft.facets = draft.facets.with_if(Facet::Entrypoint, is_main && draft.facets.has(Facet::Public));
    let id = walk.declare(draft);
    Visit::Enter(walk.scope_of(id, scope::METHOD))
}

pub(super) fn constructor<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = name_of(node) else { return Visit::Descend };
    let head = Head::read(walk, node);
    let mut draft = Draft::new("constructor", walk.text, node, name);
    draft.facets = member(walk.scope.tag).union(Facets::of(&[Facet::Value, Facet::Callable, Facet::Constructor]));
    let callable = callable(walk, node);
    finish(walk, node, &head, &mut draft, callable);
    let id = walk.declare(draft);
    Visit::Enter(walk.scope_of(id, scope::METHOD))
}

/// `int priority() default 0;` of an annotation type.
pub(super) fn element<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = name_of(node) else { return Visit::Skip };
    let head = Head::read(walk, node);
    let mut draft = Draft::new("element", walk.text, node, name);
    draft.facets = member(walk.scope.tag).union(Facets::of(&[Facet::Value, Facet::Callable, Facet::Abstract]));
    let callable = callable(walk, node);
    finish(walk, node, &head, &mut draft, callable);
    walk.declare(draft);
    Visit::Skip
}

fn finish<'t>(walk: &Walk<'t>, node: Node<'t>, head: &Head<'t>, draft: &mut Draft<'_>, callable: Callable) {
    head.apply(walk, node, draft);
    document(walk, draft);
    draft.callable = Some(callable);
    let body = node.child_by_field_name("body");
    draft.body = body.map_or(draft.body, range);
    let end = body.map_or(node.end_byte(), |b| b.start_byte());
    draft.signature = head.signature(walk, node, end).trim_end_matches([';', ' ']).to_owned();
}

fn callable(walk: &Walk<'_>, node: Node<'_>) -> Callable {
    let mut out = Callable {
        returns: declared_type(walk, node, node).into_iter().map(Into::into).collect(),
        ..Callable::default()
    };
    let Some(list) = node.child_by_field_name("parameters") else { return out };
    let mut cursor = list.walk();
    for child in list.named_children(&mut cursor) {
        match child.kind() {
            "formal_parameter" | "spread_parameter" => out.parameters.extend(parameter(walk, child)),
            "receiver_parameter" => {
                let mut inner = child.walk();
                let annotation = child.named_children(&mut inner).find(|n| !n.kind().ends_with("annotation"));
                let annotation = annotation.map(|a| squeeze(walk.str(a)).into());
                out.receiver = Some(Parameter { name: Some("this".into()), annotation, ..Parameter::default() });
            }
            _ => {}
        }
    }
    out
}

/// One formal parameter; of a variable-arity one, the element type.
pub(super) fn parameter(walk: &Walk<'_>, node: Node<'_>) -> Option<Parameter> {
    if node.kind() == "formal_parameter" {
        let name = name_of(node).map(|n| walk.str(n).into());
        let annotation = declared_type(walk, node, node).map(Into::into);
        return Some(Parameter { name, annotation, ..Parameter::default() });
    }
    let mut out = Parameter { variadic: true, ..Parameter::default() };
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "modifiers" | "annotation" | "marker_annotation" | "line_comment" | "block_comment" => {}
            "variable_declarator" => out.name = name_of(child).map(|n| walk.str(n).into()),
            _ => out.annotation = Some(squeeze(walk.str(child)).into()),
        }
    }
    Some(out)
}

/// `String[] args` or `String... args`.
fn takes_arguments(callable: &Callable) -> bool {
    let [only] = callable.parameters.as_slice() else { return false };
    let annotation = only.annotation.as_deref().unwrap_or("");
    let (element, array) = match annotation.strip_suffix("[]") {
        Some(element) => (element.trim_end(), true),
        None => (annotation, false),
    };
    matches!(element, "String" | "java.lang.String") && array != only.variadic
}
