//! Blocks of reStructuredText, and of plain text that is laid out like it: underlined headings, paragraphs, literal
//! blocks behind `::`, directives. The rules are those of the docutils specification of reStructuredText; what is
//! malformed there is prose here.

use rift_base::ByteRange;

use super::{Document, Draft};
use crate::text::squeeze;

/// The fewest marks under a heading.
const ADORNMENT_MIN: usize = 3;

/// Characters of a title that marks below it must cover.
const TITLE_CHARS: usize = 60;

/// Directives whose content is code; the argument names the language.
const CODE: &[&str] =
    &["code-block", "code", "sourcecode", "literalinclude", "highlight", "parsed-literal", "doctest", "testcode"];
/// Directives that say nothing to a reader of one place.
const SILENT: &[&str] =
    &["toctree", "contents", "image", "figure", "index", "include", "raw", "currentmodule", "module", "meta"];

/// The blocks of `text`.
pub(super) fn document(text: &str) -> Document {
    let lines = lines(text);
    let mut reader = Reader { text, lines: &lines, draft: Draft::default(), styles: Vec::new() };
    let mut at = 0;
    while at < lines.len() {
        at = reader.next(at);
    }
    reader.draft.finish()
}

/// The lines of `text` without their line breaks.
fn lines(text: &str) -> Vec<ByteRange> {
    let mut out = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        out.push(ByteRange::new(start, start + line.trim_end_matches(['\n', '\r']).len()));
        start += line.len();
    }
    out
}

struct Reader<'t> {
    text: &'t str,
    lines: &'t [ByteRange],
    draft: Draft,
    /// Marks of headings in the order of their first use, which is the order of their levels: the mark, and whether it
    /// stands above the heading too.
    styles: Vec<(char, bool)>,
}

impl<'t> Reader<'t> {
    fn line(&self, at: usize) -> &'t str {
        self.lines.get(at).map_or("", |range| range.of(self.text))
    }

    fn is_blank(&self, at: usize) -> bool {
        self.line(at).trim().is_empty()
    }

    fn indent(&self, at: usize) -> usize {
        let line = self.line(at);
        line.len() - line.trim_start().len()
    }

    /// From the start of line `first` to the end of the line before `end`.
    fn span(&self, first: usize, end: usize) -> ByteRange {
        match (self.lines.get(first), end.checked_sub(1).and_then(|last| self.lines.get(last))) {
            (Some(first), Some(last)) => ByteRange { start: first.start, end: last.end.max(first.start) },
            _ => ByteRange::default(),
        }
    }

    /// Reads what begins at line `at`; the line to go on with.
    fn next(&mut self, at: usize) -> usize {
        if self.is_blank(at) {
            return at + 1;
        }
        if let Some(after) = self.heading(at) {
            return after;
        }
        let line = self.line(at);
        if line.starts_with(".. ") || line.trim_end() == ".." {
            return self.explicit(at);
        }
        if line.starts_with(">>> ") {
            let end = self.until(at, |reader, n| reader.is_blank(n));
            self.draft.code(self.text, Some("python"), self.span(at, end));
            return end;
        }
        self.paragraph(at)
    }

    /// The first line behind `at` for which `ends` holds.
    fn until(&self, at: usize, ends: impl Fn(&Self, usize) -> bool) -> usize {
        (at + 1..self.lines.len()).find(|n| ends(self, *n)).unwrap_or(self.lines.len())
    }

    /// A heading at `at`: its text with marks below it, or below and above.
    fn heading(&mut self, at: usize) -> Option<usize> {
        let over = adornment(self.line(at)).filter(|_| adornment(self.line(at + 2)) == adornment(self.line(at)));
        let (title, under, above) = match over {
            Some(_) => (at + 1, at + 2, true),
            None => (at, at + 1, false),
        };
        let (mark, length) = adornment(self.line(under))?;
        let name = self.line(title);
        let is_title = !name.trim().is_empty() && adornment(name).is_none() && (above || self.indent(title) == 0);
        // A line within a paragraph is no title, however it is marked.
        let begins = above || at.checked_sub(1).is_none_or(|n| self.is_blank(n) || adornment(self.line(n)).is_some());
        let covered = length >= name.trim().chars().count().min(TITLE_CHARS);
        if !is_title || !begins || !covered {
            return None;
        }
        let style = (mark, above);
        let level = self.styles.iter().position(|known| *known == style).unwrap_or_else(|| {
            self.styles.push(style);
            self.styles.len() - 1
        });
        let start = self.lines.get(at).map_or(0, |range| range.start as usize);
        self.draft.heading(u8::try_from(level + 1).unwrap_or(u8::MAX), squeeze(name), start);
        Some(under + 1)
    }

    /// A directive, target, footnote or comment: what begins with `..`.
    fn explicit(&mut self, at: usize) -> usize {
        let end = self.body(at, 0);
        let rest = self.line(at).trim_start_matches('.').trim_start();
        let Some((name, argument)) = rest.split_once("::").filter(|(name, _)| is_directive(name)) else {
            // A footnote or citation is prose; targets and comments are not.
            if rest.starts_with('[') {
                self.draft.paragraph(self.text, self.span(at, end));
            }
            return end;
        };
        if CODE.contains(&name) {
            // Options come first, before a blank line.
            let content = (at + 1..end).find(|n| !self.is_blank(*n) && !self.line(*n).trim_start().starts_with(':'));
            if let Some(content) = content {
                let language = Some(argument.trim()).filter(|word| !word.is_empty() && !word.contains(' '));
                self.draft.code(self.text, language, self.span(content, end));
            }
        } else if !SILENT.contains(&name) {
            self.draft.paragraph(self.text, self.span(at, end));
        }
        end
    }

    /// The line behind the indented lines that follow `at`, whose own indent is `indent`; blank lines at the end do not
    /// belong to them.
    fn body(&self, at: usize, indent: usize) -> usize {
        let end = self.until(at, |reader, n| !reader.is_blank(n) && reader.indent(n) <= indent);
        (at + 1..end).rev().find(|n| !self.is_blank(*n)).map_or(at + 1, |last| last + 1)
    }

    /// A paragraph, list item or quote up to the next blank line, with the literal block that a `::` at its end opens.
    fn paragraph(&mut self, at: usize) -> usize {
        let end = self.until(at, |reader, n| reader.is_blank(n) || reader.ends_paragraph(n));
        self.draft.paragraph(self.text, self.span(at, end));
        let literal = self.line(end - 1).trim_end().ends_with("::");
        if !literal || !self.is_blank(end) {
            return end;
        }
        let indent = self.indent(end - 1);
        let first = self.until(end, |reader, n| !reader.is_blank(n));
        if first >= self.lines.len() || self.indent(first) <= indent {
            return end;
        }
        let behind = self.body(end, indent);
        self.draft.code(self.text, None, self.span(first, behind));
        behind
    }

    /// Whether a directive or a heading begins at `at`, within a paragraph.
    fn ends_paragraph(&self, at: usize) -> bool {
        self.line(at).starts_with(".. ")
    }
}

/// The mark and the number of marks of a line that holds nothing else.
fn adornment(line: &str) -> Option<(char, usize)> {
    let line = line.trim_end();
    let mark = line.chars().next().filter(char::is_ascii_punctuation)?;
    let length = line.chars().count();
    (length >= ADORNMENT_MIN && line.chars().all(|c| c == mark)).then_some((mark, length))
}

fn is_directive(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '+' | '.'))
}
