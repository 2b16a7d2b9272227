//! Items inside macro calls. A call's argument is a tree of tokens that the grammar does not parse further, but calls
//! such as `thread_local!`, `bitflags!`, `cfg_if!` or a crate's own `define! { pub struct … }` hold items. They are
//! recovered where an item can begin and the tokens have an item's full shape; anything else is passed over.

use std::borrow::Cow;

use rift_base::ByteRange;
use tree_sitter::Node;

use super::attached::{Attached, attached_to};
use super::items::{self, common, kind_facets, trim_signature};
use super::{may_hold_items, tags, type_path};
use crate::engine::{Draft, Scope, Walk};
use crate::facts::{Callable, Parameter};
use crate::text::{range, squeeze};

/// Token trees nested deeper than this hold no items that anyone would look for.
const NESTING_MAX: usize = 64;

/// Calls that declare items inside a function body; there, any other macro is taken for an expression.
const DECLARING: [&str; 4] = ["bitflags", "cfg_if", "lazy_static", "thread_local"];

/// One open token tree.
struct Group<'t> {
    tokens: Vec<Node<'t>>,
    at: usize,
    scope: Scope,
    elements: Elements,
}

/// What a group's elements may be, beside items.
#[derive(Clone, Copy, PartialEq)]
enum Elements {
    Items,
    Fields,
    Variants,
}

/// An item's tokens.
struct Shape<'t> {
    kind: &'static str,
    name: Option<Node<'t>>,
    /// Modifiers before the keyword.
    modifiers: Vec<Box<str>>,
    visibility: Option<String>,
    /// Token behind the item.
    end: usize,
    /// What the signature stops at: the body, or the value.
    stop: Option<Node<'t>>,
    /// Parameters of a function.
    parameters: Option<Node<'t>>,
    /// The type of a value, or the result of a function.
    written_type: Option<ByteRange>,
    /// The path of an `impl`'s type, and whether it implements a trait.
    implements: Option<(String, bool)>,
}

/// Declares the items inside the macro call `call`.
pub(super) fn recover<'t>(walk: &mut Walk<'t>, call: Node<'t>) {
    let mut cursor = call.walk();
    let Some(tree) = call.named_children(&mut cursor).find(|c| c.kind() == "token_tree") else { return };
    let name = call.child_by_field_name("macro").map_or("", |m| walk.str(m));
    let in_body = tags::base(walk.scope.tag) == tags::FUNCTION;
    if in_body && !DECLARING.contains(&name.rsplit("::").next().unwrap_or("")) || !may_hold_items(walk.str(tree)) {
        return;
    }
    let outside = walk.scope.clone();
    let mut open = vec![Group::new(tree, outside.clone(), Elements::Items)];
    while let Some(group) = open.last_mut() {
        walk.scope.clone_from(&group.scope);
        match group.next_inner(walk) {
            Some(inner) if open.len() < NESTING_MAX => open.push(inner),
            Some(_) => {}
            None => {
                open.pop();
            }
        }
    }
    walk.scope = outside;
}

fn is_group(node: Node<'_>, open: &str) -> bool {
    node.kind() == "token_tree" && node.child(0).is_some_and(|c| c.kind() == open)
}

impl<'t> Group<'t> {
    fn new(tree: Node<'t>, scope: Scope, elements: Elements) -> Self {
        let mut cursor = tree.walk();
        let mut tokens: Vec<Node<'t>> = tree.children(&mut cursor).skip(1).collect();
        if tokens.last().is_some_and(|t| matches!(t.kind(), "}" | ")" | "]")) {
            tokens.pop();
        }
        Self { tokens, at: 0, scope, elements }
    }

    /// Declares up to the next group to go into; `None` at the end.
    fn next_inner(&mut self, walk: &mut Walk<'t>) -> Option<Group<'t>> {
        let mut leads: Vec<ByteRange> = Vec::new();
        let mut fresh = true;
        while let Some(token) = self.tokens.get(self.at).copied() {
            if matches!(token.kind(), "line_comment" | "block_comment") {
                leads.push(range(token));
                self.at += 1;
                continue;
            }
            if let (Some(at), true) = (self.inner_attribute(), leads.is_empty()) {
                self.at = at;
                continue;
            }
            if let Some(attribute) = self.attribute() {
                leads.push(attribute);
                self.at += 2;
                continue;
            }
            let shape = if fresh { self.shape(walk) } else { None };
            if let Some(shape) = shape {
                let (start, scope) = (self.at, self.scope.clone());
                self.at = shape.end;
                let inner = declare(walk, &self.tokens, start, shape, &leads, &scope);
                if inner.is_some() {
                    return inner;
                }
                leads.clear();
                continue;
            }
            leads.clear();
            self.at += 1;
            fresh = matches!(token.kind(), ";" | ",");
            if self.elements == Elements::Items && is_group(token, "{") {
                return Some(Group::new(token, self.scope.clone(), Elements::Items));
            }
        }
        None
    }

    /// `#[…]` at the current token.
    fn attribute(&self) -> Option<ByteRange> {
        let (hash, group) = (self.tokens.get(self.at)?, self.tokens.get(self.at + 1)?);
        let is = hash.kind() == "#" && is_group(*group, "[");
        is.then(|| ByteRange::new(hash.start_byte(), group.end_byte()))
    }

    /// The token behind `#![…]` at the current token.
    fn inner_attribute(&self) -> Option<usize> {
        let kind = |at: usize| self.tokens.get(self.at + at).map(|t| t.kind());
        let group = self.tokens.get(self.at + 2).is_some_and(|t| is_group(*t, "["));
        (kind(0) == Some("#") && kind(1) == Some("!") && group).then_some(self.at + 3)
    }

    fn text(&self, walk: &Walk<'t>, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |t| walk.str(*t))
    }

    fn is_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| t.kind() == "identifier")
    }

    /// The item or element that begins at the current token.
    fn shape(&self, walk: &Walk<'t>) -> Option<Shape<'t>> {
        let mut at = self.at;
        let mut visibility = None;
        if self.text(walk, at) == "pub" {
            let restricted = self.tokens.get(at + 1).filter(|t| is_group(**t, "("));
            visibility = Some(restricted.map_or("pub".to_owned(), |t| format!("pub{}", squeeze(walk.str(*t)))));
            at += if restricted.is_some() { 2 } else { 1 };
        }
        let first = at;
        let mut modifiers: Vec<Box<str>> = Vec::new();
        loop {
            let before_word = self.text(walk, at + 1).starts_with(|c: char| c.is_alphabetic() || c == '_');
            match self.text(walk, at) {
                word @ ("async" | "unsafe" | "default" | "safe") if before_word => modifiers.push(word.into()),
                "const" if matches!(self.text(walk, at + 1), "fn" | "async" | "unsafe" | "extern") => {
                    modifiers.push("const".into());
                }
                "extern" if self.tokens.get(at + 1).is_some_and(|t| t.kind() == "string_literal") => {
                    modifiers.push(format!("extern {}", self.text(walk, at + 1)).into());
                    at += 1;
                }
                _ => break,
            }
            at += 1;
        }
        let mut shape = Shape {
            kind: "",
            name: self.tokens.get(at + 1).copied().filter(|_| self.is_name(at + 1)),
            modifiers,
            visibility,
            end: 0,
            stop: None,
            parameters: None,
            written_type: None,
            implements: None,
        };
        let known = match self.text(walk, at) {
            "fn" => self.function(walk, at, &mut shape),
            "struct" => self.braced(walk, at, "struct", &mut shape),
            "union" => self.braced(walk, at, "union", &mut shape),
            "enum" => self.braced(walk, at, "enum", &mut shape),
            "trait" => self.braced(walk, at, "trait", &mut shape),
            "mod" => self.braced(walk, at, "module", &mut shape),
            "const" | "static" => self.value(walk, at, &mut shape),
            "type" => self.alias(walk, at, &mut shape),
            "impl" => self.implementation(walk, at, &mut shape),
            "macro_rules" => self.macro_rules(walk, at, &mut shape),
            _ => None,
        };
        match (known, self.elements) {
            (Some(()), _) => Some(shape),
            (None, Elements::Fields) => self.field(walk, first, shape),
            (None, Elements::Variants) => self.variant(walk, first, shape),
            (None, Elements::Items) => None,
        }
    }

    /// The first token from `at` on that `stop` holds for, outside angle brackets when `angles`.
    fn find(&self, walk: &Walk<'t>, at: usize, angles: bool, stop: impl Fn(Node<'t>) -> bool) -> Option<usize> {
        let mut depth = 0i32;
        for (i, token) in self.tokens.iter().enumerate().skip(at) {
            if depth <= 0 && stop(*token) {
                return Some(i);
            }
            let text = if angles && !token.is_named() { walk.str(*token) } else { "" };
            if !matches!(text, "->" | "=>" | ">=" | "<=") {
                depth += text.matches('<').count() as i32 - text.matches('>').count() as i32;
            }
        }
        None
    }

    fn function(&self, walk: &Walk<'t>, at: usize, shape: &mut Shape<'t>) -> Option<()> {
        shape.name?;
        let parameters = self.find(walk, at + 2, true, |t| is_group(t, "("))?;
        if parameters != at + 2 && self.text(walk, at + 2) != "<" {
            return None;
        }
        let end = self.find(walk, parameters + 1, false, |t| t.kind() == ";" || is_group(t, "{"))?;
        if self.text(walk, parameters + 1) == "->" {
            let stop = |t: Node<'t>| matches!(t.kind(), ";" | "where") || is_group(t, "{");
            let last = self.find(walk, parameters + 2, false, stop).unwrap_or(end);
            shape.written_type = self.span(parameters + 2, last);
        }
        shape.kind = "function";
        shape.parameters = self.tokens.get(parameters).copied();
        shape.stop = self.tokens.get(end).copied().filter(|t| is_group(*t, "{"));
        shape.end = end + 1;
        Some(())
    }

    /// The bytes of tokens `from..to`.
    fn span(&self, from: usize, to: usize) -> Option<ByteRange> {
        let (first, last) = (self.tokens.get(from)?, self.tokens.get(to.checked_sub(1)?)?);
        (from < to).then(|| ByteRange::new(first.start_byte(), last.end_byte()))
    }

    /// Something with members in braces, or none (`mod a;`, `struct A;`, `struct A(…);`).
    fn braced(&self, walk: &Walk<'t>, at: usize, kind: &'static str, shape: &mut Shape<'t>) -> Option<()> {
        shape.name?;
        let end = self.find(walk, at + 2, false, |t| t.kind() == ";" || is_group(t, "{"))?;
        let bodiless = self.tokens[end].kind() == ";";
        if bodiless && !matches!(kind, "struct" | "module") || kind == "module" && end != at + 2 {
            return None;
        }
        shape.kind = kind;
        shape.stop = self.tokens.get(end).copied().filter(|_| !bodiless);
        shape.end = end + 1;
        Some(())
    }

    fn value(&self, walk: &Walk<'t>, at: usize, shape: &mut Shape<'t>) -> Option<()> {
        shape.kind = if self.text(walk, at) == "const" { "constant" } else { "static" };
        let mut name = at + 1;
        // `static ref` is lazy_static's own word.
        while matches!(self.text(walk, name), "ref" | "mut") && self.is_name(name + 1) || self.text(walk, name) == "mut"
        {
            if self.text(walk, name) == "mut" {
                shape.modifiers.push("mut".into());
            }
            name += 1;
        }
        shape.name = self.tokens.get(name).copied().filter(|_| self.is_name(name));
        shape.name?;
        let typed = self.text(walk, name + 1) == ":";
        if !typed && self.text(walk, name + 1) != "=" {
            return None;
        }
        let end = self.find(walk, name + 1, false, |t| t.kind() == ";").unwrap_or(self.tokens.len());
        let equals = self.find(walk, name + 1, false, |t| t.kind() == "=").filter(|e| *e < end);
        if typed {
            shape.written_type = self.span(name + 2, equals.unwrap_or(end));
        }
        shape.stop = equals.and_then(|e| self.tokens.get(e + 1)).copied();
        shape.end = (end + 1).min(self.tokens.len());
        Some(())
    }

    fn alias(&self, walk: &Walk<'t>, at: usize, shape: &mut Shape<'t>) -> Option<()> {
        shape.name?;
        let end = self.find(walk, at + 2, false, |t| t.kind() == ";")?;
        let equals = self.find(walk, at + 2, true, |t| t.kind() == "=").filter(|e| *e < end);
        if equals.is_none() && !matches!(self.text(walk, at + 2), ";" | ":" | "<") {
            return None;
        }
        shape.written_type = equals.and_then(|e| self.span(e + 1, end));
        shape.kind = "type_alias";
        shape.end = end + 1;
        Some(())
    }

    fn implementation(&self, walk: &Walk<'t>, at: usize, shape: &mut Shape<'t>) -> Option<()> {
        let body = self.find(walk, at + 1, false, |t| is_group(t, "{"))?;
        let mut from = at + 1;
        if self.text(walk, from) == "<" {
            from = self.find(walk, from + 1, false, |t| t.kind() == ">")? + 1;
        }
        let through = self.find(walk, from, true, |t| t.kind() == "for").filter(|f| *f < body);
        let from = through.map_or(from, |f| f + 1);
        let to = self.find(walk, from, true, |t| t.kind() == "where").filter(|w| *w < body).unwrap_or(body);
        let written = self.span(from, to)?.of(walk.text).to_owned();
        shape.implements = Some((written, through.is_some()));
        shape.stop = self.tokens.get(body).copied();
        shape.end = body + 1;
        Some(())
    }

    fn macro_rules(&self, walk: &Walk<'t>, at: usize, shape: &mut Shape<'t>) -> Option<()> {
        shape.name = self.tokens.get(at + 2).copied().filter(|_| self.is_name(at + 2));
        shape.stop = self.tokens.get(at + 3).copied().filter(|t| t.kind() == "token_tree");
        shape.name.filter(|_| self.text(walk, at + 1) == "!")?;
        shape.stop?;
        shape.kind = "macro";
        shape.end = at + 4;
        Some(())
    }

    /// `name: Type` up to a comma.
    fn field(&self, walk: &Walk<'t>, at: usize, mut shape: Shape<'t>) -> Option<Shape<'t>> {
        let name = self.tokens.get(at).copied().filter(|_| self.is_name(at))?;
        if self.text(walk, at + 1) != ":" {
            return None;
        }
        let end = self.find(walk, at + 2, true, |t| t.kind() == ",").unwrap_or(self.tokens.len());
        shape.written_type = self.span(at + 2, end);
        shape.name = Some(name);
        shape.kind = "field";
        shape.modifiers.clear();
        shape.end = end;
        Some(shape)
    }

    /// `Name`, `Name(…)`, `Name { … }` or `Name = …` up to a comma.
    fn variant(&self, walk: &Walk<'t>, at: usize, mut shape: Shape<'t>) -> Option<Shape<'t>> {
        let name = self.tokens.get(at).copied().filter(|_| self.is_name(at))?;
        let next = self.tokens.get(at + 1).copied();
        if next.is_some_and(|n| !matches!(n.kind(), "," | "=" | "token_tree")) {
            return None;
        }
        let end = self.find(walk, at + 1, false, |t| t.kind() == ",").unwrap_or(self.tokens.len());
        shape.stop = next.filter(|n| is_group(*n, "{"));
        shape.name = Some(name);
        shape.kind = "variant";
        shape.modifiers.clear();
        shape.end = end;
        Some(shape)
    }
}

/// Declares the item of `tokens[start..shape.end]`; the group that holds its members, if any.
fn declare<'t>(
    walk: &mut Walk<'t>,
    tokens: &[Node<'t>],
    start: usize,
    shape: Shape<'t>,
    leads: &[ByteRange],
    scope: &Scope,
) -> Option<Group<'t>> {
    let (first, last) = (tokens.get(start)?, tokens.get(shape.end.checked_sub(1)?)?);
    let attached = attached_to(walk.text, leads.iter().copied(), first.start_byte());
    let test = if attached.test_only { tags::TEST } else { scope.tag & tags::TEST };
    if let Some((written, is_trait)) = &shape.implements {
        let path = type_path(&scope.path, written);
        let tag = test | if *is_trait { tags::TRAIT_IMPL } else { tags::IMPL };
        let inner = Scope { decl: walk.find_type(&path), path, tag };
        return shape.stop.map(|body| Group::new(body, inner, Elements::Items));
    }
    let name = shape.name?;
    let mut draft = Draft::new(shape.kind, walk.text, *first, name);
    draft.item = ByteRange::new(first.start_byte(), last.end_byte());
    draft.body = ByteRange { start: draft.item.end, end: draft.item.end };
    common(walk, &mut draft, shape.visibility.clone(), &attached);
    let body_end = draft.item.end;
    draft.body(walk.text, shape.stop);
    if shape.kind == "constant" || shape.kind == "static" {
        // The value may be several tokens; the item's end is its end, without a semicolon.
        let value_end = if last.kind() == ";" { last.start_byte() } else { last.end_byte() };
        draft.body.end = if shape.stop.is_some() { value_end as u32 } else { body_end };
    }
    trim_signature(&mut draft);
    draft.modifiers.clone_from(&shape.modifiers);
    details(walk, &mut draft, &shape, &attached);
    let id = walk.declare(draft);
    let body = shape.stop.filter(|s| is_group(*s, "{"))?;
    let (tag, elements) = match shape.kind {
        "struct" | "union" | "variant" => (tags::TYPE, Elements::Fields),
        "enum" => (tags::TYPE, Elements::Variants),
        "trait" => (tags::TRAIT, Elements::Items),
        "module" => (tags::MODULE, Elements::Items),
        _ => return None,
    };
    Some(Group::new(body, walk.scope_of(id, tag | test), elements))
}

/// What the kinds differ in.
fn details<'t>(walk: &mut Walk<'t>, draft: &mut Draft<'t>, shape: &Shape<'t>, attached: &Attached) {
    let written_type = shape.written_type.map(|r| squeeze(r.of(walk.text)));
    match shape.kind {
        "function" => {
            let mut callable = shape.parameters.map(|p| parameters(walk, p)).unwrap_or_default();
            callable.returns.extend(written_type.map(Into::into));
            draft.callable = Some(callable);
            items::function_facets(walk, draft, attached, shape.stop.is_some());
        }
        "constant" | "static" | "field" => {
            draft.value_type = written_type;
            items::value_facets(walk, draft, shape.stop.is_some());
        }
        "type_alias" => {
            draft.value_type = written_type;
            items::type_alias_facets(walk, draft);
        }
        "macro" => {
            draft.visibility = None;
            draft.facets =
                draft.facets.union(kind_facets("macro")).with_if(rift_base::Facet::Public, attached.exported);
        }
        kind => draft.facets = draft.facets.union(kind_facets(kind)),
    }
}

/// Splits the parameter list `group` at its commas.
fn parameters<'t>(walk: &Walk<'t>, group: Node<'t>) -> Callable {
    let scope = Scope { decl: None, path: Default::default(), tag: 0 };
    let list = Group::new(group, scope, Elements::Fields);
    let mut out = Callable::default();
    let mut at = 0;
    while at < list.tokens.len() {
        let end = list.find(walk, at, true, |t| t.kind() == ",").unwrap_or(list.tokens.len());
        let colon = list.find(walk, at, false, |t| t.kind() == ":").filter(|c| *c < end);
        let pattern = list.span(at, colon.unwrap_or(end)).map_or("", |r| r.of(walk.text));
        let name = pattern.split_whitespace().find(|w| *w != "mut").filter(|w| w.bytes().all(is_word)).map(Cow::from);
        if colon.is_none() && pattern.ends_with("self") {
            out.receiver = Some(items::receiver(pattern));
        } else if at < end {
            let annotation = colon.and_then(|c| list.span(c + 1, end)).map(|r| squeeze(r.of(walk.text)).into());
            let read = Parameter { name: name.map(Into::into), annotation, ..Parameter::default() };
            match read.name.as_deref() {
                Some("self") => out.receiver = Some(read),
                _ => out.parameters.push(read),
            }
        }
        at = end + 1;
    }
    out
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
