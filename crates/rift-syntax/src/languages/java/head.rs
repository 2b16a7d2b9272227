//! What stands before a declaration's name: documentation, annotations, modifiers.

use rift_base::{ByteRange, Facet};
use tree_sitter::Node;

use super::scope;
use crate::engine::{Draft, Walk};
use crate::facts::Documentation;
use crate::text::{block_comment, header, line_breaks, line_comments};

/// Most modifiers kept: more than the language has.
const MODIFIERS: usize = 16;

/// A declaration's modifiers and annotations.
pub(super) struct Head<'t> {
    /// `public`, `protected` or `private`, as written.
    pub(super) visibility: Option<&'t str>,
    /// The other modifiers, in source order.
    pub(super) modifiers: Vec<&'t str>,
    /// Annotation names without their packages.
    pub(super) annotations: Vec<&'t str>,
    /// The item without the annotations before it.
    item: ByteRange,
}

impl<'t> Head<'t> {
    pub(super) fn read(walk: &Walk<'t>, node: Node<'t>) -> Self {
        let item = ByteRange::new(node.start_byte(), node.end_byte());
        let mut head = Self { visibility: None, modifiers: Vec::new(), annotations: Vec::new(), item };
        let mut bare = None;
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "modifiers" => {
                    let mut inner = child.walk();
                    for modifier in child.children(&mut inner) {
                        head.modifier(walk, modifier, &mut bare);
                    }
                }
                // The annotations of a module declaration stand without a list.
                "annotation" | "marker_annotation" | "open" => head.modifier(walk, child, &mut bare),
                kind if kind.ends_with("comment") => {}
                _ => {
                    bare.get_or_insert(child.start_byte());
                    break;
                }
            }
        }
        head.item = ByteRange::new(bare.unwrap_or(node.start_byte()), node.end_byte());
        head
    }

    fn modifier(&mut self, walk: &Walk<'t>, node: Node<'t>, bare: &mut Option<usize>) {
        match node.kind() {
            "annotation" | "marker_annotation" => {
                let name = node.child_by_field_name("name").map_or("", |n| walk.str(n));
                self.annotations.push(name.rsplit('.').next().unwrap_or(name).trim());
                return;
            }
            kind if kind.ends_with("comment") => return,
            "public" | "protected" | "private" => self.visibility = Some(walk.str(node)),
            _ if self.modifiers.len() < MODIFIERS => self.modifiers.push(walk.str(node)),
            _ => {}
        }
        bare.get_or_insert(node.start_byte());
    }

    pub(super) fn has(&self, modifier: &str) -> bool {
        self.modifiers.contains(&modifier)
    }

    pub(super) fn annotated(&self, name: &str) -> bool {
        self.annotations.contains(&name)
    }

    /// Gives `draft` the item without its annotations, the modifiers and the visibility.
    pub(super) fn apply(&self, walk: &Walk<'t>, node: Node<'t>, draft: &mut Draft<'_>) {
        draft.start = node.start_byte();
        draft.item = self.item;
        draft.modifiers = self.modifiers.iter().map(|m| (*m).into()).collect();
        // Members of interfaces are public unless they say otherwise (Java language specification, 9.4).
        let implicit = (walk.scope.tag & scope::INTERFACE != 0).then_some("public");
        draft.visibility = self.visibility.or(implicit).map(str::to_owned);
        let is_public = draft.visibility.as_deref() == Some("public");
        draft.facets = draft
            .facets
            .with_if(Facet::Public, is_public)
            .with_if(Facet::Static, self.has("static"))
            .with_if(Facet::Deprecated, self.annotated("Deprecated"));
    }

    /// The item up to `end` on one line, without annotations of its own.
    pub(super) fn signature(&self, walk: &Walk<'t>, node: Node<'t>, end: usize) -> String {
        let range = ByteRange::new(self.item.start as usize, end);
        // Parameters keep their annotations, which only the modifiers of the item lose.
        let Some(modifiers) = node.child(0).filter(|c| c.kind() == "modifiers" && !self.annotations.is_empty()) else {
            return header(walk.text, node, range, &[]);
        };
        let modifiers_end = modifiers.end_byte().max(range.start as usize);
        let before = ByteRange::new(range.start as usize, modifiers_end);
        let own = header(walk.text, modifiers, before, &["annotation", "marker_annotation"]);
        let rest = header(walk.text, node, ByteRange::new(modifiers_end, end), &[]);
        if own.is_empty() { rest } else { format!("{own} {rest}") }
    }
}

/// Attaches the documentation comment before the node being visited: the last `/** … */`, whatever other comments and
/// blank lines stand behind it (as javac does), or the `///` lines directly above (Markdown, JEP 467).
pub(super) fn document(walk: &Walk<'_>, draft: &mut Draft<'_>) {
    let mut lines: Vec<&str> = Vec::new();
    for comment in walk.leading.iter().rev() {
        let text = walk.str(*comment);
        let adjacent = line_breaks(walk.text, comment.end_byte(), draft.start) <= 1;
        if adjacent && text.starts_with("///") && !text.starts_with("////") {
            draft.start = comment.start_byte();
            lines.push(text);
        } else if !lines.is_empty() {
            break;
        } else if text.starts_with("/**") && text != "/**/" {
            draft.start = comment.start_byte();
            set(draft, false, block_comment(text, "/**"));
            return;
        }
    }
    if !lines.is_empty() {
        set(draft, true, line_comments(lines.into_iter().rev(), "///"));
    }
}

fn set(draft: &mut Draft<'_>, markdown: bool, text: String) {
    let deprecated = text.lines().any(|l| l.trim_start().starts_with("@deprecated"));
    draft.facets = draft.facets.with_if(Facet::Deprecated, deprecated);
    if !text.is_empty() {
        draft.documentation = Some(Documentation { markdown, text: text.into() });
    }
}
