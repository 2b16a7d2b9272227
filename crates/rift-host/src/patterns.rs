//! Which files may hold a match of a pattern: the trigram index over a tree, and what it lacks.
//!
//! A row of the index is true for good, so a view needs no more than rows and the files of its tree that have none. The lane
//! keeps both; what lacks rows is given some behind the answers ([`crate::filler`]).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use query_graph::FileEntry;
use rift_base::{ProjectPath, SearchConfig};
use rift_index::{ContentKey, Extractor, RecentRow, TrigramQuery, TrigramRow, Trigrams};

use crate::signal::Signal;
use crate::view::View;

/// Recent rows from which on a segment is made of them.
pub(crate) const RECENT_FILES: usize = 128;
/// Recent rows past which an edited file is given none at once.
const RECENT_FILES_MAX: usize = 1024;

/// Rows for the patterns of one view.
#[derive(Clone, Default)]
pub(crate) struct PatternRows {
    pub(crate) trigrams: Trigrams,
    pub(crate) lacking: Lacking,
    /// Whether rows are kept at all: a host that answers one question has none, and looks at every file.
    is_kept: bool,
}

impl PatternRows {
    /// The same rows over a tree that holds `paths` as well, which have none.
    pub(crate) fn beside(&self, paths: &[ProjectPath]) -> Self {
        let mut rows = self.clone();
        if let Lacking::These(lacking) = &mut rows.lacking {
            Arc::make_mut(lacking).extend(paths.iter().cloned());
        }
        rows
    }
}

/// Files of a tree without rows.
#[derive(Clone, Default)]
pub(crate) enum Lacking {
    /// All of them.
    #[default]
    Everything,
    /// These.
    These(Arc<BTreeSet<ProjectPath>>),
}

/// What is compared between a row and a file; absent for a file whose text is not searched.
pub(crate) fn content_key(entry: &FileEntry) -> Option<ContentKey> {
    entry.searched_text()?;
    let half = *entry.digest()?.as_bytes().first_chunk::<16>()?;
    Some(ContentKey::from_le_bytes(half))
}

/// The row of `entry`; absent when its text is not searched.
pub(crate) fn row(entry: &FileEntry) -> Option<TrigramRow> {
    Some(TrigramRow { path: entry.path.clone(), content: content_key(entry)? })
}

/// The rows as the writer keeps them.
pub(crate) struct LanePatterns {
    pub(crate) rows: PatternRows,
    pub(crate) signal: Arc<Signal>,
    /// Made by the first edit.
    extractor: Option<Extractor>,
    forget: bool,
}

impl LanePatterns {
    pub(crate) fn new(is_kept: bool, forget: bool) -> Self {
        let rows = PatternRows { is_kept, ..PatternRows::default() };
        Self { rows, signal: Arc::default(), extractor: None, forget }
    }

    /// Every file was read: rows can be made.
    pub(crate) fn prepared(&self) {
        self.signal.raise();
    }

    /// Takes over the entries that differ between the tree before and the tree now. Those of a small change get their rows at
    /// once.
    pub(crate) fn changed(&mut self, different: &BTreeMap<ProjectPath, Option<FileEntry>>, is_small: bool) {
        if !self.rows.is_kept || self.forget {
            return;
        }
        let Lacking::These(lacking) = &self.rows.lacking else { return };
        let mut lacking = lacking.clone();
        let room = RECENT_FILES_MAX.saturating_sub(self.rows.trigrams.recent().len());
        let at_once = is_small && different.len() <= room;
        let mut recent = Vec::new();
        for (path, entry) in different {
            let row = entry.as_ref().and_then(row);
            let text = entry.as_ref().and_then(FileEntry::text);
            match (row, text) {
                (Some(row), Some(text)) if at_once => {
                    let extractor = self.extractor.get_or_insert_default();
                    recent.push(RecentRow::new(row, &text, extractor));
                }
                (Some(_), _) => {
                    Arc::make_mut(&mut lacking).insert(path.clone());
                    continue;
                }
                (None, _) => {}
            }
            if lacking.contains(path) {
                Arc::make_mut(&mut lacking).remove(path);
            }
        }
        if !recent.is_empty() {
            self.rows.trigrams = self.rows.trigrams.with_recent(recent);
        }
        if !lacking.is_empty() || self.rows.trigrams.recent().len() >= RECENT_FILES {
            self.signal.raise();
        }
        self.rows.lacking = Lacking::These(lacking);
    }

    /// How many files lack rows, while a pattern might not be answered over all of `files` files with `bytes` bytes.
    pub(crate) fn lag(&self, config: &SearchConfig, files: u64, bytes: u64) -> Option<u64> {
        let is_bounded = files > config.pattern_candidate_rows || bytes > config.pattern_verified_size;
        let lacking = match &self.rows.lacking {
            Lacking::Everything => files,
            Lacking::These(lacking) => lacking.len() as u64,
        };
        (self.rows.is_kept && is_bounded && lacking > 0).then_some(lacking)
    }
}

/// The files to look for a pattern in, each list in path order.
#[derive(Debug, Clone, Default)]
pub struct PatternFiles<'v> {
    /// Those that may hold a match.
    pub selected: Vec<&'v FileEntry>,
    /// Those without rows, which may hold a match too.
    pub lacking: Vec<&'v FileEntry>,
    /// Whether rows were read to select them; else every file is selected that the request reaches.
    pub by_rows: bool,
}

/// How many of the searched files have rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatternProgress {
    /// Files with rows.
    pub prepared: u64,
    /// All searched files.
    pub total: u64,
}

impl View {
    /// The files that may hold a match of a pattern with this query, of those that `reaches` accepts.
    pub fn pattern_files(&self, query: &TrigramQuery, reaches: &dyn Fn(&ProjectPath) -> bool) -> PatternFiles<'_> {
        let rows = &self.publication.rows;
        let mut files = PatternFiles { by_rows: rows.is_kept && !query.is_all(), ..PatternFiles::default() };
        let is_searched = |entry: &FileEntry| entry.searched_text().is_some() && reaches(&entry.path);
        let all = || {
            let mut all = Vec::new();
            self.tree().walk(&mut |entry| all.extend(Some(entry).filter(|entry| is_searched(entry))));
            all
        };
        match &rows.lacking {
            _ if !files.by_rows => files.selected = all(),
            Lacking::Everything => files.lacking = all(),
            Lacking::These(lacking) => {
                let candidates = rows.trigrams.candidates(query).into_iter().filter(|row| reaches(&row.path));
                let current = candidates.filter_map(|row| {
                    let entry = self.entry(&row.path)?;
                    (content_key(entry)? == row.content).then_some(entry)
                });
                files.selected = current.collect();
                files.selected.sort_unstable_by(|a, b| a.path.cmp(&b.path));
                files.selected.dedup_by(|a, b| a.path == b.path);
                let lacking = lacking.iter().filter_map(|path| self.entry(path));
                files.lacking = lacking.filter(|entry| is_searched(entry)).collect();
                // One that was given its rows by an earlier process may be in both.
                let selected = &files.selected;
                files.lacking.retain(|entry| selected.binary_search_by(|known| known.path.cmp(&entry.path)).is_err());
            }
        }
        files
    }

    /// How far the index for patterns has got.
    pub fn pattern_progress(&self) -> PatternProgress {
        let mut total = 0;
        self.tree().walk(&mut |entry| total += u64::from(entry.searched_text().is_some()));
        let lacking = match &self.publication.rows.lacking {
            Lacking::Everything => total,
            Lacking::These(lacking) => lacking.len() as u64,
        };
        PatternProgress { prepared: total.saturating_sub(lacking), total }
    }
}
