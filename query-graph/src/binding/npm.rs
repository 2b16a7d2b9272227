//! What manifests and configurations say about the modules of JavaScript and TypeScript, and the packages of npm workspaces.

use std::collections::BTreeMap;
use std::sync::Arc;

use query_graph_macros::query;
use rift_workspace::{NpmPackage, TypeScriptConfig, parse_npm_package, parse_pnpm_workspace, parse_typescript_config};

use crate::db::{Db, shared};
use crate::inputs::{Content, Directory, File};

use super::lookup::{PathKey, file_at};
use super::modules::{PackageName, joined};

/// Most folders that the patterns of one workspace are matched with.
const WORKSPACE_FOLDERS_MAX: usize = 16_384;

/// What a `package.json` says about modules. Reads the file's content; shields from edits that keep what it says.
#[query(returns(clone), heap_size = npm_package_heap)]
pub fn npm_package(db: &dyn Db, file: File) -> Option<Arc<NpmPackage>> {
    let Content::Source(source) = file.content(db) else { return None };
    parse_npm_package(&source.text.get()).map(Arc::new)
}

fn npm_package_heap(package: &Option<Arc<NpmPackage>>) -> usize {
    package.as_ref().map_or(0, |package| size_of::<NpmPackage>() + package.heap_size())
}

/// What a `tsconfig.json` says about specifiers. Reads the file's content; shields from edits that keep what it says.
#[query(returns(clone), heap_size = typescript_config_heap)]
pub fn typescript_config(db: &dyn Db, file: File) -> Option<Arc<TypeScriptConfig>> {
    let Content::Source(source) = file.content(db) else { return None };
    parse_typescript_config(&source.text.get()).map(Arc::new)
}

fn typescript_config_heap(config: &Option<Arc<TypeScriptConfig>>) -> usize {
    config.as_ref().map_or(0, |config| size_of::<TypeScriptConfig>() + config.heap_size())
}

/// The packages of the npm or pnpm workspace that a directory is the root of, by name; of two with one name the first in path
/// order. Reads what the manifests there and in the folders that the patterns name say; nothing by itself shields those who
/// look for one package: `npm_member` does.
#[query(returns(clone), heap_size = npm_workspace_heap)]
pub fn npm_workspace(db: &dyn Db, directory: Directory) -> Arc<BTreeMap<Arc<str>, Directory>> {
    let mut out = BTreeMap::new();
    let at = |directory: Directory, name: &str| file_at(db, PathKey::new(db, joined(directory.path(db), name)?));
    let mut patterns = Vec::new();
    if let Some(package) = at(directory, "package.json").and_then(|file| npm_package(db, file)) {
        patterns.extend(package.workspaces.iter().cloned());
    }
    if let Some(Content::Source(source)) = at(directory, "pnpm-workspace.yaml").map(|file| file.content(db)) {
        patterns.extend(parse_pnpm_workspace(&source.text.get()));
    }
    for folder in folders(db, directory, &patterns) {
        let package = at(folder, "package.json").and_then(|file| npm_package(db, file));
        if let Some(name) = package.as_ref().and_then(|package| package.name.as_deref()) {
            out.entry(name.into()).or_insert(folder);
        }
    }
    Arc::new(out)
}

fn npm_workspace_heap(packages: &Arc<BTreeMap<Arc<str>, Directory>>) -> usize {
    packages.keys().map(|name| name.len() + size_of::<Directory>() + 48).sum()
}

/// The folder of one package of a workspace. Shields those who look for it from every other package.
#[query(returns(copy), heap_size = shared)]
pub fn npm_member(db: &dyn Db, key: PackageName) -> Option<Directory> {
    npm_workspace(db, key.directory(db)).get(key.name(db)).copied()
}

/// The folders below `root` that `patterns` name and that no pattern with `!` takes out again, in path order.
fn folders(db: &dyn Db, root: Directory, patterns: &[String]) -> Vec<Directory> {
    let (mut found, mut dropped) = (Vec::new(), Vec::new());
    for pattern in patterns {
        let (pattern, into) = match pattern.strip_prefix('!') {
            Some(pattern) => (pattern, &mut dropped),
            None => (pattern.as_str(), &mut found),
        };
        let segments: Vec<&str> = pattern.split('/').filter(|s| !matches!(*s, "" | ".")).collect();
        matching(db, root, &segments, into);
    }
    found.retain(|folder| !dropped.contains(folder));
    found.sort_by(|a, b| a.path(db).cmp(b.path(db)));
    found.dedup();
    found
}

/// Adds the folders below `here` that the rest of a pattern matches.
fn matching(db: &dyn Db, here: Directory, segments: &[&str], out: &mut Vec<Directory>) {
    if out.len() >= WORKSPACE_FOLDERS_MAX {
        return;
    }
    let Some((first, rest)) = segments.split_first() else { return out.push(here) };
    if *first == "**" {
        matching(db, here, rest, out);
    }
    for below in here.known(db).iter() {
        let name = below.path(db).file_name();
        match *first {
            "**" if name != "node_modules" => matching(db, *below, segments, out),
            pattern if is_like(name, pattern) => matching(db, *below, rest, out),
            _ => {}
        }
    }
}

/// Whether `name` is `pattern`, in which `*` stands for any text.
fn is_like(name: &str, pattern: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return name == pattern };
    let Some(mut rest) = name.strip_prefix(before) else { return false };
    let mut parts: Vec<&str> = after.split('*').collect();
    let last = parts.pop().unwrap_or("");
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::is_like;

    #[test]
    fn names_like_patterns() {
        for (name, pattern, expected) in [
            ("ui", "*", true),
            ("ui", "ui", true),
            ("ui", "u", false),
            ("plugin-a-b", "plugin-*", true),
            ("plugin-a-b", "*-a-*", true),
            ("plugin-a", "*-a-*", false),
            ("aba", "a*a", true),
            ("a", "a*a", false),
        ] {
            assert_eq!(is_like(name, pattern), expected, "{name} {pattern}");
        }
    }
}
