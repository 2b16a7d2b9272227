//! YAML. The keys of several documents in one file stand beside each other.

use std::sync::OnceLock;

use tree_sitter::Node;

use super::super::{Definition, Through};
use super::{Class, Format, Key, declare_key, members, node_facets, shape, unquote, walk_keys};
use crate::engine::{Visit, Walk};
use crate::facts::DeclId;

pub(crate) static YAML: Definition = Definition {
    identity: "yaml",
    grammar: || tree_sitter_yaml::LANGUAGE.into(),
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
        "block_mapping_pair" | "flow_pair" => Class::Pair,
        "block_sequence" | "flow_sequence" => Class::List,
        "stream"
        | "document"
        | "block_node"
        | "flow_node"
        | "block_mapping"
        | "flow_mapping"
        | "block_sequence_item"
        | "ERROR" => Class::Through,
        "comment" => Class::Comment,
        _ => Class::Leaf,
    }
}

/// The collection or scalar inside a value's wrapper, past its tag and anchor.
fn content(value: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = value.walk();
    value.named_children(&mut cursor).find(|c| !matches!(c.kind(), "anchor" | "tag" | "comment"))
}

fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>, leading: &[Node<'t>]) -> Option<DeclId> {
    let key = node.child_by_field_name("key")?;
    let value = node.child_by_field_name("value");
    let kind = value.and_then(content).map_or("", |c| c.kind());
    let count = || value.and_then(content).map_or(0, members);
    let shape = match kind {
        "block_mapping" | "flow_mapping" => Some(shape("{}", count(), "key")),
        "block_sequence" | "flow_sequence" => Some(shape("[]", count(), "item")),
        _ => None,
    };
    let holds_keys = matches!(kind, "block_mapping" | "flow_mapping");
    let names = vec![unquote(walk.str(key))];
    declare_key(walk, node, Key { node: key, names, value, separator: ": ", holds_keys, shape }, leading)
}

/// Block levels, each of which the grammar's scanner keeps in a fixed buffer of 1,024 bytes. It ends the process when
/// that overflows, at 254 levels (tree-sitter-yaml 0.7, `serialize`).
const LEVELS_MAX: usize = 120;

/// Whether `text` may nest blocks deeper than the grammar can take. Every column where a line or what follows a block
/// indicator (`- `, `? `, `: `) begins counts for a level, which a line further left closes; a sequence may share its
/// mapping's column, so half of what the scanner holds is allowed.
pub(crate) fn nests_too_deep(text: &str) -> bool {
    let mut columns: Vec<usize> = Vec::new();
    for line in text.lines() {
        let bytes = line.as_bytes();
        let indent = bytes.iter().take_while(|b| **b == b' ' || **b == b'\t').count();
        if indent == bytes.len() {
            continue;
        }
        while columns.last().is_some_and(|c| *c >= indent) {
            columns.pop();
        }
        columns.push(indent);
        let mut in_brackets = 0usize;
        for (at, byte) in bytes.iter().enumerate().skip(indent) {
            match byte {
                b'[' | b'{' => in_brackets += 1,
                b']' | b'}' => in_brackets = in_brackets.saturating_sub(1),
                b'-' | b'?' | b':' if in_brackets == 0 && matches!(bytes.get(at + 1), Some(b' ' | b'\t')) => {
                    columns.push(at + 2);
                }
                _ => {}
            }
            if columns.len() > LEVELS_MAX {
                return true;
            }
        }
    }
    false
}
