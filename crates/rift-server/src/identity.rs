//! Which server it is: a proxy adopts only one of its own version, executable and schemas.

use std::cmp::Ordering;
use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rift_base::Digest;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::catalog;

/// The most remembered digests of executables.
const REMEMBERED_MAX: usize = 64;

/// What must be equal for requests to cross from a proxy to a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The package's version.
    pub version: String,
    /// SHA-256 of the executable, 64 hexadecimal digits.
    pub executable_digest: String,
    /// SHA-256 of the listing of the tools with all schemas, 64 hexadecimal digits.
    pub schema_digest: String,
}

impl Identity {
    /// This process's identity. Reads the whole executable the first time that a user runs it, so call it where waiting
    /// harms nobody.
    pub(crate) fn own() -> Result<&'static Self, String> {
        static OWN: OnceLock<Result<Identity, String>> = OnceLock::new();
        let own = OWN.get_or_init(|| {
            Ok(Self {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                executable_digest: executable_digest()
                    .map_err(|error| format!("the executable is unreadable: {error}"))?,
                schema_digest: schema_digest(),
            })
        });
        own.as_ref().map_err(Clone::clone)
    }

    /// Whether this one is of an older version than `other`, by semantic versioning's precedence.
    pub(crate) fn is_older_than(&self, other: &Self) -> bool {
        match (semver::Version::parse(&self.version), semver::Version::parse(&other.version)) {
            (Ok(own), Ok(other)) => own.cmp_precedence(&other) == Ordering::Less,
            _ => false,
        }
    }
}

fn schema_digest() -> String {
    let listing = serde_json::to_vec(&catalog::tools(true)).unwrap_or_default();
    Digest::of(&listing).hex()
}

/// The running executable: where the system names it by process, what runs and not what has replaced it since.
pub(crate) fn executable() -> io::Result<PathBuf> {
    let running = Path::new("/proc/self/exe");
    let path = std::env::current_exe()?;
    match (std::fs::metadata(running), std::fs::metadata(&path)) {
        (Ok(own), Ok(named)) if key(&own) != key(&named) => Ok(running.to_owned()),
        (Ok(_), Err(_)) => Ok(running.to_owned()),
        _ => Ok(path),
    }
}

/// Hashes the executable, or finds its digest in the user's cache folder by what identifies an unchanged file.
fn executable_digest() -> io::Result<String> {
    let mut file = File::open(executable()?)?;
    let key = key(&file.metadata()?);
    let folder = rift_host::default_cache_base().join("executables");
    let remembered = folder.join(&key);
    let known = std::fs::read_to_string(&remembered).ok().filter(|hex| Digest::parse(hex).is_some());
    if let Some(hex) = known {
        return Ok(hex);
    }
    let hex = hash(&mut file)?;
    // Without a memory the next process hashes again.
    let _ = remember(&folder, &remembered, &hex);
    Ok(hex)
}

fn hash(file: &mut File) -> io::Result<String> {
    let mut state = Sha256::new();
    let mut buffer = vec![0; 256 << 10];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        state.update(&buffer[..read]);
    }
    let bytes: [u8; 32] = state.finalize().into();
    Ok(bytes.iter().fold(String::with_capacity(64), |mut hex, byte| {
        use std::fmt::Write as _;
        let _ = write!(hex, "{byte:02x}");
        hex
    }))
}

fn remember(folder: &Path, path: &Path, hex: &str) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let known: Vec<PathBuf> = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    if known.len() >= REMEMBERED_MAX {
        for old in known {
            let _ = std::fs::remove_file(old);
        }
    }
    let new = path.with_extension(format!("{}.new", std::process::id()));
    std::fs::write(&new, hex)?;
    std::fs::rename(new, path)
}

/// What changes when a file changes: size, time of change and place.
#[cfg(unix)]
fn key(found: &Metadata) -> String {
    use std::os::unix::fs::MetadataExt as _;
    let (size, device, inode) = (found.size(), found.dev(), found.ino());
    format!("{size}-{}.{:09}-{device}-{inode}", found.mtime(), found.mtime_nsec())
}

#[cfg(not(unix))]
fn key(found: &Metadata) -> String {
    let modified = found.modified().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    format!("{}-{}", found.len(), modified.map_or(0, |at| at.as_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(version: &str) -> Identity {
        Identity { version: version.to_owned(), executable_digest: String::new(), schema_digest: String::new() }
    }

    #[test]
    fn versions_are_ordered_by_precedence() {
        // Semantic Versioning 2.0.0, item 11; build metadata (item 10) does not count.
        for (left, right, older) in [
            ("1.0.0", "1.0.1", true),
            ("0.9.0", "0.10.0", true),
            ("1.0.0-alpha.1", "1.0.0", true),
            ("1.0.0-alpha.2", "1.0.0-alpha.10", true),
            ("1.0.0", "1.0.0", false),
            ("1.0.0+a", "1.0.0+b", false),
            ("2.0.0", "1.9.9", false),
            ("yesterday", "1.0.0", false),
        ] {
            assert_eq!(identity(left).is_older_than(&identity(right)), older, "{left} {right}");
        }
    }

    #[test]
    fn hashes_as_other_tools_do() {
        // FIPS 180-4 example: SHA-256("abc").
        let temp = tempfile::tempdir().expect("temp");
        let path = temp.path().join("abc");
        std::fs::write(&path, "abc").expect("write");
        let hex = hash(&mut File::open(&path).expect("open")).expect("read");
        assert_eq!(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn the_schema_digest_is_the_same_each_time() {
        assert_eq!(schema_digest(), schema_digest());
        assert!(Digest::parse(&schema_digest()).is_some());
    }

    #[test]
    fn memory_is_bounded() {
        let temp = tempfile::tempdir().expect("temp");
        for number in 0..=REMEMBERED_MAX + 3 {
            remember(temp.path(), &temp.path().join(number.to_string()), "hex").expect("written");
            assert!(std::fs::read_dir(temp.path()).expect("read").count() <= REMEMBERED_MAX);
        }
    }
}
