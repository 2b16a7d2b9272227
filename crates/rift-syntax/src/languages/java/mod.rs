//! Java. What is declared: types (nested and local ones too), their methods, constructors, fields, enum constants,
//! record components and annotation elements, and modules. Members of anonymous classes and types inside lambda bodies
//! are not: finding them would mean walking every expression.

use std::sync::OnceLock;

use rift_base::{Facet, Facets, NamePath};
use tree_sitter::Node;

use super::{Definition, Through};
use crate::engine::{Scope, Visit, Walk};

mod binding;
mod callables;
mod head;
mod types;
mod values;

pub(crate) static JAVA: Definition = Definition {
    identity: "java",
    grammar: || tree_sitter_java::LANGUAGE.into(),
    separator: ".",
    visits: &[
        "package_declaration",
        "module_declaration",
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
        "method_declaration",
        "constructor_declaration",
        "compact_constructor_declaration",
        "annotation_type_element_declaration",
        "field_declaration",
        "constant_declaration",
        "enum_constant",
        // Initialisers, which make what stands in them local; other blocks are passed.
        "static_initializer",
        "block",
    ],
    through: Through::Only(&[
        "class_body",
        "interface_body",
        "enum_body",
        "enum_body_declarations",
        "annotation_type_body",
        // Where local types stand.
        "constructor_body",
        "labeled_statement",
        "if_statement",
        "for_statement",
        "enhanced_for_statement",
        "while_statement",
        "do_statement",
        "synchronized_statement",
        "try_statement",
        "try_with_resources_statement",
        "catch_clause",
        "finally_clause",
        "switch_expression",
        "switch_block",
        "switch_block_statement_group",
        "switch_rule",
    ]),
    leading: &["line_comment", "block_comment"],
    visit,
    whole_file: None,
    node_facets,
    regions: &[],
    binding: Some(binding::PROVIDER),
    plan: OnceLock::new(),
};

/// Bits of [`crate::engine::Scope::tag`]; none is the file.
mod scope {
    pub(super) const CLASS: u8 = 1;
    /// An interface or annotation type: what is declared inside is public unless it says `private`.
    pub(super) const INTERFACE: u8 = 2;
    pub(super) const METHOD: u8 = 4;
    /// Beside [`CLASS`]: extends a JUnit 3 test case.
    pub(super) const TEST_CASE: u8 = 8;
    pub(super) const MEMBERS: u8 = CLASS | INTERFACE;
}

fn visit<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    match node.kind() {
        "package_declaration" => {
            let mut cursor = node.walk();
            let name = node.named_children(&mut cursor).find(|n| n.kind().ends_with("identifier"));
            walk.package = name.map(|n| NamePath::from_names(walk.str(n).split('.').map(str::trim)));
            Visit::Skip
        }
        "module_declaration" => types::module(walk, node),
        "class_declaration" => types::declaration(walk, node, "class"),
        "interface_declaration" => types::declaration(walk, node, "interface"),
        "enum_declaration" => types::declaration(walk, node, "enum"),
        "record_declaration" => types::declaration(walk, node, "record"),
        "annotation_type_declaration" => types::declaration(walk, node, "annotation"),
        "method_declaration" => callables::method(walk, node),
        "constructor_declaration" | "compact_constructor_declaration" => callables::constructor(walk, node),
        "annotation_type_element_declaration" => callables::element(walk, node),
        "enum_constant" => values::enum_constant(walk, node),
        "static_initializer" | "block" if walk.scope.tag & scope::MEMBERS != 0 => {
            Visit::Enter(Scope { tag: scope::METHOD, ..walk.scope.clone() })
        }
        "static_initializer" | "block" => Visit::Descend,
        _ => values::fields(walk, node),
    }
}

/// The field `name` of a declaration, unless broken source left it out.
fn name_of<'t>(node: Node<'t>) -> Option<Node<'t>> {
    node.child_by_field_name("name").filter(|n| !n.byte_range().is_empty())
}

fn member(tag: u8) -> Facets {
    Facets::NONE.with_if(Facet::Member, tag & scope::MEMBERS != 0)
}

fn node_facets(kind: &str) -> &'static [&'static str] {
    match kind {
        "block" | "constructor_body" => &["block"],
        "class_body" | "interface_body" | "enum_body" | "annotation_type_body" | "module_body" => &["body"],
        "import_declaration" => &["import"],
        "enum_constant" => &["declaration", "definition"],
        "annotation" | "marker_annotation" => &["annotation"],
        "formal_parameter" | "spread_parameter" | "receiver_parameter" | "type_parameter" => &["parameter"],
        "identifier" | "scoped_identifier" => &["identifier"],
        "type_identifier" => &["identifier", "type_expression"],
        "generic_type"
        | "array_type"
        | "scoped_type_identifier"
        | "integral_type"
        | "floating_point_type"
        | "boolean_type"
        | "void_type"
        | "annotated_type" => &["type_expression"],
        "string_literal"
        | "character_literal"
        | "decimal_integer_literal"
        | "hex_integer_literal"
        | "octal_integer_literal"
        | "binary_integer_literal"
        | "decimal_floating_point_literal"
        | "hex_floating_point_literal"
        | "true"
        | "false"
        | "null_literal" => &["literal"],
        "method_invocation" | "field_access" | "array_access" | "method_reference" | "class_literal" => &["expression"],
        "local_variable_declaration" => &["statement"],
        "type_pattern" | "record_pattern" => &["pattern"],
        _ => &[],
    }
}
