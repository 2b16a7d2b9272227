//! Every phase of an index over one tree, one after the other, so that each can be measured by itself. A host runs them together,
//! in batches; what they take apart is the floor of that.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use query_graph::{
    Change, Content, File, FileEntry, Ground, RootDatabase, aliases, bindings, directory_manifest, directory_summary,
    file_entry, file_summary,
};
use rift_base::ProjectPath;
use rift_index::{Index, IndexOptions};
use rift_workspace::{Reader, discover_watched};

use crate::accepted::Accepted;
use crate::cache::{CacheFolder, default_cache_base};
use crate::error::HostError;
use crate::gate::Gate;
use crate::lane::{content, each_file};
use crate::units::Feed;

/// What one phase came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Phase {
    /// `discover`, `read`, `extract`, `bind` or `index`.
    pub name: &'static str,
    /// What it counted, by name: files, bytes, symbols and so on.
    pub counts: BTreeMap<&'static str, u64>,
    /// What it took for the files of each language; empty for a phase that looks into no file.
    pub languages: BTreeMap<String, LanguageShare>,
}

/// The part of one language in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LanguageShare {
    /// Files.
    pub files: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Time on all threads: processor time, where each thread has a processor.
    pub time: Duration,
}

/// The work of one phase.
pub type PhaseWork<'a> = dyn FnMut() -> Result<Phase, HostError> + 'a;

/// Runs the phases over the tree at `root` with `threads` threads. `measure` runs the work of each, and may look at clocks around
/// it. The index goes to a folder of the user's cache that is removed; the tree is only read.
///
/// # Errors
/// A configuration that does not hold, a bound that is passed, or what the index met.
pub fn phases(
    root: &Path,
    threads: usize,
    measure: &mut dyn FnMut(&mut PhaseWork<'_>) -> Result<(), HostError>,
) -> Result<(), HostError> {
    let accepted = Accepted::load(root)?;
    let mut paths: Vec<ProjectPath> = Vec::new();
    measure(&mut || {
        let found = discover_watched(root, &accepted.config, &accepted.languages, threads, None)?;
        let counts = BTreeMap::from([("files", found.files.len() as u64), ("bytes", found.bytes)]);
        paths = found.files.into_iter().map(|file| file.path).collect();
        Ok(Phase { name: "discover", counts, ..Phase::default() })
    })?;
    let mut changes = Vec::new();
    measure(&mut || {
        let (read, phase) = read(root, &accepted, &paths, threads);
        changes = read;
        Ok(phase)
    })?;
    let mut db = RootDatabase::new().binding();
    let mut ground = Ground::new(&mut db, "workspace", accepted.config.clone(), accepted.languages.clone());
    let gate = Gate::new(db);
    let mut files: Vec<File> = Vec::new();
    measure(&mut || {
        files = gate.write(|db| ground.apply(db, std::mem::take(&mut changes)));
        let shares = shared_out(&gate, &files, threads, &|db, file| {
            file_summary(db, file);
            Ok(())
        })?;
        gate.write(|db| ground.settle(db));
        let root = gate.read(|db| ground.root(db));
        let sums = gate.read(|db| (directory_manifest(db, root), directory_summary(db, root)).1);
        let counts = BTreeMap::from([("files", sums.files), ("symbols", sums.symbols)]);
        Ok(Phase { name: "extract", counts, languages: shares })
    })?;
    measure(&mut || {
        let found = AtomicUsize::new(0);
        let shares = shared_out(&gate, &files, threads, &|db, file| {
            found.fetch_add(bindings(db, file).bound.len(), Ordering::Relaxed);
            aliases(db, file);
            Ok(())
        })?;
        let counts = BTreeMap::from([("references", found.load(Ordering::Relaxed) as u64)]);
        Ok(Phase { name: "bind", counts, languages: shares })
    })?;
    let folder = CacheFolder::create(&default_cache_base(), root)?;
    measure(&mut || index(&gate, &accepted, &folder.path().join("index"), &files, threads))
}

/// What every file holds.
fn read(root: &Path, accepted: &Accepted, paths: &[ProjectPath], threads: usize) -> (Vec<Change>, Phase) {
    let share = paths.len().div_ceil(threads.max(1)).max(1);
    let runs: Vec<Vec<Change>> = std::thread::scope(|scope| {
        let start = |run: &[ProjectPath]| {
            let mut reader = Reader::new(root);
            let held = |path: &ProjectPath| content(&mut reader, &accepted.languages, &accepted.rules, path).0;
            let held: Vec<Content> = run.iter().map(held).collect();
            run.iter().cloned().zip(held).map(|(path, content)| Change { path, content }).collect()
        };
        let started: Vec<_> = paths.chunks(share).map(|run| scope.spawn(move || start(run))).collect();
        started.into_iter().map(|run| run.join().unwrap_or_default()).collect()
    });
    let changes: Vec<Change> = runs.into_iter().flatten().collect();
    let texts = changes.iter().filter_map(|change| match &change.content {
        Content::Source(source) => Some(source.text.length() as u64),
        _ => None,
    });
    let (count, bytes) = texts.fold((0, 0), |(count, bytes), text| (count + 1, bytes + text));
    let counts = BTreeMap::from([("files", changes.len() as u64), ("texts", count), ("bytes", bytes)]);
    (changes, Phase { name: "read", counts, ..Phase::default() })
}

/// Gives the index its rows.
fn index(gate: &Gate, accepted: &Accepted, folder: &Path, files: &[File], threads: usize) -> Result<Phase, HostError> {
    let chunk_max = usize::try_from(accepted.config.search.text_max_chunk).unwrap_or(usize::MAX);
    let options = IndexOptions { threads: 1, chunk_max, ..IndexOptions::default() };
    std::fs::create_dir_all(folder).map_err(|source| HostError::Cache { path: folder.to_owned(), source })?;
    let mut index = Index::create(folder, options)?;
    let bytes = gate.read(|db| files.iter().map(|file| file_entry(db, *file).size()).sum());
    index.expect(bytes);
    let bulk = index.bulk()?;
    let shares =
        shared_out(gate, files, threads, &|db, file| match Feed::new(db, file_entry(db, file), chunk_max).units() {
            Some(units) => Ok(bulk.add(&units)?),
            None => Ok(()),
        })?;
    let searcher = bulk.finish("phases")?;
    let sizes = searcher.statistics()?;
    let counts = BTreeMap::from([("files", sizes.files), ("rows", sizes.rows), ("bytes_on_disk", sizes.bytes)]);
    Ok(Phase { name: "index", counts, languages: shares })
}

/// Runs `work` for each of `files` on `threads` threads, and says what it took by language.
fn shared_out(
    gate: &Gate,
    files: &[File],
    threads: usize,
    work: &(dyn Fn(&RootDatabase, File) -> Result<(), HostError> + Sync),
) -> Result<BTreeMap<String, LanguageShare>, HostError> {
    let shares: Mutex<BTreeMap<String, LanguageShare>> = Mutex::default();
    each_file(gate, files, threads, &|db, file| {
        let start = Instant::now();
        work(db, file)?;
        let took = start.elapsed();
        let entry: FileEntry = file_entry(db, file);
        let language = entry.language.as_ref().map_or("none", |language| language.as_str());
        let share = LanguageShare { files: 1, bytes: entry.size(), time: took };
        add(&mut shares.lock().unwrap_or_else(PoisonError::into_inner), language, share);
        Ok(())
    })?;
    Ok(shares.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn add(shares: &mut BTreeMap<String, LanguageShare>, language: &str, share: LanguageShare) {
    let sum = shares.entry(language.to_owned()).or_default();
    sum.files += share.files;
    sum.bytes += share.bytes;
    sum.time += share.time;
}
