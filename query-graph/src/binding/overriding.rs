//! Overrides: which members of types that a type extends or implements the members of a file stand in place of.

use std::sync::Arc;

use query_graph_macros::query;
use rift_base::Facet;
use rift_syntax::{DeclId, Declaration, Outline};

use crate::db::Db;
use crate::inputs::{File, Workspace};
use crate::symbols::groups_at;

use super::evaluate::Evaluator;
use super::facts::{file_outline, file_surface};
use super::languages::Layout;
use super::modules::file_layout;
use super::names::{DeclKey, Declared, NameIn, declared, named};
use super::refer::{Derivation, Referent, limits};
use super::tree::tree;
use super::variants::{Takes, shape, trait_of};

/// A member and what it overrides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Override {
    /// The declaration that stands for the member, in the outline of its file.
    pub decl: DeclId,
    /// The same as bindings name it.
    pub member: Referent,
    /// What it overrides.
    pub of: Referent,
    /// How sure it is.
    pub derivation: Derivation,
    /// How many symbols it can be.
    pub among: u32,
}

/// What the members of the file at a path override: of each base of their type the nearest member of the same name, where the
/// language overrides by extension. Reads the file's outline and surface, and of other files what it asks them by name;
/// shields whoever asks from edits that override the same.
#[query(returns(clone), heap_size = overrides_heap)]
pub fn overrides(db: &dyn Db, file: File) -> Arc<[Override]> {
    let config = Workspace::get(db).binding(db);
    let layout = file_layout(db, file).filter(|layout| config.enabled && layout.overrides);
    let (Some(layout), Some(outline)) = (layout, file_outline(db, file)) else { return Arc::default() };
    let mut evaluator = Evaluator::bounded(db, limits(&config), file);
    let mut out = Vec::new();
    for (id, member) in outline.outline.iter().filter(|(_, member)| can_override(layout, member)) {
        let ids = outline.at(&member.path);
        let group = groups_at(&outline.outline, ids).into_iter().find(|group| group.declarations.contains(&id));
        let Some(group) = group.filter(|group| group.primary == id) else { continue };
        let place = |id: DeclId| ids.iter().position(|other| *other == id).unwrap_or(0) as u32;
        let own = Referent { decl: DeclKey::new(db, file, member.path.clone()), nth: place(group.primary) };
        evaluator.restart();
        let bases = match layout.has_extensions {
            true => evaluator.traits_of(file, &outline.outline, id),
            false => evaluator.bases_of_owner(own.decl),
        };
        let mut found: Vec<(Referent, Derivation, u32)> = Vec::new();
        for base in bases {
            found.extend(evaluator.overridden(base, member, layout));
        }
        found.sort_unstable();
        found.dedup_by_key(|(of, ..)| *of);
        let row = |(of, derivation, among)| Override { decl: id, member: own, of, derivation, among };
        out.extend(found.into_iter().filter(|(of, ..)| *of != own).map(row));
    }
    out.into()
}

fn overrides_heap(overrides: &Arc<[Override]>) -> usize {
    overrides.len() * size_of::<Override>()
}

/// Whether a declaration is a member that can stand in place of an inherited one. A trait's functions are implemented whatever
/// they take, and a private virtual function of C++ can be overridden.
fn can_override(layout: &Layout, member: &Declaration) -> bool {
    let has = |facet| member.facets.has(facet);
    if layout.has_extensions {
        return has(Facet::Member) && has(Facet::Callable);
    }
    let is_private = member.visibility.as_deref() == Some("private") && !layout.textual;
    let kind = has(Facet::Callable) || has(Facet::Property);
    has(Facet::Member) && kind && !has(Facet::Constructor) && !has(Facet::Static) && !is_private
}

/// Whether it says itself that it overrides (C++, "override specifier"; TypeScript's `override`).
fn says_so(member: &Declaration) -> bool {
    member.modifiers.iter().any(|word| matches!(&**word, "override" | "final"))
}

impl Evaluator<'_> {
    /// The types that the type of the member `decl` extends or implements.
    fn bases_of_owner(&mut self, decl: DeclKey) -> Vec<DeclKey> {
        let Some(owner) = self.owner(decl) else { return Vec::new() };
        let owner = self.complete(owner);
        match declared(self.db, owner).is_some_and(|what| what.is_type()) {
            true => self.bases(owner).into_iter().map(|base| self.complete(base)).collect(),
            false => Vec::new(),
        }
    }

    /// The traits that the impl block of the function `id` implements.
    fn traits_of(&mut self, file: File, outline: &Outline, id: DeclId) -> Vec<DeclKey> {
        let Some(surface) = file_surface(self.db, file) else { return Vec::new() };
        let Some(base) = trait_of(outline, Some(&surface), id) else { return Vec::new() };
        let found = self.evaluate(file, &tree(outline, &surface.terms, base));
        found.into_iter().flat_map(|of| self.type_of(of)).collect()
    }

    /// What `member` overrides in `base` or what that inherits from: the nearest of its name. Where files are text (C++), a
    /// function overrides a virtual one alone, and one that takes the same.
    fn overridden(&mut self, base: DeclKey, member: &Declaration, layout: &Layout) -> Vec<(Referent, Derivation, u32)> {
        let db = self.db;
        let name: Arc<str> = (&*member.path.name()).into();
        let ancestors = self.ancestors(base);
        let mut nearest: Option<(DeclKey, Arc<Declared>)> = None;
        let mut is_virtual = says_so(member);
        for of in ancestors.iter() {
            if named(db, NameIn::new(db, *of, name.clone())).is_empty() {
                continue;
            }
            let key = DeclKey::new(db, of.file(db), of.path(db).child(&name));
            let Some(what) =
                declared(db, key).filter(|what| (layout.textual || !what.hidden) && what.facets.has(Facet::Member))
            else {
                continue;
            };
            is_virtual |= what.is_virtual;
            nearest.get_or_insert((key, what));
        }
        let Some((key, what)) = nearest.filter(|_| is_virtual || !layout.textual) else { return Vec::new() };
        let (takes, own_shape) = (member.callable.as_deref().map(Takes::of), shape(member));
        let fits = |facets: rift_base::Facets, other: Option<Takes>| {
            let kind = !layout.overloads || facets.has(Facet::Callable) == member.facets.has(Facet::Callable);
            let takes_same = !layout.overloads || takes.is_none() || other.is_none() || takes == other;
            let instance = !facets.has(Facet::Static) && !facets.has(Facet::Constructor);
            kind && takes_same && (instance || layout.has_extensions)
        };
        if what.variants.is_empty() {
            let sure = !layout.overloads || what.shape == own_shape;
            let derivation = if sure { Derivation::Syntax } else { Derivation::Heuristic };
            let found = fits(what.facets, what.takes).then_some((Referent { decl: key, nth: 0 }, derivation, 1));
            return found.into_iter().collect();
        }
        let mut all: Vec<_> = what.variants.iter().filter(|one| fits(one.facets, one.takes)).collect();
        if all.iter().any(|one| one.shape == own_shape) {
            all.retain(|one| one.shape == own_shape);
        }
        let sure = matches!(all.as_slice(), [one] if !layout.overloads || one.shape == own_shape);
        let derivation = if sure { Derivation::Syntax } else { Derivation::Heuristic };
        let count = all.len() as u32;
        all.into_iter().map(|one| (Referent { decl: key, nth: one.primary }, derivation, count)).collect()
    }
}
