//! The writer under every layout: lines indented by tabs, facts on one line, copied text as it is, and the byte bound.

use std::borrow::Cow;
use std::fmt::Write as _;

use rift_protocol::Failure;
use rift_protocol::limits::TEXT_MAX;

/// What separates the facts of one line.
pub(crate) const SEPARATOR: &str = " · ";

/// A text under construction. Past the bound it only counts.
#[derive(Default)]
pub(crate) struct Text {
    out: String,
    bytes: usize,
}

impl Text {
    fn push(&mut self, text: &str) {
        self.bytes = self.bytes.saturating_add(text.len());
        if self.bytes <= TEXT_MAX {
            self.out.push_str(text);
        }
    }

    fn begin(&mut self, level: usize) {
        if self.bytes > 0 {
            self.push("\n");
        }
        for _ in 0..level {
            self.push("\t");
        }
    }

    /// One line of facts, without the spaces at its end and with control characters as escapes.
    pub(crate) fn line(&mut self, level: usize, facts: &str) {
        self.begin(level);
        self.push(&escape_controls(facts.trim_end_matches(' ')));
    }

    /// An empty line. Only layouts that state one may call this.
    pub(crate) fn blank(&mut self) {
        self.begin(0);
    }

    /// `text` line by line with its bytes unchanged. Empty lines stay empty; those at the end are not written.
    pub(crate) fn copied(&mut self, level: usize, text: &str) {
        for line in kept_lines(text) {
            self.begin(if line.is_empty() { 0 } else { level });
            self.push(line);
        }
    }

    /// A blank line and `text` below it; nothing when `text` has nothing to show.
    pub(crate) fn copied_apart(&mut self, level: usize, text: &str) {
        if kept_lines(text).next().is_some() {
            self.blank();
            self.copied(level, text);
        }
    }

    /// The text, or the refusal of one past the bound.
    pub(crate) fn finish(self) -> Result<String, Failure> {
        if self.bytes > TEXT_MAX {
            return Err(Failure::limit_exceeded("text", TEXT_MAX as u64, self.bytes as u64));
        }
        Ok(self.out)
    }

    /// The text, cut where the bound falls.
    pub(crate) fn finish_cut(self) -> String {
        self.out
    }
}

/// The lines of a copied text up to the last one that holds anything.
fn kept_lines(text: &str) -> impl Iterator<Item = &str> {
    let end = text.trim_end_matches(['\n', '\r']).len();
    // The carriage return of the last line that is kept belongs to it.
    let end = if text[end..].starts_with('\r') && end > 0 { end + 1 } else { end };
    text[..end].split('\n').filter(move |_| end > 0)
}

fn escape_controls(text: &str) -> Cow<'_, str> {
    if !text.chars().any(char::is_control) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// A value among the facts of a line: between double quotes when it holds `·` or `:`.
pub(crate) fn value(text: &str) -> Cow<'_, str> {
    if !text.contains(['·', ':']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    Cow::Owned(out)
}

/// A digest or commit id: lowercase hexadecimal of 8 digits or more is written as its first 8.
pub(crate) fn digest(text: &str) -> &str {
    let hex = text.len() >= 8 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if hex { &text[..8] } else { text }
}

/// `N nouns`, or `1 noun`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// The facts of one line, those that are there.
#[derive(Default)]
pub(crate) struct Facts(Vec<String>);

impl Facts {
    pub(crate) fn add(&mut self, fact: impl Into<String>) {
        let fact = fact.into();
        if !fact.is_empty() {
            self.0.push(fact);
        }
    }

    pub(crate) fn add_if(&mut self, condition: bool, fact: &str) {
        if condition {
            self.add(fact);
        }
    }

    /// The line; absent without facts.
    pub(crate) fn line(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.join(SEPARATOR))
    }
}

/// The lines of one item: with a marker, the first line stands behind it and one level above the further ones; without
/// one, all stand at one level.
pub(crate) struct Item<'a> {
    text: &'a mut Text,
    marker: Option<String>,
    level: usize,
    empty: bool,
}

impl<'a> Item<'a> {
    /// Item `index` of `count`, behind `[n]` when there are several.
    pub(crate) fn new(text: &'a mut Text, index: usize, count: usize) -> Self {
        let marker = (count > 1).then(|| format!("[{}] ", index + 1));
        Self { text, marker, level: further_level(count), empty: true }
    }

    /// A branch `depth` levels under the root of its tree, from 1. The root itself is the only item of its level.
    pub(crate) fn branch(text: &'a mut Text, depth: usize) -> Self {
        Self { text, marker: Some("↳ ".to_owned()), level: depth + 2, empty: true }
    }

    pub(crate) fn line(&mut self, facts: &str) {
        match self.marker.take() {
            Some(marker) => self.text.line(self.level - 1, &format!("{marker}{facts}")),
            None => self.text.line(self.level, facts),
        }
        self.empty = false;
    }

    pub(crate) fn line_if(&mut self, facts: Option<impl AsRef<str>>) {
        if let Some(facts) = facts {
            self.line(facts.as_ref());
        }
    }

    /// The marker stands even when the item has nothing to say on its first line.
    fn head(&mut self) {
        if self.marker.is_some() {
            self.line("");
        }
    }

    pub(crate) fn copied(&mut self, text: &str) {
        self.head();
        self.text.copied(self.level, text);
        self.empty = false;
    }

    pub(crate) fn copied_apart(&mut self, text: &str) {
        self.head();
        if self.empty {
            self.text.copied(self.level, text)
        } else {
            self.text.copied_apart(self.level, text)
        }
        self.empty = false;
    }

    /// An empty line below what the item holds; none above its first line.
    pub(crate) fn blank(&mut self) {
        if !self.empty {
            self.text.blank();
        }
    }

    pub(crate) fn list(&mut self, title: &str, entries: impl Iterator<Item = String>) {
        self.text.blank();
        self.text.line(self.level, title);
        entries.for_each(|entry| self.text.line(self.level + 1, &entry));
    }

    pub(crate) fn finish(mut self) {
        self.head();
    }
}

/// The level of the further lines of each of `count` items.
pub(crate) fn further_level(count: usize) -> usize {
    if count > 1 { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(text: &str) -> String {
        let mut out = Text::default();
        out.copied(1, text);
        out.finish_cut()
    }

    #[test]
    fn copied_text_keeps_its_bytes() {
        for (text, expected) in [
            ("a\n\n\tb  \n", "\ta\n\n\t\tb  "),
            ("a\n\n\n", "\ta"),
            ("\na", "\n\ta"),
            ("a\r\nb\r\n", "\ta\r\n\tb\r"),
            ("a\r\n\r\n", "\ta\r"),
            (" \n", "\t "),
            ("", ""),
            ("\n\n", ""),
        ] {
            // The first line of a text has no line feed before it, so a leading empty line shows from its second on.
            assert_eq!(copied(text).trim_start_matches('\n'), expected.trim_start_matches('\n'), "{text:?}");
        }
    }

    #[test]
    fn facts() {
        let mut out = Text::default();
        out.line(1, "a\tb\nc\r\u{1b}\u{85}d  ");
        assert_eq!(out.finish_cut(), "\ta\\tb\\nc\\r\\u{1b}\\u{85}d");
        for (text, expected) in [
            ("plain \"x\" \\", "plain \"x\" \\"),
            ("a:b", "\"a:b\""),
            ("a · b", "\"a · b\""),
            ("C:\\x \"y\"", "\"C:\\\\x \\\"y\\\"\""),
        ] {
            assert_eq!(value(text), expected);
        }
        for (text, expected) in [
            ("0123456789abcdef", "01234567"),
            ("01234567", "01234567"),
            ("0123456", "0123456"),
            ("0123456789ABCDEF", "0123456789ABCDEF"),
            ("main", "main"),
        ] {
            assert_eq!(digest(text), expected);
        }
        assert_eq!([0, 1, 2].map(|n| counted(n, "result")), ["0 results", "1 result", "2 results"]);
    }

    #[test]
    fn the_bound_refuses_with_evidence() {
        let fill = |bytes: usize| {
            let mut out = Text::default();
            out.line(0, &"x".repeat(bytes - 2));
            out.line(0, "y");
            out
        };
        assert_eq!(fill(TEXT_MAX).bytes, TEXT_MAX);
        assert_eq!(fill(TEXT_MAX).finish().map(|text| text.len()), Ok(TEXT_MAX));
        let failure = fill(TEXT_MAX + 1).finish().expect_err("past the bound");
        let limit = failure.data.limit.expect("has evidence");
        assert_eq!((limit.field.as_str(), limit.limit, limit.required), ("text", 1_048_576, 1_048_577));
        assert!(fill(TEXT_MAX + 1).finish_cut().len() <= TEXT_MAX);
    }
}
