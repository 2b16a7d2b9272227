//! Distances between names, and walks over sorted lists of them.

use crate::error::IndexError;

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

/// Why a walk over names ended early.
pub(crate) enum Stop {
    Exhausted,
    Failed(IndexError),
}

impl<E: Into<IndexError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Compares names with the one asked for, within the budget.
pub(crate) struct Comparison {
    query: Vec<char>,
    /// The characters of an ASCII query as bits; absent for others.
    letters: Option<u64>,
    pub(crate) work: NameWork,
    pub(crate) spent: u64,
    row: Vec<u32>,
    text: Vec<char>,
}

impl Comparison {
    pub(crate) fn new(query_text: &str, work: NameWork) -> Self {
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

    pub(crate) fn spend(&mut self, units: u64) -> Result<(), Stop> {
        self.spent = self.spent.saturating_add(units);
        if self.spent > self.work.budget { Err(Stop::Exhausted) } else { Ok(()) }
    }

    /// The distance of `name` when it is at most `bar`. A name that cannot be is visited and not compared.
    pub(crate) fn distance(&mut self, name: &str, bar: u32) -> Result<Option<u32>, Stop> {
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
pub(crate) struct Bar {
    pub(crate) limit: usize,
    pub(crate) smallest: Vec<u32>,
}

impl Bar {
    pub(crate) fn value(&self) -> u32 {
        if self.smallest.len() < self.limit { u32::MAX } else { self.smallest.last().copied().unwrap_or(u32::MAX) }
    }

    pub(crate) fn note(&mut self, distance: u32) {
        let at = self.smallest.partition_point(|known| *known <= distance);
        self.smallest.insert(at, distance);
        self.smallest.truncate(self.limit);
    }
}

/// Puts the next name of a sorted list into the buffer; false at the end.
pub(crate) type NameStream<'a> = Box<dyn FnMut(&mut String) -> bool + 'a>;

/// Calls `each` once for every distinct name of the sorted streams, in order, with the numbers of the streams
/// that hold it and its number in each.
pub(crate) fn for_each_name(
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

pub(crate) fn push_key(buffer: &mut String, key: &[u8]) {
    buffer.clear();
    buffer.push_str(&String::from_utf8_lossy(key));
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
