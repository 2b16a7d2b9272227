//! Blocks ranked against each other by BM25 (Robertson and Zaragoza, 2009), with the words of the headings above a block as its own.
//! Blocks that hold every term come first.

use std::cmp::Reverse;

use rift_base::{ProjectPath, split_identifier};
use rift_host::View;
use rift_host::facts::{DeclId, Document, FileEntry};
use rift_host::index::ParsedQuery;

use super::super::content::Terms;

/// How soon further occurrences of a term stop to count, and how much the length of a block does.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.5;
/// What a word of a heading counts.
const HEADING: u32 = 2;
/// Bytes of a word, about: lengths are counted in words.
const WORD_BYTES: usize = 6;

/// Something to answer, before it is read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) path: ProjectPath,
    pub(super) place: Place,
    pub(super) score: f64,
}

/// Where a piece of documentation stands in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// A block, by number.
    Block(usize),
    /// The comment of a declaration.
    Comment(DeclId),
}

struct Entry {
    path: ProjectPath,
    place: Place,
    /// Occurrences of each term.
    counts: Vec<u32>,
    /// Words.
    length: f64,
    /// The rank of its row.
    order: usize,
}

/// Blocks that are ranked together.
pub(super) struct Pool {
    terms: Terms,
    count: usize,
    /// Words of quoted phrases, in order.
    phrases: Vec<Vec<String>>,
    entries: Vec<Entry>,
    /// Words of all blocks, those without a term included, and their number.
    words: f64,
    blocks: usize,
}

impl Pool {
    pub(super) fn new(query: &ParsedQuery) -> Self {
        let phrase =
            |unit: &rift_host::index::Unit| unit.words.iter().map(|(_, word)| word.clone()).collect::<Vec<_>>();
        let phrases = query.units.iter().filter(|unit| unit.quoted).map(phrase).collect();
        Self {
            terms: Terms::new(query),
            count: query.units.len().min(64),
            phrases,
            entries: Vec::new(),
            words: 0.0,
            blocks: 0,
        }
    }

    /// Adds the blocks of a document that holds `text`.
    pub(super) fn add_document(&mut self, entry: &FileEntry, text: &str, document: &Document, order: usize) {
        let mut heading: Option<(Option<u32>, Vec<u32>)> = None;
        for (at, block) in document.blocks.iter().enumerate() {
            if heading.as_ref().is_none_or(|(known, _)| *known != block.heading) {
                let words = document.heading_path(block).join(" ");
                heading = Some((block.heading, self.counts(&words)));
            }
            let above = heading.as_ref().map_or(&[][..], |(_, counts)| counts.as_slice());
            let above = above.to_vec();
            self.add(entry, Place::Block(at), block.text(text), &above, order);
        }
    }

    /// Adds the comment that documents the symbol of declaration `id`.
    pub(super) fn add_comment(&mut self, view: &View, entry: &FileEntry, id: DeclId, order: usize) {
        let (Some(facts), Some(symbols)) = (view.facts(entry), view.symbols(entry)) else { return };
        let Some(group) = symbols.group(id) else { return };
        let documented = group.declarations.iter().find_map(|id| {
            let declaration = facts.outline.get(*id)?;
            Some((*id, declaration, declaration.documentation.as_ref()?))
        });
        let Some((id, declaration, documentation)) = documented else { return };
        let name = self.counts(&declaration.path.display(" "));
        self.add(entry, Place::Comment(id), &documentation.text, &name, order);
    }

    fn counts(&self, text: &str) -> Vec<u32> {
        let mut counts = vec![0; self.count];
        for occurrence in self.terms.occurrences(text) {
            if let Some(count) = counts.get_mut(occurrence.term as usize) {
                *count += 1;
            }
        }
        counts
    }

    fn add(&mut self, entry: &FileEntry, place: Place, text: &str, above: &[u32], order: usize) {
        let length = (text.len() / WORD_BYTES + 1) as f64;
        self.words += length;
        self.blocks += 1;
        let own = self.counts(text);
        // Headings alone would find every block below them.
        if own.iter().all(|count| *count == 0) || !self.phrases.iter().all(|words| holds(text, words)) {
            return;
        }
        let counts = own.iter().zip(above).map(|(own, above)| own + HEADING * above).collect();
        self.entries.push(Entry { path: entry.path.clone(), place, counts, length, order });
    }

    /// Best first; ties by the ranks of rows, then by path and place.
    pub(super) fn ranked(self) -> Vec<Candidate> {
        let mean = self.words / (self.blocks.max(1) as f64);
        let weights: Vec<f64> = (0..self.count)
            .map(|term| {
                let holding = self.entries.iter().filter(|entry| entry.counts[term] > 0).count() as f64;
                (1.0 + (self.blocks as f64 - holding + 0.5).max(0.0) / (holding + 0.5)).ln()
            })
            .collect();
        let mut scored: Vec<(bool, f64, Entry)> = Vec::with_capacity(self.entries.len());
        for entry in self.entries {
            let norm = SATURATION * (1.0 - LENGTH + LENGTH * entry.length / mean);
            let of = |(count, weight): (&u32, &f64)| {
                let count = f64::from(*count);
                weight * count * (SATURATION + 1.0) / (count + norm)
            };
            let score = entry.counts.iter().zip(&weights).map(of).sum();
            scored.push((entry.counts.iter().all(|count| *count > 0), score, entry));
        }
        scored.sort_by(|a, b| {
            let tie = |e: &Entry| (e.order, e.path.clone(), e.place);
            Reverse(a.0).cmp(&Reverse(b.0)).then_with(|| b.1.total_cmp(&a.1)).then_with(|| tie(&a.2).cmp(&tie(&b.2)))
        });
        scored.into_iter().map(|(_, score, e)| Candidate { path: e.path, place: e.place, score }).collect()
    }
}

/// Whether the words follow each other in `text`.
fn holds(text: &str, words: &[String]) -> bool {
    let [first, rest @ ..] = words else { return true };
    let all: Vec<String> = split_identifier(text).map(str::to_lowercase).collect();
    all.iter().enumerate().any(|(at, word)| word == first && all[at + 1..].starts_with(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(holds("Use the Retry-Delay here", &words("retry delay")));
        assert!(holds("retryDelay", &words("retry delay")));
        assert!(!holds("delay the retry, a delay", &words("retry delay")));
        assert!(holds("x", &[]));
    }
}
