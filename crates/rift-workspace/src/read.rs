//! Reading files: raw digest, decoded text, and why a file has none.
//!
//! A reader never follows a symbolic link below the root: not in the last segment (`O_NOFOLLOW`) and not
//! in a directory on the way (checked once per directory). It opens without blocking, so that a pipe or
//! device that took a file's place is refused instead of waited for.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rift_base::{Digest, Presence, ProjectPath, Unavailable};

use crate::stamp::FileStamp;

/// The most bytes one file may have. Larger files have no text.
pub const FILE_BYTES_MAX: u64 = 64 << 20;
/// How often a file that changes under the read is read again.
const ATTEMPTS: usize = 3;
/// Bytes in which a NUL makes a file binary; git's `buffer_is_binary` looks at as many.
const BINARY_WINDOW: usize = 8000;

/// One file as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileContent {
    /// Whether there is text.
    pub presence: Presence,
    /// The stamp that belongs to the bytes; default when nothing was read.
    pub stamp: FileStamp,
    /// SHA-256 of the raw bytes, when they were read.
    pub digest: Option<Digest>,
    /// The decoded text without its byte order mark; empty unless `presence` is `Text`.
    pub text: Arc<str>,
    /// How the raw bytes spell the text.
    pub encoding: Encoding,
}

/// How a file's bytes spell its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Encoding {
    /// UTF-8 without a byte order mark.
    #[default]
    Utf8,
    /// UTF-8 behind its byte order mark.
    Utf8Bom,
    /// UTF-16, little endian, behind its byte order mark.
    Utf16Le,
    /// UTF-16, big endian, behind its byte order mark.
    Utf16Be,
}

/// Reads files below one root. It keeps its buffer and remembers the directory it checked last, so one
/// reader should read many files, in path order; each thread needs its own.
#[derive(Debug)]
pub struct Reader {
    root: PathBuf,
    /// The directory whose way from the root is known to have no link.
    checked: Option<ProjectPath>,
    buffer: Vec<u8>,
}

impl Reader {
    /// A reader below `root`, which should be canonical.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), checked: None, buffer: Vec::new() }
    }

    /// Reads one file. `claimed` says whether a language claims the path: then a NUL byte is a defect to
    /// report instead of the sign of a binary file.
    pub fn read(&mut self, path: &ProjectPath, claimed: bool) -> FileContent {
        match self.read_raw(path) {
            Ok(stamp) => {
                let digest = Some(Digest::of(&self.buffer));
                let (presence, text, encoding) = match decode(&self.buffer, claimed) {
                    Ok((text, encoding)) => (Presence::Text, text, encoding),
                    Err(reason) => (Presence::Unavailable(reason), Arc::from(""), Encoding::default()),
                };
                FileContent { presence, stamp, digest, text, encoding }
            }
            Err((presence, stamp)) => {
                FileContent { presence, stamp, digest: None, text: Arc::from(""), encoding: Encoding::default() }
            }
        }
    }

    /// Fills the buffer with a file's bytes and gives the stamp that belongs to them.
    fn read_raw(&mut self, path: &ProjectPath) -> Result<FileStamp, (Presence, FileStamp)> {
        let none = FileStamp::default();
        self.check_directory(path).map_err(|p| (p, none))?;
        let full = self.root.join(path.as_str());
        let mut seen = none;
        for _ in 0..ATTEMPTS {
            let mut file = open(&full).map_err(|p| (p, none))?;
            let before = file.metadata().map_err(|e| (failure(&e), none))?;
            seen = FileStamp::of(&before);
            if !before.is_file() {
                return Err((Presence::Unavailable(Unavailable::NotRegular), seen));
            }
            if seen.size > FILE_BYTES_MAX {
                let reason = Unavailable::TooLarge { size: seen.size, limit: FILE_BYTES_MAX };
                return Err((Presence::Unavailable(reason), seen));
            }
            self.buffer.clear();
            self.buffer.reserve(usize::try_from(seen.size).unwrap_or(0) + 1);
            (&mut file).take(FILE_BYTES_MAX + 1).read_to_end(&mut self.buffer).map_err(|e| (failure(&e), seen))?;
            let after = file.metadata().map_err(|e| (failure(&e), seen))?;
            if self.buffer.len() as u64 == seen.size && FileStamp::of(&after) == seen {
                return Ok(seen);
            }
        }
        Err((Presence::Unavailable(Unavailable::Changing), seen))
    }

    /// Refuses a path whose directory is reached through a link.
    fn check_directory(&mut self, path: &ProjectPath) -> Result<(), Presence> {
        let Some(directory) = path.parent() else { return Err(Presence::Unavailable(Unavailable::NotRegular)) };
        if self.checked.as_ref() == Some(&directory) {
            return Ok(());
        }
        self.checked = None;
        let mut full = self.root.clone();
        for segment in directory.segments() {
            full.push(segment);
            let kind = std::fs::symlink_metadata(&full).map_err(|e| failure(&e))?.file_type();
            if kind.is_symlink() {
                return Err(Presence::Unavailable(Unavailable::Symlink));
            }
            if !kind.is_dir() {
                return Err(Presence::Absent);
            }
        }
        self.checked = Some(directory);
        Ok(())
    }
}

/// Reads one file below `root`; see [`Reader::read`], which is faster for many.
pub fn read_file(root: &Path, path: &ProjectPath, claimed: bool) -> FileContent {
    Reader::new(root).read(path, claimed)
}

/// Opens a file for reading: no link is followed, nothing is waited for.
pub(crate) fn open(path: &Path) -> Result<File, Presence> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    #[cfg(not(unix))]
    if std::fs::symlink_metadata(path).map_err(|e| failure(&e))?.file_type().is_symlink() {
        return Err(Presence::Unavailable(Unavailable::Symlink));
    }
    options.open(path).map_err(|e| failure(&e))
}

/// What an error of the system means for a file.
fn failure(error: &io::Error) -> Presence {
    #[cfg(unix)]
    match error.raw_os_error() {
        Some(libc::ELOOP) => return Presence::Unavailable(Unavailable::Symlink),
        // A socket.
        Some(libc::ENXIO) => return Presence::Unavailable(Unavailable::NotRegular),
        _ => {}
    }
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Presence::Absent,
        _ => Presence::Unavailable(Unavailable::Unreadable(describe(error))),
    }
}

/// An error in the system's words, without the number, which differs between systems.
pub(crate) fn describe(error: &io::Error) -> String {
    error.kind().to_string()
}

/// The text that raw bytes spell. A byte order mark decides; without one the bytes must be UTF-8.
fn decode(bytes: &[u8], claimed: bool) -> Result<(Arc<str>, Encoding), Unavailable> {
    let (text, encoding) = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => (utf8(rest, 3, claimed)?.into(), Encoding::Utf8Bom),
        [0xff, 0xfe, rest @ ..] => (utf16(rest, u16::from_le_bytes)?.into(), Encoding::Utf16Le),
        [0xfe, 0xff, rest @ ..] => (utf16(rest, u16::from_be_bytes)?.into(), Encoding::Utf16Be),
        _ => (utf8(bytes, 0, claimed)?.into(), Encoding::Utf8),
    };
    Ok((text, encoding))
}

fn utf8(bytes: &[u8], mark: usize, claimed: bool) -> Result<&str, Unavailable> {
    if let Some(at) = memchr::memchr(0, bytes) {
        let binary = !claimed && mark == 0 && at < BINARY_WINDOW;
        return Err(if binary { Unavailable::Binary } else { Unavailable::NulByte });
    }
    std::str::from_utf8(bytes).map_err(|e| Unavailable::NotUtf8 { offset: (mark + e.valid_up_to()) as u64 })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, Unavailable> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Unavailable::NotUtf16);
    }
    let mut text = String::with_capacity(bytes.len());
    for decoded in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        match decoded {
            Ok('\0') => return Err(Unavailable::NulByte),
            Ok(c) => text.push(c),
            Err(_) => return Err(Unavailable::NotUtf16),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
