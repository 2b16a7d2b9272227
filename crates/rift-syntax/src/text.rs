//! Text helpers that all languages share: signatures on one line, comment markers, equality tags.

use std::hash::{Hash, Hasher};

use rift_base::ByteRange;
use tree_sitter::Node;

/// A node's byte range.
pub(crate) fn range(node: Node<'_>) -> ByteRange {
    ByteRange::new(node.start_byte(), node.end_byte())
}

/// Collapses every run of white space to one space, and drops the space after an opening bracket and before a closing
/// one or a comma that a line break left there.
pub(crate) fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(256));
    for (i, word) in text.split_whitespace().enumerate() {
        let tight = out.ends_with(['(', '[']) || word.starts_with([')', ']', ',', ';']);
        if i > 0 && !tight {
            out.push(' ');
        }
        if word.starts_with([')', ']', '>']) && out.ends_with(',') {
            out.pop();
        }
        out.push_str(word);
    }
    out
}

/// `signature` without line breaks. Most languages squeeze what they read; what they put together of a name or a value as
/// the source spells it can still hold breaks where the parser recovered from an error, and in template strings.
pub(crate) fn one_line(signature: String) -> String {
    if signature.contains(['\n', '\r']) { squeeze(&signature) } else { signature }
}

/// Bytes of a header that are read: more than is kept of it.
const HEADER_READ: usize = 16 << 10;

/// The text of `item` inside `range` on one line, without comments and without the subtrees whose kinds `drop` lists.
pub(crate) fn header(text: &str, item: Node<'_>, range: ByteRange, drop: &[&str]) -> String {
    let last = text.floor_char_boundary((range.start as usize).saturating_add(HEADER_READ));
    let range = ByteRange::new(range.start as usize, (range.end as usize).min(last));
    let whole = range.of(text);
    if drop.is_empty() && !whole.contains(['#', '/']) {
        return squeeze(whole);
    }
    let (start, end) = (range.start as usize, range.end as usize);
    let mut kept = String::with_capacity(whole.len());
    let mut from = start;
    let mut cursor = item.walk();
    loop {
        let node = cursor.node();
        if node.start_byte() >= end {
            break;
        }
        let inside = node.start_byte() >= start && node.is_named();
        let cut = inside && (node.kind().ends_with("comment") || drop.contains(&node.kind()));
        if cut && node.start_byte() >= from {
            kept.push_str(text.get(from..node.start_byte()).unwrap_or(""));
            kept.push(' ');
            from = node.end_byte();
        }
        if !cut && node.end_byte() > start && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                kept.push_str(text.get(from..end).unwrap_or(""));
                return squeeze(&kept);
            }
        }
    }
    kept.push_str(text.get(from..end).unwrap_or(""));
    squeeze(&kept)
}

/// Cuts `text` to at most `max` bytes, on a character border, and marks the cut with `…`.
pub(crate) fn clip(mut text: String, max: usize) -> String {
    if text.len() > max {
        text.truncate(text.floor_char_boundary(max.saturating_sub('…'.len_utf8())));
        text.push('…');
    }
    text
}

/// Joins the texts of line comments: strips `marker` and one space behind it from each line.
pub(crate) fn line_comments<'a>(lines: impl IntoIterator<Item = &'a str>, marker: &str) -> String {
    let strip = |line: &'a str| {
        let line = line.trim_end_matches(['\n', '\r']);
        let line = line.trim_start().strip_prefix(marker).unwrap_or(line);
        line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
    };
    lines.into_iter().map(strip).collect::<Vec<_>>().join("\n")
}

/// The text of a block comment: strips `open` and `*/`, the run of white space and stars (`*`) that starts each
/// further line with one space behind it, and blank lines at both ends.
pub(crate) fn block_comment(comment: &str, open: &str) -> String {
    let inner = comment.strip_prefix(open).unwrap_or(comment);
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let mut lines: Vec<&str> = Vec::new();
    for (i, line) in inner.lines().enumerate() {
        let line = line.trim_end();
        if i == 0 {
            lines.push(line.strip_prefix(' ').unwrap_or(line));
            continue;
        }
        let stripped = line.trim_start();
        lines.push(match stripped.strip_prefix('*') {
            Some(rest) => rest.strip_prefix(' ').unwrap_or(rest),
            None => line,
        });
    }
    dedent_and_trim(&lines)
}

/// Where the parts of `text` lie between those `mark`s that stand in no brackets; `brackets` are the opening and the
/// closing ones, which need not match. At least one part.
pub(crate) fn split_outside(text: &str, mark: u8, brackets: (&str, &str)) -> Vec<(usize, usize)> {
    let (mut open, mut from) = (0usize, 0);
    let mut out = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        if brackets.0.as_bytes().contains(&byte) {
            open += 1;
        } else if brackets.1.as_bytes().contains(&byte) {
            open = open.saturating_sub(1);
        } else if byte == mark && open == 0 {
            out.push((from, at));
            from = at + 1;
        }
    }
    out.push((from, text.len()));
    out
}

/// Drops blank lines at both ends and the white space that all non-blank lines but the first share.
pub(crate) fn dedent_and_trim(lines: &[&str]) -> String {
    let indent = |l: &&str| l.len() - l.trim_start().len();
    let common = lines.iter().skip(1).filter(|l| !l.trim().is_empty()).map(indent).min().unwrap_or(0);
    let mut out: Vec<&str> = Vec::with_capacity(lines.len());
    for (i, line) in lines.iter().enumerate() {
        let cut = if i == 0 { indent(line) } else { common.min(indent(line)) };
        out.push(line[cut..].trim_end());
    }
    let first = out.iter().position(|l| !l.is_empty()).unwrap_or(out.len());
    let last = out.iter().rposition(|l| !l.is_empty()).map_or(first, |l| l + 1);
    out[first..last].join("\n")
}

/// How many line feeds lie between two offsets.
pub(crate) fn line_breaks(text: &str, from: usize, to: usize) -> usize {
    text.as_bytes().get(from..to).map_or(0, |gap| gap.iter().filter(|b| **b == b'\n').count())
}

/// A tag that is equal for equal values, on every machine: FNV-1a, 64 bit (Fowler, Noll, Vo).
pub(crate) fn tag(value: impl Hash) -> u64 {
    struct Fnv(u64);
    impl Hasher for Fnv {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_on_one_line() {
        assert_eq!(squeeze("fn  f(\n    a: u32,\n    b: &str,\n) -> Vec<\n u8>"), "fn f(a: u32, b: &str) -> Vec< u8>");
    }

    #[test]
    fn line_breaks_never_stay_in_a_signature() {
        assert_eq!(one_line("int a\n[]".to_owned()), "int a []");
        assert_eq!(one_line("as `x\r\ny`".to_owned()), "as `x y`");
        assert_eq!(one_line("let  x".to_owned()), "let  x");
    }

    #[test]
    fn comment_markers() {
        assert_eq!(line_comments(["/// One\n", "///\n", "///  two"], "///"), "One\n\n two");
        assert_eq!(block_comment("/** One\n     * two\n     *   three\n     */", "/**"), "One\ntwo\n  three");
        assert_eq!(block_comment("/**\n  One\n    two\n*/", "/**"), "One\n  two");
    }
}
