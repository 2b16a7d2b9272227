//! What the prose of a block names: code in line, and links. Markdown's and reStructuredText's marks are told apart by
//! themselves, so that one reading serves every format and documentation in comments.

use rift_base::ByteRange;

/// Bytes of the longest code in line and of the longest link looked at.
const SPAN_MAX: usize = 400;
/// Marks kept of one block.
const SPANS_MAX: usize = 512;

/// One mark of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Markup<'t> {
    /// Code in line, or the target of a role (`:func:`) or of a documenting directive (`.. function::`).
    Code {
        /// The code, without its marks.
        text: &'t str,
        /// Its bytes in the block.
        range: ByteRange,
    },
    /// A link.
    Link {
        /// Where it leads, as written.
        target: &'t str,
        /// The bytes of the whole link in the block.
        range: ByteRange,
    },
}

/// The marks of `text` in source order, at most 512. Fenced code is passed over.
pub fn spans(text: &str) -> Vec<Markup<'_>> {
    let mut out = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() && out.len() < SPANS_MAX {
        at = match bytes[at] {
            // An escaped character; what is not ASCII is no mark.
            b'\\' => at + 2,
            b'`' => ticks(text, at, &mut out),
            b'[' => link(text, at, &mut out),
            b'<' => autolink(text, at, &mut out),
            b'.' if line_starts(text, at) => directive(text, at, &mut out),
            _ => at + 1,
        };
    }
    out
}

fn line_starts(text: &str, at: usize) -> bool {
    text[..text.floor_char_boundary(at)].rsplit('\n').next().is_some_and(|before| before.trim().is_empty())
}

/// Code between runs of equally many backquotes; a fence at the start of a line ends with its closing one. A single
/// backquote may be a role's, a phrase's or a link's of reStructuredText.
fn ticks<'t>(text: &'t str, at: usize, out: &mut Vec<Markup<'t>>) -> usize {
    let run = text[at..].bytes().take_while(|b| *b == b'`').count();
    let open = at + run;
    let marks = &text[at..open];
    if run >= 3 && line_starts(text, at) {
        let close = text[open..].match_indices(marks).map(|(n, _)| open + n).find(|n| line_starts(text, *n));
        return close.map_or(text.len(), |close| close + run);
    }
    let close = text[open..].match_indices(marks).map(|(n, _)| open + n).find(|n| {
        let longer = text[*n..].bytes().take_while(|b| *b == b'`').count();
        longer == run && text.as_bytes().get(n.wrapping_sub(1)) != Some(&b'`')
    });
    let Some(close) = close.filter(|close| close - open <= SPAN_MAX) else { return open };
    let end = close + run;
    let inner = &text[open..close];
    // `title <target>` of a role or a link.
    let target = inner.strip_suffix('>').and_then(|inner| inner.rsplit_once('<')).map(|(_, target)| target);
    let is_link = text.as_bytes().get(end) == Some(&b'_');
    match (target, is_link && run == 1) {
        (Some(target), true) => out.push(Markup::Link { target, range: ByteRange::new(at, end + 1) }),
        (None, true) => {}
        (target, false) => {
            let code = target.filter(|_| text[..at].ends_with(':')).unwrap_or(inner).trim();
            let code = code.trim_start_matches(['~', '!']);
            if !code.is_empty() {
                out.push(Markup::Code { text: code, range: ByteRange::new(at, end) });
            }
        }
    }
    end
}

/// `[text](target)`; the text's own marks are read as well.
fn link<'t>(text: &'t str, at: usize, out: &mut Vec<Markup<'t>>) -> usize {
    let window = text.floor_char_boundary((at + SPAN_MAX).min(text.len()));
    let mut depth = 0usize;
    let close = text[at..window].char_indices().find(|(_, c)| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let Some(target) = close.map(|(n, _)| at + n + 1).filter(|n| text[*n..].starts_with('(')) else { return at + 1 };
    let rest = &text[target + 1..text.floor_char_boundary((target + SPAN_MAX).min(text.len()))];
    let Some(end) = rest.find(')') else { return at + 1 };
    let written = rest[..end].split_whitespace().next().unwrap_or("").trim_matches(['<', '>']);
    if !written.is_empty() {
        out.push(Markup::Link { target: written, range: ByteRange::new(at, target + 1 + end + 1) });
    }
    // On with the text between the brackets.
    at + 1
}

/// `<https://…>`.
fn autolink<'t>(text: &'t str, at: usize, out: &mut Vec<Markup<'t>>) -> usize {
    let rest = &text[at + 1..];
    let Some(end) = rest.find(['>', ' ', '\n']).filter(|end| rest[*end..].starts_with('>')) else { return at + 1 };
    if !rest[..end].contains("://") {
        return at + 1;
    }
    out.push(Markup::Link { target: &rest[..end], range: ByteRange::new(at, at + end + 2) });
    at + end + 2
}

/// `.. py:function:: name(arguments)`: the name.
fn directive<'t>(text: &'t str, at: usize, out: &mut Vec<Markup<'t>>) -> usize {
    const DOCUMENTS: &[&str] =
        &["function", "method", "class", "attribute", "data", "exception", "classmethod", "staticmethod", "decorator"];
    let end = text[at..].find('\n').map_or(text.len(), |feed| at + feed);
    let line = &text[at..end];
    let named = line.strip_prefix(".. ").and_then(|rest| rest.split_once(":: "));
    let documents = |name: &str| DOCUMENTS.contains(&name.rsplit(':').next().unwrap_or(""));
    let Some((_, argument)) = named.filter(|(name, _)| documents(name)) else { return at + 1 };
    let code = argument.split(['(', ' ']).next().unwrap_or("");
    if !code.is_empty() {
        let start = end - argument.len();
        out.push(Markup::Code { text: code, range: ByteRange::new(start, start + code.len()) });
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        spans(text)
            .into_iter()
            .map(|span| match span {
                Markup::Code { text: code, range } => format!("{code} @ {}", range.of(text)),
                Markup::Link { target, range } => format!("-> {target} @ {}", range.of(text)),
            })
            .collect()
    }

    #[test]
    fn marks_of_markdown() {
        assert_eq!(
            read("Use `load_config()` or ``a`b``, see [the `guide`](docs/guide.md#part \"T\") and <https://x.y>."),
            [
                "load_config() @ `load_config()`",
                "a`b @ ``a`b``",
                "-> docs/guide.md#part @ [the `guide`](docs/guide.md#part \"T\")",
                "guide @ `guide`",
                "-> https://x.y @ <https://x.y>",
            ]
        );
        assert_eq!(read("```rust\nlet a = `x`;\n```\n`b` \\`c` 1 < 2 [d] [e"), ["b @ `b`"]);
    }

    #[test]
    fn marks_of_restructured_text() {
        assert_eq!(
            read(":func:`~app.run` and :class:`the one <app.One>`, ``code``, `site <https://x.y>`_ `other`_\n"),
            [
                "app.run @ `~app.run`",
                "app.One @ `the one <app.One>`",
                "code @ ``code``",
                "-> https://x.y @ `site <https://x.y>`_",
            ]
        );
        assert_eq!(read(".. py:function:: open(path)\n\n   Opens.\n\n.. note:: `x`"), ["open @ open", "x @ `x`"]);
    }

    #[test]
    fn broken_marks_end() {
        for text in ["`", "``", "```", "[", "[a](", "[a](b", "<", "\\", ".. ", "é`é", "[é](é)", "a\\"] {
            let _ = read(text);
        }
        assert_eq!(spans(&"`a` ".repeat(2_000)).len(), SPANS_MAX);
    }
}
