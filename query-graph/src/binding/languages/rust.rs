//! Rust: a crate's root file, and the files of the modules that files declare (The Rust Reference, "Modules", "Module Source
//! Filenames"; The Cargo Book, "Cargo Targets").

use std::sync::Arc;

use rift_base::{Facet, Facets, NamePath, ProjectPath};
use rift_syntax::{Reference, Role};
use rift_workspace::{CargoManifest, CargoTargetKind, Manifest};

use super::{Layout, Lookup, fields_apart};
use crate::binding::crates::{crates_in_code, library_path};
use crate::binding::lookup::{PathKey, directory_at};
use crate::binding::modules::ModuleRef;
use crate::binding::names::{DeclKey, NameIn, named};
use crate::inputs::{Directory, File};

pub(super) static LAYOUT: Layout =
    Layout { resolve, free, fits, prefers, has_extensions: true, extended_in, ..Layout::NONE };

/// Most modules between a file and its crate's root.
const NESTING_MAX: usize = 64;

/// Folders each of whose files is a crate.
const CRATE_FOLDERS: [&str; 4] = ["tests", "examples", "benches", "bin"];

/// `crate`, `self`, `super`, `super::super` …, `::crate_name`, the path of `#[path = "…"]`, or the name of a module that the file
/// declares as `mod name;`.
fn resolve(lookup: &Lookup<'_>, specifier: &str) -> Vec<ModuleRef> {
    let found = match specifier {
        "crate" => roots(lookup),
        "self" => vec![lookup.file],
        above if above.starts_with("super") => {
            let mut here = vec![lookup.file];
            for _ in above.split("::") {
                here = parents_of(lookup, &here);
            }
            here
        }
        outside if outside.starts_with("::") => return free(lookup, outside.trim_start_matches("::").trim()),
        path if path.ends_with(".rs") => lookup.file_at(&lookup.folder(), path).into_iter().collect(),
        name => child(lookup, name).into_iter().collect(),
    };
    found.into_iter().map(ModuleRef::File).collect()
}

/// A crate that the file's package can name.
fn free(lookup: &Lookup<'_>, name: &str) -> Vec<ModuleRef> {
    // Names of crates are in snake case; most free names are types of the prelude.
    if name.starts_with(|c: char| !c.is_lowercase() && c != '_') {
        return Vec::new();
    }
    let Some(folder) = lookup.packages().cargo.as_ref().map(|placed| placed.directory.clone()) else {
        return Vec::new();
    };
    let directory = directory_at(lookup.db, PathKey::new(lookup.db, folder));
    let crates = directory.map(|directory| crates_in_code(lookup.db, directory));
    crates.and_then(|crates| crates.get(name).copied()).map(ModuleRef::File).into_iter().collect()
}

/// Impl blocks stand in the package of the type or in that of the trait.
fn extended_in(lookup: &Lookup<'_>) -> Option<Directory> {
    let folder = lookup.packages().cargo.as_ref().map(|placed| placed.directory.clone());
    directory_at(lookup.db, PathKey::new(lookup.db, folder.unwrap_or_else(ProjectPath::root)))
}

/// Fields have names beside those of methods; functions and constants, which stand alone, do not.
fn prefers(reference: &Reference, facets: Facets) -> bool {
    let plain = reference.role == Role::Read && !reference.not_field && !facets.has(Facet::Member);
    plain || fields_apart(reference, facets)
}

/// Types, values and macros have names of their own.
fn fits(role: Role, facets: Facets) -> bool {
    let has = |facet| facets.has(facet);
    match role {
        Role::Expand | Role::Decorate => has(Facet::Macro),
        Role::Extends | Role::Implements => has(Facet::Type),
        // A constant as a type argument looks like a type.
        Role::Type => has(Facet::Type) || has(Facet::Value) && !has(Facet::Callable),
        // An alias of a struct is one in its literals.
        Role::Call => {
            let alias = has(Facet::Alias) && has(Facet::Type);
            has(Facet::Value) || has(Facet::Callable) || has(Facet::Constructible) || alias
        }
        Role::Write => has(Facet::Value),
        Role::Read => !has(Facet::Macro) || has(Facet::Callable),
        Role::Import | Role::Export => true,
    }
}

/// The file of the module declared as `mod name;`.
fn child(lookup: &Lookup<'_>, name: &str) -> Option<File> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let below = |folder: &ProjectPath| {
        let file = lookup.file_at(folder, &format!("{name}.rs"));
        file.or_else(|| lookup.file_at(folder, &format!("{name}/mod.rs")))
    };
    let folder = lookup.folder();
    let path = lookup.path();
    if path.stem() == "mod" || is_root(lookup, path) {
        return below(&folder);
    }
    // A file that `#[path]` names has its modules beside it.
    folder.join(path.stem()).ok().and_then(|inner| below(&inner)).or_else(|| below(&folder))
}

/// The root files of the crates that the file is part of: several when several declare its module.
fn roots(lookup: &Lookup<'_>) -> Vec<File> {
    let mut here = vec![lookup.file];
    for _ in 0..NESTING_MAX {
        if here.iter().all(|file| is_root(lookup, file.path(lookup.db))) {
            return here;
        }
        let above = here.iter().flat_map(|file| match is_root(lookup, file.path(lookup.db)) {
            true => vec![*file],
            false => parents(lookup, *file),
        });
        here = unique(above.collect());
    }
    Vec::new()
}

fn parents_of(lookup: &Lookup<'_>, files: &[File]) -> Vec<File> {
    unique(files.iter().flat_map(|file| parents(lookup, *file)).collect())
}

fn unique(mut files: Vec<File>) -> Vec<File> {
    let mut seen = Vec::new();
    files.retain(|file| {
        let new = !seen.contains(file);
        if new {
            seen.push(*file);
        }
        new
    });
    files
}

/// The files that can declare the module that `file` is: those of the module that its folder belongs to, or the roots in
/// its folder. When there are several, those that do.
fn parents(lookup: &Lookup<'_>, file: File) -> Vec<File> {
    let path = file.path(lookup.db);
    if is_root(lookup, path) {
        return Vec::new();
    }
    let Some(mut folder) = path.parent() else { return Vec::new() };
    let mut name = path.stem().to_owned();
    if name == "mod" {
        name = folder.file_name().to_owned();
        let Some(above) = folder.parent() else { return Vec::new() };
        folder = above;
    }
    let mut found: Vec<File> = lookup.file_at(&folder, "mod.rs").into_iter().collect();
    if let Some(above) = folder.parent() {
        found.extend(lookup.file_at(&above, &format!("{}.rs", folder.file_name())));
    }
    found.extend(roots_in(lookup, &folder));
    found.retain(|found| *found != file);
    let declares = |found: &File| {
        let scope = DeclKey::new(lookup.db, *found, NamePath::default());
        !named(lookup.db, NameIn::new(lookup.db, scope, Arc::<str>::from(name.as_str()))).is_empty()
    };
    if found.len() > 1 && found.iter().any(declares) {
        found.retain(declares);
    }
    found
}

/// The root files of crates in `folder`.
fn roots_in(lookup: &Lookup<'_>, folder: &ProjectPath) -> Vec<File> {
    if CRATE_FOLDERS.contains(&folder.file_name()) {
        let directory = directory_at(lookup.db, PathKey::new(lookup.db, folder.clone()));
        let files = directory.into_iter().flat_map(|directory| directory.files(lookup.db).to_vec());
        return files.filter(|file| is_root(lookup, file.path(lookup.db))).collect();
    }
    let mut names: Vec<String> = vec!["lib.rs".to_owned(), "main.rs".to_owned()];
    let context = lookup.packages();
    if let Some((directory, cargo)) = cargo(&context) {
        let stated = cargo.targets.iter().filter_map(|target| target.path.as_deref());
        for path in stated.chain([library_path(cargo)]) {
            let stands = directory.join(path.trim_start_matches("./")).ok();
            if let Some(stands) = stands.filter(|stands| stands.parent().as_ref() == Some(folder)) {
                names.push(stands.file_name().to_owned());
            }
        }
    }
    names.sort_unstable();
    names.dedup();
    names.iter().filter_map(|name| lookup.file_at(folder, name)).collect()
}

fn cargo(context: &crate::place::PackageContext) -> Option<(&ProjectPath, &CargoManifest)> {
    let placed = context.cargo.as_ref()?;
    match &*placed.manifest {
        Manifest::Cargo(cargo) => Some((&placed.directory, cargo)),
        _ => None,
    }
}

/// Whether the file at `path` is the root of a crate: as its package's manifest states, or by its place.
fn is_root(lookup: &Lookup<'_>, path: &ProjectPath) -> bool {
    let context = lookup.packages();
    let stated = cargo(&context);
    let root = ProjectPath::root();
    let directory = stated.map_or(&root, |(directory, _)| directory);
    let inside = path.strip_prefix(directory).unwrap_or(path.as_str());
    if let Some((_, cargo)) = stated {
        let written = cargo.targets.iter().filter_map(|target| target.path.as_deref());
        if written.chain([library_path(cargo)]).any(|path| path.trim_start_matches("./") == inside) {
            return true;
        }
    }
    let segments: Vec<&str> = inside.split('/').collect();
    let inferred = |kind| !stated.is_some_and(|(_, cargo)| cargo.explicit.contains(&kind));
    match segments.as_slice() {
        ["build.rs"] => true,
        ["src", "bin", _] | ["src", "bin", _, "main.rs"] => inferred(CargoTargetKind::Bin),
        ["tests", file] | ["tests", _, file @ "main.rs"] => file.ends_with(".rs") && inferred(CargoTargetKind::Test),
        ["examples", file] | ["examples", _, file @ "main.rs"] => {
            file.ends_with(".rs") && inferred(CargoTargetKind::Example)
        }
        ["benches", file] | ["benches", _, file @ "main.rs"] => {
            file.ends_with(".rs") && inferred(CargoTargetKind::Bench)
        }
        [.., "lib.rs" | "main.rs"] => segments.len() <= 2 || stated.is_none(),
        _ => false,
    }
}
