//! What each reference of a file refers to.

use std::sync::Arc;

use rift_syntax::{PackedBinding, UnitCounts};
use rustc_hash::FxHashMap;

use crate::db::Db;
use crate::inputs::File;

use super::evaluate::{Evaluator, Limits};
use super::facts::{file_outline, uses};
use super::names::DeclKey;
use super::tree::forest;

/// What the references of one file refer to, as far as it can be placed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bindings {
    /// What is referred to, each once.
    pub targets: Box<[DeclKey]>,
    /// One row for each reference and target, in the order of the references.
    pub bound: Box<[Bound]>,
    /// References that took more work than `[providers.binding] max_reference_work`.
    pub exhausted: u32,
    /// Whether the file passes a bound of `[providers.binding]`: none of its references is bound.
    pub out_of_bounds: bool,
}

/// One reference and one of the declarations that it can mean.
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
#[salsa::tracked(returns(clone), heap_size = bindings_heap)]
pub fn bindings(db: &dyn Db, file: File) -> Arc<Bindings> {
    let Some(packed) = uses(db, file) else { return Arc::default() };
    let uses = PackedBinding::unpack_uses(&packed);
    if !uses.counts.within(&BOUNDS) {
        return Arc::new(Bindings { out_of_bounds: true, ..Bindings::default() });
    }
    let Some(outline) = file_outline(db, file) else { return Arc::default() };
    let trees = forest(&outline.outline, &uses.terms);
    let mut evaluator = Evaluator::new(db, LIMITS);
    let mut numbers: FxHashMap<DeclKey, u32> = FxHashMap::default();
    let mut targets = Vec::new();
    let mut bound = Vec::new();
    let mut exhausted = 0;
    for (number, reference) in uses.references.iter().enumerate() {
        let Some(tree) = trees.get(reference.term.0 as usize) else { continue };
        let Some(found) = evaluator.refer(file, tree) else {
            exhausted += 1;
            continue;
        };
        let derivation = match found.len() {
            1 if !reference.unproven => Derivation::Syntax,
            _ => Derivation::Heuristic,
        };
        for decl in found {
            let target = *numbers.entry(decl).or_insert_with(|| {
                targets.push(decl);
                targets.len() as u32 - 1
            });
            bound.push(Bound { reference: number as u32, target, derivation });
        }
    }
    Arc::new(Bindings { targets: targets.into(), bound: bound.into(), exhausted, out_of_bounds: false })
}

fn bindings_heap(bindings: &Arc<Bindings>) -> usize {
    size_of::<Bindings>() + bindings.targets.len() * size_of::<DeclKey>() + bindings.bound.len() * size_of::<Bound>()
}

const LIMITS: Limits = Limits { work: 4096, depth: 64, targets: 64 };

const BOUNDS: UnitCounts = UnitCounts { scopes: 4096, definitions: 16_384, references: 65_536, links: 4096 };
