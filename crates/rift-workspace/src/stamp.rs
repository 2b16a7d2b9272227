//! What the file system says about a file without reading it.

use std::fs::Metadata;

/// Size, times and inode of a file. Equal stamps at two moments mean that the content very likely did
/// not change between them; a differing stamp means only that it must be read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileStamp {
    /// Bytes.
    pub size: u64,
    /// Last change of the content, in nanoseconds since 1970.
    pub mtime: i128,
    /// Last change of the inode, likewise; 0 where the system has none.
    pub ctime: i128,
    /// Inode number; 0 where the system has none.
    pub inode: u64,
}

impl FileStamp {
    /// The stamp in `metadata`.
    #[cfg(unix)]
    pub fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let nanos = |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        Self {
            size: metadata.len(),
            mtime: nanos(metadata.mtime(), metadata.mtime_nsec()),
            ctime: nanos(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
        }
    }

    /// The stamp in `metadata`.
    #[cfg(not(unix))]
    pub fn of(metadata: &Metadata) -> Self {
        let mtime = metadata.modified().ok().map_or(0, |time| match time.duration_since(std::time::UNIX_EPOCH) {
            Ok(after) => i128::try_from(after.as_nanos()).unwrap_or(i128::MAX),
            Err(before) => -i128::try_from(before.duration().as_nanos()).unwrap_or(i128::MAX),
        });
        Self { size: metadata.len(), mtime, ctime: 0, inode: 0 }
    }
}
