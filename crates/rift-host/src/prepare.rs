//! Preparation: from an empty publication to a complete one, behind the answers.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use query_graph::{Change, Content, FileEntry, RootDatabase};
use rift_base::ProjectPath;
use rift_index::Searcher;
use rift_workspace::{Discovery, discover_watched, is_manifest_name};
use rustc_hash::FxHashMap;

use crate::change::is_unwanted;
use crate::error::HostError;
use crate::freshness::Following;
use crate::host::Shared;
use crate::lane::Lane;
use crate::publication::Preparation;
use crate::units::{Feed, version};

/// Bytes of source that one batch reads before its facts are computed.
const BATCH_BYTES: u64 = 8 << 20;
/// Files of one batch.
const BATCH_FILES: usize = 2_000;
/// When an incomplete state is published first. Publishing commits the index, which is not free, so each further one comes
/// after twice as long.
const PUBLISH_FIRST: Duration = Duration::from_secs(2);

/// Discovers, reads, analyses and indexes the workspace, publishing what is there from time to time and the complete
/// state at the end.
pub(crate) fn prepare(shared: &Shared, lane: &mut Lane) -> Result<(), HostError> {
    let watcher = Some(&shared.freshness.watcher);
    let discovery = discover_watched(&lane.root, &lane.config, &lane.languages, lane.threads, watcher)?;
    let total = discovery.files.len() as u64;
    lane.omissions = discovery.omitted.iter().filter(|o| is_unwanted(&o.reason)).cloned().collect();
    shared.progress(Preparation { prepared: 0, total: Some(total) });
    let bytes = discovery.files.iter().map(|file| file.stamp.size).sum();
    let batches = batches(discovery);
    // The index is taken out of the lane while rows stream into it from the workers that compute them.
    let mut index = lane.take_index()?;
    index.expect(bytes);
    let before = index.searcher();
    let mut kept = KeptRows::of(&before);
    let mut bulk = if kept.is_empty() { index.bulk()? } else { index.extend()? };
    let chunk_max = lane.chunk_max;
    let mut prepared = 0;
    // Where nobody is told of changes, one question is asked, and it waits for the whole.
    let partial = shared.freshness.following != Following::Told;
    let (start, mut publish_after) = (Instant::now(), PUBLISH_FIRST);
    for batch in batches {
        let read = lane.read(&batch);
        let mut changes: Vec<Change> = Vec::with_capacity(read.len());
        let mut there: Vec<ProjectPath> = Vec::with_capacity(read.len());
        for (change, stamp) in read {
            // What went since it was listed has no entry: its rows go with those of all files that are not there.
            if change.content != Content::Absent {
                lane.stamps.insert(change.path.clone(), stamp);
                there.push(change.path.clone());
            }
            changes.push(change);
        }
        let feed = |db: &RootDatabase, entry: FileEntry| {
            if kept.are_current(&entry.path, version(&entry, chunk_max)) {
                return Ok(());
            }
            let feed = Feed::new(db, entry, chunk_max);
            match feed.units() {
                Some(units) => bulk.add(&units)?,
                None => bulk.remove(&feed.entry.path),
            }
            Ok(())
        };
        let changed = lane.set(&shared.gate, changes, &feed)?;
        // An attempt before this one may have set files whose rows it did not get to commit.
        lane.analyse_others(&shared.gate, &batch, &changed, &feed)?;
        kept.seen(&there);
        prepared += batch.len() as u64;
        let progress = Preparation { prepared, total: Some(total) };
        shared.progress(progress);
        if partial && start.elapsed() > publish_after && prepared < total {
            let searcher = kept.hide_unseen(bulk.checkpoint("preparing")?)?;
            shared.publish(lane.publication(&shared.gate, searcher, Some(progress)));
            publish_after = start.elapsed() * 2;
        }
    }
    kept.unseen().for_each(|path| bulk.remove(path));
    let searcher = if bulk.is_changed() { bulk.finish("prepared")? } else { before };
    lane.index = Some(index);
    shared.publish(lane.publication(&shared.gate, searcher, None));
    lane.committer.prepared();
    lane.patterns.prepared();
    Ok(())
}

/// The rows of an earlier process, by the files that were not looked at yet.
struct KeptRows {
    versions: FxHashMap<ProjectPath, u64>,
    unseen: BTreeSet<ProjectPath>,
}

impl KeptRows {
    fn of(searcher: &Searcher) -> Self {
        let versions: FxHashMap<ProjectPath, u64> =
            searcher.versions().into_iter().map(|(path, version)| (path.clone(), version)).collect();
        Self { unseen: searcher.paths().iter().cloned().collect(), versions }
    }

    fn is_empty(&self) -> bool {
        self.unseen.is_empty()
    }

    fn are_current(&self, path: &ProjectPath, version: u64) -> bool {
        self.versions.get(path) == Some(&version)
    }

    fn seen(&mut self, paths: &[ProjectPath]) {
        paths.iter().for_each(|path| {
            self.unseen.remove(path);
        });
    }

    fn unseen(&self) -> impl Iterator<Item = &ProjectPath> {
        self.unseen.iter()
    }

    /// Leaves out rows of files that the published tree does not hold yet.
    fn hide_unseen(&self, searcher: Searcher) -> Result<Searcher, HostError> {
        if self.unseen.is_empty() {
            return Ok(searcher);
        }
        Ok(searcher.only(|path| !self.unseen.contains(path))?)
    }
}

/// The discovered files in batches: manifests first, since they place all other files, then in path order.
fn batches(discovery: Discovery) -> Vec<Vec<ProjectPath>> {
    let (manifests, others): (Vec<_>, Vec<_>) =
        discovery.files.into_iter().partition(|f| is_manifest_name(f.path.file_name()));
    let mut out = Vec::new();
    let mut batch = Vec::new();
    let mut bytes = 0;
    for file in manifests.into_iter().chain(others) {
        if bytes + file.stamp.size > BATCH_BYTES && !batch.is_empty() || batch.len() >= BATCH_FILES {
            out.push(std::mem::take(&mut batch));
            bytes = 0;
        }
        bytes += file.stamp.size;
        batch.push(file.path);
    }
    out.push(batch);
    out
}
