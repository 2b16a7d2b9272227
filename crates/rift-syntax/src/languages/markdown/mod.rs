//! Markdown: headings. A heading's declaration reaches to the next heading of its own or a higher level; its path is
//! the headings around it.

use std::sync::OnceLock;

use rift_base::{ByteRange, Facet, Facets};
use tree_sitter::Node;

use super::{Definition, Through};
use crate::documents;
use crate::engine::{Draft, Scope, Visit, Walk};
use crate::facts::Problem;
use crate::text::{clip, range, squeeze};

pub(crate) static MARKDOWN: Definition = Definition {
    identity: "markdown",
    grammar: || tree_sitter_md::LANGUAGE.into(),
    separator: " > ",
    visits: &[],
    through: Through::Only(&[]),
    leading: &[],
    visit: |_, _| Visit::Skip,
    whole_file: Some(whole_file),
    node_facets,
    regions: &[("heading_content", "name")],
    binding: None,
    plan: OnceLock::new(),
};

/// Bytes of the longest heading kept as a name.
const NAME_MAX: usize = 512;

struct Heading<'t> {
    node: Node<'t>,
    content: Option<Node<'t>>,
    level: u8,
    /// Where the next heading of its own or a higher level begins.
    end: usize,
}

/// The tree's own sections are not used: they do not nest setext headings. Headings inside quotes and lists are
/// quoted, not the document's own.
fn whole_file<'t>(walk: &mut Walk<'t>, root: Node<'t>) {
    walk.document = documents::markdown::blocks(walk.text, root, &walk.bounds);
    let mut headings = headings(walk, root);
    let mut open: Vec<usize> = Vec::new();
    for at in 0..headings.len() {
        let (level, start) = (headings[at].level, headings[at].node.start_byte());
        while let Some(last) = open.pop_if(|last| headings[*last].level >= level) {
            headings[last].end = start;
        }
        open.push(at);
    }
    let mut scopes: Vec<(u8, Scope)> = vec![(0, walk.scope.clone())];
    for heading in headings {
        while scopes.len() > 1 && scopes.last().is_some_and(|(level, _)| *level >= heading.level) {
            scopes.pop();
        }
        let Some((_, scope)) = scopes.last().cloned() else { return };
        walk.scope = scope;
        let written = written(walk.text, heading.content);
        let name = clip(squeeze(written), NAME_MAX);
        let end = heading.node.start_byte() + walk.text[heading.node.start_byte()..heading.end].trim_end().len();
        let mut draft = Draft::named("heading", heading.node, name.clone().into());
        draft.item.end = end as u32;
        draft.name_range = heading
            .content
            .map_or(draft.name_range, |c| ByteRange::new(c.start_byte(), c.start_byte() + written.len()));
        let body = heading.node.end_byte().min(end);
        draft.body = ByteRange::new(body, end);
        draft.signature = format!("{} {name}", "#".repeat(usize::from(heading.level)));
        draft.facets = Facets::of(&[Facet::Namespace]);
        let id = walk.declare(draft);
        scopes.push((heading.level, walk.scope_of(id, 0)));
    }
}

/// The text of a heading, without the marks that close it.
fn written<'t>(text: &'t str, content: Option<Node<'_>>) -> &'t str {
    content.map_or("", |c| range(c).of(text)).trim_end_matches(['#', ' ', '\t', '\r', '\n'])
}

/// The name of a heading: its text on one line.
pub(crate) fn heading_name(text: &str, heading: Node<'_>) -> String {
    squeeze(written(text, heading.child_by_field_name("heading_content")))
}

fn headings<'t>(walk: &mut Walk<'t>, root: Node<'t>) -> Vec<Heading<'t>> {
    let mut out = Vec::new();
    let mut cursor = root.walk();
    let mut nodes = 0u32;
    let end = walk.text.len();
    if !cursor.goto_first_child() {
        return out;
    }
    loop {
        nodes += 1;
        if nodes > walk.bounds.nodes {
            walk.problem(Problem::Nodes);
            return out;
        }
        let node = cursor.node();
        match node.kind() {
            "atx_heading" | "setext_heading" => {
                let level = level(node);
                out.push(Heading { node, content: node.child_by_field_name("heading_content"), level, end });
            }
            "section" | "ERROR" if cursor.goto_first_child() => continue,
            _ => {}
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() || cursor.node() == root {
                return out;
            }
        }
    }
}

/// The level of a heading, from 1.
pub(crate) fn level(heading: Node<'_>) -> u8 {
    let mut cursor = heading.walk();
    let marker = heading.children(&mut cursor).find_map(|c| match c.kind() {
        "atx_h1_marker" | "setext_h1_underline" => Some(1),
        "atx_h2_marker" | "setext_h2_underline" => Some(2),
        "atx_h3_marker" => Some(3),
        "atx_h4_marker" => Some(4),
        "atx_h5_marker" => Some(5),
        "atx_h6_marker" => Some(6),
        _ => None,
    });
    marker.unwrap_or(6)
}

fn node_facets(kind: &str) -> &'static [&'static str] {
    match kind {
        "section"
        | "paragraph"
        | "list"
        | "list_item"
        | "block_quote"
        | "fenced_code_block"
        | "indented_code_block"
        | "pipe_table" => &["block"],
        "atx_heading" | "setext_heading" => &["declaration", "definition"],
        "html_block" => &["block"],
        _ => &[],
    }
}
