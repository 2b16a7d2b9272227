//! The list of queries: what each is keyed by. docs/queries.md has a row for each, and a test holds the two together.

use salsa::DatabaseKeyIndex;
use salsa::plumbing::{AsId, FromId};

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
}

/// Every tracked query by name, in byte order.
pub const QUERIES: &[(&str, Key)] = &[
    ("claimed_language", Key::File),
    ("directory_manifest", Key::Directory),
    ("directory_summary", Key::Directory),
    ("documentation", Key::Revision),
    ("facts", Key::Revision),
    ("file_entry", Key::File),
    ("file_summary", Key::File),
    ("file_symbols", Key::Placed),
    ("manifest", Key::File),
    ("module", Key::File),
    ("outline", Key::File),
    ("package", Key::Directory),
    ("placed", Key::File),
    ("positions", Key::File),
    ("revision", Key::File),
    ("stated_dependencies", Key::File),
    ("stated_package", Key::File),
];

/// `query(/path)` for a key of the list; salsa's own form for anything else.
pub(crate) fn describe(db: &dyn Db, key: DatabaseKeyIndex) -> String {
    let name = db.ingredient_debug_name(key.ingredient_index()).to_string();
    let id = key.key_index();
    let path = QUERIES.iter().find(|(query, _)| *query == name).map(|(_, key)| match key {
        Key::File => File::from_id(id).path(db).clone(),
        Key::Directory => Directory::from_id(id).path(db).clone(),
        Key::Revision => FileRevision::from_id(id).path(db).clone(),
        Key::Placed => PlacedFile::from_id(id).revision(db).path(db).clone(),
    });
    match path {
        Some(path) => format!("{name}(/{path})"),
        None => format!("{name}({:?})", id.as_id()),
    }
}
