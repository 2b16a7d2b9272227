//! Preparation: from an empty publication to a complete one, behind the answers.

use std::time::{Duration, Instant};

use query_graph::{Change, RootDatabase};
use rift_base::ProjectPath;
use rift_workspace::{Discovery, discover_watched, is_manifest_name};

use crate::change::is_unwanted;
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
    let watcher = Some(&shared.freshness.watcher);
    let discovery = discover_watched(&lane.root, &lane.config, &lane.languages, lane.threads, watcher)?;
    let total = discovery.files.len() as u64;
    lane.omissions = discovery.omitted.iter().filter(|o| is_unwanted(&o.reason)).cloned().collect();
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
