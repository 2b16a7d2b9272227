//! Languages whose files include others as text (C and C++): which files one file includes, and which names they bind.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use query_graph_macros::query;
use rift_base::{Facet, NamePath};
use rift_syntax::Term;
use rustc_hash::{FxHashSet, FxHasher};

use crate::db::{Db, shared};
use crate::inputs::{Directory, File};

use super::facts::{file_outline, file_surface};
use super::modules::{ModuleRef, PackageName, resolved_imports};

/// Files that one file includes, those of its headers counted, past which the rest is left out.
const INCLUDED_MAX: usize = 4096;

/// Endings of names that can be included: headers, and sources that some builds include.
const ENDINGS: [&str; 19] = [
    "c", "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "h++", "inl", "ipp", "tpp", "tcc", "txx", "inc", "def",
    "cu", "cuh",
];

/// The files below a directory that can be included, by their name. Reads the directory's list and the same of the directories
/// in it: names alone, never contents. Shields nothing by itself: `headers_named` does.
#[query(returns(clone), heap_size = headers_heap)]
pub fn headers_below(db: &dyn Db, directory: Directory) -> Arc<BTreeMap<Arc<str>, Vec<File>>> {
    let mut out: BTreeMap<Arc<str>, Vec<File>> = BTreeMap::new();
    for file in directory.files(db).iter() {
        let path = file.path(db);
        if path.extension().is_some_and(|ending| ENDINGS.iter().any(|e| ending.eq_ignore_ascii_case(e))) {
            out.entry(path.file_name().into()).or_default().push(*file);
        }
    }
    for inner in directory.known(db).iter() {
        for (name, files) in headers_below(db, *inner).iter() {
            out.entry(name.clone()).or_default().extend(files.iter().copied());
        }
    }
    Arc::new(out)
}

fn headers_heap(headers: &Arc<BTreeMap<Arc<str>, Vec<File>>>) -> usize {
    headers.iter().map(|(name, files)| name.len() + files.capacity() * size_of::<File>() + 48).sum()
}

/// The files called like this below a directory that can be included, in the order of their paths. Shields those who include
/// this name from files of every other name.
#[query(returns(clone), heap_size = shared)]
pub fn headers_named(db: &dyn Db, key: PackageName) -> Arc<[File]> {
    let known = headers_below(db, key.directory(db));
    known.get(key.name(db)).map(|files| files.as_slice().into()).unwrap_or_default()
}

/// The files that a file includes itself, in source order. Shields from edits that keep them.
#[query(returns(clone), heap_size = shared)]
pub fn includes(db: &dyn Db, file: File) -> Arc<[File]> {
    let Some(surface) = file_surface(db, file) else { return Arc::default() };
    let imports = resolved_imports(db, file);
    let mut out: Vec<File> = Vec::new();
    for wildcard in surface.wildcards.iter().filter(|wildcard| wildcard.within.is_none()) {
        let Term::Module(specifier) = surface.terms.get(wildcard.of) else { continue };
        for module in imports.get(surface.terms.name(*specifier)).into_iter().flatten() {
            match module {
                ModuleRef::File(included) if !out.contains(included) => out.push(*included),
                _ => {}
            }
        }
    }
    out.into()
}

/// The file and every file that it includes, by way of others too, each once and in the order of the text. Shields from
/// edits of these files that keep what they include.
#[query(returns(clone), heap_size = shared)]
pub fn included(db: &dyn Db, file: File) -> Arc<[File]> {
    let mut out = Vec::new();
    let mut seen: FxHashSet<File> = FxHashSet::default();
    let mut stack = vec![file];
    while let Some(here) = stack.pop() {
        if out.len() >= INCLUDED_MAX || !seen.insert(here) {
            continue;
        }
        out.push(here);
        stack.extend(includes(db, here).iter().rev().copied());
    }
    out.into()
}

/// Which names the module scopes of a file bind, to tell cheaply that a file does not bind one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScopeNames {
    /// One bit for each hash: most files are ruled out by it.
    bits: [u64; 32],
    /// Hashes of scope and name, ascending.
    hashes: Box<[u32]>,
}

impl ScopeNames {
    /// Whether the file may bind what hashes so. It does not when this says no.
    pub(super) fn may_bind(&self, hash: u32) -> bool {
        let bit = hash as usize % (64 * self.bits.len());
        self.bits[bit / 64] & (1 << (bit % 64)) != 0 && self.hashes.binary_search(&hash).is_ok()
    }
}

/// The hash of `name` in the scope at `path`; of the wildcards there when the name is `*`.
pub(super) fn scope_hash(path: &NamePath, name: &str) -> u32 {
    let mut hasher = FxHasher::default();
    path.as_str().hash(&mut hasher);
    name.hash(&mut hasher);
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}

/// Which names the module scopes of a file bind. Shields those who look for a name from edits that bind the same ones.
#[query(returns(clone), heap_size = scope_names_heap)]
pub fn scope_names(db: &dyn Db, file: File) -> Arc<ScopeNames> {
    let (Some(surface), Some(outline)) = (file_surface(db, file), file_outline(db, file)) else {
        return Arc::default();
    };
    let root = NamePath::default();
    let path = |within: Option<rift_syntax::DeclId>| {
        within.and_then(|decl| outline.outline.get(decl)).map_or(&root, |declaration| &declaration.path)
    };
    let entries = surface.entries.iter().map(|e| scope_hash(path(e.within), surface.terms.name(e.name)));
    let is_module = |term| matches!(surface.terms.get(term), Term::Module(_));
    let stars = surface.wildcards.iter().filter(|w| !is_module(w.of)).map(|w| scope_hash(path(w.within), "*"));
    // Types that are defined outside the class that declares them: `struct Api::Impl {…}`.
    let outside = outline.outline.iter().filter(|(_, d)| {
        let around = d.container.and_then(|container| outline.outline.get(container));
        d.facets.has(Facet::Type) && d.path.container() != around.map_or("", |around| around.path.as_str())
    });
    let outside = outside.map(|(_, d)| {
        let container = NamePath::parse(d.path.container()).unwrap_or_default();
        scope_hash(&container, &d.path.name())
    });
    let mut hashes: Vec<u32> = entries.chain(stars).chain(outside).collect();
    hashes.sort_unstable();
    hashes.dedup();
    let mut out = ScopeNames { hashes: hashes.into(), ..ScopeNames::default() };
    for hash in &out.hashes {
        let bit = *hash as usize % (64 * out.bits.len());
        out.bits[bit / 64] |= 1 << (bit % 64);
    }
    Arc::new(out)
}

fn scope_names_heap(names: &Arc<ScopeNames>) -> usize {
    size_of::<ScopeNames>() + names.hashes.len() * size_of::<u32>()
}
