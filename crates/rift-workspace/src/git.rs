//! What discovery must know of git's layout on disk (gitrepository-layout(5)): where a checkout keeps its
//! `info/exclude`, and whether it is a linked worktree.

use std::path::{Path, PathBuf};

/// A `.git` file or a `commondir` file holds one path; a longer one is none.
const POINTER_BYTES_MAX: u64 = 16 << 10;

/// What a directory's `.git` entry makes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Checkout {
    /// Whether it is a linked worktree of some repository; otherwise it is a repository of its own, or a submodule's
    /// checkout.
    pub(crate) linked: bool,
    /// The git directory that holds the checkout's index, whether or not it exists.
    pub(crate) git_dir: PathBuf,
    /// The repository's `info/exclude`, whether or not it exists.
    pub(crate) exclude: PathBuf,
}

impl Checkout {
    /// Looks at `directory/.git`. None when there is no such entry, or it is neither a directory nor a
    /// file that points somewhere.
    pub(crate) fn of(directory: &Path) -> Option<Self> {
        let dot_git = directory.join(".git");
        let kind = std::fs::symlink_metadata(&dot_git).ok()?.file_type();
        if kind.is_dir() {
            return Some(Self { linked: false, exclude: dot_git.join("info/exclude"), git_dir: dot_git });
        }
        if !kind.is_file() {
            return None;
        }
        let pointer = read_pointer(&dot_git)?;
        let git_dir = directory.join(pointer.strip_prefix("gitdir:")?.trim());
        // A linked worktree's git directory names the one it shares; a submodule's does not.
        let (linked, common) = match read_pointer(&git_dir.join("commondir")) {
            Some(common) => (true, git_dir.join(common.trim())),
            // The repository moved or was deleted. The shape of the path still tells.
            None if !git_dir.is_dir() && is_worktree_path(&git_dir) => {
                (true, git_dir.parent().and_then(Path::parent).unwrap_or(&git_dir).to_owned())
            }
            None => (false, git_dir.clone()),
        };
        Some(Self { linked, exclude: common.join("info/exclude"), git_dir })
    }
}

/// `…/worktrees/<id>`.
fn is_worktree_path(git_dir: &Path) -> bool {
    git_dir.parent().and_then(Path::file_name).is_some_and(|name| name == "worktrees")
}

fn read_pointer(path: &Path) -> Option<String> {
    let metadata = std::fs::symlink_metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > POINTER_BYTES_MAX {
        return None;
    }
    let mut text = std::fs::read_to_string(path).ok()?;
    text.truncate(text.trim_end_matches(['\n', '\r']).len());
    (!text.trim().is_empty()).then_some(text)
}
