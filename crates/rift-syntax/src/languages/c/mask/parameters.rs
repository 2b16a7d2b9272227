//! Parameter lists and what stands behind them.

use super::statements::{Scan, Shape, Unit};
use super::tokens::Kind;
use super::words::*;

impl Scan<'_, '_> {
    /// A function whose parameters open at `open`: masks macros in them and behind them; behind its body or semicolon.
    pub(super) fn function(&mut self, open: usize) -> usize {
        let close = self.pair(open);
        if close >= self.tokens.len() {
            return close;
        }
        self.parameters(open + 1, close);
        let mut i = close + 1;
        loop {
            let Some(kind) = self.kind(i) else { return i };
            match kind {
                Kind::Sign(b'{') => return self.pair(i) + 1,
                Kind::Sign(b';') => return i + 1,
                Kind::Sign(b'&') => i += 1,
                Kind::Sign(b':') => return self.initializers(i + 1),
                Kind::Sign(b'[') if self.is(i + 1, b'[') => i = self.pair(i) + 1,
                Kind::Arrow => return self.trailing(i + 1),
                Kind::Word => {
                    let word = self.word(i);
                    let last = if self.is(i + 1, b'(') { self.pair(i + 1) } else { i };
                    if word == "requires" {
                        return self.trailing(i + 1);
                    }
                    if !is_suffix(word) {
                        if self.is_c() && self.is_old_style(i) {
                            return self.trailing(i);
                        }
                        if is_builtin(word) || is_qualifier(word) || is_opaque(word) || starts_type(word) {
                            return i;
                        }
                        self.blank(i, last);
                    }
                    i = last + 1;
                }
                Kind::If | Kind::Else | Kind::Endif | Kind::Directive => return i,
                _ => return self.skip(i),
            }
        }
    }

    /// Whether the declarations of an old style definition's parameters start at `at`.
    fn is_old_style(&self, at: usize) -> bool {
        let word = self.word(at);
        if is_builtin(word) || starts_type(word) || is_qualifier(word) {
            return true;
        }
        match self.kind(at + 1) {
            Some(Kind::Word) => matches!(self.kind(at + 2), Some(Kind::Sign(b';' | b',' | b'['))),
            Some(Kind::Sign(b'*')) => true,
            _ => false,
        }
    }

    /// On to the body, or past the semicolon when there is none.
    fn trailing(&mut self, at: usize) -> usize {
        let mut i = at;
        let mut behind = None;
        while let Some(kind) = self.kind(i) {
            match kind {
                Kind::Sign(b'{') => return self.pair(i) + 1,
                Kind::Sign(b'}') => return i,
                Kind::Sign(b'(' | b'[') => i = self.pair(i),
                Kind::Sign(b';') => {
                    let next = self.word(i + 1);
                    // Old style parameters are declarations with semicolons, in front of the body.
                    if !self.is_c()
                        || !(self.is(i + 1, b'{') || self.is_old_style(i + 1))
                        || starts_type(next) && behind.is_some()
                    {
                        return i + 1;
                    }
                    behind = Some(i);
                }
                _ => {}
            }
            i += 1;
        }
        i
    }

    /// A constructor's initializers from `at` on, and its body.
    fn initializers(&mut self, at: usize) -> usize {
        let mut i = at;
        while let Some(kind) = self.kind(i) {
            match kind {
                Kind::Sign(b'{') => {
                    // A brace behind a name initializes; behind `)`, `}` or `>…)` it is the body.
                    let named = matches!(self.kind(i - 1), Some(Kind::Word | Kind::Sign(b'>')));
                    let close = self.pair(i);
                    if !named {
                        return close + 1;
                    }
                    i = close;
                }
                Kind::Sign(b'(' | b'[') => i = self.pair(i),
                Kind::Sign(b';') => return i + 1,
                Kind::Sign(b'}') => return i,
                _ => {}
            }
            i += 1;
        }
        i
    }

    fn parameters(&mut self, from: usize, to: usize) {
        let mut i = from;
        while i < to {
            i = self.parameter(i, to);
            self.default_value(i, to);
            // On to the next comma.
            while i < to && !self.is(i, b',') {
                i = match self.kind(i) {
                    Some(Kind::Sign(b'(' | b'[' | b'{')) => self.pair(i) + 1,
                    Some(Kind::Sign(b'<')) => self.angle(i).unwrap_or(i + 1),
                    _ => i + 1,
                };
            }
            i += 1;
        }
    }

    /// Defaults that the grammar does not take: those of a pointer without a name, and braces. The fact that they are
    /// there is read off the text.
    fn default_value(&mut self, at: usize, to: usize) {
        let unnamed = matches!(self.kind(at.wrapping_sub(1)), Some(Kind::Sign(b'*' | b'&')))
            || (self.word(at.wrapping_sub(1)) == "const" && self.kind(at.wrapping_sub(2)) == Some(Kind::Sign(b'*')));
        if at >= to || !self.is(at, b'=') || !(unnamed || self.is(at + 1, b'{')) {
            return;
        }
        let mut end = at;
        while end + 1 < to && !self.is(end + 1, b',') {
            end = match self.kind(end + 1) {
                Some(Kind::Sign(b'(' | b'[' | b'{')) => self.pair(end + 1).min(to - 1),
                Some(Kind::Sign(b'<')) => self.angle(end + 1).map_or(end + 1, |next| (next - 1).min(to - 1)),
                _ => end + 1,
            };
        }
        self.blank(at, end);
    }

    /// Masks the macros of one parameter; where its specifiers end.
    fn parameter(&mut self, from: usize, to: usize) -> usize {
        let mut units: Vec<Unit> = Vec::new();
        let mut typed = false;
        let mut i = from;
        while i < to {
            let word = self.word(i);
            if word.is_empty() {
                match self.kind(i) {
                    Some(Kind::Scope) => i += 1,
                    Some(Kind::Sign(b'[')) if self.is(i + 1, b'[') => i = self.pair(i) + 1,
                    _ => break,
                }
            } else if starts_type(word) {
                typed = true;
                i = self.unit(i + 1).1;
            } else if takes_brackets(word) && self.is(i + 1, b'(') {
                typed |= word == "decltype";
                i = self.pair(i + 1) + 1;
            } else if is_qualifier(word) {
                i += 1;
            } else if is_builtin(word) {
                typed = true;
                i += 1;
            } else {
                let (unit, next) = self.unit(i);
                i = next;
                if self.is(i, b'(') && unit.shape == Shape::Word && !typed {
                    let close = self.pair(i);
                    let goes_on = !self.word(close + 1).is_empty() || self.is(close + 1, b'*');
                    if goes_on && close < to {
                        units.push(Unit { last: close, shape: Shape::Call, ..unit });
                        i = close + 1;
                        continue;
                    }
                }
                units.push(unit);
                if self.is(i, b'(') {
                    break;
                }
            }
        }
        let pointer = matches!(self.kind(i), Some(Kind::Sign(b'*' | b'&'))) && i < to;
        let has_name = !pointer && (typed || units.len() > 1);
        self.resolve(&units, typed, has_name);
        if pointer { self.parameter_name(i, to) } else { i }
    }

    /// `*MACRO name`
    fn parameter_name(&mut self, from: usize, to: usize) -> usize {
        let mut i = from;
        let mut words: Vec<Unit> = Vec::new();
        while i < to {
            match self.kind(i) {
                Some(Kind::Sign(b'*' | b'&')) => i += 1,
                Some(Kind::Word) => {
                    if !is_qualifier(self.word(i)) {
                        words.push(Unit { first: i, last: i, shape: Shape::Word });
                    }
                    i += 1;
                }
                _ => break,
            }
        }
        if let Some((_, macros)) = words.split_last() {
            self.blank_units(macros);
        }
        i
    }
}

fn starts_type(word: &str) -> bool {
    matches!(word, "struct" | "class" | "union" | "enum")
}
