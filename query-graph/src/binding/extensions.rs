//! Extensions: members and bases that files give to types which other files declare (Rust's impl blocks).

use std::collections::BTreeMap;
use std::sync::Arc;

use rift_base::NamePath;

use crate::db::{Db, shared};
use crate::inputs::{Directory, File};

use super::facts::{file_outline, file_surface};
use super::modules::{PackageName, file_layout};
use super::names::NameIn;
use super::tree::{Tree, tree};

/// The files in a directory and below it that extend types, by the last names of these types as the files spell them. Reads
/// the listing, the surfaces of the directory's files in languages that have extensions, and the same of the directories
/// below; shields what stands above from edits that extend the same.
#[salsa::tracked(returns(clone), heap_size = extensions_heap)]
pub fn extensions_below(db: &dyn Db, directory: Directory) -> Arc<BTreeMap<Arc<str>, Vec<File>>> {
    let mut out: BTreeMap<Arc<str>, Vec<File>> = BTreeMap::new();
    for file in directory.files(db).iter() {
        if !file_layout(db, *file).is_some_and(|layout| layout.has_extensions) {
            continue;
        }
        let Some(surface) = file_surface(db, *file) else { continue };
        for extension in &surface.extensions {
            let files = out.entry(surface.terms.name(extension.name).into()).or_default();
            if files.last() != Some(file) {
                files.push(*file);
            }
        }
    }
    for below in directory.known(db).iter() {
        for (name, files) in extensions_below(db, *below).iter() {
            out.entry(name.clone()).or_default().extend(files);
        }
    }
    Arc::new(out)
}

fn extensions_heap(extensions: &Arc<BTreeMap<Arc<str>, Vec<File>>>) -> usize {
    extensions.iter().map(|(name, files)| name.len() + files.capacity() * size_of::<File>() + 48).sum()
}

/// The files in a directory and below it that extend a type of this last name. Shields those who use the type from what
/// extends others.
#[salsa::tracked(returns(clone), heap_size = shared)]
pub fn extending(db: &dyn Db, key: PackageName) -> Arc<[File]> {
    let found = extensions_below(db, key.directory(db));
    found.get(key.name(db)).map(|files| files.as_slice().into()).unwrap_or_default()
}

/// One extension of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extended {
    /// The type, read in the file of the extension.
    pub of: Arc<Tree>,
    /// The path in that file that the members have; absent without any.
    pub within: Option<NamePath>,
    /// What the type implements by it.
    pub base: Option<Arc<Tree>>,
}

/// How a file, whose own scope is the key's, extends types of a last name. Reads the outline and the surface; shields those
/// who use the type from every other change of the file.
#[salsa::tracked(returns(clone), heap_size = extended_heap)]
pub fn extended(db: &dyn Db, key: NameIn) -> Arc<[Extended]> {
    let (file, name) = (key.scope(db).file(db), key.name(db));
    let (Some(outline), Some(surface)) = (file_outline(db, file), file_surface(db, file)) else {
        return Arc::default();
    };
    let here = surface.extensions.iter().filter(|extension| surface.terms.name(extension.name) == &**name);
    let mut out: Vec<Extended> = Vec::new();
    for extension in here {
        let member = extension.member.and_then(|member| outline.outline.get(member));
        let read = |term| tree(&outline.outline, &surface.terms, term);
        out.push(Extended {
            of: read(extension.of),
            within: member.and_then(|member| NamePath::parse(member.path.container()).ok()),
            base: extension.base.map(read),
        });
    }
    out.dedup();
    out.into()
}

fn extended_heap(extended: &Arc<[Extended]>) -> usize {
    extended.len() * size_of::<Extended>()
}
