//! Renewal of the database. Revisions live as long as it does, dead ones too, so an editing session would grow it without
//! end. When dead revisions outweigh live ones by much, a new database is filled with the live inputs beside the old one and
//! takes its place. Nothing is parsed for that: the facts are handed over. Views name nothing of a database, so those from
//! before are answered by the new one.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use query_graph::{
    Change, Content, Db as _, DirectoryManifest, FactKey, FileEntry, Ground, REVISION_OVERHEAD, RevisionFacts,
    RootDatabase, directory_manifest, directory_summary, facts,
};
use rift_base::{Digest, ProjectPath};
use rustc_hash::FxHashMap;

use crate::error::HostError;
use crate::gate::Gate;
use crate::host::Shared;
use crate::lane::{Lane, analyse, differences};

/// Bytes that dead revisions may weigh in any workspace.
const DEAD_MAX: u64 = 8 << 20;
/// Beside them, one part in so many of what live ones weigh.
const DEAD_SHARE: u64 = 2;
/// Files that are looked at under one lease.
const LEASE_FILES: usize = 256;

/// What is live in a database.
struct Live {
    known: FxHashMap<FactKey, RevisionFacts>,
    weight: u64,
}

/// Renews the database when dead revisions weigh too much.
pub(crate) fn renew_when_heavy(shared: &Shared) -> Result<(), HostError> {
    let weight = shared.gate.read(|db| db.fact_work().weight());
    let current = shared.current();
    if current.preparation.is_some() || weight <= shared.renew_at.load(Ordering::Relaxed) {
        return Ok(());
    }
    let live = live(&shared.gate, &current.tree);
    let bound = live.weight + live.weight / DEAD_SHARE + DEAD_MAX;
    shared.renew_at.store(bound, Ordering::Relaxed);
    if weight > bound { renew(shared, live.known) } else { Ok(()) }
}

/// The facts of the files of `tree`, and what these files weigh.
fn live(gate: &Gate, tree: &DirectoryManifest) -> Live {
    let mut entries: Vec<&FileEntry> = Vec::new();
    tree.walk(&mut |entry| entries.push(entry));
    let mut live = Live { known: FxHashMap::default(), weight: 0 };
    for entries in entries.chunks(LEASE_FILES) {
        let found = gate.read(|db| {
            let of = |entry: &&FileEntry| {
                let facts = facts(db, entry.revision(db)?);
                let text = entry.source()?.text.heap_size();
                let key = entry.place.as_ref()?.parsed_as.as_ref().map(|language| key(entry.source(), language));
                Some((key.flatten(), (text + facts.heap_size()) as u64 + REVISION_OVERHEAD, facts))
            };
            entries.iter().filter_map(of).collect::<Vec<_>>()
        });
        for (key, weight, facts) in found {
            live.weight += weight;
            if let Some(key) = key {
                live.known.insert(key, facts);
            }
        }
    }
    live
}

fn key(source: Option<&std::sync::Arc<query_graph::Source>>, language: &rift_base::Language) -> Option<FactKey> {
    source.map(|source| FactKey::new(&source.digest, language, &query_graph::Bounds::default()))
}

/// Fills a new database without holding the lane, catches up with what changed meanwhile, and puts it in place.
fn renew(shared: &Shared, known: FxHashMap<FactKey, RevisionFacts>) -> Result<(), HostError> {
    let (snapshot, mut filling) = {
        let lane = shared.lane();
        let db = shared.gate.read(|db| db.renewed(known.clone()));
        (shared.current(), Filling::new(db, &lane))
    };
    drop(known);
    let mut all = Vec::new();
    snapshot.tree.walk(&mut |entry| all.push(change(&entry.path, Some(entry))));
    filling.set(all)?;
    let mut lane = shared.lane();
    if filling.config != lane.config_digest {
        // The next look at the weight tries again.
        return Ok(());
    }
    let current = shared.current();
    let mut different = BTreeMap::new();
    differences(&snapshot.tree, &current.tree, &mut different);
    filling.set(different.iter().map(|(path, entry)| change(path, entry.as_ref())).collect())?;
    let root = filling.gate.read(|db| filling.ground.root(db));
    let (tree, summary) = filling.gate.read(|db| (directory_manifest(db, root), directory_summary(db, root)));
    if tree != current.tree {
        tracing::warn!("a renewed database differs from the one before, which stays");
        return Ok(());
    }
    let db = filling.gate.into_inner();
    db.forget_known();
    lane.ground = filling.ground;
    shared.count_with(db.counters().clone());
    let before = shared.gate.replace(db);
    shared.replace(current.with_tree(tree, summary));
    drop(lane);
    // Outside the lane: there is much to free.
    drop(before);
    Ok(())
}

fn change(path: &ProjectPath, entry: Option<&FileEntry>) -> Change {
    Change { path: path.clone(), content: entry.map_or(Content::Absent, |entry| entry.content.clone()) }
}

/// A database that is being filled, with its inputs.
struct Filling {
    gate: Gate,
    ground: Ground,
    config: Digest,
}

impl Filling {
    fn new(mut db: RootDatabase, lane: &Lane) -> Self {
        let ground = Ground::new(&mut db, &lane.name, lane.config.clone(), lane.languages.clone());
        Self { gate: Gate::new(db), ground, config: lane.config_digest }
    }

    /// Sets `changes` and computes what the root needs, on this thread alone: nobody waits for it.
    fn set(&mut self, changes: Vec<Change>) -> Result<(), HostError> {
        let changed = self.gate.write(|db| self.ground.apply(db, changes));
        analyse(&self.gate, &changed, 1, &|_, _| Ok(()))?;
        self.gate.write(|db| self.ground.settle(db));
        Ok(())
    }
}
