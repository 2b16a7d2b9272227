//! Functions, methods and the methods of interfaces.

use rift_base::{ByteRange, Facet, Facets, NamePath};
use tree_sitter::Node;

use super::shared::SHARED_TYPE;
use super::{comments, exported, scope, usable};
use crate::engine::{Draft, Scope, Visit, Walk};
use crate::facts::{Callable, Parameter};
use crate::text::{clip, header, range, squeeze};

pub(super) fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name").filter(|n| usable(walk, *n)) else { return Visit::Descend };
    let mut draft = draft(walk, node, "function", name);
    draft.facets = Facets::of(&[Facet::Value, Facet::Callable]);
    if let Some(callable) = draft.callable.as_ref().filter(|_| walk.scope.tag == 0) {
        let package = walk.package.as_ref().map(|p| p.name());
        let is_main = &*draft.name == "main" && package.as_deref() == Some("main") && callable.parameters.is_empty();
        let is_test = is_test(&draft.name, callable);
        draft.facets = draft.facets.with_if(Facet::Entrypoint, is_main).with_if(Facet::Test, is_test);
    }
    let scope = walk.scope.clone();
    finish(walk, &scope, node, draft)
}

pub(super) fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name").filter(|n| usable(walk, *n)) else { return Visit::Descend };
    let receivers = node.child_by_field_name("receiver");
    let receiver = receivers.and_then(|r| parameters(walk, r).into_iter().next());
    let type_name = receivers.and_then(receiver_type).map(|t| walk.str(t));
    let container = type_name.and_then(|t| walk.find_type(&NamePath::from_names([t])));
    let mut draft = draft(walk, node, "method", name);
    if let Some(callable) = &mut draft.callable {
        callable.receiver = receiver;
    }
    draft.facets = Facets::of(&[Facet::Value, Facet::Callable, Facet::Member]);
    let scope = match container {
        Some(id) => walk.scope_of(id, scope::TYPE),
        None => {
            draft.qualifier.extend(type_name.map(str::to_owned));
            walk.scope.clone()
        }
    };
    finish(walk, &scope, node, draft)
}

pub(super) fn interface_method<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name").filter(|n| usable(walk, *n)) else { return Visit::Skip };
    let mut draft = draft(walk, node, "method", name);
    draft.facets = Facets::of(&[Facet::Value, Facet::Callable, Facet::Member, Facet::Abstract]);
    let scope = walk.scope.clone();
    finish(walk, &scope, node, draft);
    Visit::Skip
}

fn draft<'t>(walk: &Walk<'t>, node: Node<'t>, kind: &'static str, name: Node<'t>) -> Draft<'t> {
    let mut draft = Draft::new(kind, walk.text, node, name);
    let body = node.child_by_field_name("body");
    if let Some(body) = body {
        draft.body = range(body);
    }
    let end = body.map_or(node.end_byte(), |b| b.start_byte());
    draft.signature = header(walk.text, node, ByteRange::new(node.start_byte(), end), &[]);
    let list = |field: &str| node.child_by_field_name(field);
    let returns = match list("result") {
        Some(result) if result.kind() == "parameter_list" => {
            parameters(walk, result).into_iter().filter_map(|p| p.annotation).collect()
        }
        Some(result) => vec![squeeze(walk.str(result)).into()],
        None => Vec::new(),
    };
    let parameters = list("parameters").map(|p| parameters(walk, p)).unwrap_or_default();
    draft.callable = Some(Callable { receiver: None, parameters, returns });
    draft
}

fn finish<'t>(walk: &mut Walk<'t>, scope: &Scope, node: Node<'t>, mut draft: Draft<'t>) -> Visit {
    comments::attach(walk, node, &mut draft);
    exported(&mut draft, scope.tag);
    let id = walk.declare_in(scope, draft);
    Visit::Enter(walk.scope_of(id, scope::FUNCTION))
}

/// The parameters of a list, one for each name.
fn parameters(walk: &Walk<'_>, list: Node<'_>) -> Vec<Parameter> {
    let mut out = Vec::new();
    let mut cursor = list.walk();
    for declaration in list.named_children(&mut cursor) {
        if !declaration.kind().ends_with("parameter_declaration") {
            continue;
        }
        // Clipped, for it is kept once for each name.
        let annotation =
            declaration.child_by_field_name("type").map(|t| clip(squeeze(walk.str(t)), SHARED_TYPE).into());
        let variadic = declaration.kind().starts_with("variadic");
        let unnamed = Parameter { annotation, variadic, ..Parameter::default() };
        let mut inner = declaration.walk();
        let before = out.len();
        for name in declaration.children_by_field_name("name", &mut inner).filter(Node::is_named) {
            out.push(Parameter { name: Some(walk.str(name).into()), ..unnamed.clone() });
        }
        if out.len() == before {
            out.push(unnamed);
        }
    }
    out
}

/// The type name in `(r *T[P])`.
fn receiver_type<'t>(list: Node<'t>) -> Option<Node<'t>> {
    let mut cursor = list.walk();
    let mut node = list.named_children(&mut cursor).find(|n| n.kind() == "parameter_declaration")?;
    loop {
        node = match node.kind() {
            "type_identifier" => return Some(node),
            "parameter_declaration" | "generic_type" => node.child_by_field_name("type")?,
            "pointer_type" | "parenthesized_type" => node.named_child(0)?,
            _ => return None,
        };
    }
}

/// Functions that `go test` runs (package testing): `TestX(*testing.T)`, `BenchmarkX(*testing.B)`,
/// `FuzzX(*testing.F)` and `ExampleX()`, where X does not start with a lower-case letter.
fn is_test(name: &str, callable: &Callable) -> bool {
    const RUN: &[(&str, &str)] = &[("Test", "*testing.T"), ("Benchmark", "*testing.B"), ("Fuzz", "*testing.F")];
    let named = |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| !rest.starts_with(char::is_lowercase));
    match callable.parameters.as_slice() {
        [] => named("Example"),
        [one] => RUN.iter().any(|(prefix, kind)| named(prefix) && one.annotation.as_deref() == Some(kind)),
        _ => false,
    }
}
