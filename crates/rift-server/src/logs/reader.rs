//! Reading the log, while a server writes it or after it has gone.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use super::record::{LogLevel, LogRecord};
use super::when::LogTime;
use super::{log_folder, segments};

/// Bytes that one step reads; several times as many as a line has.
const STEP_BYTES: usize = 1 << 20;

/// Which records are wanted.
#[derive(Debug, Clone, Default)]
pub struct LogFilter {
    /// Not before this time.
    pub since: Option<LogTime>,
    /// Not after this time.
    pub until: Option<LogTime>,
    /// This level and more severe ones.
    pub level: Option<LogLevel>,
    /// Of these components; none means of any.
    pub components: Vec<String>,
}

impl LogFilter {
    /// Whether a record is wanted.
    pub fn takes(&self, record: &LogRecord) -> bool {
        let level = self.level.is_none_or(|level| record.level <= level);
        let component = self.components.is_empty() || self.components.iter().any(|component| record.is_of(component));
        if !level || !component {
            return false;
        }
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        record
            .at()
            .is_some_and(|at| self.since.is_none_or(|since| at >= since) && self.until.is_none_or(|until| at <= until))
    }
}

/// A place in a log, which moves on as records are taken.
#[derive(Debug)]
pub struct LogReader {
    folder: PathBuf,
    filter: LogFilter,
    current: Option<Current>,
}

/// The file that is being read.
#[derive(Debug)]
struct Current {
    first: u64,
    file: File,
    /// Where the next line begins.
    offset: u64,
}

impl LogReader {
    /// A reader at the beginning of the log of the workspace whose `.rift` this is. The log need not exist yet.
    pub fn new(rift_dir: &Path, filter: LogFilter) -> Self {
        Self { folder: log_folder(rift_dir), filter, current: None }
    }

    /// The last `count` records that are wanted, all of them without a count. The reader stands behind them then.
    pub fn last(&mut self, count: Option<usize>) -> io::Result<Vec<LogRecord>> {
        let mut kept = VecDeque::new();
        while let Some(records) = self.step()? {
            for record in records {
                if count.is_some_and(|count| kept.len() >= count) {
                    kept.pop_front();
                }
                if count != Some(0) {
                    kept.push_back(record);
                }
            }
        }
        Ok(kept.into())
    }

    /// The wanted records that were written since the last call. A record that is half written is there the next time.
    pub fn more(&mut self) -> io::Result<Vec<LogRecord>> {
        self.last(None)
    }

    /// The wanted records of the next piece of the log; none when there is no whole line more.
    fn step(&mut self) -> io::Result<Option<Vec<LogRecord>>> {
        loop {
            // The listing comes first: what it names as newer was begun after the last line of this file was written.
            let listed = segments::list(&self.folder)?;
            let Some(current) = &mut self.current else {
                if !self.advance(&listed)? {
                    return Ok(None);
                }
                continue;
            };
            if let Some(records) = current.read(&self.filter)? {
                return Ok(Some(records));
            }
            if !self.advance(&listed)? {
                return Ok(None);
            }
        }
    }

    /// Goes to the next file. Answers whether there is one.
    fn advance(&mut self, listed: &[u64]) -> io::Result<bool> {
        let next = match &self.current {
            None => listed.first(),
            Some(current) => {
                let newer = listed.iter().find(|first| **first > current.first);
                // A log that was removed begins again from its first number.
                let begun_again = !listed.contains(&current.first);
                newer.or_else(|| listed.first().filter(|_| begun_again))
            }
        };
        let Some(&first) = next else { return Ok(false) };
        match segments::own(OpenOptions::new().read(true)).open(segments::path(&self.folder, first)) {
            Ok(file) => {
                self.current = Some(Current { first, file, offset: 0 });
                Ok(true)
            }
            // It went meanwhile, as the oldest one does.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let others: Vec<u64> = listed.iter().copied().filter(|other| *other > first).collect();
                if others.is_empty() { Ok(false) } else { self.advance(&others) }
            }
            Err(error) => Err(error),
        }
    }
}

impl Current {
    /// The wanted records of the whole lines that follow; none when there is no whole line. A line that is no record (a
    /// write was torn, somebody wrote here) is passed over.
    fn read(&mut self, filter: &LogFilter) -> io::Result<Option<Vec<LogRecord>>> {
        self.file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        (&mut self.file).take(STEP_BYTES as u64).read_to_end(&mut bytes)?;
        let end = match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => end + 1,
            // No line of ours is as long.
            None if bytes.len() == STEP_BYTES => bytes.len(),
            None => return Ok(None),
        };
        self.offset += end as u64;
        let lines = bytes[..end].split(|byte| *byte == b'\n');
        let records = lines.filter_map(|line| serde_json::from_slice::<LogRecord>(line).ok());
        Ok(Some(records.filter(|record| filter.takes(record)).collect()))
    }
}
