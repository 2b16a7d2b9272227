//! Crates as code names them: the library of a file's own package, and those of packages at paths that its manifest depends
//! on (The Cargo Book, "Specifying Dependencies").

use std::collections::BTreeMap;
use std::sync::Arc;

use query_graph_macros::query;
use rift_base::ProjectPath;
use rift_workspace::{CargoManifest, Manifest, PackageSource};

use crate::db::Db;
use crate::dependencies::stated_dependencies;
use crate::inputs::{Directory, File};
use crate::place::manifest;

use super::lookup::{PathKey, file_at};
use super::modules::joined;

/// The root files of the library crates that code of the package in a directory can name, by the names that it uses for
/// them. Dependencies from elsewhere than the workspace have none.
#[query(returns(clone), heap_size = crates_heap)]
pub fn crates_in_code(db: &dyn Db, directory: Directory) -> Arc<BTreeMap<Arc<str>, File>> {
    let mut out = BTreeMap::new();
    let path = directory.path(db);
    let Some(own) = file_at_path(db, path, "Cargo.toml") else { return Arc::new(out) };
    let Some(stated) = stated_dependencies(db, own) else { return Arc::new(out) };
    for declared in &stated.declared {
        let folder = match &declared.source {
            PackageSource::Path(relative) => joined(path, relative),
            PackageSource::Inherited => inherited(db, path, &declared.name),
            _ => None,
        };
        let Some((name, root)) = folder.and_then(|folder| library_of(db, &folder)) else { continue };
        let renamed = stated.renamed.iter().filter(|(_, package)| *package == declared.name).map(|(name, _)| name);
        let mut named = false;
        for name in renamed {
            out.insert(in_code(name), root);
            named = true;
        }
        if !named {
            // Inherited ones are named by the key, unless the key is the package's name and the library has another.
            let key = in_code(&declared.name);
            if declared.source == PackageSource::Inherited {
                out.insert(key, root);
            }
            out.insert(name, root);
        }
    }
    if let Some((name, root)) = library_of(db, path) {
        out.insert(name, root);
    }
    Arc::new(out)
}

fn crates_heap(crates: &Arc<BTreeMap<Arc<str>, File>>) -> usize {
    crates.keys().map(|name| name.len() + size_of::<File>() + 48).sum()
}

fn in_code(name: &str) -> Arc<str> {
    name.replace('-', "_").into()
}

fn file_at_path(db: &dyn Db, directory: &ProjectPath, relative: &str) -> Option<File> {
    file_at(db, PathKey::new(db, joined(directory, relative)?))
}

/// The folder of the dependency that a workspace's manifest above `directory` has its members inherit as `key`.
fn inherited(db: &dyn Db, directory: &ProjectPath, key: &str) -> Option<ProjectPath> {
    let mut here = Some(directory.clone());
    while let Some(folder) = here {
        let file = file_at_path(db, &folder, "Cargo.toml");
        let stated = file.and_then(|file| stated_dependencies(db, file));
        let found = stated.as_ref().and_then(|stated| stated.inherited.iter().find(|(name, _)| name == key));
        if let Some((_, declared)) = found {
            let PackageSource::Path(relative) = &declared.source else { return None };
            return joined(&folder, relative);
        }
        here = folder.parent();
    }
    None
}

/// The name and the root file of the library of the package in `directory`.
fn library_of(db: &dyn Db, directory: &ProjectPath) -> Option<(Arc<str>, File)> {
    let file = file_at_path(db, directory, "Cargo.toml")?;
    let manifest = manifest(db, file)?;
    let Manifest::Cargo(cargo) = &*manifest else { return None };
    let root = file_at_path(db, directory, library_path(cargo))?;
    Some((cargo.crate_name().into(), root))
}

/// The root file of a package's library, relative to its manifest.
pub(super) fn library_path(cargo: &CargoManifest) -> &str {
    cargo.lib.as_ref().and_then(|lib| lib.path.as_deref()).unwrap_or("src/lib.rs")
}
