//! One inotify queue (inotify(7)) and the table of what is watched.
//!
//! The table is keyed by watch descriptor, which the kernel never gives out twice, so a late event of a directory that is gone
//! names nothing. Events are taken in order: a directory that goes takes its descriptors along, and one that
//! comes is named to the caller, who watches it and then lists it.

use std::collections::{BTreeMap, HashMap};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use rift_base::ProjectPath;
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use rustix::io::Errno;

use super::wake::Wake;
use super::{Moved, ScanReason};
use crate::root::CONFIG_FILE;

/// Bytes that one read takes from the queue.
const BUFFER_BYTES: usize = 64 << 10;
/// The largest event: its head, and a name of 255 bytes with its padding.
const EVENT_BYTES_MAX: usize = 16 + 256;

/// What a directory is watched for. Reading and opening files makes no event. `ATTRIB` tells of permissions;
/// `CLOSE_WRITE` of writes through a mapping, which make no `MODIFY`, and of writers that are done.
const MASK: WatchFlags = WatchFlags::CREATE
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MODIFY)
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::MOVED_FROM)
    .union(WatchFlags::MOVED_TO)
    .union(WatchFlags::ONLYDIR)
    .union(WatchFlags::DONT_FOLLOW)
    .union(WatchFlags::EXCL_UNLINK);

/// What a descriptor watches.
enum Place {
    /// A directory of the tree.
    Directory(ProjectPath),
    /// The `info` directory of the repository whose checkout is at this path.
    Rules(ProjectPath),
}

/// The queue.
pub(super) struct Queue {
    fd: Arc<OwnedFd>,
    places: HashMap<i32, Place>,
    directories: BTreeMap<ProjectPath, i32>,
    rules: BTreeMap<ProjectPath, i32>,
    buffer: Box<[MaybeUninit<u8>]>,
}

/// The most watches that the user may have.
pub(super) fn watches_max() -> Option<u64> {
    std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok()?.trim().parse().ok()
}

impl Queue {
    /// An empty queue.
    pub(super) fn open(wake: &Wake) -> Result<Self, ScanReason> {
        if !wake.joins_events() {
            return Err(ScanReason::Refused("no event descriptor".to_owned()));
        }
        let fd = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).map_err(refused)?;
        Ok(Self {
            fd: Arc::new(fd),
            places: HashMap::new(),
            directories: BTreeMap::new(),
            rules: BTreeMap::new(),
            buffer: vec![MaybeUninit::uninit(); BUFFER_BYTES].into_boxed_slice(),
        })
    }

    /// What becomes readable when there are events.
    pub(super) fn handle(&self) -> Arc<OwnedFd> {
        self.fd.clone()
    }

    /// Directories of the tree that are watched.
    pub(super) fn directories(&self) -> u64 {
        self.directories.len() as u64
    }

    /// Watches the directory at `path`, whose full path is `full`. A directory that is not there, or may not be read,
    /// is no failure: it is not listed either.
    pub(super) fn watch(&mut self, path: &ProjectPath, full: &Path) -> Result<(), ScanReason> {
        let Some(wd) = self.add(full)? else { return Ok(()) };
        // The directory was watched under another name, and has moved since.
        if let Some(Place::Directory(old)) = self.places.insert(wd, Place::Directory(path.clone()))
            && old != *path
            && self.directories.get(&old) == Some(&wd)
        {
            self.directories.remove(&old);
        }
        // Another directory stood under this name.
        if let Some(old) = self.directories.insert(path.clone(), wd).filter(|old| *old != wd) {
            self.remove(old);
        }
        Ok(())
    }

    /// Watches `info`, where the repository whose checkout is at `path` keeps rules.
    pub(super) fn watch_rules(&mut self, path: &ProjectPath, info: &Path) -> Result<(), ScanReason> {
        let Some(wd) = self.add(info)? else { return Ok(()) };
        self.places.insert(wd, Place::Rules(path.clone()));
        if let Some(old) = self.rules.insert(path.clone(), wd).filter(|old| *old != wd) {
            self.remove(old);
        }
        Ok(())
    }

    fn add(&self, full: &Path) -> Result<Option<i32>, ScanReason> {
        match inotify::add_watch(&*self.fd, full, MASK) {
            Ok(wd) => Ok(Some(wd)),
            Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS | Errno::LOOP) => Ok(None),
            Err(Errno::NOSPC) => Err(ScanReason::WatchLimit),
            Err(error) => Err(refused(error)),
        }
    }

    fn remove(&mut self, wd: i32) {
        self.places.remove(&wd);
        // It is gone already when its directory is.
        let _ = inotify::remove_watch(&*self.fd, wd);
    }

    /// Drops what is watched at and below `below` unless `keep` says otherwise.
    pub(super) fn forget(&mut self, below: &ProjectPath, keep: impl Fn(&ProjectPath) -> bool) {
        let gone = |table: &BTreeMap<ProjectPath, i32>| {
            let range = table.range(below.clone()..).take_while(|(path, _)| path.as_str().starts_with(below.as_str()));
            let inside = range.filter(|(path, _)| path.strip_prefix(below).is_some() && !keep(path));
            inside.map(|(path, wd)| (path.clone(), *wd)).collect::<Vec<_>>()
        };
        let (directories, rules) = (gone(&self.directories), gone(&self.rules));
        for (path, wd) in directories {
            self.directories.remove(&path);
            self.remove(wd);
        }
        for (path, wd) in rules {
            self.rules.remove(&path);
            self.remove(wd);
        }
    }

    /// Takes every event that is queued now.
    pub(super) fn drain(
        &mut self,
        root: &Path,
        moved: &mut Moved,
        writing: &mut BTreeMap<ProjectPath, Instant>,
    ) -> Result<(), ScanReason> {
        let fd = self.fd.clone();
        let queued = usize::try_from(rustix::io::ioctl_fionread(&*fd).map_err(refused)?).unwrap_or(usize::MAX);
        if queued == 0 {
            return Ok(());
        }
        // A read that more events wait for takes at least this much; a writer that never rests is not followed for ever.
        let mut reads = queued / (BUFFER_BYTES - EVENT_BYTES_MAX) + 1;
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut reader = inotify::Reader::new(&*fd, &mut buffer);
        let outcome = loop {
            if reader.is_buffer_empty() {
                if reads == 0 {
                    break Ok(());
                }
                reads -= 1;
            }
            match reader.next() {
                Ok(event) => {
                    let name = event.file_name().map(|name| name.to_str().ok());
                    if !self.take(root, event.wd(), event.events(), name, moved, writing) {
                        break Err(ScanReason::RootLost);
                    }
                }
                Err(Errno::WOULDBLOCK) => break Ok(()),
                Err(Errno::INTR) => {}
                Err(error) => break Err(refused(error)),
            }
        };
        self.buffer = buffer;
        outcome
    }

    /// Takes one event. `name` is absent for the watched directory itself, and `Some(None)` when it is not UTF-8. Answers
    /// false when the root is gone.
    fn take(
        &mut self,
        root: &Path,
        wd: i32,
        mask: ReadFlags,
        name: Option<Option<&str>>,
        moved: &mut Moved,
        writing: &mut BTreeMap<ProjectPath, Instant>,
    ) -> bool {
        if mask.intersects(ReadFlags::QUEUE_OVERFLOW | ReadFlags::UNMOUNT) {
            moved.all = true;
            return true;
        }
        if mask.contains(ReadFlags::IGNORED) {
            return self.ignored(wd);
        }
        let directory = match self.places.get(&wd) {
            Some(Place::Directory(directory)) => directory.clone(),
            Some(Place::Rules(checkout)) => {
                if name == Some(Some("exclude")) {
                    moved.trees.insert(checkout.clone());
                }
                return true;
            }
            // An event of a directory that has gone since.
            None => return true,
        };
        let name = match name {
            Some(Some(name)) => name,
            // A name that no project path has: its directory is listed again, which reports it.
            Some(None) | None => {
                moved.trees.insert(directory);
                return true;
            }
        };
        let is_dir = mask.contains(ReadFlags::ISDIR);
        match name {
            ".rift" => return true,
            "target" if is_dir => return true,
            ".git" => {
                moved.trees.insert(directory);
                return true;
            }
            ".gitignore" => {
                moved.trees.insert(directory.clone());
            }
            CONFIG_FILE if directory.is_root() => moved.config = true,
            _ => {}
        }
        let Ok(path) = directory.join(name) else {
            moved.trees.insert(directory);
            return true;
        };
        if is_dir {
            if mask.intersects(ReadFlags::DELETE | ReadFlags::MOVED_FROM) {
                self.forget(&path, |_| false);
            }
            moved.trees.insert(path);
            return true;
        }
        if mask.contains(ReadFlags::MODIFY)
            || mask.contains(ReadFlags::CREATE) && is_new_file(&root.join(path.as_str()))
        {
            writing.entry(path.clone()).or_insert_with(Instant::now);
        } else if !mask.contains(ReadFlags::ATTRIB) {
            writing.remove(&path);
        }
        moved.files.insert(path);
        true
    }

    /// The kernel dropped a watch. Answers false when it was the root's.
    fn ignored(&mut self, wd: i32) -> bool {
        match self.places.remove(&wd) {
            Some(Place::Directory(path)) => {
                if self.directories.get(&path) == Some(&wd) {
                    self.directories.remove(&path);
                }
                !path.is_root()
            }
            Some(Place::Rules(path)) => {
                if self.rules.get(&path) == Some(&wd) {
                    self.rules.remove(&path);
                }
                true
            }
            None => true,
        }
    }
}

/// Whether a name that came is a file that somebody opened to write it. A hard link, a pipe or a symbolic link comes whole.
fn is_new_file(full: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::symlink_metadata(full).is_ok_and(|metadata| metadata.is_file() && metadata.nlink() == 1)
}

fn refused(error: Errno) -> ScanReason {
    ScanReason::Refused(std::io::Error::from(error).kind().to_string())
}
