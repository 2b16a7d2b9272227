//! The list of queries: what each is keyed by. docs/queries.md has a row for each, and a test holds the two together.

use salsa::plumbing::{AsId as _, FromId as _};
use salsa::{DatabaseKeyIndex, Id};

use crate::binding::{DeclKey, NameIn, PackageName, PathKey};
use crate::db::Db;
use crate::inputs::{Directory, File};
use crate::probe::{SUBJECTS_MAX, Subject};
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

/// The kinds of interned keys, in byte order, and what each is for.
pub(crate) const KEYS: &[(&str, &str)] = &[
    ("DeclKey", "A declaration: a file and a logical path in it."),
    ("FileRevision", "One path with one content, read as one language."),
    ("NameIn", "A name in a scope."),
    ("PackageName", "A name in a package."),
    ("PathKey", "A path that the layout of modules asks about."),
    ("PlacedFile", "A revision with its place among the workspace's modules: the key of what identities are made of."),
];

/// The inputs, in byte order, what each is for, and the fields that change.
pub(crate) const INPUTS: &[(&str, &str, &[&str])] = &[
    ("Directory", "A directory: the unit of folding.", &["files", "entries", "sums", "below", "known"]),
    ("File", "One path of the workspace.", &["content"]),
    ("Workspace", "The workspace as a whole.", &["config", "languages", "binding"]),
];

/// The subject called `name`. Fails to compile for a name that is in no list.
pub(crate) const fn subject(name: &str) -> Subject {
    let mut at = 0;
    while at < QUERIES.len() {
        if is_equal(QUERIES[at].0, name) {
            return Subject(at as u8);
        }
        at += 1;
    }
    let mut key = 0;
    while key < KEYS.len() {
        if is_equal(KEYS[key].0, name) {
            return Subject((QUERIES.len() + key) as u8);
        }
        key += 1;
    }
    let mut input = 0;
    while input < INPUTS.len() {
        if is_equal(INPUTS[input].0, name) {
            return Subject((QUERIES.len() + KEYS.len() + input) as u8);
        }
        input += 1;
    }
    panic!("a query, a key or an input that is not listed")
}

const fn is_equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// All subjects: queries, keys, inputs.
pub(crate) fn subjects() -> impl Iterator<Item = Subject> {
    (0..(QUERIES.len() + KEYS.len() + INPUTS.len()) as u8).map(Subject)
}

/// The subject called `name`, in any of the lists.
pub(crate) fn subject_of(name: &str) -> Option<Subject> {
    subjects().find(|subject| name_of(*subject) == name)
}

/// What a subject is called.
pub(crate) fn name_of(subject: Subject) -> &'static str {
    let at = subject.index();
    let keys = at.checked_sub(QUERIES.len());
    let inputs = keys.and_then(|at| at.checked_sub(KEYS.len()));
    let query = QUERIES.get(at).map(|(name, _)| *name);
    let key = || KEYS.get(keys?).map(|(name, _)| *name);
    let input = || INPUTS.get(inputs?).map(|(name, ..)| *name);
    query.or_else(key).or_else(input).unwrap_or_default()
}

const _: () =
    assert!(QUERIES.len() + KEYS.len() + INPUTS.len() < SUBJECTS_MAX, "more subjects than counters have room for");

/// `query(/path)` for a key of the list, with what else the key names behind the path; salsa's own form for anything else.
pub(crate) fn describe(db: &dyn Db, key: DatabaseKeyIndex) -> String {
    let name = db.ingredient_debug_name(key.ingredient_index()).to_string();
    described(db, &name, key.key_index())
}

/// The same for a query's name and the identity of its key.
pub(crate) fn described(db: &dyn Db, name: &str, id: Id) -> String {
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

/// `/path`, with the declaration's path behind it.
pub(crate) fn decl(db: &dyn Db, key: DeclKey) -> String {
    match key.path(db).is_empty() {
        true => format!("/{}", key.file(db).path(db)),
        false => format!("/{} {}", key.file(db).path(db), key.path(db)),
    }
}
