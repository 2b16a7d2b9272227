//! Extensions: members and bases that files give to types which other files declare (Rust's impl blocks).

use std::collections::BTreeMap;
use std::sync::Arc;

use query_graph_macros::query;
use rift_base::NamePath;

use crate::db::{Db, shared};
use crate::inputs::{Directory, File};

use super::evaluate::{Denoted, Evaluator};
use super::facts::{file_outline, file_surface};
use super::languages::Lookup;
use super::modules::{PackageName, file_layout};
use super::names::{DeclKey, NameIn};
use super::tree::{Tree, tree};

/// The files in a directory and below it that extend types, by the last names of these types as the files spell them. Reads
/// the listing, the surfaces of the directory's files in languages that have extensions, and the same of the directories
/// below; shields what stands above from edits that extend the same.
#[query(returns(clone), heap_size = extensions_heap)]
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
#[query(returns(clone), heap_size = shared)]
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
#[query(returns(clone), heap_size = extended_heap)]
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

/// What one file gives to a type of another one.
#[derive(Debug, Clone)]
pub(super) struct TypeExtension {
    /// The members: the file and the path that they stand in.
    members: Option<DeclKey>,
    /// What the type implements by it.
    bases: Vec<DeclKey>,
}

impl Evaluator<'_> {
    /// What extensions of the type `of` hold under `name`: their own members, then those of what it implements by them.
    pub(super) fn extension_member(&mut self, of: DeclKey, name: &Arc<str>) -> Vec<Denoted> {
        let extensions = self.extensions(of);
        let members = extensions.iter().filter_map(|extension| extension.members);
        let mut out = Vec::new();
        for within in members {
            out.extend(self.declared_member(&[within], name));
        }
        for base in extensions.iter().flat_map(|extension| &extension.bases) {
            if !out.is_empty() {
                break;
            }
            let ancestors = self.ancestors(*base);
            out = self.declared_member(&ancestors, name);
        }
        out
    }

    /// What files of its package, and of the package that asks, give to the type `of`.
    pub(super) fn extensions(&mut self, of: DeclKey) -> Arc<[TypeExtension]> {
        if let Some(known) = self.extensions.get(&of) {
            return known.clone();
        }
        let db = self.db;
        // While they are looked for, there are none.
        self.extensions.insert(of, Arc::default());
        let name: Arc<str> = (&*of.path(db).name()).into();
        let mut directories = Vec::new();
        for file in [Some(of.file(db)), self.home].into_iter().flatten() {
            let layout = file_layout(db, file);
            let directory = layout.and_then(|layout| (layout.extended_in)(&Lookup::new(db, file)));
            directories.extend(directory.filter(|directory| !directories.contains(directory)));
        }
        let mut out = Vec::new();
        for directory in directories {
            for file in extending(db, PackageName::new(db, directory, name.clone())).iter() {
                let scope = DeclKey::new(db, *file, rift_base::NamePath::default());
                for extension in extended(db, NameIn::new(db, scope, name.clone())).iter() {
                    let types = self.evaluate(*file, &extension.of);
                    let types: Vec<DeclKey> = types.into_iter().flat_map(|found| self.type_of(found)).collect();
                    if !types.contains(&of) {
                        continue;
                    }
                    let base = extension.base.as_ref().map(|base| self.evaluate(*file, base)).unwrap_or_default();
                    let bases = base.into_iter().flat_map(|base| self.type_of(base)).collect();
                    let members = extension.within.as_ref().map(|path| DeclKey::new(db, *file, path.clone()));
                    out.push(TypeExtension { members, bases });
                }
            }
        }
        let out: Arc<[TypeExtension]> = out.into();
        self.extensions.insert(of, out.clone());
        out
    }
}
