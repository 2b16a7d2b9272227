//! Where a file's text holds the terms of a query: which lines, which declarations.

use aho_corasick::{AhoCorasick, Input, MatchKind};
use rift_base::{ByteRange, split_identifier};
use rift_host::View;
use rift_host::facts::{DeclId, FileEntry};
use rift_host::index::ParsedQuery;
use rustc_hash::FxHashMap;

/// Declarations that one file contributes.
const PER_FILE_MAX: usize = 5;
/// Bytes of one file's text that are looked at.
const TEXT_MAX: usize = 2 << 20;

/// A declaration whose text holds terms of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attributed {
    pub(super) id: DeclId,
    /// How many different terms it holds.
    pub(super) terms: u32,
    /// Its size.
    pub(super) bytes: u32,
}

/// A word of the text that is a word of the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Occurrence {
    pub(super) at: usize,
    /// The number of the query's term.
    pub(super) term: u32,
}

/// The words of a query, made ready to be looked for in many texts.
pub(super) struct Terms {
    /// Absent when a word needs more than ASCII's case folding, or there is none.
    finder: Option<AhoCorasick>,
    /// Lowercase, with the number of the term each belongs to.
    words: Vec<(u32, String)>,
    /// The terms of each word.
    terms: FxHashMap<String, Vec<u32>>,
}

impl Terms {
    pub(super) fn new(query: &ParsedQuery) -> Self {
        // Words that only hold a question together are in every text.
        let tells = query.units.iter().any(|unit| unit.names);
        let words: Vec<(u32, String)> = (0u32..)
            .zip(&query.units)
            .filter(|(_, unit)| unit.names || !tells)
            .flat_map(|(term, unit)| {
                let words = unit.words.iter().map(|(_, word)| word);
                words.chain(&unit.inflections).map(move |word| (term, word.clone()))
            })
            .filter(|(_, word)| !word.is_empty())
            .collect();
        let ascii = !words.is_empty() && words.iter().all(|(_, word)| word.is_ascii());
        let build = || {
            let mut builder = AhoCorasick::builder();
            builder.ascii_case_insensitive(true).match_kind(MatchKind::LeftmostLongest);
            builder.build(words.iter().map(|(_, word)| word)).ok()
        };
        let mut terms: FxHashMap<String, Vec<u32>> = Default::default();
        for (term, word) in &words {
            terms.entry(word.clone()).or_default().push(*term);
        }
        Self { finder: ascii.then(build).flatten(), words, terms }
    }

    /// The numbers of the terms that a lowercase word is a form of.
    pub(super) fn of(&self, word: &str) -> &[u32] {
        self.terms.get(word).map_or(&[], Vec::as_slice)
    }

    /// Where the words stand in `text`, in order. A word of the text is a run of letters, digits and underscores, or a
    /// part of one at a change of case or an underscore; case does not matter.
    pub(super) fn occurrences(&self, text: &str) -> Vec<Occurrence> {
        let text = &text[..text.floor_char_boundary(TEXT_MAX)];
        let mut out = Vec::new();
        match &self.finder {
            Some(finder) => self.find(finder, text, &mut out),
            None => self.scan(text, &mut out),
        }
        out
    }

    /// Looks at the places that the finder names.
    fn find(&self, finder: &AhoCorasick, text: &str, out: &mut Vec<Occurrence>) {
        let bytes = text.as_bytes();
        let mut from = 0;
        while let Some(found) = finder.find(Input::new(bytes).range(from..)) {
            from = found.start() + 1;
            let start = bytes[..found.start()].iter().rposition(|b| !is_word(*b)).map_or(0, |at| at + 1);
            let end = found.end() + bytes[found.end()..].iter().take_while(|b| is_word(**b)).count();
            // The longest word that begins here need not be the one that stands here: `caches` begins in `cacheSize`.
            let begins = |part: &&str| part.as_ptr().addr() - text.as_ptr().addr() == found.start();
            let Some(part) = split_identifier(&text[start..end]).find(begins) else { continue };
            // Equal words of several terms all count.
            for term in self.of(&part.to_ascii_lowercase()) {
                out.push(Occurrence { at: found.start(), term: *term });
                from = found.start() + part.len();
            }
        }
    }

    /// Looks at every word.
    fn scan(&self, text: &str, out: &mut Vec<Occurrence>) {
        for part in split_identifier(text) {
            let folded = part.to_lowercase();
            for (term, wanted) in &self.words {
                if *wanted == folded {
                    out.push(Occurrence { at: part.as_ptr().addr() - text.as_ptr().addr(), term: *term });
                }
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The declarations of `entry` whose text holds terms of the query, those with the most terms first, then the smaller
/// ones, then in source order. Each occurrence counts for the innermost declaration around it.
pub(super) fn attribute(view: &View, entry: &FileEntry, terms: &Terms) -> Vec<Attributed> {
    let Some(positions) = view.positions(entry).filter(|p| !p.is_empty()) else { return Vec::new() };
    let Some(text) = view.text(entry) else { return Vec::new() };
    let found = terms.occurrences(&text);
    let mut order: Vec<(ByteRange, DeclId)> =
        positions.iter().enumerate().map(|(i, p)| (p.declaration, DeclId(i as u32))).collect();
    order.sort_by_key(|(range, id)| (range.start, std::cmp::Reverse(range.end), *id));
    let mut terms: std::collections::BTreeMap<DeclId, (u64, ByteRange)> = Default::default();
    let mut open: Vec<(ByteRange, DeclId)> = Vec::new();
    let mut next = order.into_iter().peekable();
    for occurrence in found {
        while let Some(declaration) = next.next_if(|(range, _)| range.start as usize <= occurrence.at) {
            open.push(declaration);
        }
        while open.last().is_some_and(|(range, _)| range.end as usize <= occurrence.at) {
            open.pop();
        }
        let innermost = open.iter().rev().find(|(range, _)| range.contains(occurrence.at));
        if let Some((range, id)) = innermost {
            terms.entry(*id).or_insert((0, *range)).0 |= 1 << occurrence.term.min(63);
        }
    }
    let mut out: Vec<Attributed> = terms
        .into_iter()
        .map(|(id, (terms, range))| Attributed { id, terms: terms.count_ones(), bytes: range.len() as u32 })
        .collect();
    out.sort_by_key(|a| (std::cmp::Reverse(a.terms), a.bytes, a.id));
    out.truncate(PER_FILE_MAX);
    out
}

/// The line of `text` that holds the most different terms, the first of equals: its bytes without the line break.
/// Absent when no line holds any.
pub(super) fn best_line(text: &str, terms: &Terms) -> Option<ByteRange> {
    let mut best: Option<(u32, ByteRange)> = None;
    let mut line: Option<(ByteRange, u64)> = None;
    let mut settle = |line: Option<(ByteRange, u64)>| {
        if let Some((range, terms)) = line
            && best.is_none_or(|(most, _)| terms.count_ones() > most)
        {
            best = Some((terms.count_ones(), range));
        }
    };
    for occurrence in terms.occurrences(text) {
        let bit = 1u64 << occurrence.term.min(63);
        match &mut line {
            Some((range, terms)) if occurrence.at < range.end as usize => *terms |= bit,
            _ => {
                settle(line);
                line = Some((line_around(text, occurrence.at), bit));
            }
        }
    }
    settle(line);
    best.map(|(_, range)| range)
}

/// The bytes of the line around `at`, without its line break.
pub(super) fn line_around(text: &str, at: usize) -> ByteRange {
    let start = text[..at].rfind('\n').map_or(0, |feed| feed + 1);
    let end = text[at..].find('\n').map_or(text.len(), |feed| at + feed);
    let end = if text[start..end].ends_with('\r') { end - 1 } else { end };
    ByteRange::new(start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Terms {
        Terms::new(&ParsedQuery::parse(text, 64))
    }

    #[test]
    fn words_and_parts_count() {
        let text = "let userName = get_user();\n// a username\n";
        let found: Vec<(usize, u32)> = terms("user get").occurrences(text).iter().map(|o| (o.at, o.term)).collect();
        assert_eq!(found, [(4, 0), (15, 1), (19, 0)]);
    }

    #[test]
    fn overlapping_words_and_other_alphabets() {
        let at = |query: &str, text: &str| terms(query).occurrences(text).iter().map(|o| o.at).collect::<Vec<_>>();
        assert_eq!(at("serial user", "userial serial"), [8]);
        assert_eq!(at("name", "userName username NAME"), [4, 18]);
        // Other forms count; the longest that begins somewhere hides no shorter one.
        assert_eq!(at("caches", "cacheSize caches cached"), [0, 10, 17]);
        assert_eq!(at("größe", "Größe größe grösse"), [0, 8]);
        assert_eq!(at("a", "a_a aa"), [0, 2]);
    }

    #[test]
    fn the_line_with_the_most_terms() {
        let text = "install it\r\nverify the install checksum\r\nchecksum install verify\n";
        let line = best_line(text, &terms("install checksum")).expect("both terms occur");
        assert_eq!(line.of(text), "verify the install checksum");
        assert_eq!(best_line(text, &terms("absent")), None);
        assert_eq!(best_line("one", &terms("one")).map(|l| l.of("one")), Some("one"));
    }
}
