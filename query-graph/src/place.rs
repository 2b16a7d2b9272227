//! Where a file belongs: the package and module that its declarations' logical paths start with. The rules are those
//! of facts.md sections 0.13 and 7 of the specification, one function per language.

use std::sync::Arc;

use query_graph_macros::query;
use rift_base::{Language, NamePath, NamePathBuf, ProjectPath};
use rift_workspace::{Manifest, is_manifest_name, parse_manifest};

use crate::catalog::{DirectoryManifest, claimed_language, revision};
use crate::db::{Db, shared};
use crate::inputs::{Content, Directory, File, Workspace};
use crate::symbols::outline;

/// The start of the logical paths of one file's declarations.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Module {
    /// For names that other files can see.
    pub linked: NamePath,
    /// For names with internal linkage (C and C++).
    pub file_local: NamePath,
}

/// What a manifest file states. Reads the file's content; shields from edits that keep what it states. Absent for every
/// file that is no manifest.
#[query(returns(clone), heap_size = manifest_heap)]
pub fn manifest(db: &dyn Db, file: File) -> Option<Arc<Manifest>> {
    let Content::Source(source) = file.content(db) else { return None };
    if !is_manifest_name(file.path(db).file_name()) {
        return None;
    }
    parse_manifest(file.path(db).as_str(), &source.text.get()).map(Arc::new)
}

fn manifest_heap(manifest: &Option<Arc<Manifest>>) -> usize {
    manifest.as_ref().map_or(0, |_| size_of::<Manifest>())
}

/// One manifest and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedManifest {
    /// The directory that holds it.
    pub directory: ProjectPath,
    /// What it states.
    pub manifest: Arc<Manifest>,
}

/// The nearest manifests of each ecosystem, from a directory upwards.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PackageContext {
    /// `Cargo.toml` with a package; a virtual one names nothing, so files below it belong to the member that holds them.
    pub cargo: Option<PlacedManifest>,
    /// `package.json`.
    pub npm: Option<PlacedManifest>,
    /// `go.mod`.
    pub go: Option<PlacedManifest>,
    /// `pyproject.toml` or its elders.
    pub python: Option<PlacedManifest>,
}

impl PackageContext {
    /// Puts a nearer manifest in the place of its ecosystem's.
    fn enter(&mut self, placed: PlacedManifest) {
        let slot = match &*placed.manifest {
            Manifest::Cargo(_) => &mut self.cargo,
            Manifest::Npm { .. } => &mut self.npm,
            Manifest::Go { .. } => &mut self.go,
            Manifest::Python { .. } => &mut self.python,
        };
        *slot = Some(placed);
    }
}

/// The manifests that govern a directory. Reads the directory's files, its manifests and the context of its parent;
/// shields modules from every other file of the directory.
#[query(returns(clone), heap_size = context_heap)]
pub fn package(db: &dyn Db, directory: Directory) -> Arc<PackageContext> {
    let above = directory.parent(db).map(|parent| package(db, parent)).unwrap_or_default();
    let mut found = Vec::new();
    for file in directory.files(db).iter() {
        if is_manifest_name(file.path(db).file_name())
            && let Some(manifest) = manifest(db, *file)
        {
            found.push(PlacedManifest { directory: directory.path(db).clone(), manifest });
        }
    }
    if found.is_empty() {
        return above;
    }
    let mut context = PackageContext::clone(&above);
    found.into_iter().for_each(|placed| context.enter(placed));
    Arc::new(context)
}

fn context_heap(_: &Arc<PackageContext>) -> usize {
    size_of::<PackageContext>()
}

/// The package that a file's own text states (Java, Go). Reads the outline; shields from everything else in it.
#[query(returns(clone), heap_size = shared)]
pub fn stated_package(db: &dyn Db, file: File) -> Option<NamePath> {
    outline(db, file)?.package
}

/// The module of a file. Reads its path, its language and the manifests above it, and for Java and Go the package that
/// its text states; never any other fact, so that renaming a package executes no extraction.
#[query(returns(clone), heap_size = module_heap)]
pub fn module(db: &dyn Db, file: File) -> Module {
    let path = file.path(db);
    let language = revision(db, file).and_then(|r| r.language(db).clone()).or_else(|| claimed_language(db, file));
    let Some(language) = language else { return Module::default() };
    let place = Place { path, workspace: Workspace::get(db).name(db) };
    place.module(&language, || package(db, file.directory(db)), || stated_package(db, file))
}

/// The module of a file that is no input: read as `language`, below `manifests`, the nearest last.
pub(crate) fn module_outside(
    db: &dyn Db,
    path: &ProjectPath,
    language: &Language,
    manifests: Vec<PlacedManifest>,
    stated: impl FnOnce() -> Option<NamePath>,
) -> Module {
    let mut context = PackageContext::default();
    manifests.into_iter().for_each(|manifest| context.enter(manifest));
    Place { path, workspace: Workspace::get(db).name(db) }.module(language, || Arc::new(context), stated)
}

/// The manifests in `tree` that govern `path`, the nearest last.
pub fn manifests_above(tree: &DirectoryManifest, path: &ProjectPath) -> Vec<PlacedManifest> {
    let mut out = Vec::new();
    let mut directory = Some(tree);
    while let Some(here) = directory {
        for entry in here.files.iter().filter(|entry| is_manifest_name(entry.path.file_name())) {
            let text = entry.text();
            if let Some(manifest) = text.and_then(|text| parse_manifest(entry.path.as_str(), &text)) {
                out.push(PlacedManifest { directory: here.path.clone(), manifest: Arc::new(manifest) });
            }
        }
        directory = here
            .directories
            .iter()
            .map(|below| &**below)
            .find(|below| path.strip_prefix(&below.path).is_some_and(|rest| !rest.is_empty()));
    }
    out
}

fn module_heap(module: &Module) -> usize {
    module.linked.heap_size() + module.file_local.heap_size()
}

/// A manifest's spelling of a path, without a leading `./`.
fn clean(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

/// A path and the workspace it stands in.
struct Place<'a> {
    path: &'a ProjectPath,
    workspace: &'a str,
}

impl Place<'_> {
    /// The module under the rule of `language`, which asks for what it needs alone.
    fn module(
        &self,
        language: &Language,
        context: impl FnOnce() -> Arc<PackageContext>,
        stated: impl FnOnce() -> Option<NamePath>,
    ) -> Module {
        let linked = match language.name() {
            "rust" => self.rust(context().cargo.as_ref()),
            "python" => self.python(context().python.as_ref()),
            "javascript" | "typescript" => self.ecmascript(context().npm.as_ref()),
            "go" => self.go(context().go.as_ref(), stated().as_ref()),
            "java" => stated().unwrap_or_default(),
            "c" | "cpp" => return self.c_family(),
            _ => self.file_segments(),
        };
        Module { file_local: linked.clone(), linked }
    }

    /// The segments below `directory`, with the last one's extension cut off.
    fn below(&self, directory: Option<&ProjectPath>) -> Vec<&str> {
        let root = ProjectPath::root();
        let rest = self.path.strip_prefix(directory.unwrap_or(&root)).unwrap_or(self.path.as_str());
        let mut segments: Vec<&str> = rest.split('/').filter(|s| !s.is_empty()).collect();
        segments.pop();
        segments.push(self.path.stem());
        segments
    }

    /// Formats: the whole file path, extension included.
    fn file_segments(&self) -> NamePath {
        NamePath::from_names(self.path.segments())
    }

    /// Crate, then modules. `src/lib.rs` and `src/main.rs` (or the `[lib]` path that the manifest states, with its folder in
    /// place of `src`) are the crate; `src/bin/x.rs`, `tests/x.rs`, `examples/x.rs`, `benches/x.rs` and `build.rs` are
    /// crates of their own, named by their stems.
    fn rust(&self, cargo: Option<&PlacedManifest>) -> NamePath {
        let manifest = cargo.and_then(|c| match &*c.manifest {
            Manifest::Cargo(manifest) => Some(manifest),
            _ => None,
        });
        let directory = cargo.map(|c| &c.directory);
        let Some(manifest) = manifest else {
            return self.rust_modules(&self.workspace.replace('-', "_"), "src", self.below(None));
        };
        let inside = directory.and_then(|d| self.path.strip_prefix(d)).unwrap_or(self.path.as_str());
        let mut segments = self.below(directory);
        let stated = manifest.targets.iter().find(|t| t.path.as_deref().map(clean) == Some(inside));
        if let Some(target) = stated {
            let name = target.name.as_deref().unwrap_or(self.path.stem());
            return NamePath::from_names([name.replace('-', "_").as_str()]);
        }
        let own_crate = match segments.as_slice() {
            ["src", "bin", _, ..] => Some(2),
            ["tests" | "examples" | "benches", _, ..] => Some(1),
            ["build"] => Some(0),
            _ => None,
        };
        if let Some(skip) = own_crate {
            let mut rest = segments.split_off(skip);
            if rest.len() > 1 && rest.last().is_some_and(|last| ["mod", "main"].contains(last)) {
                rest.pop();
            }
            let names: Vec<String> = rest.iter().map(|s| s.replace('-', "_")).collect();
            return NamePath::from_names(names.iter().map(String::as_str));
        }
        let lib = manifest.lib.as_ref().and_then(|lib| lib.path.as_deref()).map(clean);
        if lib == Some(inside) {
            return NamePath::from_names([manifest.crate_name().as_str()]);
        }
        let source = lib.and_then(|lib| lib.rsplit_once('/')).map_or("src", |(folder, _)| folder);
        self.rust_modules(&manifest.crate_name(), source, segments)
    }

    fn rust_modules(&self, crate_name: &str, source: &str, mut segments: Vec<&str>) -> NamePath {
        let depth = source.split('/').count();
        if segments.len() > depth && segments.iter().zip(source.split('/')).all(|(a, b)| *a == b) {
            segments.drain(..depth);
            if matches!(segments.as_slice(), ["lib" | "main"]) {
                segments.clear();
            }
        }
        if segments.last() == Some(&"mod") {
            segments.pop();
        }
        NamePath::from_names(std::iter::once(crate_name).chain(segments))
    }

    /// The dotted module, as segments: without a leading `src` (at the root or beside a manifest) and without
    /// `__init__`.
    fn python(&self, python: Option<&PlacedManifest>) -> NamePath {
        let mut segments = self.below(None);
        let depth = python.map_or(0, |p| p.directory.segments().count());
        for at in [depth, 0] {
            if segments.get(at) == Some(&"src") && segments.len() > at + 1 {
                segments.remove(at);
                break;
            }
        }
        if segments.last() == Some(&"__init__") {
            segments.pop();
        }
        NamePath::from_names(segments)
    }

    /// The file relative to its package, without extension and without a trailing `index`; below the package's name when
    /// the package is not the workspace root's, so that packages of one workspace stay apart.
    fn ecmascript(&self, npm: Option<&PlacedManifest>) -> NamePath {
        let package = npm.filter(|n| !n.directory.is_root());
        let mut segments = self.below(package.map(|p| &p.directory));
        if let Some(last) = segments.last_mut() {
            // `view.d.ts` declares the module `view`.
            *last = last.strip_suffix(".d").unwrap_or(last);
        }
        if segments.last() == Some(&"index") {
            segments.pop();
        }
        let mut out = NamePathBuf::default();
        if let Some(Manifest::Npm { name }) = package.map(|p| &*p.manifest) {
            name.split('/').for_each(|part| out.push(part));
        }
        segments.into_iter().for_each(|segment| out.push(segment));
        out.finish()
    }

    /// The module path, then the package folder. An external test package (`package x_test`) stands apart from its
    /// folder's own.
    fn go(&self, go: Option<&PlacedManifest>, stated: Option<&NamePath>) -> NamePath {
        let mut names: Vec<String> = match go.map(|g| &*g.manifest) {
            Some(Manifest::Go { module }) => module.split('/').map(str::to_owned).collect(),
            _ => vec![self.workspace.to_owned()],
        };
        let mut segments = self.below(go.map(|g| &g.directory));
        segments.pop();
        names.extend(segments.iter().map(|s| (*s).to_owned()));
        let external = stated.is_some_and(|p| p.name().ends_with("_test")) && self.path.stem().ends_with("_test");
        if let Some(last) = names.last_mut().filter(|last| external && !last.ends_with("_test")) {
            last.push_str("_test");
        }
        NamePath::from_names(names.iter().map(String::as_str))
    }

    /// The project's folder; names with internal linkage stand below their file.
    fn c_family(&self) -> Module {
        let project = std::iter::once(self.workspace);
        Module {
            linked: NamePath::from_names(project.clone()),
            file_local: NamePath::from_names(project.chain(self.path.segments())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rift_workspace::{CargoManifest, CargoTarget, CargoTargetKind};

    fn placed(directory: &str, manifest: Manifest) -> PlacedManifest {
        PlacedManifest { directory: ProjectPath::new(directory).expect("valid"), manifest: Arc::new(manifest) }
    }

    fn cargo(directory: &str, package: &str) -> PlacedManifest {
        placed(
            directory,
            Manifest::Cargo(CargoManifest {
                name: package.to_owned(),
                lib: None,
                targets: Vec::new(),
                explicit: Vec::new(),
            }),
        )
    }

    fn check(path: &str, module: impl Fn(&Place<'_>) -> NamePath, expected: &str) {
        let path = ProjectPath::new(path).expect("valid");
        let found = module(&Place { path: &path, workspace: "my-ws" });
        assert_eq!(found.as_str(), expected, "{path}");
    }

    #[test]
    fn rust() {
        let root = cargo("", "example-project");
        for (path, expected) in [
            ("src/lib.rs", "example_project"),
            ("src/main.rs", "example_project"),
            ("src/config.rs", "example_project/config"),
            ("src/a/mod.rs", "example_project/a"),
            ("src/a/b.rs", "example_project/a/b"),
            ("src/bin/tool.rs", "tool"),
            ("src/bin/tool/main.rs", "tool"),
            ("tests/api.rs", "api"),
            ("tests/common/mod.rs", "common"),
            ("examples/show-it.rs", "show_it"),
            ("build.rs", "build"),
        ] {
            check(path, |p| p.rust(Some(&root)), expected);
        }
        let stated = CargoManifest {
            name: "odd".to_owned(),
            lib: Some(CargoTarget { kind: CargoTargetKind::Lib, name: None, path: Some("rust/lib.rs".to_owned()) }),
            targets: vec![CargoTarget {
                kind: CargoTargetKind::Bin,
                name: Some("my-tool".to_owned()),
                path: Some("./tool/start.rs".to_owned()),
            }],
            explicit: Vec::new(),
        };
        let stated = placed("", Manifest::Cargo(stated));
        check("rust/lib.rs", |p| p.rust(Some(&stated)), "odd");
        check("rust/a/b.rs", |p| p.rust(Some(&stated)), "odd/a/b");
        check("tool/start.rs", |p| p.rust(Some(&stated)), "my_tool");
        check("crates/x/src/y.rs", |p| p.rust(Some(&cargo("crates/x", "x"))), "x/y");
        check("src/a.rs", |p| p.rust(None), "my_ws/a");
        check("tool.rs", |p| p.rust(None), "my_ws/tool");
    }

    #[test]
    fn python() {
        let nested = placed("packages/one", Manifest::Python { name: "one".to_owned() });
        check("src/pkg/mod.py", |p| p.python(None), "pkg/mod");
        check("pkg/__init__.py", |p| p.python(None), "pkg");
        check("packages/one/src/one/a.py", |p| p.python(Some(&nested)), "packages/one/one/a");
        check("src.py", |p| p.python(None), "src");
    }

    #[test]
    fn ecmascript() {
        let root = placed("", Manifest::Npm { name: "app".to_owned() });
        let nested = placed("packages/ui", Manifest::Npm { name: "@acme/ui".to_owned() });
        check("src/page.tsx", |p| p.ecmascript(Some(&root)), "src/page");
        check("index.ts", |p| p.ecmascript(Some(&root)), "");
        check("packages/ui/src/index.ts", |p| p.ecmascript(Some(&nested)), "@acme/ui/src");
        check("packages/ui/types.d.ts", |p| p.ecmascript(Some(&nested)), "@acme/ui/types");
    }

    #[test]
    fn go_and_c() {
        let root = placed("", Manifest::Go { module: "example.com/m".to_owned() });
        let test = NamePath::from_names(["api_test"]);
        check("api/v1/types.go", |p| p.go(Some(&root), None), "example.com/m/api/v1");
        check("api/types_test.go", |p| p.go(Some(&root), Some(&test)), "example.com/m/api_test");
        check("api/types.go", |p| p.go(None, None), "my-ws/api");
        check("src/a.c", |p| p.c_family().linked, "my-ws");
        check("src/a.c", |p| p.c_family().file_local, "my-ws/src/a.c");
        check("docs/a b.md", |p| p.file_segments(), "docs/a%20b.md");
    }
}
