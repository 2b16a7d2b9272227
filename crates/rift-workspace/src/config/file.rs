//! `rift.toml` rewritten: read, edited, validated, and replaced in one step, or left as it is.

use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::edit::{self, EditProblem};
use super::get::{self, known};
use super::{CONFIG_BYTES_MAX, ConfigError, compile, parse_config, read, utf8};
use crate::root::CONFIG_FILE;

/// How often a file that changes under the edit is edited again.
const ATTEMPTS: usize = 8;
/// How long an edit waits for another process's.
const LOCK_WAIT: Duration = Duration::from_secs(10);

/// What an edit came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edited {
    /// The file was replaced, or made.
    Changed,
    /// It said so already.
    Same,
    /// It does not state the key.
    NotStated,
}

/// Why `rift.toml` was left as it is.
#[derive(Debug, thiserror::Error)]
pub enum ConfigEditError {
    /// The key or the value cannot be taken.
    #[error(transparent)]
    Edit(#[from] EditProblem),
    /// The file is refused, as it is or as it would be.
    #[error("{error}; nothing was written")]
    Refused {
        /// What is wrong.
        error: ConfigError,
    },
    /// The file is read, and refused.
    #[error(transparent)]
    Invalid {
        /// What is wrong.
        error: ConfigError,
    },
    /// Others keep changing it.
    #[error("{CONFIG_FILE} keeps changing while it is edited; try again")]
    Busy,
    /// The system refused.
    #[error("{CONFIG_FILE} not written: path {}, cause {source}; make the folder writable, or free space", path.display())]
    Write {
        /// The folder or the file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
}

impl From<ConfigError> for ConfigEditError {
    fn from(error: ConfigError) -> Self {
        ConfigEditError::Refused { error }
    }
}

/// States `key`, a dotted key of TOML, as `value`, a value of TOML, in the `rift.toml` of the workspace at `root`, which
/// is made when there is none. The new text is validated as a whole before it takes the file's place; comments and
/// layout stay.
pub fn set_config(root: &Path, key: &str, value: &str) -> Result<Edited, ConfigEditError> {
    let path = edit::parse_key(key)?;
    rewrite(root, &path, |text| Ok(Some(edit::set(text, &path, value)?)))
}

/// Takes `key`, or a table, out of the `rift.toml` of the workspace at `root`. A table that is left without a key and
/// without a comment goes with its last key.
pub fn unset_config(root: &Path, key: &str) -> Result<Edited, ConfigEditError> {
    let path = edit::parse_key(key)?;
    let edited = rewrite(root, &path, |text| edit::unset(text, &path))?;
    if edited == Edited::NotStated {
        known(&path)?;
    }
    Ok(edited)
}

fn rewrite(
    root: &Path,
    key: &[String],
    edit: impl Fn(&str) -> Result<Option<String>, EditProblem>,
) -> Result<Edited, ConfigEditError> {
    let _lock = lock(root)?;
    let path = root.join(CONFIG_FILE);
    for _ in 0..ATTEMPTS {
        let old = read(&path)?;
        let text = utf8(old.as_deref().unwrap_or_default())?;
        let (mark, body) = text.strip_prefix('\u{feff}').map_or(("", text), |body| ("\u{feff}", body));
        let Some(new) = edit(body)? else { return Ok(Edited::NotStated) };
        if !get::same_beside(body, &new, key) {
            let problem = "cannot be edited in this layout; edit rift.toml in an editor".to_owned();
            return Err(EditProblem::Place { key: edit::show_key(key), problem }.into());
        }
        let new = format!("{mark}{new}");
        if new.len() as u64 > CONFIG_BYTES_MAX {
            return Err(ConfigError::TooLarge.into());
        }
        compile(&parse_config(&new)?)?;
        if old.is_some() && new == text {
            return Ok(Edited::Same);
        }
        if replace(&path, old.as_deref(), new.as_bytes())? {
            return Ok(Edited::Changed);
        }
    }
    Err(ConfigEditError::Busy)
}

/// Keeps other processes of ours from editing between our read and our rename. The folder itself carries the lock, so
/// that no file is left behind; where a folder cannot be locked, comparing what was read must do.
fn lock(root: &Path) -> Result<Option<File>, ConfigEditError> {
    let Ok(folder) = File::open(root) else { return Ok(None) };
    let start = Instant::now();
    loop {
        match folder.try_lock() {
            Ok(()) => return Ok(Some(folder)),
            Err(TryLockError::WouldBlock) if start.elapsed() < LOCK_WAIT => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => return Err(ConfigEditError::Busy),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
}

/// Puts `new` in the file's place if it still holds `old`, none for no file; answers whether it did. The new file lies
/// in the same folder first, is written through to the disk, and has the old one's mode.
fn replace(path: &Path, old: Option<&[u8]>, new: &[u8]) -> Result<bool, ConfigEditError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let error = |source| ConfigEditError::Write { path: folder.to_owned(), source };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rift.toml.");
    #[cfg(unix)]
    let fresh = {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::Permissions::from_mode(0o666)
    };
    #[cfg(unix)]
    builder.permissions(fresh);
    let mut file = builder.tempfile_in(folder).map_err(error)?;
    if old.is_some() {
        let metadata = std::fs::metadata(path).map_err(error)?;
        keep_owner(file.as_file(), &metadata);
        file.as_file().set_permissions(metadata.permissions()).map_err(error)?;
    }
    file.write_all(new).and_then(|()| file.as_file().sync_all()).map_err(error)?;
    if read(path)?.as_deref() != old {
        return Ok(false);
    }
    let placed = match old {
        Some(_) => file.persist(path).map(drop),
        None => file.persist_noclobber(path).map(drop),
    };
    match placed {
        Ok(()) => {}
        Err(taken) if old.is_none() && taken.error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
        Err(other) => return Err(error(other.error)),
    }
    // Best effort: the rename is done, and only a power cut could undo it.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(true)
}

/// An administrator's edit leaves the file its owner's, where the system allows.
#[cfg(unix)]
fn keep_owner(file: &File, old: &std::fs::Metadata) {
    use std::os::unix::fs::MetadataExt as _;
    let _ = std::os::unix::fs::fchown(file, Some(old.uid()), Some(old.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &std::fs::Metadata) {}

#[cfg(test)]
mod tests;
