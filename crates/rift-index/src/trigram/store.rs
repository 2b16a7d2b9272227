//! The segments of the trigram index where they outlive the process.
//!
//! A list names them; it is replaced in one step, after the files that it names are on disk and before those that it no longer
//! names go. So whatever ends the process, the list is whole and names whole files. Files that a process left behind are
//! removed by the next one: what a list will drop stands in it, and a new file takes the number that the list says is next.

use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::Directory;
use tantivy::directory::error::{DeleteError, OpenReadError};
use tantivy::directory::{MmapDirectory, RamDirectory, TerminatingWrite as _};

use super::Trigrams;
use super::build::SegmentBuilder;
use super::merge::{Weight, choose, merge};
use super::segment::{MAGIC, Malformed, Segment, TrigramRow};
use crate::error::IndexError;

/// The list's name.
const LIST: &str = "segments";

/// The segments and their one writer.
pub struct TrigramStore {
    directory: Box<dyn Directory>,
    path: PathBuf,
    segments: Vec<(u64, Arc<Segment>)>,
    next: u64,
}

impl fmt::Debug for TrigramStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TrigramStore")
            .field("path", &self.path)
            .field("segments", &self.segments)
            .finish_non_exhaustive()
    }
}

fn name(number: u64) -> PathBuf {
    format!("{number}.trigrams").into()
}

impl TrigramStore {
    /// A store in memory.
    pub fn in_memory() -> Self {
        Self { directory: Box::new(RamDirectory::create()), path: PathBuf::new(), segments: Vec::new(), next: 0 }
    }

    /// What the existing directory `dir` holds; an empty one holds no segment. Reads every file.
    ///
    /// # Errors
    /// [`IndexError::Foreign`] for another layout; [`IndexError::Corrupt`] when a file is missing or damaged: the caller then
    /// empties the directory and starts anew; [`IndexError::Engine`] when the directory cannot be read.
    pub fn open(dir: &Path) -> Result<Self, IndexError> {
        let directory = MmapDirectory::open(dir).map_err(tantivy::TantivyError::from)?;
        let mut store = Self { directory: Box::new(directory), path: dir.to_owned(), segments: Vec::new(), next: 0 };
        let list = match store.directory.atomic_read(Path::new(LIST)) {
            Ok(list) => list,
            Err(OpenReadError::FileDoesNotExist(_)) => {
                store.remove_orphans();
                return Ok(store);
            }
            Err(error) => return Err(store.corrupt(error)),
        };
        let text = String::from_utf8(list).map_err(|error| store.corrupt(error))?;
        let mut lines = text.lines();
        if lines.next().map(str::as_bytes) != Some(MAGIC) {
            return Err(IndexError::Foreign(dir.to_owned()));
        }
        let mut ended = false;
        for line in lines {
            match line.split_once(' ').and_then(|(word, number)| Some((word, number.parse::<u64>().ok()?))) {
                Some(("segment", number)) => {
                    let segment = store.read(number)?;
                    store.segments.push((number, Arc::new(segment)));
                }
                Some(("gone", number)) => store.remove(number),
                Some(("next", number)) => store.next = number,
                _ if line == "end" => ended = true,
                _ => return Err(store.corrupt("a line of the list")),
            }
        }
        if !ended {
            return Err(store.corrupt("the list is cut"));
        }
        store.remove_orphans();
        Ok(store)
    }

    fn corrupt(&self, detail: impl fmt::Display) -> IndexError {
        IndexError::Corrupt { path: self.path.clone(), detail: detail.to_string() }
    }

    fn read(&self, number: u64) -> Result<Segment, IndexError> {
        let file = self.directory.open_read(&name(number)).map_err(|error| self.corrupt(error))?;
        let bytes = file.read_bytes().map_err(|error| self.corrupt(error))?;
        Segment::open(bytes).map_err(|malformed| match malformed {
            Malformed::Foreign => IndexError::Foreign(self.path.clone()),
            Malformed::Damaged => self.corrupt(format!("{}: wrong checksum", name(number).display())),
        })
    }

    /// Removes files that were written and never listed: they have the numbers that come next.
    fn remove_orphans(&self) {
        for number in self.next.. {
            if !self.directory.exists(&name(number)).unwrap_or(false) {
                return;
            }
            self.remove(number);
        }
    }

    fn remove(&self, number: u64) {
        match self.directory.delete(&name(number)) {
            Ok(()) | Err(DeleteError::FileDoesNotExist(_)) => {}
            Err(error) => tracing::warn!("{}: {error}", self.path.display()),
        }
    }

    /// The segments as a state to search.
    pub fn state(&self) -> Trigrams {
        let segments = self.segments.iter().map(|(_, segment)| segment.clone()).collect();
        Trigrams { segments, ..Trigrams::default() }
    }

    /// Writes the segment of what `builder` gathered. Answers its rows.
    ///
    /// # Errors
    /// [`IndexError::Engine`] when the disk is full or gone; the store is as it was.
    pub fn add(&mut self, builder: SegmentBuilder) -> Result<Vec<TrigramRow>, IndexError> {
        let (rows, bytes) = builder.finish();
        self.replace(&[], Some(&bytes))?;
        Ok(rows)
    }

    /// Merges segments that are small, and drops rows that `live` does not want from those that are half dead: a few at a time.
    /// Answers whether anything was done, and more may be to do.
    ///
    /// # Errors
    /// As [`TrigramStore::add`].
    pub fn tidy(&mut self, live: &dyn Fn(&TrigramRow) -> bool) -> Result<bool, IndexError> {
        let weight = |(_, segment): &(u64, Arc<Segment>)| Weight {
            rows: segment.rows().len(),
            live: segment.rows().iter().filter(|row| live(row)).count(),
            bytes: segment.bytes(),
        };
        let chosen = choose(&self.segments.iter().map(weight).collect::<Vec<_>>());
        if chosen.is_empty() {
            return Ok(false);
        }
        let (numbers, segments): (Vec<u64>, Vec<Arc<Segment>>) =
            chosen.iter().filter_map(|at| self.segments.get(*at).cloned()).unzip();
        let (rows, bytes) = merge(&segments, live);
        self.replace(&numbers, (!rows.is_empty()).then_some(&*bytes))?;
        Ok(true)
    }

    /// Puts a segment of `bytes` in the place of those called `gone`.
    fn replace(&mut self, gone: &[u64], bytes: Option<&[u8]>) -> Result<(), IndexError> {
        let mut segments: Vec<(u64, Arc<Segment>)> =
            self.segments.iter().filter(|(number, _)| !gone.contains(number)).cloned().collect();
        let mut next = self.next;
        if let Some(bytes) = bytes {
            // A write that failed may have left one.
            self.remove(next);
            let mut file = self.directory.open_write(&name(next)).map_err(tantivy::TantivyError::from)?;
            file.write_all(bytes)?;
            file.terminate()?;
            segments.push((next, Arc::new(self.read(next)?)));
            next += 1;
        }
        let mut list = String::from_utf8_lossy(MAGIC).into_owned();
        segments.iter().for_each(|(number, _)| list += &format!("\nsegment {number}"));
        gone.iter().for_each(|number| list += &format!("\ngone {number}"));
        list += &format!("\nnext {next}\nend\n");
        self.directory.atomic_write(Path::new(LIST), list.as_bytes())?;
        self.segments = segments;
        self.next = next;
        gone.iter().for_each(|number| self.remove(*number));
        Ok(())
    }
}
