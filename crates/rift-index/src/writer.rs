//! Building and changing an index.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use rift_base::{FileUnits, ProjectPath};
use tantivy::directory::error::OpenReadError;
use tantivy::directory::{MmapDirectory, RamDirectory};
use tantivy::indexer::IndexWriterOptions;
use tantivy::indexer::{LogMergePolicy, NoMergePolicy};
use tantivy::schema::Field;
use tantivy::{Directory, Document, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, TantivyDocument, Term};

use crate::commit::{Running, committed_segments, roll_back_on_error, write_pending};
use crate::error::IndexError;
use crate::overlay::{Overlay, Row};
use crate::paths::PathTable;
use crate::schema::Fields;
use crate::searcher::Searcher;
use crate::tokenizer::CodeTokenizer;

/// Bytes of rows that may wait for an indexing thread while an index is built.
const WAITING_ROW_BYTES: usize = 4 << 20;
/// The share of deleted rows of a segment past which it is rewritten in the background.
const DELETED_SHARE_MAX: f32 = 0.3;
/// Rows of a segment past which it is not merged with others: what was built in bulk stays as it is, so that the work
/// of the edits behind it does not grow with the workspace.
const MERGED_ROWS_MAX: usize = 20_000;
/// Bytes that a thread of a bulk build gathers at most before it writes a segment.
const THREAD_MEMORY_MAX: usize = 160_000_000;
/// The memory of the one thread that applies deltas, in bytes: the least that tantivy takes.
const DELTA_MEMORY: usize = 15_000_000;

/// How an index is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexOptions {
    /// Threads that build an index in bulk, 1 to 8.
    pub threads: usize,
    /// Bytes that each of them may gather before it writes a segment, at least 15 MB; [`Index::expect`] raises it.
    pub thread_memory: usize,
    /// Bytes of text past which a file is held in several rows (`[search.text] max_chunk`).
    pub chunk_max: usize,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self { threads: 2, thread_memory: 40_000_000, chunk_max: 1 << 20 }
    }
}

/// A change of one file's rows.
#[derive(Debug, Clone)]
pub enum IndexDelta<'a> {
    /// The file's rows become these, whether it had any before or not.
    Replace(FileUnits<'a>),
    /// The file's rows go.
    Remove(&'a ProjectPath),
}

impl IndexDelta<'_> {
    /// The file whose rows change.
    pub fn path(&self) -> &ProjectPath {
        match self {
            Self::Replace(units) => units.path,
            Self::Remove(path) => path,
        }
    }
}

/// An index and its one writer. Readers hold [`Searcher`]s, which stay as they are.
pub struct Index {
    pub(crate) index: tantivy::Index,
    pub(crate) reader: IndexReader,
    pub(crate) fields: Arc<Fields>,
    pub(crate) options: IndexOptions,
    /// Opened by the first commit of a delta and kept; a running commit has it, and a bulk build one of its own.
    pub(crate) writer: Option<IndexWriter<Row>>,
    pub(crate) running: Option<Arc<Running>>,
    pub(crate) overlay: Overlay,
    pub(crate) current: Searcher,
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("options", &self.options).field("current", &self.current).finish_non_exhaustive()
    }
}

impl Index {
    /// A new, empty index in the existing and empty directory `dir`.
    ///
    /// # Errors
    /// [`IndexError::Exists`] when there is an index; [`IndexError::Engine`] when the directory cannot be
    /// written.
    pub fn create(dir: &Path, options: IndexOptions) -> Result<Self, IndexError> {
        let directory = MmapDirectory::open(dir).map_err(tantivy::TantivyError::from)?;
        if !matches!(tantivy::Index::exists(&directory), Ok(false)) {
            return Err(IndexError::Exists(dir.to_owned()));
        }
        Self::create_in(directory, options)
    }

    /// A new, empty index in memory.
    ///
    /// # Errors
    /// [`IndexError::Engine`] when the engine fails.
    pub fn in_memory(options: IndexOptions) -> Result<Self, IndexError> {
        Self::create_in(RamDirectory::create(), options)
    }

    /// The index that [`Index::create`] made in `dir`, in the state of its last commit.
    ///
    /// # Errors
    /// [`IndexError::Absent`] without one; [`IndexError::Foreign`] for one of another layout;
    /// [`IndexError::Corrupt`] when a file is missing or its checksum is wrong. The caller then empties the
    /// directory and builds anew.
    pub fn open(dir: &Path, options: IndexOptions) -> Result<Self, IndexError> {
        let corrupt = |detail: String| IndexError::Corrupt { path: dir.to_owned(), detail };
        let directory = MmapDirectory::open(dir).map_err(|_| IndexError::Absent(dir.to_owned()))?;
        if !tantivy::Index::exists(&directory).map_err(|e| corrupt(e.to_string()))? {
            return Err(IndexError::Absent(dir.to_owned()));
        }
        let index = tantivy::Index::open(directory).map_err(|e| opening(dir, e))?;
        let fields = Fields::new();
        if index.schema() != fields.schema {
            return Err(IndexError::Foreign(dir.to_owned()));
        }
        let mut damaged: Vec<PathBuf> = match index.validate_checksum() {
            Ok(files) => files.into_iter().collect(),
            Err(error) => return Err(opening(dir, error)),
        };
        damaged.sort_unstable();
        if let Some(file) = damaged.first() {
            return Err(corrupt(format!("{} and {} more: wrong checksum", file.display(), damaged.len() - 1)));
        }
        Self::around(index, fields, options).map_err(|error| match error {
            IndexError::Engine(error) => opening(dir, error),
            other => other,
        })
    }

    fn create_in(directory: impl Into<Box<dyn Directory>>, options: IndexOptions) -> Result<Self, IndexError> {
        let fields = Fields::new();
        // Rows hold nothing stored, so a thread that compresses them would idle.
        let settings = IndexSettings { docstore_compress_dedicated_thread: false, ..IndexSettings::default() };
        let index = tantivy::Index::create(directory, fields.schema.clone(), settings)?;
        Self::around(index, fields, options)
    }

    fn around(index: tantivy::Index, fields: Fields, options: IndexOptions) -> Result<Self, IndexError> {
        CodeTokenizer::register(index.tokenizers());
        let fields = Arc::new(fields);
        let reader: IndexReader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let stamp = index.load_metas()?.payload.unwrap_or_default();
        let current = Searcher::default();
        let overlay = Overlay::default();
        let mut index = Self { index, reader, fields, options, writer: None, running: None, overlay, current };
        index.publish(&stamp)?;
        Ok(index)
    }

    /// The newest state: what was committed, and what was staged since.
    pub fn searcher(&self) -> Searcher {
        self.current.clone()
    }

    /// Applies `delta` and commits it with `stamp`, a word of the caller's that says what the rows are rows of
    /// (it comes back from [`Searcher::stamp`], also after a restart). Of several entries for one file the
    /// last one holds. What is staged is committed with it. Takes some 20 ms for a few files, most of it for the disk.
    ///
    /// # Errors
    /// [`IndexError::Busy`] when another process writes; [`IndexError::Engine`] when the disk is full or
    /// gone, and then nothing of the delta is visible.
    pub fn apply(&mut self, delta: &[IndexDelta<'_>], stamp: &str) -> Result<Searcher, IndexError> {
        self.apply_streamed(stamp, |applying| delta.iter().try_for_each(|change| applying.change(change)))
    }

    /// [`Index::apply`] of a delta that need not be in memory as a whole: `feed` makes its changes one after another.
    ///
    /// # Errors
    /// Those of [`Index::apply`] and of `feed`.
    pub fn apply_streamed(
        &mut self,
        stamp: &str,
        feed: impl FnOnce(&Applying<'_>) -> Result<(), IndexError>,
    ) -> Result<Searcher, IndexError> {
        self.join_commit();
        let mut writer = match self.writer.take() {
            Some(writer) => writer,
            None => delta_writer(&self.index)?,
        };
        // After an error the writer is dropped with what it gathered: the next delta starts from the last commit.
        roll_back_on_error(&mut writer, |writer| {
            let staged = self.overlay.pending.iter().map(|(path, pending)| (path.clone(), pending.rows.clone()));
            write_pending(writer, &self.fields, &staged.collect::<Vec<_>>())?;
            feed(&Applying { writer, fields: &self.fields, chunk_max: self.options.chunk_max })?;
            commit(writer, stamp)
        })?;
        self.writer = Some(writer);
        self.publish(stamp)
    }

    /// Says how many bytes of text a bulk build is about to get. A third of them is gathered for a segment, as far as memory
    /// allows, so that a search of a large tree has not many more segments to look into than one of a small tree.
    pub fn expect(&mut self, bytes: u64) {
        let third = usize::try_from(bytes / 3).unwrap_or(usize::MAX);
        self.options.thread_memory = third.min(THREAD_MEMORY_MAX).max(self.options.thread_memory);
    }

    /// Starts over: the index will hold the rows that are added to the returned value and nothing else.
    ///
    /// # Errors
    /// As [`Index::apply`].
    pub fn bulk(&mut self) -> Result<Bulk<'_>, IndexError> {
        let bulk = self.extend()?;
        bulk.writer.delete_all_documents()?;
        Ok(Bulk { known: None, changed: AtomicBool::new(true), ..bulk })
    }

    /// Changes many files at once, on several threads: the rows that are added to the returned value replace those of
    /// their files. What is staged is committed first.
    ///
    /// # Errors
    /// As [`Index::apply`].
    pub fn extend(&mut self) -> Result<Bulk<'_>, IndexError> {
        self.join_commit();
        if !self.overlay.pending.is_empty() {
            let current = self.current.clone();
            self.apply(&[], current.stamp())?;
        }
        self.writer = None;
        let options = IndexWriterOptions::builder()
            .num_worker_threads(self.options.threads.clamp(1, 8))
            .num_merge_threads(1)
            .memory_budget_per_thread(self.options.thread_memory.max(DELTA_MEMORY));
        let writer: IndexWriter<WaitingRow> = self.index.writer_with_options(options.build())?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        let fields = Arc::clone(&self.fields);
        let known = Some(self.current.clone());
        Ok(Bulk {
            chunk_max: self.options.chunk_max,
            fields,
            gate: Arc::default(),
            known,
            changed: AtomicBool::new(false),
            writer,
            index: self,
        })
    }

    /// Makes what is committed the newest state, and forgets what was staged.
    fn publish(&mut self, stamp: &str) -> Result<Searcher, IndexError> {
        self.reader.reload()?;
        let mut segments = committed_segments(&self.reader, &self.fields, &self.current, &PathTable::default())?;
        let paths = PathTable::of(&segments);
        segments.iter_mut().for_each(|segment| *segment = segment.ranked(&paths));
        self.clear_overlay();
        self.current = Searcher::new(segments, Arc::new(paths), stamp.to_owned());
        Ok(self.current.clone())
    }
}

/// A delta that is being applied.
pub struct Applying<'w> {
    writer: &'w IndexWriter<Row>,
    fields: &'w Fields,
    chunk_max: usize,
}

impl fmt::Debug for Applying<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Applying").finish_non_exhaustive()
    }
}

impl Applying<'_> {
    /// Makes one change.
    ///
    /// # Errors
    /// [`IndexError::Engine`] when the indexing thread failed.
    pub fn change(&self, change: &IndexDelta<'_>) -> Result<(), IndexError> {
        self.writer.delete_term(Term::from_field_text(self.fields.path, change.path().as_str()));
        if let IndexDelta::Replace(units) = change {
            for row in self.fields.rows(units, self.chunk_max) {
                self.writer.add_document(Row::Own(row))?;
            }
        }
        Ok(())
    }
}

/// The writer of deltas.
pub(crate) fn delta_writer(index: &tantivy::Index) -> Result<IndexWriter<Row>, IndexError> {
    let options =
        IndexWriterOptions::builder().num_worker_threads(1).num_merge_threads(1).memory_budget_per_thread(DELTA_MEMORY);
    let writer = index.writer_with_options(options.build())?;
    let mut policy = LogMergePolicy::default();
    policy.set_del_docs_ratio_before_merge(DELETED_SHARE_MAX);
    policy.set_max_docs_before_merge(MERGED_ROWS_MAX);
    writer.set_merge_policy(Box::new(policy));
    Ok(writer)
}

/// Says what an error means for an index that was to be opened.
fn opening(dir: &Path, error: tantivy::TantivyError) -> IndexError {
    use tantivy::TantivyError as E;
    match error {
        E::IncompatibleIndex(_) | E::SchemaError(_) => IndexError::Foreign(dir.to_owned()),
        E::OpenReadError(OpenReadError::IncompatibleIndex(_)) => IndexError::Foreign(dir.to_owned()),
        E::LockFailure(..) => IndexError::Busy,
        error => IndexError::Corrupt { path: dir.to_owned(), detail: error.to_string() },
    }
}

pub(crate) fn commit<D: Document>(writer: &mut IndexWriter<D>, stamp: &str) -> Result<(), IndexError> {
    let mut prepared = writer.prepare_commit()?;
    prepared.set_payload(stamp);
    prepared.commit()?;
    Ok(())
}

/// An index under construction. Rows may be added by several threads at once. Dropped without
/// [`Bulk::finish`], it leaves the index as it was.
pub struct Bulk<'i> {
    index: &'i mut Index,
    /// The files that had rows before; absent when they are gone.
    known: Option<Searcher>,
    /// Whether rows were added or removed.
    changed: AtomicBool,
    writer: IndexWriter<WaitingRow>,
    fields: Arc<Fields>,
    chunk_max: usize,
    gate: Arc<Gate>,
}

impl fmt::Debug for Bulk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bulk").finish_non_exhaustive()
    }
}

impl Bulk<'_> {
    /// Adds a file, which must not have been added before. Waits while too much text is on its way to the
    /// indexing threads.
    ///
    /// # Errors
    /// [`IndexError::Engine`] when an indexing thread failed.
    pub fn add(&self, units: &FileUnits<'_>) -> Result<(), IndexError> {
        self.remove(units.path);
        self.changed.store(true, Ordering::Relaxed);
        for row in self.fields.rows(units, self.chunk_max) {
            let bytes = row_bytes(&row, self.fields.text);
            let permit = Gate::enter(&self.gate, bytes);
            self.writer.add_document(WaitingRow { row, _permit: permit })?;
        }
        Ok(())
    }

    /// Removes the rows that the file had before.
    pub fn remove(&self, path: &ProjectPath) {
        if self.known.as_ref().is_some_and(|known| known.state.paths.rank(path).is_some()) {
            self.writer.delete_term(Term::from_field_text(self.fields.path, path.as_str()));
            self.changed.store(true, Ordering::Relaxed);
        }
    }

    /// Whether rows were added or removed, so that there is something to commit.
    pub fn is_changed(&self) -> bool {
        self.changed.load(Ordering::Relaxed)
    }

    /// Commits the rows added so far with `stamp` and publishes them; more may follow.
    ///
    /// # Errors
    /// As [`Index::apply`].
    pub fn checkpoint(&mut self, stamp: &str) -> Result<Searcher, IndexError> {
        commit(&mut self.writer, stamp)?;
        self.index.publish(stamp)
    }

    /// Commits all rows with `stamp` (see [`Index::apply`]) and publishes them.
    ///
    /// # Errors
    /// As [`Index::apply`].
    pub fn finish(mut self, stamp: &str) -> Result<Searcher, IndexError> {
        commit(&mut self.writer, stamp)?;
        self.writer.wait_merging_threads()?;
        self.index.publish(stamp)
    }
}

/// What a row weighs while it waits: about its text.
pub(crate) fn row_bytes(row: &TantivyDocument, text: [Field; crate::schema::TEXT_FIELDS]) -> usize {
    use tantivy::schema::Value;
    let words = row.field_values().filter(|(field, _)| text.contains(field));
    512 + words.filter_map(|(_, value)| value.as_str().map(str::len)).sum::<usize>()
}

/// Bounds the bytes of rows that wait for an indexing thread: tantivy bounds their number alone, and ten
/// thousand files may be all the text there is.
#[derive(Default)]
struct Gate {
    waiting: Mutex<usize>,
    left: Condvar,
}

impl Gate {
    fn enter(gate: &Arc<Gate>, bytes: usize) -> Permit {
        let waiting = gate.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        // A row past the bound passes alone.
        let full = |waiting: &mut usize| *waiting > 0 && *waiting + bytes > WAITING_ROW_BYTES;
        let mut waiting = gate.left.wait_while(waiting, full).unwrap_or_else(PoisonError::into_inner);
        *waiting += bytes;
        Permit { gate: Arc::clone(gate), bytes }
    }
}

struct Permit {
    gate: Arc<Gate>,
    bytes: usize,
}

impl Drop for Permit {
    fn drop(&mut self) {
        *self.gate.waiting.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.gate.left.notify_all();
    }
}

/// A row that leaves its place at the gate when a thread takes it up, or when it is dropped.
struct WaitingRow {
    row: TantivyDocument,
    _permit: Permit,
}

impl Document for WaitingRow {
    type Value<'a> = <TantivyDocument as Document>::Value<'a>;
    type FieldsValuesIter<'a> = <TantivyDocument as Document>::FieldsValuesIter<'a>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        self.row.iter_fields_and_values()
    }

    fn into_tantivy_document(self) -> TantivyDocument {
        self.row
    }
}
