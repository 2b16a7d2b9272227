//! The files of the log. Each is named by the number of its first record, so that their order is that of their names and
//! the records before any of them can be counted without reading.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};

/// Digits of a name, so that names sort as numbers do.
const DIGITS: usize = 20;
const EXTENSION: &str = "jsonl";

/// The file whose first record has the number `first`.
pub(super) fn path(folder: &Path, first: u64) -> PathBuf {
    folder.join(format!("{first:0DIGITS$}.{EXTENSION}"))
}

/// The numbers of the files' first records, ascending. None when there is no folder.
pub(super) fn list(folder: &Path) -> io::Result<Vec<u64>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found: Vec<u64> = entries.flatten().filter_map(|entry| number(&entry.file_name())).collect();
    found.sort_unstable();
    Ok(found)
}

fn number(name: &std::ffi::OsStr) -> Option<u64> {
    let digits = name.to_str()?.strip_suffix(EXTENSION)?.strip_suffix('.')?;
    (digits.len() == DIGITS && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().ok()).flatten()
}

/// Makes the folder; a link in its place is refused, since a repository may bring one.
pub(super) fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    match builder.create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    if std::fs::symlink_metadata(folder)?.is_dir() {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::NotADirectory, "it is a link or a file"))
    }
}

/// Options that follow no link, wait for nothing, and make files that their owner alone may read and write.
pub(super) fn own(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).mode(0o600);
    }
    options
}
