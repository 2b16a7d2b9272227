//! The walk over declarations that finds macros. Bodies of functions are skipped.

use super::Mask;
use super::tokens::{Kind, Token};
use super::words::*;

/// Tokens looked through for the end of template arguments.
pub(super) const ANGLE_MAX: usize = 2_000;

/// Masks the macros of all declarations in `tokens`.
pub(super) fn scan(tokens: &[Token], mask: &mut Mask<'_>, cpp: bool) {
    let pairs = pairs(tokens);
    let mut scan = Scan { tokens, pairs, mask, cpp, scopes: Vec::new() };
    let mut at = 0;
    while at < tokens.len() {
        // Every step goes forward, whatever a rule answers.
        at = scan.step(at).max(at + 1);
    }
}

/// Where each bracket's partner stands; a bracket without one points past the end.
fn pairs(tokens: &[Token]) -> Vec<u32> {
    let mut out = vec![tokens.len() as u32; tokens.len()];
    let mut open: Vec<(u8, usize)> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let Kind::Sign(sign) = token.kind else { continue };
        match sign {
            b'(' | b'[' | b'{' => open.push((sign, i)),
            b')' | b']' | b'}' => {
                let wanted = match sign {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                if sign == b'}' {
                    // A brace closes whatever was left open inside it.
                    while open.last().is_some_and(|(s, _)| *s != b'{') {
                        open.pop();
                    }
                }
                if open.last().is_some_and(|(s, _)| *s == wanted)
                    && let Some((_, at)) = open.pop()
                {
                    out[at] = i as u32;
                }
            }
            _ => {}
        }
    }
    out
}

/// What an open brace holds.
pub(super) enum Inside {
    /// A namespace.
    Declarations,
    /// A class, by its name.
    Class(Option<String>),
    Enumerators,
}

pub(super) struct Scan<'s, 'a> {
    pub(super) tokens: &'s [Token],
    pairs: Vec<u32>,
    pub(super) mask: &'s mut Mask<'a>,
    pub(super) cpp: bool,
    pub(super) scopes: Vec<Inside>,
}

/// A word in front of a declaration, with what is glued to it.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Word,
    /// `A::B`, `A<B>`: no macro.
    Qualified,
    /// `A(…)`.
    Call,
}

impl<'a> Scan<'_, 'a> {
    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|t| t.kind)
    }

    pub(super) fn is(&self, at: usize, sign: u8) -> bool {
        self.kind(at) == Some(Kind::Sign(sign))
    }

    pub(super) fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).filter(|t| t.kind == Kind::Word).map_or("", |t| t.text(self.mask.text))
    }

    /// The partner of the bracket at `at`.
    pub(super) fn pair(&self, at: usize) -> usize {
        self.pairs.get(at).map_or(self.tokens.len(), |p| *p as usize)
    }

    pub(super) fn blank(&mut self, first: usize, last: usize) {
        if let (Some(a), Some(b)) = (self.tokens.get(first), self.tokens.get(last)) {
            self.mask.blank(a.start as usize, b.end as usize);
        }
    }

    pub(super) fn breaks_line(&self, before: usize) -> bool {
        let (Some(a), Some(b)) = (self.tokens.get(before), self.tokens.get(before + 1)) else { return true };
        self.mask.text.get(a.end as usize..b.start as usize).is_none_or(|gap| gap.contains('\n'))
    }

    /// Behind the template arguments that open at `at`.
    pub(super) fn angle(&self, at: usize) -> Option<usize> {
        let mut depth = 0usize;
        let mut i = at;
        while i < self.tokens.len() && i - at < ANGLE_MAX {
            match self.tokens[i].kind {
                Kind::Sign(b'<') => depth += 1,
                Kind::Sign(b'>') => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(i + 1);
                    }
                }
                Kind::Sign(b'(' | b'[' | b'{') => i = self.pair(i),
                Kind::Sign(b';' | b'}' | b')') => return None,
                _ => {}
            }
            i += 1;
        }
        None
    }

    /// Behind the end of a statement about which nothing more is to be found out.
    pub(super) fn skip(&self, at: usize) -> usize {
        let mut i = at;
        while i < self.tokens.len() {
            match self.tokens[i].kind {
                Kind::Sign(b';') => return i + 1,
                Kind::Sign(b'}') => return i,
                Kind::Sign(b'(' | b'[') => i = self.pair(i),
                Kind::Sign(b'{') => {
                    i = self.pair(i);
                    let goes_on = matches!(self.kind(i + 1), Some(Kind::Sign(b';' | b',' | b')' | b'(' | b'.' | b'[')));
                    if !goes_on && self.breaks_line(i) {
                        return i + 1;
                    }
                }
                _ => {}
            }
            i += 1;
        }
        i
    }

    fn step(&mut self, at: usize) -> usize {
        match self.tokens[at].kind {
            Kind::Sign(b'}') => {
                let class = matches!(self.scopes.pop(), Some(Inside::Class(_) | Inside::Enumerators));
                if class { self.behind_class(at + 1) } else { at + 1 }
            }
            Kind::Sign(b';' | b',') | Kind::If | Kind::Else | Kind::Endif | Kind::Directive => at + 1,
            _ if matches!(self.scopes.last(), Some(Inside::Enumerators)) => self.enumerator(at),
            _ => self.statement(at),
        }
    }

    fn statement(&mut self, at: usize) -> usize {
        let mut units: Vec<Unit> = Vec::new();
        let mut typed = false;
        let mut i = at;
        loop {
            let kind = self.kind(i).unwrap_or(Kind::Sign(b'}'));
            match kind {
                Kind::Word => {}
                Kind::Scope if units.is_empty() => {
                    i += 1;
                    continue;
                }
                Kind::Sign(b'[') if self.is(i + 1, b'[') => {
                    i = self.pair(i) + 1;
                    continue;
                }
                Kind::If | Kind::Else | Kind::Endif | Kind::Directive | Kind::Sign(b'}') => {
                    // A macro that stands alone.
                    if !typed && units.iter().all(|u| u.shape != Shape::Qualified && is_macro_like(self.word(u.first)))
                    {
                        self.blank_units(&units);
                    }
                    return i;
                }
                Kind::Sign(b'(') => {
                    // `TYPE (*name)(…)`
                    self.resolve(&units, typed, false);
                    return if self.pointer_head(i) { self.function(self.pair(i) + 1) } else { self.skip(i) };
                }
                Kind::Sign(b'*' | b'&') => {
                    self.resolve(&units, typed, false);
                    return self.behind_pointer(i);
                }
                Kind::Sign(b'~') => {
                    self.blank_units(&units);
                    return if self.is(i + 2, b'(') { self.function(i + 2) } else { self.skip(i) };
                }
                _ => {
                    self.resolve(&units, typed, true);
                    return self.skip(i);
                }
            }
            let word = self.word(i);
            match word {
                "template" => {
                    self.blank_units(&units);
                    units.clear();
                    if !self.is(i + 1, b'<') {
                        // An explicit instantiation declares nothing.
                        let next = self.skip(i);
                        self.blank(at, next.saturating_sub(1));
                        return next;
                    }
                    let next = self.angle(i + 1).unwrap_or(i + 2);
                    self.template_defaults(i + 1, next);
                    i = next;
                }
                "typedef" => {
                    self.blank_units(&units);
                    units.clear();
                    i += 1;
                }
                "struct" | "class" | "union" | "enum" => match self.class_head(i, &units, &mut typed) {
                    Ok(next) => return next,
                    Err((next, more)) => {
                        units.extend(more);
                        i = next;
                        if self.is(i, b'(') && !units.is_empty() {
                            self.resolve(&units, typed, true);
                            return self.function(i);
                        }
                    }
                },
                "namespace" => {
                    self.blank_units(&units);
                    return self.namespace(i);
                }
                "extern" if self.kind(i + 1) == Some(Kind::Literal) => {
                    self.blank_units(&units);
                    units.clear();
                    if self.is(i + 2, b'{') {
                        self.scopes.push(Inside::Declarations);
                        return i + 3;
                    }
                    i += 2;
                }
                "public" | "private" | "protected" | "signals" | "Q_SIGNALS" if self.is(i + 1, b':') => {
                    self.blank_units(&units);
                    return i + 2;
                }
                "public" | "private" | "protected" if self.is(i + 2, b':') => {
                    self.blank(i + 1, i + 1);
                    return i + 3;
                }
                "operator" => {
                    self.resolve(&units, typed, false);
                    return self.operator(i);
                }
                _ if takes_brackets(word) && self.is(i + 1, b'(') => {
                    typed |= matches!(word, "decltype" | "typeof" | "__typeof__");
                    i = self.pair(i + 1) + 1;
                }
                _ if is_qualifier(word) => i += 1,
                _ if is_opaque(word) => {
                    self.blank_units(&units);
                    return self.skip(i);
                }
                _ if is_builtin(word) => {
                    typed = true;
                    i += 1;
                }
                _ => {
                    let (unit, next) = self.unit(i);
                    i = next;
                    if unit.shape == Shape::Qualified && matches!(self.word(i), "operator") {
                        self.resolve(&units, typed, false);
                        return self.operator(i);
                    }
                    if !self.is(i, b'(') {
                        units.push(unit);
                        continue;
                    }
                    match self.call(at, unit, i, &mut units, typed) {
                        Ok(next) => return next,
                        Err(next) => i = next,
                    }
                }
            }
        }
    }

    /// The word at `at` with the scopes and template arguments behind it.
    pub(super) fn unit(&mut self, at: usize) -> (Unit, usize) {
        let mut unit = Unit { first: at, last: at, shape: Shape::Word };
        let mut i = at + 1;
        loop {
            match self.kind(i) {
                Some(Kind::Scope) => {
                    unit.shape = Shape::Qualified;
                    if self.is(i + 1, b'~') {
                        i += 1;
                    }
                    if matches!(self.word(i + 1), "" | "operator") {
                        return (unit, i + 1);
                    }
                    unit.last = i + 1;
                    i += 2;
                }
                Some(Kind::Sign(b'<')) => match self.angle(i) {
                    Some(next) if !self.cpp => {
                        // Objective-C's type arguments and protocols.
                        self.blank(i, next - 1);
                        i = next;
                    }
                    Some(next) => {
                        unit.shape = Shape::Qualified;
                        unit.last = next - 1;
                        i = next;
                    }
                    None => return (unit, i),
                },
                _ => return (unit, i),
            }
        }
    }

    /// `operator` at `at`: on to its parameters.
    fn operator(&mut self, at: usize) -> usize {
        let mut i = at + 1;
        if self.is(i, b'(') && self.is(i + 1, b')') {
            i += 2;
        }
        while let Some(kind) = self.kind(i) {
            match kind {
                Kind::Sign(b'(') => return self.function(i),
                Kind::Sign(b';' | b'{' | b'}') => return self.skip(i),
                _ => i += 1,
            }
        }
        i
    }

    /// `*` at `at`, behind the specifiers: at most one word may follow, the name.
    fn behind_pointer(&mut self, at: usize) -> usize {
        let mut i = at;
        let mut words: Vec<Unit> = Vec::new();
        loop {
            match self.kind(i) {
                Some(Kind::Sign(b'*' | b'&')) => i += 1,
                Some(Kind::Word) if self.word(i) == "operator" => {
                    self.blank_units(&words);
                    return self.operator(i);
                }
                Some(Kind::Word) if is_qualifier(self.word(i)) => i += 1,
                Some(Kind::Word) => {
                    let (unit, next) = self.unit(i);
                    words.push(unit);
                    i = next;
                    if self.word(i) == "operator" {
                        return self.operator(i);
                    }
                }
                Some(Kind::Scope) => i += 1,
                _ => break,
            }
        }
        if let Some((_, macros)) = words.split_last() {
            self.blank_units(macros);
        }
        if self.is(i, b'(') && !words.is_empty() { self.function(i) } else { self.skip(i) }
    }

    pub(super) fn blank_units(&mut self, units: &[Unit]) {
        for unit in units.iter().filter(|u| u.shape != Shape::Qualified) {
            self.blank(unit.first, unit.last);
        }
    }

    /// Leaves one type (none, when a keyword is the type) and the name in front of a declaration; all else is macros.
    pub(super) fn resolve(&mut self, units: &[Unit], typed: bool, named: bool) {
        let (types, name) = match units.split_last() {
            Some((last, rest)) if named => (rest, Some(last)),
            _ => (units, None),
        };
        let constructs = name.is_some_and(|n| self.is_own_class(self.word(n.first)) && self.is(n.last + 1, b'('));
        let qualified = types.iter().rposition(|u| u.shape == Shape::Qualified);
        let convention = |u: &Unit| u.shape == Shape::Word && is_convention(self.word(u.first));
        let kept = match qualified {
            _ if typed || constructs => None,
            Some(at) => Some(at),
            None => types.iter().rposition(|u| !convention(u)).or(types.len().checked_sub(1)),
        };
        for (i, unit) in types.iter().enumerate() {
            match unit.shape {
                Shape::Call if Some(i) == kept => {
                    if let (Some(a), Some(b)) = (self.tokens.get(unit.first), self.tokens.get(unit.last)) {
                        self.mask.join(a.start as usize, b.end as usize);
                    }
                }
                Shape::Word | Shape::Call if Some(i) != kept => self.blank(unit.first, unit.last),
                _ => {}
            }
        }
    }

    pub(super) fn is_c(&self) -> bool {
        !self.cpp
    }
}
