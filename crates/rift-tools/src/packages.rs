//! The dependency context: the packages that the workspace's manifests and lockfiles state, and the standard libraries that
//! its languages rely on. Every file was read by itself (`stated_dependencies` of the database); here they are joined: a
//! lockfile's version takes the place of the requirements of the manifests that it is of, and what lies in the workspace is
//! source, not a package.

mod cargo;
mod npm;
mod python;
mod stdlib;

use std::collections::BTreeSet;
use std::sync::Arc;

use rift_base::{ConfiguredPackage, PackageSelector, ProjectPath};
use rift_host::View;
use rift_host::packages::{DependencyFile, DependencyFiles, PackageSource, StatedDependencies};
use rift_protocol::limits::{CONTEXT_ENTRIES_MAX, FREE_TEXT_MAX, PACKAGE_WARNINGS_MAX, WARNING_FILES_MAX};
use rift_protocol::{Availability, PackageContextEntry, ReadWarning, RequestedPackage};

/// The context in order, with what it may miss.
#[derive(Debug, Default)]
pub(crate) struct PackageContext {
    entries: BTreeSet<Entry>,
    /// Resolvers that read less than files state, with what they could not read; in their own order.
    degraded: Vec<(String, String)>,
}

/// One entry: by manager, name, then requirements before versions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    manager: String,
    name: String,
    selector: PackageSelector,
    availability: Availability,
}

impl From<Entry> for PackageContextEntry {
    fn from(entry: Entry) -> Self {
        let (version, requirement) = match entry.selector {
            PackageSelector::Version(version) => (Some(version), None),
            PackageSelector::Requirement(requirement) => (None, Some(requirement)),
        };
        Self { manager: entry.manager, name: entry.name, version, requirement, availability: entry.availability }
    }
}

/// The context of `view`.
pub(crate) fn context(view: &View) -> PackageContext {
    let summary = view.summary();
    let files = Files(&summary.dependencies);
    let mut out = PackageContext::default();
    cargo::resolve(files, &mut out);
    python::resolve(files, &mut out);
    npm::resolve(files, &mut out);
    stdlib::resolve(view, files, &mut out);
    out.degraded.splice(0..0, files.lacks());
    out.configure(&view.config().dependencies.packages);
    out.bound();
    out
}

impl PackageContext {
    /// The entries as they travel.
    pub(crate) fn entries(&self) -> Vec<PackageContextEntry> {
        self.entries.iter().cloned().map(PackageContextEntry::from).collect()
    }

    /// What the context may miss.
    pub(crate) fn degraded(&self) -> Vec<ReadWarning> {
        let warning = |(resolver, reason): &(String, String)| ReadWarning::PackageContextDegraded {
            resolver: resolver.clone(),
            reason: reason.chars().take(FREE_TEXT_MAX).collect(),
        };
        self.degraded.iter().take(PACKAGE_WARNINGS_MAX).map(warning).collect()
    }

    /// The warnings of a search that reaches packages: what the context may miss, then the entries that no public registry
    /// serves.
    pub(crate) fn warnings(&self) -> Vec<ReadWarning> {
        let mut out = self.degraded();
        let unserved = self.entries.iter().filter_map(|entry| Some((entry, reason(entry.availability)?)));
        out.extend(unserved.take(PACKAGE_WARNINGS_MAX - out.len()).map(|(entry, reason)| {
            ReadWarning::PackageUnavailable { entry: entry.clone().into(), reason: reason.to_owned() }
        }));
        out
    }

    /// Has each of `packages` take the place of every entry of its package, or join.
    pub(crate) fn request(&mut self, packages: &[RequestedPackage]) {
        for package in packages {
            let any = || PackageSelector::Requirement(">=0".to_owned());
            let selector = package.version.clone().map_or_else(any, PackageSelector::Version);
            self.replace(&package.manager, &package.name, [selector]);
        }
    }

    fn configure(&mut self, packages: &[ConfiguredPackage]) {
        for package in packages {
            let of_package =
                |other: &&ConfiguredPackage| other.manager == package.manager && other.name == package.name;
            let selectors = packages.iter().filter(of_package).map(|package| package.selector.clone());
            self.replace(&package.manager, &package.name, selectors);
        }
    }

    fn replace(&mut self, manager: &str, name: &str, selectors: impl IntoIterator<Item = PackageSelector>) {
        self.entries.retain(|entry| entry.manager != manager || entry.name != name);
        for selector in selectors {
            self.add(manager, name, selector, Availability::Canonical);
        }
    }

    fn add(&mut self, manager: &str, name: &str, selector: PackageSelector, availability: Availability) {
        let (manager, name) = (manager.to_owned(), name.to_owned());
        self.entries.insert(Entry { manager, name, selector, availability });
    }

    /// Drops the entries sorted last past the bound, and says so of their managers.
    fn bound(&mut self) {
        let mut dropped: Vec<(String, u64)> = Vec::new();
        while self.entries.len() > CONTEXT_ENTRIES_MAX
            && let Some(last) = self.entries.pop_last()
        {
            match dropped.last_mut().filter(|(manager, _)| *manager == last.manager) {
                Some((_, count)) => *count += 1,
                None => dropped.push((last.manager, 1)),
            }
        }
        let reason = |count| format!("{count} entries are past the {CONTEXT_ENTRIES_MAX} of one read");
        self.degraded.extend(dropped.into_iter().rev().map(|(manager, count)| (manager, reason(count))));
    }
}

/// What is not served of the places where packages can be had.
fn reason(availability: Availability) -> Option<&'static str> {
    match availability {
        Availability::Canonical => None,
        Availability::Path => Some("packages at paths outside the workspace are not indexed yet"),
        Availability::Git => Some("packages of git repositories are not indexed yet"),
        Availability::PrivateRegistry => Some("packages of private registries are not indexed"),
        Availability::Url => Some("packages at addresses of archives are not indexed"),
    }
}

/// The workspace's files that state packages.
#[derive(Clone, Copy)]
struct Files<'a>(&'a DependencyFiles);

/// A file with its directory.
type Placed<'a> = (ProjectPath, &'a StatedDependencies);

/// The resolvers with the files that they read.
const RESOLVERS: [(&str, [DependencyFile; 2]); 4] = [
    ("cargo", [DependencyFile::CargoManifest, DependencyFile::CargoLock]),
    ("uv", [DependencyFile::PyProject, DependencyFile::UvLock]),
    ("npm", [DependencyFile::PackageJson, DependencyFile::PackageLock]),
    ("bun", [DependencyFile::BunLock, DependencyFile::BunLock]),
];

impl<'a> Files<'a> {
    /// The files of a kind in path order.
    fn of(self, kind: DependencyFile) -> impl DoubleEndedIterator<Item = Placed<'a>> {
        let files = self.0.get(&kind).map(|stated| stated.files.as_slice()).unwrap_or_default();
        files.iter().map(|(path, stated): &(ProjectPath, Arc<StatedDependencies>)| {
            (path.parent().unwrap_or_else(ProjectPath::root), &**stated)
        })
    }

    /// Whether there are more files of a kind than are read.
    fn is_cut(self, kind: DependencyFile) -> bool {
        self.0.get(&kind).is_some_and(|stated| stated.count > stated.files.len() as u64)
    }

    /// The nearest file of a kind from `directory` upwards for which `wanted` holds.
    fn nearest(
        self,
        kind: DependencyFile,
        directory: &ProjectPath,
        wanted: impl Fn(&Placed<'a>) -> bool,
    ) -> Option<Placed<'a>> {
        let above = self.of(kind).filter(|(at, _)| directory.strip_prefix(at).is_some());
        above.filter(wanted).max_by_key(|(at, _)| at.as_str().len())
    }

    /// What each resolver could not read.
    fn lacks(self) -> Vec<(String, String)> {
        let mut out = Vec::new();
        for (resolver, kinds) in RESOLVERS {
            let kinds: BTreeSet<DependencyFile> = kinds.into();
            let mut parts: Vec<String> = Vec::new();
            let mut files = Vec::new();
            for stated in kinds.iter().filter_map(|kind| self.0.get(kind)) {
                let read = stated.files.len() as u64;
                if stated.count > read {
                    let name = stated.files.first().map_or("", |(path, _)| path.file_name());
                    parts.push(format!("{} files {name}, the first {read} in path order are read", stated.count));
                }
                files.extend(stated.files.iter().filter_map(|(path, stated)| Some((path, stated.lack.as_ref()?))));
            }
            files.sort();
            parts.extend(files.iter().take(WARNING_FILES_MAX).map(|(path, lack)| format!("{path} {lack}")));
            if files.len() > WARNING_FILES_MAX {
                parts.push(format!("{} more files", files.len() - WARNING_FILES_MAX));
            }
            if !parts.is_empty() {
                out.push((resolver.to_owned(), parts.join("; ")));
            }
        }
        out
    }
}

/// Where a package can be had that a file in `directory` states with `source`; absent for one of the workspace, which is its
/// source.
fn availability(source: &PackageSource, directory: &ProjectPath) -> Option<Availability> {
    match source {
        PackageSource::Registry => Some(Availability::Canonical),
        PackageSource::PrivateRegistry => Some(Availability::PrivateRegistry),
        PackageSource::Git => Some(Availability::Git),
        PackageSource::Url => Some(Availability::Url),
        PackageSource::Path(path) => is_outside(path, directory).then_some(Availability::Path),
        PackageSource::Unnamed | PackageSource::Member | PackageSource::Inherited => None,
    }
}

/// Whether a path that a file in `directory` states leaves the workspace.
fn is_outside(path: &str, directory: &ProjectPath) -> bool {
    if path.starts_with(['/', '~']) || path.contains(':') {
        return true;
    }
    let mut depth = directory.segments().count();
    for segment in path.split(['/', '\\']) {
        match segment {
            "" | "." => {}
            ".." if depth == 0 => return true,
            ".." => depth -= 1,
            _ => depth += 1,
        }
    }
    false
}

/// The exact version that a lockfile pins, or, where it has none, a requirement that every release meets.
fn pinned(version: Option<&String>, any: &str) -> PackageSelector {
    match version {
        Some(version) => PackageSelector::Version(version.clone()),
        None => PackageSelector::Requirement(any.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_the_workspace() {
        let directory = ProjectPath::new("a/b").expect("valid");
        for (path, outside) in [
            ("../c", false),
            ("../..", false),
            ("../../..", true),
            ("../../../a/b", true),
            ("./x/../y", false),
            ("/abs", true),
            ("C:\\x", true),
            ("..\\..\\..\\x", true),
            (".", false),
        ] {
            assert_eq!(is_outside(path, &directory), outside, "{path}");
        }
        assert!(is_outside("..", &ProjectPath::root()));
    }
}
