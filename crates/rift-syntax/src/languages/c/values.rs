//! Declarations: variables, constants, fields, prototypes, and the types that are defined on the way.

use rift_base::{ByteRange, Facet, Facets};
use tree_sitter::Node;

use super::declarators::{Declarator, declarator, spelled};
use super::functions;
use super::items::{Item, draft, item, signature};
use super::records;
use super::types::{Specifiers, specifiers, value_type};
use super::{BODY, CLASS, HAS_ACCESS, HIDDEN, PENDING, WHAT, access, is_specialisation};
use crate::engine::{Visit, Walk};
use crate::facts::{DeclId, Joins};
use crate::text::tag;

/// Bytes of initializer that a signature may show.
const VALUE_SHOWN: usize = 120;

/// A declaration or a member declaration.
pub(super) fn declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, cpp: bool) -> Visit {
    let specifiers = specifiers(walk, node);
    let defined = specifiers.kind.filter(|kind| records::is_specifier(*kind) && records::body(*kind).is_some());
    if walk.scope.tag & WHAT == BODY {
        // A function's own variables are no declarations, its types are.
        return match defined {
            Some(_) => Visit::Descend,
            None => Visit::Skip,
        };
    }
    let mut cursor = node.walk();
    let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator", &mut cursor).collect();
    if declarators.is_empty() {
        return match specifiers.kind {
            Some(kind) if records::is_specifier(kind) => Visit::Unwrap,
            _ => Visit::Skip,
        };
    }
    let item = item(walk, node);
    let mut below = Visit::Skip;
    if let Some(kind) = defined
        && let Some(scope) = records::define(walk, kind, &item, cpp)
    {
        below = Visit::Enter(scope);
    }
    let mut first = None;
    for (i, each) in declarators.iter().enumerate() {
        let Some(d) = declarator(*each) else { continue };
        let mut item = item.clone();
        if i + 1 < declarators.len() {
            // A comment behind a declarator in a list is its own; one behind the list is the last one's.
            item.documentation = item.documentation.filter(|_| item.start < item.range.start as usize);
        }
        let id = match d.function {
            Some(_) if is_function(&d, &specifiers, walk) => functions::declare(walk, node, item, &specifiers, &d, cpp),
            Some(_) => continue,
            None => variable(walk, node, &item, &specifiers, &d, declarators.len() > 1),
        };
        first = first.or(Some(id));
    }
    match (below, defined, first) {
        (Visit::Enter(scope), _, _) => Visit::Enter(scope),
        (_, Some(kind), _) if kind.kind() == "enum_specifier" => Visit::Descend,
        // The members of a type without a name belong to the first thing of that type.
        (_, Some(_), Some(id)) => {
            let tag = walk.scope.tag & HIDDEN | CLASS | PENDING | if cpp { HAS_ACCESS } else { 0 };
            Visit::Enter(walk.scope_of(id, tag))
        }
        _ => Visit::Skip,
    }
}

/// Whether a function declarator without a body declares a function: it has a result type, or it is one of the
/// members that have none. What is left is a macro call.
fn is_function(d: &Declarator<'_>, specifiers: &Specifiers<'_>, walk: &Walk<'_>) -> bool {
    if specifiers.kind.is_some() || walk.scope.tag & WHAT == CLASS && !walk.scope.path.is_empty() {
        let class = walk.scope.path.name();
        let name = walk.str(d.name);
        return specifiers.kind.is_some()
            || name.starts_with('~')
            || name.contains("operator")
            || class.split('<').next() == name.split('<').next();
    }
    d.name.kind() == "qualified_identifier" || matches!(d.name.kind(), "operator_cast" | "operator_name")
}

fn variable<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    item: &Item,
    specifiers: &Specifiers<'t>,
    d: &Declarator<'t>,
    several: bool,
) -> DeclId {
    let name = spelled(walk.text, d.name, is_specialisation(walk));
    let in_class = walk.scope.tag & WHAT == CLASS;
    let member = in_class || !name.qualifier.is_empty();
    let constant = specifiers.has("constexpr") || d.constant.unwrap_or(specifiers.constant);
    let kind = match (member, constant) {
        (true, _) => "field",
        (false, true) => "constant",
        (false, false) => "variable",
    };
    let out_of_line = !name.qualifier.is_empty();
    let mut draft = draft(kind, node, item, name);
    let is_static = specifiers.has("static");
    draft.facets = draft
        .facets
        .union(Facets::of(&[Facet::Value]))
        .with_if(Facet::Member, member)
        .with_if(Facet::Static, (in_class && is_static) || out_of_line)
        .with_if(Facet::Mutable, !constant)
        .with_if(Facet::Deprecated, specifiers.deprecated);
    if in_class {
        access(walk.scope.tag, &mut draft);
    }
    draft.modifiers = specifiers.modifiers.iter().map(|m| Box::from(*m)).collect();
    draft.value_type = Some(value_type(walk, specifiers, Some(d)));
    draft.file_local = walk.scope.tag & HIDDEN != 0 || (!member && is_static);
    let (start, end) = (item.range.start as usize, item.range.end as usize);
    let value = d.value.filter(|v| v.kind() == "initializer_list" || v.end_byte() - v.start_byte() > VALUE_SHOWN);
    if let Some(value) = value {
        draft.body = ByteRange::new(value.start_byte(), value.end_byte());
    }
    draft.signature = if several {
        // The declarator's own part, behind the specifiers that all share.
        let own_end = d.value.filter(|_| value.is_none()).map_or(d.whole.end_byte(), |v| v.end_byte());
        let shared = signature(walk.text, start, first_declarator(node).unwrap_or(start));
        format!("{shared} {}", signature(walk.text, d.whole.start_byte(), own_end))
    } else {
        let cut = value.map(|v| v.start_byte()).or_else(|| records::cut(specifiers.kind));
        match (value, cut) {
            (None, Some(body)) if body < d.whole.start_byte() => {
                let tail = signature(walk.text, d.whole.start_byte(), end);
                format!("{} {tail}", signature(walk.text, start, body))
            }
            (_, cut) => signature(walk.text, start, cut.unwrap_or(end)).trim_end_matches(['=', ' ']).to_owned(),
        }
    };
    let declares = specifiers.has("extern") && d.value.is_none();
    draft.joins = match (in_class, is_static) {
        (true, false) => Joins::Alone,
        (true, true) if d.value.is_none() && !node_has_value(node) => Joins::Declaration(tag("variable")),
        _ if declares => Joins::Declaration(tag("variable")),
        _ => Joins::Definition(tag("variable")),
    };
    walk.declare(draft)
}

fn node_has_value(node: Node<'_>) -> bool {
    node.child_by_field_name("default_value").is_some()
}

fn first_declarator(node: Node<'_>) -> Option<usize> {
    node.child_by_field_name("declarator").map(|d| d.start_byte())
}
