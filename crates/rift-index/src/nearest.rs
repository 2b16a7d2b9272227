//! The names nearest to one that does not exist.

use tantivy::columnar::StrColumn;

use crate::error::IndexError;
use crate::searcher::{Searcher, SymbolRow};
use crate::segment::{RowKind, Segment, live_docs, raw_rows};

/// The most qualified names of a segment that are compared for having the last segment asked for.
const LAST_SEGMENT_NAMES_MAX: usize = 64;

/// What looking for near names may cost (`[search] symbol_alternatives_work` and
/// `symbol_alternatives_lowercase_work`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameWork {
    /// Units in all. A name visited costs one; comparing it costs (characters of the query + 1) times its
    /// characters.
    pub budget: u64,
    /// Units a byte of a compared name costs for its lower case.
    pub lowercase: u64,
}

/// A qualified name near to the one asked for, with every declaration of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearName {
    /// The qualified name.
    pub qualified: String,
    /// The Levenshtein distance of the short or the qualified name, whichever is nearer.
    pub distance: u32,
    /// Its declarations by path and ordinal; at least one.
    pub rows: Vec<SymbolRow>,
}

/// What looking for near names gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NearNames {
    /// The nearest names, by distance, then by qualified name.
    Found(Vec<NearName>),
    /// The work ran out, and nothing is known: a part of the names never passes for the nearest.
    Exhausted,
}

/// Why a walk over names ended early.
enum Stop {
    Exhausted,
    Failed(IndexError),
}

impl<E: Into<IndexError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Compares names with the one asked for, within the budget.
struct Comparison {
    query: Vec<char>,
    /// The characters of an ASCII query as bits; absent for others.
    letters: Option<u64>,
    work: NameWork,
    spent: u64,
    row: Vec<u32>,
    text: Vec<char>,
}

impl Comparison {
    fn new(query_text: &str, work: NameWork) -> Self {
        let query: Vec<char> = query_text.chars().flat_map(char::to_lowercase).collect();
        Self { query, letters: ascii_letters(query_text), work, spent: 0, row: Vec::new(), text: Vec::new() }
    }

    /// Whether lengths or letters alone put `name` further away than `bar`: every character that only one of
    /// the two has takes an edit. Not decided for other scripts, where lower case may change lengths.
    fn is_far(&self, name: &str, bar: u32) -> bool {
        let (Some(query), Some(letters)) = (self.letters, ascii_letters(name)) else { return false };
        name.len().abs_diff(self.query.len()) > bar as usize
            || (query & !letters).count_ones() > bar
            || (letters & !query).count_ones() > bar
    }

    fn spend(&mut self, units: u64) -> Result<(), Stop> {
        self.spent = self.spent.saturating_add(units);
        if self.spent > self.work.budget { Err(Stop::Exhausted) } else { Ok(()) }
    }

    /// The distance of `name` when it is at most `bar`. A name that cannot be is visited and not compared.
    fn distance(&mut self, name: &str, bar: u32) -> Result<Option<u32>, Stop> {
        self.spend(1)?;
        if self.is_far(name, bar) {
            return Ok(None);
        }
        self.spend(self.work.lowercase.saturating_mul(name.len() as u64))?;
        self.text.clear();
        self.text.extend(name.chars().flat_map(char::to_lowercase));
        self.spend((self.query.len() as u64 + 1).saturating_mul(self.text.len() as u64))?;
        let distance = levenshtein(&self.query, &self.text, &mut self.row);
        Ok(Some(distance).filter(|distance| *distance <= bar))
    }
}

/// The letters of an ASCII text regardless of case, as bits; some share one, which only hides differences.
fn ascii_letters(text: &str) -> Option<u64> {
    text.is_ascii().then(|| text.bytes().fold(0, |bits, byte| bits | 1 << (byte.to_ascii_lowercase() % 64)))
}

/// The Levenshtein distance in characters (Wagner and Fischer, J. ACM 1974, with one row kept).
fn levenshtein(a: &[char], b: &[char], row: &mut Vec<u32>) -> u32 {
    row.clear();
    row.extend(0..=b.len() as u32);
    for (i, x) in (1u32..).zip(a) {
        let mut diagonal = row[0];
        row[0] = i;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + u32::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// The `limit` smallest distances so far; the largest of them bars names that are further away.
struct Bar {
    limit: usize,
    smallest: Vec<u32>,
}

impl Bar {
    fn value(&self) -> u32 {
        if self.smallest.len() < self.limit { u32::MAX } else { self.smallest.last().copied().unwrap_or(u32::MAX) }
    }

    fn note(&mut self, distance: u32) {
        let at = self.smallest.partition_point(|known| *known <= distance);
        self.smallest.insert(at, distance);
        self.smallest.truncate(self.limit);
    }
}

/// Puts the next name of a sorted list into the buffer; false at the end.
type NameStream<'a> = Box<dyn FnMut(&mut String) -> bool + 'a>;

/// Calls `each` once for every distinct name of the sorted streams, in order, with the numbers of the streams
/// that hold it and its number in each.
fn for_each_name(
    streams: Vec<NameStream<'_>>,
    mut each: impl FnMut(&str, &[(usize, u64)]) -> Result<(), Stop>,
) -> Result<(), Stop> {
    struct Head<'a> {
        stream: NameStream<'a>,
        name: String,
        number: u64,
        live: bool,
    }
    let mut heads: Vec<Head<'_>> = Vec::with_capacity(streams.len());
    for mut stream in streams {
        let mut name = String::new();
        let live = stream(&mut name);
        heads.push(Head { stream, name, number: 0, live });
    }
    let mut name = String::new();
    let mut holders = Vec::new();
    while let Some(least) = heads.iter().filter(|head| head.live).map(|head| head.name.as_str()).min() {
        name.clear();
        name.push_str(least);
        holders.clear();
        for (at, head) in heads.iter_mut().enumerate().filter(|(_, head)| head.live && head.name == name) {
            holders.push((at, head.number));
            head.number += 1;
            head.live = (head.stream)(&mut head.name);
        }
        each(&name, &holders)?;
    }
    Ok(())
}

fn push_key(buffer: &mut String, key: &[u8]) {
    buffer.clear();
    buffer.push_str(&String::from_utf8_lossy(key));
}

/// By segment: distances of qualified names, by their ordinals in the segment.
type Found = Vec<Vec<(u32, u64)>>;

impl Searcher {
    /// The up to `limit` qualified names whose short or qualified name has the smallest case-insensitive
    /// Levenshtein distance to `name`; ties by qualified name.
    ///
    /// # Errors
    /// [`IndexError::Engine`] when the index cannot be read.
    pub fn names_near(&self, name: &str, limit: usize, work: NameWork) -> Result<NearNames, IndexError> {
        let mut comparison = Comparison::new(name, work);
        let mut found: Found = vec![Vec::new(); self.state.segments.len()];
        let limit = limit.max(1);
        let compared = self.compare(&mut comparison, name, limit, &mut found);
        match compared {
            Err(Stop::Exhausted) => Ok(NearNames::Exhausted),
            Err(Stop::Failed(error)) => Err(error),
            Ok(()) => self.nearest(found, limit).map(NearNames::Found),
        }
    }

    fn compare(&self, comparison: &mut Comparison, name: &str, limit: usize, found: &mut Found) -> Result<(), Stop> {
        let last = name.rsplit(['.', ':', '/', '#']).next().unwrap_or("");
        let is_qualified = last.len() < name.len() && !last.is_empty();
        let known = if is_qualified { self.bar_by_last_segment(comparison, last, limit)? } else { u32::MAX };
        let bar = self.near_short_names(comparison, limit, known, found)?;
        self.near_qualified_names(comparison, limit, bar, found)
    }

    /// A distance within which there are `limit` qualified names: that of names whose last segment is nearest
    /// to the query's. Without it, a qualified query would have to be compared with names of all lengths.
    fn bar_by_last_segment(&self, comparison: &mut Comparison, last: &str, limit: usize) -> Result<u32, Stop> {
        let left = comparison.work.budget.saturating_sub(comparison.spent);
        let mut by_last = Comparison::new(last, NameWork { budget: left, ..comparison.work });
        let mut near: Found = vec![Vec::new(); self.state.segments.len()];
        self.near_short_names(&mut by_last, limit, u32::MAX, &mut near)?;
        comparison.spend(by_last.spent)?;
        let mut bar = Bar { limit, smallest: Vec::new() };
        let mut known: Vec<String> = Vec::new();
        for (segment, mut near) in self.state.segments.iter().zip(near) {
            let Some(column) = &segment.qualified else { continue };
            near.sort_unstable();
            near.dedup();
            for (_, ordinal) in near.into_iter().take(LAST_SEGMENT_NAMES_MAX) {
                let mut text = String::new();
                if column.ord_to_str(ordinal, &mut text)? && !known.contains(&text) {
                    if let Some(distance) = comparison.distance(&text, bar.value())? {
                        bar.note(distance);
                    }
                    known.push(text);
                }
            }
        }
        Ok(bar.value())
    }

    /// Compares the short names, of which those further away than `known` are of no use. Returns the distance
    /// within which there are `limit` names.
    fn near_short_names(
        &self,
        comparison: &mut Comparison,
        limit: usize,
        known: u32,
        found: &mut Found,
    ) -> Result<u32, Stop> {
        let mut streams: Vec<NameStream<'_>> = Vec::new();
        for segment in &self.state.segments {
            let mut names = segment.names_spelled.terms().stream()?;
            streams.push(Box::new(move |buffer| {
                let more = names.advance();
                push_key(buffer, if more { names.key() } else { &[] });
                more
            }));
        }
        let mut bar = Bar { limit, smallest: Vec::new() };
        let mut near: Vec<(u32, String)> = Vec::new();
        for_each_name(streams, |name, holders| {
            if self.is_dead_name(name, holders)? {
                return Ok(());
            }
            if let Some(distance) = comparison.distance(name, bar.value().min(known))? {
                bar.note(distance);
                near.push((distance, name.to_owned()));
            }
            Ok(())
        })?;
        let bar = bar.value().min(known);
        for (distance, name) in near.into_iter().filter(|(distance, _)| *distance <= bar) {
            for (segment, found) in self.state.segments.iter().zip(found.iter_mut()) {
                let Some(mut rows) = raw_rows(&segment.names_spelled, name.as_bytes())? else { continue };
                let Some(column) = &segment.qualified else { continue };
                let ordinals = live_docs(segment, &mut rows).filter_map(|doc| column.ords().first(doc));
                found.extend(ordinals.map(|ordinal| (distance, ordinal)));
            }
        }
        Ok(bar)
    }

    /// Whether every declaration of a short name is deleted.
    fn is_dead_name(&self, name: &str, holders: &[(usize, u64)]) -> Result<bool, IndexError> {
        for (at, _) in holders {
            let segment = &self.state.segments[*at];
            if !segment.reader.has_deletes() {
                return Ok(false);
            }
            let rows = raw_rows(&segment.names_spelled, name.as_bytes())?;
            if rows.is_some_and(|mut rows| live_docs(segment, &mut rows).next().is_some()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Compares the qualified names, of which those further away than `known` are of no use.
    fn near_qualified_names(
        &self,
        comparison: &mut Comparison,
        limit: usize,
        known: u32,
        found: &mut Found,
    ) -> Result<(), Stop> {
        let mut streams: Vec<NameStream<'_>> = Vec::new();
        let mut numbers: Vec<usize> = Vec::new();
        let mut live: Vec<Option<Vec<bool>>> = Vec::new();
        for (at, segment) in self.state.segments.iter().enumerate() {
            let Some(column) = &segment.qualified else { continue };
            let mut names = column.dictionary().stream()?;
            streams.push(Box::new(move |buffer| {
                let more = names.advance();
                push_key(buffer, if more { names.key() } else { &[] });
                more
            }));
            numbers.push(at);
            live.push(segment.reader.has_deletes().then(|| live_ordinals(segment, column)));
        }
        let mut bar = Bar { limit, smallest: Vec::new() };
        for_each_name(streams, |name, holders| {
            let is_live = |(at, ordinal): &(usize, u64)| {
                live[*at].as_ref().is_none_or(|live| live.get(*ordinal as usize).copied().unwrap_or(false))
            };
            if !holders.iter().any(is_live) {
                return Ok(());
            }
            if let Some(distance) = comparison.distance(name, bar.value().min(known))? {
                bar.note(distance);
                for (at, ordinal) in holders.iter().filter(|holder| is_live(holder)) {
                    found[numbers[*at]].push((distance, *ordinal));
                }
            }
            Ok(())
        })
    }

    /// The first `limit` names of those found in the segments.
    fn nearest(&self, found: Found, limit: usize) -> Result<Vec<NearName>, IndexError> {
        let mut names: Vec<(u32, String)> = Vec::new();
        for (segment, mut found) in self.state.segments.iter().zip(found) {
            let Some(column) = &segment.qualified else { continue };
            // Each name at its smallest distance. Ordinals are in the order of names, so the first of a
            // distance are the first by name, and only these need their text.
            found.sort_unstable_by_key(|(distance, ordinal)| (*ordinal, *distance));
            found.dedup_by_key(|(_, ordinal)| *ordinal);
            found.sort_unstable();
            for (distance, ordinal) in found.into_iter().take(limit) {
                let mut text = String::new();
                if column.ord_to_str(ordinal, &mut text)? {
                    names.push((distance, text));
                }
            }
        }
        // A name has the same distance in every segment that holds it.
        names.sort_unstable();
        names.dedup();
        names.truncate(limit);
        let near = |(distance, qualified): (u32, String)| {
            let rows = self.rows_named(&qualified)?;
            Ok(NearName { qualified, distance, rows })
        };
        names.into_iter().map(near).collect()
    }

    /// The declarations with this qualified name, by path and ordinal.
    fn rows_named(&self, qualified: &str) -> Result<Vec<SymbolRow>, IndexError> {
        let mut rows = Vec::new();
        let mut docs = Vec::new();
        for segment in &self.state.segments {
            let Some(column) = &segment.qualified else { continue };
            let Some(ordinal) = column.dictionary().term_ord(qualified)? else { continue };
            docs.clear();
            column.ords().get_docids_for_value_range(ordinal..=ordinal, 0..segment.reader.max_doc(), &mut docs);
            rows.extend(docs.iter().filter(|doc| segment.is_live(**doc)).filter_map(|&doc| match segment.kind(doc) {
                RowKind::Symbol(ordinal) => {
                    Some(SymbolRow { path: self.path(segment.rank(doc)), ordinal, key: segment.key(doc) })
                }
                RowKind::File | RowKind::Chunk => None,
            }));
        }
        rows.sort_unstable();
        Ok(rows)
    }
}

/// By ordinal of a qualified name: whether a live row has it.
fn live_ordinals(segment: &Segment, column: &StrColumn) -> Vec<bool> {
    let mut live = vec![false; column.dictionary().num_terms()];
    for ordinal in segment.reader.doc_ids_alive().filter_map(|doc| column.ords().first(doc)) {
        if let Some(slot) = live.get_mut(ordinal as usize) {
            *slot = true;
        }
    }
    live
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let check = |a: &str, b: &str, expected| {
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            assert_eq!(levenshtein(&chars(a), &chars(b), &mut Vec::new()), expected, "{a} {b}");
        };
        check("kitten", "sitting", 3);
        check("", "abc", 3);
        check("flaw", "lawn", 2);
        check("straße", "strasse", 2);
        check("same", "same", 0);
    }

    #[test]
    fn bars_rise_to_the_limit() {
        let mut bar = Bar { limit: 2, smallest: Vec::new() };
        assert_eq!(bar.value(), u32::MAX);
        [5, 3, 9, 1].into_iter().for_each(|distance| bar.note(distance));
        assert_eq!(bar.value(), 3);
    }
}
