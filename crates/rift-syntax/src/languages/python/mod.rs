//! Python. What is declared: functions, methods and properties, classes, the names that assignments bind at module and
//! class level, the instance attributes that methods assign through their first parameter, and type aliases. Names
//! that are assigned again keep their first declaration; names inside functions are no declarations, except functions
//! and classes.

use std::sync::OnceLock;

use rift_base::{Facet, Facets};
use tree_sitter::Node;

use super::{Definition, Through};
use crate::engine::{Draft, Visit, Walk};

mod binding;
mod broken;
mod classes;
mod docstring;
mod functions;
mod variables;

pub(crate) static PYTHON: Definition = Definition {
    identity: "python",
    grammar: || tree_sitter_python::LANGUAGE.into(),
    separator: ".",
    visits: &[
        "decorated_definition",
        "class_definition",
        "function_definition",
        "assignment",
        "type_alias_statement",
        "ERROR",
    ],
    through: Through::Only(&[
        "block",
        "expression_statement",
        "if_statement",
        "elif_clause",
        "else_clause",
        "try_statement",
        "except_clause",
        "finally_clause",
        "with_statement",
        "for_statement",
        "while_statement",
        "match_statement",
        "case_clause",
    ]),
    leading: &["decorator", "comment"],
    visit,
    whole_file: None,
    node_facets,
    regions: &[],
    binding: Some(binding::PROVIDER),
    plan: OnceLock::new(),
};

/// Bits of [`crate::engine::Scope::tag`]; none is the module.
mod scope {
    pub(super) const CLASS: u8 = 1;
    pub(super) const FUNCTION: u8 = 2;
    /// Beside [`CLASS`]: its assignments are members of an enumeration.
    pub(super) const ENUM: u8 = 4;
    /// Beside [`CLASS`]: named like a test class.
    pub(super) const TEST_NAME: u8 = 8;
    /// Beside [`CLASS`]: has a base class named like a test case.
    pub(super) const TEST_CASE: u8 = 16;
    /// Beside any: inside an error.
    pub(super) const BROKEN: u8 = 32;
}

fn visit<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Visit {
    match node.kind() {
        "decorated_definition" => Visit::Unwrap,
        "function_definition" => functions::visit(walk, node),
        "class_definition" => classes::visit(walk, node),
        "ERROR" => broken::recover(walk, node),
        "type_alias_statement" => {
            variables::type_alias(walk, node);
            Visit::Skip
        }
        _ => {
            variables::assignment(walk, node);
            Visit::Skip
        }
    }
}

/// The field `name` of a definition, unless broken source left it out.
fn name_of<'t>(node: Node<'t>) -> Option<Node<'t>> {
    node.child_by_field_name("name").filter(|n| !n.byte_range().is_empty())
}

/// What the name says of who may use it (PEP 8, "Naming Conventions"): a leading underscore is for internal use, a
/// name with two at both ends belongs to the language.
fn visibility(draft: &mut Draft<'_>, tag: u8) {
    let special = draft.name.len() > 4 && draft.name.starts_with("__") && draft.name.ends_with("__");
    if draft.name.starts_with('_') && !special && draft.name != "_" {
        draft.visibility = Some("private".to_owned());
    } else if tag & scope::FUNCTION == 0 {
        draft.facets.insert(Facet::Public);
    }
}

/// Facets of whatever stands in a scope tagged `tag`.
fn placed(tag: u8) -> Facets {
    Facets::NONE.with_if(Facet::Member, tag & scope::CLASS != 0)
}

/// The dotted names of the decorators before the definition being visited, in source order, without arguments.
fn decorators<'t>(walk: &Walk<'t>) -> Vec<&'t str> {
    let name = |node: &Node<'t>| {
        let text = walk.str(*node).trim_start_matches('@');
        text.split(['(', '\n', '#']).next().unwrap_or("").trim()
    };
    walk.leading.iter().filter(|n| n.kind() == "decorator").map(name).collect()
}

/// The part of a dotted name behind its last dot, without subscripts.
fn last_segment(dotted: &str) -> &str {
    let plain = dotted.split('[').next().unwrap_or(dotted).trim();
    plain.rsplit('.').next().unwrap_or(plain).trim()
}

fn node_facets(kind: &str) -> &'static [&'static str] {
    match kind {
        "block" => &["block"],
        "import_statement" | "import_from_statement" | "future_import_statement" => &["import"],
        "decorator" => &["annotation"],
        "typed_parameter" | "default_parameter" | "typed_default_parameter" => &["parameter"],
        "keyword_argument" | "list_splat" | "dictionary_splat" => &["argument"],
        "type" | "generic_type" | "union_type" | "member_type" => &["type_expression"],
        "identifier" => &["identifier"],
        "string" | "concatenated_string" | "integer" | "float" | "true" | "false" | "none" | "ellipsis" => &["literal"],
        "pattern_list"
        | "tuple_pattern"
        | "list_pattern"
        | "list_splat_pattern"
        | "dictionary_splat_pattern"
        | "case_pattern"
        | "as_pattern" => &["pattern"],
        "call"
        | "attribute"
        | "subscript"
        | "lambda"
        | "await"
        | "yield"
        | "binary_operator"
        | "boolean_operator"
        | "comparison_operator"
        | "not_operator"
        | "unary_operator"
        | "list"
        | "tuple"
        | "set"
        | "dictionary"
        | "list_comprehension"
        | "set_comprehension"
        | "dictionary_comprehension" => &["expression"],
        "assignment" | "augmented_assignment" => &["statement"],
        _ => &[],
    }
}
