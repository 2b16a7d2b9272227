//! What assignments declare: variables, constants, fields, enumeration members and type aliases.

use rift_base::{ByteRange, Facet};
use tree_sitter::Node;

use super::{last_segment, placed, scope, visibility};
use crate::engine::{Draft, Scope, Walk};
use crate::text::{header, range, squeeze};

/// Longest value, in bytes, that an enumeration member's signature shows.
const SHORT_VALUE: usize = 80;

/// One statement: `a: T = v`, `a = b = v` or `(a, self.b) = v`.
struct Statement<'t> {
    node: Node<'t>,
    annotation: Option<Node<'t>>,
    value: Option<Node<'t>>,
    /// Whether one name alone is assigned.
    single: bool,
}

pub(super) fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut targets = Vec::new();
    let mut link = Some(node);
    let mut value = None;
    while let Some(assignment) = link {
        targets.extend(assignment.child_by_field_name("left"));
        value = assignment.child_by_field_name("right");
        link = value.filter(|v| v.kind() == "assignment");
    }
    let names = names(&targets);
    let annotation = node.child_by_field_name("type");
    let statement = Statement { node, annotation, value, single: names.len() == 1 && targets.len() == 1 };
    for name in names {
        if walk.scope.tag & scope::FUNCTION != 0 {
            attribute(walk, &statement, name);
        } else if name.kind() == "identifier" {
            let scope = walk.scope.clone();
            declare(walk, &statement, &scope, name);
        }
    }
}

/// The names and attributes that `targets` bind, in source order.
fn names<'t>(targets: &[Node<'t>]) -> Vec<Node<'t>> {
    let mut out = Vec::new();
    let mut stack: Vec<Node<'t>> = targets.iter().rev().copied().collect();
    while let Some(node) = stack.pop() {
        match node.kind() {
            "identifier" | "attribute" if !node.byte_range().is_empty() => out.push(node),
            "pattern_list" | "tuple_pattern" | "list_pattern" | "list_splat_pattern" => {
                let mut cursor = node.walk();
                let inner: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
                stack.extend(inner.into_iter().rev());
            }
            _ => {}
        }
    }
    out
}

/// `self.name = value` in a method, `self` being the method's first parameter: a field of the class. In a class method and in
/// `__new__` the first parameter is the class, whose attributes are found where its instances' are.
fn attribute<'t>(walk: &mut Walk<'t>, statement: &Statement<'t>, target: Node<'t>) {
    let (Some(object), Some(name)) = (target.child_by_field_name("object"), target.child_by_field_name("attribute"))
    else {
        return;
    };
    let Some(method) = walk.scope.decl.and_then(|m| walk.get(m)) else { return };
    let receiver = method.callable.as_ref().and_then(|c| c.receiver.as_ref()).and_then(|r| r.name.as_deref());
    let (Some(receiver), Some(class)) = (receiver, method.container) else { return };
    if object.kind() == "identifier" && walk.str(object) == receiver && !name.byte_range().is_empty() {
        let scope = walk.scope_of(class, scope::CLASS);
        declare(walk, statement, &scope, name);
    }
}

/// Declares `name` in `scope` unless that scope has it already.
fn declare<'t>(walk: &mut Walk<'t>, statement: &Statement<'t>, scope: &Scope, name: Node<'t>) {
    let text = walk.str(name);
    if walk.recall(scope.decl, text).is_some() {
        return;
    }
    let annotation = statement.annotation.map(|a| squeeze(walk.str(a)));
    let word = annotation.as_deref().map(last_segment).unwrap_or("");
    let in_class = scope.tag & scope::CLASS != 0;
    let kind = match () {
        () if word == "TypeAlias" => "type_alias",
        () if scope.tag & scope::ENUM != 0 && statement.value.is_some() && !text.starts_with('_') => "enum_member",
        () if word == "Final" || is_upper_case(text) => "constant",
        () if in_class => "field",
        () => "variable",
    };
    let mut draft = Draft::new(kind, walk.text, statement.node, name);
    if let Some(value) = statement.value.filter(|_| !matches!(kind, "type_alias" | "enum_member")) {
        draft.body = range(value);
    }
    draft.facets = match kind {
        "type_alias" => placed(scope.tag).with(Facet::Type).with(Facet::Alias),
        "enum_member" => placed(scope.tag).with(Facet::Value).with(Facet::Variant),
        "constant" => placed(scope.tag).with(Facet::Value),
        _ => placed(scope.tag).with(Facet::Value).with(Facet::Mutable),
    };
    draft.facets = draft.facets.with_if(Facet::Static, word == "ClassVar");
    draft.signature = signature(walk, statement, name, kind);
    draft.value_type = match kind {
        "type_alias" => statement.value.map(|v| squeeze(walk.str(v))),
        _ => annotation,
    };
    visibility(&mut draft, scope.tag);
    let id = walk.declare_in(scope, draft);
    walk.remember(scope.decl, text, id);
}

/// The statement up to its value; of several targets, the name alone. An enumeration member shows a short value, an
/// alias what it stands for.
fn signature<'t>(walk: &Walk<'t>, statement: &Statement<'t>, name: Node<'t>, kind: &str) -> String {
    let node = statement.node;
    let Some(value) = statement.value.filter(|_| statement.single) else {
        return if statement.single { squeeze(walk.str(node)) } else { walk.str(name).to_owned() };
    };
    let short = kind == "enum_member" && value.byte_range().len() <= SHORT_VALUE && !walk.str(value).contains('\n');
    let end = if short || kind == "type_alias" { node.end_byte() } else { value.start_byte() };
    let text = header(walk.text, node, ByteRange::new(node.start_byte(), end), &["line_continuation"]);
    if end == node.end_byte() { text } else { text.trim_end_matches(['=', ' ']).to_owned() }
}

/// PEP 8: constants are all capital letters with underscores.
fn is_upper_case(name: &str) -> bool {
    name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}

/// `type X[T] = …` (PEP 695).
pub(super) fn type_alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut name = node.child_by_field_name("left");
    while let Some(inner) = name.filter(|n| n.kind() != "identifier") {
        name = inner.named_child(0);
    }
    let Some(name) = name.filter(|n| !n.byte_range().is_empty() && walk.scope.tag & scope::FUNCTION == 0) else {
        return;
    };
    let mut draft = Draft::new("type_alias", walk.text, node, name);
    draft.facets = placed(walk.scope.tag).with(Facet::Type).with(Facet::Alias);
    draft.signature = header(walk.text, node, range(node), &["line_continuation"]);
    draft.value_type = node.child_by_field_name("right").map(|r| squeeze(walk.str(r)));
    visibility(&mut draft, walk.scope.tag);
    let id = walk.declare(draft);
    walk.remember(walk.scope.decl, walk.str(name), id);
}
