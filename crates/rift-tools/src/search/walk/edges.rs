//! One step of a walk: the symbols that refer to one, or that one refers to.

mod structure;

use std::collections::{BTreeMap, BTreeSet};

use rift_base::{Facet, ProjectPath};
use rift_host::facts::{DeclId, FileEntry};
use rift_host::{Derivation as Known, ResolvedSymbol, Role, Target, Usage, View, targets};
use rift_protocol::{Derivation, NodeId, RelationshipFacet, SymbolId};

use super::WalkError;
use crate::symbol::{node_id, symbol_id};

/// Uses that one relationship names as evidence.
const EVIDENCE_MAX: usize = 8;

/// What one step finds.
#[derive(Default)]
pub(super) struct Step {
    /// The neighbours, each once.
    pub(super) edges: Vec<Edge>,
    /// Calls that lead to no declaration here.
    pub(super) dropped: u64,
    /// Uses outside of any declaration, by file.
    pub(super) outside: BTreeMap<ProjectPath, u64>,
}

/// A neighbour and its relationship.
pub(super) struct Edge {
    pub(super) id: SymbolId,
    pub(super) symbol: ResolvedSymbol,
    pub(super) facets: Vec<RelationshipFacet>,
    pub(super) derivation: Derivation,
    pub(super) confidence: Option<f64>,
    pub(super) evidence: Vec<NodeId>,
}

/// What is gathered of one neighbour.
#[derive(Default)]
struct Draft {
    symbol: Option<ResolvedSymbol>,
    facets: BTreeSet<RelationshipFacet>,
    proven: bool,
    /// Of evidence that is no proof, the chance that the best of it means this neighbour.
    chance: f64,
    evidence: Vec<NodeId>,
}

/// What one place in a file says of a neighbour.
struct Found<'v> {
    entry: &'v FileEntry,
    site: Option<rift_base::ByteRange>,
    facets: Vec<RelationshipFacet>,
    derivation: Known,
    /// How many symbols it can mean.
    among: u32,
}

/// The symbols whose text refers to `symbol`, by the innermost declaration around each use.
pub(super) fn incoming(view: &View, symbol: &ResolvedSymbol, wanted: &[RelationshipFacet]) -> Result<Step, WalkError> {
    let mut step = Step::default();
    let mut drafts: BTreeMap<SymbolId, Draft> = BTreeMap::new();
    let is_type = facets_of(symbol).has(Facet::Type);
    for (path, usages) in view.incoming(&targets(symbol))? {
        let Some(entry) = view.entry(&path) else { continue };
        for usage in usages {
            let Some(owner) = usage.owner else {
                *step.outside.entry(path.clone()).or_default() += 1;
                continue;
            };
            let Some((id, neighbour)) = symbol_at(view, entry, owner)? else { continue };
            let facets = relationships(usage.role, is_type, is_test(&neighbour));
            if is_followed(&facets, wanted, &[]) {
                note(&mut drafts, view, (id, neighbour), used(entry, &usage, facets));
            }
        }
    }
    structure::incoming(view, symbol, wanted, &mut drafts)?;
    step.edges = finished(drafts, wanted, &[]);
    Ok(step)
}

/// The symbols that the text of `symbol` refers to; without a choice of relationships, those that it calls.
pub(super) fn outgoing(view: &View, symbol: &ResolvedSymbol, wanted: &[RelationshipFacet]) -> Result<Step, WalkError> {
    let mut step = Step::default();
    let mut drafts: BTreeMap<SymbolId, Draft> = BTreeMap::new();
    let test = is_test(symbol);
    for member in &symbol.members {
        let found = view.outgoing(&member.entry.path)?;
        let owns = |owner: Option<DeclId>| owner.is_some_and(|owner| owned_by(member, owner));
        step.dropped += found.unplaced.iter().filter(|owner| owns(**owner)).count() as u64;
        for usage in found.usages.into_iter().filter(|usage| owns(usage.owner)) {
            if let Some((id, neighbour)) = symbol_of(view, &usage.target)? {
                let facets = relationships(usage.role, facets_of(&neighbour).has(Facet::Type), test);
                if is_followed(&facets, wanted, &[RelationshipFacet::Calls]) {
                    note(&mut drafts, view, (id, neighbour), used(&member.entry, &usage, facets));
                }
            }
        }
    }
    structure::outgoing(view, symbol, wanted, &mut drafts)?;
    step.edges = finished(drafts, wanted, &[RelationshipFacet::Calls]);
    Ok(step)
}

/// Whether a place that says `facets` is evidence for what is asked.
fn is_followed(facets: &[RelationshipFacet], wanted: &[RelationshipFacet], default: &[RelationshipFacet]) -> bool {
    let followed = if wanted.is_empty() { default } else { wanted };
    followed.is_empty() || facets.iter().any(|facet| followed.contains(facet))
}

fn used<'v>(entry: &'v FileEntry, usage: &Usage, facets: Vec<RelationshipFacet>) -> Found<'v> {
    Found { entry, site: Some(usage.site), facets, derivation: usage.derivation, among: usage.among }
}

/// Whether the symbol that `member` is part of owns what stands in `owner`: its own text, or for what is no callable the text
/// of everything in it.
fn owned_by(member: &rift_host::Member, owner: DeclId) -> bool {
    let is_own = |id: DeclId| member.symbols.primary(id) == member.primary;
    if is_own(owner) {
        return true;
    }
    let outline = &member.facts.outline;
    if outline.get(member.primary).is_none_or(|declaration| declaration.facets.has(Facet::Callable)) {
        return false;
    }
    let mut here = outline.get(owner).and_then(|declaration| declaration.container);
    while let Some(id) = here {
        if is_own(id) {
            return true;
        }
        here = outline.get(id).and_then(|declaration| declaration.container);
    }
    false
}

fn note(
    drafts: &mut BTreeMap<SymbolId, Draft>,
    view: &View,
    (id, neighbour): (SymbolId, ResolvedSymbol),
    found: Found<'_>,
) {
    let draft = drafts.entry(id).or_default();
    draft.symbol.get_or_insert(neighbour);
    draft.facets.extend(found.facets);
    draft.proven |= found.derivation == Known::Syntax;
    draft.chance = draft.chance.max(chance(found.among));
    if draft.evidence.len() < EVIDENCE_MAX {
        let text = view.text(found.entry).unwrap_or_default();
        draft.evidence.extend(found.site.and_then(|site| node_id(found.entry, &text, site)));
    }
}

/// The chance that a use which can mean `among` symbols means one of them: even among them. One that stands in the body of a
/// macro, which leaves open whether it is a use at all, is even between that and none.
fn chance(among: u32) -> f64 {
    1.0 / f64::from(among.max(2))
}

/// The edges of `drafts` along one of `wanted`, or of `default` when nothing is asked for; all of them when that is empty too.
fn finished(
    drafts: BTreeMap<SymbolId, Draft>,
    wanted: &[RelationshipFacet],
    default: &[RelationshipFacet],
) -> Vec<Edge> {
    let followed = if wanted.is_empty() { default } else { wanted };
    let mut out = Vec::new();
    for (id, draft) in drafts {
        let facets: Vec<RelationshipFacet> =
            draft.facets.into_iter().filter(|facet| followed.is_empty() || followed.contains(facet)).collect();
        let Some(symbol) = draft.symbol.filter(|_| !facets.is_empty()) else { continue };
        let derivation = if draft.proven { Derivation::Syntax } else { Derivation::Heuristic };
        let confidence = (!draft.proven).then_some(draft.chance);
        out.push(Edge { id, symbol, facets, derivation, confidence, evidence: draft.evidence });
    }
    out
}

/// What a use in `role` says of the relationship.
fn relationships(role: Role, of_type: bool, in_test: bool) -> Vec<RelationshipFacet> {
    use RelationshipFacet as F;
    let mut out = vec![F::References];
    match role {
        Role::Call => {
            out.push(F::Calls);
            out.extend(of_type.then_some(F::Instantiates));
        }
        Role::Read => out.push(F::Reads),
        Role::Write => out.push(F::Writes),
        Role::Type => out.push(F::HasType),
        Role::Import => out.push(F::Imports),
        Role::Export => out.push(F::Exports),
        Role::Extends => out.push(F::Extends),
        Role::Implements => out.push(F::Implements),
        Role::Decorate => out.push(F::AnnotatedBy),
        Role::Expand => out.push(F::Calls),
    }
    out.extend((in_test && role == Role::Call).then_some(F::Tests));
    out
}

fn facets_of(symbol: &ResolvedSymbol) -> rift_base::Facets {
    let anchor = symbol.anchor();
    let declaration = anchor.and_then(|member| member.facts.outline.get(member.primary));
    declaration.map(|declaration| declaration.facets).unwrap_or_default()
}

fn is_test(symbol: &ResolvedSymbol) -> bool {
    facets_of(symbol).has(Facet::Test)
}

/// The symbol that declaration `id` of `entry` belongs to.
fn symbol_at(view: &View, entry: &FileEntry, id: DeclId) -> Result<Option<(SymbolId, ResolvedSymbol)>, WalkError> {
    let Some((key, _)) = view.identity(entry, id) else { return Ok(None) };
    let resolved = view.resolve(&key);
    let holds = |symbol: &&ResolvedSymbol| {
        symbol
            .members
            .iter()
            .any(|member| member.entry.path == entry.path && member.symbols.primary(id) == member.primary)
    };
    let found = resolved.iter().find(holds);
    Ok(found.and_then(|symbol| Some((symbol_id(&key, symbol.occurrence)?, symbol.clone()))))
}

/// The symbol that `target` names.
fn symbol_of(view: &View, target: &Target) -> Result<Option<(SymbolId, ResolvedSymbol)>, WalkError> {
    let Some(entry) = view.entry(&target.path) else { return Ok(None) };
    let Some(facts) = view.facts(entry) else { return Ok(None) };
    let mut named = facts.outline.iter().filter(|(_, declaration)| declaration.path == target.name);
    let Some((id, _)) = named.nth(target.nth as usize) else { return Ok(None) };
    symbol_at(view, entry, id)
}
