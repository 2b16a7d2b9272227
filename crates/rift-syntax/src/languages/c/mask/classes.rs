//! Heads of classes, structs, unions and enumerations: `class EXPORT Name final : public Base {`.

use super::statements::{Inside, Scan, Shape, Unit};
use super::tokens::Kind;
use super::words::*;

impl Scan<'_, '_> {
    /// The head at `at`. `Ok` is where to go on when it defines or forward declares a type; `Err` is where the words
    /// behind the type start that belong to a declaration of that type.
    pub(super) fn class_head(
        &mut self,
        at: usize,
        before: &[Unit],
        typed: &mut bool,
    ) -> Result<usize, (usize, Vec<Unit>)> {
        let is_enum = self.word(at) == "enum";
        let mut i = at + 1;
        if is_enum && matches!(self.word(i), "class" | "struct") {
            i += 1;
        }
        let mut units: Vec<Unit> = Vec::new();
        loop {
            match self.kind(i) {
                Some(Kind::Sign(b'[')) if self.is(i + 1, b'[') => {
                    let close = self.pair(i);
                    // The grammar knows attributes of classes only.
                    if is_enum {
                        self.blank(i, close);
                    }
                    i = close + 1;
                }
                Some(Kind::Scope) if units.is_empty() => i += 1,
                Some(Kind::Word) => {
                    let word = self.word(i);
                    if takes_brackets(word) && self.is(i + 1, b'(') {
                        i = self.pair(i + 1) + 1;
                    } else if word == "final" && !units.is_empty() || is_qualifier(word) {
                        i += 1;
                    } else if word == "operator" {
                        break;
                    } else if self.is(i + 1, b'(') && units.is_empty() {
                        let close = self.pair(i + 1);
                        units.push(Unit { first: i, last: close, shape: Shape::Call });
                        i = close + 1;
                    } else {
                        let (unit, next) = self.unit(i);
                        units.push(unit);
                        i = next;
                    }
                }
                _ => break,
            }
        }
        let opens = match self.kind(i) {
            Some(Kind::Sign(b'{')) => Some(i),
            Some(Kind::Sign(b':')) => self.brace_behind(i),
            _ => None,
        };
        if let Some(open) = opens {
            self.blank_units(before);
            if let Some((_, macros)) = units.split_last() {
                self.blank_units(macros);
            }
            let name = units.last().map(|u| self.word(u.first).to_owned());
            self.scopes.push(if is_enum { Inside::Enumerators } else { Inside::Class(name) });
            return Ok(open + 1);
        }
        if self.is(i, b';') && self.exports(at, &units) {
            self.blank_units(&units[..units.len() - 1]);
            return Ok(i + 1);
        }
        *typed = true;
        let more = units.get(1..).unwrap_or(&[]).to_vec();
        Err((i, more))
    }

    /// `class EXPORT Name;`: the first word is no type's name.
    fn exports(&self, at: usize, units: &[Unit]) -> bool {
        let [first, _] = units else { return false };
        let word = self.word(first.first);
        first.shape != Shape::Qualified && (self.word(at) == "class" || is_macro_like(word) && is_attribute_macro(word))
    }

    /// The brace behind a list of bases (or an enumeration's type) that starts at `at`.
    fn brace_behind(&self, at: usize) -> Option<usize> {
        let mut i = at;
        loop {
            match self.kind(i)? {
                Kind::Sign(b'{') => return Some(i),
                Kind::Sign(b';' | b'}' | b'=') | Kind::Number => return None,
                Kind::Sign(b'(' | b'[') => i = self.pair(i) + 1,
                Kind::Sign(b'<') => i = self.angle(i).unwrap_or(i + 1),
                _ => i += 1,
            }
        }
    }

    /// `} MACRO name;`
    pub(super) fn behind_class(&mut self, at: usize) -> usize {
        let mut i = at;
        let mut words: Vec<usize> = Vec::new();
        loop {
            let word = self.word(i);
            if word.is_empty() {
                break;
            }
            if takes_brackets(word) && self.is(i + 1, b'(') {
                i = self.pair(i + 1) + 1;
            } else {
                if !is_qualifier(word) {
                    words.push(i);
                }
                i += 1;
            }
        }
        if words.is_empty() && self.is(i, b';') {
            return i + 1;
        }
        if !matches!(self.kind(i), Some(Kind::Sign(b';' | b',' | b'[' | b'=' | b'*' | b'{'))) {
            // A missing semicolon, or a macro that ends a namespace: what follows stands for itself.
            return at;
        }
        for pair in words.windows(2) {
            self.blank(pair[0], pair[0]);
        }
        self.skip(i)
    }

    /// `NAME MACRO = value,`
    pub(super) fn enumerator(&mut self, at: usize) -> usize {
        let mut i = at + 1;
        if self.is(i, b'[') && self.is(i + 1, b'[') {
            let last = self.pair(i);
            self.blank(i, last);
            i = last + 1;
        }
        while !self.word(i).is_empty() {
            let word = self.word(i);
            let last = if self.is(i + 1, b'(') { self.pair(i + 1) } else { i };
            if !takes_brackets(word) {
                self.blank(i, last);
            }
            i = last + 1;
        }
        while i < self.tokens.len() {
            match self.tokens[i].kind {
                Kind::Sign(b',') => return i + 1,
                Kind::Sign(b'}') | Kind::If | Kind::Else | Kind::Endif | Kind::Directive => return i,
                Kind::Sign(b'(' | b'[' | b'{') => i = self.pair(i),
                _ => {}
            }
            i += 1;
        }
        i
    }

    pub(super) fn namespace(&mut self, at: usize) -> usize {
        let mut i = at + 1;
        while let Some(kind) = self.kind(i) {
            match kind {
                Kind::Sign(b'{') => {
                    self.scopes.push(Inside::Declarations);
                    return i + 1;
                }
                Kind::Sign(b';') => return i + 1,
                Kind::Sign(b'}') => return i,
                Kind::Sign(b'[' | b'(') => i = self.pair(i),
                _ => {}
            }
            i += 1;
        }
        i
    }
}
