//! Vectors, made behind the answers: one thread reads the model that the configuration names and embeds what has changed. It
//! holds the lane to hand over what is done, not while it works.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use query_graph::{DirectoryManifest, FileEntry};
use rift_base::{Digest, DigestBuilder, EmbeddingConfig, ProjectPath};
use rift_index::{FileVectors, Model, ModelFiles, VectorTable};
use rustc_hash::FxHashSet;

use crate::host::Shared;
use crate::lane::differences;
use crate::passages::{PASSAGES, Passage, passages};
use crate::publication::Publication;
use crate::record_log::{RecordKey, RecordLog};
use crate::signal::Signal;
use crate::vectors::{Ranker, Vectors};
use crate::view::View;

/// Texts that are embedded together.
const BATCH: usize = 64;
/// How often it is told how far vectors have got.
const TELL: Duration = Duration::from_secs(1);
/// The most bytes that a file of a model has.
const MODEL_BYTES_MAX: u64 = 4 << 30;

/// The thread. Dropped, it ends.
pub(crate) struct Embedder {
    signal: Arc<Signal>,
    thread: Option<JoinHandle<()>>,
}

impl Embedder {
    pub(crate) fn start(shared: Arc<Shared>) -> Self {
        let signal = shared.lane().vectors.signal.clone();
        let woken = signal.clone();
        let run = move || {
            let mut held = None;
            while woken.wait() {
                // A stranger's model may be damaged in ways that nobody foresaw; the thread goes on all the same.
                let pass = std::panic::AssertUnwindSafe(|| pass(&shared, &woken, &mut held));
                if std::panic::catch_unwind(pass).is_err() {
                    held = None;
                    settle(&shared, None, Vectors::Unavailable("vectors could not be made; see the log".into()));
                }
            }
        };
        let thread = crate::behind::spawn("rift-vectors", run);
        Self { signal, thread }
    }
}

impl Drop for Embedder {
    fn drop(&mut self) {
        self.signal.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A model with the vectors made by it so far.
struct Space {
    config: EmbeddingConfig,
    model: Arc<Model>,
    id: String,
    /// Vectors by text; absent where nothing is kept.
    log: Option<RecordLog>,
    table: VectorTable,
    /// The tree that the table is of.
    tree: Arc<DirectoryManifest>,
    /// The texts of each file, for what is kept of the log.
    texts: BTreeMap<ProjectPath, Vec<RecordKey>>,
}

/// Brings the vectors up to the newest tree.
fn pass(shared: &Arc<Shared>, signal: &Signal, held: &mut Option<Space>) {
    loop {
        // The lane wakes this thread before it publishes, and is held until it has.
        let current = {
            let _lane = shared.lane();
            shared.current()
        };
        let vector = &current.config.search.vector;
        let Some(wanted) = vector.wanted() else {
            *held = None;
            return;
        };
        if current.preparation.is_some() || signal.is_stopping() {
            return;
        }
        if held.as_ref().is_none_or(|space| space.config != *wanted) {
            *held = None;
            let (root, folder) = {
                let lane = shared.lane();
                (lane.root.clone(), lane.stores.vector_folder())
            };
            match Space::open(&root, folder, wanted) {
                Ok(space) => *held = Some(space),
                Err(reason) => return settle(shared, Some(&current), Vectors::Unavailable(reason.into())),
            }
        }
        let Some(space) = held.as_mut() else { return };
        match space.describe(shared, signal, &current) {
            Ok(true) => {}
            Ok(false) => return,
            Err(reason) => {
                *held = None;
                return settle(shared, Some(&current), Vectors::Unavailable(reason.into()));
            }
        }
        let (vectors, most) = (space.table.len() as u64, vector.max_vectors);
        let state = if vectors > most {
            Vectors::TooMany(vectors)
        } else {
            let (model, table, space) = (space.model.clone(), space.table.clone(), space.id.clone());
            Vectors::Ready(Arc::new(Ranker { model, table, space }))
        };
        space.tidy();
        if publish(shared, &current, state) {
            return;
        }
    }
}

impl Space {
    /// Reads the model. The reason why it cannot be is for whoever asks.
    fn open(root: &Path, folder: Option<PathBuf>, config: &EmbeddingConfig) -> Result<Self, String> {
        let directory = root.join(&config.model);
        let file = |name: &str| model_file(&directory.join(name));
        let (settings, tokenizer, tensors) =
            (file("config.json")?, file("tokenizer.json")?, file("model.safetensors")?);
        let files = ModelFiles { config: &settings, tokenizer: &tokenizer, tensors: &tensors };
        let model = Model::read(files, usize::try_from(config.max_tokens).unwrap_or(usize::MAX))
            .map_err(|error| format!("{}: {error}", directory.display()))?;
        let space = DigestBuilder::default()
            .part(PASSAGES.as_bytes())
            .part(config.max_tokens.to_string().as_bytes())
            .part(&settings)
            .part(&tokenizer)
            .part(&tensors);
        let id = space.finish().hex()[..16].to_owned();
        let log = folder.and_then(|folder| match open_log(&folder, &id) {
            Ok(log) => Some(log),
            Err(error) => {
                tracing::warn!("vectors are not stored: {error}");
                None
            }
        });
        let tree = Arc::new(nothing());
        let (model, table) = (Arc::new(model), VectorTable::default());
        Ok(Self { config: config.clone(), model, id, log, table, tree, texts: BTreeMap::new() })
    }

    /// Makes the vectors of what differs between the last tree and that of `current`. Answers whether all are made: not when
    /// the thread is to end, or the configuration asks for something else meanwhile.
    fn describe(&mut self, shared: &Arc<Shared>, signal: &Signal, current: &Arc<Publication>) -> Result<bool, String> {
        let mut different = BTreeMap::new();
        differences(&self.tree, &current.tree, &mut different);
        let (start, total) = (Instant::now(), current.tree.total);
        let left = different.len() as u64;
        let mut told = start;
        let view = shared.view(current.clone(), None);
        for ((path, entry), done) in different.into_iter().zip(1u64..) {
            self.embed(&view, path, entry.as_ref())?;
            if told.elapsed() > TELL {
                told = Instant::now();
                if signal.is_stopping() || shared.current().config.search.vector.wanted() != Some(&self.config) {
                    // What was made is in the log; the tree is compared anew.
                    self.tree = Arc::new(nothing());
                    (self.table, self.texts) = Default::default();
                    return Ok(!signal.is_stopping());
                }
                let pace = start.elapsed().as_secs_f64() / done as f64;
                let prepared = total.saturating_sub(left - done);
                publish(shared, current, Vectors::preparing(prepared, total, Some(pace)));
            }
        }
        self.tree = current.tree.clone();
        Ok(true)
    }

    /// Makes the vectors of one file; takes them from the log where it has them.
    fn embed(&mut self, view: &View, path: ProjectPath, entry: Option<&FileEntry>) -> Result<(), String> {
        let passages = entry.map(|entry| passages(view, entry)).unwrap_or_default();
        let keys: Vec<RecordKey> = passages.iter().map(|passage| key(&passage.text)).collect();
        let bytes = self.model.dimensions() * size_of::<f32>();
        let mut known: Vec<Option<Vec<u8>>> = keys
            .iter()
            .map(|key| self.log.as_ref().and_then(|log| log.get(key)).filter(|value| value.len() == bytes))
            .collect();
        let missing: Vec<usize> = (0..known.len()).filter(|at| known[*at].is_none()).collect();
        for batch in missing.chunks(BATCH) {
            let texts: Vec<String> = batch.iter().map(|at| passages[*at].text.clone()).collect();
            let vectors = self.model.embed(&texts).map_err(|error| error.to_string())?;
            for (at, vector) in batch.iter().zip(vectors.chunks_exact(self.model.dimensions())) {
                let value: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
                if let Some(log) = &self.log {
                    log.put(&keys[*at], &value);
                }
                known[*at] = Some(value);
            }
        }
        let mut file = FileVectors::default();
        for (Passage { declaration, .. }, value) in passages.iter().zip(known) {
            let vector: Vec<f32> =
                value.as_deref().unwrap_or_default().as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
            file.push(*declaration, &vector);
        }
        match keys.is_empty() {
            true => self.texts.remove(&path),
            false => self.texts.insert(path.clone(), keys),
        };
        self.table.set(path, Some(file));
        Ok(())
    }

    /// Writes what waits, and drops vectors of texts that are gone once they are too many.
    fn tidy(&self) {
        let Some(log) = &self.log else { return };
        log.flush(false);
        if log.is_prune_due() {
            let live: FxHashSet<RecordKey> = self.texts.values().flatten().copied().collect();
            if let Err(error) = log.prune(&live) {
                tracing::warn!("old vectors could not be dropped: {error}");
            }
        }
    }
}

/// Publishes `state` for the tree of `of`, when that is the newest still. Answers whether it was.
fn publish(shared: &Shared, of: &Publication, state: Vectors) -> bool {
    let mut lane = shared.lane();
    let current = shared.current();
    let is_same = Arc::ptr_eq(&current.tree, &of.tree) || *current.tree == *of.tree;
    let wanted = current.config.search.vector.wanted();
    if !is_same || current.preparation.is_some() || wanted != of.config.search.vector.wanted() {
        return false;
    }
    if let (Some(wanted), false) = (wanted, matches!(state, Vectors::Preparing(_))) {
        lane.vectors.described = Some((current.tree.clone(), wanted.clone()));
    }
    lane.vectors.state = state.clone();
    let id = lane.view_id(current.tree.digest, current.preparation);
    shared.swap(Arc::new(current.with_vectors(state, id)));
    true
}

/// Publishes a state that holds until something changes, whichever tree is the newest.
fn settle(shared: &Shared, of: Option<&Publication>, state: Vectors) {
    if let Vectors::Unavailable(reason) = &state {
        tracing::warn!("search ranks without vectors: {reason}");
    }
    let newest = shared.current();
    publish(shared, of.unwrap_or(&newest), state);
}

fn nothing() -> DirectoryManifest {
    DirectoryManifest {
        digest: Digest::of(b""),
        path: ProjectPath::root(),
        files: Arc::default(),
        directories: Vec::new(),
        total: 0,
    }
}

fn key(text: &str) -> RecordKey {
    Digest::of(text.as_bytes()).as_bytes().first_chunk().copied().unwrap_or_default()
}

/// The bytes of a model's file.
fn model_file(path: &Path) -> Result<Vec<u8>, String> {
    let unfit = |cause: String| format!("the model's file {} cannot be read: {cause}", path.display());
    let found = fs::metadata(path).map_err(|error| unfit(error.to_string()))?;
    if !found.is_file() {
        return Err(unfit("it is no file".to_owned()));
    }
    if found.len() > MODEL_BYTES_MAX {
        return Err(unfit(format!("it has {} bytes, more than {MODEL_BYTES_MAX}", found.len())));
    }
    fs::read(path).map_err(|error| unfit(error.to_string()))
}

/// The log of one space; those of others, which another model made, are removed.
fn open_log(folder: &Path, space: &str) -> std::io::Result<RecordLog> {
    // What the folder lies in is not made: when the root went, it stays gone.
    match fs::create_dir(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    for other in fs::read_dir(folder)? {
        let other = other?;
        if !other.file_name().to_string_lossy().starts_with(space) {
            crate::folder::remove(&other.path())?;
        }
    }
    RecordLog::open(&folder.join(space), space)
}
