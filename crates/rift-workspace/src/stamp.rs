//! What the file system says about a file without reading it.

use std::fs::Metadata;
use std::time::{Duration, SystemTime};

/// How far apart two writes may be and still have one time: kernels stamp files from a clock that ticks every 1 to 10 ms.
const TICK_MAX: Duration = Duration::from_millis(50);
/// The same where a file system keeps whole seconds, some every other one.
const COARSE_TICK_MAX: Duration = Duration::from_secs(2);

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
    /// The stamp to remember for a file that was read at `read`. A file that changed just before may change again without
    /// getting another time, so its stamp is made one that no file has, and the file is read again when it is next
    /// looked at: git's rule of the racily clean entry (Documentation/technical/racy-git in git's sources).
    pub fn remembered(self, read: SystemTime) -> Self {
        let read = read.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_nanos());
        let read = i128::try_from(read).unwrap_or(i128::MAX);
        let changed = if self.ctime == 0 { self.mtime } else { self.ctime };
        let tick = if changed % 1_000_000_000 == 0 { COARSE_TICK_MAX } else { TICK_MAX };
        if changed.saturating_add(i128::try_from(tick.as_nanos()).unwrap_or(0)) < read {
            self
        } else {
            Self { ctime: i128::MIN, ..self }
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_that_may_hide_a_write_is_not_remembered() {
        const SECOND: i128 = 1_000_000_000;
        let stamp = |ctime| FileStamp { size: 7, mtime: 3, ctime, inode: 9 };
        let at = |nanos: i128| SystemTime::UNIX_EPOCH + Duration::from_nanos(u64::try_from(nanos).expect("positive"));
        for (ctime, read, kept) in [
            (100 * SECOND + 5, 200 * SECOND, true),
            (100 * SECOND + 5, 100 * SECOND + 60_000_000, true),
            (100 * SECOND + 5, 100 * SECOND + 9_000_000, false),
            (100 * SECOND + 5, 100 * SECOND + 5, false),
            // In the future.
            (100 * SECOND + 5, 90 * SECOND, false),
            // A file system with whole seconds.
            (100 * SECOND, 101 * SECOND, false),
            (100 * SECOND, 103 * SECOND, true),
            // No time of the inode: that of the content counts.
            (0, SECOND, true),
        ] {
            let remembered = stamp(ctime).remembered(at(read));
            assert_eq!(remembered == stamp(ctime), kept, "{ctime} {read}");
            assert_eq!(remembered.size, 7);
        }
    }
}
