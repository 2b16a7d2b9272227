//! JavaScript (with JSX), TypeScript and TSX. The three grammars share their node kinds, so one reader serves them.
//!
//! | file | reads |
//! |---|---|
//! | `parts` | what all declarations share: names, modifiers, documentation, export marks, signatures |
//! | `callables` | functions, parameters and results |
//! | `classes` | classes, their members, constructor properties |
//! | `types` | interfaces, type aliases, enums, namespaces |
//! | `variables` | variables, destructuring, members of object literals |
//! | `exports` | `export` statements and what they rename |
//! | `repair` | what the grammars do not know: a second reading |
//! | `commonjs` | `exports.x = …`, `Foo.prototype.x = …`, `this.x = …` |
//!
//! Declared are the named things of a module, a namespace, a class, an interface or a module-level object literal, and
//! functions and classes declared in bodies. Local variables, parameters, and call, construct and index signatures
//! are not; nor are variables that stand for a CommonJS module (`const fs = require("fs")`), which are imports.

use std::borrow::Cow;
use std::sync::OnceLock;

use tree_sitter::Node;

use super::{Definition, Through};
use crate::engine::{Visit, Walk};

mod callables;
mod classes;
mod commonjs;
mod exports;
mod parts;
mod repair;
mod types;
mod variables;

use parts::scope;

/// Node kinds that the reader looks at; kinds of the two TypeScript grammars alone are unknown to JavaScript's.
const VISITS: &[&str] = &[
    "abstract_class_declaration",
    "abstract_method_signature",
    "ambient_declaration",
    "arrow_function",
    "class",
    "class_declaration",
    "class_heritage",
    "class_static_block",
    "enum_declaration",
    "export_statement",
    "expression_statement",
    "field_definition",
    "for_in_statement",
    "for_statement",
    "function_declaration",
    "function_expression",
    "function_signature",
    "generator_function",
    "generator_function_declaration",
    "import_alias",
    "interface_declaration",
    "internal_module",
    "lexical_declaration",
    "method_definition",
    "method_signature",
    "module",
    "pair",
    "property_signature",
    "public_field_definition",
    "shorthand_property_identifier",
    "spread_element",
    "statement_block",
    "type_alias_declaration",
    "using_declaration",
    "variable_declaration",
    "variable_declarator",
];

/// Subtrees that declare nothing.
const CLOSED: &[&str] = &[
    "constraint",
    "extends_type_clause",
    "formal_parameters",
    "implements_clause",
    "import_statement",
    "index_signature",
    "regex",
    "string",
    "type_annotation",
    "type_arguments",
    "type_parameters",
];

const LEADING: &[&str] = &["comment", "decorator"];

const REGIONS: &[(&str, &str)] = &[("property", "name"), ("key", "name")];

pub(crate) static JAVASCRIPT: Definition = Definition {
    identity: "javascript",
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    separator: ".",
    visits: VISITS,
    through: Through::AllBut(CLOSED),
    leading: LEADING,
    visit: |walk, node| visit(walk, node, true),
    whole_file: None,
    node_facets,
    regions: REGIONS,
    binding: None,
    plan: OnceLock::new(),
};

pub(crate) static TYPESCRIPT: Definition = Definition {
    identity: "typescript",
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    separator: ".",
    visits: VISITS,
    through: Through::AllBut(CLOSED),
    leading: LEADING,
    visit: |walk, node| visit(walk, node, false),
    whole_file: None,
    node_facets,
    regions: REGIONS,
    binding: None,
    plan: OnceLock::new(),
};

pub(crate) static TSX: Definition = Definition {
    identity: "typescript:tsx",
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    separator: ".",
    visits: VISITS,
    through: Through::AllBut(CLOSED),
    leading: LEADING,
    visit: |walk, node| visit(walk, node, false),
    whole_file: None,
    node_facets,
    regions: REGIONS,
    binding: None,
    plan: OnceLock::new(),
};

/// JavaScript with Flow's types, by the grammar that comes closest.
static FLOW: Definition = Definition {
    identity: "javascript",
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    separator: ".",
    visits: VISITS,
    through: Through::AllBut(CLOSED),
    leading: LEADING,
    visit: |walk, node| visit(walk, node, true),
    whole_file: None,
    node_facets,
    regions: REGIONS,
    binding: None,
    plan: OnceLock::new(),
};

/// How far into a file Flow's pragma is looked for, in bytes.
const PRAGMA_WITHIN: usize = 4096;

/// How else to read a text that `definition` does not parse cleanly.
pub(super) fn second_reading<'a>(
    definition: &'static Definition,
    text: &'a str,
) -> Option<(&'static Definition, Cow<'a, str>)> {
    if definition.identity == JAVASCRIPT.identity {
        let head = &text.as_bytes()[..text.len().min(PRAGMA_WITHIN)];
        let is_flow = head.windows(5).any(|w| w == b"@flow");
        return is_flow.then(|| (&FLOW, repair::repaired(text, true).map_or(Cow::Borrowed(text), Cow::Owned)));
    }
    Some((definition, Cow::Owned(repair::repaired(text, false)?)))
}

/// Reads one node. `plain` is JavaScript, where modules may be CommonJS and constructors make properties.
fn visit<'t>(walk: &mut Walk<'t>, node: Node<'t>, plain: bool) -> Visit {
    match node.kind() {
        "statement_block" => block(walk),
        "expression_statement" => commonjs::expression(walk, node, plain),
        "pair" => variables::pair(walk, node),
        "shorthand_property_identifier" => variables::shorthand(walk, node),
        "lexical_declaration" | "variable_declaration" | "using_declaration" => variables::statement(walk, node),
        "variable_declarator" => variables::declarator(walk, node, plain),
        "arrow_function" | "function_expression" | "generator_function" => parts::local(walk),
        "for_statement" | "for_in_statement" | "class_heritage" | "class_static_block" | "spread_element" => {
            parts::local(walk)
        }
        "function_declaration" | "generator_function_declaration" | "function_signature" => {
            callables::function(walk, node)
        }
        "class_declaration" | "abstract_class_declaration" | "class" => classes::class(walk, node),
        "method_definition" => classes::method_definition(walk, node),
        "method_signature" | "abstract_method_signature" => classes::method_signature(walk, node),
        "public_field_definition" | "field_definition" => classes::field(walk, node),
        "property_signature" => types::property_signature(walk, node),
        "interface_declaration" => types::interface(walk, node),
        "type_alias_declaration" => types::alias(walk, node),
        "enum_declaration" => types::enumeration(walk, node),
        "module" | "internal_module" => types::namespace(walk, node),
        "ambient_declaration" => types::ambient(walk, node),
        "export_statement" => exports::statement(walk, node),
        "import_alias" => exports::import_alias(walk, node),
        _ => Visit::Descend,
    }
}

/// A block: a namespace's own body, or a place whose `const` and `let` are its own.
fn block(walk: &Walk<'_>) -> Visit {
    match walk.scope.tag {
        scope::NAMESPACE_HEAD => parts::enter(walk, scope::NAMESPACE),
        scope::AMBIENT_HEAD => parts::enter(walk, scope::AMBIENT),
        scope::MODULE | scope::NAMESPACE | scope::AMBIENT => parts::enter(walk, scope::BLOCK),
        _ => Visit::Descend,
    }
}

fn node_facets(kind: &str) -> &'static [&'static str] {
    match kind {
        "statement_block" => &["block"],
        "class_body" | "interface_body" | "enum_body" | "switch_body" => &["body"],
        "import_statement" => &["import"],
        "export_statement" => &["export"],
        "required_parameter" | "optional_parameter" => &["parameter"],
        "arguments" => &["argument"],
        "decorator" => &["annotation"],
        "identifier" | "property_identifier" | "private_property_identifier" | "type_identifier" => &["identifier"],
        "shorthand_property_identifier" | "shorthand_property_identifier_pattern" => &["identifier"],
        "string" | "number" | "regex" | "template_string" | "true" | "false" | "null" | "undefined" => &["literal"],
        "object" | "array" => &["expression", "literal"],
        "object_pattern" | "array_pattern" | "rest_pattern" | "assignment_pattern" => &["pattern"],
        "arrow_function" | "generator_function" | "class" => &["expression"],
        "function_signature" | "method_signature" | "abstract_method_signature" | "property_signature" => {
            &["declaration"]
        }
        "public_field_definition" | "variable_declarator" | "module" | "internal_module" | "enum_assignment" => {
            &["declaration", "definition"]
        }
        "type_annotation" | "object_type" | "union_type" | "intersection_type" | "function_type" | "generic_type"
        | "predefined_type" | "array_type" | "tuple_type" | "literal_type" | "conditional_type" | "lookup_type" => {
            &["type_expression"]
        }
        _ => &[],
    }
}
