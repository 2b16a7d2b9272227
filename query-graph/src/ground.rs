//! The ground state as the writer sees it: which input stands for which path, and how a change reaches the root.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rift_base::{Config, ProjectPath};
use rift_workspace::{LanguageMap, is_manifest_name};
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Durability;

use crate::catalog::{FileEntry, directory_manifest, file_entry};
use crate::db::RootDatabase;
use crate::inputs::{Below, Content, Directory, File, Workspace};
use crate::summary::{FileSummary, directory_summary, file_summary};

/// Every input by path. Inputs live as long as the database; a deleted path keeps its input with [`Content::Absent`].
pub struct Ground {
    files: FxHashMap<ProjectPath, File>,
    directories: FxHashMap<ProjectPath, Directory>,
    workspace: Workspace,
    /// Directories whose values have not reached the root yet, with those of their files whose entries and sums may
    /// differ.
    unsettled: BTreeMap<ProjectPath, Touched>,
}

/// The files of a directory that are asked for their values anew.
enum Touched {
    Some(FxHashSet<File>),
    All,
}

impl Touched {
    fn has(&self, file: File) -> bool {
        match self {
            Self::Some(files) => files.contains(&file),
            Self::All => true,
        }
    }
}

/// What a directory's files are and sum up to, in the order of its listing.
type FileValues = (Vec<FileEntry>, Vec<Arc<FileSummary>>);

/// One change of the ground state.
#[derive(Debug, Clone)]
pub struct Change {
    /// The path.
    pub path: ProjectPath,
    /// What it holds now.
    pub content: Content,
}

impl Ground {
    /// The inputs of an empty workspace whose root folder is called `name`.
    pub fn new(db: &mut RootDatabase, name: &str, config: Arc<Config>, languages: Arc<LanguageMap>) -> Self {
        let root = new_directory(db, ProjectPath::root(), None);
        let workspace = Workspace::builder(root, name.into(), config.clone(), languages, config.binding)
            .durability(Durability::HIGH)
            .root_durability(Durability::NEVER_CHANGE)
            .name_durability(Durability::NEVER_CHANGE)
            .new(db)
            .made(db);
        let directories = FxHashMap::from_iter([(ProjectPath::root(), root)]);
        Self { files: FxHashMap::default(), directories, workspace, unsettled: BTreeMap::new() }
    }

    /// The root directory. Its queries speak of the whole workspace once [`Ground::settle`] has run.
    pub fn root(&self, db: &RootDatabase) -> Directory {
        self.workspace.root(db)
    }

    /// The input of `path`, when the path was ever seen.
    pub fn file(&self, path: &ProjectPath) -> Option<File> {
        self.files.get(path).copied()
    }

    /// The input of the directory at `path`, when one was ever seen there.
    pub fn known_directory(&self, path: &ProjectPath) -> Option<Directory> {
        self.directories.get(path).copied()
    }

    /// How many inputs there are: files and directories. Never falls, and never grows for a path seen before.
    pub fn inputs(&self) -> usize {
        self.files.len() + self.directories.len()
    }

    /// Replaces the configuration. An equal one makes no revision.
    pub fn configure(&mut self, db: &mut RootDatabase, config: Arc<Config>, languages: Arc<LanguageMap>) {
        if self.workspace.config(db) == config {
            return;
        }
        if self.workspace.binding(db) != config.binding {
            self.workspace.put_binding(db, config.binding);
        }
        self.workspace.put_config(db, config);
        self.workspace.put_languages(db, languages);
        self.unsettled.extend(self.directories.keys().map(|path| (path.clone(), Touched::All)));
    }

    /// Applies `changes` in one go and returns the inputs that changed. Changes that leave a path as it is are dropped;
    /// of several changes of one path the last one counts. Follow with [`Ground::settle`].
    pub fn apply(&mut self, db: &mut RootDatabase, changes: Vec<Change>) -> Vec<File> {
        let last: BTreeMap<ProjectPath, Content> = changes.into_iter().map(|c| (c.path, c.content)).collect();
        let mut changed = Vec::new();
        let mut listings: BTreeMap<ProjectPath, Vec<File>> = BTreeMap::new();
        for (path, content) in last {
            let known = self.file(&path);
            let was_present = known.is_some_and(|f| *f.content(db) != Content::Absent);
            let present = content != Content::Absent;
            let file = match known {
                Some(file) if *file.content(db) == content => continue,
                Some(file) => {
                    file.put_content(db, content);
                    file
                }
                None if !present => continue,
                None => self.create(db, &path, content),
            };
            changed.push(file);
            let parent = path.parent().unwrap_or_else(ProjectPath::root);
            if present != was_present {
                let listing = listings.entry(parent.clone()).or_insert_with(|| self.listing(db, &parent));
                list(db, listing, file, present);
            }
            self.unsettle(parent, file, is_manifest_name(path.file_name()));
        }
        for (path, listing) in listings {
            if let Some(directory) = self.directories.get(&path) {
                directory.put_files(db, Arc::new(listing));
            }
        }
        changed
    }

    /// Pushes what changed up to the root. Each unsettled directory is handed the entries and sums of the files that may
    /// differ; then it is asked for its tree and its sums, deepest first, and its parent is handed those where they differ.
    /// Runs queries of these files and of the directories on the way alone.
    pub fn settle(&mut self, db: &mut RootDatabase) {
        let unsettled = std::mem::take(&mut self.unsettled);
        self.hand_over(db, &unsettled);
        let mut waiting: BTreeSet<(std::cmp::Reverse<usize>, ProjectPath)> =
            unsettled.into_keys().map(by_depth).collect();
        while let Some((_, path)) = waiting.pop_first() {
            let Some(parent) = path.parent() else { continue };
            let (Some(directory), Some(above)) = (self.directories.get(&path), self.directories.get(&parent)) else {
                continue;
            };
            let below =
                Below { manifest: directory_manifest(db, *directory), summary: directory_summary(db, *directory) };
            let mut siblings = Vec::clone(&above.below(db));
            let at = siblings.binary_search_by(|s| s.manifest.path.file_name().cmp(path.file_name()));
            match (at, below.manifest.total) {
                (Ok(at), _) if siblings.get(at) == Some(&below) => continue,
                (Err(_), 0) => continue,
                (Ok(at), 0) => {
                    siblings.remove(at);
                }
                (Ok(at), _) => {
                    if let Some(slot) = siblings.get_mut(at) {
                        *slot = below;
                    }
                }
                (Err(at), _) => siblings.insert(at, below),
            }
            above.put_below(db, Arc::new(siblings));
            waiting.insert(by_depth(parent));
        }
    }

    /// Hands directories the entries and sums of their files. All are asked for before any is handed over: a write makes
    /// what is memoized be looked at again.
    fn hand_over(&self, db: &mut RootDatabase, unsettled: &BTreeMap<ProjectPath, Touched>) {
        let known = unsettled.iter().filter_map(|(path, touched)| Some((*self.directories.get(path)?, touched)));
        let values: Vec<(Directory, FileValues)> =
            known.map(|(directory, touched)| (directory, file_values(db, directory, touched))).collect();
        for (directory, (entries, sums)) in values {
            if *directory.entries(db) != entries {
                directory.put_entries(db, Arc::new(entries));
            }
            if *directory.sums(db) != sums {
                directory.put_sums(db, Arc::new(sums));
            }
        }
    }

    /// Notes that a directory's values may differ by those of `file`; with `whole`, those of every file below it too: a
    /// manifest places them all.
    fn unsettle(&mut self, directory: ProjectPath, file: File, whole: bool) {
        if whole {
            let below = self.directories.keys().filter(|d| d.strip_prefix(&directory).is_some()).cloned();
            self.unsettled.extend(below.map(|below| (below, Touched::All)));
            self.unsettled.insert(directory, Touched::All);
        } else if let Touched::Some(files) =
            self.unsettled.entry(directory).or_insert_with(|| Touched::Some(FxHashSet::default()))
        {
            files.insert(file);
        }
    }

    fn create(&mut self, db: &mut RootDatabase, path: &ProjectPath, content: Content) -> File {
        let directory = self.directory(db, &path.parent().unwrap_or_else(ProjectPath::root));
        let file = File::builder(path.clone(), directory, content)
            .path_durability(Durability::NEVER_CHANGE)
            .directory_durability(Durability::NEVER_CHANGE)
            .new(db)
            .made(db);
        self.files.insert(path.clone(), file);
        file
    }

    /// The input of a directory, made with its ancestors when the path is new.
    fn directory(&mut self, db: &mut RootDatabase, path: &ProjectPath) -> Directory {
        if let Some(known) = self.directories.get(path) {
            return *known;
        }
        let parent = path.parent().map(|parent| self.directory(db, &parent));
        let directory = new_directory(db, path.clone(), parent);
        self.directories.insert(path.clone(), directory);
        if let Some(parent) = parent {
            let mut known = Vec::clone(&parent.known(db));
            let at = known.partition_point(|other| other.path(db).file_name() < path.file_name());
            known.insert(at, directory);
            parent.put_known(db, Arc::new(known));
        }
        directory
    }

    fn listing(&self, db: &RootDatabase, directory: &ProjectPath) -> Vec<File> {
        self.directories.get(directory).map(|d| Vec::clone(&d.files(db))).unwrap_or_default()
    }
}

/// The values of a directory's files: of those that are touched as they are now, of the others as they were handed over.
fn file_values(db: &RootDatabase, directory: Directory, touched: &Touched) -> FileValues {
    let (files, entries, sums) = (directory.files(db), directory.entries(db), directory.sums(db));
    let mut known = entries.iter().zip(sums.iter()).peekable();
    let values = files.iter().map(|file| {
        let path = file.path(db);
        while known.next_if(|(entry, _)| entry.path < *path).is_some() {}
        match known.next_if(|(entry, _)| entry.path == *path).filter(|_| !touched.has(*file)) {
            Some((entry, sums)) => (entry.clone(), sums.clone()),
            None => (file_entry(db, *file), file_summary(db, *file)),
        }
    });
    values.unzip()
}

/// Enters `file` in its directory's listing, or takes it out.
fn list(db: &RootDatabase, listing: &mut Vec<File>, file: File, present: bool) {
    let name = file.path(db).file_name();
    match (listing.binary_search_by(|f| f.path(db).file_name().cmp(name)), present) {
        (Err(at), true) => listing.insert(at, file),
        (Ok(at), false) => {
            listing.remove(at);
        }
        _ => {}
    }
}

/// Sorts the deepest directories first.
fn by_depth(path: ProjectPath) -> (std::cmp::Reverse<usize>, ProjectPath) {
    (std::cmp::Reverse(path.segments().count()), path)
}

fn new_directory(db: &RootDatabase, path: ProjectPath, parent: Option<Directory>) -> Directory {
    Directory::builder(path, parent, Arc::default(), Arc::default(), Arc::default(), Arc::default(), Arc::default())
        .path_durability(Durability::NEVER_CHANGE)
        .parent_durability(Durability::NEVER_CHANGE)
        .new(db)
        .made(db)
}
