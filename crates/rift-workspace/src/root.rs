//! Where a workspace begins.

use std::path::{Path, PathBuf};

/// The name of the configuration file.
pub const CONFIG_FILE: &str = "rift.toml";

/// A workspace's root directory and the reason it was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// The directory, canonical: absolute, without `.`, `..` or symbolic links.
    pub path: PathBuf,
    /// Why this one.
    pub reason: RootReason,
}

/// Why a directory is the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootReason {
    /// It is the nearest one upwards that holds a `rift.toml`.
    RiftToml,
    /// It is the nearest one upwards that holds `.git`.
    Git,
    /// Nothing upwards holds either: the start itself.
    Start,
    /// The caller named it.
    Stated,
}

/// The start of the search cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("workspace root unusable: path {}, cause {source}; name an existing directory", path.display())]
pub struct RootError {
    /// The start as given.
    pub path: PathBuf,
    /// What the system said.
    #[source]
    pub source: std::io::Error,
}

/// The directory that a caller names, or that of a file that a caller names. However it is spelled, the same directory is
/// the same root.
pub fn stated_root(named: &Path) -> Result<Root, RootError> {
    Ok(Root { path: directory(named)?, reason: RootReason::Stated })
}

/// The nearest directory from `start` upwards that holds `rift.toml` or `.git` (a directory, or the
/// file of a linked worktree or submodule), else `start`. A `start` that is a file counts as its
/// directory. However `start` is spelled, the same directory has the same root.
pub fn find_root(start: &Path) -> Result<Root, RootError> {
    let path = directory(start)?;
    for directory in path.ancestors() {
        for (name, reason) in [(CONFIG_FILE, RootReason::RiftToml), (".git", RootReason::Git)] {
            if std::fs::symlink_metadata(directory.join(name)).is_ok() {
                return Ok(Root { path: directory.to_owned(), reason });
            }
        }
    }
    Ok(Root { path, reason: RootReason::Start })
}

/// The canonical directory at `path`, or that of the file there.
fn directory(path: &Path) -> Result<PathBuf, RootError> {
    let error = |source| RootError { path: path.to_owned(), source };
    let mut canonical = std::fs::canonicalize(path).map_err(error)?;
    if !std::fs::metadata(&canonical).map_err(error)?.is_dir() {
        canonical.pop();
    }
    Ok(canonical)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn nearest_marker_wins() {
        let temp = tempfile::tempdir().expect("temp");
        let base = temp.path().canonicalize().expect("exists");
        fs::create_dir_all(base.join("repo/.git")).expect("dirs");
        fs::create_dir_all(base.join("repo/sub/deep/er")).expect("dirs");
        fs::create_dir_all(base.join("worktree/x")).expect("dirs");
        fs::create_dir_all(base.join("plain/x")).expect("dirs");
        fs::write(base.join("repo/sub/rift.toml"), "").expect("write");
        fs::write(base.join("worktree/.git"), "gitdir: /nowhere").expect("write");
        fs::write(base.join("plain/x/file"), "").expect("write");
        for (start, root, reason) in [
            ("repo", "repo", RootReason::Git),
            ("repo/sub/deep/er", "repo/sub", RootReason::RiftToml),
            ("repo/sub/..", "repo", RootReason::Git),
            ("repo/.git", "repo", RootReason::Git),
            ("worktree/x", "worktree", RootReason::Git),
            ("plain/x/file", "plain/x", RootReason::Start),
            ("plain/./x/../x", "plain/x", RootReason::Start),
        ] {
            let found = find_root(&base.join(start)).expect("exists");
            assert_eq!(found, Root { path: base.join(root), reason }, "{start}");
        }
        assert!(find_root(&base.join("missing")).expect_err("missing").to_string().contains("missing"));
    }

    #[test]
    fn a_stated_directory_is_the_root() {
        let temp = tempfile::tempdir().expect("temp");
        let base = temp.path().canonicalize().expect("exists");
        fs::create_dir_all(base.join("repo/.git")).expect("dirs");
        fs::create_dir_all(base.join("repo/sub")).expect("dirs");
        fs::write(base.join("repo/sub/file"), "").expect("write");
        for (named, root) in [("repo", "repo"), ("repo/sub/../sub/.", "repo/sub"), ("repo/sub/file", "repo/sub")] {
            let found = stated_root(&base.join(named)).expect("exists");
            assert_eq!(found, Root { path: base.join(root), reason: RootReason::Stated }, "{named}");
        }
        assert!(stated_root(&base.join("missing")).is_err());
    }

    #[test]
    fn relative_spellings_agree() {
        let here = find_root(Path::new(".")).expect("exists");
        assert!(here.path.is_absolute());
        for spelling in ["./src/..", "src", env!("CARGO_MANIFEST_DIR")] {
            assert_eq!(find_root(Path::new(spelling)).expect("exists"), here, "{spelling}");
        }
    }
}
