//! Blocks of Markdown, from its syntax tree. Blocks inside lists and quotes belong to the list or quote.

use std::borrow::Cow;

use tree_sitter::Node;

use super::{Document, DocumentFailure, Draft};
use crate::languages::MARKDOWN;
use crate::languages::markdown::{heading_name, level};
use crate::parse::{Bounds, parse_best};
use crate::text::range;

/// The blocks of `text`, parsed for them alone.
pub(super) fn document(text: &str, bounds: &Bounds) -> Document {
    match parse_best(&MARKDOWN, text, bounds) {
        Ok((tree, _)) => blocks(text, tree.root_node(), bounds),
        Err(_) => Document::failed(DocumentFailure::ParserSteps),
    }
}

/// The blocks of the tree below `root`.
pub(crate) fn blocks(text: &str, root: Node<'_>, bounds: &Bounds) -> Document {
    let mut draft = Draft::default();
    read(&mut draft, text, root, bounds);
    draft.finish()
}

/// Adds the blocks below `root` to `draft`.
pub(super) fn read(draft: &mut Draft, text: &str, root: Node<'_>, bounds: &Bounds) {
    let mut cursor = root.walk();
    let mut nodes = 0u32;
    if !cursor.goto_first_child() {
        return;
    }
    loop {
        nodes += 1;
        if nodes > bounds.nodes {
            draft.document.omitted += 1;
            return;
        }
        let node = cursor.node();
        if matches!(node.kind(), "section" | "ERROR") && cursor.goto_first_child() {
            continue;
        }
        block(draft, text, node);
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() || cursor.node() == root {
                return;
            }
        }
    }
}

fn block(draft: &mut Draft, text: &str, node: Node<'_>) {
    match node.kind() {
        "atx_heading" | "setext_heading" => {
            draft.heading(level(node), heading_name(text, node), node.start_byte());
        }
        "fenced_code_block" => {
            let mut cursor = node.walk();
            let (mut language, mut content) = (None, None);
            for child in node.named_children(&mut cursor) {
                match child.kind() {
                    "info_string" => {
                        language = range(child).of(text).split([' ', ',', '{', '}', '\t']).find(|w| !w.is_empty())
                    }
                    "code_fence_content" => content = Some(child),
                    _ => {}
                }
            }
            if let Some(content) = content {
                draft.code(text, language, range(content));
            }
        }
        "indented_code_block" => draft.code(text, None, range(node)),
        // Front matter, rules and definitions say nothing to a reader.
        "minus_metadata" | "plus_metadata" | "thematic_break" | "link_reference_definition" => draft.end_prose(),
        "html_block" if range(node).of(text).trim_start().starts_with("<!--") => {}
        _ if node.is_named() => draft.paragraph(text, range(node)),
        _ => {}
    }
}

/// `text` with the import and export statements of MDX blanked out: as long, with the same line ends.
pub(super) fn without_modules(text: &str) -> Cow<'_, str> {
    let mut out = String::with_capacity(text.len());
    let (mut fenced, mut module) = (false, false);
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        fenced ^= start.starts_with("```") || start.starts_with("~~~");
        let begins = ["import ", "import{", "export ", "export{"].iter().any(|word| line.starts_with(word));
        module = !line.trim().is_empty() && (module || begins) && !fenced;
        match module {
            true => out.extend(line.bytes().map(|b| if matches!(b, b'\n' | b'\r') { char::from(b) } else { ' ' })),
            false => out.push_str(line),
        }
    }
    Cow::Owned(out)
}
