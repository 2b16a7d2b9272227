//! The election: whoever holds the exclusive lock of `.rift/server.lock` is the workspace's server. The system releases the
//! lock with its holder, however that one ends; the file itself stays.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::process::Stdio;

use crate::folder::{Folder, FolderError, own};

/// The lock, held. It belongs to the open file, so a child that inherits the file holds it too.
#[derive(Debug)]
pub(crate) struct Election(File);

impl Election {
    /// Takes the lock when nobody holds it. The folder exists.
    pub(crate) fn win(folder: &Folder) -> Result<Option<Self>, FolderError> {
        let path = folder.lock();
        let failed = |cause: io::Error| FolderError::new(&path, cause);
        let mut options = OpenOptions::new();
        let file = own(options.read(true).write(true).create(true).truncate(false)).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // The file may have been removed between opening and locking: then the lock elects nobody.
        let election = Self(file);
        Ok(election.stands(folder).then_some(election))
    }

    /// The lock that a parent took and handed over as standard input.
    #[cfg(unix)]
    pub(crate) fn inherited(folder: &Folder) -> Option<Self> {
        use std::os::fd::AsFd as _;
        let file = File::from(std::io::stdin().as_fd().try_clone_to_owned().ok()?);
        let election = Self(file);
        // Locking a lock that is held already succeeds; one that the parent does not hold is not inherited.
        (election.stands(folder) && election.0.try_lock().is_ok()).then_some(election)
    }

    /// Nothing is inherited where files cannot be.
    #[cfg(not(unix))]
    pub(crate) fn inherited(_: &Folder) -> Option<Self> {
        None
    }

    /// Hands the lock to a child, as its standard input.
    pub(crate) fn hand_over(self) -> Stdio {
        self.0.into()
    }

    /// Whether the locked file is still the one at its path.
    #[cfg(unix)]
    pub(crate) fn stands(&self, folder: &Folder) -> bool {
        use std::os::unix::fs::MetadataExt as _;
        let named = std::fs::symlink_metadata(folder.lock());
        match (self.0.metadata(), named) {
            (Ok(held), Ok(named)) => (held.dev(), held.ino()) == (named.dev(), named.ino()),
            _ => false,
        }
    }

    /// Whether the locked file still has a path.
    #[cfg(not(unix))]
    pub(crate) fn stands(&self, folder: &Folder) -> bool {
        folder.lock().exists()
    }
}

/// Whether somebody holds the lock. Changes nothing; a file that does not exist is not made.
pub(crate) fn is_held(folder: &Folder) -> bool {
    let Ok(file) = own(OpenOptions::new().read(true)).open(folder.lock()) else { return false };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holds_it_at_a_time() {
        let temp = tempfile::tempdir().expect("temp");
        let folder = Folder::of(temp.path());
        folder.create().expect("folder");
        assert!(!is_held(&folder));
        let first = Election::win(&folder).expect("usable").expect("free");
        assert!(is_held(&folder));
        assert!(Election::win(&folder).expect("usable").is_none());
        drop(first);
        assert!(!is_held(&folder));
        assert!(Election::win(&folder).expect("usable").is_some());
    }

    #[test]
    fn a_removed_file_elects_nobody() {
        let temp = tempfile::tempdir().expect("temp");
        let folder = Folder::of(temp.path());
        folder.create().expect("folder");
        let held = Election::win(&folder).expect("usable").expect("free");
        assert!(held.stands(&folder));
        std::fs::remove_file(folder.lock()).expect("removed");
        assert!(!held.stands(&folder));
        let other = Election::win(&folder).expect("usable").expect("another file");
        assert!(other.stands(&folder) && !held.stands(&folder));
    }
}
