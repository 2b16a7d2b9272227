//! The workspace's own folder, `.rift`, and how files in it are opened. Nothing in it is followed through a link: a
//! repository may bring a `.rift` of its own. A workspace that cannot be written has a folder of the user's in its place,
//! below the user's cache, so that proxies and server meet there.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use rift_base::Digest;
use rift_host::default_cache_base;

/// The folder's name in the root of a workspace.
const NAME: &str = ".rift";
/// Keeps the folder out of the repository, whatever the repository ignores.
const GITIGNORE: &str = "*\n";

/// `.rift` cannot hold the server's state.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{} cannot be used: cause {cause}; make it a folder of your own that can be written", path.display())]
pub struct FolderError {
    /// The path that failed.
    pub path: PathBuf,
    /// What the system said.
    pub cause: String,
}

impl FolderError {
    pub(crate) fn new(path: &Path, cause: impl ToString) -> Self {
        Self { path: path.to_owned(), cause: cause.to_string() }
    }
}

/// The folder `.rift` of one workspace, or the one in its place.
#[derive(Debug, Clone)]
pub(crate) struct Folder(PathBuf);

/// The folder of the user's cache that holds those of workspaces that cannot be written.
const ELSEWHERE: &str = "servers";

impl Folder {
    /// The folder of the workspace at `root`, whether it exists or not.
    pub(crate) fn of(root: &Path) -> Self {
        Self::below(root, &default_cache_base())
    }

    fn below(root: &Path, cache: &Path) -> Self {
        let own = root.join(NAME);
        // What is no folder is refused when it is used: that it stands there is not the system's refusal.
        let written = if std::fs::symlink_metadata(&own).is_ok_and(|found| found.is_dir()) { &own } else { root };
        if is_writable(written) {
            return Self(own);
        }
        Self(cache.join(ELSEWHERE).join(Digest::of(root.as_os_str().as_encoded_bytes()).hex()))
    }

    /// Makes the folder, with a `.gitignore` that hides it, where it does not exist.
    pub(crate) fn create(&self) -> Result<(), FolderError> {
        let failed = |cause: io::Error| FolderError::new(&self.0, cause);
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt as _;
            builder.mode(0o700);
        }
        if self.is_elsewhere() {
            builder.recursive(true);
        }
        match builder.create(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
            _ => {}
        }
        let found = std::fs::symlink_metadata(&self.0).map_err(failed)?;
        if !found.is_dir() {
            return Err(FolderError::new(&self.0, "it is a link or a file"));
        }
        // Caches may lie where others write too: whoever owns the folder says which server is asked.
        if self.is_elsewhere() && !is_own(&found) {
            return Err(FolderError::new(&self.0, "it is another user's"));
        }
        let ignore = self.0.join(".gitignore");
        if std::fs::symlink_metadata(&ignore).is_ok() {
            return Ok(());
        }
        match own(OpenOptions::new().write(true).create_new(true)).open(&ignore) {
            Ok(mut file) => {
                io::Write::write_all(&mut file, GITIGNORE.as_bytes()).map_err(|e| FolderError::new(&ignore, e))
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(FolderError::new(&ignore, error)),
        }
    }

    /// Whether it stands in the place of a `.rift` that cannot be written.
    fn is_elsewhere(&self) -> bool {
        self.0.file_name().is_none_or(|name| name != NAME)
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The election's file.
    pub(crate) fn lock(&self) -> PathBuf {
        self.0.join("server.lock")
    }

    /// What a serving server says of itself.
    pub(crate) fn server(&self) -> PathBuf {
        self.0.join("server.json")
    }

    /// What a detached server writes to standard error.
    pub(crate) fn stderr(&self) -> PathBuf {
        self.0.join("server.stderr")
    }

    /// An empty file for a detached server's standard error.
    pub(crate) fn create_stderr(&self) -> Result<File, FolderError> {
        let path = self.stderr();
        let opened = own(OpenOptions::new().write(true).create(true).truncate(true)).open(&path);
        opened.map_err(|error| FolderError::new(&path, error))
    }
}

/// Whether this user may make files in a folder. Where there is none, making it says why.
#[cfg(unix)]
fn is_writable(folder: &Path) -> bool {
    use rustix::fs::{Access, access};
    use rustix::io::Errno;
    !matches!(access(folder, Access::WRITE_OK | Access::EXEC_OK), Err(Errno::ACCESS | Errno::ROFS | Errno::PERM))
}

#[cfg(not(unix))]
fn is_writable(folder: &Path) -> bool {
    !std::fs::metadata(folder).is_ok_and(|found| found.permissions().readonly())
}

#[cfg(unix)]
fn is_own(found: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    found.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_own(_: &std::fs::Metadata) -> bool {
    true
}

/// Options that follow no link, wait for nothing, and make files that their owner alone may read and write.
pub(crate) fn own(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).mode(0o600);
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_made_once_and_hides_itself() {
        let temp = tempfile::tempdir().expect("temp");
        let folder = Folder::of(temp.path());
        folder.create().expect("made");
        let ignore = temp.path().join(".rift/.gitignore");
        assert_eq!(std::fs::read_to_string(&ignore).expect("read"), "*\n");
        std::fs::write(&ignore, "mine").expect("write");
        folder.create().expect("there");
        assert_eq!(std::fs::read_to_string(&ignore).expect("read"), "mine", "what exists is left alone");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_refused() {
        let temp = tempfile::tempdir().expect("temp");
        let elsewhere = tempfile::tempdir().expect("temp");
        std::os::unix::fs::symlink(elsewhere.path(), temp.path().join(".rift")).expect("link");
        let error = Folder::of(temp.path()).create().expect_err("a link");
        assert!(error.to_string().contains(".rift cannot be used"), "{error}");
        assert_eq!(std::fs::read_dir(elsewhere.path()).expect("read").count(), 0);
    }
}
