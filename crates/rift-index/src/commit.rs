//! Commits beside the searches and stages: what is staged goes to disk while more is staged.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use rift_base::ProjectPath;
use tantivy::{IndexReader, IndexWriter, Term};

use crate::error::IndexError;
use crate::overlay::{Row, Rows};
use crate::paths::PathTable;
use crate::schema::Fields;
use crate::searcher::Searcher;
use crate::segment::{Segment, SegmentCore};
use crate::writer::{Index, commit, delta_writer};

/// A commit that runs, as the index knows it.
pub(crate) struct Running {
    /// The last stage that it holds.
    pub(crate) upto: u64,
    outcome: Mutex<Option<Result<Committed, IndexError>>>,
    ended: Condvar,
}

/// What a commit made.
struct Committed {
    writer: IndexWriter<Row>,
    segments: Vec<Segment>,
    /// The table that the segments' ranks are of.
    table: Arc<PathTable>,
}

/// A commit of what was staged when it was begun. [`CommitJob::run`] it on any thread, then have the index
/// [`adopt`](Index::adopt) it. Dropped without running, it counts as failed.
pub struct CommitJob {
    running: Arc<Running>,
    writer: Option<IndexWriter<Row>>,
    index: tantivy::Index,
    reader: IndexReader,
    fields: Arc<Fields>,
    changes: Vec<(ProjectPath, Option<Rows>)>,
    /// The searcher at the time; its segments need not be opened again.
    base: Searcher,
}

impl fmt::Debug for CommitJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommitJob").field("files", &self.changes.len()).finish_non_exhaustive()
    }
}

impl CommitJob {
    /// Writes and commits, which takes tens of milliseconds.
    pub fn run(mut self) {
        let outcome = self.committed();
        self.end(outcome);
    }

    fn committed(&mut self) -> Result<Committed, IndexError> {
        let mut writer = match self.writer.take() {
            Some(writer) => writer,
            None => delta_writer(&self.index)?,
        };
        let write = |writer: &mut IndexWriter<Row>| -> Result<(), IndexError> {
            write_pending(writer, &self.fields, &self.changes)?;
            commit(writer, self.base.stamp())
        };
        roll_back_on_error(&mut writer, write)?;
        self.reader.reload()?;
        let table = Arc::clone(&self.base.state.paths);
        let segments = committed_segments(&self.reader, &self.fields, &self.base, &table)?;
        Ok(Committed { writer, segments, table })
    }

    fn end(&self, outcome: Result<Committed, IndexError>) {
        *self.running.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        self.running.ended.notify_all();
    }
}

impl Drop for CommitJob {
    fn drop(&mut self) {
        let mut outcome = self.running.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        // Also when the outcome was adopted meanwhile: nobody waits for it then.
        if outcome.is_none() {
            *outcome = Some(Err(IndexError::Abandoned));
            self.running.ended.notify_all();
        }
    }
}

impl Index {
    /// A commit of everything that is staged; none when nothing is, or while another runs. Edits may be staged
    /// while it runs.
    pub fn begin_commit(&mut self) -> Option<CommitJob> {
        if self.running.is_some() || self.overlay.pending.is_empty() {
            return None;
        }
        let upto = self.overlay.last;
        let running = Arc::new(Running { upto, outcome: Mutex::default(), ended: Condvar::new() });
        self.running = Some(Arc::clone(&running));
        let changes = self.overlay.pending.iter().map(|(path, pending)| (path.clone(), pending.rows.clone())).collect();
        Some(CommitJob {
            running,
            writer: self.writer.take(),
            index: self.index.clone(),
            reader: self.reader.clone(),
            fields: Arc::clone(&self.fields),
            changes,
            base: self.current.clone(),
        })
    }

    /// Takes over a commit that has run: its rows leave memory. Gives the searcher that the new one replaces, when there
    /// was a commit; the last one that holds files which a merge removed takes long to drop.
    ///
    /// # Errors
    /// What the commit met. Its rows stay staged, and the next commit holds them too.
    pub fn adopt(&mut self) -> Result<Option<Searcher>, IndexError> {
        let Some(running) = &self.running else { return Ok(None) };
        let outcome = running.outcome.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(outcome) = outcome else { return Ok(None) };
        let upto = running.upto;
        self.running = None;
        let committed = outcome?;
        self.writer = Some(committed.writer);
        let before = self.current.clone();
        self.over_committed(committed.segments, &committed.table, upto)?;
        Ok(Some(before))
    }

    /// Waits for the commit that runs, if one does, and takes it over. What it met is logged: its rows stay staged.
    pub(crate) fn join_commit(&mut self) {
        if let Some(running) = self.running.clone() {
            let outcome = running.outcome.lock().unwrap_or_else(PoisonError::into_inner);
            drop(running.ended.wait_while(outcome, |outcome| outcome.is_none()));
        }
        if let Err(error) = self.adopt() {
            tracing::warn!("a commit of the index failed and will be tried again: {error}");
        }
    }
}

/// Deletes the rows of the changed files and adds those that they have now.
pub(crate) fn write_pending(
    writer: &IndexWriter<Row>,
    fields: &Fields,
    changes: &[(ProjectPath, Option<Rows>)],
) -> Result<(), IndexError> {
    for (path, rows) in changes {
        writer.delete_term(Term::from_field_text(fields.path, path.as_str()));
        if let Some(rows) = rows {
            for at in 0..rows.len() {
                writer.add_document(Row::Shared(Arc::clone(rows), at))?;
            }
        }
    }
    Ok(())
}

/// Runs `write`; after an error, what it gathered is forgotten.
pub(crate) fn roll_back_on_error(
    writer: &mut IndexWriter<Row>,
    write: impl FnOnce(&mut IndexWriter<Row>) -> Result<(), IndexError>,
) -> Result<(), IndexError> {
    let outcome = write(writer);
    if outcome.is_err()
        && let Err(rollback) = writer.rollback()
    {
        tracing::warn!("could not roll back the index: {rollback}");
    }
    outcome
}

/// The segments that the reader has, ranked by `table`.
pub(crate) fn committed_segments(
    reader: &IndexReader,
    fields: &Fields,
    known: &Searcher,
    table: &PathTable,
) -> Result<Vec<Segment>, IndexError> {
    let searcher = reader.searcher();
    let readers = searcher.segment_readers().iter();
    readers
        .map(|reader| {
            let core = SegmentCore::open(reader, fields, &known.state.segments, &known.state.paths, false)?;
            // Asked while the files are there: a merge may remove them.
            core.usage();
            Ok(Segment::committed(core, table))
        })
        .collect()
}
