//! Macros.

use rift_base::{ByteRange, Facet, Facets, NamePath};
use tree_sitter::Node;

use super::declarators::Spelled;
use super::items::{draft, item, signature};
use crate::engine::{Scope, Visit, Walk};
use crate::facts::{Callable, Parameter};
use crate::text::range;

/// Bytes of replacement text that a macro's signature may show.
const VALUE_SHOWN: usize = 80;

/// A `#define`. Macros know no scopes, so each belongs to its file.
pub(super) fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name") else { return Visit::Skip };
    let parameters = node.child_by_field_name("parameters");
    let value = node.child_by_field_name("value");
    let spelled = walk.str(name);
    if parameters.is_none() && value.is_none() && is_guard(walk.text, range(node), spelled) {
        return Visit::Skip;
    }
    let mut item = item(walk, node);
    // The node takes the line feed with it.
    let text = item.range.of(walk.text).trim_end();
    item.range = ByteRange::new(item.range.start as usize, item.range.start as usize + text.len());
    let spelled = Spelled { qualifier: Vec::new(), name: spelled.to_owned(), node: name, arguments: false };
    let mut draft = draft("macro", node, &item, spelled);
    draft.facets = draft.facets.union(Facets::of(&[Facet::Macro])).with_if(Facet::Callable, parameters.is_some());
    let head = parameters.unwrap_or(name).end_byte();
    draft.signature = signature(walk.text, item.range.start as usize, head);
    if let Some(value) = value {
        let text = walk.str(value).trim_end();
        draft.body = ByteRange::new(value.start_byte(), value.start_byte() + text.len());
        if parameters.is_none() && !text.contains('\n') && text.len() <= VALUE_SHOWN {
            draft.signature = signature(walk.text, item.range.start as usize, draft.body.end as usize);
        }
    }
    if let Some(parameters) = parameters {
        draft.callable = Some(Callable { parameters: names(walk, parameters), ..Callable::default() });
    }
    walk.declare_in(&Scope { decl: None, path: NamePath::default(), tag: 0 }, draft);
    Visit::Skip
}

fn names(walk: &Walk<'_>, parameters: Node<'_>) -> Vec<Parameter> {
    let mut cursor = parameters.walk();
    let mut out = Vec::new();
    for child in parameters.children(&mut cursor) {
        match child.kind() {
            "identifier" => out.push(Parameter { name: Some(walk.str(child).into()), ..Parameter::default() }),
            "..." => out.push(Parameter { variadic: true, ..Parameter::default() }),
            _ => {}
        }
    }
    out
}

/// Whether the empty `#define name` at `define` guards against a second inclusion: only comments stand before its
/// `#ifndef name` (or `#if !defined(name)`), nothing between the two, and more than the `#endif` behind them.
fn is_guard(text: &str, define: ByteRange, name: &str) -> bool {
    let behind: String =
        text.get(define.end as usize..).unwrap_or("").chars().filter(|c| !c.is_whitespace()).take(6).collect();
    if behind == "#endif" {
        return false;
    }
    let before = text.get(..define.start as usize).unwrap_or("").trim_end();
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    let condition: String = before[line_start..].split_whitespace().collect();
    let tested = condition
        .strip_prefix("#ifndef")
        .or_else(|| condition.strip_prefix("#if!defined("))
        .or_else(|| condition.strip_prefix("#if!defined"));
    let Some(tested) = tested else { return false };
    let tested = tested.split(['/', ')']).next().unwrap_or("");
    tested == name && only_comments(&before[..line_start])
}

/// Whether `text` holds nothing but white space, comments and `#pragma once`.
fn only_comments(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while !rest.is_empty() {
        rest = if rest.starts_with("//") || rest.starts_with("#pragma") {
            rest.find('\n').map_or("", |i| &rest[i..])
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or("", |i| &rest[i + 2..])
        } else {
            return false;
        };
        rest = rest.trim_start();
    }
    true
}
