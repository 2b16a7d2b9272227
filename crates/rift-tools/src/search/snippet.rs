//! Excerpts: the lines by which a reader decides whether a hit is what he looks for. A short declaration is shown whole;
//! of a long one its head and the lines that hold the query's words; of a file the line that matched with the head of
//! the declaration around it. Excerpts are cut at line borders and say what they are made of.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rift_base::{ByteRange, LineIndex, line_of};
use rift_host::facts::DeclPosition;
use rift_host::index::ParsedQuery;
use rift_protocol::{SearchHit, SourcePart};

use super::content::Terms;

/// Bytes of one excerpt. Twenty of them with the rest of a page stay below 8,000 tokens.
const BYTES_MAX: usize = 960;
/// Lines of one excerpt.
const LINES_MAX: usize = 14;
/// Bytes shown of one line. Of a longer one the part around the match is shown, which is the only cut inside a line.
const LINE_BYTES_MAX: usize = 200;
/// Lines of a head, attributes included.
const HEAD_LINES_MAX: usize = 6;
/// Attributes shown above a head.
const ATTRIBUTES_MAX: usize = 3;
/// Lines shown because they hold words of the query.
const MATCHES_MAX: usize = 6;
/// Lines below which an excerpt goes on with the body's first ones.
const FILL: usize = 8;
/// Lines of a head that only says where a line of a file stands.
const OUTER_HEAD_LINES_MAX: usize = 3;
/// Declarations named for a file of which only the path matched.
const OVERVIEW_MAX: usize = 6;

/// The lines of a hit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Snippet {
    source: String,
    parts: Vec<SourcePart>,
    omitted: u64,
}

impl Snippet {
    /// The same lines, of a text that is not the file's.
    pub(super) fn without_parts(self) -> Self {
        Self { parts: Vec::new(), ..self }
    }

    /// Puts the excerpt into `hit`.
    pub(super) fn attach(self, hit: &mut SearchHit) {
        hit.source = Some(self.source);
        hit.source_parts = self.parts;
        hit.source_omitted = (self.omitted > 0).then_some(self.omitted);
    }
}

/// `query` with the words alone that tell something; with all of them when none does.
pub(super) fn telling_query(query: &ParsedQuery) -> ParsedQuery {
    let mut query = query.clone();
    if query.units.iter().any(|unit| unit.names) {
        query.units.retain(|unit| unit.names);
    }
    query
}

/// The excerpt of a declaration.
pub(super) fn of_declaration(text: &str, position: &DeclPosition, terms: &Terms) -> Snippet {
    declaration(text, position, |excerpt| excerpt.take_matches(terms, MATCHES_MAX))
}

/// The excerpt of a declaration for a match in `line` of the file, 1-based.
pub(super) fn of_declaration_at(text: &str, position: &DeclPosition, line: u64) -> Snippet {
    declaration(text, position, |excerpt| {
        let line = usize::try_from(line.saturating_sub(excerpt.first_line)).unwrap_or(usize::MAX);
        excerpt.take(line, 0);
    })
}

/// A declaration whole, or its head, what `take_matches` takes, and the first lines of its body.
fn declaration(text: &str, position: &DeclPosition, take_matches: impl FnOnce(&mut Excerpt<'_>)) -> Snippet {
    let range = position.declaration;
    if fits(range.of(text), LINES_MAX) {
        return whole(text, range);
    }
    let mut excerpt = Excerpt::new(text, range);
    let (first, last) = excerpt.head(position);
    excerpt.take_all(first..=last, HEAD_LINES_MAX, position.item.start as usize);
    take_matches(&mut excerpt);
    excerpt.fill(last + 1, FILL);
    excerpt.finish(range)
}

/// The excerpt of a file at the line `range`, which holds words of the query when `matched`.
pub(super) fn of_file(
    text: &str,
    range: ByteRange,
    matched: bool,
    positions: &[DeclPosition],
    terms: &Terms,
) -> Snippet {
    if !matched {
        return overview(text, range, positions);
    }
    let at = range.start as usize;
    let innermost = positions.iter().filter(|p| p.declaration.contains(at)).min_by_key(|p| p.declaration.len());
    let Some(around) = innermost else {
        let mut excerpt = Excerpt::new(text, ByteRange::new(0, text.len()));
        let line = excerpt.line_at(at);
        excerpt.take_match(line, terms);
        excerpt.take_matches(terms, MATCHES_MAX / 2);
        excerpt.take_all(line + 1..=line + 1, 1, 0);
        excerpt.take_all(line.saturating_sub(1)..=line, 1, 0);
        return excerpt.finish(range);
    };
    let mut excerpt = Excerpt::new(text, around.declaration);
    let line = excerpt.line_at(at);
    if fits(around.declaration.of(text), FILL) {
        excerpt.take_all(0..=excerpt.lines.lines() as usize - 1, FILL, at);
        return excerpt.finish(range);
    }
    excerpt.take_match(line, terms);
    let (first, last) = excerpt.head(around);
    excerpt.take_all(first..=last, OUTER_HEAD_LINES_MAX, around.item.start as usize);
    excerpt.take_matches(terms, MATCHES_MAX / 2);
    excerpt.finish(range)
}

/// The excerpt of a block of documentation: the lines that match, and what the block begins with.
pub(super) fn of_block(text: &str, range: ByteRange, terms: &Terms) -> Snippet {
    if fits(range.of(text), LINES_MAX) {
        return whole(text, range);
    }
    let mut excerpt = Excerpt::new(text, range);
    excerpt.take_matches(terms, MATCHES_MAX);
    excerpt.fill(0, FILL);
    excerpt.finish(range)
}

/// What a file declares, outermost first, of a file whose text need not say why it was found.
fn overview(text: &str, range: ByteRange, positions: &[DeclPosition]) -> Snippet {
    let mut excerpt = Excerpt::new(text, ByteRange::new(0, text.len()));
    let mut order: Vec<ByteRange> =
        positions.iter().map(|p| ByteRange { start: p.item.start, ..p.declaration }).collect();
    order.sort_by_key(|range| (range.start, Reverse(range.end)));
    let mut open: Vec<u32> = Vec::new();
    let mut heads: Vec<(usize, u32)> = Vec::new();
    for declaration in order {
        while open.pop_if(|end| *end <= declaration.start).is_some() {}
        heads.push((open.len(), declaration.start));
        open.push(declaration.end);
    }
    heads.sort_unstable();
    for (_, start) in heads.into_iter().take(OVERVIEW_MAX) {
        let line = excerpt.line_at(start as usize);
        excerpt.take(line, start as usize);
    }
    excerpt.fill(0, OVERVIEW_MAX / 2);
    // Nothing in the text matched, so nothing that did is left out.
    Snippet { omitted: 0, ..excerpt.finish(range) }
}

fn fits(text: &str, lines: usize) -> bool {
    text.len() <= BYTES_MAX && text.lines().count() <= lines && text.lines().all(|line| line.len() <= LINE_BYTES_MAX)
}

fn whole(text: &str, range: ByteRange) -> Snippet {
    Snippet { source: range.of(text).to_owned(), parts: Vec::new(), omitted: 0 }
}

/// An excerpt under construction: lines of one region of a text.
struct Excerpt<'t> {
    text: &'t str,
    /// Whole lines.
    region: ByteRange,
    lines: LineIndex,
    /// The line of the region's first byte in its file, 1-based.
    first_line: u64,
    /// What is shown of each line that was taken, by number in the region from 0.
    taken: BTreeMap<usize, ByteRange>,
    bytes: usize,
}

impl<'t> Excerpt<'t> {
    /// None of the lines that `range` touches.
    fn new(text: &'t str, range: ByteRange) -> Self {
        let range = range.span();
        let start = text[..range.start].rfind('\n').map_or(0, |feed| feed + 1);
        let end = text[range.end..].find('\n').map_or(text.len(), |feed| range.end + feed);
        // An end behind a line break ends that line.
        let end = if text[..range.end].ends_with('\n') { range.end } else { end };
        let region = ByteRange::new(start, end.max(start));
        Self {
            text,
            region,
            lines: LineIndex::new(region.of(text)),
            first_line: line_of(text, start),
            taken: BTreeMap::new(),
            bytes: 0,
        }
    }

    /// The line of byte `at`, from 0.
    fn line_at(&self, at: usize) -> usize {
        self.lines.line(at.saturating_sub(self.region.start as usize)) as usize - 1
    }

    /// The bytes of `line` without its line break; absent past the last line.
    fn line(&self, line: usize) -> Option<ByteRange> {
        let range = self.lines.range(line as u64 + 1)?;
        let start = self.region.start as usize + range.start as usize;
        let length = range.of(self.region.of(self.text)).trim_end_matches(['\n', '\r']).len();
        Some(ByteRange::new(start, start + length))
    }

    /// First and last line of a declaration's head: attributes directly above it, and what stands before its body.
    fn head(&self, position: &DeclPosition) -> (usize, usize) {
        let item = self.line_at(position.item.start as usize);
        let is_attribute = |line: &usize| {
            let text = self.line(*line).map_or("", |range| range.of(self.text)).trim_start();
            ["@", "#[", "[["].iter().any(|start| text.starts_with(start))
        };
        let attributes = (0..item).rev().take(ATTRIBUTES_MAX).take_while(is_attribute).count();
        let end = if position.body.is_empty() { position.item.end } else { position.body.start };
        let head = self.text.get(position.item.start as usize..end as usize).unwrap_or("").trim_end();
        let last = self.line_at(position.item.start as usize + head.len().saturating_sub(1));
        (item - attributes, last.max(item))
    }

    /// Takes `line`, of a long one the part around byte `around`. Whether it is in the excerpt then. A blank line is not
    /// worth its place.
    fn take(&mut self, line: usize, around: usize) -> bool {
        let Some(range) = self.line(line) else { return false };
        if self.taken.contains_key(&line) || range.of(self.text).trim().is_empty() {
            return true;
        }
        let shown = part_of_line(self.text, range, around);
        let fits = self.bytes + shown.len() < BYTES_MAX && self.taken.len() < LINES_MAX;
        if fits {
            self.bytes += shown.len() + 1;
            self.taken.insert(line, shown);
        }
        fits
    }

    /// Takes the first `max` of `lines`.
    fn take_all(&mut self, lines: std::ops::RangeInclusive<usize>, max: usize, around: usize) {
        for line in lines.take(max) {
            if !self.take(line, around) {
                return;
            }
        }
    }

    /// Goes on from line `from` until the excerpt has `count` lines.
    fn fill(&mut self, from: usize, count: usize) {
        for line in from..self.lines.lines() as usize {
            if self.taken.len() >= count || !self.take(line, 0) {
                return;
            }
        }
    }

    /// Takes `line` as one that matches.
    fn take_match(&mut self, line: usize, terms: &Terms) {
        let at = self.matches(terms).get(&line).map_or(0, |(_, at)| *at);
        self.take(line, at);
    }

    /// Takes up to `max` lines that hold terms: those first that hold most terms which no line taken so far holds, then
    /// those with the most terms; of lines that add none, those with at least two.
    fn take_matches(&mut self, terms: &Terms, max: usize) {
        let mut found = self.matches(terms);
        let mut covered =
            found.iter().filter(|(line, _)| self.taken.contains_key(line)).fold(0, |all, (_, m)| all | m.0);
        found.retain(|line, _| !self.taken.contains_key(line));
        for _ in 0..max {
            let worth = |(line, (terms, _)): (&usize, &(u64, usize))| {
                ((terms & !covered).count_ones(), terms.count_ones(), Reverse(*line))
            };
            let Some((new, all, Reverse(line))) = found.iter().map(worth).max() else { return };
            if new == 0 && all < 2 {
                return;
            }
            let (terms, at) = found.remove(&line).unwrap_or_default();
            if self.take(line, at) {
                covered |= terms;
            }
        }
    }

    /// The terms of each line that holds any, as bits, and where the first one stands.
    fn matches(&self, terms: &Terms) -> BTreeMap<usize, (u64, usize)> {
        let mut out: BTreeMap<usize, (u64, usize)> = BTreeMap::new();
        for occurrence in terms.occurrences(self.region.of(self.text)) {
            let at = self.region.start as usize + occurrence.at;
            out.entry(self.line_at(at)).or_insert((0, at)).0 |= 1 << occurrence.term.min(63);
        }
        out
    }

    /// The excerpt of a hit that covers `range`. A single line left out between two is shown: saying that it is left out
    /// takes as much.
    fn finish(mut self, range: ByteRange) -> Snippet {
        let lines: Vec<usize> = self.taken.keys().copied().collect();
        for pair in lines.windows(2) {
            let between = pair[0] + 1;
            let Some(whole) = self.line(between).filter(|line| line.len() <= LINE_BYTES_MAX) else { continue };
            if pair[1] == between + 1 && self.bytes + whole.len() < BYTES_MAX {
                self.bytes += whole.len() + 1;
                self.taken.insert(between, whole);
            }
        }
        let mut parts: Vec<(usize, ByteRange)> = Vec::new();
        let mut next = None;
        for (line, shown) in &self.taken {
            match parts.last_mut() {
                Some((_, part)) if next == Some(*line) && self.line(*line).is_some_and(|l| l.start == shown.start) => {
                    part.end = shown.end;
                }
                _ => parts.push((*line, *shown)),
            }
            next = self.line(*line).filter(|whole| whole.end == shown.end).map(|_| line + 1);
        }
        let omitted = self.omitted(range);
        let source: Vec<&str> = parts.iter().map(|(_, part)| part.of(self.text)).collect();
        let exact = matches!(parts.as_slice(), [(_, only)] if *only == range);
        let part = |(line, range): &(usize, ByteRange)| SourcePart {
            range: (*range).into(),
            line: self.first_line + *line as u64,
        };
        Snippet {
            source: source.join("\n"),
            parts: if exact { Vec::new() } else { parts.iter().map(part).collect() },
            omitted,
        }
    }

    /// The number of lines of `range` that are not whole in the excerpt, blank ones aside.
    fn omitted(&self, range: ByteRange) -> u64 {
        let last = self.line_at((range.end as usize).saturating_sub(1).max(range.start as usize));
        let lines = self.line_at(range.start as usize)..=last;
        let is_missing = |line: &usize| {
            let Some(whole) = self.line(*line) else { return false };
            let wanted =
                ByteRange { start: whole.start.max(range.start), end: whole.end.min(range.end.max(whole.start)) };
            let shown = self.taken.get(line).is_some_and(|shown| shown.covers(wanted));
            !shown && !wanted.of(self.text).trim().is_empty()
        };
        lines.filter(is_missing).count() as u64
    }
}

/// `line`, or the part of it around byte `around` when it is long.
fn part_of_line(text: &str, line: ByteRange, around: usize) -> ByteRange {
    if line.len() <= LINE_BYTES_MAX {
        return line;
    }
    let (first, end) = (line.start as usize, line.end as usize);
    let before = around.saturating_sub(LINE_BYTES_MAX / 4);
    let start = text.floor_char_boundary(before.clamp(first, end - LINE_BYTES_MAX));
    ByteRange::new(start, text.floor_char_boundary(start + LINE_BYTES_MAX))
}

#[cfg(test)]
#[path = "snippet/tests.rs"]
mod tests;
