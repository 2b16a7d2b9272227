//! The writer's side: the ground state, the index and what is published. One lane per workspace; whoever holds it is the
//! writer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use query_graph::{
    Change, Content, Db as _, DirectoryManifest, File, FileEntry, Ground, LeftOut, RootDatabase, Source, StoredText,
    directory_manifest, directory_summary, file_entry, file_summary,
};
use rift_base::{Config, Digest, Presence, ProjectPath, Unavailable};
use rift_index::{Index, IndexDelta, IndexOptions, Searcher};
use rift_workspace::{FileStamp, IndexRules, LanguageMap, Omission, Reader};
use rustc_hash::FxHashSet;

use crate::change::Owed;
use crate::committer::Signal;
use crate::error::HostError;
use crate::gate::Gate;
use crate::patterns::LanePatterns;
use crate::publication::{Preparation, Publication, Resolved, view_id};
use crate::stamps::Stamps;
use crate::stores::Stores;
use crate::units::{Feed, version};
use crate::vectors::LaneVectors;

/// Files of one change past which it is committed at once and not staged.
const STAGED_FILES_MAX: usize = 64;
/// Bytes of text of one change past which it is committed at once and not staged.
const STAGED_BYTES_MAX: u64 = 4 << 20;

/// Everything that only the writer touches.
pub(crate) struct Lane {
    pub(crate) root: PathBuf,
    pub(crate) context: String,
    /// What the workspace is called where no manifest names it.
    pub(crate) name: String,
    pub(crate) ground: Ground,
    /// Opened by preparation, and taken out while that streams rows into it.
    pub(crate) index: Option<Index>,
    /// The `max_chunk` that the index was opened with.
    pub(crate) chunk_max: usize,
    pub(crate) config: Arc<Config>,
    pub(crate) config_digest: Digest,
    pub(crate) languages: Arc<LanguageMap>,
    pub(crate) rules: Arc<IndexRules>,
    pub(crate) stamps: Stamps,
    /// What an accepted configuration still asks for.
    pub(crate) owed: Owed,
    /// What discovery could not catalog and no rule hides.
    pub(crate) omissions: BTreeSet<Omission>,
    pub(crate) generation: u64,
    pub(crate) threads: usize,
    pub(crate) committer: Arc<Signal>,
    /// Which files may hold a match of a pattern.
    pub(crate) patterns: LanePatterns,
    /// What ranks by vectors.
    pub(crate) vectors: LaneVectors,
    // Last: the index closes its files before their folder goes.
    pub(crate) stores: Stores,
}

impl Lane {
    /// The index, with the rows of an earlier process where it has any.
    pub(crate) fn take_index(&mut self) -> Result<Index, HostError> {
        if let Some(index) = self.index.take() {
            return Ok(index);
        }
        self.chunk_max = self.config_chunk_max();
        let options = IndexOptions { threads: 1, chunk_max: self.chunk_max, ..IndexOptions::default() };
        self.stores.open(options)
    }

    /// The `max_chunk` that the configuration states.
    fn config_chunk_max(&self) -> usize {
        usize::try_from(self.config.search.text_max_chunk).unwrap_or(usize::MAX)
    }

    /// Takes over a changed `max_chunk`: the files of `tree` whose rows it changes join `different`.
    fn rechunk(&mut self, tree: &DirectoryManifest, different: &mut BTreeMap<ProjectPath, Option<FileEntry>>) {
        let (before, after) = (self.chunk_max, self.config_chunk_max());
        let Some(index) = self.index.as_mut().filter(|_| before != after) else { return };
        index.set_chunk_max(after);
        self.chunk_max = after;
        tree.walk(&mut |entry| {
            if version(entry, before) != version(entry, after) {
                different.insert(entry.path.clone(), Some(entry.clone()));
            }
        });
    }

    /// Reads `paths` from disk, in parallel, and says what each holds now.
    pub(crate) fn read(&self, paths: &[ProjectPath]) -> Vec<(Change, FileStamp)> {
        let workers = self.threads.clamp(1, paths.len().max(1));
        if workers == 1 {
            let mut reader = Reader::new(&self.root);
            return paths.iter().map(|path| self.read_one(&mut reader, path)).collect();
        }
        let share = paths.len().div_ceil(workers).max(1);
        // Each worker takes one run of neighbours, so that a directory is checked once.
        let runs: Vec<Vec<(Change, FileStamp)>> = std::thread::scope(|scope| {
            let started: Vec<_> = paths
                .chunks(share)
                .map(|run| {
                    scope.spawn(move || {
                        let mut reader = Reader::new(&self.root);
                        run.iter().map(|path| self.read_one(&mut reader, path)).collect::<Vec<_>>()
                    })
                })
                .collect();
            started.into_iter().map(|s| s.join().unwrap_or_default()).collect()
        });
        runs.into_iter().flatten().collect()
    }

    fn read_one(&self, reader: &mut Reader, path: &ProjectPath) -> (Change, FileStamp) {
        let (content, stamp) = content(reader, &self.languages, &self.rules, path);
        (Change { path: path.clone(), content }, stamp)
    }

    /// Sets what `changes` say and computes the facts of what changed, in parallel, handing each file's entry to
    /// `use_entry` on the worker that computed it.
    pub(crate) fn set(
        &mut self,
        gate: &Gate,
        changes: Vec<Change>,
        use_entry: &(dyn Fn(&RootDatabase, FileEntry) -> Result<(), HostError> + Sync),
    ) -> Result<Vec<File>, HostError> {
        let changed = gate.write(|db| self.ground.apply(db, changes));
        analyse(gate, &changed, self.threads, use_entry)?;
        gate.write(|db| self.ground.settle(db));
        Ok(changed)
    }

    /// Hands the entries of those of `paths` to `use_entry` that are not among `changed`.
    pub(crate) fn analyse_others(
        &self,
        gate: &Gate,
        paths: &[ProjectPath],
        changed: &[File],
        use_entry: &(dyn Fn(&RootDatabase, FileEntry) -> Result<(), HostError> + Sync),
    ) -> Result<(), HostError> {
        if paths.len() == changed.len() {
            return Ok(());
        }
        let changed: FxHashSet<&File> = changed.iter().collect();
        let files = paths.iter().filter_map(|path| self.ground.file(path));
        let others: Vec<File> = files.filter(|file| !changed.contains(file)).collect();
        analyse(gate, &others, self.threads, use_entry)
    }

    /// The publication of the database's present state.
    pub(crate) fn publication(
        &mut self,
        gate: &Gate,
        searcher: Searcher,
        preparation: Option<Preparation>,
    ) -> Arc<Publication> {
        let root = gate.read(|db| self.ground.root(db));
        let (tree, summary) = gate.read(|db| (directory_manifest(db, root), directory_summary(db, root)));
        self.generation += 1;
        gate.read(|db| db.counters().mark(self.generation));
        self.vectors.over(&self.config.search.vector, &tree, preparation);
        let view_id = self.view_id(tree.digest, preparation);
        Arc::new(Publication {
            generation: self.generation,
            config: self.config.clone(),
            config_digest: self.config_digest,
            view_id,
            tree,
            summary,
            searcher,
            rows: self.patterns.rows.clone(),
            vectors: self.vectors.state.clone(),
            preparation,
            omitted: self.omissions.iter().map(|o| format!("{} ({})", o.path, o.reason)).collect(),
            forced: None,
            resolved: Arc::new(Resolved::default()),
        })
    }

    /// The identity of a view of `tree`.
    pub(crate) fn view_id(&self, tree: Digest, preparation: Option<Preparation>) -> String {
        let lag = self.patterns.lag(&self.config.search, self.stamps.len(), self.stamps.bytes());
        view_id(&self.context, tree, self.config_digest, preparation, lag, self.vectors.state.mark())
    }

    /// Applies `changes` to a prepared workspace: sets them, feeds the index what differs between the trees, and gives
    /// the next publication. Absent when nothing changed, the configuration included.
    pub(crate) fn update(
        &mut self,
        gate: &Gate,
        before: &DirectoryManifest,
        changes: Vec<Change>,
        reconfigured: bool,
    ) -> Result<Option<Arc<Publication>>, HostError> {
        let changed = self.set(gate, changes, &|_, _| Ok(()))?;
        let root = gate.read(|db| self.ground.root(db));
        let after = gate.read(|db| directory_manifest(db, root));
        // An attempt that failed may have set what it did not get to publish.
        if changed.is_empty() && !reconfigured && *after == *before {
            return Ok(None);
        }
        let mut different = BTreeMap::new();
        differences(before, &after, &mut different);
        self.rechunk(&after, &mut different);
        let index = self.index.as_mut().ok_or(HostError::Internal)?;
        let stamp = after.digest.hex();
        let bytes: u64 = different.values().flatten().map(FileEntry::size).sum();
        let is_small = different.len() <= STAGED_FILES_MAX && bytes <= STAGED_BYTES_MAX;
        let searched = different.clone();
        let db = gate.handle();
        let feed = |entry: Option<FileEntry>| entry.map(|entry| Feed::new(&db, entry, self.chunk_max));
        let searcher = if !is_small {
            // One text at a time is unpacked for it.
            index.apply_streamed(&stamp, |applying| {
                different.into_iter().try_for_each(|(path, entry)| applying.change(&delta(&path, feed(entry).as_ref())))
            })?
        } else {
            let feeds: Vec<(ProjectPath, Option<Feed>)> =
                different.into_iter().map(|(path, entry)| (path, feed(entry))).collect();
            let deltas: Vec<IndexDelta<'_>> = feeds.iter().map(|(path, feed)| delta(path, feed.as_ref())).collect();
            index.stage(&deltas, &stamp)?
        };
        drop(db);
        self.committer.staged(&index.staged());
        self.patterns.changed(&searched, is_small);
        Ok(Some(self.publication(gate, searcher, None)))
    }
}

/// What the file at `path` holds now, and the stamp to remember for it.
pub(crate) fn content(
    reader: &mut Reader,
    languages: &LanguageMap,
    rules: &IndexRules,
    path: &ProjectPath,
) -> (Content, FileStamp) {
    let language = languages.language(path.as_str()).ok().flatten();
    let now = SystemTime::now();
    let read = reader.read(path, language.is_some());
    let content = match (read.presence, read.digest) {
        (Presence::Text, Some(digest)) => {
            let size = read.stamp.size;
            let (kind, policy) = rules.decide(path.as_str(), size, &read.text, language);
            let text = StoredText::new(&read.text);
            Content::Source(Arc::new(Source { digest, text, size, kind, policy }))
        }
        // Such names are not cataloged: one took the file's place since it was looked at.
        (Presence::Unavailable(Unavailable::Symlink | Unavailable::NotRegular), _) => Content::Absent,
        (Presence::Unavailable(reason), digest) => {
            Content::LeftOut(Arc::new(LeftOut { digest, size: read.stamp.size, reason }))
        }
        (Presence::Absent | Presence::Text, _) => Content::Absent,
    };
    (content, read.stamp.remembered(now))
}

/// What becomes of the rows of the file at `path`.
fn delta<'a>(path: &'a ProjectPath, feed: Option<&'a Feed>) -> IndexDelta<'a> {
    match feed.and_then(Feed::units) {
        Some(units) => IndexDelta::Replace(units),
        None => IndexDelta::Remove(path),
    }
}

/// Computes the facts of `files` on `threads` workers. Salsa memoizes them; `use_entry` sees each file once.
pub(crate) fn analyse(
    gate: &Gate,
    files: &[File],
    threads: usize,
    use_entry: &(dyn Fn(&RootDatabase, FileEntry) -> Result<(), HostError> + Sync),
) -> Result<(), HostError> {
    each_file(gate, files, threads, &|db, file| {
        file_summary(db, file);
        use_entry(db, file_entry(db, file))
    })
}

/// Runs `work` for each of `files`, on `threads` workers with a handle of the database each. The first error of each worker
/// ends that worker.
pub(crate) fn each_file(
    gate: &Gate,
    files: &[File],
    threads: usize,
    work: &(dyn Fn(&RootDatabase, File) -> Result<(), HostError> + Sync),
) -> Result<(), HostError> {
    let next = AtomicUsize::new(0);
    let work = |db: RootDatabase| -> Result<(), HostError> {
        loop {
            let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) else { return Ok(()) };
            work(&db, *file)?;
        }
    };
    if files.len() < 2 || threads < 2 {
        return work(gate.handle());
    }
    let results: Vec<Result<(), HostError>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(files.len()))
            .map(|_| {
                let db = gate.handle();
                scope.spawn(|| work(db))
            })
            .collect();
        workers.into_iter().map(|w| w.join().unwrap_or(Err(HostError::Internal))).collect()
    });
    results.into_iter().collect()
}

/// [`differences`] of the files of two states of one folder. Both lists are in order of names.
fn file_differences(
    before: &DirectoryManifest,
    after: &DirectoryManifest,
    out: &mut BTreeMap<ProjectPath, Option<FileEntry>>,
) {
    let mut known = before.files.iter().peekable();
    for file in after.files.iter() {
        while let Some(gone) = known.next_if(|known| known.path < file.path) {
            out.insert(gone.path.clone(), None);
        }
        if known.next_if(|known| known.path == file.path) != Some(file) {
            out.insert(file.path.clone(), Some(file.clone()));
        }
    }
    out.extend(known.map(|gone| (gone.path.clone(), None)));
}

/// The files whose entries differ between two trees: their new entries, or none for files that went. Equal directories
/// are shared between trees, so the walk follows changed folders alone.
pub(crate) fn differences(
    before: &DirectoryManifest,
    after: &DirectoryManifest,
    out: &mut BTreeMap<ProjectPath, Option<FileEntry>>,
) {
    if !Arc::ptr_eq(&before.files, &after.files) {
        file_differences(before, after, out);
    }
    let empty = |path: &ProjectPath| DirectoryManifest {
        digest: Digest::of(b""),
        path: path.clone(),
        files: Arc::default(),
        directories: Vec::new(),
        total: 0,
    };
    for directory in &after.directories {
        match before.directories.iter().find(|d| d.path == directory.path) {
            Some(same) if Arc::ptr_eq(same, directory) => {}
            Some(other) => differences(other, directory, out),
            None => differences(&empty(&directory.path), directory, out),
        }
    }
    for directory in &before.directories {
        if after.directories.iter().all(|d| d.path != directory.path) {
            differences(directory, &empty(&directory.path), out);
        }
    }
}
