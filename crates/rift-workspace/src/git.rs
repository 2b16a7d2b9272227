//! What discovery must know of git's layout on disk (gitrepository-layout(5)): where a checkout keeps its
//! `info/exclude`, and whether it is a linked worktree.

use std::path::{Path, PathBuf};

/// A `.git` file or a `commondir` file holds one path; a longer one is none.
const POINTER_BYTES_MAX: u64 = 16 << 10;

/// What a directory's `.git` entry makes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Checkout {
    /// A repository of its own, or a submodule's checkout. The path is its `info/exclude`.
    Repository(PathBuf),
    /// A linked worktree of some repository, with that repository's `info/exclude`.
    LinkedWorktree(PathBuf),
}

impl Checkout {
    /// Looks at `directory/.git`. None when there is no such entry, or it is neither a directory nor a
    /// file that points somewhere.
    pub(crate) fn of(directory: &Path) -> Option<Self> {
        let dot_git = directory.join(".git");
        let kind = std::fs::symlink_metadata(&dot_git).ok()?.file_type();
        if kind.is_dir() {
            return Some(Checkout::Repository(dot_git.join("info/exclude")));
        }
        if !kind.is_file() {
            return None;
        }
        let pointer = read_pointer(&dot_git)?;
        let git_dir = directory.join(pointer.strip_prefix("gitdir:")?.trim());
        // A linked worktree's git directory names the one it shares; a submodule's does not.
        match read_pointer(&git_dir.join("commondir")) {
            Some(common) => Some(Checkout::LinkedWorktree(git_dir.join(common.trim()).join("info/exclude"))),
            None if !git_dir.is_dir() && is_worktree_path(&git_dir) => {
                // The repository moved or was deleted. The shape of the path still tells.
                let common = git_dir.parent().and_then(Path::parent).unwrap_or(&git_dir);
                Some(Checkout::LinkedWorktree(common.join("info/exclude")))
            }
            None => Some(Checkout::Repository(git_dir.join("info/exclude"))),
        }
    }

    /// The checkout's `info/exclude`, whether or not it exists.
    pub(crate) fn exclude_file(&self) -> &Path {
        match self {
            Checkout::Repository(path) | Checkout::LinkedWorktree(path) => path,
        }
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
