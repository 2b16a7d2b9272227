//! Functions, parameters and results.

use rift_base::Facet;
use tree_sitter::Node;

use super::parts::{annotation, begin, body, declare, scope};
use crate::engine::{Draft, Visit, Walk};
use crate::facts::{Callable, Joins, Parameter};
use crate::text::{squeeze, tag};

/// A function declaration, or an overload or ambient signature.
pub(super) fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name") else { return Visit::Descend };
    let mut draft = begin(walk, "function", node, name, &[Facet::Value, Facet::Callable]);
    draft.callable = Some(callable(walk, node));
    let code = node.child_by_field_name("body");
    draft.joins = overload(code.is_some(), "function");
    body(walk, node, code, &mut draft);
    let scope = walk.scope.clone();
    let id = declare(walk, &scope, draft);
    Visit::Enter(walk.scope_of(id, scope::LOCAL))
}

/// How an overload stub joins its implementation: `word` tells apart what may share a path without joining.
pub(super) fn overload(has_body: bool, word: &str) -> Joins {
    if has_body { Joins::Definition(tag(word)) } else { Joins::Declaration(tag(word)) }
}

/// Whether `node` is an expression that makes a function.
pub(super) fn is_function(node: Node<'_>) -> bool {
    matches!(node.kind(), "arrow_function" | "function_expression" | "generator_function")
}

/// Adds what a function expression says to the declaration that it is the value of.
pub(super) fn function_value<'t>(walk: &Walk<'t>, function: Node<'t>, draft: &mut Draft<'t>) {
    draft.callable = Some(callable(walk, function));
    super::parts::modifiers(walk, function, draft);
}

/// Parameters and result of any node that has them.
pub(super) fn callable(walk: &Walk<'_>, node: Node<'_>) -> Callable {
    let mut out = Callable::default();
    if let Some(single) = node.child_by_field_name("parameter") {
        out.parameters.push(Parameter { name: Some(walk.str(single).into()), ..Parameter::default() });
    }
    if let Some(list) = node.child_by_field_name("parameters") {
        let mut cursor = list.walk();
        for child in list.named_children(&mut cursor) {
            let Some(parameter) = parameter(walk, child) else { continue };
            if parameter.name.as_deref() == Some("this") {
                out.receiver = Some(parameter);
            } else {
                out.parameters.push(parameter);
            }
        }
    }
    let result = node.child_by_field_name("return_type").or_else(|| node.child_by_field_name("type"));
    out.returns.extend(annotation(walk, result).map(Into::into));
    out
}

/// One parameter; none for what is no parameter (comments, broken source).
fn parameter(walk: &Walk<'_>, node: Node<'_>) -> Option<Parameter> {
    let mut out = Parameter::default();
    let mut pattern = match node.kind() {
        "required_parameter" | "optional_parameter" => {
            out.annotation = annotation(walk, node.child_by_field_name("type")).map(Into::into);
            out.default = node.child_by_field_name("value").map(|v| squeeze(walk.str(v)).into());
            out.optional = node.kind() == "optional_parameter";
            node.child_by_field_name("pattern")?
        }
        "assignment_pattern" => {
            out.default = node.child_by_field_name("right").map(|v| squeeze(walk.str(v)).into());
            node.child_by_field_name("left")?
        }
        "identifier" | "rest_pattern" | "object_pattern" | "array_pattern" => node,
        _ => return None,
    };
    out.optional |= out.default.is_some();
    if pattern.kind() == "rest_pattern" {
        out.variadic = true;
        pattern = pattern.named_child(0)?;
    }
    if matches!(pattern.kind(), "identifier" | "this") {
        out.name = Some(walk.str(pattern).into());
    }
    Some(out)
}
