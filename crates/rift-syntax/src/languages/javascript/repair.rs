//! A second reading of text that the grammars do not know in full. What they lack is written over, byte for byte of
//! the same length, so that every offset stays true; names and signatures are read from the text as it was.
//!
//! - TypeScript: variance annotations (`interface A<in out T>`), `export type *`, escaped backticks (which template
//!   literal types lack), and members that a line break alone separates from the one before them (the grammar inserts
//!   no semicolon before `<` and `in`).
//! - Flow, in JavaScript files: types are read by the TSX grammar. Written over are maybe types (`?T`), variance
//!   sigils (`+name: T`), inexact objects (`...}`), spreads in object types, `opaque`, `interface {}` as a type, and
//!   `component`, which is read as `function`, and as a type without its parameters.
//!
//! A scanner of brackets, strings and comments is enough to find these places; where it errs, the second reading has
//! more errors than the first and is not taken.

use std::ops::Range;

/// `text` with the unknown syntax written over; absent when there is none.
pub(super) fn repaired(text: &str, flow: bool) -> Option<String> {
    let mut scanner = Scanner {
        text: text.as_bytes(),
        at: 0,
        open: Vec::new(),
        last: None,
        flow,
        edits: Vec::new(),
        blanks: Vec::new(),
    };
    scanner.run();
    if scanner.edits.is_empty() && scanner.blanks.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for (at, with) in scanner.edits {
        bytes[at..at + with.len()].copy_from_slice(with);
    }
    for blank in scanner.blanks {
        bytes[blank].fill(b' ');
    }
    String::from_utf8(bytes).ok()
}

/// What stands in for a spread in an object type: a property, as long as `...`.
const SPREAD: &[u8] = b"_: ";

/// Bytes within which a parameter list must end.
const PARAMETERS: usize = 4096;

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    /// Open brackets and template strings, each with the offset of the token before it.
    open: Vec<(u8, Option<usize>)>,
    /// Last byte of the token before this place.
    last: Option<usize>,
    flow: bool,
    edits: Vec<(usize, &'static [u8])>,
    /// Ranges to be filled with spaces.
    blanks: Vec<Range<usize>>,
}

impl<'t> Scanner<'t> {
    fn run(&mut self) {
        while let Some(byte) = self.peek(0) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'/' if self.peek(1) == Some(b'/') => self.skip_line(),
                b'/' if self.peek(1) == Some(b'*') => self.skip_comment(),
                b'/' if self.starts_regex() => self.regex(),
                b'"' | b'\'' => self.string(byte),
                b'`' => self.template(),
                b'(' | b'[' | b'{' => {
                    self.open.push((byte, self.last));
                    self.token(1);
                }
                b')' | b']' => {
                    self.open.pop();
                    self.token(1);
                }
                b'}' => {
                    self.open.pop();
                    self.token(1);
                    if self.open.last().is_some_and(|(open, _)| *open == b'`') {
                        self.template_rest();
                    }
                }
                _ if is_word(byte) => self.word(),
                _ => self.sign(byte),
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    /// The first byte at or behind `from` that is no white space.
    fn next(&self, from: usize) -> Option<u8> {
        self.text.get(from..)?.iter().copied().find(|b| !b.is_ascii_whitespace())
    }

    fn before(&self) -> u8 {
        self.last.and_then(|last| self.text.get(last).copied()).unwrap_or(0)
    }

    /// Takes `length` bytes as a token.
    fn token(&mut self, length: usize) {
        self.at += length;
        self.last = Some(self.at - 1);
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
    }

    fn skip_comment(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.windows(2).skip(2).position(|w| w == b"*/").map_or(rest.len(), |p| p + 4);
    }

    /// A string ends at its line's end at the latest.
    fn string(&mut self, quote: u8) {
        let mut length = 1;
        while let Some(byte) = self.peek(length) {
            length += 1;
            match byte {
                b'\\' => length += 1,
                b'\n' => break,
                _ if byte == quote => break,
                _ => {}
            }
        }
        self.token(length.min(self.text.len() - self.at));
    }

    fn template(&mut self) {
        self.open.push((b'`', self.last));
        self.token(1);
        self.template_rest();
    }

    /// The rest of a template string, to its end or to its next `${`.
    fn template_rest(&mut self) {
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => {
                    if self.peek(1) == Some(b'`') {
                        self.edits.push((self.at, b"  "));
                    }
                    self.at += 1;
                }
                b'`' => {
                    self.open.pop();
                    return self.token(1);
                }
                b'$' if self.peek(1) == Some(b'{') => {
                    self.at += 1;
                    self.open.push((b'{', None));
                    return self.token(1);
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Whether `/` starts a regular expression: where an operand is due, and not in `</tag` or `/>`.
    fn starts_regex(&self) -> bool {
        self.peek(1) != Some(b'>') && (self.last.is_none() || b"(,=:[!&|?{};+-*%~^>".contains(&self.before()))
    }

    fn regex(&mut self) {
        let (mut length, mut in_class) = (1, false);
        while let Some(byte) = self.peek(length) {
            length += 1;
            match byte {
                b'\\' => length += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'\n' => break,
                b'/' if !in_class => break,
                _ => {}
            }
        }
        self.token(length.min(self.text.len() - self.at));
    }

    fn word(&mut self) {
        let start = self.at;
        let before = self.before();
        let length = self.text[start..].iter().position(|b| !is_word(*b)).unwrap_or(self.text.len() - start);
        let word = &self.text[start..start + length];
        let next_word = self.next_word(start + length);
        let follows = !next_word.is_empty();
        let is_variance = |w: &[u8]| matches!(w, b"in" | b"out");
        // `in` and `out` of a type parameter: behind `<` or `,`, or `out` behind `in`, and before the name.
        let opens = matches!(before, b'<' | b',') || self.edits.last().is_some_and(|(at, _)| Some(at + 1) == self.last);
        if is_variance(word) && opens && follows && !matches!(next_word, b"extends" | b"of" | b"instanceof" | b"as") {
            self.edits.push((start, if word == b"in" { b"  " } else { b"   " }));
        } else if word == b"in" && matches!(self.next(start + 2), Some(b':' | b'?')) {
            self.separate();
        } else if word == b"type" && self.ends_with(b"export") && self.next(start + 4) == Some(b'*') {
            self.edits.push((start, b"    "));
        } else if self.flow {
            self.flow_word(word, next_word);
        }
        self.token(length);
    }

    /// Words that Flow has and TypeScript has not.
    fn flow_word(&mut self, word: &[u8], next_word: &[u8]) {
        let behind = self.next(self.at + word.len());
        match word {
            b"component" if !next_word.is_empty() && self.starts_statement() => {
                self.edits.push((self.at, b"function "));
            }
            b"component" if matches!(behind, Some(b'(' | b'<')) && b":=|&(<,".contains(&self.before()) => {
                self.blanks.extend(self.parameters(self.at + word.len()));
            }
            b"opaque" if next_word == b"type" => self.edits.push((self.at, b"      ")),
            b"void" if self.before() == b'(' && behind == Some(b')') => self.edits.push((self.at, b"_: a")),
            b"interface" if behind == Some(b'{') => self.edits.push((self.at, b"         ")),
            _ => {}
        }
    }

    /// From `from` to the end of the parameter list behind it.
    fn parameters(&self, from: usize) -> Option<Range<usize>> {
        let mut depth = 0;
        for (at, byte) in self.text.iter().enumerate().skip(from).take(PARAMETERS) {
            match byte {
                b'(' => depth += 1,
                b')' if depth <= 1 => return Some(from..at + 1),
                b')' => depth -= 1,
                _ => {}
            }
        }
        None
    }

    fn ends_with(&self, word: &[u8]) -> bool {
        self.last.is_some_and(|last| self.text[..=last].ends_with(word))
    }

    fn next_word(&self, from: usize) -> &'t [u8] {
        let rest = self.text.get(from..).unwrap_or(&[]);
        let skip = rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(rest.len());
        let rest = &rest[skip..];
        &rest[..rest.iter().position(|b| !is_word(*b)).unwrap_or(rest.len())]
    }

    /// Whether a statement may start here: at the file's level, behind `export`, `export default` or another statement.
    fn starts_statement(&self) -> bool {
        let starts =
            matches!(self.before(), 0 | b';' | b'}') || self.ends_with(b"export") || self.ends_with(b"default");
        self.open.is_empty() && starts
    }

    fn sign(&mut self, byte: u8) {
        match byte {
            b'<' => self.less(),
            b'.' if self.flow && self.text[self.at..].starts_with(b"...") => return self.dots(),
            b'?' if self.flow && self.is_maybe() => self.edits.push((self.at, b" ")),
            b'+' | b'-' if self.flow && self.is_sigil() => self.edits.push((self.at, b" ")),
            _ => {}
        }
        self.token(1);
    }

    /// `<` before a type parameter.
    fn less(&mut self) {
        if self.next(self.at + 1).is_some_and(is_word) && self.peek(1) != Some(b' ') {
            self.separate();
        }
    }

    /// Writes a semicolon before this place when it starts a line inside braces, behind a complete member.
    fn separate(&mut self) {
        let Some(last) = self.last else { return };
        let in_braces = self.open.last().is_some_and(|(open, _)| *open == b'{');
        let complete = match self.text[last] {
            b'>' => last == 0 || self.text[last - 1] != b'=',
            byte => is_word(byte) || b")]}\"'`".contains(&byte),
        };
        let gap = &self.text[last + 1..self.at];
        if in_braces && complete && gap.contains(&b'\n') && gap[0].is_ascii_whitespace() {
            self.edits.push((last + 1, b";"));
        }
    }

    /// `...` in an object type: of an inexact one, or a spread.
    fn dots(&mut self) {
        let ends = matches!(self.next(self.at + 3), Some(b'}' | b'|' | b','));
        let in_braces = self.open.last().is_some_and(|(open, _)| *open == b'{') && b"{|,;".contains(&self.before());
        if in_braces && ends {
            self.edits.push((self.at, b"   "));
            self.at += 3;
            return;
        }
        let before = self.open.last().and_then(|(_, before)| *before).unwrap_or(0);
        let in_type = b"=:<(|&,[?>".contains(&self.text[before])
            || [&b" as"[..], b" extends"].iter().any(|w| self.text[..=before].ends_with(w));
        if in_braces && in_type {
            self.edits.push((self.at, SPREAD));
        }
        self.token(3);
    }

    /// `?` where a type is due.
    fn is_maybe(&self) -> bool {
        let due = match self.before() {
            b':' | b'<' | b'|' | b'&' | b'(' | b',' | b'=' | b'[' => true,
            b'>' => self.last.is_some_and(|l| l > 0 && self.text[l - 1] == b'='),
            _ => false,
        };
        due && self.next(self.at + 1).is_some_and(|b| is_word(b) || b"({[\"'".contains(&b))
    }

    /// `+` or `-` before a property or type parameter.
    fn is_sigil(&self) -> bool {
        let property = b"{|,;<".contains(&self.before()) && self.peek(1).is_some_and(|b| is_word(b) || b == b'[');
        let digit = self.peek(1).is_some_and(|b| b.is_ascii_digit());
        let static_property = self.ends_with(b"static");
        (property || static_property) && !digit && self.open.last().is_none_or(|(open, _)| *open == b'{')
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, flow: bool, expected: &str) {
        let found = repaired(text, flow);
        assert_eq!(found.as_deref().unwrap_or(text), expected);
        assert_eq!(expected.len(), text.len());
    }

    #[test]
    fn variance() {
        check("interface A<in out T, out U, in V> {}", false, "interface A<       T,     U,    V> {}");
        check(
            "interface A<out extends B> {}\nfor (const x in y) {}",
            false,
            "interface A<out extends B> {}\nfor (const x in y) {}",
        );
        check("type out = 1; f(a, out);", false, "type out = 1; f(a, out);");
    }

    #[test]
    fn signatures_on_lines() {
        check("type F = {\n  (a: A): B<A>\n  <T>(a: T): T\n}", false, "type F = {\n  (a: A): B<A>;  <T>(a: T): T\n}");
        check("type O = {\n  name: A\n  in: B\n}", false, "type O = {\n  name: A;  in: B\n}");
        check("type M = `a \\` b`; export type * from \"c\"", false, "type M = `a    b`; export      * from \"c\"");
        // An arrow's result, and what stands in comments and strings, is left alone.
        for same in ["const f = {\n  a: () =>\n  <T>(x: T) => x }", "// a\n<b", "const s = `{ a\n  <b>`", "(a\n  <b>c)"]
        {
            check(same, false, same);
        }
    }

    #[test]
    fn flow() {
        check("type A = {+a: ?string, ...B, -b: number, ...};", true, "type A = { a:  string, _: B,  b: number,    };");
        check("component A(a: ?B) {}", true, "function  A(a:  B) {}");
        check("type C<+T> = T", true, "type C< T> = T");
        check("const A: component(a: B) = f", true, "const A: component       = f");
        check("opaque type A = {...}; type B = interface {};", true, "       type A = {   }; type B =           {};");
        check("type E = (void) => A", true, "type E = (_: a) => A");
        check("f<T extends {...A}>()", true, "f<T extends {_: A}>()");
        for same in
            ["f(...a)", "<A {...b} />", "x ? y : z", "a = b ? -1 : +2", "const {a, ...b} = c", "({a: +1})", "x?.y"]
        {
            check(same, true, same);
        }
    }

    #[test]
    fn any_text_is_survived() {
        for text in ["'\\", "`${", "/[", "/*", "...", "?", "<", "}", "é<in é>", "\"", "`\\", "+"] {
            for flow in [false, true] {
                assert!(repaired(text, flow).is_none_or(|r| r.len() == text.len()), "{text:?}");
            }
        }
    }
}
