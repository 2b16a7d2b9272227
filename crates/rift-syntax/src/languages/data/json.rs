//! JSON, with comments where they stand.

use std::sync::OnceLock;

use tree_sitter::Node;

use super::super::{Definition, Through};
use super::{Class, Format, Key, declare_key, members, node_facets, shape, unquote, walk_keys};
use crate::engine::{Visit, Walk};
use crate::facts::DeclId;

pub(crate) static JSON: Definition = Definition {
    identity: "json",
    grammar: || tree_sitter_json::LANGUAGE.into(),
    separator: ".",
    visits: &[],
    through: Through::Only(&[]),
    leading: &[],
    visit: |_, _| Visit::Skip,
    whole_file: Some(|walk, root| walk_keys(walk, root, &FORMAT)),
    node_facets,
    regions: &[("key", "name"), ("value", "body")],
    binding: None,
    plan: OnceLock::new(),
};

const FORMAT: Format = Format { class, pair };

fn class(kind: &str) -> Class {
    match kind {
        "pair" => Class::Pair,
        "array" => Class::List,
        "object" | "ERROR" => Class::Through,
        "comment" => Class::Comment,
        _ => Class::Leaf,
    }
}

fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>, leading: &[Node<'t>]) -> Option<DeclId> {
    let key = node.child_by_field_name("key")?;
    let value = node.child_by_field_name("value");
    let shape = value.and_then(|v| match v.kind() {
        "object" => Some(shape("{}", members(v), "key")),
        "array" => Some(shape("[]", members(v), "item")),
        _ => None,
    });
    let holds_keys = value.is_some_and(|v| v.kind() == "object");
    let names = vec![unquote(walk.str(key))];
    declare_key(walk, node, Key { node: key, names, value, separator: ": ", holds_keys, shape }, leading)
}
