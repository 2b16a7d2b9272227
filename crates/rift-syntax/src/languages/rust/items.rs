//! Items as the grammar parses them.

use std::borrow::Cow;

use rift_base::{Facet, Facets};
use tree_sitter::Node;

use super::attached::{Attached, attached};
use super::{may_hold_items, tags};
use crate::engine::{Draft, Visit, Walk};
use crate::facts::{Callable, DeclId, Parameter};
use crate::text::{range, squeeze};

/// A draft of `node` with what all items share: name, attached text, visibility and the facets that follow from them.
fn draft<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: &'static str) -> Option<(Draft<'t>, Attached)> {
    let name = node.child_by_field_name("name")?;
    let attached = attached(walk, node);
    let mut draft = Draft::new(kind, walk.text, node, name);
    let written = node.child(0).filter(|c| c.kind() == "visibility_modifier").map(|c| squeeze(walk.str(c)));
    common(walk, &mut draft, written, &attached);
    Some((draft, attached))
}

/// Adds what all items share.
pub(super) fn common(walk: &mut Walk<'_>, draft: &mut Draft<'_>, written: Option<String>, attached: &Attached) {
    draft.start = attached.start;
    draft.documentation.clone_from(&attached.documentation);
    draft.visibility = visibility(walk, draft.kind, written);
    let in_test = walk.scope.tag & tags::TEST != 0 || attached.test_only;
    draft.facets = Facets::NONE
        .with_if(Facet::Public, draft.visibility.as_deref() == Some("pub"))
        .with_if(Facet::Deprecated, attached.deprecated)
        .with_if(Facet::Test, in_test);
}

/// A trait's members and an enum's variants are as visible as their container; the visibility of a trait
/// implementation's members is not the block's to say; anything else without a word is private.
fn visibility(walk: &mut Walk<'_>, kind: &str, written: Option<String>) -> Option<String> {
    let tag = tags::base(walk.scope.tag);
    let container = walk.scope.decl;
    let mut inherited = |id: Option<DeclId>| id.and_then(|id| walk.declared(id).visibility.clone()).map(String::from);
    match (tag, written) {
        (_, Some(written)) => Some(written),
        (tags::TRAIT, None) => inherited(container),
        (tags::TRAIT_IMPL, None) => None,
        (tags::TYPE, None) if kind == "variant" => inherited(container),
        (tags::TYPE, None) => {
            let container = container?;
            let of_variant = walk.declared(container).kind == "variant";
            if of_variant { walk.declared(container).visibility.clone().map(String::from) } else { private() }
        }
        _ => private(),
    }
}

fn private() -> Option<String> {
    Some("private".to_owned())
}

/// The signature: the item up to `body` without a closing `;`.
fn signature(walk: &Walk<'_>, draft: &mut Draft<'_>, body: Option<Node<'_>>) {
    draft.body(walk.text, body);
    trim_signature(draft);
}

pub(super) fn trim_signature(draft: &mut Draft<'_>) {
    let length = draft.signature.trim_end_matches([';', '=', ' ', ',']).len();
    draft.signature.truncate(length);
}

pub(super) fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some((mut draft, attached)) = draft(walk, node, "function") else { return Visit::Descend };
    let body = node.child_by_field_name("body");
    signature(walk, &mut draft, body);
    draft.modifiers = modifiers(walk, node);
    draft.callable = Some(callable(walk, node));
    function_facets(walk, &mut draft, &attached, body.is_some());
    let id = walk.declare(draft);
    match body {
        Some(body) if may_hold_items(walk.str(body)) => {
            Visit::Enter(walk.scope_of(id, tags::FUNCTION | walk.scope.tag & tags::TEST))
        }
        _ => Visit::Skip,
    }
}

/// Kind and facets of a function whose modifiers, parameters and results are known.
pub(super) fn function_facets(walk: &Walk<'_>, draft: &mut Draft<'_>, attached: &Attached, has_body: bool) {
    let tag = tags::base(walk.scope.tag);
    let member = matches!(tag, tags::IMPL | tags::TRAIT | tags::TRAIT_IMPL);
    let callable = draft.callable.as_ref();
    let without_receiver = callable.is_some_and(|c| c.receiver.is_none());
    let facets = draft
        .facets
        .union(Facets::of(&[Facet::Value, Facet::Callable]))
        .with_if(Facet::Member, member)
        .with_if(Facet::Static, member && without_receiver)
        .with_if(Facet::Abstract, tag == tags::TRAIT && !has_body)
        .with_if(Facet::Extension, tag == tags::TRAIT_IMPL)
        .with_if(Facet::Async, draft.modifiers.iter().any(|m| &**m == "async"))
        .with_if(Facet::Test, attached.test)
        .with_if(Facet::Macro, attached.procedural_macro)
        .with_if(Facet::Entrypoint, tag == tags::FILE && draft.name == "main")
        .with_if(Facet::Constructor, member && without_receiver && constructs(walk, draft));
    draft.facets = facets;
    if member {
        draft.kind = "method";
    }
}

/// Whether an associated function is a constructor by Rust's convention: called `new` or `new_…`, and its result
/// is the type itself, alone or as the first type argument of a wrapper.
fn constructs(walk: &Walk<'_>, draft: &Draft<'_>) -> bool {
    let by_name = ["new", "try_new"]
        .iter()
        .any(|n| draft.name.strip_prefix(n).is_some_and(|rest| rest.is_empty() || rest.starts_with('_')));
    if !by_name {
        return false;
    }
    let container = walk.scope.path.name();
    let returns = draft.callable.iter().flat_map(|c| &c.returns);
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).map(str::to_owned).collect()
    };
    returns.map(|r| words(r)).any(|w| w.iter().take(4).any(|w| w == "Self" || *w == *container))
}

/// `async`, `const`, `unsafe`, `extern "C"`, `default` before a function.
fn modifiers(walk: &Walk<'_>, node: Node<'_>) -> Vec<Box<str>> {
    let mut cursor = node.walk();
    let Some(modifiers) = node.children(&mut cursor).take(3).find(|c| c.kind() == "function_modifiers") else {
        return Vec::new();
    };
    let mut cursor = modifiers.walk();
    modifiers.children(&mut cursor).map(|m| squeeze(walk.str(m)).into()).collect()
}

/// Receiver and parameters of the list `node`.
pub(super) fn parameters<'t>(walk: &Walk<'t>, node: Node<'t>) -> Callable {
    let mut out = Callable::default();
    let mut cursor = node.walk();
    for parameter in node.named_children(&mut cursor) {
        match parameter.kind() {
            "self_parameter" => out.receiver = Some(receiver(walk.str(parameter))),
            "parameter" => {
                let read = read_parameter(walk, parameter);
                if read.name.as_deref() == Some("self") {
                    out.receiver = Some(read);
                } else {
                    out.parameters.push(read);
                }
            }
            "variadic_parameter" => out.parameters.push(Parameter { variadic: true, ..Parameter::default() }),
            "attribute_item" | "line_comment" | "block_comment" | "ERROR" => {}
            _ => out
                .parameters
                .push(Parameter { annotation: Some(squeeze(walk.str(parameter)).into()), ..Parameter::default() }),
        }
    }
    out
}

fn callable<'t>(walk: &Walk<'t>, node: Node<'t>) -> Callable {
    let mut out = node.child_by_field_name("parameters").map(|p| parameters(walk, p)).unwrap_or_default();
    if let Some(returns) = node.child_by_field_name("return_type") {
        out.returns.push(squeeze(walk.str(returns)).into());
    }
    out
}

/// A `self` shorthand with the type that it stands for: `&'a mut self` is `self: &'a mut Self` (The Rust Reference,
/// "Associated Items", methods).
pub(super) fn receiver(written: &str) -> Parameter {
    let written = squeeze(written);
    let annotation = match written.strip_suffix("self") {
        Some(reference) if reference.starts_with('&') => format!("{reference}Self"),
        _ => "Self".to_owned(),
    };
    Parameter { name: Some("self".into()), annotation: Some(annotation.into()), ..Parameter::default() }
}

fn read_parameter(walk: &Walk<'_>, node: Node<'_>) -> Parameter {
    let pattern = node.child_by_field_name("pattern").filter(|p| matches!(p.kind(), "identifier" | "self" | "_"));
    Parameter {
        name: pattern.map(|p| walk.str(p).into()),
        annotation: node.child_by_field_name("type").map(|t| squeeze(walk.str(t)).into()),
        ..Parameter::default()
    }
}

/// Facets that a kind of item has by itself.
pub(super) fn kind_facets(kind: &str) -> Facets {
    match kind {
        "struct" | "union" => Facets::of(&[Facet::Type, Facet::MemberContainer, Facet::Constructible]),
        "enum" => Facets::of(&[Facet::Type, Facet::MemberContainer, Facet::Enumeration]),
        "trait" => Facets::of(&[Facet::Type, Facet::MemberContainer, Facet::Implementable]),
        "variant" => Facets::of(&[Facet::Value, Facet::Member, Facet::Constructible, Facet::Variant]),
        "field" => Facets::of(&[Facet::Value, Facet::Member]),
        "constant" => Facets::of(&[Facet::Value]),
        "static" => Facets::of(&[Facet::Value, Facet::Static]),
        "module" => Facets::of(&[Facet::Namespace, Facet::Module]),
        "macro" => Facets::of(&[Facet::Macro]),
        "use_alias" => Facets::of(&[Facet::Alias]),
        _ => Facets::NONE,
    }
}

/// A struct, union, enum, trait or variant: something with members.
pub(super) fn structure<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: &'static str) -> Visit {
    let Some((mut draft, attached)) = draft(walk, node, kind) else { return Visit::Descend };
    let body = node.child_by_field_name("body");
    let tuple = body.is_some_and(|b| b.kind() == "ordered_field_declaration_list");
    signature(walk, &mut draft, body.filter(|_| !tuple));
    if let Some(body) = body {
        draft.body = range(body);
    }
    draft.facets = draft.facets.union(kind_facets(kind));
    if kind == "trait" {
        let mut cursor = node.walk();
        let before_name = node.children(&mut cursor).take_while(|c| c.kind() != "type_identifier");
        draft.modifiers =
            before_name.filter(|c| matches!(c.kind(), "unsafe" | "auto")).map(|c| c.kind().into()).collect();
    }
    let id = walk.declare(draft);
    let tag = if kind == "trait" { tags::TRAIT } else { tags::TYPE };
    let test = if attached.test_only { tags::TEST } else { walk.scope.tag & tags::TEST };
    match body {
        Some(_) if !tuple => Visit::Enter(walk.scope_of(id, tag | test)),
        _ => Visit::Skip,
    }
}

/// A field, constant or static: something with a type and perhaps a value.
pub(super) fn value<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: &'static str) -> Visit {
    let Some((mut draft, _)) = draft(walk, node, kind) else { return Visit::Descend };
    let value = node.child_by_field_name("value");
    if draft.name != "_" {
        signature(walk, &mut draft, value);
        draft.value_type = node.child_by_field_name("type").map(|t| squeeze(walk.str(t)));
        if kind == "static" && draft.signature.split_whitespace().any(|w| w == "mut") {
            draft.modifiers.push("mut".into());
        }
        value_facets(walk, &mut draft, value.is_some());
        walk.declare(draft);
    }
    match value {
        Some(value) if may_hold_items(walk.str(value)) => Visit::Descend,
        _ => Visit::Skip,
    }
}

pub(super) fn value_facets(walk: &Walk<'_>, draft: &mut Draft<'_>, has_value: bool) {
    let tag = tags::base(walk.scope.tag);
    let associated =
        draft.kind == "constant" && matches!(tag, tags::IMPL | tags::TRAIT | tags::TRAIT_IMPL | tags::TYPE);
    draft.facets = draft
        .facets
        .union(kind_facets(draft.kind))
        .with_if(Facet::Member, associated)
        .with_if(Facet::Static, associated)
        .with_if(Facet::Abstract, tag == tags::TRAIT && !has_value)
        .with_if(Facet::Extension, associated && tag == tags::TRAIT_IMPL)
        .with_if(Facet::Mutable, draft.modifiers.iter().any(|m| &**m == "mut"));
}

/// A type alias, an associated type, or a type of an extern block.
pub(super) fn type_alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some((mut draft, _)) = draft(walk, node, "type_alias") else { return Visit::Descend };
    signature(walk, &mut draft, None);
    draft.value_type = node.child_by_field_name("type").map(|t| squeeze(walk.str(t)));
    type_alias_facets(walk, &mut draft);
    walk.declare(draft);
    Visit::Skip
}

pub(super) fn type_alias_facets(walk: &Walk<'_>, draft: &mut Draft<'_>) {
    let tag = tags::base(walk.scope.tag);
    let associated = matches!(tag, tags::IMPL | tags::TRAIT | tags::TRAIT_IMPL);
    if associated {
        draft.kind = "associated_type";
    }
    draft.facets = draft
        .facets
        .with(Facet::Type)
        .with_if(Facet::Alias, draft.value_type.is_some())
        .with_if(Facet::Member, associated)
        .with_if(Facet::Abstract, tag == tags::TRAIT && draft.value_type.is_none())
        .with_if(Facet::Extension, tag == tags::TRAIT_IMPL);
}

pub(super) fn module<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some((mut draft, attached)) = draft(walk, node, "module") else { return Visit::Descend };
    let body = node.child_by_field_name("body");
    signature(walk, &mut draft, body);
    draft.facets = draft.facets.union(kind_facets("module"));
    let id = walk.declare(draft);
    let test = if attached.test_only { tags::TEST } else { walk.scope.tag & tags::TEST };
    if body.is_some() { Visit::Enter(walk.scope_of(id, tags::MODULE | test)) } else { Visit::Skip }
}

/// `macro_rules!`. Its scope is textual: it has no visibility, and is public when exported.
pub(super) fn macro_rules<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some((mut draft, attached)) = draft(walk, node, "macro") else { return Visit::Descend };
    let mut cursor = node.walk();
    let open = node.children(&mut cursor).find(|c| matches!(c.kind(), "{" | "(" | "["));
    signature(walk, &mut draft, open);
    draft.body.end = draft.item.end.max(draft.body.start);
    draft.visibility = None;
    draft.facets = draft.facets.union(kind_facets("macro")).with_if(Facet::Public, attached.exported);
    walk.declare(draft);
    Visit::Skip
}

/// The names that a `use` or `extern crate` makes under another name, or passes on (`pub use`). Globs and `as _` name
/// nothing; a renaming inside a function is the function's own business.
pub(super) fn use_aliases<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    if tags::base(walk.scope.tag) == tags::FUNCTION {
        return Visit::Skip;
    }
    let re_exports = node.child(0).is_some_and(|c| c.kind() == "visibility_modifier");
    if node.kind() == "extern_crate_declaration" {
        let renamed = node.child_by_field_name("alias");
        if let Some(name) = renamed.or_else(|| node.child_by_field_name("name").filter(|_| re_exports)) {
            use_alias(walk, node, node, name, "");
        }
        return Visit::Skip;
    }
    let mut open: Vec<(Node<'t>, String)> =
        node.child_by_field_name("argument").map(|argument| (argument, String::new())).into_iter().collect();
    while let Some((clause, prefix)) = open.pop() {
        if prefix.len() > PREFIX_MAX {
            continue;
        }
        match clause.kind() {
            "use_list" => {
                let mut cursor = clause.walk();
                let inner: Vec<Node<'t>> = clause.named_children(&mut cursor).collect();
                open.extend(inner.into_iter().rev().map(|c| (c, prefix.clone())));
            }
            "scoped_use_list" => {
                let path = clause.child_by_field_name("path").map_or(String::new(), |p| squeeze(walk.str(p)) + "::");
                open.extend(clause.child_by_field_name("list").map(|list| (list, prefix + &path)));
            }
            "use_as_clause" => {
                if let Some(name) = clause.child_by_field_name("alias") {
                    use_alias(walk, node, clause, name, &prefix);
                }
            }
            "identifier" if re_exports => use_alias(walk, node, clause, clause, &prefix),
            "scoped_identifier" if re_exports => {
                if let Some(name) = clause.child_by_field_name("name") {
                    use_alias(walk, node, clause, name, &prefix);
                }
            }
            _ => {}
        }
    }
    Visit::Skip
}

/// Bytes of the longest path before a nested `use` list that is read.
const PREFIX_MAX: usize = 1024;

/// Declares the name that `clause`, behind the path `prefix`, of `statement` makes. A statement with one clause is
/// the item as a whole.
fn use_alias<'t>(walk: &mut Walk<'t>, statement: Node<'t>, clause: Node<'t>, name: Node<'t>, prefix: &str) {
    if walk.str(name) == "_" {
        return;
    }
    let whole = prefix.is_empty();
    let attached = attached(walk, statement);
    let item = if whole { statement } else { clause };
    let mut draft = Draft::named("use_alias", item, Cow::Borrowed(walk.str(name)));
    draft.name_range = range(name);
    let written = statement.child(0).filter(|c| c.kind() == "visibility_modifier").map(|c| squeeze(walk.str(c)));
    common(walk, &mut draft, written.clone(), &attached);
    if !whole {
        draft.start = item.start_byte();
    }
    let visibility = written.map_or(String::new(), |v| v + " ");
    draft.signature = match whole {
        true => squeeze(walk.str(item)),
        false => format!("{visibility}use {prefix}{}", squeeze(walk.str(item))),
    };
    trim_signature(&mut draft);
    draft.facets = draft.facets.union(kind_facets("use_alias"));
    walk.declare(draft);
}
