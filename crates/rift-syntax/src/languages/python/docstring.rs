//! Docstrings: the value of the string that a body starts with, cleaned as `inspect.cleandoc` does.

use tree_sitter::Node;

use crate::facts::Documentation;
use crate::text::range;

/// The docstring of `body`, if its first statement is a string without interpolation.
pub(super) fn docstring(text: &str, body: Node<'_>) -> Option<Documentation> {
    let mut cursor = body.walk();
    let statement = body.named_children(&mut cursor).find(|n| n.kind() != "comment")?;
    if statement.kind() != "expression_statement" || statement.named_child_count() != 1 {
        return None;
    }
    let mut value = statement.named_child(0)?;
    while value.kind() == "parenthesized_expression" && value.named_child_count() == 1 {
        value = value.named_child(0)?;
    }
    let mut out = String::new();
    match value.kind() {
        "string" => literal(text, value, &mut out)?,
        "concatenated_string" => {
            let mut cursor = value.walk();
            for part in value.named_children(&mut cursor).filter(|n| n.kind() == "string") {
                literal(text, part, &mut out)?;
            }
        }
        _ => return None,
    }
    let text = cleandoc(&out);
    (!text.is_empty()).then(|| Documentation { markdown: false, text: text.into() })
}

/// Appends the value of one string literal; `None` for bytes and formatted strings.
fn literal(text: &str, string: Node<'_>, out: &mut String) -> Option<()> {
    let open = string.child(0).filter(|n| n.kind() == "string_start")?;
    let close = string.child(string.child_count().checked_sub(1)?).filter(|n| n.kind() == "string_end")?;
    let prefix = range(open).of(text).trim_end_matches(['"', '\'']).to_ascii_lowercase();
    if prefix.contains(['b', 'f', 't']) {
        return None;
    }
    let content = text.get(open.end_byte()..close.start_byte())?;
    if prefix.contains('r') || !content.contains('\\') {
        out.push_str(&content.replace("\r\n", "\n"));
    } else {
        unescape(&content.replace("\r\n", "\n"), out);
    }
    Some(())
}

/// Appends `content` with its escape sequences replaced (Python reference, "Escape sequences"). Named characters
/// (`\N{...}`) and unknown sequences stay as written.
fn unescape(content: &str, out: &mut String) {
    let mut rest = content;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        let Some(c) = tail.chars().next() else {
            out.push('\\');
            return;
        };
        let after = &tail[c.len_utf8()..];
        let simple = match c {
            '\n' => Some(""),
            '\\' => Some("\\"),
            '\'' => Some("'"),
            '"' => Some("\""),
            'a' => Some("\u{7}"),
            'b' => Some("\u{8}"),
            'f' => Some("\u{c}"),
            'n' => Some("\n"),
            'r' => Some("\r"),
            't' => Some("\t"),
            'v' => Some("\u{b}"),
            _ => None,
        };
        rest = match (simple, numeric(c, tail)) {
            (Some(value), _) => {
                out.push_str(value);
                after
            }
            (None, Some((value, used))) => {
                out.push(value);
                &tail[used..]
            }
            (None, None) => {
                out.push('\\');
                tail
            }
        };
        // A backslash that stays must not be met again.
        if simple.is_none() && rest.len() == tail.len() {
            out.push(c);
            rest = after;
        }
    }
    out.push_str(rest);
}

/// The character of an octal or hexadecimal escape that starts at `tail` (behind the backslash), and its length.
fn numeric(kind: char, tail: &str) -> Option<(char, usize)> {
    let (from, most, least, radix) = match kind {
        '0'..='7' => (0, 3, 1, 8),
        'x' => (1, 2, 2, 16),
        'u' => (1, 4, 4, 16),
        'U' => (1, 8, 8, 16),
        _ => return None,
    };
    let digits = tail[from..].bytes().take(most).take_while(|b| (*b as char).is_digit(radix)).count();
    if digits < least {
        return None;
    }
    let value = u32::from_str_radix(tail.get(from..from + digits)?, radix).ok()?;
    Some((char::from_u32(value)?, from + digits))
}

/// `inspect.cleandoc`: expands tabs, drops the indentation that all lines but the first share, the first line's own,
/// and empty lines at both ends.
fn cleandoc(doc: &str) -> String {
    let expanded = expand_tabs(doc);
    let mut lines: Vec<&str> = expanded.split('\n').collect();
    let indent = |l: &&str| l.len() - l.trim_start().len();
    let margin = lines.iter().skip(1).filter(|l| !l.trim().is_empty()).map(indent).min();
    for (i, line) in lines.iter_mut().enumerate() {
        *line = match margin {
            _ if i == 0 => line.trim_start(),
            Some(margin) => line.get(margin..).unwrap_or(""),
            None => line,
        };
    }
    let first = lines.iter().position(|l| !l.is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|l| !l.is_empty()).map_or(first, |l| l + 1);
    lines[first..last].join("\n")
}

/// `str.expandtabs()`: tab stops every eight columns, a column being one character.
fn expand_tabs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut column = 0;
    for c in text.chars() {
        match c {
            '\t' => {
                let width = 8 - column % 8;
                out.extend(std::iter::repeat_n(' ', width));
                column += width;
            }
            '\n' | '\r' => {
                out.push(c);
                column = 0;
            }
            _ => {
                out.push(c);
                column += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values printed by CPython's `inspect.cleandoc` and its string literals.
    #[test]
    fn cleaned_as_python_does() {
        let check = |doc: &str, want: &str| assert_eq!(cleandoc(doc), want, "{doc:?}");
        check("One\n    two\n      three\n    ", "One\ntwo\n  three");
        check("\n\n    One\n    two\n", "One\ntwo");
        check("  One\n\ttwo\n        three", "One\ntwo\nthree");
        check("One\n    two  \n", "One\ntwo  ");
        check("", "");
        check("   ", "");
    }

    #[test]
    fn line_ends_of_windows() {
        let text = "def f():\r\n    \"\"\"One\r\n      two\r\n    \"\"\"\r\n";
        let language = rift_base::Language::new("python").unwrap();
        let facts = crate::extract(text, &language, &crate::Bounds::default()).unwrap();
        assert_eq!(&*facts.outline.declarations[0].documentation.as_ref().unwrap().text, "One\ntwo");
    }

    #[test]
    fn escapes_as_python_does() {
        let check = |content: &str, want: &str| {
            let mut out = String::new();
            unescape(content, &mut out);
            assert_eq!(out, want, "{content:?}");
        };
        check(r"a\nb\t\\n", "a\nb\t\\n");
        check(r"\x41\u00e9\101\0", "Aé A\0".replace(' ', "").as_str());
        check(r"\d \xZZ \N{BULLET} \é", r"\d \xZZ \N{BULLET} \é");
        check("one\\\ntwo\\", "onetwo\\");
    }
}
