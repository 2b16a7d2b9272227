//! `Cargo.toml` (<https://doc.rust-lang.org/cargo/reference/specifying-dependencies.html>) and `Cargo.lock`.

use toml::de::{DeTable, DeValue};

use super::{DeclaredPackage, PackageSource, PinnedPackage, RuntimeSelector, StandardLibrary, StatedDependencies};
use crate::manifest::{table, text};

/// The tables of a manifest that declare dependencies, at its top and in each `[target.<spec>]`.
const TABLES: [&str; 5] =
    ["dependencies", "dev-dependencies", "dev_dependencies", "build-dependencies", "build_dependencies"];
/// The public registry, as lockfiles spell it in either protocol.
const CRATES_IO: [&str; 2] =
    ["registry+https://github.com/rust-lang/crates.io-index", "sparse+https://index.crates.io/"];

pub(super) fn manifest(source: &str, out: &mut StatedDependencies) -> Option<()> {
    let document = DeTable::parse(source).ok()?;
    let document = document.get_ref();
    let package = table(document, "package").or_else(|| table(document, "project"));
    out.package = package.and_then(|package| text(package, "name"));
    let workspace = table(document, "workspace");
    let shared = workspace.and_then(|workspace| table(workspace, "package"));
    if let Some(release) = package.and_then(|p| text(p, "rust-version")).or_else(|| text(shared?, "rust-version")) {
        out.runtimes.push((StandardLibrary::Rust, RuntimeSelector::Requirement(format!(">={release}"))));
    }
    let targets = table(document, "target").into_iter().flatten();
    let targets = targets.filter_map(|(_, target)| target.get_ref().as_table());
    for table in std::iter::once(document).chain(targets) {
        for (key, declared) in TABLES.iter().flat_map(|name| declared(table, name)) {
            if key != declared.name {
                out.renamed.push((key, declared.name.clone()));
            }
            out.declared.push(declared);
        }
    }
    out.inherited.extend(workspace.into_iter().flat_map(|workspace| declared(workspace, "dependencies")));
    Some(())
}

fn declared<'a>(parent: &'a DeTable<'_>, name: &str) -> impl Iterator<Item = (String, DeclaredPackage)> + 'a {
    let entries = table(parent, name).into_iter().flatten();
    entries.filter_map(|(key, value)| Some((key.get_ref().to_string(), dependency(key.get_ref(), value.get_ref())?)))
}

/// One dependency: a requirement, or a table of its source and requirement.
fn dependency(key: &str, value: &DeValue<'_>) -> Option<DeclaredPackage> {
    let declares = |name: &str, requirement: Option<&str>, source| {
        let requirement = requirement.map(str::trim).filter(|text| !text.is_empty()).unwrap_or("*").to_owned();
        DeclaredPackage { name: name.to_owned(), requirement, source }
    };
    if let Some(requirement) = value.as_str() {
        return Some(declares(key, Some(requirement), PackageSource::Registry));
    }
    let table = value.as_table()?;
    let name = text(table, "package").unwrap_or_else(|| key.to_owned());
    let source = if table.get("workspace").and_then(|v| v.get_ref().as_bool()) == Some(true) {
        // What the workspace's manifest lists under the same key.
        return Some(declares(key, None, PackageSource::Inherited));
    } else if let Some(path) = text(table, "path") {
        PackageSource::Path(path)
    } else if table.contains_key("git") {
        PackageSource::Git
    } else if table.contains_key("registry-index") || text(table, "registry").is_some_and(|name| name != "crates-io") {
        PackageSource::PrivateRegistry
    } else {
        PackageSource::Registry
    };
    Some(declares(&name, text(table, "version").as_deref(), source))
}

pub(super) fn lock(source: &str, out: &mut StatedDependencies) -> Option<()> {
    let document = DeTable::parse(source).ok()?;
    let packages = document.get_ref().get("package").and_then(|v| v.get_ref().as_array());
    for package in packages.into_iter().flatten().filter_map(|p| p.get_ref().as_table()) {
        let Some(name) = text(package, "name") else { continue };
        let source = match text(package, "source") {
            None => PackageSource::Unnamed,
            Some(index) if CRATES_IO.contains(&index.as_str()) => PackageSource::Registry,
            Some(index) if index.starts_with("registry+") || index.starts_with("sparse+") => {
                PackageSource::PrivateRegistry
            }
            Some(git) if git.starts_with("git+") => PackageSource::Git,
            Some(_) => PackageSource::Url,
        };
        if source == PackageSource::Unnamed {
            out.covers.push(name.clone());
        }
        out.pinned.push(PinnedPackage { name, version: text(package, "version"), source });
    }
    Some(())
}
