//! The workspace as cargo and the file system see it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// One package of the workspace.
#[derive(Debug, Default)]
pub(crate) struct Package {
    /// Its folder.
    pub(crate) folder: PathBuf,
    /// What it depends on outside tests.
    pub(crate) normal: BTreeSet<String>,
    /// What its tests and build scripts depend on beyond that.
    pub(crate) dev: BTreeSet<String>,
}

pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn page() -> String {
    std::fs::read_to_string(root().join("docs/architecture.md")).expect("docs/architecture.md")
}

/// Every package by name, from `cargo metadata --no-deps`.
pub(crate) fn packages() -> BTreeMap<String, Package> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root());
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let out: BTreeMap<String, Package> = packages.iter().map(package).collect();
    assert!(out.len() > 5, "{out:?}");
    out
}

fn package(value: &Value) -> (String, Package) {
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let manifest = PathBuf::from(text(&value["manifest_path"]));
    let mut package = Package { folder: manifest.parent().expect("a folder").to_owned(), ..Package::default() };
    for dependency in value["dependencies"].as_array().expect("dependencies") {
        let of_kind = if dependency["kind"].is_null() { &mut package.normal } else { &mut package.dev };
        of_kind.insert(text(&dependency["name"]));
    }
    (text(&value["name"]), package)
}

/// The Rust files below `folder`.
pub(crate) fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut out = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("UTF-8");
                out.push((path, text));
            }
        }
    }
    out.sort();
    out
}

/// The lines of `text` that run outside tests: no comments, and nothing from the first `#[cfg(test)]` that opens a module.
pub(crate) fn code(text: &str) -> impl Iterator<Item = &str> {
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..end].lines().filter(|line| !line.trim_start().starts_with("//"))
}
