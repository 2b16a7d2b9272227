//! C and C++: a specifier is a path. Quotes are looked up beside the including file first (C17 6.10.2); then come the folders
//! that builds are told by custom or by a compilation database, and at last the only file of the workspace whose path
//! ends like that.

use std::sync::Arc;

use query_graph_macros::query;
use rift_base::{Facet, Facets, ProjectPath};
use rift_syntax::{Reference, Role};
use rift_workspace::{COMPILE_COMMANDS, compile_commands};

use super::{Layout, Lookup};
use crate::binding::inclusion::headers_named;
use crate::binding::lookup::{PathKey, file_at};
use crate::binding::modules::{ModuleRef, PackageName, joined};
use crate::db::{Db, shared};
use crate::inputs::{Content, Directory, File, Workspace};

pub(super) static LAYOUT: Layout =
    Layout { resolve, implicit_members: true, textual: true, overloads: true, prefers, ..Layout::NONE };

/// A tag or class beside a variable, function or field of its name: what follows `struct` and what qualifies is a type, anything
/// else is none (C, 6.2.3 "Name spaces of identifiers"; C++, [basic.scope.hiding], [basic.lookup.qual]).
fn prefers(reference: &Reference, facets: Facets) -> bool {
    let is_type = facets.has(Facet::Type) || facets.has(Facet::Macro);
    match reference.role {
        Role::Type | Role::Extends | Role::Implements => is_type,
        Role::Read if reference.not_field => is_type || facets.has(Facet::Namespace),
        Role::Read | Role::Write | Role::Call => !facets.has(Facet::Type),
        Role::Import | Role::Export | Role::Decorate | Role::Expand => true,
    }
}

/// Folders of headers below a project's, by custom.
const FOLDERS: [&str; 4] = ["", "include", "src", "lib"];

/// Folders of headers that are taken from a compilation database.
const FOLDERS_MAX: usize = 256;

fn resolve(lookup: &Lookup<'_>, specifier: &str) -> Vec<ModuleRef> {
    let angle = specifier.strip_prefix('<').map(|rest| rest.trim_end_matches('>'));
    let spelled = angle.unwrap_or(specifier).replace('\\', "/");
    let Some(name) = spelled.rsplit('/').next().filter(|name| !name.is_empty()) else { return Vec::new() };
    let root = Workspace::get(lookup.db).root(lookup.db);
    let known = headers_named(lookup.db, PackageName::new(lookup.db, root, Arc::<str>::from(name)));
    if known.is_empty() {
        return Vec::new();
    }
    let at = |path: Option<ProjectPath>| path.and_then(|path| known.iter().find(|file| *file.path(lookup.db) == path));
    let beside = || at(joined(&lookup.folder(), &spelled)).filter(|_| angle.is_none());
    let found = beside()
        .or_else(|| roots(lookup, angle.is_some()).iter().find_map(|folder| at(joined(folder, &spelled))))
        .or_else(|| only(lookup, &known, &spelled));
    found.map(|file| ModuleRef::File(*file)).into_iter().collect()
}

/// Where headers are looked for: the folders of the compilation database, then each folder above the file, the nearest first,
/// with the folders in it that hold headers by custom. Angle brackets are not looked for beside the file.
fn roots(lookup: &Lookup<'_>, angle: bool) -> Vec<ProjectPath> {
    let root = Workspace::get(lookup.db).root(lookup.db);
    let mut out: Vec<ProjectPath> = include_folders(lookup.db, root).to_vec();
    let mut here = Some(lookup.folder());
    let mut skipped = usize::from(angle);
    while let Some(folder) = here {
        out.extend(FOLDERS.iter().skip(skipped).filter_map(|name| joined(&folder, name)));
        skipped = 0;
        here = folder.parent();
    }
    out
}

/// The one file of `known` whose path ends with `spelled`.
fn only<'f>(lookup: &Lookup<'_>, known: &'f [File], spelled: &str) -> Option<&'f File> {
    let bare = spelled.trim_start_matches("./").trim_start_matches("../");
    let ends = |file: &&File| {
        let path = file.path(lookup.db).as_str();
        path.strip_suffix(bare).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let mut found = known.iter().filter(ends);
    found.next().filter(|_| found.next().is_none())
}

/// The folders of headers that the compilation database in a directory names, as far as they lie in the workspace. Reads that
/// file; shields from edits that keep them.
#[query(returns(clone), heap_size = shared)]
pub fn include_folders(db: &dyn Db, directory: Directory) -> Arc<[ProjectPath]> {
    let Some(path) = joined(directory.path(db), COMPILE_COMMANDS) else { return Arc::default() };
    let Some(file) = file_at(db, PathKey::new(db, path)) else { return Arc::default() };
    let Content::Source(source) = file.content(db) else { return Arc::default() };
    let commands = compile_commands(&source.text.get());
    let mut out: Vec<ProjectPath> = Vec::new();
    // The machine's own path of the workspace, as a source file of it tells.
    let Some(base) = commands.iter().find_map(|command| machine_path(db, &command.file)) else { return Arc::default() };
    for folder in commands.iter().flat_map(|command| &command.folders) {
        let inside = normal(folder).and_then(|folder| Some(folder.strip_prefix(base.as_str())?.to_owned()));
        let placed = inside.and_then(|inside| joined(&ProjectPath::root(), &inside));
        if let Some(placed) = placed.filter(|placed| !out.contains(placed)) {
            out.push(placed);
        }
        if out.len() == FOLDERS_MAX {
            break;
        }
    }
    out.into()
}

/// What the absolute path of a file of the workspace begins with, up to the workspace's root.
fn machine_path(db: &dyn Db, file: &str) -> Option<String> {
    let path = normal(file)?;
    let starts = path.char_indices().filter(|(_, c)| *c == '/').map(|(at, _)| at + 1);
    for start in std::iter::once(0).chain(starts) {
        let (base, rest) = path.split_at(start);
        if let Ok(inside) = ProjectPath::new(rest)
            && file_at(db, PathKey::new(db, inside)).is_some()
        {
            return Some(base.to_owned());
        }
    }
    None
}

/// `path` without `.` and `..`.
fn normal(path: &str) -> Option<String> {
    let mut out: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." => {
                out.pop()?;
            }
            name => out.push(name),
        }
    }
    Some(out.join("/"))
}
