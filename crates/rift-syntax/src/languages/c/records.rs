//! Types and namespaces: classes, structs, unions, enumerations, aliases, concepts.

use std::borrow::Cow;

use rift_base::{ByteRange, Facet, Facets};
use tree_sitter::Node;

use super::declarators::{Declarator, Spelled, declarator, spelled, tight};
use super::items::{Item, draft, item, place, signature};
use super::types::{specifiers, value_type};
use super::{BODY, CLASS, ENUM, FILE, HAS_ACCESS, HIDDEN, PENDING, PRIVATE, WHAT, access};
use crate::engine::{Draft, Scope, Visit, Walk};
use crate::facts::Joins;
use crate::text::{range, tag};

/// Whether `node` is a class, struct, union or enum specifier.
pub(super) fn is_specifier(node: Node<'_>) -> bool {
    matches!(node.kind(), "class_specifier" | "struct_specifier" | "union_specifier" | "enum_specifier")
}

pub(super) fn body(specifier: Node<'_>) -> Option<Node<'_>> {
    specifier.child_by_field_name("body")
}

/// Where a signature ends that has this type in it: before the type's body.
pub(super) fn cut(kind: Option<Node<'_>>) -> Option<usize> {
    kind.filter(|k| is_specifier(*k)).and_then(body).map(|b| b.start_byte())
}

/// A specifier that stands by itself, or in a scope that [`define`] made for it.
pub(super) fn specifier<'t>(walk: &mut Walk<'t>, node: Node<'t>, cpp: bool) -> Visit {
    if walk.scope.tag & PENDING != 0 {
        let tag = walk.scope.tag & !PENDING;
        return Visit::Enter(Scope { tag: tag | default_access(node, tag), ..walk.scope.clone() });
    }
    if node.child_by_field_name("name").is_none() {
        // Members of a type without a name belong to what is around it.
        return if body(node).is_some() { Visit::Descend } else { Visit::Skip };
    }
    if body(node).is_none() && (walk.scope.tag & WHAT == BODY || befriended(walk, node)) {
        return Visit::Skip;
    }
    let item = item(walk, node);
    match define(walk, node, &item, cpp) {
        Some(scope) => Visit::Enter(Scope { tag: scope.tag & !PENDING | default_access(node, scope.tag), ..scope }),
        None => Visit::Skip,
    }
}

fn befriended(walk: &Walk<'_>, node: Node<'_>) -> bool {
    let outer = walk.outer(node);
    walk.text.get(outer.start_byte()..node.start_byte()).is_some_and(|t| t.split_whitespace().any(|w| w == "friend"))
}

fn default_access(node: Node<'_>, tag: u8) -> u8 {
    if node.kind() == "class_specifier" && tag & HAS_ACCESS != 0 { PRIVATE } else { 0 }
}

/// Declares the type that `node` names; the scope of its members, when it has a body. `item` is where it stands.
pub(super) fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, item: &Item, cpp: bool) -> Option<Scope> {
    let name = spelled(walk.text, node.child_by_field_name("name")?, true);
    let arguments = name.arguments;
    let mut item = item.clone();
    if walk.outer(node).kind() != "template_declaration" {
        // `struct A {…} x;` declares A up to its closing brace.
        item.range.end = node.end_byte() as u32;
    }
    let draft = of_specifier(walk, node, &item, name);
    let declares = body(node).is_none();
    let joins = match (arguments, declares) {
        (true, _) => Joins::Alone,
        (_, true) => Joins::Declaration(tag("type")),
        (_, false) => Joins::Definition(tag("type")),
    };
    let id = walk.declare(Draft { joins, ..draft });
    body(node)?;
    Some(walk.scope_of(id, inner_tag(walk, node, cpp)))
}

fn inner_tag(walk: &Walk<'_>, node: Node<'_>, cpp: bool) -> u8 {
    let what = if node.kind() == "enum_specifier" { ENUM } else { CLASS };
    walk.scope.tag & HIDDEN | what | PENDING | if cpp && what == CLASS { HAS_ACCESS } else { 0 }
}

fn of_specifier<'t>(walk: &Walk<'t>, node: Node<'t>, item: &Item, name: Spelled<'t>) -> Draft<'t> {
    let kind = match node.kind() {
        "class_specifier" => "class",
        "union_specifier" => "union",
        "enum_specifier" => "enum",
        _ => "struct",
    };
    let mut draft = draft(kind, node, item, name);
    let facets = match kind {
        "enum" => Facets::of(&[Facet::Type, Facet::MemberContainer, Facet::Enumeration]),
        _ => Facets::of(&[Facet::Type, Facet::MemberContainer, Facet::Constructible]),
    };
    draft.facets = draft.facets.union(facets);
    if walk.scope.tag & WHAT == CLASS {
        draft.facets.insert(Facet::Member);
        access(walk.scope.tag, &mut draft);
    }
    draft.file_local = walk.scope.tag & HIDDEN != 0;
    let mut end = node.end_byte();
    if let Some(body) = body(node) {
        draft.body = range(body);
        end = body.start_byte();
    }
    draft.signature = signature(walk.text, item.range.start as usize, end);
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "virtual_specifier" => draft.modifiers.push("final".into()),
            "attribute_declaration" | "attribute_specifier" if walk.str(child).contains("deprecated") => {
                draft.facets.insert(Facet::Deprecated);
            }
            _ => {}
        }
    }
    draft
}

/// `typedef`. A type without a name takes the first name it is given.
pub(super) fn type_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, cpp: bool) -> Visit {
    let specifiers = specifiers(walk, node);
    let mut cursor = node.walk();
    let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator", &mut cursor).collect();
    let mut item = item(walk, node);
    let kind = specifiers.kind.filter(|k| is_specifier(*k));
    let tagged = kind.and_then(|k| k.child_by_field_name("name"));
    let mut below = None;
    if let (Some(kind), Some(_)) = (kind.filter(|k| body(*k).is_some()), tagged) {
        below = define(walk, kind, &item, cpp);
        item.documentation = item.documentation.filter(|_| below.is_none());
    }
    for each in declarators {
        let Some(d) = declarator(each) else { continue };
        let plain = d.whole == d.name;
        let anonymous = kind.filter(|k| plain && tagged.is_none() && body(*k).is_some() && below.is_none());
        if let Some(kind) = anonymous {
            let draft = of_specifier(walk, kind, &item, spelled(walk.text, d.name, true));
            let head = signature(walk.text, item.range.start as usize, cut(Some(kind)).unwrap_or(0));
            let signature = format!("{head} {}", walk.str(d.name));
            let joins = Joins::Definition(tag("type"));
            let id = walk.declare(Draft { signature, joins, ..draft });
            below = Some(walk.scope_of(id, inner_tag(walk, kind, cpp)));
            continue;
        }
        let same = plain && tagged.is_some_and(|t| walk.str(t) == walk.str(d.name));
        if same && below.is_some() {
            // `typedef struct A {…} A;` is one type.
            continue;
        }
        let value = value_type(walk, &specifiers, Some(&d));
        typedef(walk, node, &item, &d, value, cut(kind), same);
    }
    match below {
        Some(scope) => Visit::Enter(scope),
        None if kind.is_some_and(|k| body(k).is_some()) => Visit::Descend,
        None => Visit::Skip,
    }
}

fn typedef<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    item: &Item,
    d: &Declarator<'t>,
    value: String,
    cut: Option<usize>,
    same: bool,
) {
    let mut draft = draft("typedef", node, item, spelled(walk.text, d.name, true));
    draft.facets = draft.facets.union(Facets::of(&[Facet::Type, Facet::Alias]));
    if walk.scope.tag & WHAT == CLASS {
        draft.facets.insert(Facet::Member);
        access(walk.scope.tag, &mut draft);
    }
    draft.file_local = walk.scope.tag & HIDDEN != 0;
    draft.value_type = Some(value);
    let start = item.range.start as usize;
    draft.signature = match cut {
        Some(cut) => format!(
            "{} {}",
            signature(walk.text, start, cut),
            signature(walk.text, d.whole.start_byte(), d.whole.end_byte())
        ),
        None => signature(walk.text, start, item.range.end as usize),
    };
    if same {
        // `typedef struct A A;` names the type that is defined elsewhere.
        draft.joins = Joins::Declaration(tag("type"));
    }
    walk.declare(draft);
}

pub(super) fn enumerator<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name") else { return Visit::Skip };
    let item = item(walk, node);
    let mut draft = draft("enumerator", node, &item, spelled(walk.text, name, true));
    draft.facets = draft.facets.union(Facets::of(&[Facet::Value, Facet::Variant]));
    draft.facets = draft.facets.with_if(Facet::Member, walk.scope.tag & WHAT != FILE);
    // An attribute or a macro behind the name is masked.
    let behind = walk.parsed.get(name.end_byte()..).unwrap_or("");
    let masked = behind.len() - behind.trim_start().len();
    let masked = walk.text.get(name.end_byte()..name.end_byte() + masked).unwrap_or("");
    draft.facets =
        draft.facets.with_if(Facet::Deprecated, masked.contains("[[deprecated") || masked.contains("DEPRECAT"));
    draft.file_local = walk.scope.tag & HIDDEN != 0;
    draft.signature = signature(walk.text, item.range.start as usize, item.range.end as usize);
    if walk.scope.tag & WHAT == CLASS {
        access(walk.scope.tag, &mut draft);
    }
    walk.declare(draft);
    Visit::Skip
}

/// `using X = …;`
pub(super) fn alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    if walk.scope.tag & WHAT == BODY {
        return Visit::Skip;
    }
    let Some(name) = node.child_by_field_name("name") else { return Visit::Skip };
    let item = item(walk, node);
    let mut draft = draft("type_alias", node, &item, spelled(walk.text, name, true));
    draft.facets = draft.facets.union(Facets::of(&[Facet::Type, Facet::Alias]));
    if walk.scope.tag & WHAT == CLASS {
        draft.facets.insert(Facet::Member);
        access(walk.scope.tag, &mut draft);
    }
    draft.file_local = walk.scope.tag & HIDDEN != 0;
    draft.value_type = node.child_by_field_name("type").map(|t| super::types::line(walk, t));
    draft.signature = signature(walk.text, item.range.start as usize, item.range.end as usize);
    walk.declare(draft);
    Visit::Skip
}

pub(super) fn concept<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name") else { return Visit::Skip };
    let item = item(walk, node);
    let mut draft = draft("concept", node, &item, spelled(walk.text, name, true));
    draft.facets = draft.facets.union(Facets::of(&[Facet::Type]));
    draft.file_local = walk.scope.tag & HIDDEN != 0;
    draft.signature = signature(walk.text, item.range.start as usize, item.range.end as usize);
    walk.declare(draft);
    Visit::Skip
}

/// A namespace; all its parts are one. `a::b` declares both names, one in the other.
pub(super) fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(body) = body(node) else { return Visit::Skip };
    let item = item(walk, node);
    let mut cursor = node.walk();
    let inline = node.children(&mut cursor).any(|c| c.kind() == "inline");
    let mut scope = walk.scope.clone();
    let names = names(walk, node.child_by_field_name("name"));
    let hidden = if names.is_empty() { HIDDEN } else { scope.tag & HIDDEN };
    let here = ByteRange { start: item.range.start, end: item.range.start };
    let names = if names.is_empty() { vec![("(anonymous)".to_owned(), here)] } else { names };
    let last = names.len() - 1;
    for (i, (name, place_of_name)) in names.into_iter().enumerate() {
        let mut draft = Draft::named("namespace", node, Cow::Owned(name));
        place(&mut draft, &item);
        draft.documentation = draft.documentation.filter(|_| i == last);
        draft.name_range = place_of_name;
        draft.facets = draft.facets.union(Facets::of(&[Facet::Namespace]));
        if inline && i == last {
            draft.modifiers.push("inline".into());
        }
        draft.body = range(body);
        draft.signature = signature(walk.text, item.range.start as usize, body.start_byte());
        draft.joins = Joins::Part(tag("namespace"));
        draft.file_local = hidden != 0;
        let id = walk.declare_in(&scope, draft);
        scope = walk.scope_of(id, FILE | hidden);
    }
    Visit::Enter(scope)
}

/// The names of `a::b`, outermost first.
fn names(walk: &Walk<'_>, name: Option<Node<'_>>) -> Vec<(String, ByteRange)> {
    let Some(name) = name else { return Vec::new() };
    let mut out = Vec::new();
    let mut at = name.start_byte();
    for piece in walk.str(name).split("::") {
        let bare = piece.trim();
        let bare = bare.strip_prefix("inline ").unwrap_or(bare).trim_start();
        let start = at + piece.rfind(bare).unwrap_or(0);
        if !bare.is_empty() {
            out.push((tight(bare), ByteRange::new(start, start + bare.len())));
        }
        at += piece.len() + 2;
    }
    out
}
