//! The ground state as the writer sees it: which input stands for which path.

use std::collections::BTreeMap;
use std::sync::Arc;

use rift_base::{Config, ProjectPath};
use rift_workspace::LanguageMap;
use rustc_hash::FxHashMap;
use salsa::{Durability, Setter as _};

use crate::db::RootDatabase;
use crate::inputs::{Content, Directory, DirectoryEntries, File, Workspace};

/// Every input by path. Inputs live as long as the database; a deleted path keeps its input with [`Content::Absent`].
pub struct Ground {
    files: FxHashMap<ProjectPath, File>,
    directories: FxHashMap<ProjectPath, Directory>,
    workspace: Workspace,
}

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
        let workspace = Workspace::builder(root, name.into(), config, languages)
            .durability(Durability::HIGH)
            .root_durability(Durability::NEVER_CHANGE)
            .name_durability(Durability::NEVER_CHANGE)
            .new(db);
        let directories = FxHashMap::from_iter([(ProjectPath::root(), root)]);
        Self { files: FxHashMap::default(), directories, workspace }
    }

    /// The workspace input.
    pub fn workspace(&self) -> Workspace {
        self.workspace
    }

    /// The root directory.
    pub fn root(&self, db: &RootDatabase) -> Directory {
        self.workspace.root(db)
    }

    /// The input of `path`, when the path was ever seen.
    pub fn file(&self, path: &ProjectPath) -> Option<File> {
        self.files.get(path).copied()
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
        self.workspace.set_config(db).to(config);
        self.workspace.set_languages(db).to(languages);
    }

    /// Applies `changes` in one go and returns the inputs that changed. Changes that leave a path as it is are dropped;
    /// of several changes of one path the last one counts. Directories that become empty leave their parents.
    pub fn apply(&mut self, db: &mut RootDatabase, changes: Vec<Change>) -> Vec<File> {
        let last: BTreeMap<ProjectPath, Content> = changes.into_iter().map(|c| (c.path, c.content)).collect();
        let mut changed = Vec::new();
        let mut touched: BTreeMap<ProjectPath, DirectoryEntries> = BTreeMap::new();
        for (path, content) in last {
            let was_present = self.file(&path).is_some_and(|f| *f.content(db) != Content::Absent);
            let present = content != Content::Absent;
            match self.file(&path) {
                Some(file) if *file.content(db) == content => continue,
                Some(file) => {
                    file.set_content(db).to(content);
                    changed.push(file);
                }
                None if !present => continue,
                None => changed.push(self.create(db, &path, content)),
            }
            if present != was_present
                && let Some(file) = self.file(&path)
            {
                self.list(db, &mut touched, &path, file, present);
            }
        }
        self.publish(db, touched);
        changed
    }

    fn create(&mut self, db: &mut RootDatabase, path: &ProjectPath, content: Content) -> File {
        let directory = self.directory(db, &path.parent().unwrap_or_else(ProjectPath::root));
        let file = File::builder(path.clone(), directory, content)
            .path_durability(Durability::NEVER_CHANGE)
            .directory_durability(Durability::NEVER_CHANGE)
            .new(db);
        self.files.insert(path.clone(), file);
        file
    }

    /// The input of a directory, made with its ancestors when the path is new. A new directory is in no parent's entries
    /// yet.
    fn directory(&mut self, db: &mut RootDatabase, path: &ProjectPath) -> Directory {
        if let Some(known) = self.directories.get(path) {
            return *known;
        }
        let parent = path.parent().map(|parent| self.directory(db, &parent));
        let directory = new_directory(db, path.clone(), parent);
        self.directories.insert(path.clone(), directory);
        directory
    }

    /// Notes that `file` enters or leaves its directory.
    fn list(
        &mut self,
        db: &RootDatabase,
        touched: &mut BTreeMap<ProjectPath, DirectoryEntries>,
        path: &ProjectPath,
        file: File,
        present: bool,
    ) {
        let parent = path.parent().unwrap_or_else(ProjectPath::root);
        let entries = self.entries(db, touched, &parent);
        let at = entries.files.binary_search_by(|f| f.path(db).file_name().cmp(path.file_name()));
        match (at, present) {
            (Err(at), true) => entries.files.insert(at, file),
            (Ok(at), false) => {
                entries.files.remove(at);
            }
            _ => {}
        }
    }

    fn entries<'t>(
        &self,
        db: &RootDatabase,
        touched: &'t mut BTreeMap<ProjectPath, DirectoryEntries>,
        path: &ProjectPath,
    ) -> &'t mut DirectoryEntries {
        touched.entry(path.clone()).or_insert_with(|| {
            self.directories.get(path).map(|d| DirectoryEntries::clone(&d.entries(db))).unwrap_or_default()
        })
    }

    /// Sets the entries of the touched directories, deepest first, so that a directory that fills or empties is listed
    /// in, or leaves, its parent in the same go.
    fn publish(&mut self, db: &mut RootDatabase, mut touched: BTreeMap<ProjectPath, DirectoryEntries>) {
        while let Some((path, _)) = touched.iter().max_by_key(|(path, _)| path.segments().count()) {
            let path = path.clone();
            let Some(entries) = touched.remove(&path) else { return };
            let Some(directory) = self.directories.get(&path).copied() else { continue };
            let empty = entries.files.is_empty() && entries.directories.is_empty();
            if let Some(parent) = path.parent() {
                let above = self.entries(db, &mut touched, &parent);
                let at = above.directories.binary_search_by(|d| d.path(db).file_name().cmp(path.file_name()));
                match (at, empty) {
                    (Err(at), false) => above.directories.insert(at, directory),
                    (Ok(at), true) => {
                        above.directories.remove(at);
                    }
                    _ => {}
                }
            }
            if *directory.entries(db) != entries {
                directory.set_entries(db).to(Arc::new(entries));
            }
        }
    }
}

fn new_directory(db: &RootDatabase, path: ProjectPath, parent: Option<Directory>) -> Directory {
    Directory::builder(path, parent, Arc::default())
        .path_durability(Durability::NEVER_CHANGE)
        .parent_durability(Durability::NEVER_CHANGE)
        .new(db)
}
