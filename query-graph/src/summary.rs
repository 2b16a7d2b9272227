//! What a directory sums up to: counts, entry points, documentation and what was left out. The map and the warnings
//! read these folds, never a list of all files.

use std::collections::BTreeMap;
use std::sync::Arc;

use query_graph_macros::query;
use rift_base::{Language, ProjectPath, SyntaxPolicy, TextPolicy};
use rift_syntax::DeclId;
use rift_workspace::{DependencyFile, StatedDependencies};

use crate::catalog::file_entry;
use crate::db::Db;
use crate::dependencies::{self, DependencyFiles, stated_dependencies};
use crate::inputs::{Content, Directory, File};
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
    /// What states packages.
    pub dependencies: DependencyFiles,
    /// The sums of each directory in it, in byte order of paths.
    pub directories: Vec<(ProjectPath, Arc<DirectorySummary>)>,
}

/// The sums of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSummary {
    path: ProjectPath,
    /// Its language; absent when none claims it.
    pub language: Option<Language>,
    /// Declared symbols.
    pub symbols: u64,
    binary: bool,
    entry_points: Vec<EntryPoint>,
    notes: Vec<(Note, Arc<str>)>,
    dependencies: Option<Arc<StatedDependencies>>,
}

/// The sums of one file. Reads its entry and its facts, and of a manifest what it states; shields its directory from edits that leave the
/// sums equal, which most edits do.
#[query(returns(clone), heap_size = file_summary_heap)]
pub fn file_summary(db: &dyn Db, file: File) -> Arc<FileSummary> {
    let entry = file_entry(db, file);
    let mut out = FileSummary {
        path: entry.path.clone(),
        language: entry.language.clone(),
        symbols: 0,
        binary: false,
        entry_points: Vec::new(),
        notes: Vec::new(),
        dependencies: None,
    };
    if DependencyFile::of(entry.path.file_name()).is_some() {
        out.dependencies = stated_dependencies(db, file);
    }
    match &entry.content {
        Content::LeftOut(left_out) if left_out.reason.is_named() => {
            out.notes.push((Note::Unavailable, left_out.reason.to_string().into()));
        }
        Content::LeftOut(_) => out.binary = true,
        Content::Source(source) => out.notes.extend(policy_notes(source.policy).map(|note| (note, "".into()))),
        Content::Absent => {}
    }
    if let Some(revision) = entry.revision(db) {
        let facts = facts(db, revision);
        out.symbols = facts.symbols.into();
        if let Some(lack) = facts.packed.outline.problems.iter().find_map(|p| p.lack()) {
            out.notes.push((Note::Unavailable, lack.into()));
        }
        let starts = facts.entry_points.iter().take(ENTRY_POINTS_MAX);
        out.entry_points = starts.map(|id| EntryPoint { path: entry.path.clone(), declaration: *id }).collect();
    }
    Arc::new(out)
}

/// What a policy leaves out of a file.
fn policy_notes(policy: rift_base::IndexPolicy) -> impl Iterator<Item = Note> {
    let syntax = (policy.syntax == SyntaxPolicy::TooLarge).then_some(Note::LargeUnparsed);
    let text = match policy.text {
        TextPolicy::TooLarge => Some(Note::LargeSkipped),
        TextPolicy::Lockfile => Some(Note::Lockfile),
        TextPolicy::Index | TextPolicy::NotSelected => None,
    };
    syntax.into_iter().chain(text)
}

fn file_summary_heap(summary: &Arc<FileSummary>) -> usize {
    size_of::<FileSummary>()
        + summary.entry_points.capacity() * size_of::<EntryPoint>()
        + summary.notes.capacity() * size_of::<(Note, Arc<str>)>()
}

/// The sums of a directory. Reads what the writer handed over of its files and pushed up from its directories.
#[query(returns(clone), heap_size = summary_heap)]
pub fn directory_summary(db: &dyn Db, directory: Directory) -> Arc<DirectorySummary> {
    let mut out = DirectorySummary::default();
    for sums in directory.sums(db).iter() {
        out.add_file(sums);
    }
    for below in directory.below(db).iter() {
        out.add(&below.summary);
        out.directories.push((below.manifest.path.clone(), below.summary.clone()));
    }
    out.settle();
    Arc::new(out)
}

impl DirectorySummary {
    fn add_file(&mut self, file: &FileSummary) {
        self.files += 1;
        self.symbols += file.symbols;
        self.binary += u64::from(file.binary);
        if let Some(language) = &file.language {
            let slot = self.languages.entry(language.clone()).or_default();
            slot.files += 1;
            slot.symbols += file.symbols;
            if language.name() == "markdown" {
                self.docs.push(file.path.clone());
            }
        }
        self.entry_points.extend(file.entry_points.iter().cloned());
        if let Some(stated) = &file.dependencies {
            dependencies::add_file(&mut self.dependencies, &file.path, stated);
        }
        for (note, detail) in &file.notes {
            let slot = self.notes.entry(*note).or_default();
            slot.count += 1;
            slot.files.push((file.path.clone(), detail.clone()));
        }
    }

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
        dependencies::add(&mut self.dependencies, &other.dependencies);
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
        dependencies::settle(&mut self.dependencies);
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
        + dependencies::heap_size(&summary.dependencies)
        + summary.notes.values().map(|n| n.files.capacity() * size_of::<(ProjectPath, Arc<str>)>()).sum::<usize>()
}
