//! An immutable state of the index, and its exact look-ups.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use rift_base::ProjectPath;

use crate::error::IndexError;
use crate::paths::PathTable;
use crate::schema::{TEXT_FIELDS, key_hash};
use crate::segment::{FieldTotals, RowKind, Segment};

/// One state of the index. Cloning shares it; it does not change, whatever is written afterwards.
#[derive(Clone)]
pub struct Searcher {
    pub(crate) state: Arc<State>,
}

pub(crate) struct State {
    pub(crate) segments: Vec<Segment>,
    pub(crate) paths: Arc<PathTable>,
    pub(crate) totals: [FieldTotals; TEXT_FIELDS],
    rows: u64,
    stamp: String,
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher")
            .field("files", &self.paths().len())
            .field("rows", &self.state.rows)
            .field("stamp", &self.state.stamp)
            .finish_non_exhaustive()
    }
}

/// Sizes of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Rows: one for each file's text (several for a long one) and one for each declaration.
    pub rows: u64,
    /// Files.
    pub files: u64,
    /// Segments of the index.
    pub segments: u64,
    /// Bytes of the index on disk (or in memory for an index that was made there).
    pub bytes: u64,
    /// Bytes of the searcher's own tables.
    pub memory: u64,
}

/// What a search reaches; it is narrowed before anything is ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Target {
    /// Declarations alone.
    Symbols,
    /// Files alone.
    Files,
    /// Both.
    #[default]
    All,
}

/// Which rows a search reaches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Selection<'a> {
    /// Files, of [`Searcher::select`]; absent for all.
    pub paths: Option<&'a PathSet>,
    /// Kinds of rows.
    pub target: Target,
}

/// A set of files of one searcher. It can be kept and used for later searchers, at some cost.
#[derive(Clone)]
pub struct PathSet {
    of: Arc<PathTable>,
    bits: Vec<bool>,
}

impl fmt::Debug for PathSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PathSet").field("files", &self.len()).field("of", &self.bits.len()).finish()
    }
}

impl PathSet {
    /// The number of files in the set.
    pub fn len(&self) -> usize {
        self.bits.iter().filter(|bit| **bit).count()
    }

    /// Whether no file is in the set.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether `path` is in the set.
    pub fn contains(&self, path: &ProjectPath) -> bool {
        self.of.rank(path).is_some_and(|rank| self.bits.get(rank as usize) == Some(&true))
    }
}

/// A declaration.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SymbolRow {
    /// Its file.
    pub path: ProjectPath,
    /// Its number within the file's facts.
    pub ordinal: u32,
    /// The hash of its symbol's key ([`Searcher::key`]).
    pub key: u64,
}

/// A [`Selection`] made ready for one searcher.
pub(crate) struct Reach<'a> {
    target: Target,
    bits: Option<std::borrow::Cow<'a, [bool]>>,
}

impl Reach<'_> {
    pub(crate) fn has(&self, rank: u32, kind: RowKind) -> bool {
        let target = match self.target {
            Target::All => true,
            Target::Symbols => matches!(kind, RowKind::Symbol(_)),
            Target::Files => !matches!(kind, RowKind::Symbol(_)),
        };
        target && self.has_path(rank)
    }

    /// Whether the file is reached, whatever kinds of its rows are.
    pub(crate) fn has_path(&self, rank: u32) -> bool {
        self.bits.as_ref().is_none_or(|bits| bits.get(rank as usize).copied().unwrap_or(false))
    }
}

impl Default for Searcher {
    /// A state without rows.
    fn default() -> Self {
        Self::new(Vec::new(), Arc::default(), String::new())
    }
}

impl Searcher {
    /// A state of these segments, whose ranks are those of `paths`.
    pub(crate) fn new(segments: Vec<Segment>, paths: Arc<PathTable>, stamp: String) -> Self {
        let mut totals = [FieldTotals::default(); TEXT_FIELDS];
        for segment in &segments {
            for (total, live) in totals.iter_mut().zip(segment.live_totals()) {
                total.rows += live.rows;
                total.words += live.words;
            }
        }
        let rows = segments.iter().map(Segment::rows).sum();
        Self { state: Arc::new(State { segments, paths, totals, rows, stamp }) }
    }

    /// This state without the rows of files for which `wanted` does not hold.
    ///
    /// # Errors
    /// [`IndexError::Engine`] when the index cannot be read.
    pub fn only(&self, wanted: impl Fn(&ProjectPath) -> bool) -> Result<Self, IndexError> {
        let ranked = self.paths().iter().zip(0u32..);
        let (unwanted, ranks): (Vec<&ProjectPath>, Vec<u32>) = ranked.filter(|(path, _)| !wanted(path)).unzip();
        let (paths, moved) = self.state.paths.changed(&[], &ranks);
        let narrowed = |segment: &Segment| Ok(segment.without(unwanted.iter().copied())?.moved(&moved));
        let segments = self.state.segments.iter().map(narrowed).collect::<Result<_, IndexError>>()?;
        Ok(Self::new(segments, Arc::new(paths), self.stamp().to_owned()))
    }

    /// The stamp that the state was applied or staged with; empty for an index without a commit.
    pub fn stamp(&self) -> &str {
        &self.state.stamp
    }

    /// Every file that has rows, in order.
    pub fn paths(&self) -> &[ProjectPath] {
        self.state.paths.paths()
    }

    /// The files with the versions that their rows were made with ([`FileUnits::version`]), in order of paths.
    ///
    /// [`FileUnits::version`]: rift_base::FileUnits::version
    pub fn versions(&self) -> Vec<(&ProjectPath, u64)> {
        let mut versions: Vec<(u32, u64)> = self.state.segments.iter().flat_map(Segment::live_versions).collect();
        versions.sort_unstable();
        let path = |(rank, version)| self.state.paths.path(rank).map(|path| (path, version));
        versions.into_iter().filter_map(path).collect()
    }

    /// The files for which `wanted` holds, to be searched with [`Selection`].
    pub fn select(&self, wanted: impl FnMut(&ProjectPath) -> bool) -> PathSet {
        PathSet { of: Arc::clone(&self.state.paths), bits: self.paths().iter().map(wanted).collect() }
    }

    pub(crate) fn reach<'a>(&self, selection: &Selection<'a>) -> Reach<'a> {
        let bits = selection.paths.map(|set| {
            if Arc::ptr_eq(&set.of, &self.state.paths) {
                std::borrow::Cow::Borrowed(set.bits.as_slice())
            } else {
                self.paths().iter().map(|path| set.contains(path)).collect::<Vec<_>>().into()
            }
        });
        Reach { target: selection.target, bits }
    }

    /// The hash under which [`Searcher::files_with_key`] knows a symbol's key.
    pub fn key(key: &str) -> u64 {
        key_hash(key)
    }

    /// The files that declare the symbol whose key has this hash, in order, each with the ordinals of its
    /// declarations. Different keys may share a hash: the caller compares keys.
    pub fn files_with_key(&self, hash: u64) -> Vec<(ProjectPath, Vec<u32>)> {
        let mut rows: Vec<(u32, u32)> = Vec::new();
        for segment in &self.state.segments {
            rows.extend(segment.rows_of_key(hash).filter_map(|doc| match segment.kind(doc) {
                RowKind::Symbol(ordinal) => Some((segment.rank(doc), ordinal)),
                RowKind::File | RowKind::Chunk => None,
            }));
        }
        rows.sort_unstable();
        let mut files: Vec<(ProjectPath, Vec<u32>)> = Vec::new();
        for group in rows.chunk_by(|a, b| a.0 == b.0) {
            files.push((self.path(group[0].0), group.iter().map(|(_, ordinal)| *ordinal).collect()));
        }
        files
    }

    /// The number of files that declare the symbol whose key has this hash.
    pub fn key_files(&self, hash: u64) -> usize {
        let mut ranks: Vec<u32> = Vec::new();
        for segment in &self.state.segments {
            ranks.extend(segment.rows_of_key(hash).map(|doc| segment.rank(doc)));
        }
        ranks.sort_unstable();
        ranks.dedup();
        ranks.len()
    }

    /// Sizes of the index.
    ///
    /// # Errors
    /// [`IndexError::Engine`] when the index cannot be read.
    pub fn statistics(&self) -> Result<Statistics, IndexError> {
        let state = &self.state;
        let mut bytes = 0;
        for segment in &state.segments {
            bytes += segment.usage().map_or(0, |usage| usage.total().get_bytes());
        }
        // Segments share the text of paths with this list.
        let tables = self.paths().len() as u64 * (size_of::<ProjectPath>() as u64 + 1);
        Ok(Statistics {
            rows: state.rows,
            files: self.paths().len() as u64,
            segments: state.segments.len() as u64,
            bytes,
            memory: tables + state.segments.iter().map(Segment::memory).sum::<u64>(),
        })
    }

    /// Bytes of memory that this state does not share with `other`: what it costs to keep beside that one. Files on disk do
    /// not count.
    pub fn unshared_bytes(&self, other: &Searcher) -> u64 {
        let (state, other) = (&self.state, &other.state);
        let shares_paths = Arc::ptr_eq(&state.paths, &other.paths);
        let paths = if shares_paths { 0 } else { self.paths().len() * (size_of::<ProjectPath>() + 2) };
        let segments = state.segments.iter().map(|segment| segment.unshared(&other.segments));
        paths as u64 + segments.sum::<u64>()
    }

    /// Bytes of the index by part (`termdict`, `postings`, `positions`, `fast`, `fieldnorms`) and field, as
    /// `part/field`, in that order.
    ///
    /// # Errors
    /// [`IndexError::Engine`] when the index cannot be read.
    pub fn sizes(&self) -> Result<BTreeMap<String, u64>, IndexError> {
        let mut sizes = BTreeMap::new();
        for segment in &self.state.segments {
            let Some(usage) = segment.usage() else { continue };
            for (part, fields) in [
                ("termdict", usage.termdict()),
                ("postings", usage.postings()),
                ("positions", usage.positions()),
                ("fast", usage.fast_fields()),
                ("fieldnorms", usage.fieldnorms()),
            ] {
                for field in fields.fields() {
                    *sizes.entry(format!("{part}/{}", field.field_name())).or_default() += field.total().get_bytes();
                }
            }
        }
        Ok(sizes)
    }

    pub(crate) fn path(&self, rank: u32) -> ProjectPath {
        self.state.paths.path(rank).cloned().unwrap_or_else(ProjectPath::root)
    }

    /// Whether there is a file at `path`.
    pub(crate) fn has_path(&self, path: &str) -> bool {
        self.paths().binary_search_by(|known| known.as_str().cmp(path)).is_ok()
    }

    /// Whether a file's path begins with `prefix`.
    pub(crate) fn has_path_below(&self, prefix: &str) -> bool {
        let at = self.paths().partition_point(|path| path.as_str() < prefix);
        self.paths().get(at).is_some_and(|path| path.as_str().starts_with(prefix))
    }

    pub(crate) fn is_output(&self, rank: u32) -> bool {
        self.state.paths.is_output(rank)
    }

    pub(crate) fn is_test(&self, rank: u32) -> bool {
        self.state.paths.is_test(rank)
    }
}
