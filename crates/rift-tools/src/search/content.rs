//! Where a file's text holds the terms of a query: which lines, which declarations.

use rift_base::{ByteRange, split_identifier};
use rift_host::View;
use rift_host::facts::{DeclId, FileEntry};
use rift_host::index::ParsedQuery;

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
struct Occurrence {
    at: usize,
    /// The number of the query's term.
    term: u32,
}

/// The terms of `query` in `text`, in order of their places. A word is a run of letters, digits and underscores, or a part
/// of one at a change of case or an underscore; case does not matter.
fn occurrences(text: &str, query: &ParsedQuery) -> Vec<Occurrence> {
    let words: Vec<(u32, &str)> = (0u32..)
        .zip(&query.units)
        .flat_map(|(term, unit)| {
            let words = unit.words.iter().map(|(_, word)| word.as_str());
            words.chain(unit.inflections.iter().map(String::as_str)).map(move |word| (term, word))
        })
        .filter(|(_, word)| !word.is_empty())
        .collect();
    let text = &text[..text.floor_char_boundary(TEXT_MAX)];
    let mut out = Vec::new();
    // First letters rule most words out without splitting them.
    let mut first = [false; 256];
    for (_, word) in &words {
        let lead = word.as_bytes()[0];
        first[lead as usize] = true;
        first[lead.to_ascii_uppercase() as usize] = true;
    }
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_word(bytes[at]) {
            at += 1;
            continue;
        }
        let end = at + bytes[at..].iter().position(|b| !is_word(*b)).unwrap_or(bytes.len() - at);
        if bytes[at..end].iter().any(|b| first[*b as usize]) {
            word_occurrences(&text[at..end], at, &words, &mut out);
        }
        at = end;
    }
    out
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn word_occurrences(word: &str, at: usize, wanted: &[(u32, &str)], out: &mut Vec<Occurrence>) {
    for part in split_identifier(word) {
        for (term, text) in wanted {
            if equal_ignoring_case(part, text) {
                let offset = part.as_ptr() as usize - word.as_ptr() as usize;
                out.push(Occurrence { at: at + offset, term: *term });
            }
        }
    }
}

fn equal_ignoring_case(a: &str, lowercase: &str) -> bool {
    if a.is_ascii() { a.eq_ignore_ascii_case(lowercase) } else { a.to_lowercase() == lowercase }
}

/// The declarations of `entry` whose text holds terms of the query, those with the most terms first, then the smaller
/// ones, then in source order. Each occurrence counts for the innermost declaration around it.
pub(super) fn attribute(view: &View, entry: &FileEntry, query: &ParsedQuery) -> Vec<Attributed> {
    let (Some(text), Some(facts)) = (entry.text(), view.facts(entry)) else { return Vec::new() };
    if facts.positions.is_empty() {
        return Vec::new();
    }
    let found = occurrences(&text, query);
    let mut order: Vec<(ByteRange, DeclId)> =
        facts.positions.iter().enumerate().map(|(i, p)| (p.declaration, DeclId(i as u32))).collect();
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
pub(super) fn best_line(text: &str, query: &ParsedQuery) -> Option<ByteRange> {
    let mut best: Option<(u32, ByteRange)> = None;
    let mut line: Option<(ByteRange, u64)> = None;
    let mut settle = |line: Option<(ByteRange, u64)>| {
        if let Some((range, terms)) = line
            && best.is_none_or(|(most, _)| terms.count_ones() > most)
        {
            best = Some((terms.count_ones(), range));
        }
    };
    for occurrence in occurrences(text, query) {
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

    fn query(text: &str) -> ParsedQuery {
        ParsedQuery::parse(text, 64)
    }

    #[test]
    fn words_and_parts_count() {
        let text = "let userName = get_user();\n// a username\n";
        let found: Vec<(usize, u32)> = occurrences(text, &query("user get")).iter().map(|o| (o.at, o.term)).collect();
        assert_eq!(found, [(4, 0), (15, 1), (19, 0)]);
    }

    #[test]
    fn the_line_with_the_most_terms() {
        let text = "install it\r\nverify the install checksum\r\nchecksum install verify\n";
        let line = best_line(text, &query("install checksum")).expect("both terms occur");
        assert_eq!(line.of(text), "verify the install checksum");
        assert_eq!(best_line(text, &query("absent")), None);
        assert_eq!(best_line("one", &query("one")).map(|l| l.of("one")), Some("one"));
    }
}
