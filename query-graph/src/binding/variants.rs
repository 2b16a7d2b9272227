//! Variants: the symbols of one file that share a path (overloads, a field and a method of one name, methods of several impl
//! blocks), and which of them a use means. What cannot be told stays, so that several are left.

use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use rift_base::{Facet, Facets, NamePath};
use rift_syntax::{Callable, DeclId, Declaration, Joins, Outline, Reference, Role, Surface, Term, TermId, Terms};
use rustc_hash::FxHasher;

use crate::db::Db;
use crate::inputs::File;
use crate::symbols::{SymbolGroup, groups_at};
use crate::unpacked::PathOutline;

use super::evaluate::Evaluator;
use super::languages::Layout;
use super::names::{DeclKey, declared};
use super::refer::Referent;
use super::tree::{Tree, tree};

/// One symbol of a path, as others see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// The numbers of its declarations among those of the path, in source order; see [`Referent::nth`].
    pub declarations: Box<[u32]>,
    /// That of the declaration that stands for it.
    pub primary: u32,
    /// The facets of its declarations.
    pub facets: Facets,
    /// What it joins by: equal in all files that declare the same callable.
    pub tag: Option<u64>,
    /// How many arguments it takes, for a callable.
    pub takes: Option<Takes>,
    /// The trait that its impl block implements.
    pub of: Option<Arc<Tree>>,
    /// See [`Declared::shape`](super::Declared).
    pub shape: u32,
}

/// How many arguments a callable takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Takes {
    /// At least.
    pub least: u8,
    /// At most, those of a parameter for any number of arguments not counted.
    pub most: u8,
    /// Whether there is such a parameter.
    pub any: bool,
}

impl Variant {
    /// Bytes, for memory reports.
    pub fn size(&self) -> usize {
        size_of::<Self>() + self.declarations.len() * size_of::<u32>()
    }
}

impl Takes {
    pub(super) fn of(callable: &Callable) -> Self {
        let unnamed_void = |p: &rift_syntax::Parameter| p.name.is_none() && p.annotation.as_deref() == Some("void");
        let parameters = || callable.parameters.iter().filter(|p| !p.variadic && !unnamed_void(p));
        let count = |n: usize| u8::try_from(n).unwrap_or(u8::MAX);
        Self {
            least: count(parameters().filter(|p| !p.optional && p.default.is_none()).count()),
            most: count(parameters().count()),
            any: callable.parameters.iter().any(|p| p.variadic),
        }
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most), any: self.any || other.any }
    }
}

/// A digest of the types that the parameters of a callable are written with, type arguments and qualifiers left out; 0 of
/// anything else.
pub(super) fn shape(declaration: &Declaration) -> u32 {
    let Some(callable) = &declaration.callable else { return 0 };
    let mut hasher = FxHasher::default();
    for parameter in &callable.parameters {
        let written = parameter.annotation.as_deref().unwrap_or_default();
        let bare = written.split('<').next().unwrap_or_default().trim();
        bare.rsplit(['.', ' ', ':']).next().unwrap_or_default().hash(&mut hasher);
        written.matches("[]").count().hash(&mut hasher);
    }
    hasher.finish() as u32
}

/// The variants of `path`; none where nothing tells its declarations apart.
pub(super) fn variants(outline: &PathOutline, surface: Option<&Surface>, path: &NamePath) -> Box<[Variant]> {
    let ids = outline.at(path);
    let told_apart = |id: &DeclId| {
        let overloads = |d: &Declaration| d.facets.has(Facet::Callable) && d.joins != Joins::Alone;
        outline.outline.get(*id).is_some_and(overloads) || trait_of(&outline.outline, surface, *id).is_some()
    };
    if ids.len() < 2 && !ids.iter().any(told_apart) {
        return Box::default();
    }
    let groups = groups_at(&outline.outline, ids);
    if groups.len() < 2 && !ids.iter().any(told_apart) {
        return Box::default();
    }
    groups.iter().map(|group| variant(&outline.outline, surface, ids, group)).collect()
}

/// The trait that the impl block of the function or constant `id` implements, among the terms of `surface`: what is no type has
/// no other base.
pub(super) fn trait_of(outline: &Outline, surface: Option<&Surface>, id: DeclId) -> Option<TermId> {
    outline.get(id).filter(|declaration| !declaration.facets.has(Facet::Type))?;
    surface?.declared(id)?.bases.first().copied()
}

fn variant(outline: &Outline, surface: Option<&Surface>, ids: &[DeclId], group: &SymbolGroup) -> Variant {
    let number = |id: &DeclId| ids.iter().position(|other| other == id).unwrap_or(0) as u32;
    let mut out = Variant {
        declarations: group.declarations.iter().map(number).collect(),
        primary: number(&group.primary),
        facets: Facets::NONE,
        tag: None,
        takes: None,
        of: None,
        shape: outline.get(group.primary).map_or(0, shape),
    };
    for id in &group.declarations {
        let Some(declaration) = outline.get(*id) else { continue };
        out.facets = out.facets.union(declaration.facets);
        out.tag = match declaration.joins {
            Joins::Definition(tag) | Joins::Declaration(tag) | Joins::Part(tag) => Some(tag),
            Joins::Alone => out.tag,
        };
        if let Some(callable) = &declaration.callable {
            let takes = Takes::of(callable);
            out.takes = Some(out.takes.map_or(takes, |known| known.union(takes)));
        }
        if let (Some(surface), Some(base)) = (surface, trait_of(outline, surface, *id)) {
            out.of = Some(tree(outline, &surface.terms, base));
        }
    }
    out
}

/// A symbol that a use can mean.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) referent: Referent,
    facets: Facets,
    tag: Option<u64>,
    takes: Option<Takes>,
    of: Option<Arc<Tree>>,
}

/// The declarations that the term `id` names by lexical scope alone; none when it says anything else.
pub(super) fn declarations_of(terms: &Terms, id: TermId) -> Vec<DeclId> {
    let decl = |id: &TermId| match terms.get(*id) {
        Term::Decl(decl) => Some(*decl),
        _ => None,
    };
    match terms.get(id) {
        Term::Decl(decl) => vec![*decl],
        Term::Either(any) => any.iter().map(decl).collect::<Option<_>>().unwrap_or_default(),
        _ => Vec::new(),
    }
}

impl Evaluator<'_> {
    /// The symbols among `found` that `reference` means: those that its form, its arguments and its scope leave. `home` is the
    /// file of the reference, its outline, and the declarations there that lexical scope names.
    pub(super) fn meant(
        &mut self,
        layout: Option<&Layout>,
        reference: &Reference,
        home: (File, &PathOutline, &[DeclId]),
        found: &[DeclKey],
    ) -> Vec<Candidate> {
        let mut out: Vec<Candidate> = Vec::new();
        for decl in found {
            out.extend(candidates(self.db, *decl, home));
        }
        let imports = matches!(reference.role, Role::Import | Role::Export);
        let Some(layout) = layout.filter(|_| out.len() > 1 && !imports) else { return out };
        // What a file only gives on stands behind what it declares.
        narrow(&mut out, |one| !one.facets.has(Facet::Alias) || one.facets.has(Facet::Type));
        narrow(&mut out, |one| (layout.prefers)(reference, one.facets));
        if let Some(given) = reference.arguments.filter(|_| reference.role == Role::Call) {
            let fits = |one: &Candidate| one.takes.is_none_or(|t| t.least <= given && given <= t.most);
            let any = |one: &Candidate| one.takes.is_none_or(|t| t.least <= given && (given <= t.most || t.any));
            narrow(&mut out, any);
            narrow(&mut out, fits);
        }
        if out.len() > 1 && layout.has_extensions {
            self.narrow_to_impl(reference, &mut out);
        }
        out
    }

    /// Of members of several impl blocks: those of a type's own block come before those for traits (The Rust Reference, "Method
    /// call expressions"), and a path through a trait (`<A as T>::f`), which means a member of `T` too, those for that.
    fn narrow_to_impl(&mut self, reference: &Reference, candidates: &mut Vec<Candidate>) {
        let db = self.db;
        let is_trait = |owner: &DeclKey| declared(db, *owner).is_some_and(|d| d.facets.has(Facet::Implementable));
        let owners: Vec<Option<DeclKey>> =
            candidates.iter().map(|one| self.owner(one.referent.decl).filter(is_trait)).collect();
        let traits: Vec<DeclKey> = owners.iter().flatten().copied().collect();
        if !reference.not_field || traits.is_empty() || traits.len() == candidates.len() {
            let own: Vec<NamePath> = candidates
                .iter()
                .filter(|one| one.of.is_none())
                .map(|one| one.referent.decl.path(db).clone())
                .collect();
            return narrow(candidates, |one| one.of.is_none() || !own.contains(one.referent.decl.path(db)));
        }
        let stands: Vec<Stand> = candidates
            .iter()
            .zip(&owners)
            .map(|(one, owner)| match &one.of {
                _ if owner.is_some() => Stand::Declared,
                None => Stand::Other,
                Some(of) => {
                    let of = self.evaluate(one.referent.decl.file(db), of);
                    let of: Vec<DeclKey> = of.into_iter().flat_map(|of| self.type_of(of)).collect();
                    match of.iter().any(|of| traits.contains(of)) {
                        true => Stand::Implemented,
                        false if of.is_empty() => Stand::Unknown,
                        false => Stand::Other,
                    }
                }
            })
            .collect();
        let best = match (stands.contains(&Stand::Implemented), stands.contains(&Stand::Unknown)) {
            (true, _) => Stand::Implemented,
            (false, true) => return,
            (false, false) => Stand::Declared,
        };
        let mut stands = stands.iter();
        candidates.retain(|_| stands.next() == Some(&best));
    }
}

/// How a member stands to the trait that a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// The trait declares it.
    Declared,
    /// It implements that.
    Implemented,
    /// It is another trait's, or none's.
    Other,
    /// It implements a trait that is not found.
    Unknown,
}

/// The symbols of `decl`; in the file of the use, those that lexical scope names.
fn candidates(db: &dyn Db, decl: DeclKey, (file, outline, lexical): (File, &PathOutline, &[DeclId])) -> Vec<Candidate> {
    let Some(what) = declared(db, decl) else {
        return vec![Candidate::plain(decl, Facets::NONE)];
    };
    if what.variants.is_empty() {
        return vec![Candidate::plain(decl, what.facets)];
    }
    let of_variant = |variant: &Variant| Candidate {
        referent: Referent { decl, nth: variant.primary },
        facets: variant.facets,
        tag: variant.tag,
        takes: variant.takes,
        of: variant.of.clone(),
    };
    let ids = outline.at(decl.path(db));
    let named = |number: &u32| ids.get(*number as usize).is_some_and(|id| lexical.contains(id));
    let here = |variant: &&Variant| decl.file(db) == file && variant.declarations.iter().any(named);
    let scoped: Vec<Candidate> = what.variants.iter().filter(here).map(of_variant).collect();
    if scoped.is_empty() { what.variants.iter().map(of_variant).collect() } else { scoped }
}

impl Candidate {
    fn plain(decl: DeclKey, facets: Facets) -> Self {
        Self { referent: Referent { decl, nth: 0 }, facets, tag: None, takes: None, of: None }
    }
}

/// Drops those that are not as they should be, unless none is.
fn narrow(candidates: &mut Vec<Candidate>, keep: impl Fn(&Candidate) -> bool) {
    if candidates.len() > 1 && candidates.iter().any(&keep) {
        candidates.retain(keep);
    }
}

/// Whether `candidates` are one thing: one symbol; what one name imports; or, where files are text, one path, whichever files
/// declare it, that takes the same in all of them.
pub(super) fn is_one(db: &dyn Db, textual: bool, role: Role, candidates: &[Candidate]) -> bool {
    let [first, rest @ ..] = candidates else { return true };
    let imports = matches!(role, Role::Import | Role::Export);
    let same = |other: &Candidate| {
        let (one, two) = (first.referent.decl, other.referent.decl);
        let tags = first.tag.is_none() || other.tag.is_none() || first.tag == other.tag;
        imports && one == two || textual && one.path(db) == two.path(db) && (tags || imports)
    };
    rest.iter().all(same)
}
