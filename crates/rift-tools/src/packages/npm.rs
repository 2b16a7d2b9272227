//! npm's packages, from the lockfiles of npm and Bun.

use std::collections::{BTreeMap, BTreeSet};

use rift_base::{PackageSelector, ProjectPath};
use rift_host::PathPatterns;
use rift_host::packages::{DependencyFile, PackageSource, StatedDependencies};

use super::{Files, PackageContext, availability, pinned};

pub(super) const MANAGER: &str = "npm";
const LOCKS: [DependencyFile; 2] = [DependencyFile::PackageLock, DependencyFile::BunLock];

pub(super) fn resolve(files: Files<'_>, out: &mut PackageContext) {
    for (directory, lock) in LOCKS.into_iter().flat_map(|kind| files.of(kind)) {
        for package in &lock.pinned {
            if let Some(availability) = availability(&package.source, &directory) {
                out.add(MANAGER, &package.name, pinned(package.version.as_ref(), "*"), availability);
            }
        }
    }
    let members = members(files);
    for (directory, manifest) in files.of(DependencyFile::PackageJson) {
        let locks = LOCKS.into_iter().filter_map(|kind| {
            files.nearest(kind, &directory, |(at, lock)| {
                directory.strip_prefix(at).is_some_and(|relative| covers(lock, relative))
            })
        });
        let pins: BTreeSet<&str> =
            locks.flat_map(|(_, lock)| &lock.pinned).map(|package| package.name.as_str()).collect();
        let siblings = members.iter().rev().find(|(root, _)| directory.strip_prefix(root).is_some());
        let is_member = |name: &str| siblings.is_some_and(|(_, names)| names.contains(name));
        for declared in &manifest.declared {
            let is_linked = declared.source == PackageSource::Registry && is_member(&declared.name);
            if pins.contains(declared.name.as_str()) || is_linked {
                continue;
            }
            if let Some(availability) = availability(&declared.source, &directory) {
                let requirement = PackageSelector::Requirement(declared.requirement.clone());
                out.add(MANAGER, &declared.name, requirement, availability);
            }
        }
    }
}

/// Whether a lockfile is of the manifest in the directory `relative` to its own.
fn covers(lock: &StatedDependencies, relative: &str) -> bool {
    lock.covers.iter().any(|directory| directory == relative)
}

/// The names of the packages that form one workspace with each manifest that lists directories of them.
fn members<'a>(files: Files<'a>) -> BTreeMap<ProjectPath, BTreeSet<&'a str>> {
    let mut out = BTreeMap::new();
    for (root, workspace) in files.of(DependencyFile::PackageJson).filter(|(_, stated)| !stated.members.is_empty()) {
        let (left_out, taken): (Vec<&str>, Vec<&str>) =
            workspace.members.iter().map(String::as_str).partition(|glob| glob.starts_with('!'));
        let globs = |globs: Vec<&str>| {
            let clean =
                |glob: &str| glob.trim_start_matches('!').trim_start_matches("./").trim_end_matches('/').to_owned();
            // A glob that is none matches nothing, and the others still hold.
            let each = globs.into_iter().filter_map(|glob| PathPatterns::new(&[clean(glob)]).ok());
            each.collect::<Vec<_>>()
        };
        let (taken, left_out) = (globs(taken), globs(left_out));
        let is_listed = |directory: &ProjectPath| {
            let relative = directory.strip_prefix(&root).filter(|relative| !relative.is_empty());
            relative.is_some_and(|relative| {
                taken.iter().any(|glob| glob.matches(relative)) && !left_out.iter().any(|glob| glob.matches(relative))
            })
        };
        let listed = files.of(DependencyFile::PackageJson).filter(|(directory, _)| is_listed(directory));
        let names: BTreeSet<&str> = listed.filter_map(|(_, stated)| stated.package.as_deref()).collect();
        out.insert(root, names);
    }
    out
}
