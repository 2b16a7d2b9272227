//! Rows for patterns, made behind the answers: one thread gives rows to files that have none, and keeps the segments tidy. It
//! holds the lane to see what is to do and to hand over what is done, not while it works.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use query_graph::FileEntry;
use rift_base::ProjectPath;
use rift_index::{ContentKey, Extractor, RecentRow, SegmentBuilder, TrigramRow, TrigramStore};
use rustc_hash::FxHashSet;

use crate::error::HostError;
use crate::host::Shared;
use crate::patterns::{Lacking, RECENT_FILES, content_key, row};
use crate::signal::Signal;
use crate::stores::open_trigrams;

/// The thread. Dropped, it ends.
pub(crate) struct Filler {
    signal: Arc<Signal>,
    thread: Option<JoinHandle<()>>,
}

impl Filler {
    pub(crate) fn start(shared: Arc<Shared>) -> Self {
        let signal = shared.lane().patterns.signal.clone();
        let woken = signal.clone();
        let run = move || {
            let mut work =
                Work { shared, signal: woken, store: None, extractor: Extractor::default(), room: Vec::new() };
            while work.signal.wait() {
                if let Err(error) = work.run() {
                    tracing::warn!("the index for patterns could not be written and will be again: {error}");
                    // Its next state is read from what is on disk.
                    work.store = None;
                    if !work.signal.pause() {
                        return;
                    }
                    work.signal.raise();
                }
            }
        };
        let thread = crate::behind::spawn("rift-patterns", run);
        Self { signal, thread }
    }
}

impl Drop for Filler {
    fn drop(&mut self) {
        self.signal.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Work {
    shared: Arc<Shared>,
    signal: Arc<Signal>,
    /// Opened by the first round.
    store: Option<TrigramStore>,
    extractor: Extractor,
    room: Vec<u8>,
}

/// What a round has to do.
struct Task {
    /// Files without rows.
    files: Vec<FileEntry>,
    recent: Vec<Arc<RecentRow>>,
}

impl Work {
    /// Gives rows to every file that has none, and makes a segment of recent ones when they are many.
    fn run(&mut self) -> Result<(), HostError> {
        let mut store = match self.store.take() {
            Some(store) => store,
            None => {
                let folder: PathBuf = self.shared.lane().stores.trigram_folder();
                let store = open_trigrams(&folder)?;
                self.begin(&store);
                store
            }
        };
        let outcome = self.fill(&mut store);
        self.store = Some(store);
        outcome
    }

    /// Publishes the rows of an earlier process.
    fn begin(&self, store: &TrigramStore) {
        let state = store.state();
        let known: FxHashSet<(&ProjectPath, ContentKey)> = state.rows().map(|row| (&row.path, row.content)).collect();
        let mut lane = self.shared.lane();
        let current = self.shared.current();
        let rows = &mut lane.patterns.rows;
        let recent = rows.trigrams.clone();
        let is_recent = |entry: &FileEntry, key: ContentKey| {
            recent.recent().iter().any(|recent| recent.row.content == key && recent.row.path == entry.path)
        };
        let mut lacking = BTreeSet::new();
        current.tree.walk(&mut |entry| {
            if let Some(key) = content_key(entry)
                && !known.contains(&(&entry.path, key))
                && !is_recent(entry, key)
            {
                lacking.insert(entry.path.clone());
            }
        });
        rows.lacking = Lacking::These(Arc::new(lacking));
        rows.trigrams = rows.trigrams.over(&state, &[]);
        self.publish(&lane);
    }

    fn fill(&mut self, store: &mut TrigramStore) -> Result<(), HostError> {
        loop {
            let task = self.task();
            if task.files.is_empty() && task.recent.len() < RECENT_FILES || self.signal.is_stopping() {
                return Ok(());
            }
            let state = store.state();
            let known: FxHashSet<(&ProjectPath, ContentKey)> =
                state.rows().map(|row| (&row.path, row.content)).collect();
            let (mut builder, mut held, mut done) = (SegmentBuilder::default(), Vec::new(), Vec::new());
            for recent in task.recent {
                if !known.contains(&(&recent.row.path, recent.row.content)) {
                    builder.add(recent.row.clone(), recent.trigrams());
                }
                held.push(recent);
                if builder.is_full() {
                    self.write(store, &mut builder, &mut held, &mut done)?;
                }
            }
            for entry in &task.files {
                if self.signal.is_stopping() {
                    return Ok(());
                }
                let (Some(row), Some(text)) = (row(entry), entry.searched_text()) else { continue };
                if known.contains(&(&row.path, row.content)) {
                    done.push(row);
                    continue;
                }
                builder.add(row, self.extractor.trigrams(text.read(&mut self.room)));
                if builder.is_full() {
                    self.write(store, &mut builder, &mut held, &mut done)?;
                }
            }
            self.write(store, &mut builder, &mut held, &mut done)?;
            self.tidy(store)?;
        }
    }

    /// What is to do now.
    fn task(&self) -> Task {
        let lane = self.shared.lane();
        let rows = &lane.patterns.rows;
        let Lacking::These(lacking) = &rows.lacking else { return Task { files: Vec::new(), recent: Vec::new() } };
        let recent = rows.trigrams.recent();
        let takes_recent = !lacking.is_empty() || recent.len() >= RECENT_FILES;
        let recent = if takes_recent { recent.to_vec() } else { Vec::new() };
        let (lacking, current) = (lacking.clone(), self.shared.current());
        drop(lane);
        let entry =
            |path: &ProjectPath| current.tree.file(path).filter(|entry| entry.searched_text().is_some()).cloned();
        Task { files: lacking.iter().filter_map(entry).collect(), recent }
    }

    /// Writes what was gathered and hands it over.
    fn write(
        &self,
        store: &mut TrigramStore,
        builder: &mut SegmentBuilder,
        held: &mut Vec<Arc<RecentRow>>,
        done: &mut Vec<TrigramRow>,
    ) -> Result<(), HostError> {
        let builder = std::mem::take(builder);
        if !builder.is_empty() {
            done.extend(store.add(builder)?);
        }
        self.adopt(store, &std::mem::take(held), &std::mem::take(done));
        Ok(())
    }

    /// Puts the store's segments in the place of those before. The recent rows `held` are in them, and so are the rows `done`.
    fn adopt(&self, store: &TrigramStore, held: &[Arc<RecentRow>], done: &[TrigramRow]) {
        let mut lane = self.shared.lane();
        let current = self.shared.current();
        let rows = &mut lane.patterns.rows;
        rows.trigrams = rows.trigrams.over(&store.state(), held);
        if let Lacking::These(lacking) = &mut rows.lacking
            && !lacking.is_empty()
        {
            let lacking = Arc::make_mut(lacking);
            for row in done {
                // A file that changed meanwhile lacks rows still.
                if current.tree.file(&row.path).and_then(content_key) == Some(row.content) {
                    lacking.remove(&row.path);
                }
            }
        }
        self.publish(&lane);
    }

    /// Merges and drops until nothing is left to do.
    fn tidy(&self, store: &mut TrigramStore) -> Result<(), HostError> {
        let current = self.shared.current();
        let live = |row: &TrigramRow| current.tree.file(&row.path).and_then(content_key) == Some(row.content);
        while !self.signal.is_stopping() && store.tidy(&live)? {
            self.adopt(store, &[], &[]);
        }
        Ok(())
    }

    /// Puts the lane's rows in place. Until they are complete, a state with more of them may answer otherwise; then it is another
    /// one.
    fn publish(&self, lane: &crate::lane::Lane) {
        let current = self.shared.current();
        let id = lane.view_id(current.tree.digest, current.preparation);
        let is_same = id == current.view_id;
        let next = current.with_rows(lane.patterns.rows.clone(), id);
        if is_same {
            self.shared.replace(next);
        } else {
            self.shared.swap(Arc::new(next));
        }
    }
}
