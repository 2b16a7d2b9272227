//! The standard libraries that the workspace's languages rely on: each with the release that files pin, that an installed
//! toolchain has, or that files admit.

use rift_base::{PackageSelector, ProjectPath, Resolution};
use rift_host::View;
use rift_host::packages::{DependencyFile, RuntimeSelector, StandardLibrary};
use rift_protocol::Availability;

use super::{Files, PackageContext, npm};

const MANAGER: &str = "stdlib";

/// The files that ask for a release.
const PINS: [DependencyFile; 7] = [
    DependencyFile::RustPin,
    DependencyFile::NodePin,
    DependencyFile::PythonPin,
    DependencyFile::ToolVersions,
    DependencyFile::CargoManifest,
    DependencyFile::PyProject,
    DependencyFile::PackageJson,
];

pub(super) fn resolve(view: &View, files: Files<'_>, out: &mut PackageContext) {
    let speaks = |names: &[&str]| view.summary().languages.keys().any(|language| names.contains(&language.name()));
    let typescript = out.entries.iter().any(|entry| entry.manager == npm::MANAGER && entry.name == "typescript");
    let used = [
        (StandardLibrary::Node, typescript && speaks(&["javascript", "typescript"])),
        (StandardLibrary::Python, speaks(&["python"])),
        (StandardLibrary::Rust, speaks(&["rust"])),
    ];
    for (library, _) in used.into_iter().filter(|(_, used)| *used) {
        let stated = stated(files, library);
        let selector = match stated {
            Some(RuntimeSelector::Version(version)) => PackageSelector::Version(version),
            Some(RuntimeSelector::Line(line)) => PackageSelector::Requirement(of_line(library, &line)),
            Some(RuntimeSelector::Requirement(requirement)) => {
                installed(view, library, out).unwrap_or(PackageSelector::Requirement(requirement))
            }
            None => installed(view, library, out).unwrap_or(PackageSelector::Requirement(">=0".to_owned())),
        };
        out.add(MANAGER, library.name(), selector, Availability::Canonical);
    }
}

/// What files ask for: pins before what manifests admit, then the file nearest to the root, then in path order.
fn stated(files: Files<'_>, library: StandardLibrary) -> Option<RuntimeSelector> {
    let rank = |selector: &RuntimeSelector| u8::from(matches!(selector, RuntimeSelector::Requirement(_)));
    let asked = PINS.into_iter().flat_map(|kind| files.of(kind)).flat_map(|(directory, stated)| {
        let of_library = stated.runtimes.iter().filter(move |(asked, _)| *asked == library);
        of_library.map(move |(_, selector)| (directory.clone(), selector))
    });
    let place = |directory: &ProjectPath| (directory.segments().count(), directory.clone());
    asked.min_by_key(|(directory, selector)| (rank(selector), place(directory))).map(|(_, selector)| selector.clone())
}

/// The requirement that the releases of a line meet, in the syntax of the library's own packages.
fn of_line(library: StandardLibrary, line: &str) -> String {
    match library {
        StandardLibrary::Rust => format!("~{line}"),
        StandardLibrary::Node => line.to_owned(),
        StandardLibrary::Python => format!("=={line}.*"),
    }
}

/// The release that is installed, where the configuration lets programs be asked. One that cannot be had is told.
fn installed(view: &View, library: StandardLibrary, out: &mut PackageContext) -> Option<PackageSelector> {
    if view.config().dependencies.resolution == Resolution::Static {
        return None;
    }
    match view.installed_release(library)? {
        Ok(version) => Some(PackageSelector::Version(version)),
        Err(reason) => {
            out.degraded.push((format!("{MANAGER}/{}", library.name()), reason));
            None
        }
    }
}
