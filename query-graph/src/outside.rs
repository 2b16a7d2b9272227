//! Files that are read for one request and are no part of the tree. They have no inputs: their facts are those of their
//! revisions, as every file's are, and their places are worked out from the manifests of a captured tree.

use std::sync::Arc;

use rift_base::{Language, ProjectPath};

use crate::catalog::{DirectoryManifest, EntryPlace, FileEntry};
use crate::db::Db;
use crate::inputs::Content;
use crate::place::{PlacedManifest, module_outside};
use crate::syntax::file_facts;

/// The file at `path`, which holds `content` and is claimed by `claimed`, below `manifests`, the nearest last.
pub fn entry_outside(
    db: &dyn Db,
    path: ProjectPath,
    content: Content,
    claimed: Option<Language>,
    manifests: Vec<PlacedManifest>,
) -> FileEntry {
    let Content::Source(source) = &content else { return FileEntry { path, content, language: claimed, place: None } };
    let language = claimed.map(|c| rift_syntax::effective_language(&path, &c, || source.text.get()));
    let parsed_as = language.clone().filter(|_| source.policy.parses());
    let place = |parsed_as, module| Some(Arc::new(EntryPlace { parsed_as, module }));
    let unplaced = FileEntry {
        path: path.clone(),
        content: content.clone(),
        language: language.clone(),
        place: place(parsed_as.clone(), Default::default()),
    };
    let Some(spoken) = &language else { return unplaced };
    let stated = || file_facts(db, unplaced.revision(db)?).outline.package.clone();
    let module = module_outside(db, &path, spoken, manifests, stated);
    FileEntry { place: place(parsed_as, module), ..unplaced }
}

impl DirectoryManifest {
    /// This tree with `files` in it, in place of those that it has at their paths. Its digests stay: they name the tree that
    /// the files stand beside.
    pub fn with_files(&self, files: &[FileEntry]) -> DirectoryManifest {
        let mut out = DirectoryManifest { path: self.path.clone(), ..Self::clone(self) };
        let mut below: Vec<(ProjectPath, Vec<FileEntry>)> = Vec::new();
        for file in files {
            let Some(rest) = file.path.strip_prefix(&self.path) else { continue };
            match rest.split_once('/') {
                None => {
                    let known = Arc::make_mut(&mut out.files);
                    match known.binary_search_by(|known| known.path.file_name().cmp(rest)) {
                        Ok(at) => known[at] = file.clone(),
                        Err(at) => known.insert(at, file.clone()),
                    }
                }
                Some((name, _)) => {
                    let Ok(directory) = self.path.join(name) else { continue };
                    match below.iter_mut().find(|(known, _)| *known == directory) {
                        Some((_, files)) => files.push(file.clone()),
                        None => below.push((directory, vec![file.clone()])),
                    }
                }
            }
        }
        for (directory, files) in below {
            let found = out.directories.binary_search_by(|d| d.path.file_name().cmp(directory.file_name()));
            match found {
                Ok(at) => out.directories[at] = Arc::new(out.directories[at].with_files(&files)),
                Err(at) => {
                    let empty = DirectoryManifest {
                        digest: rift_base::Digest::of(b""),
                        path: directory,
                        files: Arc::default(),
                        directories: Vec::new(),
                        total: 0,
                    };
                    out.directories.insert(at, Arc::new(empty.with_files(&files)));
                }
            }
        }
        out.total = out.files.len() as u64 + out.directories.iter().map(|d| d.total).sum::<u64>();
        out
    }
}
