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
        regions.sort_by_key(|(_, r)| *r);
        ChainNode {
            kind: format!("{name}.{}", node.kind()),
            facets: self.facets(node.kind()),
            range: range(node),
            regions,
        }
    }

    fn facets(&self, kind: &str) -> Vec<&'static str> {
        let mut out: Vec<&'static str> = Vec::new();
        if kind.ends_with("_item") || kind.ends_with("_declaration") || kind.ends_with("_definition") {
            out.extend(["declaration", "definition"]);
        }
        if kind.ends_with("_expression") {
            out.push("expression");
        }
        if kind.ends_with("_statement") {
            out.push("statement");
        }
        if kind.contains("comment") {
            out.push("comment");
        }
        for facet in (self.definition.node_facets)(kind) {
            if !out.contains(facet) {
                out.push(facet);
            }
        }
        out
    }
}
