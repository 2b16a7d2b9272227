//! Any query by name and key, as people type them, and any value as text: for `rift debug query`.

use rift_base::{NamePath, ProjectPath};
use salsa::Id;
use salsa::plumbing::{AsId as _, FromId as _};

use crate::binding::*;
use crate::catalog::*;
use crate::db::{Db, RootDatabase};
use crate::dependencies::stated_dependencies;
use crate::documents::documentation;
use crate::ground::Ground;
use crate::inputs::{Directory, File};
use crate::place::{manifest, module, package, stated_package};
use crate::probe::Node;
use crate::queries::{INPUTS, Key, QUERIES, described, name_of, subject_of};
use crate::summary::{directory_summary, file_summary};
use crate::symbols::{PlacedFile, file_symbols, outline, placed, positions};
use crate::syntax::{FileRevision, facts, file_facts, file_positions};

/// Why a query and a key name nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskError {
    /// No query is called so.
    Query,
    /// The key does not have the form of the query's keys, which is this.
    Form(&'static str),
    /// The key names a path that the workspace never had, or one without text.
    Absent,
}

/// How the keys of a query are written.
fn form(key: Key) -> &'static str {
    match key {
        Key::File | Key::Revision | Key::Placed => "the path of a file",
        Key::Directory => "the path of a folder, `/` for the root",
        Key::Path => "a path, whether it is there or not",
        Key::Decl => "`PATH DECLARATION`, or the path of a file for its own scope",
        Key::Name => "`PATH DECLARATION . NAME`, or `PATH . NAME`",
        Key::PackageName => "`FOLDER . NAME`",
    }
}

/// The memo that `query` has for `key`, which is written as [`Node::key`] writes it; the leading slash may be left out.
///
/// # Errors
/// When they name nothing.
pub fn parse_node(db: &RootDatabase, ground: &Ground, query: &str, key: &str) -> Result<Node, AskError> {
    let (_, kind) = QUERIES.iter().find(|(name, _)| *name == query).ok_or(AskError::Query)?;
    let malformed = || AskError::Form(form(*kind));
    let path = |text: &str| match text.trim().trim_start_matches('/') {
        "" => Ok(ProjectPath::root()),
        text => ProjectPath::new(text).map_err(|_| malformed()),
    };
    let file = |text: &str| path(text).and_then(|path| ground.file(&path).ok_or(AskError::Absent));
    let directory = |text: &str| path(text).and_then(|path| ground.known_directory(&path).ok_or(AskError::Absent));
    let decl = |text: &str| {
        let (at, name) = text.trim().split_once(' ').unwrap_or((text, ""));
        let file = file(at)?;
        let own = outline(db, file).map(|packed| packed.unpack());
        let known = own.iter().flat_map(|outline| outline.iter()).map(|(_, declaration)| &declaration.path);
        let wanted = known.into_iter().find(|path| path.to_string() == name.trim());
        match (name.trim(), wanted) {
            ("", _) => Ok(DeclKey::new(db, file, NamePath::default())),
            (_, Some(path)) => Ok(DeclKey::new(db, file, path.clone())),
            (_, None) => Err(AskError::Absent),
        }
    };
    let pair = || key.rsplit_once(" . ").ok_or_else(malformed);
    let id = match kind {
        Key::File => file(key)?.as_id(),
        Key::Directory => directory(key)?.as_id(),
        Key::Revision => revision(db, file(key)?).ok_or(AskError::Absent)?.as_id(),
        Key::Placed => placed(db, file(key)?).ok_or(AskError::Absent)?.as_id(),
        Key::Path => PathKey::new(db, path(key)?).as_id(),
        Key::Decl => decl(key)?.as_id(),
        Key::Name => NameIn::new(db, decl(pair()?.0)?, pair()?.1.trim().into()).as_id(),
        Key::PackageName => PackageName::new(db, directory(pair()?.0)?, pair()?.1.trim().into()).as_id(),
    };
    Ok(Node::query(subject_of(query).ok_or(AskError::Query)?, id))
}

impl Node {
    /// The query, or the input.
    pub fn name(&self) -> &'static str {
        name_of(self.subject)
    }

    /// The field of an input; absent for a query.
    pub fn field(&self) -> Option<&'static str> {
        let (_, _, fields) = INPUTS.iter().find(|(name, ..)| *name == self.name())?;
        fields.get(usize::from(self.field)).copied()
    }

    /// The key, as `rift debug` prints it.
    pub fn key(&self, db: &dyn Db) -> String {
        let path = |path: &ProjectPath| format!("/{path}");
        match self.name() {
            "File" => path(File::from_id(self.id).path(db)),
            "Directory" => path(Directory::from_id(self.id).path(db)),
            "Workspace" => String::new(),
            name => {
                let described = described(db, name, self.id);
                let key = described.strip_prefix(name).and_then(|rest| rest.strip_prefix('('));
                key.and_then(|key| key.strip_suffix(')')).unwrap_or_default().to_owned()
            }
        }
    }

    /// The value of the query, which is run when it has to be, as indented text. Absent for an input.
    pub fn value(&self, db: &dyn Db) -> Option<String> {
        value(db, self.name(), self.id).map(|text| with_paths(db, &text))
    }
}

/// Asks the query called `name`. What is held packed is shown unpacked.
fn value(db: &dyn Db, name: &str, id: Id) -> Option<String> {
    let held = || revision(db, File::from_id(id));
    match name {
        "facts" => return Some(format!("{:#?}", file_facts(db, FileRevision::from_id(id)))),
        "outline" => return Some(format!("{:#?}", outline(db, File::from_id(id)).map(|packed| packed.unpack()))),
        "positions" => return Some(format!("{:#?}", held().map(|of| file_positions(db, of)))),
        "uses" => return Some(format!("{:#?}", held().and_then(|of| file_uses(db, of)))),
        "surface" => return Some(format!("{:#?}", file_surface(db, File::from_id(id)))),
        _ => {}
    }
    macro_rules! one_of {
        ($($query:ident($key:ident)),* $(,)?) => {
            match name {
                $(stringify!($query) => Some(format!("{:#?}", $query(db, $key::from_id(id)))),)*
                _ => None,
            }
        };
    }
    one_of!(
        aliases(File),
        binding_facts(FileRevision),
        bindings(File),
        claimed_language(File),
        crates_in_code(Directory),
        declared(DeclKey),
        directory_at(PathKey),
        directory_manifest(Directory),
        directory_summary(Directory),
        documentation(FileRevision),
        extended(NameIn),
        extending(PackageName),
        extensions_below(Directory),
        facts(FileRevision),
        file_at(PathKey),
        file_entry(File),
        file_summary(File),
        file_symbols(PlacedFile),
        headers_below(Directory),
        headers_named(PackageName),
        include_folders(Directory),
        included(File),
        includes(File),
        java_directory(Directory),
        java_package(PackageName),
        java_packages(Directory),
        manifest(File),
        module(File),
        named(NameIn),
        npm_member(PackageName),
        npm_package(File),
        npm_workspace(Directory),
        outline(File),
        overrides(File),
        package(Directory),
        package_file(PackageName),
        package_names(Directory),
        placed(File),
        positions(File),
        resolved_imports(File),
        revision(File),
        scope_names(File),
        stated_dependencies(File),
        stated_package(File),
        surface(File),
        typescript_config(File),
        uses(File),
        wildcards(DeclKey),
    )
}

/// `text` with what salsa's identities stand for in their place: `File(Id(4))` becomes `File(/src/a.py)`.
fn with_paths(db: &dyn Db, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("(Id(") {
        let (before, after) = rest.split_at(at);
        let (digits, tail) = after["(Id(".len()..].split_once("))").unwrap_or_default();
        let kind = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let id = u64::from_str_radix(digits, 16).ok().map(|index| Id::from_bits(index + 1));
        out.push_str(before);
        match id.and_then(|id| identity(db, kind, id)) {
            Some(known) => out.push_str(&format!("({known})")),
            None => out.push_str(&format!("(Id({digits}))")),
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// What an identity of this kind names.
fn identity(db: &dyn Db, kind: &str, id: Id) -> Option<String> {
    Some(match kind {
        "File" => format!("/{}", File::from_id(id).path(db)),
        "Directory" => format!("/{}", Directory::from_id(id).path(db)),
        "FileRevision" => format!("/{}", FileRevision::from_id(id).path(db)),
        "PlacedFile" => format!("/{}", PlacedFile::from_id(id).revision(db).path(db)),
        "PathKey" => format!("/{}", PathKey::from_id(id).path(db)),
        "DeclKey" => crate::queries::decl(db, DeclKey::from_id(id)),
        _ => return None,
    })
}
