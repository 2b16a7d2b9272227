//! Where a workspace's stores lie: `.rift` in its root, which outlives the process, or a folder of the process alone.
//!
//! One process owns the stores of `.rift`, by a lock on `store.lock`. Another one beside it (a command at a shell while a server
//! runs), and one that may not write there, take a folder in the user's cache, which goes with them.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::cache::CacheFolder;
use crate::error::HostError;

/// The folder's name.
const NAME: &str = ".rift";

/// A folder for the stores.
pub(crate) enum StoreFolder {
    /// `.rift`, with the lock that is held on it.
    Kept { path: PathBuf, _lock: File },
    /// A folder that goes with the process.
    Passing(CacheFolder),
}

impl StoreFolder {
    /// `.rift` below `root` when it can be had, else a folder below `base`.
    pub(crate) fn open(root: &Path, base: &Path) -> Result<Self, HostError> {
        let path = root.join(NAME);
        match lock(&path) {
            Ok(Some(lock)) => return Ok(Self::Kept { path, _lock: lock }),
            Ok(None) => tracing::info!("another process has the stores of {}; this one keeps none", path.display()),
            Err(error) => tracing::warn!("{} cannot be written and nothing is kept: {error}", path.display()),
        }
        CacheFolder::create(base, root).map(Self::Passing)
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Kept { path, .. } => path,
            Self::Passing(folder) => folder.path(),
        }
    }

    /// Whether what is stored is there at the next start.
    pub(crate) fn is_kept(&self) -> bool {
        matches!(self, Self::Kept { .. })
    }
}

/// Makes the folder, keeps it out of version control, and locks it; none when another process has the lock.
fn lock(folder: &Path) -> io::Result<Option<File>> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    // A link would have the stores written wherever the repository says.
    if !fs::symlink_metadata(folder)?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, "not a folder"));
    }
    let ignore = folder.join(".gitignore");
    if fs::symlink_metadata(&ignore).is_err() {
        fs::write(&ignore, "*\n")?;
    }
    let name = folder.join("store.lock");
    if fs::symlink_metadata(&name).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "store.lock is no file"));
    }
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&name)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(error),
    }
}

/// Sets what stands at `path` aside under a name that ends in `.corrupt-1`, in place of what was set aside before, and says why.
/// What cannot be renamed is removed.
pub(crate) fn set_aside(path: &Path, why: &dyn std::fmt::Display) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".corrupt-1");
    let aside = path.with_file_name(name);
    tracing::warn!("{} is set aside as {} and built anew: {why}", path.display(), aside.display());
    remove(&aside)?;
    fs::rename(path, &aside).or_else(|_| remove(path))
}

/// Removes a file or a folder; nothing there is as good.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_owner_and_a_passing_folder_for_the_next() {
        let (root, cache) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let first = StoreFolder::open(root.path(), cache.path()).expect("a folder");
        assert!(first.is_kept());
        assert_eq!(fs::read_to_string(root.path().join(".rift/.gitignore")).expect("written"), "*\n");
        let second = StoreFolder::open(root.path(), cache.path()).expect("a folder");
        let passing = second.path().to_owned();
        assert!(!second.is_kept() && passing.starts_with(cache.path()) && passing.is_dir());
        drop(second);
        assert!(!passing.exists());
        drop(first);
        assert!(StoreFolder::open(root.path(), cache.path()).expect("a folder").is_kept());
    }

    #[test]
    fn what_is_no_folder_is_left_alone() {
        let (root, cache) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        fs::write(root.path().join(".rift"), "mine").expect("written");
        assert!(!StoreFolder::open(root.path(), cache.path()).expect("a folder").is_kept());
        assert_eq!(fs::read_to_string(root.path().join(".rift")).expect("there"), "mine");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_nowhere() {
        let [root, cache, other] = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
        std::os::unix::fs::symlink(other.path(), root.path().join(".rift")).expect("a link");
        assert!(!StoreFolder::open(root.path(), cache.path()).expect("a folder").is_kept());
        assert_eq!(fs::read_dir(other.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn one_thing_is_kept_aside() {
        let root = tempfile::tempdir().expect("a folder");
        let store = root.path().join("index");
        for text in ["first", "second"] {
            fs::create_dir(&store).expect("made");
            fs::write(store.join("file"), text).expect("written");
            set_aside(&store, &"a test").expect("set aside");
            assert!(!store.exists());
            assert_eq!(fs::read_to_string(root.path().join("index.corrupt-1/file")).expect("there"), text);
        }
        assert_eq!(fs::read_dir(root.path()).expect("a folder").count(), 1);
    }
}
