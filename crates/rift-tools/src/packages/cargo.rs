//! Cargo's packages.

use std::collections::BTreeSet;

use rift_base::{PackageSelector, ProjectPath};
use rift_host::packages::{DeclaredPackage, DependencyFile, PackageSource, StatedDependencies};
use rift_protocol::Availability;

use super::{Files, PackageContext, availability, pinned};

const MANAGER: &str = "cargo";

pub(super) fn resolve(files: Files<'_>, out: &mut PackageContext) {
    let manifests = || files.of(DependencyFile::CargoManifest);
    let own: BTreeSet<&str> = manifests().filter_map(|(_, stated)| stated.package.as_deref()).collect();
    // A package without a source is one of the workspace's, or one at a path that the lockfile does not name.
    let is_own = |name: &str| own.contains(name) || files.is_cut(DependencyFile::CargoManifest);
    for (directory, lock) in files.of(DependencyFile::CargoLock) {
        for package in &lock.pinned {
            let availability = match &package.source {
                PackageSource::Unnamed if is_own(&package.name) => None,
                PackageSource::Unnamed => Some(Availability::Path),
                source => availability(source, &directory),
            };
            if let Some(availability) = availability {
                out.add(MANAGER, &package.name, pinned(package.version.as_ref(), "*"), availability);
            }
        }
    }
    for (directory, manifest) in manifests() {
        let covers = |lock: &StatedDependencies| manifest.package.as_ref().is_some_and(|own| lock.covers.contains(own));
        let lock = files.nearest(DependencyFile::CargoLock, &directory, |(_, lock)| covers(lock));
        let pins: BTreeSet<&str> = lock.iter().flat_map(|(_, lock)| &lock.pinned).map(|p| p.name.as_str()).collect();
        for declared in &manifest.declared {
            let Some((at, declared)) = inherit(files, &directory, declared) else { continue };
            if pins.contains(declared.name.as_str()) {
                continue;
            }
            if let Some(availability) = availability(&declared.source, &at) {
                let requirement = PackageSelector::Requirement(declared.requirement.clone());
                out.add(MANAGER, &declared.name, requirement, availability);
            }
        }
    }
}

/// A dependency as its own manifest or that of its workspace states it, with the directory that its path starts from.
fn inherit<'a>(
    files: Files<'a>,
    directory: &ProjectPath,
    declared: &'a DeclaredPackage,
) -> Option<(ProjectPath, &'a DeclaredPackage)> {
    if declared.source != PackageSource::Inherited {
        return Some((directory.clone(), declared));
    }
    let has = |stated: &'a StatedDependencies| stated.inherited.iter().find(|(key, _)| *key == declared.name);
    let (at, workspace) =
        files.nearest(DependencyFile::CargoManifest, directory, |(_, stated)| has(stated).is_some())?;
    Some((at, &has(workspace)?.1))
}
