//! What one file tells others, name by name: the firewalls between an edit and the files that do not use what it changed.

use std::sync::Arc;

use query_graph_macros::query;
use rift_base::{Facet, Facets, NamePath};
use rift_syntax::{DeclId, Joins};

use crate::db::Db;
use crate::inputs::File;
use crate::probe::{Subject, intern};
use crate::queries::subject;

use super::facts::{file_outline, file_surface};
use super::tree::{Tree, tree};
use super::variants::{Takes, Variant, shape, variants};

/// A declaration: a file and a logical path in it. Overloads and other declarations of one path share it, and are told apart
/// by [`Declared::variants`]. The empty path is the file's own scope.
#[salsa::interned(constructor = interned, unsafe(no_lifetime), revisions = usize::MAX, debug, heap_size = decl_heap)]
#[derive(PartialOrd, Ord)]
pub struct DeclKey {
    /// The file.
    #[returns(copy)]
    pub file: File,
    /// The path inside the file.
    pub path: NamePath,
}

impl DeclKey {
    /// The key of the declarations of `path` in `file`.
    pub fn new(db: &dyn Db, file: File, path: NamePath) -> Self {
        const KEY: Subject = subject("DeclKey");
        let weigh = |key: Self| decl_heap(&(key.file(db), key.path(db).clone()));
        intern(db, KEY, size_of::<(File, NamePath)>(), || Self::interned(db, file, path), weigh)
    }
}

fn decl_heap((_, path): &(File, NamePath)) -> usize {
    path.heap_size()
}

/// A name in a scope.
#[salsa::interned(constructor = interned, unsafe(no_lifetime), revisions = usize::MAX, debug, heap_size = name_heap)]
#[derive(PartialOrd, Ord)]
pub struct NameIn {
    /// The module, namespace or type.
    #[returns(copy)]
    pub scope: DeclKey,
    /// The name.
    pub name: Arc<str>,
}

impl NameIn {
    /// The key of `name` in `scope`.
    pub fn new(db: &dyn Db, scope: DeclKey, name: Arc<str>) -> Self {
        const KEY: Subject = subject("NameIn");
        let weigh = |key: Self| name_heap(&(key.scope(db), key.name(db).clone()));
        intern(db, KEY, size_of::<(DeclKey, Arc<str>)>(), || Self::interned(db, scope, name), weigh)
    }
}

fn name_heap((_, name): &(DeclKey, Arc<str>)) -> usize {
    name.len()
}

/// One meaning of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meaning {
    /// What it stands for.
    pub what: What,
    /// Whether a wildcard import takes the name.
    pub starred: bool,
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A declaration of the same file.
    Decl(NamePath),
    /// What this term denotes, read in the same file.
    Term(Arc<Tree>),
}

/// What a scope holds under one name: declared there, or imported and visible to others. Reads the outline and the surface of
/// the scope's file; shields those who use this name from every other change of the file.
#[query(returns(clone), heap_size = named_heap)]
pub fn named(db: &dyn Db, key: NameIn) -> Arc<[Meaning]> {
    let (scope, name) = (key.scope(db), key.name(db));
    let (file, path) = (scope.file(db), scope.path(db));
    let Some(outline) = file_outline(db, file) else { return Arc::default() };
    let Some(surface) = file_surface(db, file) else { return Arc::default() };
    let within = match path.is_empty() {
        true => vec![None],
        false => outline.at(path).iter().copied().map(Some).collect(),
    };
    let mut out = Vec::new();
    for entry in within.iter().flat_map(|within| surface.entries(*within, name)) {
        let term = tree(&outline.outline, &surface.terms, entry.means);
        let what = match &*term {
            Tree::Decl(path) => What::Decl(path.clone()),
            _ => What::Term(term),
        };
        out.push(Meaning { what, starred: entry.starred });
    }
    if !path.is_empty() {
        let member = path.child(name);
        if out.is_empty() && !outline.at(&member).is_empty() {
            out.push(Meaning { what: What::Decl(member), starred: true });
        }
    }
    out.dedup();
    out.into()
}

fn named_heap(meanings: &Arc<[Meaning]>) -> usize {
    meanings.len() * size_of::<Meaning>()
}

/// A wildcard import of a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Star {
    /// The module or type whose names are meant, read in the file of the import.
    pub of: Arc<Tree>,
    /// Whether other files find the names here too.
    pub exported: bool,
}

/// The wildcard imports of a module scope, in source order. Shields from every other change of its file.
#[query(returns(clone), heap_size = wildcards_heap)]
pub fn wildcards(db: &dyn Db, scope: DeclKey) -> Arc<[Star]> {
    let (file, path) = (scope.file(db), scope.path(db));
    let Some(surface) = file_surface(db, file) else { return Arc::default() };
    if surface.wildcards.is_empty() {
        return Arc::default();
    }
    let Some(outline) = file_outline(db, file) else { return Arc::default() };
    let here = |within: Option<DeclId>| match within {
        None => path.is_empty(),
        Some(decl) => outline.outline.get(decl).is_some_and(|declaration| declaration.path == *path),
    };
    let found = surface.wildcards.iter().filter(|wildcard| here(wildcard.within));
    found.map(|w| Star { of: tree(&outline.outline, &surface.terms, w.of), exported: w.exported }).collect()
}

fn wildcards_heap(stars: &Arc<[Star]>) -> usize {
    stars.len() * size_of::<Star>()
}

/// What a declaration is, and what the text says about its types and values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Declared {
    /// The facets of all declarations of the path.
    pub facets: Facets,
    /// Whether one of them is more than the statement that there is such a thing: a definition.
    pub defines: bool,
    /// The types that it extends or implements, in source order.
    pub bases: Vec<Arc<Tree>>,
    /// See [`rift_syntax::DeclTerms::value`], of those declarations of the path that are no callables.
    pub value: Option<Arc<Tree>>,
    /// The same of the callables: what a call yields. A method can have the name of a field.
    pub yields: Option<Arc<Tree>>,
    /// The symbols of the path, where they are told apart: of several, or of callables that join by what they take.
    pub variants: Box<[Variant]>,
    /// How many arguments it takes, for a callable.
    pub takes: Option<Takes>,
    /// A digest of the parameters' types as written, for a callable.
    pub shape: u32,
    /// Whether types that extend its own do not see it (`private`).
    pub hidden: bool,
    /// Whether functions can override it, where that is to be said (C++'s `virtual`, `override`).
    pub is_virtual: bool,
}

impl Declared {
    /// Whether members are looked up in it and in its bases. An alias of a type that is written in place has members, too.
    pub fn is_type(&self) -> bool {
        self.facets.has(Facet::Type) && (!self.facets.has(Facet::Alias) || self.facets.has(Facet::MemberContainer))
    }
}

/// One declaration as others see it; absent when the file has none of that path. Reads the outline and the surface of its
/// file; shields those who use this declaration from every other change of the file.
#[query(returns(clone), heap_size = declared_heap)]
pub fn declared(db: &dyn Db, key: DeclKey) -> Option<Arc<Declared>> {
    let (file, path) = (key.file(db), key.path(db));
    let outline = file_outline(db, file)?;
    let surface = file_surface(db, file);
    let mut out = Declared::default();
    let mut found = false;
    let mut plain = false;
    let (mut values, mut yielded) = (Vec::new(), Vec::new());
    for decl in outline.at(path).iter().copied() {
        found = true;
        let mut facets = Facets::NONE;
        if let Some(declaration) = outline.outline.get(decl) {
            facets = declaration.facets;
            let declares = matches!(declaration.joins, Joins::Declaration(_));
            out.defines |= !declares;
            // `typedef struct A A;` states that there is a type, and names no other one.
            let alias = facets.has(Facet::Alias) && !declares;
            plain |= facets.has(Facet::Type) && !alias;
            out.facets = out.facets.union(facets);
            out.hidden |= declaration.visibility.as_deref() == Some("private");
            out.is_virtual |= declaration.modifiers.iter().any(|word| matches!(&**word, "virtual" | "override"));
            out.shape = shape(declaration);
            if let Some(callable) = &declaration.callable {
                let takes = Takes::of(callable);
                out.takes = Some(out.takes.map_or(takes, |known| known.union(takes)));
            }
        }
        let terms = surface.as_ref().and_then(|surface| Some((surface, surface.declared(decl)?)));
        if let Some((surface, terms)) = terms {
            out.bases.extend(terms.bases.iter().map(|base| tree(&outline.outline, &surface.terms, *base)));
            let told = if facets.has(Facet::Callable) { &mut yielded } else { &mut values };
            told.extend(terms.value.map(|value| tree(&outline.outline, &surface.terms, value)));
        }
    }
    if plain {
        out.facets = out.facets.without(Facet::Alias);
    }
    let any = |mut terms: Vec<Arc<Tree>>| {
        terms.dedup();
        match terms.len() {
            0 | 1 => terms.pop(),
            _ => Some(Arc::new(Tree::Either(terms.into()))),
        }
    };
    (out.value, out.yields) = (any(values), any(yielded));
    out.variants = variants(&outline, surface.as_deref(), path);
    found.then(|| Arc::new(out))
}

fn declared_heap(declared: &Option<Arc<Declared>>) -> usize {
    declared.as_ref().map_or(0, |d| {
        let variants: usize = d.variants.iter().map(Variant::size).sum();
        size_of::<Declared>() + d.bases.capacity() * size_of::<Arc<Tree>>() + variants
    })
}
