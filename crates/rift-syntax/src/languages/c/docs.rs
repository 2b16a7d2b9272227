//! Comments: which belong to a declaration, and their text without markers.
//!
//! Doxygen comments and plain ones are attached alike, as much C code documents with plain comments. A comment belongs
//! to what stands directly below it; `///<` and its like belong to what stands before them.

use crate::engine::Walk;
use crate::facts::Documentation;
use crate::text::{block_comment, line_comments};

/// Openings of comments that document what stands before them.
const TRAILING: [&str; 4] = ["///<", "//!<", "/**<", "/*!<"];

/// The comments directly above `at`: where the first one starts, and their text.
pub(super) fn leading(walk: &Walk<'_>, at: usize) -> (usize, Option<Documentation>) {
    let mut start = at;
    let mut first = walk.leading.len();
    for (i, comment) in walk.leading.iter().enumerate().rev() {
        if comment.end_byte() > start {
            continue;
        }
        let gap = walk.text.get(comment.end_byte()..start).unwrap_or("x");
        let text = walk.str(*comment);
        let near = gap.bytes().filter(|b| *b == b'\n').count() <= 1 && gap.trim().is_empty();
        if !near || !begins_line(walk.text, comment.start_byte()) || is_bracket(text) {
            break;
        }
        start = comment.start_byte();
        first = i;
    }
    let comments: Vec<&str> =
        walk.leading[first..].iter().filter(|c| c.end_byte() <= at).map(|c| walk.str(*c)).collect();
    let text = text_of(&comments);
    (start, documentation(text))
}

/// The `///<` comment behind a declaration that ends at `at`, on the same line.
pub(super) fn trailing(walk: &Walk<'_>, at: usize) -> Option<Documentation> {
    let mut rest = walk.text.get(at..)?;
    let mut comments: Vec<String> = Vec::new();
    loop {
        let gap = rest.len() - rest.trim_start_matches([' ', '\t', ',', ';', '\r']).len();
        rest = &rest[gap..];
        if !comments.is_empty() {
            rest = rest.trim_start();
        }
        let open = TRAILING.iter().find(|open| rest.starts_with(**open));
        let Some(open) = open else { break };
        let block = open.starts_with("/*");
        if block && !comments.is_empty() {
            break;
        }
        let end =
            if block { rest.find("*/").map_or(rest.len(), |i| i + 2) } else { rest.find('\n').unwrap_or(rest.len()) };
        comments.push(format!("{}{}", &open[..3], &rest[4..end.max(4)]));
        if block {
            break;
        }
        rest = rest.get(end + 1..).unwrap_or("");
    }
    let comments: Vec<&str> = comments.iter().map(String::as_str).collect();
    documentation(text_of(&comments))
}

fn documentation(text: String) -> Option<Documentation> {
    (!text.is_empty()).then(|| Documentation { markdown: false, text: text.into() })
}

/// Whether only white space stands before `at` on its line.
fn begins_line(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or("");
    let line = before.rfind('\n').map_or(0, |i| i + 1);
    before[line..].trim_start_matches('\u{feff}').trim().is_empty()
}

/// Comments that stand for themselves: those of the declaration before, and the brackets of a Doxygen group.
fn is_bracket(comment: &str) -> bool {
    let inner = comment.trim_start_matches(['/', '*', '!']).trim();
    TRAILING.iter().any(|open| comment.starts_with(open)) || inner.starts_with("@{") || inner.starts_with("@}")
}

fn text_of(comments: &[&str]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for comment in comments {
        let text = match comment.get(..3) {
            Some("/**") if comment.len() > 4 => block_comment(comment, "/**"),
            Some("/*!") => block_comment(comment, "/*!"),
            _ if comment.starts_with("/*") => block_comment(comment, "/*"),
            Some("///") => line_comments([*comment], "///"),
            Some("//!") => line_comments([*comment], "//!"),
            _ => line_comments([*comment], "//"),
        };
        lines.extend(text.lines().filter(|l| !is_rule(l)).map(str::to_owned));
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let first = lines.iter().position(|l| !l.trim().is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|l| !l.trim().is_empty()).map_or(first, |l| l + 1);
    lines[first..last].join("\n")
}

/// A line that only decorates: `-----`, `*****`.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.bytes().all(|b| matches!(b, b'*' | b'/' | b'-' | b'=' | b'_' | b'#' | b'~' | b'+'))
}
