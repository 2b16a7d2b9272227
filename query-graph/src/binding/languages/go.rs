//! Go: packages are directories, named by the module path of the nearest `go.mod` and the folder below it (Go Modules
//! Reference, "Modules, packages, and versions"). Other modules of the workspace are found through `replace` lines of
//! `go.mod`, `use` lines of `go.work`, and the `vendor` folder.

use rift_base::ProjectPath;
use rift_workspace::Manifest;

use super::{Layout, Lookup};
use crate::binding::lookup::{PathKey, file_at};
use crate::binding::modules::{ModuleRef, joined, resolved_imports};
use crate::inputs::{Content, Directory, File};
use crate::place::{manifest, stated_package};

pub(super) static LAYOUT: Layout = Layout {
    resolve,
    free,
    package,
    part_of_package,
    members_apart: true,
    extends_containers: true,
    overrides: false,
    ..Layout::NONE
};

/// Most lines of `go.work` or `replace` lines of `go.mod` that are followed.
const LINES_MAX: usize = 256;

fn resolve(lookup: &Lookup<'_>, specifier: &str) -> Vec<ModuleRef> {
    let own = own_module(lookup);
    let mut found = own.as_ref().and_then(|(directory, module)| below(lookup, directory, module, specifier));
    if found.is_none() {
        let vendored = own.as_ref().and_then(|(directory, _)| directory.join("vendor").ok());
        found = vendored.and_then(|vendored| holds(lookup, &vendored, specifier));
    }
    found.or_else(|| elsewhere(lookup, own.as_ref(), specifier)).map(ModuleRef::Package).into_iter().collect()
}

/// The directory and the path of the module that the file belongs to.
fn own_module(lookup: &Lookup<'_>) -> Option<(ProjectPath, String)> {
    let packages = lookup.packages();
    let placed = packages.go.as_ref()?;
    match &*placed.manifest {
        Manifest::Go { module } => Some((placed.directory.clone(), module.clone())),
        _ => None,
    }
}

/// The package `specifier` of the module called `module` in `directory`. The standard library's module is called `std`,
/// which its packages' paths leave out.
fn below(lookup: &Lookup<'_>, directory: &ProjectPath, module: &str, specifier: &str) -> Option<Directory> {
    let rest = match specifier.strip_prefix(module) {
        Some("") => "",
        Some(rest) if rest.starts_with('/') => rest.trim_start_matches('/'),
        _ if module == "std" => specifier,
        _ => return None,
    };
    holds(lookup, directory, rest)
}

/// The directory at `relative`, when it holds Go files.
fn holds(lookup: &Lookup<'_>, directory: &ProjectPath, relative: &str) -> Option<Directory> {
    let found = lookup.directory_at(directory, relative)?;
    found.files(lookup.db).iter().any(|file| file.path(lookup.db).file_name().ends_with(".go")).then_some(found)
}

/// The package `specifier` of another module of the workspace.
fn elsewhere(lookup: &Lookup<'_>, own: Option<&(ProjectPath, String)>, specifier: &str) -> Option<Directory> {
    let replaced = own.and_then(|(directory, _)| {
        let lines = directives(lookup, directory, "go.mod", "replace");
        lines.iter().find_map(|line| {
            let (old, new) = line.split_once("=>")?;
            let module = old.split_whitespace().next()?.trim_matches('"');
            let target = new.split_whitespace().next()?.trim_matches('"');
            let target = target.starts_with('.').then(|| joined(directory, target)).flatten()?;
            below(lookup, &target, module, specifier)
        })
    });
    let mut above = Some(lookup.folder());
    let mut found = replaced;
    while let (None, Some(folder)) = (&found, above) {
        let used = directives(lookup, &folder, "go.work", "use");
        found = used.iter().find_map(|line| {
            let directory = joined(&folder, line.trim_matches('"'))?;
            let stated = lookup.file_at(&directory, "go.mod").and_then(|file| manifest(lookup.db, file))?;
            let Manifest::Go { module } = &*stated else { return None };
            below(lookup, &directory, module, specifier)
        });
        above = folder.parent();
    }
    found
}

/// What the lines `word …` of a manifest say, and those of its block `word ( … )`.
fn directives(lookup: &Lookup<'_>, directory: &ProjectPath, name: &str, word: &str) -> Vec<String> {
    let Some(path) = joined(directory, name) else { return Vec::new() };
    let file = file_at(lookup.db, PathKey::new(lookup.db, path));
    let Some(Content::Source(source)) = file.map(|file| file.content(lookup.db)) else { return Vec::new() };
    let text = source.text.get();
    let mut out = Vec::new();
    let mut inside = false;
    for line in text.lines().map(|line| line.split("//").next().unwrap_or(line).trim()) {
        let rest = line.strip_prefix(word).filter(|rest| rest.starts_with([' ', '\t', '(']));
        match (inside, rest.map(str::trim)) {
            (false, Some("(")) => inside = true,
            (false, Some(rest)) => out.push(rest.to_owned()),
            (true, _) if line == ")" => inside = false,
            (true, _) if !line.is_empty() => out.push(line.to_owned()),
            _ => {}
        }
        if out.len() >= LINES_MAX {
            break;
        }
    }
    out
}

/// A package whose files state another name than its path ends with.
fn free(lookup: &Lookup<'_>, name: &str) -> Vec<ModuleRef> {
    let imports = resolved_imports(lookup.db, lookup.file);
    let states = |module: &&ModuleRef| match module {
        ModuleRef::Package(directory) => directory
            .files(lookup.db)
            .iter()
            .filter(|file| part_of_package(lookup, **file, true))
            .any(|file| stated_package(lookup.db, *file).is_some_and(|package| package.as_str() == name)),
        ModuleRef::File(_) => false,
    };
    imports.values().flatten().find(states).copied().into_iter().collect()
}

fn package(lookup: &Lookup<'_>) -> Vec<ModuleRef> {
    vec![ModuleRef::Package(lookup.file.directory(lookup.db))]
}

/// Files of one directory can belong to two packages, the second of which (`x_test`) only tests and may import the first with
/// its test files; no other directory sees what test files declare.
fn part_of_package(lookup: &Lookup<'_>, file: File, imported: bool) -> bool {
    if file.directory(lookup.db) != lookup.file.directory(lookup.db) {
        return !file.path(lookup.db).file_name().ends_with("_test.go");
    }
    (stated_package(lookup.db, file) == stated_package(lookup.db, lookup.file)) != imported
}
