//! Java: a package is every directory of its name below a source root (Java language specification, 7.2). A source root is
//! where the packages that files state start: `src/main/java`, whatever it is called.

use std::sync::Arc;

use rift_base::ProjectPath;

use super::{Layout, Lookup};
use crate::binding::modules::ModuleRef;
use crate::db::Db;
use crate::inputs::{Directory, Workspace};
use crate::place::stated_package;

pub(super) static LAYOUT: Layout = Layout {
    resolve,
    submodule,
    free,
    package,
    implicit_members: true,
    library,
    extends_containers: true,
    ..Layout::NONE
};

/// The source root that a directory's files lie below: the directory without the package that its first Java file states.
/// Reads the directory's files and the package that the first Java file states; shields from everything else in them.
#[salsa::tracked(returns(clone), heap_size = root_heap)]
pub(crate) fn java_root(db: &dyn Db, directory: Directory) -> Option<ProjectPath> {
    let files = directory.files(db);
    let first = files.iter().find(|file| {
        let name = file.path(db).file_name();
        name.ends_with(".java") && !matches!(name, "module-info.java" | "package-info.java")
    })?;
    let stated = stated_package(db, *first).unwrap_or_default();
    let mut root = directory.path(db).clone();
    let names: Vec<String> = stated.names().map(|name| name.to_string()).collect();
    for name in names.iter().rev() {
        if root.file_name() != name {
            return None;
        }
        root = root.parent()?;
    }
    Some(root)
}

fn root_heap(root: &Option<ProjectPath>) -> usize {
    root.as_ref().map_or(0, |root| root.as_str().len())
}

/// The source roots at and below a directory, in byte order. Reads the directories known in it, its own root and theirs;
/// shields whoever looks packages up from files that come and go inside known roots.
#[salsa::tracked(returns(clone), heap_size = roots_heap)]
pub(crate) fn java_roots(db: &dyn Db, directory: Directory) -> Arc<[ProjectPath]> {
    let mut out: Vec<ProjectPath> = java_root(db, directory).into_iter().collect();
    for below in directory.known(db).iter() {
        out.extend(java_roots(db, *below).iter().cloned());
    }
    out.sort_unstable();
    out.dedup();
    out.into()
}

fn roots_heap(roots: &Arc<[ProjectPath]>) -> usize {
    roots.iter().map(|root| root.as_str().len() + size_of::<ProjectPath>()).sum()
}

/// The directories of the package called `name`: that below the file's own root first.
fn resolve(lookup: &Lookup<'_>, name: &str) -> Vec<ModuleRef> {
    let relative: Vec<&str> = name.split('.').map(str::trim).collect();
    let mut out = Vec::new();
    for root in roots(lookup) {
        let found = descend(lookup.db, Workspace::get(lookup.db).root(lookup.db), root.segments());
        let found = found.and_then(|root| descend(lookup.db, root, relative.iter().copied()));
        out.extend(found.map(ModuleRef::Package));
    }
    out
}

/// The source roots: the file's own first.
fn roots(lookup: &Lookup<'_>) -> Vec<ProjectPath> {
    let own = java_root(lookup.db, lookup.file.directory(lookup.db));
    let all = java_roots(lookup.db, Workspace::get(lookup.db).root(lookup.db));
    let others = all.iter().filter(|root| Some(*root) != own.as_ref()).cloned();
    own.clone().into_iter().chain(others).collect()
}

/// The directory that `names` lead to from `directory`.
fn descend<'a>(db: &dyn Db, directory: Directory, names: impl Iterator<Item = &'a str>) -> Option<Directory> {
    let mut here = directory;
    for name in names {
        let known = here.known(db);
        let at = known.binary_search_by(|other| other.path(db).file_name().cmp(name)).ok()?;
        here = *known.get(at)?;
    }
    Some(here)
}

fn submodule(lookup: &Lookup<'_>, of: ModuleRef, name: &str) -> Vec<ModuleRef> {
    match of {
        ModuleRef::Package(directory) => {
            descend(lookup.db, directory, std::iter::once(name)).map(ModuleRef::Package).into_iter().collect()
        }
        ModuleRef::File(_) => Vec::new(),
    }
}

/// The first name of a qualified package name, which starts with a lower-case letter by convention.
fn free(lookup: &Lookup<'_>, name: &str) -> Vec<ModuleRef> {
    match name.starts_with(char::is_lowercase) {
        true => resolve(lookup, name),
        false => Vec::new(),
    }
}

fn package(lookup: &Lookup<'_>) -> Vec<ModuleRef> {
    match stated_package(lookup.db, lookup.file) {
        Some(package) => {
            let name: Vec<String> = package.names().map(|name| name.to_string()).collect();
            resolve(lookup, &name.join("."))
        }
        None => vec![ModuleRef::Package(lookup.file.directory(lookup.db))],
    }
}

/// What a call of a method of the standard library's containers yields, by the type argument that it hands out.
fn library(name: &str) -> Option<super::Yield> {
    use super::Yield;
    Some(match name {
        "get" | "getFirst" | "getLast" | "getValue" | "next" | "previous" | "peek" | "peekFirst" | "peekLast"
        | "poll" | "pollFirst" | "pollLast" | "pop" | "element" | "first" | "last" | "take" | "join" | "orElse"
        | "orElseGet" | "orElseThrow" | "getOrDefault" | "put" | "putIfAbsent" | "computeIfAbsent" | "elementAt"
        | "firstElement" | "lastElement" | "removeFirst" | "removeLast" | "getNow" | "call" => Yield::Argument(-1),
        "getKey" | "firstKey" | "lastKey" => Yield::Argument(0),
        "iterator" | "listIterator" | "descendingIterator" | "stream" | "parallelStream" | "filter" | "sorted"
        | "distinct" | "limit" | "skip" | "subList" | "reversed" | "findFirst" | "findAny" | "toList" | "optional" => {
            Yield::Same
        }
        _ => return None,
    })
}
