//! Java: a package is every directory whose files state its name (Java language specification, 7.4), below whichever source
//! root.

use std::collections::BTreeMap;
use std::sync::Arc;

use query_graph_macros::query;
use rift_base::NamePath;

use super::{Layout, Lookup, fields_apart};
use crate::binding::modules::{ModuleRef, PackageName};
use crate::db::{Db, shared};
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
    prefers: fields_apart,
    overloads: true,
    ..Layout::NONE
};

/// Packages by name, with the directories of each in the order of their paths.
type Packages = BTreeMap<Arc<str>, Vec<Directory>>;

/// The package that a directory's first Java file states. Reads the directory's files and what that file states; shields
/// from everything else in them.
#[query(returns(clone), heap_size = stated_heap)]
pub(crate) fn java_directory(db: &dyn Db, directory: Directory) -> Option<NamePath> {
    let files = directory.files(db);
    let first = files.iter().find(|file| {
        let name = file.path(db).file_name();
        name.ends_with(".java") && !matches!(name, "module-info.java" | "package-info.java")
    })?;
    stated_package(db, *first)
}

fn stated_heap(package: &Option<NamePath>) -> usize {
    package.as_ref().map_or(0, NamePath::heap_size)
}

/// The packages in and below a directory, those that only hold others included. Reads the directories known in it, what its
/// own files state, and the same of those; shields whoever looks packages up from files that come and go in them.
#[query(returns(clone), heap_size = packages_heap)]
pub(crate) fn java_packages(db: &dyn Db, directory: Directory) -> Arc<Packages> {
    let mut out = Packages::new();
    if let Some(package) = java_directory(db, directory) {
        let mut names: Vec<String> = package.names().map(|name| name.to_string()).collect();
        let mut here = Some(directory);
        while let (Some(at), Some(last)) = (here, names.last()) {
            out.entry(names.join(".").into()).or_default().push(at);
            // The packages around it, as far as the path goes along.
            here = at.parent(db).filter(|_| at.path(db).file_name() == last);
            names.pop();
        }
    }
    for below in directory.known(db).iter() {
        for (name, directories) in java_packages(db, *below).iter() {
            out.entry(name.clone()).or_default().extend(directories);
        }
    }
    for directories in out.values_mut() {
        directories.sort_by(|a, b| a.path(db).cmp(b.path(db)));
        directories.dedup();
    }
    Arc::new(out)
}

fn packages_heap(packages: &Arc<Packages>) -> usize {
    packages.iter().map(|(name, found)| name.len() + found.capacity() * size_of::<Directory>() + 48).sum()
}

/// The directories of one package below a directory. Shields those who look for it from every other package.
#[query(returns(clone), heap_size = shared)]
pub(crate) fn java_package(db: &dyn Db, key: PackageName) -> Arc<[Directory]> {
    let packages = java_packages(db, key.directory(db));
    packages.get(key.name(db)).map(|found| found.as_slice().into()).unwrap_or_default()
}

/// The directories of the package called `name`: those that share most of their path with the file first, its own source
/// root's before all.
fn resolve(lookup: &Lookup<'_>, name: &str) -> Vec<ModuleRef> {
    let root = Workspace::get(lookup.db).root(lookup.db);
    let mut found = java_package(lookup.db, PackageName::new(lookup.db, root, name.into())).to_vec();
    let own: Vec<&str> = lookup.path().segments().collect();
    let shared = |directory: &Directory| {
        let path = directory.path(lookup.db);
        path.segments().zip(&own).take_while(|(a, b)| a == *b).count()
    };
    found.sort_by_key(|directory| std::cmp::Reverse(shared(directory)));
    found.into_iter().map(ModuleRef::Package).collect()
}

/// The package called `name` inside another one.
fn submodule(lookup: &Lookup<'_>, of: ModuleRef, name: &str) -> Vec<ModuleRef> {
    let ModuleRef::Package(directory) = of else { return Vec::new() };
    let known = directory.known(lookup.db);
    let at = known.binary_search_by(|other| other.path(lookup.db).file_name().cmp(name)).ok();
    at.and_then(|at| known.get(at)).map(|found| ModuleRef::Package(*found)).into_iter().collect()
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
        | "distinct" | "limit" | "skip" | "subList" | "reversed" | "findFirst" | "findAny" | "toList" | "optional"
        | "values" => Yield::Same,
        _ => return None,
    })
}
