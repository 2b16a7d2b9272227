//! Go. What is declared: functions, methods, types (local ones too) with their fields and interface methods, and the
//! package's constants and variables. The blank name `_` declares nothing.

use std::sync::OnceLock;

use rift_base::{Facet, Facets, NamePath};
use tree_sitter::Node;

use super::{Definition, Through};
use crate::engine::{Draft, Visit, Walk};

mod binding;
mod comments;
mod functions;
mod shared;
mod types;
mod values;

pub(crate) static GO: Definition = Definition {
    identity: "go",
    grammar: || tree_sitter_go::LANGUAGE.into(),
    separator: ".",
    visits: &[
        "package_clause",
        "function_declaration",
        "method_declaration",
        "type_declaration",
        "const_declaration",
        "var_declaration",
        "type_spec",
        "type_alias",
        "const_spec",
        "var_spec",
        "field_declaration",
        "method_elem",
    ],
    through: Through::Only(&[
        "var_spec_list",
        // Where the fields of named and unnamed structs stand.
        "struct_type",
        "field_declaration_list",
        "interface_type",
        "pointer_type",
        "slice_type",
        "array_type",
        "map_type",
        "channel_type",
        "parenthesized_type",
        // Where local types stand.
        "block",
        "statement_list",
        "labeled_statement",
        "if_statement",
        "for_statement",
        "expression_switch_statement",
        "type_switch_statement",
        "select_statement",
        "expression_case",
        "type_case",
        "default_case",
        "communication_case",
    ]),
    leading: &["comment"],
    visit,
    whole_file: None,
    node_facets,
    regions: &[],
    binding: Some(binding::PROVIDER),
    plan: OnceLock::new(),
};

/// Words of [`crate::engine::Scope::tag`]; 0 is the file.
mod scope {
    pub(super) const TYPE: u8 = 1;
    pub(super) const FUNCTION: u8 = 2;
}

fn visit<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    match node.kind() {
        "package_clause" => {
            let name = node.named_child(0).map(|n| walk.str(n)).filter(|n| !n.is_empty());
            walk.package = name.map(|n| NamePath::from_names([n]));
            Visit::Skip
        }
        "function_declaration" => functions::function(walk, node),
        "method_declaration" => functions::method(walk, node),
        "method_elem" => functions::interface_method(walk, node),
        "type_spec" | "type_alias" => types::declaration(walk, node),
        "field_declaration" => types::field(walk, node),
        "type_declaration" => group(node),
        "const_declaration" | "var_declaration" if walk.scope.tag == scope::FUNCTION => Visit::Skip,
        "const_declaration" | "var_declaration" => group(node),
        "const_spec" => values::spec(walk, node, "constant"),
        _ => values::spec(walk, node, "variable"),
    }
}

/// A lone `type T …` is one declaration with its keyword; in a parenthesised group each line is its own.
fn group(declaration: Node<'_>) -> Visit {
    let mut cursor = declaration.walk();
    let grouped = declaration.children(&mut cursor).any(|c| c.kind() == "(" || c.kind() == "var_spec_list");
    if grouped { Visit::Descend } else { Visit::Unwrap }
}

/// A name as the source has it, unless it is blank or broken source left it out.
fn usable(walk: &Walk<'_>, name: Node<'_>) -> bool {
    !matches!(walk.str(name), "" | "_")
}

/// Exported names start with an upper-case letter (Go specification, "Exported identifiers").
fn exported(draft: &mut Draft<'_>, tag: u8) {
    if tag != scope::FUNCTION && draft.name.starts_with(char::is_uppercase) {
        draft.facets.insert(Facet::Public);
    }
}

fn member(tag: u8) -> Facets {
    Facets::NONE.with_if(Facet::Member, tag == scope::TYPE)
}

fn node_facets(kind: &str) -> &'static [&'static str] {
    match kind {
        "block" => &["block"],
        "package_clause" => &["declaration"],
        "import_declaration" | "import_spec" => &["import"],
        "type_spec" | "type_alias" | "const_spec" | "var_spec" | "method_elem" => &["declaration", "definition"],
        "parameter_declaration" | "variadic_parameter_declaration" | "type_parameter_declaration" => &["parameter"],
        "identifier" | "field_identifier" | "package_identifier" | "blank_identifier" | "label_name" => &["identifier"],
        "type_identifier" => &["identifier", "type_expression"],
        "struct_type" | "interface_type" | "pointer_type" | "slice_type" | "array_type" | "map_type"
        | "channel_type" | "function_type" | "generic_type" | "qualified_type" | "parenthesized_type" => {
            &["type_expression"]
        }
        "interpreted_string_literal"
        | "raw_string_literal"
        | "int_literal"
        | "float_literal"
        | "imaginary_literal"
        | "rune_literal"
        | "true"
        | "false"
        | "nil"
        | "iota" => &["literal"],
        "composite_literal" | "func_literal" => &["expression"],
        "short_var_declaration" => &["statement"],
        _ => &[],
    }
}
