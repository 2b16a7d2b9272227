//! JavaScript and TypeScript: a module is a file. Relative specifiers are tried with the extensions that compilers and
//! bundlers add; others go through `paths` of the TypeScript configuration, the package's own `imports`, and the packages
//! of the workspace by their names (Node.js, "Modules: Packages"; TypeScript, "Modules - Reference").

use rift_base::ProjectPath;
use rift_workspace::{ModuleRules, NpmPackage};

use super::{Layout, Lookup};
use crate::binding::lookup::{PathKey, directory_at};
use crate::binding::modules::{ModuleRef, PackageName};
use crate::binding::npm::{npm_member, npm_package, typescript_config};
use crate::inputs::File;

pub(super) static LAYOUT: Layout = Layout {
    resolve,
    constructor: Some("constructor"),
    not_starred: Some("default"),
    wildcards_bind: false,
    ..Layout::NONE
};

/// Extensions that a specifier leaves out, by precedence.
const EXTENSIONS: [&str; 10] = [".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".mjs", ".cts", ".cjs", ".json"];

/// Extensions of what is built, and those of the sources that it is built from, by precedence: a specifier names what runs.
const BUILT: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".d.ts", ".js", ".jsx"]),
    (".jsx", &[".tsx", ".d.ts", ".jsx"]),
    (".mjs", &[".mts", ".d.mts", ".mjs"]),
    (".cjs", &[".cts", ".d.cts", ".cjs"]),
];

/// Extensions of types that are built.
const TYPES: [&str; 3] = [".d.ts", ".d.mts", ".d.cts"];

/// Folders that build tools write into, one in the other at times.
const OUTPUT: [&str; 12] =
    ["build", "cjs", "commonjs", "dist", "dts", "es", "esm", "lib", "module", "out", "types", "umd"];

/// Most configurations that one specifier is looked up in: what extends and refers to each other.
const CONFIGURATIONS_MAX: usize = 16;

fn resolve(lookup: &Lookup<'_>, specifier: &str) -> Vec<ModuleRef> {
    // Bundlers take a query for how to load a file (`./icon.svg?raw`).
    let bare = specifier.split('?').next().unwrap_or(specifier);
    let found = match bare {
        // What the binding provider writes for the file itself.
        "" => Some(lookup.file),
        "." | ".." => module(lookup, &lookup.folder(), bare),
        _ if bare.starts_with("./") || bare.starts_with("../") => module(lookup, &lookup.folder(), bare),
        _ if bare.starts_with('#') => imported(lookup, bare),
        _ => configured(lookup, bare).or_else(|| packaged(lookup, bare)),
    };
    found.map(ModuleRef::File).into_iter().collect()
}

/// The module at `relative` below `base`: a file, else a folder's own.
fn module(lookup: &Lookup<'_>, base: &ProjectPath, relative: &str) -> Option<File> {
    let is_folder = relative.ends_with('/') || matches!(relative.rsplit('/').next(), Some("." | ".."));
    let file = if is_folder { None } else { file(lookup, base, relative) };
    file.or_else(|| folder(lookup, base, relative))
}

/// The file at `relative`, with the extension that it leaves out or that its source has.
fn file(lookup: &Lookup<'_>, base: &ProjectPath, relative: &str) -> Option<File> {
    let with = |stem: &str, extension: &str| lookup.file_at(base, &format!("{stem}{extension}"));
    for (built, sources) in BUILT {
        if let Some(stem) = relative.strip_suffix(built) {
            return sources.iter().find_map(|source| with(stem, source));
        }
    }
    let name = relative.rsplit('/').next().unwrap_or(relative);
    let exact = || name.contains('.').then(|| lookup.file_at(base, relative)).flatten();
    exact().or_else(|| EXTENSIONS.iter().find_map(|extension| with(relative, extension)))
}

/// The module that a folder stands for: what its manifest says, else its index.
fn folder(lookup: &Lookup<'_>, base: &ProjectPath, relative: &str) -> Option<File> {
    let directory = lookup.directory_at(base, relative)?.path(lookup.db);
    let package = manifest(lookup, directory);
    let main = package.iter().flat_map(|package| &package.main).find_map(|main| file(lookup, directory, main));
    main.or_else(|| file(lookup, directory, "index"))
}

/// What the `package.json` in `directory` says.
fn manifest(lookup: &Lookup<'_>, directory: &ProjectPath) -> Option<std::sync::Arc<NpmPackage>> {
    npm_package(lookup.db, lookup.file_at(directory, "package.json")?)
}

/// The folders from the file's own up to the root.
fn above(lookup: &Lookup<'_>) -> impl Iterator<Item = ProjectPath> {
    std::iter::successors(Some(lookup.folder()), ProjectPath::parent)
}

/// `#name`, by `imports` of the package that the file belongs to.
fn imported(lookup: &Lookup<'_>, specifier: &str) -> Option<File> {
    let (directory, package) = above(lookup).find_map(|folder| Some((folder.clone(), manifest(lookup, &folder)?)))?;
    let targets = package.imports.apply(specifier);
    targets.iter().find_map(|target| built(lookup, &directory, target))
}

/// A specifier by `paths` and `baseUrl` of the nearest configuration above the file.
fn configured(lookup: &Lookup<'_>, specifier: &str) -> Option<File> {
    let names = ["tsconfig.json", "jsconfig.json"];
    let nearest = above(lookup).find_map(|folder| names.iter().find_map(|name| lookup.file_at(&folder, name)))?;
    let mut seen = Vec::new();
    rules(lookup, nearest, specifier, &mut seen)
}

/// A specifier by one configuration: its own rules or those of the configurations that it extends, then those that it refers to,
/// which are for other parts of the same folder.
fn rules(lookup: &Lookup<'_>, of: File, specifier: &str, seen: &mut Vec<File>) -> Option<File> {
    let (mut paths, mut root) = (None, None);
    let mut referred = Vec::new();
    let mut open = vec![of];
    while let Some(file) = open.pop() {
        if seen.contains(&file) || seen.len() >= CONFIGURATIONS_MAX {
            continue;
        }
        seen.push(file);
        let Some(config) = typescript_config(lookup.db, file) else { continue };
        let directory = file.path(lookup.db).parent().unwrap_or_else(ProjectPath::root);
        let base = config.base_url.as_ref().map(|base| (directory.clone(), base.clone()));
        if paths.is_none() {
            let here = (directory.clone(), config.base_url.clone().unwrap_or_default());
            paths = config.paths.clone().map(|paths| (here, paths));
        }
        root = root.or(base);
        // The last one that is extended wins over those before it, and all of them lie below this one.
        let extended = config.extends.iter().rev().filter_map(|name| extended(lookup, &directory, name));
        open.extend(extended);
        referred.extend(config.references.iter().filter_map(|name| configuration(lookup, &directory, name)));
    }
    let by_paths = |((directory, base), paths): &((ProjectPath, String), ModuleRules)| {
        let targets = paths.apply(specifier);
        targets.iter().find_map(|target| module(lookup, directory, &below(base, target)))
    };
    let found = paths.as_ref().and_then(by_paths);
    let found =
        found.or_else(|| root.and_then(|(directory, base)| module(lookup, &directory, &below(&base, specifier))));
    found.or_else(|| referred.into_iter().find_map(|file| rules(lookup, file, specifier, seen)))
}

fn below(base: &str, relative: &str) -> String {
    if base.is_empty() { relative.to_owned() } else { format!("{base}/{relative}") }
}

/// The configuration that `extends` names: a file beside this one, or one of a package.
fn extended(lookup: &Lookup<'_>, directory: &ProjectPath, name: &str) -> Option<File> {
    if name.starts_with('.') {
        return configuration(lookup, directory, name);
    }
    let (package, rest) = split(name);
    configuration(lookup, &member(lookup, package)?, rest.unwrap_or("."))
}

/// The configuration at `name`: a file, one without its extension, or a folder's `tsconfig.json`.
fn configuration(lookup: &Lookup<'_>, directory: &ProjectPath, name: &str) -> Option<File> {
    let with = |tail: &str| lookup.file_at(directory, &format!("{name}{tail}"));
    with("").or_else(|| with(".json")).or_else(|| with("/tsconfig.json"))
}

/// `@scope/name/rest` as the package's name and the rest.
fn split(specifier: &str) -> (&str, Option<&str>) {
    let scope = if specifier.starts_with('@') { specifier.find('/').map_or(0, |at| at + 1) } else { 0 };
    match specifier[scope..].find('/') {
        Some(at) => (&specifier[..scope + at], Some(&specifier[scope + at + 1..])),
        None => (specifier, None),
    }
}

/// The folder of the package called `name`: the file's own, or one of a workspace that it stands in.
fn member(lookup: &Lookup<'_>, name: &str) -> Option<ProjectPath> {
    let db = lookup.db;
    for folder in above(lookup) {
        let package = manifest(lookup, &folder);
        if package.as_ref().is_some_and(|package| package.name.as_deref() == Some(name)) {
            return Some(folder);
        }
        let of_pnpm = || lookup.file_at(&folder, "pnpm-workspace.yaml").is_some();
        if package.is_some_and(|package| !package.workspaces.is_empty()) || of_pnpm() {
            let root = directory_at(db, PathKey::new(db, folder))?;
            if let Some(found) = npm_member(db, PackageName::new(db, root, std::sync::Arc::from(name))) {
                return Some(found.path(db).clone());
            }
        }
    }
    None
}

/// A specifier that names a package of the workspace, or a part of one.
fn packaged(lookup: &Lookup<'_>, specifier: &str) -> Option<File> {
    let (name, rest) = split(specifier);
    let directory = member(lookup, name)?;
    let package = manifest(lookup, &directory)?;
    let path = rest.map_or(".".to_owned(), |rest| format!("./{rest}"));
    let mut targets = package.exports.as_ref().map(|exports| exports.apply(&path)).unwrap_or_default();
    match rest {
        None => targets.extend(package.main.iter().cloned()),
        Some(_) => targets.push(path.clone()),
    }
    let found = targets.iter().find_map(|target| file(lookup, &directory, target));
    let found = found.or_else(|| targets.iter().find_map(|target| built(lookup, &directory, target)));
    found.or_else(|| match rest {
        None => ["index", "src/index"].iter().find_map(|index| file(lookup, &directory, index)),
        Some(rest) => module(lookup, &directory, &path).or_else(|| module(lookup, &directory, &format!("src/{rest}"))),
    })
}

/// The file at `target`, or the source that it is built from: what is built is seldom in a workspace, and build tools keep the
/// names of files below the folder of the sources.
fn built(lookup: &Lookup<'_>, directory: &ProjectPath, target: &str) -> Option<File> {
    if let Some(found) = module(lookup, directory, target) {
        return Some(found);
    }
    let mut segments: Vec<&str> = target.split('/').filter(|s| !matches!(*s, "" | ".")).collect();
    let outputs = segments.iter().take_while(|segment| OUTPUT.contains(segment)).count();
    segments.drain(..outputs);
    let path = segments.join("/");
    let extensions = TYPES.iter().chain(BUILT.iter().map(|(extension, _)| extension));
    let stem = extensions.into_iter().find_map(|extension| path.strip_suffix(extension)).unwrap_or(&path);
    if stem.is_empty() || outputs == 0 {
        return None;
    }
    [format!("src/{stem}"), stem.to_owned()].iter().find_map(|source| module(lookup, directory, source))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn names_of_packages() {
        assert_eq!(split("react"), ("react", None));
        assert_eq!(split("react/jsx-runtime"), ("react", Some("jsx-runtime")));
        assert_eq!(split("@acme/ui"), ("@acme/ui", None));
        assert_eq!(split("@acme/ui/a/b"), ("@acme/ui", Some("a/b")));
        assert_eq!(split("@acme"), ("@acme", None));
    }
}
