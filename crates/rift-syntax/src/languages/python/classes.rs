//! Classes.

use rift_base::{ByteRange, Facet};
use tree_sitter::Node;

use super::docstring::docstring;
use super::{decorators, last_segment, name_of, placed, scope, visibility};
use crate::engine::{Draft, Visit, Walk};
use crate::facts::DeclId;
use crate::text::{header, range};

/// Base classes that make an enumeration: those of `enum`, and Django's choices.
const ENUMS: &[&str] =
    &["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum", "Choices", "TextChoices", "IntegerChoices"];

pub(super) fn visit<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = name_of(node) else { return Visit::Descend };
    let scope_tag = walk.scope.tag;
    let decorators = decorators(walk);
    let decorated = |word: &str| decorators.iter().any(|d| last_segment(d) == word);
    let bases = node.child_by_field_name("superclasses");
    let bases_of = bases.map(|b| base_names(walk, b)).unwrap_or_default();
    let has_base = |words: &[&str]| bases_of.iter().any(|b| words.contains(b));
    let is_enum = has_base(ENUMS);

    let mut draft = Draft::new("class", walk.text, node, name);
    draft.start = walk.outer(node).start_byte();
    draft.modifiers.extend(decorated("final").then(|| "final".into()));
    draft.facets = placed(scope_tag)
        .with(Facet::Type)
        .with(Facet::MemberContainer)
        .with_if(Facet::Constructible, !is_enum)
        .with_if(Facet::Extensible, !decorated("final"))
        .with_if(Facet::Enumeration, is_enum)
        .with_if(Facet::Abstract, has_base(&["ABC", "ABCMeta", "Protocol"]))
        .with_if(Facet::Deprecated, decorated("deprecated"));
    visibility(&mut draft, scope_tag);
    let head_end = bases.or_else(|| node.child_by_field_name("type_parameters")).unwrap_or(name).end_byte();
    draft.signature = header(walk.text, node, ByteRange::new(node.start_byte(), head_end), &["line_continuation"]);
    let body = node.child_by_field_name("body");
    if let Some(body) = body {
        draft.body = range(body);
        draft.documentation = docstring(walk.text, body);
    }

    let mut tag = scope::CLASS;
    if is_enum {
        tag |= scope::ENUM;
    }
    if draft.name.starts_with("Test") || ["Test", "Tests", "TestCase"].iter().any(|end| draft.name.ends_with(end)) {
        tag |= scope::TEST_NAME;
    }
    // `TestCase` and what projects derive from it: `SimpleTestCase`, `OperationTestBase`, `BaseUserTests`.
    if bases_of.iter().any(|b| b.contains("Test")) {
        tag |= scope::TEST_CASE;
    }
    let id = walk.declare(draft);
    if let Some(body) = body {
        remember_functions(walk, id, body);
    }
    Visit::Enter(walk.scope_of(id, tag))
}

/// Last segments of the base classes, and of the metaclass.
fn base_names<'t>(walk: &Walk<'t>, bases: Node<'t>) -> Vec<&'t str> {
    let mut cursor = bases.walk();
    let base = |node: Node<'t>| match node.kind() {
        "keyword_argument" => {
            let is_metaclass = node.child_by_field_name("name").is_some_and(|n| walk.str(n) == "metaclass");
            node.child_by_field_name("value").filter(|_| is_metaclass).map(|v| last_segment(walk.str(v)))
        }
        _ => Some(last_segment(walk.str(node))),
    };
    bases.named_children(&mut cursor).filter_map(base).collect()
}

/// Remembers the names of a class's own functions, so that an assignment to `self.x` does not declare a property `x`
/// that the class defines further down.
fn remember_functions<'t>(walk: &mut Walk<'t>, class: DeclId, body: Node<'t>) {
    let mut cursor = body.walk();
    for child in body.named_children(&mut cursor) {
        let function = match child.kind() {
            "decorated_definition" => child.child_by_field_name("definition"),
            _ => Some(child),
        };
        let function = function.filter(|f| f.kind() == "function_definition");
        if let Some(name) = function.and_then(name_of) {
            walk.remember(Some(class), walk.str(name), class);
        }
    }
}
