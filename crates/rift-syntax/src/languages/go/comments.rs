//! Documentation: the comments that stand directly above a declaration.

use rift_base::Facet;
use tree_sitter::Node;

use crate::engine::{Draft, Walk};
use crate::facts::Documentation;
use crate::text::{block_comment, line_breaks, line_comments};

/// Gives `draft` the comments directly above the node being visited: its start, its documentation, and whether that
/// deprecates it (a paragraph that starts with `Deprecated:`).
pub(super) fn attach<'t>(walk: &Walk<'t>, node: Node<'t>, draft: &mut Draft<'_>) {
    let mut start = walk.outer(node).start_byte();
    let mut count = 0;
    for comment in walk.leading.iter().rev() {
        if line_breaks(walk.text, comment.end_byte(), start) > 1 || trails(walk.text, *comment) {
            break;
        }
        start = comment.start_byte();
        count += 1;
    }
    draft.start = start;
    let text = documentation(walk, &walk.leading[walk.leading.len() - count..]);
    if text.is_empty() {
        return;
    }
    let deprecated = text.starts_with("Deprecated:") || text.contains("\n\nDeprecated:");
    draft.facets = draft.facets.with_if(Facet::Deprecated, deprecated);
    draft.documentation = Some(Documentation { markdown: false, text: text.into() });
}

/// Whether a comment stands behind code on its line, and so belongs to that code.
fn trails(text: &str, comment: Node<'_>) -> bool {
    let before = text.as_bytes().get(..comment.start_byte()).unwrap_or(&[]);
    before.iter().rev().find(|b| !matches!(b, b' ' | b'\t')).is_some_and(|b| *b != b'\n')
}

fn documentation(walk: &Walk<'_>, comments: &[Node<'_>]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for comment in comments {
        let text = walk.str(*comment);
        if text.starts_with("/*") {
            lines.push(block_comment(text, "/*"));
        } else if !is_directive(text) {
            lines.push(line_comments([text], "//"));
        }
    }
    lines.join("\n").trim_matches('\n').to_owned()
}

/// `//go:noinline`, `//export f`, `//line f.go:1`: instructions to tools, no documentation (Go doc comments, "Syntax").
fn is_directive(comment: &str) -> bool {
    let text = comment.strip_prefix("//").unwrap_or(comment);
    if ["line ", "extern ", "export "].iter().any(|word| text.starts_with(word)) {
        return true;
    }
    let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    match text.split_once(':') {
        Some((tool, rest)) => !tool.is_empty() && tool.chars().all(word) && rest.starts_with(word),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives() {
        for yes in ["//go:build linux", "//nolint:errcheck", "//export Add", "//line x.go:3"] {
            assert!(is_directive(yes), "{yes}");
        }
        for no in ["// go:build is described here", "//TODO: later", "// Note: a", "//see http://go.dev", "//a: b"] {
            assert!(!is_directive(no), "{no}");
        }
    }
}
