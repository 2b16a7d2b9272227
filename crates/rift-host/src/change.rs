//! From what moved on disk to the next publication: looking at it, reading what differs, setting it.
//!
//! Nothing is remembered of a change before it is published: a change that fails is found again by the next look
//! at everything.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use query_graph::{Change, Content};
use rift_base::{Config, ProjectPath};
use rift_workspace::{
    Discovery, FileStamp, Moved, Omission, OmissionReason, check_bounds, discover_watched, look_again,
};

use crate::accepted::Accepted;
use crate::error::HostError;
use crate::host::Shared;
use crate::lane::Lane;
use crate::publication::Publication;

/// How often files that change while they are read are read again.
const REREADS_MAX: usize = 5;
/// A file that became empty is not taken for empty before this has passed: a file that is cut reads as empty before its event
/// is queued, for as long as the file system's journal holds the writer up.
const EMPTY_PATIENCE: Duration = Duration::from_millis(250);
/// How often such a file is read meanwhile.
const EMPTY_PAUSE: Duration = Duration::from_millis(5);

/// What a change came to.
#[derive(Default)]
pub(crate) struct Applied {
    /// The next state; absent when nothing differs.
    pub(crate) publication: Option<Arc<Publication>>,
    /// Files that changed each time they were read, in path order.
    pub(crate) restless: Vec<ProjectPath>,
}

/// Looks at what `moved` names and sets what differs. The caller publishes.
pub(crate) fn apply(shared: &Shared, lane: &mut Lane, moved: &Moved) -> Result<Applied, HostError> {
    if moved.config || moved.all {
        accept(shared, lane)?;
    }
    let whole = moved.all || lane.owed.walk || lane.owed.read;
    let watcher = &shared.freshness.watcher;
    let (found, mut gone) = if whole {
        let found = discover_watched(&lane.root, &lane.config, &lane.languages, lane.threads, Some(watcher))?;
        let everything = lane.stamps.below(&ProjectPath::root()).cloned().collect::<BTreeSet<_>>();
        (found, everything)
    } else {
        let known = |path: &ProjectPath| lane.stamps.get(path).is_some();
        let found = look_again(&lane.root, &lane.config, &lane.languages, Some(watcher), moved, &known)?;
        let trees = moved.trees.iter().flat_map(|tree| lane.stamps.below(tree));
        let named = moved.files.iter().filter(|path| known(path));
        (found, trees.chain(named).cloned().collect())
    };
    let mut differing = Vec::new();
    for file in &found.files {
        gone.remove(&file.path);
        let seen = lane.stamps.get(&file.path) == Some(&file.stamp);
        if lane.owed.read || moved.files.contains(&file.path) || !seen {
            differing.push(file.path.clone());
        }
    }
    if !whole {
        within_bounds(lane, &found, &gone)?;
    }
    let (read, restless) = read_settled(shared, lane, &differing);
    let mut changes: Vec<Change> =
        gone.iter().map(|path| Change { path: path.clone(), content: Content::Absent }).collect();
    let mut stamps: Vec<(ProjectPath, FileStamp)> = Vec::with_capacity(read.len());
    for (change, stamp) in read {
        match change.content {
            Content::Absent => gone.insert(change.path.clone()),
            _ => {
                stamps.push((change.path.clone(), stamp));
                false
            }
        };
        changes.push(change);
    }
    let omissions_moved = omit(lane, &found, moved, whole);
    let before = shared.current();
    let republish = lane.owed.read || lane.owed.publish || omissions_moved;
    // An update that fails half-way leaves what is published behind what is set: the next one publishes in any case.
    lane.owed.publish = true;
    let publication = lane.update(&shared.gate, &before.tree, changes, republish)?;
    lane.owed = Owed::default();
    gone.iter().for_each(|path| lane.stamps.remove(path));
    stamps.into_iter().for_each(|(path, stamp)| lane.stamps.insert(path, stamp));
    Ok(Applied { publication, restless })
}

/// What an accepted configuration still asks for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Owed {
    /// Walking the tree: which files are visible may differ.
    walk: bool,
    /// Reading every file: what is made of them may differ.
    read: bool,
    /// Publishing, even when no file differs.
    publish: bool,
}

/// Accepts `rift.toml` as it stands now.
pub(crate) fn accept(shared: &Shared, lane: &mut Lane) -> Result<(), HostError> {
    let accepted = Accepted::load(&lane.root)?;
    if accepted.digest == lane.config_digest {
        return Ok(());
    }
    lane.owed.walk |= accepted.config.source != lane.config.source;
    lane.owed.read |= reads_differ(&accepted.config, &lane.config);
    lane.owed.publish = true;
    lane.rules = accepted.rules;
    lane.languages = accepted.languages;
    lane.config = accepted.config;
    lane.config_digest = accepted.digest;
    shared.gate.write(|db| lane.ground.configure(db, lane.config.clone(), lane.languages.clone()));
    Ok(())
}

/// Whether two configurations make something else of some file.
fn reads_differ(a: &Config, b: &Config) -> bool {
    let text = |config: &Config| {
        let search = &config.search;
        (
            search.text_include.clone(),
            search.text_max_chunk,
            search.large_files,
            search.excluded_lockfiles.clone(),
            search.units_max,
        )
    };
    a.languages != b.languages || a.syntax != b.syntax || text(a) != text(b)
}

/// Refuses a change that passes a bound of `[source]`.
fn within_bounds(lane: &Lane, found: &Discovery, gone: &BTreeSet<ProjectPath>) -> Result<(), HostError> {
    let size = |path: &ProjectPath| lane.stamps.get(path).map_or(0, |stamp| stamp.size);
    let came = found.files.iter().filter(|file| lane.stamps.get(&file.path).is_none()).count() as u64;
    let before: u64 = gone.iter().map(size).sum::<u64>() + found.files.iter().map(|file| size(&file.path)).sum::<u64>();
    let files = (lane.stamps.len() + came).saturating_sub(gone.len() as u64);
    let bytes = (lane.stamps.bytes() + found.bytes).saturating_sub(before);
    Ok(check_bounds(&lane.config.source, files, bytes)?)
}

/// Takes over what discovery could not catalog. Answers whether that differs from what was known.
fn omit(lane: &mut Lane, found: &Discovery, moved: &Moved, whole: bool) -> bool {
    let below = |path: &str, tree: &ProjectPath| {
        let rest = path.strip_prefix(tree.as_str());
        tree.is_root() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let looked_at = |omission: &Omission| {
        whole
            || moved.trees.iter().any(|tree| below(&omission.path, tree))
            || ProjectPath::new(&omission.path).is_ok_and(|path| moved.files.contains(&path))
    };
    if found.omitted.is_empty() && !lane.omissions.iter().any(looked_at) {
        return false;
    }
    let found = found.omitted.iter().filter(|omission| is_unwanted(&omission.reason));
    let kept = lane.omissions.iter().filter(|omission| !looked_at(omission));
    let omissions: BTreeSet<Omission> = kept.chain(found).cloned().collect();
    let differ = omissions != lane.omissions;
    lane.omissions = omissions;
    differ
}

/// Whether an omission is worth telling: linked worktrees and build folders are left out on purpose.
pub(crate) fn is_unwanted(reason: &OmissionReason) -> bool {
    !matches!(reason, OmissionReason::LinkedWorktree | OmissionReason::BuildDirectory)
}

/// What `paths` hold, each read when its writer was done and nobody wrote to it meanwhile; and those for which that
/// could not be had in [`REREADS_MAX`] attempts.
fn read_settled(shared: &Shared, lane: &Lane, paths: &[ProjectPath]) -> (Vec<(Change, FileStamp)>, Vec<ProjectPath>) {
    let freshness = &shared.freshness;
    let before = shared.current();
    let held_text = |path: &ProjectPath| before.tree.file(path).is_some_and(|entry| entry.size() > 0);
    let mut read: BTreeMap<ProjectPath, (Change, FileStamp)> = BTreeMap::new();
    let mut wanted: BTreeSet<ProjectPath> = paths.iter().cloned().collect();
    let mut attempts = 0;
    while attempts < REREADS_MAX && !wanted.is_empty() {
        freshness.wait_for_writers(&wanted);
        freshness.mark();
        let list: Vec<ProjectPath> = wanted.iter().cloned().collect();
        for (change, stamp) in lane.read(&list) {
            read.insert(change.path.clone(), (change, stamp));
        }
        let moved = freshness.moved_since_mark();
        let cut = |path: &ProjectPath| {
            read.get(path).is_some_and(|(change, stamp)| is_just_emptied(change, stamp)) && held_text(path)
        };
        let cut: BTreeSet<ProjectPath> = list.into_iter().filter(cut).collect();
        wanted.retain(|path| moved.files.contains(path) || cut.contains(path));
        if cut.is_empty() {
            attempts += 1;
        } else {
            std::thread::sleep(EMPTY_PAUSE);
        }
    }
    (read.into_values().collect(), wanted.into_iter().collect())
}

/// Whether a file is empty since a moment ago.
fn is_just_emptied(change: &Change, stamp: &FileStamp) -> bool {
    let Content::Source(source) = &change.content else { return false };
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_nanos());
    let age = i128::try_from(now).unwrap_or(i128::MAX).saturating_sub(stamp.mtime);
    source.size == 0 && (0..i128::try_from(EMPTY_PATIENCE.as_nanos()).unwrap_or(0)).contains(&age)
}
