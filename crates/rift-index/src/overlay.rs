//! Rows that are searched before they are committed.
//!
//! A commit takes some 20 ms, most of it for the disk. So an edit's rows become a small segment in memory, which a
//! searcher holds beside the committed ones, with the rows that they supersede hidden there. Statistics, paths and
//! names count live rows alone, so answers are those of an index where everything is committed. Commits follow when
//! the caller has time for them ([`Index::begin_commit`]).

use std::collections::BTreeMap;
use std::sync::Arc;

use rift_base::{FileUnits, ProjectPath};
use tantivy::directory::RamDirectory;
use tantivy::index::SegmentReader;
use tantivy::schema::document::Document;
use tantivy::tokenizer::TokenizerManager;
use tantivy::{IndexSettings, TantivyDocument};

use crate::error::IndexError;
use crate::paths::PathTable;
use crate::schema::Fields;
use crate::searcher::Searcher;
use crate::segment::{Segment, SegmentCore};
use crate::tokenizer::CodeTokenizer;
use crate::writer::{Index, IndexDelta, row_bytes};

/// Segments that edits are staged in, beside those of a commit that runs: past it, they become one.
const STAGED_SEGMENTS_MAX: usize = 12;
/// Staged segments from which on a commit is due.
const COMMIT_SEGMENTS: usize = 6;
/// Bytes of staged rows from which on a commit is due.
const COMMIT_BYTES: usize = 2 << 20;
/// Bytes of staged rows past which an edit waits for a commit.
const STAGED_BYTES_MAX: usize = 16 << 20;
/// The memory budget of a staged segment in bytes, by which tantivy sizes its table of terms; the table grows when
/// it has to.
const STAGED_MEMORY: usize = 300_000;

/// The rows of one file.
pub(crate) type Rows = Arc<[TantivyDocument]>;

/// What is staged of one file.
#[derive(Clone)]
pub(crate) struct Pending {
    /// The number of the stage that it comes from.
    pub(crate) number: u64,
    /// Its rows; absent when it has none any more.
    pub(crate) rows: Option<Rows>,
    bytes: usize,
}

/// What is staged and not committed.
#[derive(Default)]
pub(crate) struct Overlay {
    pub(crate) pending: BTreeMap<ProjectPath, Pending>,
    bytes: usize,
    /// The number of the last stage.
    pub(crate) last: u64,
    /// The stages of the searcher's last segments.
    segments: Vec<u64>,
}

/// How much is staged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Staged {
    /// Files whose rows changed or went.
    pub files: usize,
    /// Segments in memory.
    pub segments: usize,
    /// Bytes of their rows.
    pub bytes: usize,
}

impl Staged {
    /// Whether a commit should not wait for a pause in the edits.
    pub fn is_commit_due(&self) -> bool {
        self.segments >= COMMIT_SEGMENTS || self.bytes >= COMMIT_BYTES
    }
}

impl Overlay {
    /// Forgets the stages up to `number`.
    pub(crate) fn committed(&mut self, number: u64) {
        self.pending.retain(|_, pending| pending.number > number);
        self.bytes = self.pending.values().map(|pending| pending.bytes).sum();
    }

    fn note(&mut self, path: ProjectPath, pending: Pending) {
        self.bytes += pending.bytes;
        if let Some(before) = self.pending.insert(path, pending) {
            self.bytes -= before.bytes;
        }
    }
}

impl Index {
    /// Makes `delta` searchable without committing it; `stamp` as for [`Index::apply`]. Of several entries for one
    /// file the last one holds. Takes a millisecond or two for a file, whatever the size of the index, and is lost
    /// when the process ends before a commit. Where very much is staged already, it applies the delta instead.
    ///
    /// # Errors
    /// [`IndexError::Engine`] when the engine fails, and then nothing of the delta is visible; those of
    /// [`Index::apply`].
    pub fn stage(&mut self, delta: &[IndexDelta<'_>], stamp: &str) -> Result<Searcher, IndexError> {
        let number = self.overlay.last + 1;
        let mut changes: BTreeMap<ProjectPath, Pending> = BTreeMap::new();
        for change in delta {
            changes.insert(change.path().clone(), self.pending(change, number));
        }
        let bytes: usize = changes.values().map(|pending| pending.bytes).sum();
        if self.overlay.bytes + bytes > STAGED_BYTES_MAX {
            return self.apply(delta, stamp);
        }
        self.regroup(&mut changes, number);
        let tokenizers = self.index.tokenizers().clone();
        let built = build(&self.fields, tokenizers, &self.current.state.paths, &changes)?;
        self.current = self.with_staged(&changes, built, stamp)?;
        self.overlay.last = number;
        for (path, pending) in changes {
            self.overlay.note(path, pending);
        }
        Ok(self.current.clone())
    }

    /// Holds files of more than `chunk_max` bytes in several rows from now on ([`crate::IndexOptions`]). Rows that there are
    /// stay as they are: the caller gives those of such files again.
    pub fn set_chunk_max(&mut self, chunk_max: usize) {
        self.options.chunk_max = chunk_max;
    }

    /// How much is staged and not committed.
    pub fn staged(&self) -> Staged {
        Staged { files: self.overlay.pending.len(), segments: self.overlay.segments.len(), bytes: self.overlay.bytes }
    }

    fn pending(&self, change: &IndexDelta<'_>, number: u64) -> Pending {
        let rows: Option<Rows> = match change {
            IndexDelta::Replace(units) => Some(self.fields.rows(units, self.options.chunk_max).collect()),
            IndexDelta::Remove(_) => None,
        };
        let bytes = rows.iter().flat_map(|rows| rows.iter()).map(|row| row_bytes(row, self.fields.text)).sum();
        Pending { number, rows, bytes }
    }

    /// Adds the files of all stages that no commit holds to `changes` once their segments are many.
    fn regroup(&self, changes: &mut BTreeMap<ProjectPath, Pending>, number: u64) {
        let running = self.running.as_ref().map_or(0, |running| running.upto);
        if self.overlay.segments.iter().filter(|stage| **stage > running).count() < STAGED_SEGMENTS_MAX {
            return;
        }
        for (path, pending) in self.overlay.pending.iter().filter(|(_, pending)| pending.number > running) {
            changes.entry(path.clone()).or_insert_with(|| Pending { number, ..pending.clone() });
        }
    }

    /// The current searcher with the rows of the changed files replaced by those of `built`.
    fn with_staged(
        &mut self,
        changes: &BTreeMap<ProjectPath, Pending>,
        built: Option<Arc<SegmentCore>>,
        stamp: &str,
    ) -> Result<Searcher, IndexError> {
        let (mut segments, table) = self.current.without_changed(changes)?;
        // Staged segments without live rows go.
        let committed = segments.len() - self.overlay.segments.len();
        let mut stages = std::mem::take(&mut self.overlay.segments);
        let mut staged = segments.split_off(committed);
        stages = stages.into_iter().zip(&staged).filter(|(_, s)| s.rows() > 0).map(|(number, _)| number).collect();
        staged.retain(|segment| segment.rows() > 0);
        segments.extend(staged);
        if let Some(core) = built {
            segments.push(Segment::committed(core, &table));
            stages.push(self.overlay.last + 1);
        }
        self.overlay.segments = stages;
        Ok(Searcher::new(segments, table, stamp.to_owned()))
    }

    /// The state of a finished commit of the stages up to `upto`, with later ones still staged beside it.
    pub(crate) fn over_committed(
        &mut self,
        mut segments: Vec<Segment>,
        table: &Arc<PathTable>,
        upto: u64,
    ) -> Result<(), IndexError> {
        let state = &self.current.state;
        self.overlay.committed(upto);
        // What is live does not change by a commit, nor do the paths.
        for segment in &mut segments {
            *segment = segment.without(self.overlay.pending.keys())?;
            if !Arc::ptr_eq(table, &state.paths) {
                *segment = segment.ranked(&state.paths);
            }
        }
        let staged = &state.segments[state.segments.len() - self.overlay.segments.len()..];
        let kept = self.overlay.segments.iter().zip(staged).filter(|(number, _)| **number > upto);
        let (stages, staged): (Vec<u64>, Vec<Segment>) = kept.map(|(number, s)| (*number, s.clone())).unzip();
        segments.extend(staged);
        self.overlay.segments = stages;
        self.current = Searcher::new(segments, Arc::clone(&state.paths), self.current.stamp().to_owned());
        Ok(())
    }

    /// Forgets everything that is staged.
    pub(crate) fn clear_overlay(&mut self) {
        self.overlay = Overlay { last: self.overlay.last, ..Overlay::default() };
    }
}

impl Searcher {
    /// This state with the rows of `units` beside it, in place of those that their files have here; `chunk_max` as in
    /// [`crate::IndexOptions`]. It ranks as an index of all these rows does, and nothing is written anywhere.
    ///
    /// # Errors
    /// [`IndexError::Engine`] when the engine fails.
    pub fn with(&self, units: &[FileUnits<'_>], chunk_max: usize) -> Result<Searcher, IndexError> {
        let fields = Fields::new();
        let tokenizers = TokenizerManager::default();
        CodeTokenizer::register(&tokenizers);
        let rows = |units: &FileUnits<'_>| Some(fields.rows(units, chunk_max).collect());
        let pending = |units: &FileUnits<'_>| (units.path.clone(), Pending { number: 0, rows: rows(units), bytes: 0 });
        let changes: BTreeMap<ProjectPath, Pending> = units.iter().map(pending).collect();
        let built = build(&fields, tokenizers, &self.state.paths, &changes)?;
        let (mut segments, table) = self.without_changed(&changes)?;
        segments.extend(built.map(|core| Segment::committed(core, &table)));
        Ok(Searcher::new(segments, table, self.stamp().to_owned()))
    }

    /// The segments without the rows of changed files, and the table of the paths that there will be.
    fn without_changed(
        &self,
        changes: &BTreeMap<ProjectPath, Pending>,
    ) -> Result<(Vec<Segment>, Arc<PathTable>), IndexError> {
        let state = &self.state;
        let mut segments =
            state.segments.iter().map(|s| s.without(changes.keys())).collect::<Result<Vec<Segment>, _>>()?;
        let mut table = Arc::clone(&state.paths);
        let is_known = |path: &&ProjectPath| table.rank(path).is_some();
        let present = changes.iter().filter(|(_, pending)| pending.rows.is_some()).map(|(path, _)| path);
        let added: Vec<ProjectPath> = present.filter(|path| !is_known(path)).cloned().collect();
        let absent = changes.iter().filter(|(_, pending)| pending.rows.is_none()).map(|(path, _)| path);
        let removed: Vec<u32> = absent.filter_map(|path| table.rank(path)).collect();
        if !added.is_empty() || !removed.is_empty() {
            let (changed, moved) = table.changed(&added, &removed);
            segments.iter_mut().for_each(|segment| *segment = segment.moved(&moved));
            table = Arc::new(changed);
        }
        Ok((segments, table))
    }
}

/// One segment in memory of the changed files' rows; none when there are no rows.
fn build(
    fields: &Fields,
    tokenizers: TokenizerManager,
    table: &PathTable,
    changes: &BTreeMap<ProjectPath, Pending>,
) -> Result<Option<Arc<SegmentCore>>, IndexError> {
    let mut rows = changes.values().filter_map(|pending| pending.rows.as_ref()).peekable();
    if rows.peek().is_none() {
        return Ok(None);
    }
    let settings = IndexSettings { docstore_compress_dedicated_thread: false, ..IndexSettings::default() };
    let builder = tantivy::Index::builder().schema(fields.schema.clone()).settings(settings).tokenizers(tokenizers);
    let mut writer = builder.single_segment_index_writer::<Row>(RamDirectory::create(), STAGED_MEMORY)?;
    for rows in rows {
        for at in 0..rows.len() {
            writer.add_document(Row::Shared(Arc::clone(rows), at))?;
        }
    }
    let built = writer.finalize()?;
    let Some(segment) = built.searchable_segments()?.pop() else { return Ok(None) };
    let reader = SegmentReader::open(&segment)?;
    SegmentCore::open(&reader, fields, &[], table, true).map(Some)
}

/// A row on its way into a segment.
pub(crate) enum Row {
    /// Made for that.
    Own(TantivyDocument),
    /// One that stays staged.
    Shared(Rows, usize),
}

impl Row {
    fn document(&self) -> &TantivyDocument {
        match self {
            Row::Own(row) => row,
            Row::Shared(rows, at) => &rows[*at],
        }
    }
}

impl Document for Row {
    type Value<'a> = <TantivyDocument as Document>::Value<'a>;
    type FieldsValuesIter<'a> = <TantivyDocument as Document>::FieldsValuesIter<'a>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        self.document().iter_fields_and_values()
    }
}
