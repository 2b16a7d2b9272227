//! Python: modules are files, packages are directories with `__init__.py`, directories without one are namespace packages
//! (The Python Language Reference, 5 "The import system").

use rift_base::ProjectPath;

use super::{Layout, Lookup, Yield};
use crate::binding::modules::ModuleRef;

pub(super) static LAYOUT: Layout = Layout {
    resolve,
    submodule,
    extends_containers: true,
    library,
    constructor: Some("__init__"),
    assigned_types: true,
    ..Layout::NONE
};

/// Methods of the standard library's containers (The Python Standard Library, "Built-in Types" and `collections`).
fn library(name: &str) -> Option<Yield> {
    Some(match name {
        "__iter__" | "copy" | "values" | "union" | "intersection" | "difference" => Yield::Same,
        "get" | "pop" | "popleft" | "setdefault" | "__getitem__" | "__next__" => Yield::Argument(-1),
        _ => return None,
    })
}

fn resolve(lookup: &Lookup<'_>, specifier: &str) -> Vec<ModuleRef> {
    let rest = specifier.trim_start_matches('.');
    let level = specifier.len() - rest.len();
    let relative = rest.replace('.', "/");
    if level > 0 {
        let mut folder = Some(lookup.folder());
        for _ in 1..level {
            folder = folder.and_then(|folder| folder.parent());
        }
        return folder.and_then(|folder| module(lookup, &folder, &relative)).into_iter().collect();
    }
    roots(lookup).iter().find_map(|root| module(lookup, root, &relative)).into_iter().collect()
}

/// The module at `relative` below `root`: a package, a module, a stub, or a namespace package.
fn module(lookup: &Lookup<'_>, root: &ProjectPath, relative: &str) -> Option<ModuleRef> {
    let init = |name: &str| match relative.is_empty() {
        true => name.to_owned(),
        false => format!("{relative}/{name}"),
    };
    let package = || lookup.file_at(root, &init("__init__.py")).or_else(|| lookup.file_at(root, &init("__init__.pyi")));
    let file = || match relative.is_empty() {
        true => None,
        false => {
            lookup.file_at(root, &format!("{relative}.py")).or_else(|| lookup.file_at(root, &format!("{relative}.pyi")))
        }
    };
    package().or_else(file).map(ModuleRef::File).or_else(|| lookup.directory_at(root, relative).map(ModuleRef::Package))
}

/// Where absolute imports start: the directory above the file's outermost package, the project's directory and its `src`,
/// the file's own directory (a script's), and the workspace's root and its `src`.
fn roots(lookup: &Lookup<'_>) -> Vec<ProjectPath> {
    let mut top = lookup.folder();
    while lookup.file_at(&top, "__init__.py").is_some()
        && let Some(above) = top.parent()
    {
        top = above;
    }
    let mut out = vec![top];
    let projects = lookup.packages().python.as_ref().map(|placed| placed.directory.clone());
    for root in projects.into_iter().chain([lookup.folder(), ProjectPath::root()]) {
        let source = root.join("src");
        out.push(root);
        out.extend(source.ok());
    }
    let mut seen = Vec::new();
    out.retain(|root| {
        let new = !seen.contains(root);
        if new {
            seen.push(root.clone());
        }
        new
    });
    out
}

/// `name` inside a package: a module or package in its directory.
fn submodule(lookup: &Lookup<'_>, of: ModuleRef, name: &str) -> Vec<ModuleRef> {
    let folder = match of {
        ModuleRef::File(file) => {
            let path = file.path(lookup.db);
            if !path.file_name().starts_with("__init__.") {
                return Vec::new();
            }
            path.parent()
        }
        ModuleRef::Package(directory) => Some(directory.path(lookup.db).clone()),
    };
    folder.and_then(|folder| module(lookup, &folder, name)).into_iter().collect()
}
