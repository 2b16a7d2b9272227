//! TOML. A table of an array of tables has its index in its path, and so have the tables below it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use rift_base::{Facet, Facets, NamePath};
use tree_sitter::Node;

use super::super::{Definition, Through};
use super::{
    Class, Format, Key, declare_key, document, members, node_facets, shape, trimmed, unquote, visible, walk_keys,
};
use crate::engine::{Draft, PATH_MAX, Scope, Visit, Walk};
use crate::facts::{DeclId, Problem};
use crate::text::{clip, range, squeeze};

pub(crate) static TOML: Definition = Definition {
    identity: "toml",
    grammar: || tree_sitter_toml_ng::LANGUAGE.into(),
    separator: ".",
    visits: &[],
    through: Through::Only(&[]),
    leading: &[],
    visit: |_, _| Visit::Skip,
    whole_file: Some(whole_file),
    node_facets,
    regions: &[],
    binding: None,
    plan: OnceLock::new(),
};

const FORMAT: Format = Format { class, pair };

fn class(kind: &str) -> Class {
    match kind {
        "pair" => Class::Pair,
        "array" => Class::List,
        "inline_table" | "ERROR" => Class::Through,
        "comment" => Class::Comment,
        _ => Class::Leaf,
    }
}

/// The tables met so far.
#[derive(Default)]
struct Tables {
    declared: HashMap<NamePath, DeclId>,
    /// How many tables each array of tables has.
    arrays: HashMap<NamePath, usize>,
}

fn whole_file<'t>(walk: &mut Walk<'t>, root: Node<'t>) {
    // Keys before the first table; the walk does not go into tables.
    walk_keys(walk, root, &FORMAT);
    let outside = walk.scope.clone();
    let mut tables = Tables::default();
    let mut leading: Vec<Node<'t>> = Vec::new();
    let mut cursor = root.walk();
    for node in root.named_children(&mut cursor) {
        match node.kind() {
            "comment" => leading.push(node),
            "table" | "table_array_element" => {
                if let Some(scope) = table(walk, node, &mut tables, &leading) {
                    walk.scope = scope;
                    walk_keys(walk, node, &FORMAT);
                    walk.scope.clone_from(&outside);
                }
                leading = trailing_comments(node);
            }
            _ => leading.clear(),
        }
    }
}

/// Comments at a table's end document what follows it.
fn trailing_comments<'t>(table: Node<'t>) -> Vec<Node<'t>> {
    let mut out = Vec::new();
    let mut cursor = table.walk();
    for child in table.named_children(&mut cursor) {
        match child.kind() {
            "comment" => out.push(child),
            _ => out.clear(),
        }
    }
    out
}

fn table<'t>(walk: &mut Walk<'t>, node: Node<'t>, tables: &mut Tables, leading: &[Node<'t>]) -> Option<Scope> {
    let key = node.named_child(0).filter(|k| is_key(*k))?;
    let is_array = node.kind() == "table_array_element";
    let names = names(walk.str(key));
    if walk.str(key).len() > PATH_MAX / 2 {
        walk.problem(Problem::Depth);
        return None;
    }
    let mut scope = walk.scope.clone();
    let (last, before) = names.split_last()?;
    for name in before {
        let path = tables.inside(scope.path.child(name));
        scope = Scope { decl: tables.declared.get(&path).copied().or(scope.decl), path, tag: 0 };
    }
    let mut name = last.clone();
    if is_array {
        let path = scope.path.child(last);
        let count = tables.arrays.entry(path.clone()).or_insert(0);
        name = count.to_string();
        *count += 1;
        scope.path = path;
    }
    let mut draft = Draft::named("table", node, Cow::Owned(name));
    draft.item = trimmed(walk.text, range(node));
    draft.name_range = range(key);
    draft.body = rift_base::ByteRange { start: draft.item.end, end: draft.item.end };
    let brackets = if is_array { ("[[", "]]") } else { ("[", "]") };
    draft.signature = clip(format!("{}{}{}", brackets.0, squeeze(walk.str(key)), brackets.1), super::SIGNATURE_MAX);
    draft.facets = Facets::of(&[Facet::Namespace, Facet::MemberContainer]);
    document(walk, &mut draft, leading);
    let id = walk.declare_in(&scope, draft);
    let inner = walk.scope_of(id, 0);
    tables.declared.entry(inner.path.clone()).or_insert(id);
    Some(inner)
}

impl Tables {
    /// `path`, or the last table of the array of tables at `path`.
    fn inside(&self, path: NamePath) -> NamePath {
        match self.arrays.get(&path) {
            Some(count) => path.child(&(count - 1).to_string()),
            None => path,
        }
    }
}

fn is_key(node: Node<'_>) -> bool {
    matches!(node.kind(), "bare_key" | "quoted_key" | "dotted_key")
}

fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>, leading: &[Node<'t>]) -> Option<DeclId> {
    let key = node.named_child(0).filter(|k| is_key(*k))?;
    let mut cursor = node.walk();
    let value = node.named_children(&mut cursor).skip(1).find(|c| c.kind() != "comment");
    let shape = value.and_then(|v| match v.kind() {
        "inline_table" => Some(shape("{}", members(v), "key")),
        "array" => Some(shape("[]", members(v), "item")),
        _ => None,
    });
    let holds_keys = value.is_some_and(|v| v.kind() == "inline_table");
    let names = names(walk.str(key));
    declare_key(walk, node, Key { node: key, names, value, separator: " = ", holds_keys, shape }, leading)
}

/// The names of a key: split at dots outside quotes.
fn names(key: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in key.char_indices() {
        match (quote, c) {
            (None, '.') => {
                out.push(visible(unquote(&key[start..at])));
                start = at + 1;
            }
            (None, '"' | '\'') => quote = Some(c),
            (Some('"'), '\\') if !escaped => {
                escaped = true;
                continue;
            }
            (Some(open), _) if open == c && !escaped => quote = None,
            _ => {}
        }
        escaped = false;
    }
    out.push(visible(unquote(&key[start..])));
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn dotted_keys() {
        assert_eq!(super::names("a.b . c"), ["a", "b", "c"]);
        assert_eq!(super::names(r#""a.b".'c."d'"#), ["a.b", "c.\"d"]);
        assert_eq!(super::names(r#""a\".b".c"#), ["a\".b", "c"]);
        assert_eq!(super::names(r#""""#), ["\"\""]);
    }
}
