//! A word with a bracket behind it: a function's name, a macro that qualifies, a macro that is a type, or a macro that
//! stands for declarations of its own.

use super::statements::{ANGLE_MAX, Inside, Scan, Shape, Unit};
use super::tokens::Kind;
use super::words::*;

/// Tokens looked through for the end of a table that macros build.
const LIST_MAX: usize = 20_000;

impl Scan<'_, '_> {
    /// A word with a bracket behind it at `open`, in the statement that starts at `statement`: a function's name (the statement's end comes back), or a macro call
    /// to go on behind.
    pub(super) fn call(
        &mut self,
        statement: usize,
        unit: Unit,
        open: usize,
        units: &mut Vec<Unit>,
        typed: bool,
    ) -> Result<usize, usize> {
        let close = self.pair(open);
        let next = close + 1;
        let word = self.word(unit.first);
        let upper = is_macro_like(word) && unit.shape == Shape::Word;
        let call = Unit { last: close, shape: Shape::Call, ..unit };
        if self.pointer_head(open) {
            units.push(unit);
            self.resolve(units, typed, false);
            return Ok(self.function(self.pair(open) + 1));
        }
        let stacked = |u: &Unit| u.shape != Shape::Qualified && is_macro_like(self.word(u.first));
        if upper && units.last().is_some_and(|u| self.breaks_line(u.last)) && units.iter().all(stacked) && !typed {
            // A macro call below macros, each on a line of its own.
            self.blank_units(units);
            units.clear();
        }
        let follows_word = !self.word(next).is_empty() && !is_suffix(self.word(next));
        let follows_pointer = matches!(self.kind(next), Some(Kind::Sign(b'*' | b'&')));
        if typed || !units.is_empty() {
            if !typed && upper && (follows_word || follows_pointer) && units.iter().all(|u| u.shape != Shape::Qualified)
            {
                units.push(call);
                return Err(next);
            }
            units.push(unit);
            self.resolve(units, typed, true);
            return Ok(self.function(open));
        }
        if self.is_own_class(word) {
            return Ok(self.function(open));
        }
        if let Some(end) = self.paired_macro(word, next) {
            self.blank(statement, end);
            return Ok(end + 1);
        }
        let own_line = self.breaks_line(close);
        let alone = match self.kind(next) {
            None | Some(Kind::Sign(b'}') | Kind::If | Kind::Else | Kind::Endif | Kind::Directive) => true,
            Some(Kind::Sign(b';')) => upper && !self.is_own_class(word),
            Some(Kind::Word) if !follows_word => false,
            Some(Kind::Word | Kind::Scope | Kind::Sign(b'~' | b'[')) => own_line && !is_attribute_macro(word),
            _ => false,
        };
        if alone && unit.shape == Shape::Word {
            let last = if self.is(next, b';') { next } else { close };
            self.blank(statement, last);
            return Ok(last + 1);
        }
        if self.is(next, b'=') && unit.shape == Shape::Word && !self.is_clause(next + 1) {
            return Ok(self.list_macro(statement, next));
        }
        if unit.shape == Shape::Word && (follows_word || (follows_pointer && upper)) {
            units.push(call);
            return Err(next);
        }
        if self.is(next, b'{') && super::super::tests_of::is_test_macro(word) {
            self.blank_strings(open, close);
        }
        Ok(self.function(open))
    }

    /// Whether the bracket at `open` holds a pointer's declarator with a parameter list behind it. A calling convention
    /// or the class of a member pointer in front of its star is masked: `(WINAPI *f)(…)`, `(Class::*f)(…)`.
    pub(super) fn pointer_head(&mut self, open: usize) -> bool {
        let mut star = open + 1;
        while matches!(self.kind(star), Some(Kind::Word | Kind::Scope)) && star - open < 16 {
            star += 1;
        }
        if !matches!(self.kind(star), Some(Kind::Sign(b'*' | b'^' | b'&'))) || !self.is(self.pair(open) + 1, b'(') {
            return false;
        }
        if star > open + 1 {
            self.blank(open + 1, star - 1);
        }
        if self.is(star, b'^')
            && let Some(caret) = self.tokens.get(star)
        {
            // A block's caret is declared like a pointer's star.
            self.mask.put(caret.start as usize, b"*");
        }
        true
    }

    /// `default`, `delete` or `0` behind a function's `=`.
    pub(super) fn is_clause(&self, at: usize) -> bool {
        matches!(self.word(at), "default" | "delete") || self.kind(at) == Some(Kind::Number)
    }

    /// `MACRO(X) = { … } MACRO_END(X)` with or without a semicolon: a table that macros build. Masked as a whole.
    pub(super) fn list_macro(&mut self, statement: usize, equals: usize) -> usize {
        let mut i = equals + 1;
        while i < self.tokens.len() && i - equals < LIST_MAX {
            match self.tokens[i].kind {
                Kind::Sign(b';') => break,
                Kind::Sign(b'}') => return i,
                Kind::Sign(b'{' | b'[') => i = self.pair(i),
                Kind::Sign(b'(') => {
                    let ends = self.word(i - 1).to_ascii_lowercase().contains("end");
                    i = self.pair(i);
                    if ends {
                        if self.is(i + 1, b';') {
                            i += 1;
                        }
                        break;
                    }
                }
                _ => {}
            }
            i += 1;
        }
        self.blank(statement, i.min(self.tokens.len().saturating_sub(1)));
        i + 1
    }

    /// The end of `MACRO_start(X) … MACRO_end(X)`, when `word` is such a start and its end is near.
    pub(super) fn paired_macro(&self, word: &str, from: usize) -> Option<usize> {
        let base = word.strip_suffix("_start").or_else(|| word.strip_suffix("_START"))?;
        let is_end = |at: &usize| self.word(*at).strip_prefix(base).is_some_and(|s| s.eq_ignore_ascii_case("_end"));
        let end = (from..self.tokens.len().min(from + ANGLE_MAX)).find(is_end)?;
        Some(if self.is(end + 1, b'(') { self.pair(end + 1) } else { end })
    }

    /// The grammar takes no `*` at the end of a template parameter's default.
    pub(super) fn template_defaults(&mut self, from: usize, to: usize) {
        for i in from..to {
            let ends = self.is(i, b'*') && matches!(self.kind(i + 1), Some(Kind::Sign(b'>' | b',')));
            if ends && matches!(self.kind(i - 1), Some(Kind::Word)) && self.is(i.saturating_sub(2), b'=') {
                self.blank(i, i);
            }
        }
    }

    /// Test macros take strings, parameter lists do not.
    pub(super) fn blank_strings(&mut self, open: usize, close: usize) {
        if (open..close).any(|i| self.kind(i) == Some(Kind::Literal)) && close > open + 1 {
            self.blank(open + 1, close - 1);
        }
    }

    pub(super) fn is_own_class(&self, word: &str) -> bool {
        matches!(self.scopes.last(), Some(Inside::Class(Some(name))) if name == word)
    }
}
