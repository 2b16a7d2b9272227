//! `pyproject.toml` (PEP 621, PEP 735 and `[tool.uv]`) and `uv.lock`.

use toml::de::{DeTable, DeValue};

use super::{DeclaredPackage, PackageSource, PinnedPackage, RuntimeSelector, StandardLibrary, StatedDependencies};
use crate::manifest::{table, text};

/// Hosts of the public index.
const PYPI: [&str; 2] = ["https://pypi.org/", "https://pypi.python.org/"];
/// The requirement that admits every release.
const ANY: &str = ">=0";

pub(super) fn manifest(source: &str, out: &mut StatedDependencies) -> Option<()> {
    let document = DeTable::parse(source).ok()?;
    let document = document.get_ref();
    let project = table(document, "project");
    let uv = table(document, "tool").and_then(|tool| table(tool, "uv"));
    out.package = project.and_then(|project| text(project, "name")).map(|name| normal(&name));
    if let Some(requires) = project.and_then(|project| text(project, "requires-python")) {
        let requirement = RuntimeSelector::Requirement(without_spaces(&requires));
        out.runtimes.push((StandardLibrary::Python, requirement));
    }
    let mut written: Vec<&str> = Vec::new();
    written.extend(strings(project.and_then(|project| project.get("dependencies")).map(|v| v.get_ref())));
    for groups in [project.and_then(|p| table(p, "optional-dependencies")), table(document, "dependency-groups")] {
        // A table in a group includes another group, whose own items are met by themselves.
        let lists = groups.into_iter().flatten();
        lists.for_each(|(_, list)| written.extend(strings(Some(list.get_ref()))));
    }
    written.extend(strings(uv.and_then(|uv| uv.get("dev-dependencies")).map(|v| v.get_ref())));
    let sources = Sources::new(uv);
    for requirement in written {
        let Some((name, requirement, url)) = requirement_parts(requirement) else { continue };
        let stated = url.map_or_else(|| sources.of(&name), |url| vec![of_url(url)]);
        let entries = stated.into_iter();
        out.declared.extend(entries.map(|source| DeclaredPackage {
            name: name.clone(),
            requirement: requirement.clone(),
            source,
        }));
    }
    Some(())
}

fn strings<'a>(list: Option<&'a DeValue<'_>>) -> impl Iterator<Item = &'a str> {
    list.and_then(DeValue::as_array).into_iter().flatten().filter_map(|item| item.get_ref().as_str())
}

/// The parts of a requirement (PEP 508): the normal name, the versions it admits without blanks, and its address. Extras and
/// markers are left out.
fn requirement_parts(text: &str) -> Option<(String, String, Option<&str>)> {
    let text = text.trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() {
        return None;
    }
    let mut rest = rest.trim_start();
    if let Some(extras) = rest.strip_prefix('[') {
        rest = extras.split_once(']')?.1.trim_start();
    }
    if let Some(url) = rest.strip_prefix('@') {
        // A marker stands behind a blank: an address may hold a semicolon.
        let url = url.trim();
        return Some((normal(name), ANY.to_owned(), Some(url.split_once(" ;").map_or(url, |(url, _)| url).trim())));
    }
    let versions = rest.split(';').next().unwrap_or("").trim();
    let versions = versions.strip_prefix('(').and_then(|v| v.strip_suffix(')')).unwrap_or(versions);
    let versions = without_spaces(versions);
    Some((normal(name), if versions.is_empty() { ANY.to_owned() } else { versions }, None))
}

fn without_spaces(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The normal form of a name (PEP 503): lowercase, runs of `-`, `_` and `.` as one `-`.
fn normal(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '-' | '_' | '.' if out.ends_with('-') => {}
            '-' | '_' | '.' => out.push('-'),
            c => out.push(c.to_ascii_lowercase()),
        }
    }
    out
}

fn of_url(url: &str) -> PackageSource {
    if url.starts_with("git+") {
        PackageSource::Git
    } else if let Some(path) = url.strip_prefix("file://") {
        PackageSource::Path(path.to_owned())
    } else {
        PackageSource::Url
    }
}

fn of_index(url: &str) -> PackageSource {
    if PYPI.iter().any(|host| url.starts_with(host)) {
        PackageSource::Registry
    } else if url.contains("://") {
        PackageSource::PrivateRegistry
    } else {
        PackageSource::Path(url.to_owned())
    }
}

/// `[tool.uv.sources]` and `[[tool.uv.index]]`.
struct Sources<'a, 'i> {
    sources: Option<&'a DeTable<'i>>,
    indexes: Vec<(String, String)>,
    /// Where packages come from that state nothing.
    default: PackageSource,
}

impl<'a, 'i> Sources<'a, 'i> {
    fn new(uv: Option<&'a DeTable<'i>>) -> Self {
        let tables = uv.and_then(|uv| uv.get("index")).and_then(|v| v.get_ref().as_array()).into_iter().flatten();
        let mut default = PackageSource::Registry;
        let mut indexes = Vec::new();
        for index in tables.filter_map(|index| index.get_ref().as_table()) {
            let Some(url) = text(index, "url") else { continue };
            if index.get("default").and_then(|v| v.get_ref().as_bool()) == Some(true) {
                default = of_index(&url);
            }
            indexes.extend(text(index, "name").map(|name| (name, url)));
        }
        Self { sources: uv.and_then(|uv| table(uv, "sources")), indexes, default }
    }

    /// Where a package comes from: one source, or several under markers.
    fn of(&self, name: &str) -> Vec<PackageSource> {
        let stated = self.sources.into_iter().flatten().find(|(key, _)| normal(key.get_ref()) == name);
        let mut found: Vec<PackageSource> = match stated.map(|(_, value)| value.get_ref()) {
            Some(DeValue::Table(one)) => self.stated(one).into_iter().collect(),
            Some(DeValue::Array(several)) => {
                let tables = several.iter().filter_map(|one| one.get_ref().as_table());
                tables.filter_map(|one| self.stated(one)).collect()
            }
            _ => Vec::new(),
        };
        if found.is_empty() {
            found.push(self.default.clone());
        }
        found
    }

    fn stated(&self, source: &DeTable<'_>) -> Option<PackageSource> {
        if source.get("workspace").and_then(|v| v.get_ref().as_bool()) == Some(true) {
            return Some(PackageSource::Member);
        }
        if source.contains_key("git") {
            return Some(PackageSource::Git);
        }
        if source.contains_key("url") {
            return Some(PackageSource::Url);
        }
        if let Some(path) = text(source, "path") {
            return Some(PackageSource::Path(path));
        }
        let index = text(source, "index")?;
        let url = self.indexes.iter().find(|(name, _)| *name == index).map(|(_, url)| url.as_str());
        Some(url.map_or(PackageSource::PrivateRegistry, of_index))
    }
}

pub(super) fn lock(source: &str, out: &mut StatedDependencies) -> Option<()> {
    let document = DeTable::parse(source).ok()?;
    let document = document.get_ref();
    let packages = document.get("package").and_then(|v| v.get_ref().as_array());
    for package in packages.into_iter().flatten().filter_map(|p| p.get_ref().as_table()) {
        let Some(name) = text(package, "name").map(|name| normal(&name)) else { continue };
        let source = table(package, "source");
        let stated = |key: &str| source.and_then(|source| text(source, key));
        let folder = ["editable", "virtual", "directory", "path"].iter().find_map(|key| stated(key));
        let source = if let Some(folder) = folder {
            out.covers.push(name.clone());
            PackageSource::Path(folder)
        } else if let Some(index) = stated("registry") {
            of_index(&index)
        } else if stated("git").is_some() {
            PackageSource::Git
        } else {
            PackageSource::Url
        };
        out.pinned.push(PinnedPackage { name, version: text(package, "version"), source });
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_by_their_parts() {
        for (written, name, requirement, url) in [
            ("requests", "requests", ">=0", None),
            ("Flask_SQLAlchemy.x >= 2, <3", "flask-sqlalchemy-x", ">=2,<3", None),
            ("a[b, c]>=1 ; python_version < '3.12'", "a", ">=1", None),
            ("a (==1.0)", "a", "==1.0", None),
            ("a @ git+https://h/r@v1 ; os_name == 'nt'", "a", ">=0", Some("git+https://h/r@v1")),
            ("a[x]@ https://h/a.whl", "a", ">=0", Some("https://h/a.whl")),
        ] {
            let expected = Some((name.to_owned(), requirement.to_owned(), url));
            assert_eq!(requirement_parts(written), expected, "{written}");
        }
        assert_eq!(requirement_parts("; x"), None);
        assert_eq!(requirement_parts("a[b"), None);
    }
}
