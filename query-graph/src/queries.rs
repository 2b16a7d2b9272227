//! The list of queries: what each is keyed by. docs/queries.md has a row for each, and a test holds the two together.

use salsa::DatabaseKeyIndex;
use salsa::plumbing::{AsId, FromId};

use crate::binding::{DeclKey, NameIn, PackageName, PathKey};
use crate::db::Db;
use crate::inputs::{Directory, File};
use crate::symbols::PlacedFile;
use crate::syntax::FileRevision;

/// What a query is keyed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// [`File`].
    File,
    /// [`Directory`].
    Directory,
    /// [`FileRevision`].
    Revision,
    /// [`PlacedFile`].
    Placed,
    /// [`PathKey`].
    Path,
    /// [`DeclKey`].
    Decl,
    /// [`NameIn`].
    Name,
    /// [`PackageName`].
    PackageName,
}

/// Every tracked query by name, in byte order.
pub const QUERIES: &[(&str, Key)] = &[
    ("aliases", Key::File),
    ("binding_facts", Key::Revision),
    ("bindings", Key::File),
    ("claimed_language", Key::File),
    ("crates_in_code", Key::Directory),
    ("declared", Key::Decl),
    ("directory_at", Key::Path),
    ("directory_manifest", Key::Directory),
    ("directory_summary", Key::Directory),
    ("documentation", Key::Revision),
    ("extended", Key::Name),
    ("extending", Key::PackageName),
    ("extensions_below", Key::Directory),
    ("facts", Key::Revision),
    ("file_at", Key::Path),
    ("file_entry", Key::File),
    ("file_summary", Key::File),
    ("file_symbols", Key::Placed),
    ("headers_below", Key::Directory),
    ("headers_named", Key::PackageName),
    ("include_folders", Key::Directory),
    ("included", Key::File),
    ("includes", Key::File),
    ("java_directory", Key::Directory),
    ("java_package", Key::PackageName),
    ("java_packages", Key::Directory),
    ("manifest", Key::File),
    ("module", Key::File),
    ("named", Key::Name),
    ("npm_member", Key::PackageName),
    ("npm_package", Key::File),
    ("npm_workspace", Key::Directory),
    ("outline", Key::File),
    ("overrides", Key::File),
    ("package", Key::Directory),
    ("package_file", Key::PackageName),
    ("package_names", Key::Directory),
    ("placed", Key::File),
    ("positions", Key::File),
    ("resolved_imports", Key::File),
    ("revision", Key::File),
    ("scope_names", Key::File),
    ("stated_dependencies", Key::File),
    ("stated_package", Key::File),
    ("surface", Key::File),
    ("typescript_config", Key::File),
    ("uses", Key::File),
    ("wildcards", Key::Decl),
];

/// `query(/path)` for a key of the list, with what else the key names behind the path; salsa's own form for anything else.
pub(crate) fn describe(db: &dyn Db, key: DatabaseKeyIndex) -> String {
    let name = db.ingredient_debug_name(key.ingredient_index()).to_string();
    let id = key.key_index();
    let key = QUERIES.iter().find(|(query, _)| *query == name).map(|(_, key)| match key {
        Key::File => format!("/{}", File::from_id(id).path(db)),
        Key::Directory => format!("/{}", Directory::from_id(id).path(db)),
        Key::Revision => format!("/{}", FileRevision::from_id(id).path(db)),
        Key::Placed => format!("/{}", PlacedFile::from_id(id).revision(db).path(db)),
        Key::Path => format!("/{}", PathKey::from_id(id).path(db)),
        Key::Decl => decl(db, DeclKey::from_id(id)),
        Key::Name => {
            let key = NameIn::from_id(id);
            format!("{} . {}", decl(db, key.scope(db)), key.name(db))
        }
        Key::PackageName => {
            let key = PackageName::from_id(id);
            format!("/{} . {}", key.directory(db).path(db), key.name(db))
        }
    });
    match key {
        Some(key) => format!("{name}({key})"),
        None => format!("{name}({:?})", id.as_id()),
    }
}

fn decl(db: &dyn Db, key: DeclKey) -> String {
    match key.path(db).is_empty() {
        true => format!("/{}", key.file(db).path(db)),
        false => format!("/{} {}", key.file(db).path(db), key.path(db)),
    }
}
