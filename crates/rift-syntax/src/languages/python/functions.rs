//! Functions, methods and properties.

use rift_base::{ByteRange, Facet, Facets};
use tree_sitter::Node;

use super::docstring::docstring;
use super::{decorators, last_segment, name_of, placed, scope, visibility};
use crate::engine::{Draft, Visit, Walk};
use crate::facts::{Callable, Joins, Parameter};
use crate::text::{header, range, squeeze, tag};

/// Decorators that say what a keyword would say in other languages.
const MODIFIERS: &[&str] = &["staticmethod", "classmethod", "abstractmethod", "final", "override", "overload"];

pub(super) fn visit<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let (Some(name), Some(parameters)) = (name_of(node), node.child_by_field_name("parameters")) else {
        return Visit::Descend;
    };
    let scope_tag = walk.scope.tag;
    let decorators = decorators(walk);
    let decorated = |word: &str| decorators.iter().any(|d| last_segment(d) == word);
    let is_method = scope_tag & scope::CLASS != 0;
    let is_property = is_method && is_accessor(&decorators, walk.str(name));
    let kind = match (is_property, is_method) {
        (true, _) => "property",
        (_, true) => "method",
        _ => "function",
    };
    let mut draft = Draft::new(kind, walk.text, node, name);
    draft.start = walk.outer(node).start_byte();
    let is_async = node.child(0).is_some_and(|c| c.kind() == "async");
    draft.modifiers = MODIFIERS.iter().filter(|m| decorated(m)).map(|m| (*m).into()).collect();
    draft.modifiers.sort_by_key(|m| decorators.iter().position(|d| last_segment(d) == &**m));
    draft.modifiers.extend(is_async.then(|| "async".into()));

    let callable = callable(walk, node, parameters, is_method && !decorated("staticmethod"));
    if is_property {
        draft.value_type = callable.returns.first().map(|r| r.to_string());
    }
    draft.callable = Some(callable);
    let body = node.child_by_field_name("body");
    let signature_end = node.child_by_field_name("return_type").unwrap_or(parameters).end_byte();
    draft.signature = header(walk.text, node, ByteRange::new(node.start_byte(), signature_end), &["line_continuation"]);
    if let Some(body) = body {
        draft.body = range(body);
        draft.documentation = docstring(walk.text, body);
    }
    draft.facets = placed(scope_tag)
        .with(Facet::Value)
        .with_if(Facet::Callable, !is_property)
        .with_if(Facet::Property, is_property)
        .with_if(Facet::Mutable, is_property && decorators.iter().any(|d| d.ends_with(".setter")))
        .with_if(Facet::Abstract, decorators.iter().any(|d| last_segment(d).starts_with("abstract")))
        .with_if(Facet::Deprecated, decorated("deprecated"))
        .with_if(Facet::Async, is_async)
        .with_if(Facet::Generator, body.is_some_and(|b| yields(walk, b)))
        .with_if(Facet::Test, is_test(&draft.name, scope_tag) && !decorated("fixture"));
    if is_method {
        draft.facets = draft.facets.union(method_facets(&draft.name, &decorated));
    }
    visibility(&mut draft, scope_tag);
    draft.joins = match () {
        () if is_property => Joins::Part(tag("property")),
        () if decorated("overload") => Joins::Declaration(tag("overload")),
        () => Joins::Alone,
    };
    let overloaded = draft.joins == Joins::Alone;
    let id = walk.declare(draft);
    if overloaded && follows_overload(walk, id) {
        walk.declared(id).joins = Joins::Definition(tag("overload"));
    }
    Visit::Enter(walk.scope_of(id, scope::FUNCTION))
}

/// Whether the declaration before `id` is an overload of the same function: the implementation stands directly behind
/// its overloads (Typing specification, "Overloads").
fn follows_overload(walk: &Walk<'_>, id: crate::facts::DeclId) -> bool {
    let before = id.0.checked_sub(1).and_then(|n| walk.get(crate::facts::DeclId(n)));
    let (Some(before), Some(this)) = (before, walk.get(id)) else { return false };
    before.joins == Joins::Declaration(tag("overload")) && before.path == this.path
}

/// Whether a method is a property's getter, setter or deleter: `@property`, what ends so (`cached_property`,
/// `abstractproperty`, `classproperty`), or `@x.setter` on a method `x`.
fn is_accessor(decorators: &[&str], name: &str) -> bool {
    decorators.iter().any(|d| {
        let (object, last) = d.rsplit_once('.').unwrap_or(("", d));
        last.ends_with("property")
            || (matches!(last, "getter" | "setter" | "deleter") && object.rsplit('.').next() == Some(name))
    })
}

fn method_facets(name: &str, decorated: &impl Fn(&str) -> bool) -> Facets {
    Facets::NONE
        .with_if(Facet::Static, decorated("staticmethod") || decorated("classmethod"))
        .with_if(Facet::Constructor, matches!(name, "__init__" | "__new__"))
        .with_if(Facet::Operator, is_operator(name))
}

/// Special methods that implement an operator (Python data model: comparison, call, subscript, membership and
/// numeric operators).
fn is_operator(name: &str) -> bool {
    const COMPARISON: &[&str] = &["lt", "le", "eq", "ne", "gt", "ge"];
    const OTHER: &[&str] = &["call", "contains", "getitem", "setitem", "delitem", "neg", "pos", "invert"];
    const NUMERIC: &[&str] = &[
        "add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift", "and", "xor",
        "or",
    ];
    let Some(word) = name.strip_prefix("__").and_then(|n| n.strip_suffix("__")) else { return false };
    let numeric = |w: &str| NUMERIC.contains(&w);
    COMPARISON.contains(&word)
        || OTHER.contains(&word)
        || numeric(word)
        || word.strip_prefix(['r', 'i']).is_some_and(numeric)
}

/// Test functions as pytest and unittest find them, as far as the text alone tells: `test_…` in a module; `test_…` or
/// `testX…` in a class `Test…` or `…Test(s)`; `test…` in a class with such a base.
fn is_test(name: &str, tag: u8) -> bool {
    let Some(rest) = name.strip_prefix("test") else { return false };
    if tag & scope::TEST_CASE != 0 {
        return true;
    }
    let named = tag & scope::TEST_NAME != 0;
    (tag & !scope::BROKEN == 0 || named) && rest.starts_with('_')
        || named && rest.starts_with(|c: char| c.is_uppercase())
}

/// Parameters and result as written. The first positional parameter is the receiver when `has_receiver`.
fn callable(walk: &Walk<'_>, node: Node<'_>, parameters: Node<'_>, has_receiver: bool) -> Callable {
    let mut out = Callable::default();
    let mut cursor = parameters.walk();
    for child in parameters.named_children(&mut cursor) {
        let Some(parameter) = parameter(walk, child) else { continue };
        if has_receiver && out.receiver.is_none() && out.parameters.is_empty() && !parameter.variadic {
            out.receiver = Some(parameter);
        } else {
            out.parameters.push(parameter);
        }
    }
    let returns = node.child_by_field_name("return_type");
    out.returns.extend(returns.map(|r| squeeze(walk.str(r)).into()));
    out
}

fn parameter(walk: &Walk<'_>, node: Node<'_>) -> Option<Parameter> {
    let text = |n: Node<'_>| -> Box<str> { squeeze(walk.str(n)).into() };
    let field = |name: &str| node.child_by_field_name(name);
    let pattern = match node.kind() {
        "identifier" | "list_splat_pattern" | "dictionary_splat_pattern" | "tuple_pattern" => node,
        "typed_parameter" => node.named_child(0)?,
        "default_parameter" | "typed_default_parameter" => field("name")?,
        _ => return None,
    };
    let variadic = pattern.kind().ends_with("splat_pattern");
    let name = match pattern.kind() {
        "identifier" => Some(pattern),
        _ if variadic => pattern.named_child(0),
        _ => None,
    };
    let default = field("value");
    Some(Parameter {
        name: name.map(text),
        annotation: field("type").map(text),
        default: default.map(text),
        optional: default.is_some(),
        variadic,
    })
}

/// Whether `body` yields itself, not through a function, class or lambda inside it.
fn yields(walk: &Walk<'_>, body: Node<'_>) -> bool {
    if !walk.str(body).contains("yield") {
        return false;
    }
    let mut cursor = body.walk();
    loop {
        let inner = match cursor.node().kind() {
            "yield" if cursor.node().is_named() => return true,
            "function_definition" | "class_definition" | "lambda" => false,
            _ => cursor.goto_first_child(),
        };
        if inner {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}
