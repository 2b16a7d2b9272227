//! From a regular expression to a formula over trigrams.
//!
//! The algorithm is that of Russ Cox's codesearch ("Regular Expression Matching with a Trigram Index", 2012), over the
//! expressions of regex-syntax and over bytes: bottom-up, each part gets what it matches when that is a short list, else what
//! its matches begin and end with, and a formula that holds for all of them. Where two parts meet, ends are crossed with
//! beginnings. Case folding needs no rule: `(?i)k` is a class of `k`, `K` and the Kelvin sign.

use std::collections::BTreeSet;

use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

use super::query::TrigramQuery;

/// Strings of an exact list.
const EXACT_MAX: usize = 8;
/// Strings of a list of beginnings or ends, before they are shortened.
const ENDS_MAX: usize = 24;
/// Characters of a class that are taken one by one.
const CLASS_MAX: usize = 16;
/// Copies that a counted repetition is spelled out to.
const COPIES_MAX: u32 = 4;

type Strings = BTreeSet<Vec<u8>>;

/// What is known of the matches of a part.
#[derive(Debug, Clone)]
struct Known {
    /// Whether a match may be empty.
    is_optional: bool,
    /// All that it matches.
    exact: Option<Strings>,
    /// What each match begins with, when it is not exact.
    prefixes: Strings,
    /// What each match ends with, when it is not exact.
    suffixes: Strings,
    /// What holds for each text with a match.
    query: TrigramQuery,
}

/// What every text that `hir` matches in holds.
pub(crate) fn plan(hir: &Hir) -> TrigramQuery {
    let mut known = of(hir);
    known.settle(true);
    known.query
}

fn of(hir: &Hir) -> Known {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Known::exact([Vec::new()].into()),
        HirKind::Literal(literal) => {
            literal.0.iter().map(|byte| Known::exact([vec![*byte]].into())).fold(nothing(), concat)
        }
        HirKind::Class(class) => of_class(class),
        HirKind::Capture(capture) => of(&capture.sub),
        HirKind::Concat(parts) => parts.iter().map(of).fold(nothing(), concat),
        HirKind::Alternation(parts) => parts.iter().map(of).reduce(alternate).unwrap_or_else(Known::never),
        HirKind::Repetition(repetition) => of_repetition(repetition),
    }
}

/// The empty string alone.
fn nothing() -> Known {
    Known::exact([Vec::new()].into())
}

fn of_class(class: &Class) -> Known {
    let mut strings = Strings::new();
    match class {
        Class::Unicode(class) => {
            for range in class.iter() {
                if strings.len() + range.len() > CLASS_MAX {
                    return Known::any(false);
                }
                strings.extend((range.start()..=range.end()).map(|c| c.to_string().into_bytes()));
            }
        }
        Class::Bytes(class) => {
            for range in class.iter() {
                if strings.len() + range.len() > CLASS_MAX {
                    return Known::any(false);
                }
                strings.extend((range.start()..=range.end()).map(|byte| vec![byte]));
            }
        }
    }
    if strings.is_empty() { Known::never() } else { Known::exact(strings) }
}

fn of_repetition(repetition: &Repetition) -> Known {
    let once = of(&repetition.sub);
    if repetition.min == 0 {
        return match repetition.max {
            Some(1) => alternate(once, nothing()),
            _ => Known::any(true),
        };
    }
    let copies = repetition.min.min(COPIES_MAX);
    let is_whole = repetition.max == Some(copies);
    let mut known = (0..copies).map(|_| once.clone()).fold(nothing(), concat);
    if is_whole {
        return known;
    }
    // More may follow: a match begins with what the copies match, and ends so, and holds what they hold.
    if let Some(exact) = known.exact.take() {
        known.query = known.query.and(any_of(&exact));
        known.prefixes.clone_from(&exact);
        known.suffixes = exact;
        known.settle(false);
    }
    known
}

/// Texts that hold one of the strings.
fn any_of(strings: &Strings) -> TrigramQuery {
    if strings.iter().any(|string| string.len() < 3) {
        return TrigramQuery::All;
    }
    // Whoever holds a string holds its parts.
    let has_part = |string: &&Vec<u8>| {
        let is_part = |part: &Vec<u8>| part.len() < string.len() && string.windows(part.len()).any(|w| w == part);
        strings.len() <= ENDS_MAX && strings.iter().any(is_part)
    };
    let whole = strings.iter().filter(|string| !has_part(string));
    whole.map(|string| TrigramQuery::literal(string)).fold(TrigramQuery::None, TrigramQuery::or)
}

fn cross(a: &Strings, b: &Strings) -> Strings {
    a.iter().flat_map(|a| b.iter().map(move |b| [a.as_slice(), b].concat())).collect()
}

fn joined(mut a: Strings, b: &Strings) -> Strings {
    a.extend(b.iter().cloned());
    a
}

impl Known {
    fn exact(strings: Strings) -> Self {
        let is_optional = strings.contains(&Vec::new());
        let ends = Strings::new();
        Self { is_optional, exact: Some(strings), prefixes: ends.clone(), suffixes: ends, query: TrigramQuery::All }
    }

    fn any(is_optional: bool) -> Self {
        let ends = Strings::from([Vec::new()]);
        Self { is_optional, exact: None, prefixes: ends.clone(), suffixes: ends, query: TrigramQuery::All }
    }

    fn never() -> Self {
        let none = Strings::new();
        Self {
            is_optional: false,
            exact: Some(none.clone()),
            prefixes: none.clone(),
            suffixes: none,
            query: TrigramQuery::None,
        }
    }

    fn beginnings(&self) -> &Strings {
        self.exact.as_ref().unwrap_or(&self.prefixes)
    }

    fn endings(&self) -> &Strings {
        self.exact.as_ref().unwrap_or(&self.suffixes)
    }

    /// Brings the lists back to their bounds; what they said of whole trigrams goes into the formula. With `force`, an exact
    /// list goes in any case.
    fn settle(&mut self, force: bool) {
        if let Some(exact) = &self.exact {
            let shortest = exact.iter().map(Vec::len).min().unwrap_or(0);
            if !(exact.len() > EXACT_MAX || shortest >= 4 || shortest >= 3 && force) {
                return;
            }
            let exact = self.exact.take().unwrap_or_default();
            self.prefixes.clone_from(&exact);
            self.suffixes = exact;
        }
        let query = std::mem::replace(&mut self.query, TrigramQuery::All);
        self.query = query.and(any_of(&self.prefixes)).and(any_of(&self.suffixes));
        self.prefixes = shortened(&self.prefixes, |string, length| &string[..length]);
        self.suffixes = shortened(&self.suffixes, |string, length| &string[string.len() - length..]);
    }
}

/// The strings cut to two bytes, or to fewer when they are many all the same. One that begins (or ends) with another one
/// says no more than that.
fn shortened(strings: &Strings, cut: impl for<'s> Fn(&'s [u8], usize) -> &'s [u8]) -> Strings {
    let at = |length: usize| -> Strings {
        let all: Strings = strings.iter().map(|string| cut(string, string.len().min(length)).to_vec()).collect();
        let says_more = |string: &&Vec<u8>| (0..string.len()).all(|length| !all.contains(cut(string, length)));
        all.iter().filter(says_more).cloned().collect()
    };
    (0..=2).rev().map(at).find(|strings| strings.len() <= ENDS_MAX).unwrap_or_default()
}

fn concat(a: Known, b: Known) -> Known {
    let is_optional = a.is_optional && b.is_optional;
    let query = a.query.clone().and(b.query.clone());
    let mut known = match (&a.exact, &b.exact) {
        (Some(left), Some(right)) => {
            let exact = Some(cross(left, right));
            Known { is_optional, exact, prefixes: Strings::new(), suffixes: Strings::new(), query }
        }
        _ => {
            let prefixes = match &a.exact {
                Some(exact) => cross(exact, b.beginnings()),
                None if a.is_optional => joined(a.prefixes.clone(), b.beginnings()),
                None => a.prefixes.clone(),
            };
            let suffixes = match &b.exact {
                Some(exact) => cross(a.endings(), exact),
                None if b.is_optional => joined(b.suffixes.clone(), a.endings()),
                None => b.suffixes.clone(),
            };
            // What stands across the border.
            let query = query.and(any_of(&cross(a.endings(), b.beginnings())));
            Known { is_optional, exact: None, prefixes, suffixes, query }
        }
    };
    known.settle(false);
    known
}

fn alternate(mut a: Known, mut b: Known) -> Known {
    let is_optional = a.is_optional || b.is_optional;
    if let (Some(left), Some(right)) = (&a.exact, &b.exact)
        && (a.query.is_all() && b.query.is_all() || left.is_empty() || right.is_empty())
        && left.len() + right.len() <= EXACT_MAX
    {
        // A part that never matches leaves the other one as it is.
        let query = if left.is_empty() { b.query.clone() } else { a.query.clone() };
        let exact = Some(joined(left.clone(), right));
        return Known { is_optional, exact, prefixes: Strings::new(), suffixes: Strings::new(), query };
    }
    for known in [&mut a, &mut b] {
        if let Some(exact) = known.exact.take() {
            let query = std::mem::replace(&mut known.query, TrigramQuery::All);
            known.query = query.and(any_of(&exact));
            known.prefixes.clone_from(&exact);
            known.suffixes = exact;
        }
    }
    let prefixes = joined(a.prefixes, &b.prefixes);
    let suffixes = joined(a.suffixes, &b.suffixes);
    let mut known = Known { is_optional, exact: None, prefixes, suffixes, query: a.query.or(b.query) };
    known.settle(false);
    known
}
