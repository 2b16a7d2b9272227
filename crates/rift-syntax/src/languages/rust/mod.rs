//! Rust: items, fields, variants, members of impl blocks, and items inside item-like macro calls.
//!
//! An impl block is no declaration: its members' path is the implemented type's path without generic arguments, so
//! that all `impl<T> Foo<T>` blocks of a module hold members of one `Foo`. Tuple fields have no name and are part of
//! the signature.

mod attached;
mod broken;
mod items;
mod macros;

use std::sync::OnceLock;

use rift_base::NamePath;
use tree_sitter::Node;

use super::{Definition, Through};
use crate::engine::{Scope, Visit, Walk};
use attached::attached;

pub(crate) static RUST: Definition = Definition {
    identity: "rust",
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    separator: "::",
    visits: &[
        "ERROR",
        "associated_type",
        "const_item",
        "enum_item",
        "enum_variant",
        "extern_crate_declaration",
        "field_declaration",
        "foreign_mod_item",
        "function_item",
        "function_signature_item",
        "impl_item",
        "macro_definition",
        "macro_invocation",
        "mod_item",
        "static_item",
        "struct_item",
        "trait_item",
        "type_item",
        "union_item",
        "use_declaration",
    ],
    // Leaves, types, patterns and paths hold no items.
    through: Through::AllBut(&[
        "abstract_type",
        "array_type",
        "boolean_literal",
        "bounded_type",
        "bracketed_type",
        "char_literal",
        "crate",
        "dynamic_type",
        "field_identifier",
        "float_literal",
        "function_modifiers",
        "function_type",
        "generic_type",
        "generic_type_with_turbofish",
        "identifier",
        "inner_attribute_item",
        "integer_literal",
        "label",
        "lifetime",
        "mutable_specifier",
        "ordered_field_declaration_list",
        "parameters",
        "pointer_type",
        "primitive_type",
        "qualified_type",
        "raw_string_literal",
        "reference_type",
        "scoped_identifier",
        "scoped_type_identifier",
        "self",
        "shebang",
        "shorthand_field_identifier",
        "string_literal",
        "super",
        "token_tree",
        "trait_bounds",
        "tuple_pattern",
        "tuple_struct_pattern",
        "tuple_type",
        "type_arguments",
        "type_identifier",
        "type_parameters",
        "visibility_modifier",
        "where_clause",
    ]),
    leading: &["attribute_item", "block_comment", "line_comment"],
    visit,
    whole_file: None,
    node_facets,
    regions: &[],
    binding: None,
    plan: OnceLock::new(),
};

/// What a scope is: the low bits of [`Scope::tag`].
mod tags {
    pub(super) const FILE: u8 = 0;
    pub(super) const MODULE: u8 = 1;
    pub(super) const FUNCTION: u8 = 2;
    /// A struct, union, enum or variant.
    pub(super) const TYPE: u8 = 3;
    pub(super) const TRAIT: u8 = 4;
    pub(super) const IMPL: u8 = 5;
    pub(super) const TRAIT_IMPL: u8 = 6;
    pub(super) const EXTERN: u8 = 7;
    /// Set on everything below `#[cfg(test)]`.
    pub(super) const TEST: u8 = 0x80;
    /// Set on everything below an error.
    pub(super) const BROKEN: u8 = 0x40;

    /// What the scope is, without [`TEST`] and [`BROKEN`].
    pub(super) fn base(tag: u8) -> u8 {
        tag & !(TEST | BROKEN)
    }
}

fn visit<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    match node.kind() {
        "function_item" | "function_signature_item" => items::function(walk, node),
        "struct_item" => items::structure(walk, node, "struct"),
        "union_item" => items::structure(walk, node, "union"),
        "enum_item" => items::structure(walk, node, "enum"),
        "trait_item" => items::structure(walk, node, "trait"),
        "enum_variant" => items::structure(walk, node, "variant"),
        "field_declaration" => items::value(walk, node, "field"),
        "const_item" => items::value(walk, node, "constant"),
        "static_item" => items::value(walk, node, "static"),
        "type_item" | "associated_type" => items::type_alias(walk, node),
        "mod_item" => items::module(walk, node),
        "macro_definition" => items::macro_rules(walk, node),
        "use_declaration" | "extern_crate_declaration" => items::use_aliases(walk, node),
        "ERROR" => broken::recover(walk, node),
        "impl_item" => implementation(walk, node),
        "foreign_mod_item" => Visit::Enter(Scope { tag: tags::EXTERN | test_bit(walk, node), ..walk.scope.clone() }),
        "macro_invocation" => {
            macros::recover(walk, node);
            Visit::Skip
        }
        _ => Visit::Descend,
    }
}

/// [`tags::TEST`] when `node` stands in test-only code.
fn test_bit(walk: &Walk<'_>, node: Node<'_>) -> u8 {
    if walk.scope.tag & tags::TEST != 0 {
        return tags::TEST;
    }
    if walk.leading.is_empty() || !attached(walk, node).test_only { 0 } else { tags::TEST }
}

fn implementation<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    let Some(implemented) = node.child_by_field_name("type") else { return Visit::Descend };
    let tag = if node.child_by_field_name("trait").is_some() { tags::TRAIT_IMPL } else { tags::IMPL };
    let path = type_path(&walk.scope.path, walk.str(implemented));
    let tag = tag | test_bit(walk, node);
    Visit::Enter(Scope { decl: walk.find_type(&path), path, tag })
}

/// The path of the type written `written`, seen from `scope`: a path type's segments without their generic arguments,
/// any other type as one name without white space.
fn type_path(scope: &NamePath, written: &str) -> NamePath {
    let bare: String = written.chars().filter(|c| !c.is_whitespace()).collect();
    let mut depth = 0usize;
    let mut plain = String::with_capacity(bare.len());
    for c in bare.replace("->", "").chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let keyword = ["dyn ", "impl ", "for<"].iter().any(|k| written.starts_with(k));
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if keyword || !plain.starts_with(is_word) || !plain.chars().all(|c| is_word(c) || c == ':') {
        return scope.child(&bare);
    }
    plain.split("::").filter(|segment| !segment.is_empty()).fold(scope.clone(), |path, segment| path.child(segment))
}

/// Whether `body`, some code, may hold items: whether a word that starts one stands in it. Most bodies hold none, and
/// this reads them much faster than a walk over their tree.
fn may_hold_items(body: &str) -> bool {
    const WORDS: [&str; 12] =
        ["fn", "struct", "union", "enum", "trait", "type", "const", "static", "mod", "impl", "macro_rules!", "extern"];
    let bytes = body.as_bytes();
    let mut inside_word = false;
    for (at, byte) in bytes.iter().enumerate() {
        let is_word = byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        if is_word && !inside_word && b"fsuetcmi".contains(byte) {
            let rest = &bytes[at..];
            let starts = |word: &&str| {
                rest.starts_with(word.as_bytes())
                    && rest.get(word.len()).is_some_and(|next| next.is_ascii_whitespace() || b"</\"".contains(next))
            };
            if WORDS.iter().any(starts) {
                return true;
            }
        }
        inside_word = is_word;
    }
    false
}

fn node_facets(kind: &str) -> &'static [&'static str] {
    match kind {
        "declaration_list" | "field_declaration_list" | "enum_variant_list" | "ordered_field_declaration_list" => {
            &["body"]
        }
        "enum_variant" | "associated_type" => &["declaration", "definition"],
        "function_signature_item" => &["declaration"],
        "use_declaration" | "extern_crate_declaration" => &["import"],
        "attribute_item" | "inner_attribute_item" | "attribute" => &["annotation"],
        "macro_invocation" => &["expression"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_implemented_types() {
        let path = |written: &str| type_path(&NamePath::from_names(["m"]), written).to_string();
        assert_eq!(path("Foo<'a, T>"), "m/Foo");
        assert_eq!(path("a :: Foo < T > :: Bar"), "m/a/Foo/Bar");
        assert_eq!(path("Foo<fn(u8) -> u8>"), "m/Foo");
        assert_eq!(path("[ T ]"), "m/%5BT%5D");
        assert_eq!(path("dyn Any"), "m/dynAny");
        assert_eq!(path("(A, B)"), "m/(A,B)");
    }

    #[test]
    fn bodies_that_may_hold_items() {
        for (body, expected) in [
            ("{ fn a() {} }", true),
            ("{ let fnord = 1; of(x) }", false),
            ("{ macro_rules! m { } }", true),
            ("{ x.map(|f| f.type_id()) }", false),
            ("{ struct\n A; }", true),
            ("", false),
        ] {
            assert_eq!(may_hold_items(body), expected, "{body}");
        }
    }
}
