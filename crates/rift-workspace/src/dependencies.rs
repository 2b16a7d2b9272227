//! What manifests, lockfiles and version pins state about the packages that a project uses. Each file is read by itself;
//! joining them is the work of whoever has them all. Nothing is run, and nothing else is read.

mod cargo;
pub(crate) mod jsonc;
mod npm;
mod python;
mod runtime;

pub(crate) use runtime::release;

/// Bytes of text past which such a file is not read.
pub const DEPENDENCY_FILE_BYTES_MAX: usize = 16 << 20;
/// Packages that one file states at most; further ones are left out, and that is said.
pub const DEPENDENCY_FILE_PACKAGES_MAX: usize = 20_000;

/// The files that are read, in the order of their resolvers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DependencyFile {
    /// `Cargo.toml`.
    CargoManifest,
    /// `Cargo.lock`.
    CargoLock,
    /// `pyproject.toml`.
    PyProject,
    /// `uv.lock`.
    UvLock,
    /// `package.json`.
    PackageJson,
    /// `package-lock.json`.
    PackageLock,
    /// `bun.lock`.
    BunLock,
    /// `rust-toolchain.toml` and `rust-toolchain`.
    RustPin,
    /// `.nvmrc` and `.node-version`.
    NodePin,
    /// `.python-version`.
    PythonPin,
    /// `.tool-versions` (asdf and mise).
    ToolVersions,
}

impl DependencyFile {
    /// What a file of this name is.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "Cargo.toml" => Self::CargoManifest,
            "Cargo.lock" => Self::CargoLock,
            "pyproject.toml" => Self::PyProject,
            "uv.lock" => Self::UvLock,
            "package.json" => Self::PackageJson,
            "package-lock.json" => Self::PackageLock,
            "bun.lock" => Self::BunLock,
            "rust-toolchain.toml" | "rust-toolchain" => Self::RustPin,
            ".nvmrc" | ".node-version" => Self::NodePin,
            ".python-version" => Self::PythonPin,
            ".tool-versions" => Self::ToolVersions,
            _ => return None,
        })
    }
}

/// Where a package comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackageSource {
    /// The manager's public registry.
    Registry,
    /// Another registry.
    PrivateRegistry,
    /// A git repository.
    Git,
    /// An address of an archive.
    Url,
    /// A folder or archive at this path, relative to the file's directory unless it starts with `/`.
    Path(String),
    /// A folder that the file does not name: Cargo.lock names none for the packages of a workspace and those at paths.
    Unnamed,
    /// A package of the same workspace, by the manager's own word.
    Member,
    /// As the workspace's own manifest says (`workspace = true` of Cargo).
    Inherited,
}

/// A package that a lockfile pins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinnedPackage {
    /// Its name; Python's in the normal form of PEP 503.
    pub name: String,
    /// Its exact version; absent where the lockfile has none.
    pub version: Option<String>,
    /// Where it comes from.
    pub source: PackageSource,
}

/// A package that a manifest declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredPackage {
    /// Its name; Python's in the normal form of PEP 503.
    pub name: String,
    /// The versions it admits, in the manager's own syntax; one that admits all where none is written.
    pub requirement: String,
    /// Where it comes from.
    pub source: PackageSource,
}

/// A standard library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StandardLibrary {
    /// Rust's.
    Rust,
    /// Node's built-in modules.
    Node,
    /// Python's.
    Python,
}

impl StandardLibrary {
    /// The name under the manager `stdlib`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Node => "node",
            Self::Python => "python",
        }
    }
}

/// Which release of a standard library a file asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuntimeSelector {
    /// Exactly this one, `x.y.z`.
    Version(String),
    /// One of a line of releases that a pin names: `3.12`.
    Line(String),
    /// Any that a manifest admits.
    Requirement(String),
}

/// What one file states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedDependencies {
    /// What the file is.
    pub file: DependencyFile,
    /// The package that a manifest is of.
    pub package: Option<String>,
    /// What a manifest declares.
    pub declared: Vec<DeclaredPackage>,
    /// Dependencies that a Cargo manifest gives other names in code than their packages': (name, package).
    pub renamed: Vec<(String, String)>,
    /// What a Cargo workspace's manifest has its members inherit, by the key that they name.
    pub inherited: Vec<(String, DeclaredPackage)>,
    /// What a lockfile pins.
    pub pinned: Vec<PinnedPackage>,
    /// Which manifests a lockfile is of: by package name for Cargo and uv, by directory relative to the lockfile's for npm
    /// and Bun (empty for its own).
    pub covers: Vec<String>,
    /// Globs of the directories whose packages form one workspace, relative to the manifest's (npm).
    pub members: Vec<String>,
    /// The releases of standard libraries that it asks for.
    pub runtimes: Vec<(StandardLibrary, RuntimeSelector)>,
    /// What could not be read of it.
    pub lack: Option<String>,
}

impl StatedDependencies {
    fn new(file: DependencyFile) -> Self {
        Self {
            file,
            package: None,
            declared: Vec::new(),
            renamed: Vec::new(),
            inherited: Vec::new(),
            pinned: Vec::new(),
            covers: Vec::new(),
            members: Vec::new(),
            runtimes: Vec::new(),
            lack: None,
        }
    }

    /// Bytes on the heap, about.
    pub fn heap_size(&self) -> usize {
        let declared = self.declared.iter().chain(self.inherited.iter().map(|(_, declared)| declared));
        let declared = declared.map(|d| size_of::<DeclaredPackage>() + d.name.len() + d.requirement.len());
        let pinned = self.pinned.iter();
        let pinned =
            pinned.map(|p| size_of::<PinnedPackage>() + p.name.len() + p.version.as_ref().map_or(0, String::len));
        let texts = self.covers.iter().chain(&self.members).map(|text| size_of::<String>() + text.len());
        let renamed = self.renamed.iter();
        let renamed = renamed.map(|(name, package)| 2 * size_of::<String>() + name.len() + package.len());
        declared.chain(pinned).chain(texts).chain(renamed).sum()
    }
}

/// Reads the file called `name`. None when the name is no such file's. A file that cannot be read states nothing and says why
/// ([`StatedDependencies::lack`]).
pub fn parse_dependencies(name: &str, text: &str) -> Option<StatedDependencies> {
    let file = DependencyFile::of(name)?;
    let mut out = StatedDependencies::new(file);
    if text.len() > DEPENDENCY_FILE_BYTES_MAX {
        out.lack = Some(format!("holds more than {DEPENDENCY_FILE_BYTES_MAX} bytes"));
        return Some(out);
    }
    let read = match file {
        DependencyFile::CargoManifest => cargo::manifest(text, &mut out),
        DependencyFile::CargoLock => cargo::lock(text, &mut out),
        DependencyFile::PyProject => python::manifest(text, &mut out),
        DependencyFile::UvLock => python::lock(text, &mut out),
        DependencyFile::PackageJson => npm::manifest(text, &mut out),
        DependencyFile::PackageLock => npm::lock(text, &mut out),
        DependencyFile::BunLock => npm::bun_lock(text, &mut out),
        DependencyFile::RustPin => runtime::rust(name, text, &mut out),
        DependencyFile::NodePin => runtime::node(text, &mut out),
        DependencyFile::PythonPin => runtime::python(text, &mut out),
        DependencyFile::ToolVersions => runtime::tool_versions(text, &mut out),
    };
    if read.is_none() {
        out = StatedDependencies { lack: Some("does not parse".to_owned()), ..StatedDependencies::new(file) };
    }
    bound(&mut out);
    Some(out)
}

fn bound(out: &mut StatedDependencies) {
    let most = out.declared.len().max(out.inherited.len()).max(out.pinned.len());
    if most > DEPENDENCY_FILE_PACKAGES_MAX {
        out.declared.truncate(DEPENDENCY_FILE_PACKAGES_MAX);
        out.inherited.truncate(DEPENDENCY_FILE_PACKAGES_MAX);
        out.pinned.truncate(DEPENDENCY_FILE_PACKAGES_MAX);
        out.lack = Some(format!("states {most} packages, the first {DEPENDENCY_FILE_PACKAGES_MAX} are read"));
    }
}

#[cfg(test)]
mod tests;
