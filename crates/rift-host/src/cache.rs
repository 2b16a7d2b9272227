//! The folder of the index: outside the tree, one per process, gone with it.

use std::path::{Path, PathBuf};

use rift_base::Digest;

use crate::error::HostError;

/// A folder that is removed when it is dropped.
#[derive(Debug)]
pub(crate) struct CacheFolder(PathBuf);

impl CacheFolder {
    /// A new folder below `base` for the workspace at `root`. Folders that dead processes left there are removed.
    pub(crate) fn create(base: &Path, root: &Path) -> Result<Self, HostError> {
        let workspace = base.join(Digest::of(root.as_os_str().as_encoded_bytes()).short());
        remove_abandoned(&workspace);
        let folder = unused_name(&workspace);
        let error = |source| HostError::Cache { path: folder.clone(), source };
        std::fs::create_dir_all(&folder).map_err(error)?;
        Ok(Self(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for CacheFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// `<pid>` or, when this process has several hosts, `<pid>-<n>`.
fn unused_name(workspace: &Path) -> PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static HOSTS: AtomicU32 = AtomicU32::new(0);
    workspace.join(format!("{}-{}", std::process::id(), HOSTS.fetch_add(1, Ordering::Relaxed)))
}

/// Removes the folders of processes that are gone. Where the system does not tell (no `/proc`), nothing is removed.
fn remove_abandoned(workspace: &Path) {
    if !Path::new("/proc/self").exists() {
        return;
    }
    let Ok(entries) = std::fs::read_dir(workspace) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|n| n.split('-').next()).and_then(|n| n.parse::<u32>().ok());
        if pid.is_some_and(|pid| !Path::new("/proc").join(pid.to_string()).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Where caches belong: `RIFT_CACHE_DIR`, else `XDG_CACHE_HOME/rift`, else `~/.cache/rift`, else the system's folder
/// for temporary files.
pub fn default_cache_base() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    set("RIFT_CACHE_DIR")
        .or_else(|| Some(set("XDG_CACHE_HOME")?.join("rift")))
        .or_else(|| Some(set("HOME")?.join(".cache/rift")))
        .unwrap_or_else(|| std::env::temp_dir().join("rift"))
}
