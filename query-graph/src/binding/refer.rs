//! What each reference of a file refers to.

use std::sync::Arc;

use query_graph_macros::query;
use rift_base::BindingConfig;
use rift_syntax::{PARAMETERS, PackedBinding, Role, UnitCounts};
use rustc_hash::FxHashMap;

use crate::db::Db;
use crate::inputs::{File, Workspace};

use super::evaluate::{Evaluator, Limits};
use super::facts::{file_outline, file_surface, uses};
use super::modules::file_layout;
use super::names::{DeclKey, declared};
use super::tree::{Tree, forest, tree};
use super::variants::{declarations_of, is_one};

/// What the references of one file refer to, as far as it can be placed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bindings {
    /// What is referred to, each once.
    pub targets: Box<[Referent]>,
    /// One row for each reference and target, in the order of the references.
    pub bound: Box<[Bound]>,
    /// References that took more work than `[providers.binding] max_reference_work`.
    pub exhausted: u32,
    /// Whether the file passes a bound of `[providers.binding]`: none of its references is bound.
    pub out_of_bounds: bool,
}

/// A symbol as bindings name it: of a path in a file, the one whose primary declaration is this one of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Referent {
    /// The file and the path.
    pub decl: DeclKey,
    /// The number of the declaration among those of the path in the file, in source order from 0: overloads, a field and a method
    /// of one name, and methods of several impl blocks share a path.
    pub nth: u32,
}

/// One reference and one of the symbols that it can mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// The reference: its number in the file's uses.
    pub reference: u32,
    /// The target: its number in [`Bindings::targets`].
    pub target: u32,
    /// How sure it is.
    pub derivation: Derivation,
}

/// How a reference came to its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Derivation {
    /// The text leaves this target alone.
    Syntax,
    /// The text leaves several targets, or leaves open that there is a reference at all.
    Heuristic,
}

/// What the references of the file at a path refer to. Reads its own uses, and of other files what it asks them by name; shields
/// whoever asks from edits that refer to the same.
#[query(returns(clone), heap_size = bindings_heap)]
pub fn bindings(db: &dyn Db, file: File) -> Arc<Bindings> {
    let config = Workspace::get(db).binding(db);
    let Some(packed) = uses(db, file).filter(|_| config.enabled) else { return Arc::default() };
    let uses = PackedBinding::unpack_uses(&packed);
    if !uses.counts.within(&bounds(&config)) {
        return Arc::new(Bindings { out_of_bounds: true, ..Bindings::default() });
    }
    let Some(outline) = file_outline(db, file) else { return Arc::default() };
    let trees = forest(&outline.outline, &uses.terms);
    let layout = file_layout(db, file);
    let mut evaluator = Evaluator::new(db, limits(&config));
    let textual = layout.is_some_and(|layout| layout.textual);
    let mut numbers: FxHashMap<Referent, u32> = FxHashMap::default();
    let mut targets = Vec::new();
    let mut bound = Vec::new();
    let mut exhausted = 0;
    for (number, reference) in uses.references.iter().enumerate() {
        let Some(tree) = trees.get(reference.term.0 as usize) else { continue };
        let Some(mut found) = evaluator.refer(file, tree) else {
            exhausted += 1;
            continue;
        };
        if let Some(layout) = layout {
            found.retain(|decl| declared(db, *decl).is_none_or(|what| (layout.fits)(reference.role, what.facets)));
        }
        let lexical = if textual { Vec::new() } else { declarations_of(&uses.terms, reference.term) };
        let meant = evaluator.meant(layout, reference, (file, &outline, &lexical), &found);
        let one = is_one(db, textual, reference.role, &meant);
        let derivation = if one && !reference.unproven { Derivation::Syntax } else { Derivation::Heuristic };
        let mut rows: Vec<(Referent, Derivation)> = meant.iter().map(|one| (one.referent, derivation)).collect();
        if let Some(name) = layout.and_then(|layout| layout.constructor).filter(|_| reference.role == Role::Call) {
            let called: Vec<DeclKey> = meant.iter().map(|one| one.referent.decl).collect();
            let constructors = evaluator.constructors(&called, name);
            let meant = evaluator.meant(layout, reference, (file, &outline, &[]), &constructors);
            rows.extend(meant.iter().map(|one| (one.referent, derivation)));
        }
        for (referent, derivation) in rows {
            let target = *numbers.entry(referent).or_insert_with(|| {
                targets.push(referent);
                targets.len() as u32 - 1
            });
            bound.push(Bound { reference: number as u32, target, derivation });
        }
    }
    Arc::new(Bindings { targets: targets.into(), bound: bound.into(), exhausted, out_of_bounds: false })
}

/// A name and what it gives on.
pub type Alias = (Arc<str>, Box<[DeclKey]>);

/// The names under which a file gives declarations on that are called otherwise, or stand elsewhere: re-exports, aliases and
/// default exports. Reads the surface for the names, and what each means. Names whose meaning carries the same name are left
/// out: whoever looks for uses by name finds their users.
#[query(returns(clone), heap_size = aliases_heap)]
pub fn aliases(db: &dyn Db, file: File) -> Arc<[Alias]> {
    let config = Workspace::get(db).binding(db);
    let (Some(surface), Some(outline)) = (file_surface(db, file), file_outline(db, file)) else {
        return Arc::default();
    };
    let mut evaluator = Evaluator::new(db, limits(&config));
    let mut out: Vec<Alias> = Vec::new();
    for entry in &surface.entries {
        let name = surface.terms.name(entry.name);
        let term = tree(&outline.outline, &surface.terms, entry.means);
        // A member that stands in another file than its type is exported by its path.
        let is_own = |path: &rift_base::NamePath| path.name() == name || path.as_str() == name;
        if PARAMETERS.contains(&name) || matches!(&*term, Tree::Decl(path) if is_own(path)) {
            continue;
        }
        let mut found = evaluator.refer(file, &term).unwrap_or_default();
        found.retain(|key| key.path(db).name() != name);
        if !found.is_empty() {
            out.push((name.into(), found.into()));
        }
    }
    out.into()
}

fn aliases_heap(aliases: &Arc<[Alias]>) -> usize {
    let one = |(name, keys): &Alias| name.len() + keys.len() * size_of::<DeclKey>() + 32;
    aliases.iter().map(one).sum()
}

fn bindings_heap(bindings: &Arc<Bindings>) -> usize {
    size_of::<Bindings>() + bindings.targets.len() * size_of::<Referent>() + bindings.bound.len() * size_of::<Bound>()
}

pub(super) fn limits(config: &BindingConfig) -> Limits {
    let most = |bound: u64| usize::try_from(bound).unwrap_or(usize::MAX);
    Limits {
        work: u32::try_from(config.max_reference_work).unwrap_or(u32::MAX),
        depth: most(config.max_path_depth),
        targets: most(config.max_reference_targets),
    }
}

fn bounds(config: &BindingConfig) -> UnitCounts {
    let most = |bound: u64| u32::try_from(bound).unwrap_or(u32::MAX);
    UnitCounts {
        scopes: most(config.max_unit_scopes),
        definitions: most(config.max_unit_definitions),
        references: most(config.max_unit_references),
        links: most(config.max_unit_links),
    }
}
