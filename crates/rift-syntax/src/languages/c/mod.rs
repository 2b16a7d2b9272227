//! C and C++: one reader for both grammars, over text whose macros are masked first (see [`mask`]).

mod callables;
mod declarators;
mod docs;
mod functions;
mod header;
mod items;
mod mask;
mod preprocessor;
mod records;
mod tests_of;
mod types;
mod values;

use std::sync::OnceLock;

use rift_base::Facet;
use tree_sitter::Node;

pub(crate) use header::is_cpp;
pub(crate) use mask::masked;

use super::{Definition, Through};
use crate::engine::{Draft, Visit, Walk};

pub(crate) static C: Definition = Definition {
    identity: "c",
    grammar: || tree_sitter_c::LANGUAGE.into(),
    separator: "::",
    visits: VISITS,
    through: THROUGH,
    leading: LEADING,
    visit: |walk, node| visit(walk, node, false),
    whole_file: None,
    node_facets,
    regions: REGIONS,
    binding: None,
    plan: OnceLock::new(),
};

pub(crate) static CPP: Definition = Definition {
    identity: "cpp",
    grammar: || tree_sitter_cpp::LANGUAGE.into(),
    separator: "::",
    visits: VISITS,
    through: THROUGH,
    leading: LEADING,
    visit: |walk, node| visit(walk, node, true),
    whole_file: None,
    node_facets,
    regions: REGIONS,
    binding: None,
    plan: OnceLock::new(),
};

const VISITS: &[&str] = &[
    "access_specifier",
    "alias_declaration",
    "case_statement",
    "catch_clause",
    "class_specifier",
    "compound_statement",
    "concept_definition",
    "declaration",
    "do_statement",
    "else_clause",
    "enum_specifier",
    "enumerator",
    "field_declaration",
    "for_range_loop",
    "for_statement",
    "friend_declaration",
    "function_definition",
    "if_statement",
    "labeled_statement",
    "linkage_specification",
    "namespace_definition",
    "preproc_def",
    "preproc_function_def",
    "struct_specifier",
    "switch_statement",
    "template_declaration",
    "try_statement",
    "type_definition",
    "union_specifier",
    "while_statement",
];

const THROUGH: Through = Through::Only(&[
    "declaration_list",
    "enumerator_list",
    "field_declaration_list",
    "preproc_elif",
    "preproc_elifdef",
    "preproc_else",
    "preproc_if",
    "preproc_ifdef",
]);

const LEADING: &[&str] = &["comment"];

const REGIONS: &[(&str, &str)] = &[("value", "content"), ("parameters", "header")];

/// Words for nodes whose kind's suffix does not tell.
fn node_facets(kind: &str) -> &'static [&'static str] {
    match kind {
        "class_specifier"
        | "struct_specifier"
        | "union_specifier"
        | "enum_specifier"
        | "preproc_def"
        | "preproc_function_def"
        | "enumerator" => &["declaration", "definition"],
        "preproc_include" | "import_declaration" => &["import"],
        "compound_statement" => &["body", "block", "statement"],
        "field_declaration_list" | "enumerator_list" | "declaration_list" => &["body"],
        "parameter_declaration" | "optional_parameter_declaration" | "variadic_parameter_declaration" => &["parameter"],
        "type_descriptor" | "primitive_type" | "sized_type_specifier" | "template_type" => &["type_expression"],
        "identifier" | "field_identifier" | "type_identifier" | "namespace_identifier" => &["identifier"],
        "attribute_declaration" | "attribute_specifier" | "ms_declspec_modifier" => &["annotation"],
        "number_literal" | "string_literal" | "raw_string_literal" | "char_literal" | "true" | "false" | "null" => {
            &["literal"]
        }
        _ => &[],
    }
}

/// What a scope is, in [`crate::engine::Scope::tag`]'s low bits: a file or a namespace.
const FILE: u8 = 0;
/// A class, a struct or a union.
const CLASS: u8 = 1;
/// An enumeration.
const ENUM: u8 = 2;
/// A function's body.
const BODY: u8 = 3;
const WHAT: u8 = 3;

/// Bits of the access in force in a class; public without them.
const PROTECTED: u8 = 4;
const PRIVATE: u8 = 8;
const ACCESS: u8 = PROTECTED | PRIVATE;
/// Members of this class have an access: the language is C++.
const HAS_ACCESS: u8 = 16;
/// The type whose body comes next is declared already: this scope is its own.
const PENDING: u8 = 32;
/// Names here are invisible to other files: an anonymous namespace, a function's body.
const HIDDEN: u8 = 64;

fn visit<'t>(walk: &mut Walk<'t>, node: Node<'t>, cpp: bool) -> Visit {
    match node.kind() {
        "access_specifier" => {
            let access = match walk.str(node) {
                "private" => PRIVATE,
                "protected" => PROTECTED,
                _ => 0,
            };
            // In force for the siblings that follow, also behind the end of a conditional block.
            walk.scope.tag = walk.scope.tag & !ACCESS | access;
            Visit::Skip
        }
        "declaration" | "field_declaration" => values::declaration(walk, node, cpp),
        "function_definition" => functions::definition(walk, node, cpp),
        "type_definition" => records::type_definition(walk, node, cpp),
        "class_specifier" | "struct_specifier" | "union_specifier" | "enum_specifier" => {
            records::specifier(walk, node, cpp)
        }
        // A function's statements, of interest for the types and macros in them. In broken source they stand elsewhere too.
        "compound_statement" | "case_statement" | "catch_clause" | "do_statement" | "else_clause"
        | "for_range_loop" | "for_statement" | "if_statement" | "labeled_statement" | "switch_statement"
        | "try_statement" | "while_statement"
            if walk.scope.tag & WHAT == BODY =>
        {
            Visit::Descend
        }
        "enumerator" => records::enumerator(walk, node),
        "alias_declaration" => records::alias(walk, node),
        "concept_definition" => records::concept(walk, node),
        "namespace_definition" => records::namespace(walk, node),
        "preproc_def" | "preproc_function_def" => preprocessor::define(walk, node),
        "friend_declaration" | "template_declaration" => Visit::Unwrap,
        "linkage_specification" => match node.child_by_field_name("body") {
            Some(body) if body.kind() == "declaration_list" => Visit::Descend,
            _ => Visit::Unwrap,
        },
        _ => Visit::Skip,
    }
}

/// Gives `draft` the access in force in a C++ class.
fn access(tag: u8, draft: &mut Draft<'_>) {
    if tag & HAS_ACCESS == 0 {
        return;
    }
    let word = match tag & ACCESS {
        PRIVATE => "private",
        PROTECTED => "protected",
        _ => "public",
    };
    draft.visibility = Some(word.to_owned());
    draft.facets = draft.facets.with_if(Facet::Public, word == "public");
}

/// Whether what is visited stands behind `template <>`: an explicit specialisation.
fn is_specialisation(walk: &Walk<'_>) -> bool {
    let Some(wrapper) = walk.wrapper else { return false };
    let head = walk.str(wrapper).trim_start_matches("template").trim_start();
    head.strip_prefix('<').is_some_and(|rest| rest.trim_start().starts_with('>'))
}
