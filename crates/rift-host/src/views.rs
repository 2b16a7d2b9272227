//! The views that answers have named, each until its time.
//!
//! An answer prints when its view expires, and that is kept: a row is never dropped before. So what is bounded is the
//! promise. While less than half of the room is used a view is kept for [`VIEW_LIFETIME`] after its last use; the fuller the
//! room, the shorter what a further answer is promised, down to nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use query_graph::{DirectoryManifest, FileEntry};

use crate::clock::{Clock, seconds};
use crate::publication::Publication;

/// How long a view is kept after its last use.
pub const VIEW_LIFETIME: Duration = Duration::from_secs(10 * 60);
/// Views kept at once.
pub const VIEWS_MAX: usize = 8192;
/// Bytes that views may keep in memory beside what the newest one shares with them, as estimated.
pub const VIEW_BYTES_MAX: u64 = 256 << 20;

/// What a row costs beside the files that only it holds.
const ROW_BYTES: u64 = 4 << 10;

/// Views by identity.
pub(crate) struct Views {
    clock: Clock,
    rows: Mutex<Rows>,
}

#[derive(Default)]
struct Rows {
    by_id: HashMap<String, Row>,
    bytes: u64,
    /// The publication that was named last: a further one is charged for what it does not share with it.
    newest: Option<Arc<Publication>>,
}

struct Row {
    publication: Arc<Publication>,
    /// Seconds since 1970.
    expires: u64,
    bytes: u64,
}

impl Views {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, rows: Mutex::default() }
    }

    /// Keeps `publication` from now on, renewing what it was promised before. Answers when it expires, in seconds since
    /// 1970; that is now when there is no room.
    pub(crate) fn keep(&self, publication: &Arc<Publication>) -> u64 {
        let now = seconds(self.clock.now());
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(row) = rows.by_id.get(&publication.view_id).filter(|row| row.expires > now) {
            let (before, bytes) = (row.expires, row.bytes);
            let expires = before.max(now + rows.lifetime(bytes));
            if let Some(row) = rows.by_id.get_mut(&publication.view_id) {
                row.expires = expires;
            }
            return expires;
        }
        rows.drop_expired(now);
        let beside = |newest: &Publication| {
            unshared(&newest.tree, &publication.tree) + publication.searcher.unshared_bytes(&newest.searcher)
        };
        let bytes = ROW_BYTES + rows.newest.as_deref().map_or(0, beside);
        let expires = now + rows.lifetime(bytes);
        if expires > now {
            rows.bytes += bytes;
            rows.by_id.insert(publication.view_id.clone(), Row { publication: publication.clone(), expires, bytes });
            rows.newest = Some(publication.clone());
        }
        expires
    }

    /// The view called `id`, unless its time is over.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Publication>> {
        let now = seconds(self.clock.now());
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.by_id.get(id).filter(|row| row.expires > now).map(|row| row.publication.clone())
    }

    /// Puts `publication` in the place of one that answers as it does.
    pub(crate) fn replace(&self, publication: &Arc<Publication>) {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(row) = rows.by_id.get_mut(&publication.view_id) {
            row.publication = publication.clone();
        }
        if rows.newest.as_ref().is_some_and(|newest| newest.view_id == publication.view_id) {
            rows.newest = Some(publication.clone());
        }
    }

    /// Lets go of what nobody may ask for any more.
    pub(crate) fn sweep(&self) {
        let now = seconds(self.clock.now());
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).drop_expired(now);
    }

    /// What `row` makes of each view that is kept, of when it expires in seconds since 1970, and of its bytes; in no order.
    pub(crate) fn list<T>(&self, row: impl Fn(&Publication, u64, u64) -> T) -> Vec<T> {
        let now = seconds(self.clock.now());
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = rows.by_id.values().filter(|kept| kept.expires > now);
        kept.map(|kept| row(&kept.publication, kept.expires, kept.bytes)).collect()
    }

    /// Rows, and their bytes.
    pub(crate) fn size(&self) -> (u64, u64) {
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        (rows.by_id.len() as u64, rows.bytes)
    }
}

impl Rows {
    /// Seconds that a row of `bytes` is promised in the room that is left: all of the lifetime up to half of the room,
    /// then less with the cube of what is left.
    fn lifetime(&self, bytes: u64) -> u64 {
        let whole = VIEW_LIFETIME.as_secs();
        let left = |used: u64, max: u64| max.saturating_sub(used) as f64 / max as f64;
        let rows = left(self.by_id.len() as u64, VIEWS_MAX as u64);
        let left = rows.min(left(self.bytes.saturating_add(bytes), VIEW_BYTES_MAX));
        let share = (2.0 * left).min(1.0);
        (whole as f64 * share * share * share) as u64
    }

    fn drop_expired(&mut self, now: u64) {
        let mut freed = 0;
        self.by_id.retain(|_, row| {
            let keeps = row.expires > now;
            if !keeps {
                freed += row.bytes;
            }
            keeps
        });
        self.bytes -= freed;
        if self.by_id.is_empty() {
            self.newest = None;
        }
    }
}

/// Bytes of `other` that `tree` does not share: files that differ, and the listings on the way to them. Equal directories are
/// one allocation, so the walk follows what changed alone.
fn unshared(tree: &DirectoryManifest, other: &DirectoryManifest) -> u64 {
    let kept = |entry: &FileEntry| entry.source().map_or(0, |source| source.text.heap_size() as u64);
    let mut bytes = (other.directories.len() * size_of::<Arc<()>>()) as u64;
    if !Arc::ptr_eq(&tree.files, &other.files) {
        bytes += (other.files.len() * size_of::<FileEntry>()) as u64;
        let mut known = tree.files.iter().peekable();
        for file in other.files.iter() {
            while known.next_if(|known| known.path < file.path).is_some() {}
            let same = known.next_if(|known| known.path == file.path);
            if same.is_none_or(|same| same.digest() != file.digest()) {
                bytes += kept(file);
            }
        }
    }
    for directory in &other.directories {
        let at = tree.directories.binary_search_by(|d| d.path.file_name().cmp(directory.path.file_name()));
        match at.ok().and_then(|at| tree.directories.get(at)) {
            Some(same) if Arc::ptr_eq(same, directory) => {}
            Some(same) => bytes += unshared(same, directory),
            None => directory.walk(&mut |entry| bytes += size_of::<FileEntry>() as u64 + kept(entry)),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::SystemTime;

    use rift_base::{Config, Digest, ProjectPath};
    use rift_index::{Index, IndexOptions, Searcher};

    use super::*;

    fn publication(searcher: &Searcher, view_id: String) -> Arc<Publication> {
        let digest = Digest::of(view_id.as_bytes());
        let (path, files, directories) = (ProjectPath::root(), Arc::default(), Vec::new());
        Arc::new(Publication {
            generation: 0,
            config: Arc::new(Config::default()),
            config_digest: digest,
            tree: Arc::new(DirectoryManifest { digest, path, files, directories, total: 0 }),
            summary: Arc::default(),
            searcher: searcher.clone(),
            rows: Default::default(),
            vectors: Default::default(),
            preparation: None,
            omitted: Arc::from([]),
            view_id,
            forced: None,
            resolved: Default::default(),
        })
    }

    /// However many views are named, each lives as long as it was promised, to the second; the promises get shorter, and the
    /// rows stay bounded.
    #[test]
    fn promises_are_kept_when_there_are_too_many() {
        let index = Index::in_memory(IndexOptions::default()).expect("memory");
        let searcher = index.searcher();
        for per_second in [1u64, 10, 100, 5000] {
            let now = Arc::new(AtomicU64::new(1_700_000_000));
            let hands = now.clone();
            let read = move || SystemTime::UNIX_EPOCH + Duration::from_secs(hands.load(Ordering::Relaxed));
            let views = Views::new(Clock::new(read));
            let mut promised: Vec<(u64, String)> = Vec::new();
            let mut shortest = u64::MAX;
            for round in 0..20_000u64 {
                let id = format!("{per_second} {round}");
                let until = views.keep(&publication(&searcher, id.clone()));
                shortest = shortest.min(until - now.load(Ordering::Relaxed));
                promised.push((until, id));
                if round % per_second == 0 {
                    let moment = now.fetch_add(1, Ordering::Relaxed) + 1;
                    if round % 1000 < per_second {
                        for (until, id) in &promised {
                            assert_eq!(views.get(id).is_some(), *until > moment, "{id} until {until} at {moment}");
                        }
                    }
                }
                assert!(views.size().0 <= VIEWS_MAX as u64);
            }
            let whole = VIEW_LIFETIME.as_secs();
            match per_second {
                1 => assert_eq!(shortest, whole, "half of the room is enough"),
                10 => assert!((60..whole).contains(&shortest), "{shortest}"),
                _ => assert!(shortest < 60, "there is no room: {shortest}"),
            }
        }
    }

    #[test]
    fn bytes_shorten_promises_too() {
        let rows = |bytes| Rows { bytes, ..Rows::default() }.lifetime(0);
        let whole = VIEW_LIFETIME.as_secs();
        assert_eq!((rows(0), rows(VIEW_BYTES_MAX / 2)), (whole, whole));
        // Half of the half is left: an eighth.
        assert_eq!(rows(VIEW_BYTES_MAX / 4 * 3), whole / 8);
        assert_eq!((rows(VIEW_BYTES_MAX), rows(u64::MAX)), (0, 0));
    }
}
