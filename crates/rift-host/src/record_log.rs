//! Values on disk by key (facts, vectors): records one after another, each checked by itself, so that a process killed at any
//! moment leaves all records but the last, and nothing has to be flushed for that. The keys are kept in memory; values are
//! read when they are asked for.
//!
//! The file: a header of [`HEADER`] bytes (magic, and what all values were made with), then records. A record: the key (16 bytes), the value's
//! length (u32), its XXH3 (u64), the low half of the XXH3 of these 28 bytes (u32), the value. Numbers are little-endian.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use crate::folder::{remove, set_aside};

/// The first bytes of the file. The number counts changes of the layout.
const MAGIC: &[u8; 16] = b"rift values 001\n";
/// Bytes before the first record.
const HEADER: u64 = 32;
/// Bytes of a record before its value.
const HEAD: u64 = 32;
/// The longest value.
const VALUE_MAX: usize = 256 << 20;
/// Bytes of records that wait to be written together.
const WAITING_MAX: usize = 1 << 20;
/// Bytes that records of no present file may take, beside as much as those of present files take.
const SLACK: u64 = 4 << 20;

/// What a value is found by.
pub(crate) type RecordKey = [u8; 16];

/// The store.
pub(crate) struct RecordLog(Mutex<Log>);

struct Log {
    path: PathBuf,
    file: File,
    header: Header,
    /// Bytes of the file.
    end: u64,
    /// Records behind them.
    waiting: Vec<u8>,
    records: FxHashMap<RecordKey, Place>,
    /// Whether writing failed, and records are read alone.
    is_full: bool,
    /// Bytes from which on it is worth asking which records are of use.
    prune_at: u64,
}

/// Where a value lies.
#[derive(Clone, Copy)]
struct Place {
    at: u64,
    length: u32,
    check: u64,
}

/// Why a file is not a log of this build.
enum Unfit {
    Io(io::Error),
    Foreign,
    Damaged(u64),
}

impl From<io::Error> for Unfit {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => write!(f, "it cannot be read: {error}"),
            Self::Foreign => write!(f, "another version wrote it"),
            Self::Damaged(at) => write!(f, "it is damaged at byte {at}"),
        }
    }
}

impl RecordLog {
    /// The log at `path`, made when it is not there. `made_with` names what makes its values: a file whose values something
    /// else made, or that is no log, is set aside.
    ///
    /// # Errors
    /// When the file can neither be used nor made anew.
    pub(crate) fn open(path: &Path, made_with: &str) -> io::Result<Self> {
        let header = header(made_with);
        let log = match Log::open(path, header) {
            Ok(log) => log,
            Err(Unfit::Io(error)) if error.kind() == io::ErrorKind::NotFound => Log::create(path, header)?,
            Err(unfit) => {
                set_aside(path, &unfit)?;
                Log::create(path, header)?
            }
        };
        Ok(Self(Mutex::new(log)))
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what waits; with `durable`, to the disk itself.
    pub(crate) fn flush(&self, durable: bool) {
        let mut log = self.log();
        log.flush();
        if durable && let Err(error) = log.file.sync_data() {
            tracing::warn!("what is stored in {} may not be on the disk: {error}", log.path.display());
        }
    }

    /// Bytes of the file with what waits to be written.
    pub(crate) fn bytes(&self) -> u64 {
        let log = self.log();
        log.end + log.waiting.len() as u64
    }

    /// Records.
    pub(crate) fn len(&self) -> usize {
        self.log().records.len()
    }

    /// Whether it has grown so much that [`RecordLog::prune`] may have something to do.
    pub(crate) fn is_prune_due(&self) -> bool {
        let log = self.log();
        log.end + log.waiting.len() as u64 > log.prune_at
    }

    /// Drops the records of other keys than `live` when they take more than those, and some slack. Values may be got
    /// and put meanwhile.
    pub(crate) fn prune(&self, live: &FxHashSet<RecordKey>) -> io::Result<()> {
        let (path, header, mut kept, from) = {
            let mut log = self.log();
            log.flush();
            let kept: Vec<(RecordKey, Place)> =
                log.records.iter().filter(|(key, _)| live.contains(*key)).map(|(key, place)| (*key, *place)).collect();
            let bytes: u64 = kept.iter().map(|(_, place)| HEAD + u64::from(place.length)).sum();
            log.prune_at = 2 * bytes + SLACK;
            if log.end <= log.prune_at {
                return Ok(());
            }
            (log.path.clone(), log.header, kept, log.end)
        };
        kept.sort_unstable_by_key(|(_, place)| place.at);
        let new_path = path.with_extension("new");
        remove(&new_path)?;
        let mut new = Log::create(&new_path, header)?;
        let mut source = File::open(&path)?;
        for (key, place) in kept {
            // What cannot be read is made again.
            if let Some(value) = place.read(&mut source) {
                new.append(&key, &value);
            }
        }
        let mut log = self.log();
        log.flush();
        let mut later: Vec<(RecordKey, Place)> =
            log.records.iter().filter(|(_, place)| place.at >= from).map(|(key, place)| (*key, *place)).collect();
        later.sort_unstable_by_key(|(_, place)| place.at);
        for (key, place) in later {
            if let Some(value) = place.read(&mut source) {
                new.append(&key, &value);
            }
        }
        new.flush();
        if new.is_full {
            return remove(&new_path);
        }
        fs::rename(&new_path, &path)?;
        new.prune_at = log.prune_at;
        new.path = path;
        *log = new;
        Ok(())
    }

    /// The value of `key`; absent when there is none, or it is not what was written.
    pub(crate) fn get(&self, key: &RecordKey) -> Option<Vec<u8>> {
        let mut log = self.log();
        let place = *log.records.get(key)?;
        let value = match place.at.checked_sub(log.end) {
            Some(at) => {
                let at = at as usize;
                log.waiting.get(at..at + place.length as usize).map(<[u8]>::to_vec)
            }
            None => place.read(&mut log.file),
        };
        if value.is_none() {
            tracing::warn!("a record of {} is damaged and will be made anew", log.path.display());
            log.records.remove(key);
        }
        value
    }

    /// Keeps the value of `key`; the first one stays.
    pub(crate) fn put(&self, key: &RecordKey, bytes: &[u8]) {
        let mut log = self.log();
        if !log.records.contains_key(key) {
            log.append(key, bytes);
        }
    }
}

impl Drop for RecordLog {
    fn drop(&mut self) {
        self.log().flush();
    }
}

impl Place {
    /// The value, when it is what was written.
    fn read(&self, file: &mut File) -> Option<Vec<u8>> {
        let mut value = vec![0; self.length as usize];
        file.seek(SeekFrom::Start(self.at)).and_then(|_| file.read_exact(&mut value)).ok()?;
        (xxh3_64(&value) == self.check).then_some(value)
    }
}

type Header = [u8; HEADER as usize];

fn header(made_with: &str) -> Header {
    let mut header = [0; HEADER as usize];
    let made_with = made_with.bytes().chain(std::iter::repeat(0));
    for (slot, byte) in header.iter_mut().zip(MAGIC.iter().copied().chain(made_with)) {
        *slot = byte;
    }
    header
}

/// The head of a record.
fn head(key: &RecordKey, value: &[u8]) -> [u8; HEAD as usize] {
    let mut head = [0; HEAD as usize];
    head[..16].copy_from_slice(key);
    head[16..20].copy_from_slice(&(value.len() as u32).to_le_bytes());
    head[20..28].copy_from_slice(&xxh3_64(value).to_le_bytes());
    let check = xxh3_64(&head[..28]) as u32;
    head[28..].copy_from_slice(&check.to_le_bytes());
    head
}

/// Key, length and check of a value, when the head is sound.
fn read_head(head: &[u8; HEAD as usize]) -> Option<(RecordKey, u32, u64)> {
    let (key, rest) = head.split_first_chunk::<16>()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (value, rest) = rest.split_first_chunk::<8>()?;
    let (check, _) = rest.split_first_chunk::<4>()?;
    let sound = u32::from_le_bytes(*check) == xxh3_64(&head[..28]) as u32;
    sound.then(|| (*key, u32::from_le_bytes(*length), u64::from_le_bytes(*value)))
}

impl Log {
    fn create(path: &Path, header: Header) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        file.write_all(&header)?;
        Ok(Self::over(path, file, header, HEADER, FxHashMap::default()))
    }

    fn over(path: &Path, file: File, header: Header, end: u64, records: FxHashMap<RecordKey, Place>) -> Self {
        Self { path: path.to_owned(), file, header, end, waiting: Vec::new(), records, is_full: false, prune_at: SLACK }
    }

    fn open(path: &Path, header: Header) -> Result<Self, Unfit> {
        if !fs::symlink_metadata(path)?.is_file() {
            return Err(Unfit::Foreign);
        }
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        let length = file.metadata()?.len();
        let mut reader = BufReader::new(&file);
        let mut found = [0; HEADER as usize];
        match reader.read_exact(&mut found) {
            Ok(()) if found == header => {}
            Ok(()) => return Err(Unfit::Foreign),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(Unfit::Damaged(length)),
            Err(error) => return Err(error.into()),
        }
        let mut records = FxHashMap::default();
        let mut at = HEADER;
        let mut bytes = [0; HEAD as usize];
        while at + HEAD <= length {
            reader.read_exact(&mut bytes)?;
            let (key, value, check) = read_head(&bytes).ok_or(Unfit::Damaged(at))?;
            let next = at + HEAD + u64::from(value);
            if next > length {
                break;
            }
            records.insert(key, Place { at: at + HEAD, length: value, check });
            reader.seek_relative(i64::from(value))?;
            at = next;
        }
        if at < length {
            tracing::info!("{} ends in a record that was not written whole", path.display());
            file.set_len(at)?;
        }
        Ok(Self::over(path, file, header, at, records))
    }

    fn append(&mut self, key: &RecordKey, value: &[u8]) {
        if self.is_full || value.len() > VALUE_MAX {
            return;
        }
        let at = self.end + self.waiting.len() as u64 + HEAD;
        self.waiting.extend_from_slice(&head(key, value));
        self.waiting.extend_from_slice(value);
        self.records.insert(*key, Place { at, length: value.len() as u32, check: xxh3_64(value) });
        if self.waiting.len() >= WAITING_MAX {
            self.flush();
        }
    }

    /// Writes what waits. After an error nothing more is written: what is there stays readable.
    fn flush(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let end = SeekFrom::Start(self.end);
        match self.file.seek(end).and_then(|_| self.file.write_all(&self.waiting)) {
            Ok(()) => self.end += self.waiting.len() as u64,
            Err(error) => {
                tracing::warn!("nothing more can be stored in {}: {error}", self.path.display());
                self.is_full = true;
                let end = self.end;
                self.records.retain(|_, place| place.at < end);
                let _ = self.file.set_len(end);
            }
        }
        self.waiting = Vec::new();
    }
}
