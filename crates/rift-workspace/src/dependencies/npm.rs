//! `package.json`, `package-lock.json` (<https://docs.npmjs.com/cli/configuring-npm/package-lock-json>, layouts 1 to 3) and
//! `bun.lock` (<https://bun.com/docs/pm/lockfile>).

use serde_json::{Map, Value};

use super::{
    DeclaredPackage, PackageSource, PinnedPackage, RuntimeSelector, StandardLibrary, StatedDependencies, jsonc, runtime,
};

/// The members of a manifest that declare dependencies.
const TABLES: [&str; 4] = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
/// Hosts of the public registry.
const NPMJS: [&str; 2] = ["https://registry.npmjs.org", "https://registry.yarnpkg.com"];
/// Schemes and hosts that stand for a git repository in front of an address.
const GIT: [&str; 7] = ["git+", "git:", "git@", "github:", "gitlab:", "bitbucket:", "gist:"];

pub(super) fn manifest(source: &str, out: &mut StatedDependencies) -> Option<()> {
    let document: Value = serde_json::from_str(source).ok()?;
    let document = document.as_object()?;
    out.package = document.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()).map(str::to_owned);
    for table in TABLES.iter().filter_map(|name| document.get(*name)?.as_object()) {
        let texts = table.iter().filter_map(|(name, spec)| Some((name, spec.as_str()?)));
        out.declared.extend(texts.map(|(name, spec)| declared(name, spec)));
    }
    let workspaces = document.get("workspaces");
    let listed = workspaces.and_then(|w| w.as_array().or_else(|| w.get("packages")?.as_array()));
    out.members.extend(listed.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
    let node = |table: &str| document.get(table)?.get("node")?.as_str();
    if let Some(pinned) = node("volta").and_then(runtime::release) {
        out.runtimes.push((StandardLibrary::Node, pinned));
    }
    if let Some(requirement) = node("engines").map(str::trim).filter(|text| !text.is_empty()) {
        out.runtimes.push((StandardLibrary::Node, RuntimeSelector::Requirement(requirement.to_owned())));
    }
    Some(())
}

/// One dependency (<https://docs.npmjs.com/cli/using-npm/package-spec>).
fn declared(name: &str, spec: &str) -> DeclaredPackage {
    let spec = spec.trim();
    if let Some(alias) = spec.strip_prefix("npm:") {
        let (name, range) = split_version(alias);
        let requirement = if range.is_empty() { "*" } else { range };
        return DeclaredPackage {
            name: name.to_owned(),
            requirement: requirement.to_owned(),
            source: PackageSource::Registry,
        };
    }
    let source = of_spec(spec).unwrap_or(PackageSource::Registry);
    let requirement = if spec.is_empty() { "*" } else { spec };
    DeclaredPackage { name: name.to_owned(), requirement: requirement.to_owned(), source }
}

/// Where a dependency comes from that is no version of a registry.
fn of_spec(spec: &str) -> Option<PackageSource> {
    if spec.starts_with("workspace:") {
        return Some(PackageSource::Member);
    }
    for scheme in ["file:", "link:", "portal:"] {
        if let Some(path) = spec.strip_prefix(scheme) {
            return Some(PackageSource::Path(path.to_owned()));
        }
    }
    if spec.starts_with("./") || spec.starts_with("../") || spec.starts_with('/') {
        return Some(PackageSource::Path(spec.to_owned()));
    }
    if GIT.iter().any(|scheme| spec.starts_with(scheme)) || spec.starts_with("ssh://") {
        return Some(PackageSource::Git);
    }
    if spec.starts_with("https://") || spec.starts_with("http://") {
        let address = spec.split('#').next().unwrap_or(spec);
        return Some(if address.ends_with(".git") { PackageSource::Git } else { PackageSource::Url });
    }
    // `owner/repository` stands for one of GitHub's.
    let shorthand = spec.split('#').next().unwrap_or(spec);
    let is_shorthand = shorthand.split('/').count() == 2 && !shorthand.contains([' ', ':', '@', '|', '>', '<']);
    is_shorthand.then_some(PackageSource::Git)
}

/// `@scope/name@rest` as its two parts; the second is empty without one.
fn split_version(text: &str) -> (&str, &str) {
    let scope = usize::from(text.starts_with('@'));
    match text[scope..].find('@') {
        Some(at) => (&text[..scope + at], &text[scope + at + 1..]),
        None => (text, ""),
    }
}

pub(super) fn lock(source: &str, out: &mut StatedDependencies) -> Option<()> {
    let document: Value = serde_json::from_str(source).ok()?;
    let document = document.as_object()?;
    out.covers.push(String::new());
    match document.get("packages").and_then(Value::as_object) {
        Some(packages) => packages.iter().for_each(|(key, package)| located(key, package, packages, out)),
        None => nested(document.get("dependencies"), out),
    }
    Some(())
}

/// One entry of `packages`: a folder below `node_modules`, or one of the workspace.
fn located(key: &str, package: &Value, packages: &Map<String, Value>, out: &mut StatedDependencies) {
    let member = |name: &str| package.get(name).and_then(Value::as_str);
    let Some(folder) = key.rfind("node_modules/").map(|at| &key[at + "node_modules/".len()..]) else {
        if !key.is_empty() {
            out.covers.push(key.to_owned());
        }
        return;
    };
    let name = member("name").unwrap_or(folder).to_owned();
    let version = |package: &Value| package.get("version").and_then(Value::as_str).map(str::to_owned);
    if package.get("link").and_then(Value::as_bool) == Some(true) {
        let target = member("resolved").unwrap_or_default();
        let version = packages.get(target).and_then(version);
        out.pinned.push(PinnedPackage { name, version, source: PackageSource::Path(target.to_owned()) });
        return;
    }
    out.pinned.push(PinnedPackage { name, version: version(package), source: of_resolved(member("resolved")) });
}

/// The `dependencies` of layout 1, which lie in each other.
fn nested(dependencies: Option<&Value>, out: &mut StatedDependencies) {
    for (name, package) in dependencies.and_then(Value::as_object).into_iter().flatten() {
        let member = |name: &str| package.get(name).and_then(Value::as_str);
        let version = member("version").unwrap_or_default();
        let (name, version) = match version.strip_prefix("npm:").map(split_version) {
            Some((real, version)) => (real, version),
            None => (name.as_str(), version),
        };
        let source = of_spec(version).unwrap_or_else(|| of_resolved(member("resolved")));
        let version = Some(version).filter(|version| !version.is_empty()).map(str::to_owned);
        out.pinned.push(PinnedPackage { name: name.to_owned(), version, source });
        nested(package.get("dependencies"), out);
    }
}

/// Where an archive was fetched from. Registries serve archives below `/-/`.
fn of_resolved(address: Option<&str>) -> PackageSource {
    let Some(address) = address else { return PackageSource::Registry };
    match of_spec(address) {
        Some(PackageSource::Url) if NPMJS.iter().any(|host| address.starts_with(host)) => PackageSource::Registry,
        Some(PackageSource::Url) if address.contains("/-/") => PackageSource::PrivateRegistry,
        Some(source) => source,
        None => PackageSource::Registry,
    }
}

pub(super) fn bun_lock(source: &str, out: &mut StatedDependencies) -> Option<()> {
    let document = jsonc::parse(source)?;
    let document = document.as_object()?;
    let workspaces = document.get("workspaces").and_then(Value::as_object);
    out.covers.extend(workspaces.into_iter().flatten().map(|(directory, _)| directory.clone()));
    for (_, package) in document.get("packages").and_then(Value::as_object).into_iter().flatten() {
        let Some((name, spec)) = package.get(0).and_then(Value::as_str).map(split_version) else { continue };
        if spec.starts_with("root:") {
            continue;
        }
        let registry = package.get(1).and_then(Value::as_str).filter(|url| !url.is_empty());
        let is_public = registry.is_none_or(|url| NPMJS.iter().any(|host| url.starts_with(host)));
        let source = match of_spec(spec) {
            Some(source) => source,
            None if is_public => PackageSource::Registry,
            None => PackageSource::PrivateRegistry,
        };
        out.pinned.push(PinnedPackage { name: name.to_owned(), version: Some(spec.to_owned()), source });
    }
    Some(())
}
