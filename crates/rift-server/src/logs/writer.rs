//! Writing the log. A record is one write of one line to a file opened for appending, so a process that is killed loses
//! at most the line it was writing. A file is never rewritten: the log moves on to a new one, and the oldest goes.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::record::{LogLevel, LogRecord};
use super::segments;

/// The log is so many files, of which the oldest goes when a new one is begun.
const SEGMENTS: u64 = 8;
/// The most bytes of one file.
const SEGMENT_BYTES_MAX: u64 = 16 << 20;
/// The most bytes of the log, whatever `[logs] retention_records` allows.
const LOG_BYTES_MAX: u64 = SEGMENT_BYTES_MAX * SEGMENTS;
/// How often it is looked whether the file is still there.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// A file of the log.
#[derive(Debug, Clone, Copy)]
struct Segment {
    first: u64,
    bytes: u64,
}

/// The one writer of a log.
#[derive(Debug)]
pub(super) struct Writer {
    folder: PathBuf,
    retention: u64,
    /// Ascending; the last one is being written.
    segments: VecDeque<Segment>,
    file: Option<File>,
    /// The number of the next record.
    next: u64,
    /// Records that could not be written since the last one that was.
    lost: u64,
    /// Whether the last write may have left a part of a line.
    torn: bool,
    looked: Instant,
}

impl Writer {
    /// Continues the log in `folder`, which is made when it does not exist.
    pub(super) fn open(folder: &Path, retention: u64) -> io::Result<Self> {
        segments::create_folder(folder)?;
        let mut found: VecDeque<Segment> = VecDeque::new();
        for first in segments::list(folder)? {
            let bytes = std::fs::symlink_metadata(segments::path(folder, first)).map_or(0, |m| m.len());
            found.push_back(Segment { first, bytes });
        }
        let last = found.back().copied();
        let mut writer = Self {
            folder: folder.to_owned(),
            retention: retention.max(1),
            segments: found,
            file: None,
            next: last.map_or(1, |last| last.first),
            lost: 0,
            torn: false,
            looked: Instant::now(),
        };
        match last {
            Some(last) => {
                let (lines, whole) = count_lines(&segments::path(folder, last.first))?;
                writer.next += lines;
                // Behind a torn line nothing is written.
                if whole && !writer.is_full() {
                    writer.file = Some(append(&segments::path(folder, last.first))?);
                } else {
                    writer.begin()?;
                }
            }
            None => writer.begin()?,
        }
        Ok(writer)
    }

    /// Writes one record under the next number. One that cannot be written is counted, and the count is written when
    /// writing works again.
    pub(super) fn write(&mut self, record: LogRecord) {
        if self.lost > 0 {
            let mut note = LogRecord {
                level: LogLevel::Warn,
                target: "rift_server::logs".to_owned(),
                message: "records were lost: the log could not be written".to_owned(),
                ..record.clone()
            };
            note.fields.clear();
            note.fields.insert("lost".to_owned(), self.lost.into());
            if self.try_write(note).is_err() {
                self.lost += 1;
                return;
            }
            self.lost = 0;
        }
        if self.try_write(record).is_err() {
            self.lost += 1;
        }
    }

    fn try_write(&mut self, mut record: LogRecord) -> io::Result<()> {
        if self.is_full() || self.is_gone() {
            self.begin()?;
        }
        record.seq = self.next;
        let Some(mut line) = record.line() else { return Ok(()) };
        if self.torn {
            line.insert(0, '\n');
        }
        let Some(file) = &mut self.file else { return Err(io::ErrorKind::NotFound.into()) };
        // Not `write_all` piece by piece: after a part there may be no room for the rest, and then the line is torn.
        match file.write(line.as_bytes()) {
            Ok(written) if written == line.len() => self.torn = false,
            Ok(written) => {
                self.torn |= written > 0;
                return Err(io::ErrorKind::WriteZero.into());
            }
            Err(error) => return Err(error),
        }
        self.next += 1;
        if let Some(segment) = self.segments.back_mut() {
            segment.bytes += line.len() as u64;
        }
        Ok(())
    }

    /// Records of one file.
    fn per_segment(&self) -> u64 {
        (self.retention / SEGMENTS).max(1)
    }

    fn is_full(&self) -> bool {
        self.segments
            .back()
            .is_none_or(|last| self.next - last.first >= self.per_segment() || last.bytes >= SEGMENT_BYTES_MAX)
    }

    /// Whether somebody removed the file under the writer, looked at now and then.
    fn is_gone(&mut self) -> bool {
        let Some(last) = self.segments.back() else { return true };
        if self.file.is_none() {
            return true;
        }
        if self.looked.elapsed() < LOOK_EVERY {
            return false;
        }
        self.looked = Instant::now();
        std::fs::symlink_metadata(segments::path(&self.folder, last.first)).is_err()
    }

    /// Begins a new file and lets the oldest go that the bounds leave no room for.
    fn begin(&mut self) -> io::Result<()> {
        // The folder may have gone; `.rift` itself is not ours to make.
        segments::create_folder(&self.folder)?;
        // Every name is new, so that a reader can tell the files apart.
        if self.segments.back().is_some_and(|last| last.first == self.next) {
            self.next += 1;
        }
        self.file = Some(append(&segments::path(&self.folder, self.next))?);
        self.torn = false;
        self.segments.push_back(Segment { first: self.next, bytes: 0 });
        let end = self.next.saturating_add(self.per_segment());
        while self.segments.len() > 1 {
            let first = self.segments[0].first;
            let bytes: u64 = self.segments.iter().map(|segment| segment.bytes).sum();
            if end - first <= self.retention && bytes + SEGMENT_BYTES_MAX <= LOG_BYTES_MAX {
                break;
            }
            let _ = std::fs::remove_file(segments::path(&self.folder, first));
            self.segments.pop_front();
        }
        Ok(())
    }
}

fn append(path: &Path) -> io::Result<File> {
    segments::own(OpenOptions::new().append(true).create(true)).open(path)
}

/// The lines of a file, a torn one included, and whether the last one is whole.
fn count_lines(path: &Path) -> io::Result<(u64, bool)> {
    let mut file = segments::own(OpenOptions::new().read(true)).open(path)?;
    let mut buffer = vec![0; 64 << 10];
    let (mut lines, mut last) = (0, b'\n');
    loop {
        let read = file.read(&mut buffer)?;
        let Some(end) = buffer[..read].last() else { break };
        lines += buffer[..read].iter().filter(|byte| **byte == b'\n').count() as u64;
        last = *end;
    }
    Ok(if last == b'\n' { (lines, true) } else { (lines + 1, false) })
}

#[cfg(test)]
impl Writer {
    /// Puts another file in the place of the one being written, as a disk that fills up does.
    pub(super) fn replace_file(&mut self, file: File, torn: bool) {
        self.file = Some(file);
        self.torn = torn;
    }
}
