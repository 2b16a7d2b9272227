//! Python's packages, as uv resolves them.

use std::collections::BTreeSet;

use rift_base::PackageSelector;
use rift_host::packages::DependencyFile;

use super::{Files, PackageContext, availability, pinned};

const MANAGER: &str = "pypi";

pub(super) fn resolve(files: Files<'_>, out: &mut PackageContext) {
    for (directory, lock) in files.of(DependencyFile::UvLock) {
        for package in &lock.pinned {
            if let Some(availability) = availability(&package.source, &directory) {
                out.add(MANAGER, &package.name, pinned(package.version.as_ref(), ">=0"), availability);
            }
        }
    }
    for (directory, manifest) in files.of(DependencyFile::PyProject) {
        let lock = files.nearest(DependencyFile::UvLock, &directory, |(at, lock)| match &manifest.package {
            Some(own) => lock.covers.contains(own),
            None => *at == directory,
        });
        let pins: BTreeSet<&str> = lock.iter().flat_map(|(_, lock)| &lock.pinned).map(|p| p.name.as_str()).collect();
        for declared in &manifest.declared {
            // A project's extras may name the project itself.
            if pins.contains(declared.name.as_str()) || manifest.package.as_ref() == Some(&declared.name) {
                continue;
            }
            if let Some(availability) = availability(&declared.source, &directory) {
                let requirement = PackageSelector::Requirement(declared.requirement.clone());
                out.add(MANAGER, &declared.name, requirement, availability);
            }
        }
    }
}
