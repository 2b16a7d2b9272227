//! Who refers to what, as tools ask it: the binding facts of the database, file by file.
//!
//! There is no reverse index. Whoever refers to a symbol names it, or a name under which a module gives it on: files that
//! hold such a name are candidates, and the bindings of each say which of its references mean the symbol.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use query_graph::{
    DeclKey, PathKey, RootDatabase, aliases, bindings, directory_manifest, file_at, file_sites, file_uses, revision,
};
use rift_base::{ByteRange, NamePath, ProjectPath};
use rift_index::IndexError;

pub use query_graph::{Derivation, Role};

use crate::resolve::ResolvedSymbol;
use crate::view::View;

/// A declaration as bindings name it: all declarations of one path in one file are one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The file.
    pub path: ProjectPath,
    /// The logical path inside the file.
    pub name: NamePath,
}

/// One use of a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    /// Where: the name, in bytes of the file.
    pub site: ByteRange,
    /// The innermost callable that it stands in, else the innermost declaration: its number in the outline of its file.
    pub owner: Option<query_graph::DeclId>,
    /// How it is used.
    pub role: Role,
    /// How sure it is.
    pub derivation: Derivation,
    /// What is used.
    pub target: Target,
}

/// What a file refers to.
#[derive(Debug, Clone, Default)]
pub struct Outgoing {
    /// What its references were placed at, in source order.
    pub usages: Vec<Usage>,
    /// The owners of the calls that could not be placed.
    pub unplaced: Vec<Option<query_graph::DeclId>>,
}

/// Why references cannot be read.
#[derive(Debug)]
pub enum ReferenceError {
    /// The tree moved on since the view was captured, and the database with it.
    Moved,
    /// The index cannot be read.
    Index(IndexError),
}

impl From<IndexError> for ReferenceError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

/// The declarations of a symbol, as bindings name them.
pub fn targets(symbol: &ResolvedSymbol) -> BTreeSet<Target> {
    let mut out = BTreeSet::new();
    for member in &symbol.members {
        for id in member.group().into_iter().flat_map(|group| group.declarations.to_vec()) {
            if let Some(declaration) = member.facts.outline.get(id) {
                out.insert(Target { path: member.entry.path.clone(), name: declaration.path.clone() });
            }
        }
    }
    out
}

impl View {
    /// Everything that refers to one of `wanted`, by file in order of paths, sites in source order.
    ///
    /// # Errors
    /// [`ReferenceError`]
    pub fn incoming(&self, wanted: &BTreeSet<Target>) -> Result<BTreeMap<ProjectPath, Vec<Usage>>, ReferenceError> {
        let mut sought = wanted.clone();
        sought.extend(wanted.iter().filter_map(constructed));
        let mut names: Vec<String> = Vec::new();
        for target in &sought {
            push_new(&mut names, target.name.name().into_owned());
        }
        let mut out = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut next = 0;
        while let Some(name) = names.get(next).cloned() {
            next += 1;
            for path in self.searcher().files_with_word(&name)? {
                if !seen.insert(path.clone()) {
                    continue;
                }
                let (found, given) = self.at(|db| (uses_of(db, &path, Some(wanted)), given_on(db, &path, &sought)))?;
                given.into_iter().for_each(|name| push_new(&mut names, name));
                if !found.is_empty() {
                    out.insert(path, found);
                }
            }
        }
        Ok(out)
    }

    /// Everything that the file at `path` refers to, in source order.
    ///
    /// # Errors
    /// [`ReferenceError::Moved`]
    pub fn outgoing(&self, path: &ProjectPath) -> Result<Outgoing, ReferenceError> {
        self.at(|db| Outgoing { usages: uses_of(db, path, None), unplaced: unplaced(db, path) })
    }

    /// Whether names are bound in the language of the file at `path`.
    ///
    /// # Errors
    /// [`ReferenceError::Moved`]
    pub fn is_bound(&self, path: &ProjectPath) -> Result<bool, ReferenceError> {
        if !self.config().binding.enabled {
            return Ok(false);
        }
        self.at(|db| {
            let file = file_at(db, PathKey::new(db, path.clone()));
            file.is_some_and(|file| query_graph::surface(db, file).is_some())
        })
    }

    /// Runs `work` on a lease of the database while that holds this view's tree.
    fn at<T>(&self, work: impl Fn(&RootDatabase) -> T) -> Result<T, ReferenceError> {
        let digest = self.tree().digest;
        self.lease(|db| {
            let root = query_graph::root(db);
            (directory_manifest(db, root).digest == digest).then(|| work(db))
        })
        .ok_or(ReferenceError::Moved)
    }
}

/// The type that `target` constructs, when it does: who makes a value of the type names that alone.
fn constructed(target: &Target) -> Option<Target> {
    let container = match &*target.name.name() {
        "__init__" | "constructor" => target.name.container(),
        _ => "",
    };
    let name = NamePath::parse(container).ok().filter(|name| !name.is_empty())?;
    Some(Target { path: target.path.clone(), name })
}

fn push_new(names: &mut Vec<String>, name: String) {
    if !names.contains(&name) {
        names.push(name);
    }
}

/// The references of the file at `path`; of those to `wanted` alone when that is given.
fn uses_of(db: &RootDatabase, path: &ProjectPath, wanted: Option<&BTreeSet<Target>>) -> Vec<Usage> {
    let Some(file) = file_at(db, PathKey::new(db, path.clone())) else { return Vec::new() };
    let found = bindings(db, file);
    let target = |key: &DeclKey| Target { path: key.file(db).path(db).clone(), name: key.path(db).clone() };
    let targets: Vec<Option<Arc<Target>>> = found
        .targets
        .iter()
        .map(|key| Some(Arc::new(target(key))).filter(|t| wanted.is_none_or(|wanted| wanted.contains(&**t))))
        .collect();
    if targets.iter().all(Option::is_none) {
        return Vec::new();
    }
    let Some(revision) = revision(db, file) else { return Vec::new() };
    let (Some(uses), Some(sites)) = (file_uses(db, revision), file_sites(db, revision)) else { return Vec::new() };
    let usage = |bound: &query_graph::Bound| {
        let target = targets.get(bound.target as usize)?.as_ref()?;
        let reference = uses.references.get(bound.reference as usize)?;
        Some(Usage {
            site: *sites.get(bound.reference as usize)?,
            owner: reference.owner,
            role: reference.role,
            derivation: bound.derivation,
            target: Target::clone(target),
        })
    };
    found.bound.iter().filter_map(usage).collect()
}

/// The owners of calls of the file at `path` that are bound to nothing.
fn unplaced(db: &RootDatabase, path: &ProjectPath) -> Vec<Option<query_graph::DeclId>> {
    let Some(file) = file_at(db, PathKey::new(db, path.clone())) else { return Vec::new() };
    let Some(uses) = revision(db, file).and_then(|revision| file_uses(db, revision)) else { return Vec::new() };
    let found = bindings(db, file);
    let placed: BTreeSet<u32> = found.bound.iter().map(|bound| bound.reference).collect();
    let calls = uses
        .references
        .iter()
        .zip(0u32..)
        .filter(|(reference, number)| reference.role == Role::Call && !placed.contains(number));
    calls.map(|(reference, _)| reference.owner).collect()
}

/// The names under which the file at `path` gives one of `wanted` on to others, other than its own.
fn given_on(db: &RootDatabase, path: &ProjectPath, wanted: &BTreeSet<Target>) -> Vec<String> {
    let Some(file) = file_at(db, PathKey::new(db, path.clone())) else { return Vec::new() };
    let is_wanted = |key: &DeclKey| {
        let target = Target { path: key.file(db).path(db).clone(), name: key.path(db).clone() };
        wanted.contains(&target)
    };
    aliases(db, file)
        .iter()
        .filter(|(_, keys)| keys.iter().any(is_wanted))
        .flat_map(|(name, _)| match &**name {
            // Importers of a default export choose the name: they are found by the module's.
            "default" => module_words(path),
            name => vec![name.to_owned()],
        })
        .collect()
}

/// The words with which importers name the module at `path`.
fn module_words(path: &ProjectPath) -> Vec<String> {
    let stem = path.stem().split('.').next().unwrap_or_default();
    let folder = path.parent().map(|parent| parent.file_name().to_owned()).unwrap_or_default();
    match stem {
        "index" | "main" | "mod" => vec![stem.to_owned(), folder],
        _ => vec![stem.to_owned()],
    }
}
