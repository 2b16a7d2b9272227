//! What a directory sums up to: counts, entry points, documentation and what was left out. The map and the warnings
//! read these folds, never a list of all files.

use std::collections::BTreeMap;
use std::sync::Arc;

use rift_base::{Facet, Language, ProjectPath, SyntaxPolicy, TextPolicy};
use rift_syntax::DeclId;

use crate::catalog::file_entry;
use crate::db::Db;
use crate::inputs::{Content, Directory, File};
use crate::symbols::{PlacedFile, file_symbols};
use crate::syntax::facts;

/// The most entry points that one summary names.
pub const ENTRY_POINTS_MAX: usize = 50;
/// The most documents that one summary names.
pub const DOCS_MAX: usize = 100;
/// The most files that a summary names per note.
pub const NOTED_MAX: usize = 8;

/// Files and symbols of one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LanguageCount {
    /// Files.
    pub files: u64,
    /// Symbols.
    pub symbols: u64,
}

/// A declaration where execution starts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryPoint {
    /// The file.
    pub path: ProjectPath,
    /// The declaration.
    pub declaration: DeclId,
    /// The revision it was found in.
    pub placed: PlacedFile,
}

/// Why a file gives less than it could.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Note {
    /// It gives nothing (not UTF-8, unreadable, past the per-file bound), or a bound cut its declarations.
    Unavailable,
    /// Searched, not parsed: past `max_file`.
    LargeUnparsed,
    /// Parsed, not searched: past `max_chunk`.
    LargeSkipped,
    /// An excluded lockfile.
    Lockfile,
}

/// Files under one note: the first in path order by name, and how many in all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Noted {
    /// Path and detail, at most [`NOTED_MAX`], in path order.
    pub files: Vec<(ProjectPath, Arc<str>)>,
    /// All files under the note.
    pub count: u64,
}

/// The sums of a directory and everything below it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DirectorySummary {
    /// Visible files.
    pub files: u64,
    /// Declared symbols.
    pub symbols: u64,
    /// Binary files, which are visible and give no text.
    pub binary: u64,
    /// By language.
    pub languages: BTreeMap<Language, LanguageCount>,
    /// In path order, at most [`ENTRY_POINTS_MAX`].
    pub entry_points: Vec<EntryPoint>,
    /// Markdown files in path order, at most [`DOCS_MAX`].
    pub docs: Vec<ProjectPath>,
    /// By note.
    pub notes: BTreeMap<Note, Noted>,
    /// The sums of each directory in it, in byte order of paths.
    pub directories: Vec<(ProjectPath, Arc<DirectorySummary>)>,
}

/// The sums of one file. Reads its entry, its facts and its symbols; shields its directory from edits that leave the
/// sums equal, which most edits do.
#[salsa::tracked(returns(clone), heap_size = summary_heap)]
pub fn file_summary(db: &dyn Db, file: File) -> Arc<DirectorySummary> {
    let entry = file_entry(db, file);
    let mut out = DirectorySummary { files: 1, ..DirectorySummary::default() };
    let mut note = |note: Note, detail: &str| {
        out.notes.insert(note, Noted { files: vec![(entry.path.clone(), detail.into())], count: 1 });
    };
    match &entry.content {
        Content::LeftOut(left_out) if left_out.reason.is_named() => {
            note(Note::Unavailable, &left_out.reason.to_string())
        }
        Content::LeftOut(_) => out.binary = 1,
        Content::Source(source) => {
            if source.policy.syntax == SyntaxPolicy::TooLarge {
                note(Note::LargeUnparsed, "");
            }
            match source.policy.text {
                TextPolicy::TooLarge => note(Note::LargeSkipped, ""),
                TextPolicy::Lockfile => note(Note::Lockfile, ""),
                TextPolicy::Index | TextPolicy::NotSelected => {}
            }
        }
        Content::Absent => {}
    }
    if let Some(placed) = entry.placed {
        let facts = facts(db, placed.revision(db));
        out.symbols = file_symbols(db, placed).groups.len() as u64;
        if let Some(lack) = facts.outline.problems.iter().find_map(|p| p.lack()) {
            let noted = Noted { files: vec![(entry.path.clone(), lack.into())], count: 1 };
            out.notes.insert(Note::Unavailable, noted);
        }
        for (id, declaration) in facts.outline.iter() {
            if declaration.facets.has(Facet::Entrypoint) && out.entry_points.len() < ENTRY_POINTS_MAX {
                out.entry_points.push(EntryPoint { path: entry.path.clone(), declaration: id, placed });
            }
        }
    }
    if let Some(language) = &entry.language {
        out.languages.insert(language.clone(), LanguageCount { files: 1, symbols: out.symbols });
        if language.name() == "markdown" {
            out.docs.push(entry.path.clone());
        }
    }
    Arc::new(out)
}

/// The sums of a directory. Reads the sums of its own files and what the writer pushed up from its directories.
#[salsa::tracked(returns(clone), heap_size = summary_heap)]
pub fn directory_summary(db: &dyn Db, directory: Directory) -> Arc<DirectorySummary> {
    let mut out = DirectorySummary::default();
    for file in directory.files(db).iter() {
        out.add(&file_summary(db, *file));
    }
    for below in directory.below(db).iter() {
        out.add(&below.summary);
        out.directories.push((below.manifest.path.clone(), below.summary.clone()));
    }
    out.settle();
    Arc::new(out)
}

impl DirectorySummary {
    fn add(&mut self, other: &DirectorySummary) {
        self.files += other.files;
        self.symbols += other.symbols;
        self.binary += other.binary;
        for (language, count) in &other.languages {
            let slot = self.languages.entry(language.clone()).or_default();
            slot.files += count.files;
            slot.symbols += count.symbols;
        }
        self.entry_points.extend(other.entry_points.iter().cloned());
        self.docs.extend(other.docs.iter().cloned());
        for (note, noted) in &other.notes {
            let slot = self.notes.entry(*note).or_default();
            slot.count += noted.count;
            slot.files.extend(noted.files.iter().cloned());
        }
    }

    /// Sorts and bounds the lists. A bound that holds at each level keeps the first of the whole: what a level drops
    /// has that many others before it.
    fn settle(&mut self) {
        self.entry_points.sort();
        self.entry_points.truncate(ENTRY_POINTS_MAX);
        self.docs.sort();
        self.docs.truncate(DOCS_MAX);
        for noted in self.notes.values_mut() {
            noted.files.sort();
            noted.files.truncate(NOTED_MAX);
        }
    }
}

fn summary_heap(summary: &Arc<DirectorySummary>) -> usize {
    size_of::<DirectorySummary>()
        + summary.languages.len() * size_of::<(Language, LanguageCount)>()
        + summary.entry_points.capacity() * size_of::<EntryPoint>()
        + summary.directories.capacity() * size_of::<(ProjectPath, Arc<DirectorySummary>)>()
        + summary.docs.capacity() * size_of::<ProjectPath>()
        + summary.notes.values().map(|n| n.files.capacity() * size_of::<(ProjectPath, Arc<str>)>()).sum::<usize>()
}
