//! Modules: which files a specifier means.

use std::collections::BTreeMap;
use std::sync::Arc;

use query_graph_macros::query;
use rift_base::ProjectPath;
use rift_syntax::PackedBinding;

use crate::catalog::claimed_language;
use crate::db::{Db, shared};
use crate::inputs::{Directory, File};
use crate::probe::{Subject, intern};
use crate::queries::subject;

use super::facts::{file_surface, uses};
use super::languages::{Lookup, layout};

/// What a specifier names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModuleRef {
    /// A file that is a module.
    File(File),
    /// A directory whose files together are one (a Go or Java package, a Python namespace package).
    Package(Directory),
}

/// The modules that the specifiers of one file name, by specifier. Reads the surface and the uses for the specifiers, the
/// manifests above, and what stands at the paths that the language's layout asks about: a file that appears at one of them
/// changes the answer, and no other does. Specifiers that name nothing here are left out.
#[query(returns(clone), heap_size = imports_heap)]
pub fn resolved_imports(db: &dyn Db, file: File) -> Arc<BTreeMap<Arc<str>, Vec<ModuleRef>>> {
    let mut specifiers: Vec<Arc<str>> = Vec::new();
    if let Some(surface) = file_surface(db, file) {
        specifiers.extend(surface.terms.modules().into_iter().map(Arc::from));
    }
    if let Some(uses) = uses(db, file) {
        specifiers.extend(PackedBinding::unpack_uses(&uses).terms.modules().into_iter().map(Arc::from));
    }
    specifiers.sort_unstable();
    specifiers.dedup();
    let mut out = BTreeMap::new();
    let Some(layout) = file_layout(db, file) else { return Arc::new(out) };
    let lookup = Lookup::new(db, file);
    for specifier in specifiers {
        let found = (layout.resolve)(&lookup, &specifier);
        if !found.is_empty() {
            out.insert(specifier, found);
        }
    }
    Arc::new(out)
}

fn imports_heap(imports: &Arc<BTreeMap<Arc<str>, Vec<ModuleRef>>>) -> usize {
    imports.iter().map(|(specifier, found)| specifier.len() + found.capacity() * size_of::<ModuleRef>() + 48).sum()
}

/// The layout rules of the language that a file's path claims: whichever its text is in then lays modules out alike, and
/// what reads this does not depend on the text.
pub(super) fn file_layout(db: &dyn Db, file: File) -> Option<&'static super::languages::Layout> {
    layout(claimed_language(db, file)?.name())
}

/// The files of one directory by the names that others find in them: a package whose scope is shared by its files. Reads the
/// listing and the surfaces of the directory's files.
#[query(returns(clone), heap_size = names_heap)]
pub fn package_names(db: &dyn Db, directory: Directory) -> Arc<BTreeMap<Arc<str>, Vec<File>>> {
    let mut out: BTreeMap<Arc<str>, Vec<File>> = BTreeMap::new();
    for file in directory.files(db).iter() {
        let Some(surface) = file_surface(db, *file) else { continue };
        let mut last = None;
        for entry in surface.entries.iter().filter(|entry| entry.within.is_none()) {
            let name = surface.terms.name(entry.name);
            if last == Some(entry.name) {
                continue;
            }
            last = Some(entry.name);
            out.entry(name.into()).or_default().push(*file);
        }
    }
    Arc::new(out)
}

fn names_heap(names: &Arc<BTreeMap<Arc<str>, Vec<File>>>) -> usize {
    names.iter().map(|(name, files)| name.len() + files.capacity() * size_of::<File>() + 48).sum()
}

/// A name in a package.
#[salsa::interned(constructor = interned, unsafe(no_lifetime), revisions = usize::MAX, debug, heap_size = package_name_heap)]
#[derive(PartialOrd, Ord)]
pub struct PackageName {
    /// The package's directory.
    #[returns(copy)]
    pub directory: Directory,
    /// The name.
    pub name: Arc<str>,
}

impl PackageName {
    /// The key of `name` in `directory`.
    pub fn new(db: &dyn Db, directory: Directory, name: Arc<str>) -> Self {
        const KEY: Subject = subject("PackageName");
        let weigh = |key: Self| package_name_heap(&(key.directory(db), key.name(db).clone()));
        intern(db, KEY, size_of::<(Directory, Arc<str>)>(), || Self::interned(db, directory, name), weigh)
    }
}

fn package_name_heap((_, name): &(Directory, Arc<str>)) -> usize {
    name.len()
}

/// The files of a package that declare a name. Shields those who use this name from every other change of the package.
#[query(returns(clone), heap_size = shared)]
pub fn package_file(db: &dyn Db, key: PackageName) -> Arc<[File]> {
    let names = package_names(db, key.directory(db));
    names.get(key.name(db)).map(|files| files.as_slice().into()).unwrap_or_default()
}

/// The path `relative` below `directory`, with `.` and `..` taken as file systems take them; absent outside the workspace.
pub(super) fn joined(directory: &ProjectPath, relative: &str) -> Option<ProjectPath> {
    let mut segments: Vec<&str> = directory.segments().collect();
    for segment in relative.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            name => segments.push(name),
        }
    }
    match segments.is_empty() {
        true => Some(ProjectPath::root()),
        false => ProjectPath::new(&segments.join("/")).ok(),
    }
}
