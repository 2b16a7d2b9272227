//! A kept tree, for questions about nodes.

use rift_base::{ByteRange, Language};
use tree_sitter::Tree;

use crate::facts::Problem;
use crate::languages::{Definition, definition, prepared};
use crate::parse::{Bounds, parse_best};
use crate::text::range;

/// One parsed file. It knows nothing of the text's later life: the caller keys it by content.
pub struct ParsedFile {
    tree: Tree,
    definition: &'static Definition,
}

/// One named grammar node of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainNode {
    /// `<language>.<grammar kind>`, as in `rust.function_item`.
    pub kind: String,
    /// Node facet words, in wire order.
    pub facets: Vec<&'static str>,
    /// Bytes covered.
    pub range: ByteRange,
    /// (role word, bytes), in source order.
    pub regions: Vec<(&'static str, ByteRange)>,
}

impl ParsedFile {
    /// Parses `text`. `None` when no provider serves `language`.
    pub fn new(text: &str, language: &Language, bounds: &Bounds) -> Option<Result<Self, Problem>> {
        let definition = definition(language)?;
        let read = parse_best(definition, &prepared(definition, text), bounds);
        Some(read.map(|(tree, definition)| Self { tree, definition }))
    }

    /// The named nodes that cover byte `offset`, outermost first; empty at or past the end of the text.
    pub fn chain(&self, offset: usize) -> Vec<ChainNode> {
        let mut out = Vec::new();
        let mut cursor = self.tree.walk();
        loop {
            let node = cursor.node();
            if node.is_named() && range(node).contains(offset) {
                out.push(self.describe(node));
            }
            if cursor.goto_first_child_for_byte(offset).is_none() || cursor.node().start_byte() > offset {
                return out;
            }
        }
    }

    fn describe(&self, node: tree_sitter::Node<'_>) -> ChainNode {
        let name = self.definition.identity.split(':').next().unwrap_or_default();
        let mut regions: Vec<(&'static str, ByteRange)> = [("name", "name"), ("body", "body")]
            .iter()
            .chain(self.definition.regions)
            .filter_map(|(field, role)| Some((*role, range(node.child_by_field_name(field)?))))
            .collect();
        regions.sort_by_key(|(role, r)| (*r, *role));
        regions.dedup();
        ChainNode {
            kind: format!("{name}.{}", node.kind()),
            facets: self.facets(node.kind()),
            range: range(node),
            regions,
        }
    }

    fn facets(&self, kind: &str) -> Vec<&'static str> {
        let own = (self.definition.node_facets)(kind);
        let common = common_facets(kind);
        NODE_FACETS.iter().copied().filter(|f| own.contains(f) || common.contains(f)).collect()
    }
}

/// Every node facet, in wire order.
const NODE_FACETS: [&str; 18] = [
    "declaration",
    "definition",
    "body",
    "block",
    "statement",
    "expression",
    "type_expression",
    "import",
    "export",
    "parameter",
    "argument",
    "annotation",
    "comment",
    "identifier",
    "literal",
    "pattern",
    "generated",
    "test",
];

/// Facets that grammars' naming conventions give. Suffixes decide, since grammars name node kinds by their category;
/// whole names where a grammar has a bare one.
fn common_facets(kind: &str) -> Vec<&'static str> {
    let mut out = Vec::new();
    let ends = |suffixes: &[&str]| suffixes.iter().any(|s| kind.ends_with(s));
    if ends(&["_item", "_declaration", "_definition"]) {
        out.extend(["declaration", "definition"]);
    }
    if ends(&["_body"]) {
        out.push("body");
    }
    if kind == "block" || ends(&["_block"]) || kind == "compound_statement" {
        out.push("block");
    }
    if ends(&["_statement"]) {
        out.push("statement");
    }
    if ends(&["_expression"]) || matches!(kind, "call" | "await" | "lambda" | "arrow_function" | "binary_operator") {
        out.push("expression");
    }
    if ends(&["_type", "type_identifier"]) || matches!(kind, "type" | "type_annotation" | "predefined_type") {
        out.push("type_expression");
    }
    if kind.starts_with("import_") || kind.ends_with("_import") {
        out.push("import");
    }
    if kind.starts_with("export_") {
        out.push("export");
    }
    if kind == "parameter" || ends(&["_parameter", "parameter_declaration"]) {
        out.push("parameter");
    }
    if kind == "argument" || ends(&["_argument"]) {
        out.push("argument");
    }
    if matches!(kind, "annotation" | "decorator" | "marker_annotation") {
        out.push("annotation");
    }
    if kind.contains("comment") {
        out.push("comment");
    }
    if kind == "identifier" || ends(&["_identifier"]) {
        out.push("identifier");
    }
    if ends(&["_literal"])
        || matches!(kind, "string" | "template_string" | "number" | "integer" | "float" | "regex")
        || matches!(kind, "true" | "false" | "null" | "none" | "nil" | "undefined")
    {
        out.push("literal");
    }
    if ends(&["_pattern"]) {
        out.push("pattern");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facets_by_name() {
        for (kind, expected) in [
            ("function_item", &["declaration", "definition"][..]),
            ("if_statement", &["statement"]),
            ("line_comment", &["comment"]),
            ("type_identifier", &["type_expression", "identifier"]),
            ("required_parameter", &["parameter"]),
            ("import_statement", &["statement", "import"]),
            ("tuple_pattern", &["pattern"]),
            ("source_file", &[]),
        ] {
            assert_eq!(common_facets(kind), expected, "{kind}");
        }
    }

    #[test]
    fn languages_use_known_facets() {
        for known in rift_base::KNOWN_LANGUAGES {
            let Some(definition) = Language::new(known.identity).and_then(|l| definition(&l)) else {
                panic!("{}: no definition", known.identity);
            };
            let grammar = (definition.grammar)();
            for kind in (0..grammar.node_kind_count() as u16).filter_map(|id| grammar.node_kind_for_id(id)) {
                let facets =
                    (definition.node_facets)(kind).iter().chain(&common_facets(kind)).copied().collect::<Vec<_>>();
                assert!(facets.iter().all(|f| NODE_FACETS.contains(f)), "{}: {kind}: {facets:?}", known.identity);
            }
        }
    }
}
