//! Tokens of C and C++, as coarse as masking needs them.

/// A token's sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    /// A string or character literal.
    Literal,
    /// `::`
    Scope,
    /// `->`
    Arrow,
    /// Any other sign, one byte at a time.
    Sign(u8),
    /// `#if`, `#ifdef`, `#ifndef`; a directive spans its logical line.
    If,
    /// `#else`, `#elif` and their like.
    Else,
    Endif,
    /// Any other directive.
    Directive,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Token {
    pub(super) fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Cuts `text`; comments and white space are left out.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len() / 5);
    let mut line_start = true;
    let mut i = if text.starts_with('\u{feff}') { 3 } else { 0 };
    while let Some(&byte) = bytes.get(i) {
        let start = i;
        let next = bytes.get(i + 1).copied().unwrap_or(0);
        let kind = match byte {
            b'\n' => {
                line_start = true;
                i += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | b'\\' | 0x0b | 0x0c => {
                i += 1;
                continue;
            }
            b'/' if next == b'/' => {
                i = line_end(bytes, i);
                continue;
            }
            b'/' if next == b'*' => {
                i = comment_end(bytes, i);
                continue;
            }
            b'#' if line_start => {
                i = directive_end(bytes, i);
                directive(text.get(start + 1..i).unwrap_or(""))
            }
            b'"' | b'\'' => {
                i = literal_end(bytes, i, byte);
                Kind::Literal
            }
            b'0'..=b'9' => {
                i += 1;
                while bytes.get(i).is_some_and(|b| is_word(*b) || matches!(b, b'.' | b'\'')) {
                    i += 1;
                }
                Kind::Number
            }
            b if is_word(b) => {
                while bytes.get(i).is_some_and(|b| is_word(*b)) {
                    i += 1;
                }
                match (&bytes[start..i], bytes.get(i)) {
                    (b"R" | b"u8R" | b"uR" | b"LR" | b"UR", Some(b'"')) => {
                        i = raw_end(text, i);
                        Kind::Literal
                    }
                    (b"L" | b"u8" | b"u" | b"U", Some(q @ (b'"' | b'\''))) => {
                        i = literal_end(bytes, i, *q);
                        Kind::Literal
                    }
                    _ => Kind::Word,
                }
            }
            b':' if next == b':' => {
                i += 2;
                Kind::Scope
            }
            b'-' if next == b'>' => {
                i += 2;
                Kind::Arrow
            }
            _ => {
                i += 1;
                Kind::Sign(byte)
            }
        };
        line_start = false;
        out.push(Token { kind, start: start as u32, end: i as u32 });
    }
    out
}

fn directive(line: &str) -> Kind {
    let line = line.trim_start();
    let word = line.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
    match word {
        "if" | "ifdef" | "ifndef" => Kind::If,
        "else" | "elif" | "elifdef" | "elifndef" => Kind::Else,
        "endif" => Kind::Endif,
        _ => Kind::Directive,
    }
}

/// The end of the logical line at `i`, its line feed excluded.
fn line_end(bytes: &[u8], mut i: usize) -> usize {
    while let Some(&byte) = bytes.get(i) {
        if byte == b'\n' && !spliced(bytes, i) {
            break;
        }
        i += 1;
    }
    i
}

fn spliced(bytes: &[u8], line_feed: usize) -> bool {
    let before = bytes.get(..line_feed).unwrap_or(&[]);
    before.strip_suffix(b"\r").unwrap_or(before).ends_with(b"\\")
}

fn comment_end(bytes: &[u8], start: usize) -> usize {
    let inner = bytes.get(start + 2..).unwrap_or(&[]);
    inner.windows(2).position(|w| w == b"*/").map_or(bytes.len(), |i| start + 2 + i + 2)
}

/// A directive ends with its logical line; a block comment in it may span lines, a line comment is left out.
fn directive_end(bytes: &[u8], mut i: usize) -> usize {
    while let Some(&byte) = bytes.get(i) {
        match byte {
            b'\n' if !spliced(bytes, i) => break,
            b'/' if bytes.get(i + 1) == Some(&b'*') => i = comment_end(bytes, i),
            b'/' if bytes.get(i + 1) == Some(&b'/') => return i,
            b'"' => i = literal_end(bytes, i, byte),
            _ => i += 1,
        }
    }
    i
}

/// Behind the literal at `i`; it never goes past its line.
fn literal_end(bytes: &[u8], i: usize, quote: u8) -> usize {
    let mut i = i + 1;
    while let Some(&byte) = bytes.get(i) {
        match byte {
            b'\\' => i += 2,
            b'\n' => return i,
            b if b == quote => return i + 1,
            _ => i += 1,
        }
    }
    bytes.len()
}

/// Behind the raw string whose opening quote is at `i`.
fn raw_end(text: &str, i: usize) -> usize {
    let rest = text.get(i + 1..).unwrap_or("");
    let Some(open) = rest.find('(').filter(|o| *o <= 16) else { return i + 1 };
    let close = format!("){}\"", &rest[..open]);
    rest.find(&close).map_or(text.len(), |at| i + 1 + at + close.len())
}
