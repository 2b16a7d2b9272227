//! Preparation: from an empty publication to a complete one, behind the answers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use query_graph::{Change, RootDatabase};
use rift_base::ProjectPath;
use rift_workspace::{Discovery, IndexRules, LanguageMap, OmissionReason, discover, is_manifest_name, load_config};

use crate::error::HostError;
use crate::host::Shared;
use crate::lane::Lane;
use crate::publication::Preparation;
use crate::units::Feed;

/// Bytes of source that one batch reads before its facts are computed.
const BATCH_BYTES: u64 = 8 << 20;
/// Files of one batch.
const BATCH_FILES: usize = 2_000;
/// How often an incomplete state is published. Publishing commits the index, which is not free.
const PUBLISH_EVERY: Duration = Duration::from_millis(1500);

/// Discovers, reads, analyses and indexes the workspace, publishing what is there from time to time and the complete
/// state at the end.
pub(crate) fn prepare(shared: &Shared, lane: &mut Lane) -> Result<(), HostError> {
    let discovery = discover(&lane.root, &lane.config, &lane.languages, lane.threads)?;
    let total = discovery.files.len() as u64;
    lane.omitted = omitted(&discovery);
    shared.progress(Preparation { prepared: 0, total: Some(total) });
    let batches = batches(discovery);
    // The index is taken out of the lane while rows stream into it from the workers that compute them.
    let mut index = lane.index.take().ok_or(HostError::Internal)?;
    let mut bulk = index.bulk()?;
    let mut prepared = 0;
    let mut published = Instant::now();
    for batch in batches {
        let read = lane.read(&batch);
        let mut changes: Vec<Change> = Vec::with_capacity(read.len());
        for (change, stamp) in read {
            lane.stamps.insert(change.path.clone(), stamp);
            changes.push(change);
        }
        let feed = |db: &RootDatabase, entry| {
            let feed = Feed::new(db, entry);
            match feed.units() {
                Some(units) => Ok(bulk.add(&units)?),
                None => Ok(()),
            }
        };
        lane.set(&shared.gate, changes, &feed)?;
        prepared += batch.len() as u64;
        let progress = Preparation { prepared, total: Some(total) };
        shared.progress(progress);
        if published.elapsed() > PUBLISH_EVERY && prepared < total {
            let searcher = bulk.checkpoint("preparing")?;
            shared.publish(lane.publication(&shared.gate, searcher, Some(progress)));
            published = Instant::now();
        }
    }
    let searcher = bulk.finish("prepared")?;
    lane.index = Some(index);
    shared.publish(lane.publication(&shared.gate, searcher, None));
    Ok(())
}

/// What discovery could not catalog and no rule hides, for people. Linked worktrees and build folders are left out on
/// purpose.
fn omitted(discovery: &Discovery) -> Arc<[String]> {
    let unwanted =
        |reason: &OmissionReason| matches!(reason, OmissionReason::LinkedWorktree | OmissionReason::BuildDirectory);
    let kept = discovery.omitted.iter().filter(|omission| !unwanted(&omission.reason));
    kept.map(|omission| format!("{} ({})", omission.path, omission.reason)).collect()
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

/// Reads the named files again and publishes what changed.
pub(crate) fn refresh(shared: &Shared, lane: &mut Lane, paths: &[ProjectPath]) -> Result<bool, HostError> {
    let read = lane.read(paths);
    let mut changes = Vec::with_capacity(read.len());
    for (change, stamp) in read {
        lane.stamps.insert(change.path.clone(), stamp);
        changes.push(change);
    }
    let before = shared.current();
    let published = lane.update(&shared.gate, &before.tree, changes, false)?;
    let changed = published.is_some();
    if let Some(publication) = published {
        shared.publish(publication);
    }
    Ok(changed)
}

/// Walks the workspace again, reads the files whose stamps moved, and publishes what changed. A changed `rift.toml` is
/// accepted first, and every file is read again under it.
pub(crate) fn rescan(shared: &Shared, lane: &mut Lane) -> Result<bool, HostError> {
    let reconfigured = reconfigure(shared, lane)?;
    let discovery = discover(&lane.root, &lane.config, &lane.languages, lane.threads)?;
    lane.omitted = omitted(&discovery);
    let mut moved = Vec::new();
    let mut gone: rustc_hash::FxHashSet<ProjectPath> = lane.stamps.keys().cloned().collect();
    for file in discovery.files {
        gone.remove(&file.path);
        if reconfigured || lane.stamps.get(&file.path) != Some(&file.stamp) {
            moved.push(file.path);
        }
    }
    let mut gone: Vec<ProjectPath> = gone.into_iter().collect();
    gone.sort();
    for path in &gone {
        lane.stamps.remove(path);
    }
    let mut changes: Vec<Change> =
        gone.into_iter().map(|path| Change { path, content: query_graph::Content::Absent }).collect();
    for (change, stamp) in lane.read(&moved) {
        lane.stamps.insert(change.path.clone(), stamp);
        changes.push(change);
    }
    let before = shared.current();
    let published = lane.update(&shared.gate, &before.tree, changes, reconfigured)?;
    let changed = published.is_some();
    if let Some(publication) = published {
        shared.publish(publication);
    }
    Ok(changed)
}

/// Accepts `rift.toml` as it stands now. Answers whether it differs from the accepted one.
fn reconfigure(shared: &Shared, lane: &mut Lane) -> Result<bool, HostError> {
    let loaded = load_config(&lane.root)?;
    if loaded.digest == lane.config_digest {
        return Ok(false);
    }
    let languages = Arc::new(LanguageMap::new(&loaded.config)?);
    lane.rules = Arc::new(IndexRules::new(&loaded.config)?);
    lane.languages = languages.clone();
    lane.config = Arc::new(loaded.config);
    lane.config_digest = loaded.digest;
    shared.gate.write(|db| lane.ground.configure(db, lane.config.clone(), languages));
    Ok(true)
}
