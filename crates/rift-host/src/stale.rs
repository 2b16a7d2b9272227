//! Saying that an answer is behind the tree, and by what.

use std::path::Path;

use query_graph::DirectoryManifest;
use rift_base::{Digest, DigestBuilder, ProjectPath};
use rift_workspace::{CONFIG_FILE, Moved, Reader};

use crate::error::HostError;

/// Files that are read to tell whether the tree differs from the publication; past that it is taken to differ.
const COMPARED_MAX: usize = 64;

/// Why an answer may miss something that the tree holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stale {
    /// The tree that the answer was read from.
    pub index: Digest,
    /// The tree as the read met it: equal when what moved leaves the tree as it was published. Otherwise a digest of
    /// the published tree and of what the files that moved hold.
    pub captured: Digest,
    /// What moved, or what failed.
    pub detail: String,
}

impl Stale {
    /// An answer from `tree` while `moved` is not published.
    pub(crate) fn behind(root: &Path, tree: &DirectoryManifest, moved: &Moved) -> Self {
        let captured = captured(root, tree, moved);
        let detail = format!(
            "{} and not in this answer yet; the index was not rebuilt within the [server] key readiness_timeout or the request's own limit",
            describe(moved, captured == tree.digest)
        );
        Self { index: tree.digest, captured, detail }
    }

    /// An answer from `tree`, for which `restless` changed whenever they were read.
    pub(crate) fn restless(root: &Path, tree: &DirectoryManifest, restless: &[ProjectPath]) -> Self {
        let moved = Moved { files: restless.iter().cloned().collect(), ..Moved::default() };
        let captured = captured(root, tree, &moved);
        let detail = format!("{}: still being written when last read; send the request again", named(&moved));
        Self { index: tree.digest, captured, detail }
    }

    /// An answer from `tree` after the rebuild that `moved` asked for has failed.
    pub(crate) fn failed(root: &Path, tree: &DirectoryManifest, moved: &Moved, error: &HostError) -> Self {
        let detail = format!("the last rebuild failed, and the next change retries it: {error}");
        Self { index: tree.digest, captured: captured(root, tree, moved), detail }
    }
}

/// What moved, in words.
fn describe(moved: &Moved, equal: bool) -> String {
    if moved.config && equal {
        return format!("{CONFIG_FILE} changed");
    }
    let what = named(moved);
    if equal { format!("{what} changed outside the indexed files") } else { format!("{what} changed") }
}

/// How many names, and the first.
fn named(moved: &Moved) -> String {
    let Some(first) = moved.files.first().or(moved.trees.first()) else { return "the tree".to_owned() };
    let first = if first.is_root() { "the root" } else { first.as_str() };
    match moved.len() {
        1 => first.to_owned(),
        count => format!("{count} paths (the first is {first})"),
    }
}

/// The tree as it is: that of the publication under what moved.
fn captured(root: &Path, tree: &DirectoryManifest, moved: &Moved) -> Digest {
    let mut digest = DigestBuilder::default().part(b"rift captured tree").part(tree.digest.as_bytes());
    let mut differs = moved.all || moved.files.len() > COMPARED_MAX;
    for directory in &moved.trees {
        differs = true;
        digest.add(b"d");
        digest.add(directory.as_str().as_bytes());
    }
    let mut reader = Reader::new(root);
    for path in moved.files.iter().take(COMPARED_MAX) {
        let now = reader.read(path, false).digest;
        let published = tree.file(path);
        differs |= now != published.and_then(|entry| entry.digest());
        digest.add(b"f");
        digest.add(path.as_str().as_bytes());
        digest.add(now.map_or(Vec::new(), |now| now.as_bytes().to_vec()).as_slice());
    }
    if differs { digest.finish() } else { tree.digest }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn tree(digest: Digest) -> DirectoryManifest {
        let (files, directories) = (Arc::default(), Vec::new());
        DirectoryManifest { digest, path: ProjectPath::root(), files, directories, total: 0 }
    }

    fn moved(files: &[&str], trees: &[&str], config: bool) -> Moved {
        let paths = |texts: &[&str]| texts.iter().map(|text| ProjectPath::new(text).expect("a path")).collect();
        Moved { files: paths(files), trees: paths(trees), config, all: false }
    }

    #[test]
    fn details_name_what_moved_and_digests_differ_only_when_the_tree_does() {
        let folder = tempfile::tempdir().expect("temp");
        std::fs::write(folder.path().join("new.rs"), "x").expect("writes");
        let tree = tree(Digest::of(b"published"));
        for (moved, differs, detail) in [
            (moved(&["new.rs"], &[], false), true, "new.rs changed and"),
            (moved(&["gone.log"], &[], false), false, "gone.log changed outside the indexed files and"),
            (moved(&["new.rs", "gone.log"], &["d"], false), true, "3 paths (the first is gone.log) changed and"),
            (moved(&[], &[""], false), true, "the root changed and"),
            (moved(&[], &[], true), false, "rift.toml changed and"),
            (Moved { all: true, ..Moved::default() }, true, "the tree changed and"),
        ] {
            let stale = Stale::behind(folder.path(), &tree, &moved);
            assert_eq!(stale.index, tree.digest);
            assert_eq!(stale.captured != stale.index, differs, "{detail}");
            assert!(stale.detail.starts_with(detail), "{}", stale.detail);
        }
        let failed = Stale::failed(folder.path(), &tree, &moved(&["new.rs"], &[], false), &HostError::Internal);
        assert!(failed.detail.contains("an internal error") && failed.captured != failed.index, "{failed:?}");
    }
}
