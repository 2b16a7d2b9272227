//! Parameters, and the tags that join prototypes with definitions.

use tree_sitter::Node;

use super::declarators::{Declarator, declarator};
use super::types::{Specifiers, line, normal, normal_text, result_type, specifiers, value_type};
use crate::engine::Walk;
use crate::facts::{Callable, Parameter};
use crate::text::{squeeze, tag};

/// A function's parameters and results, and its tag.
pub(super) struct Shape {
    pub(super) callable: Callable,
    /// Equal for a prototype and its definition.
    pub(super) tag: u64,
}

/// Reads the function that `d` declares. C has one function per name, so its tags are all equal.
pub(super) fn shape<'t>(walk: &Walk<'t>, outer: &Specifiers<'t>, d: &Declarator<'t>, cpp: bool) -> Shape {
    let mut callable = Callable::default();
    let mut types: Vec<String> = Vec::new();
    if let Some(function) = d.function {
        if let Some(list) = function.child_by_field_name("parameters") {
            read_list(walk, list, &mut callable, &mut types);
        }
        if cpp {
            let mut cursor = function.walk();
            for child in function.named_children(&mut cursor) {
                if matches!(child.kind(), "type_qualifier" | "ref_qualifier") {
                    types.push(format!(" {}", walk.str(child)));
                }
            }
        }
    }
    if let Some(result) = result_type(walk, outer, d) {
        callable.returns.push(result.into());
    }
    let tag = if cpp { tag(("function", types)) } else { tag("function") };
    Shape { callable, tag }
}

fn read_list<'t>(walk: &Walk<'t>, list: Node<'t>, callable: &mut Callable, types: &mut Vec<String>) {
    let mut cursor = list.walk();
    for child in list.children(&mut cursor) {
        match child.kind() {
            "parameter_declaration" | "optional_parameter_declaration" | "variadic_parameter_declaration" => {
                let inner = specifiers(walk, child);
                let abstract_or_not = child.child_by_field_name("declarator");
                let named = abstract_or_not.and_then(declarator);
                let (annotation, normal) = match (&named, abstract_or_not) {
                    (None, Some(node)) => unnamed(walk, &inner, node),
                    _ => (value_type(walk, &inner, named.as_ref()), normal(walk, &inner, named.as_ref())),
                };
                if annotation == "void" && abstract_or_not.is_none() {
                    continue;
                }
                let default = match child.child_by_field_name("default_value") {
                    Some(value) => Some(line(walk, value)),
                    None => masked_default(walk, child.end_byte()),
                };
                let default: Option<Box<str>> = default.map(Into::into);
                callable.parameters.push(Parameter {
                    name: named.map(|d| walk.str(d.name).into()),
                    annotation: Some(annotation.into()),
                    optional: default.is_some(),
                    default,
                    variadic: child.kind() == "variadic_parameter_declaration",
                });
                types.push(normal);
            }
            "variadic_parameter" | "..." => {
                callable.parameters.push(Parameter { variadic: true, ..Parameter::default() });
                types.push("...".to_owned());
            }
            // An old style definition lists names alone.
            "identifier" => {
                callable.parameters.push(Parameter { name: Some(walk.str(child).into()), ..Parameter::default() });
            }
            _ => {}
        }
    }
}

/// Annotation and normal form of a parameter whose declarator has no name.
fn unnamed(walk: &Walk<'_>, specifiers: &Specifiers<'_>, node: Node<'_>) -> (String, String) {
    // A declarator whose name is empty and stands at its end: all of its text comes before the name.
    let text = line(walk, node);
    let touches = specifiers.kind.is_some_and(|k| k.end_byte() == node.start_byte());
    let gap = if touches || text.starts_with('[') || specifiers.text.is_empty() { "" } else { " " };
    let decayed = if text.starts_with('[') { "*" } else { text.as_str() };
    let normal = normal_text(&format!("{} {decayed}", specifiers.text));
    (format!("{}{gap}{text}", specifiers.text), normal)
}

/// The default value behind a parameter that ends at `at`, where masking took it from the parser.
fn masked_default(walk: &Walk<'_>, at: usize) -> Option<String> {
    let rest = walk.parsed.get(at..)?;
    let blank = rest.len() - rest.trim_start().len();
    let default = walk.text.get(at..at + blank)?.trim().strip_prefix('=')?;
    Some(squeeze(default))
}

/// Gives the parameters of an old style definition the types that are declared behind its list.
pub(super) fn old_style_types(walk: &Walk<'_>, function: Node<'_>, callable: &mut Callable) {
    let mut cursor = function.walk();
    for child in function.named_children(&mut cursor).filter(|c| c.kind() == "declaration") {
        let specifiers = specifiers(walk, child);
        let mut inner = child.walk();
        for d in child.children_by_field_name("declarator", &mut inner).filter_map(declarator) {
            let name = walk.str(d.name);
            let parameter = callable.parameters.iter_mut().find(|p| p.name.as_deref() == Some(name));
            if let Some(parameter) = parameter {
                parameter.annotation = Some(value_type(walk, &specifiers, Some(&d)).into());
            }
        }
    }
}
