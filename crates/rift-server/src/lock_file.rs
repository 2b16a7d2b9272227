//! `.rift/server.json`: where a serving server listens, what admits to it, and which server it is.

use std::fs::{Metadata, OpenOptions};
use std::io::{self, Read as _, Write as _};

use base64::Engine as _;
use serde::{Deserialize, Serialize};

use crate::folder::{Folder, FolderError, own};
use crate::identity::Identity;

/// The largest file that is read, in bytes.
const FILE_BYTES_MAX: u64 = 64 << 10;
/// Random bytes of a token.
const TOKEN_BYTES: usize = 32;

/// The content of `.rift/server.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerLock {
    /// The port, on 127.0.0.1.
    pub port: u16,
    /// The bearer token of every request: 32 random bytes in unpadded base64url.
    pub token: String,
    /// The server's process.
    pub pid: u32,
    /// Which server it is.
    pub identity: Identity,
}

/// What stands at `.rift/server.json`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Recorded {
    /// Nothing.
    Absent,
    /// Something that is not trusted, for this reason.
    Unusable(String),
    /// A server's statement. Whether that server still lives, the election tells.
    Server(Box<ServerLock>),
}

/// A new token.
pub(crate) fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes))
}

/// Reads the file. One that others could have written or read is not trusted: a token in it is no secret.
pub(crate) fn read(folder: &Folder) -> Recorded {
    let file = match own(OpenOptions::new().read(true)).open(folder.server()) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Recorded::Absent,
        Err(error) => return Recorded::Unusable(error.to_string()),
    };
    let trusted = file.metadata().map_err(|error| error.to_string()).and_then(|found| trusted(&found));
    if let Err(reason) = trusted {
        return Recorded::Unusable(reason);
    }
    let mut bytes = Vec::new();
    if let Err(error) = file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes) {
        return Recorded::Unusable(error.to_string());
    }
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Recorded::Unusable(format!("it is longer than {FILE_BYTES_MAX} bytes"));
    }
    match serde_json::from_slice(&bytes) {
        Ok(lock) => Recorded::Server(Box::new(lock)),
        Err(error) => Recorded::Unusable(format!("it states no server: {error}")),
    }
}

fn trusted(found: &Metadata) -> Result<(), String> {
    if !found.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        if found.mode() & 0o077 != 0 {
            return Err(format!("others may read it: mode {:o}", found.mode() & 0o777));
        }
        if found.uid() != rustix::process::geteuid().as_raw() {
            return Err(format!("it belongs to user {}", found.uid()));
        }
    }
    Ok(())
}

/// A written file: what tells that it still stands as it was written, without opening it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Written(String);

impl Written {
    /// Whether the file at its place is this one, and nobody has touched it.
    pub(crate) fn stands(&self, folder: &Folder) -> bool {
        std::fs::symlink_metadata(folder.server()).is_ok_and(|found| witness(&found) == self.0)
    }
}

#[cfg(unix)]
fn witness(found: &Metadata) -> String {
    use std::os::unix::fs::MetadataExt as _;
    let changed = (found.size(), found.mtime(), found.mtime_nsec(), found.mode(), found.uid());
    format!("{:?} {:?}", (found.dev(), found.ino()), changed)
}

#[cfg(not(unix))]
fn witness(found: &Metadata) -> String {
    format!("{} {:?}", found.len(), found.modified().ok())
}

/// Writes the file in one step, readable by its owner alone from its first moment on.
pub(crate) fn write(folder: &Folder, lock: &ServerLock) -> Result<Written, FolderError> {
    let path = folder.server();
    let failed = |cause: io::Error| FolderError::new(&path, cause);
    let new = path.with_extension("json.new");
    // Only the winner of the election writes here, so what stands there is left from a writer that was killed.
    let _ = std::fs::remove_file(&new);
    let mut file = own(OpenOptions::new().write(true).create_new(true)).open(&new).map_err(failed)?;
    let text = serde_json::to_string_pretty(lock).map_err(|error| failed(error.into()))?;
    file.write_all(text.as_bytes()).and_then(|()| file.write_all(b"\n")).map_err(failed)?;
    let written = Written(witness(&file.metadata().map_err(failed)?));
    std::fs::rename(&new, &path).map_err(failed)?;
    Ok(written)
}

/// Removes whatever stands there. Only the holder of the election does.
pub(crate) fn remove(folder: &Folder) {
    let _ = std::fs::remove_file(folder.server());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock() -> ServerLock {
        ServerLock {
            port: 12345,
            token: new_token().expect("random"),
            pid: 4242,
            identity: Identity {
                version: "0.0.25".to_owned(),
                executable_digest: "e".repeat(64),
                schema_digest: "a".repeat(64),
            },
        }
    }

    #[test]
    fn tokens_are_43_characters_of_base64url_and_differ() {
        let (a, b) = (new_token().expect("random"), new_token().expect("random"));
        assert_ne!(a, b);
        assert_eq!(a.len(), 43);
        assert!(a.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'), "{a}");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_written_is_read_and_what_others_may_touch_is_not() {
        use std::os::unix::fs::PermissionsExt as _;
        let temp = tempfile::tempdir().expect("temp");
        let folder = Folder::of(temp.path());
        folder.create().expect("folder");
        assert_eq!(read(&folder), Recorded::Absent);
        let lock = lock();
        let first = write(&folder, &lock).expect("written");
        let second = write(&folder, &lock).expect("written");
        assert_eq!(read(&folder), Recorded::Server(Box::new(lock)));
        assert!(second.stands(&folder) && !first.stands(&folder), "another file took its place");
        let path = folder.server();
        assert_eq!(std::fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        for mode in [0o640, 0o604, 0o620] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("chmod");
            assert!(matches!(read(&folder), Recorded::Unusable(reason) if reason.contains("mode")), "{mode:o}");
            assert!(!second.stands(&folder), "{mode:o}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_states_no_server_is_named() {
        use std::os::unix::fs::OpenOptionsExt as _;
        let temp = tempfile::tempdir().expect("temp");
        let folder = Folder::of(temp.path());
        folder.create().expect("folder");
        for text in ["", "{", "[]", "{\"port\": 70000}", "\0\0\0\0"] {
            let _ = std::fs::remove_file(folder.server());
            let mut options = OpenOptions::new();
            let mut file = options.write(true).create(true).mode(0o600).open(folder.server()).expect("opened");
            file.write_all(text.as_bytes()).expect("written");
            assert!(matches!(read(&folder), Recorded::Unusable(_)), "{text:?}");
        }
        std::fs::remove_file(folder.server()).expect("removed");
        std::os::unix::fs::symlink("/etc/hostname", folder.server()).expect("link");
        assert!(matches!(read(&folder), Recorded::Unusable(_)), "a link");
        remove(&folder);
        assert_eq!(read(&folder), Recorded::Absent);
    }
}
