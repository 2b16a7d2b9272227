//! Walks: from one symbol along what refers to it, or along what it refers to. Breadth first, a symbol at its shortest
//! distance, at most [`WALK_DEPTH_ONE_MAX`] symbols one step away and [`WALK_VISITED_MAX`] in all.

mod edges;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use rift_base::Deadline;
use rift_host::facts::DeclId;
use rift_host::{ReferenceError, ResolvedSymbol, SymbolKey, View};
use rift_protocol::limits::{WALK_DEPTH_ONE_MAX, WALK_VISITED_MAX};
use rift_protocol::{
    Failure, GraphHop, Owner, ReadWarning, Relationship, RelationshipFacet, SearchTraversal, SymbolId,
    TraversalDirection,
};

use crate::context::{check, index_failure};
use crate::symbol::symbol_id;
use edges::{Edge, Step};

/// What a walk reached.
pub(super) struct Walked {
    /// The symbols, nearest first, those of one distance by path and offset.
    pub(super) reached: Vec<Reached>,
    /// What qualifies the answer.
    pub(super) warnings: Vec<ReadWarning>,
}

/// One symbol that a walk reached.
#[derive(Clone)]
pub(super) struct Reached {
    pub(super) path: rift_base::ProjectPath,
    pub(super) declaration: DeclId,
    pub(super) id: SymbolId,
    pub(super) hops: Vec<GraphHop>,
}

/// Why a walk gives nothing.
pub(super) enum WalkError {
    /// The caller's answer.
    Failure(Failure),
    /// The tree moved on since the view was captured.
    Moved,
}

impl From<Failure> for WalkError {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<ReferenceError> for WalkError {
    fn from(error: ReferenceError) -> Self {
        match error {
            ReferenceError::Moved => Self::Moved,
            ReferenceError::Index(error) => Self::Failure(index_failure(error)),
        }
    }
}

/// Relationships that bindings give, in either direction.
const POPULATED: &[RelationshipFacet] = {
    use RelationshipFacet as F;
    &[
        F::References,
        F::Calls,
        F::Reads,
        F::Writes,
        F::Imports,
        F::Exports,
        F::Extends,
        F::Implements,
        F::HasType,
        F::AnnotatedBy,
        F::Instantiates,
        F::Tests,
        F::Contains,
        F::Overrides,
    ]
};

/// A symbol that the walk stands at.
struct At {
    id: SymbolId,
    symbol: ResolvedSymbol,
    hops: Vec<GraphHop>,
}

/// The walk that `asked` describes, over `view`. A view remembers its walks, so that pages of one are pages of one selection.
pub(super) fn walk(view: &View, asked: &SearchTraversal, deadline: &Deadline) -> Result<Arc<Walked>, WalkError> {
    let key = format!("{asked:?}");
    if let Some(known) = view.memo::<Walked>(&key) {
        return Ok(known);
    }
    let walked = Arc::new(walk_anew(view, asked, deadline)?);
    view.memoize(key, walked.clone());
    Ok(walked)
}

fn walk_anew(view: &View, asked: &SearchTraversal, deadline: &Deadline) -> Result<Walked, WalkError> {
    let (facets, mut warnings) = facets(asked)?;
    let seed = resolve(view, &asked.seed, "traversal.seed")?;
    let to = asked.to.as_ref().map(|to| resolve(view, to, "traversal.to")).transpose()?;
    let language = served(view, &asked.seed, &seed)?;
    let mut walk = Walk { view, facets, direction: asked.direction, dropped: 0, outside: BTreeMap::new() };
    let mut found: HashSet<SymbolId> = HashSet::new();
    let mut reached: Vec<Reached> = Vec::new();
    let mut level = vec![At { id: asked.seed.clone(), symbol: seed, hops: Vec::new() }];
    let mut truncated = false;
    'depths: for depth in 1..=asked.depth {
        let bound = if depth == 1 { WALK_DEPTH_ONE_MAX } else { WALK_VISITED_MAX };
        let mut next: BTreeMap<(rift_base::ProjectPath, u32, SymbolId), At> = BTreeMap::new();
        for at in &level {
            check(deadline)?;
            for edge in walk.step(at)? {
                if edge.id == asked.seed || found.contains(&edge.id) {
                    continue;
                }
                if found.len() as u64 >= bound {
                    truncated = true;
                    break;
                }
                found.insert(edge.id.clone());
                let is_goal = asked.to.as_ref() == Some(&edge.id);
                let hit = at_edge(&at.id, &at.hops, edge, asked.direction);
                if is_goal {
                    next.clear();
                    next.insert(place(&hit), hit);
                    reached.extend(next.into_values().filter_map(|at| reached_at(&at)));
                    break 'depths;
                }
                next.insert(place(&hit), hit);
            }
        }
        level = next.into_values().collect();
        if to.is_none() {
            reached.extend(level.iter().filter_map(reached_at));
        }
        if truncated {
            break;
        }
    }
    if truncated {
        warnings.push(ReadWarning::TraversalTruncated {
            visited: found.len() as u64,
            detail: "the walk stopped at its bound; symbols beyond it are missing".to_owned(),
        });
    }
    warnings.extend(walk.warnings(&language));
    Ok(Walked { reached, warnings })
}

/// The relationships to follow, and what of them nothing gives.
fn facets(asked: &SearchTraversal) -> Result<(Vec<RelationshipFacet>, Vec<ReadWarning>), Failure> {
    let (served, missing): (Vec<_>, Vec<_>) = asked.facets.iter().partition(|facet| POPULATED.contains(facet));
    if served.is_empty() && !missing.is_empty() {
        let words: Vec<&str> = missing.iter().map(|facet: &RelationshipFacet| facet.word()).collect();
        return Err(Failure::capability_unavailable(&[
            ("capability", "relationship traversal"),
            ("reason", &format!("nothing populates the facets {}", words.join(", "))),
        ]));
    }
    let mut warnings = Vec::new();
    if !missing.is_empty() {
        warnings.push(ReadWarning::RelationshipCoverageMissing {
            facets: missing,
            detail: "nothing populates these relationships".to_owned(),
        });
    }
    Ok((served, warnings))
}

/// The symbol called `id`.
fn resolve(view: &View, id: &SymbolId, field: &str) -> Result<ResolvedSymbol, Failure> {
    let not_found = || Failure::not_found(field, id.as_str());
    if id.owner() != Owner::PRIMARY {
        return Err(not_found());
    }
    let key = SymbolKey { language: id.language_str().to_owned(), path: id.path() };
    let resolved = view.resolve(&key);
    let asked = |symbol: &&ResolvedSymbol| symbol_id(&key, symbol.occurrence).as_ref() == Some(id);
    resolved.iter().find(asked).cloned().ok_or_else(not_found)
}

/// The language whose bindings answer for the seed; a refusal when nothing binds it.
fn served(view: &View, id: &SymbolId, seed: &ResolvedSymbol) -> Result<rift_base::Language, WalkError> {
    let anchor = seed.anchor().ok_or_else(|| Failure::internal("traversal", "no declaration"))?;
    if !view.is_bound(&anchor.entry.path)? {
        let reason = format!("nothing resolves references in {}", id.language_str());
        return Err(Failure::capability_unavailable(&[
            ("capability", "relationship traversal (no language engine serves the seed)"),
            ("reason", &reason),
        ])
        .into());
    }
    id.language().ok_or_else(|| Failure::internal("traversal", "language").into())
}

fn at_edge(from: &SymbolId, hops: &[GraphHop], edge: Edge, direction: TraversalDirection) -> At {
    let (from, to) = match direction {
        TraversalDirection::Incoming => (edge.id.clone(), from.clone()),
        TraversalDirection::Outgoing => (from.clone(), edge.id.clone()),
    };
    let relationship = Relationship {
        from,
        kind: edge.facets.first().map_or("references", |facet| facet.word()).to_owned(),
        facets: edge.facets,
        to,
        evidence: edge.evidence,
        derivation: edge.derivation,
        confidence: edge.confidence,
        extensions: Default::default(),
    };
    let mut hops = hops.to_vec();
    hops.push(GraphHop { relationship, direction });
    At { id: edge.id, symbol: edge.symbol, hops }
}

fn place(at: &At) -> (rift_base::ProjectPath, u32, SymbolId) {
    let anchor = at.symbol.anchor();
    let path = anchor.map_or_else(rift_base::ProjectPath::root, |member| member.entry.path.clone());
    (path, anchor.map_or(0, |member| member.primary.0), at.id.clone())
}

fn reached_at(at: &At) -> Option<Reached> {
    let anchor = at.symbol.anchor()?;
    Some(Reached {
        path: anchor.entry.path.clone(),
        declaration: anchor.group()?.primary,
        id: at.id.clone(),
        hops: at.hops.clone(),
    })
}

/// A walk under way.
struct Walk<'v> {
    view: &'v View,
    /// Empty for all.
    facets: Vec<RelationshipFacet>,
    direction: TraversalDirection,
    /// Calls that lead to no declaration here.
    dropped: u64,
    /// Uses outside of any declaration, by file.
    outside: BTreeMap<rift_base::ProjectPath, u64>,
}

impl Walk<'_> {
    fn step(&mut self, at: &At) -> Result<Vec<Edge>, WalkError> {
        let Step { edges, dropped, outside } = match self.direction {
            TraversalDirection::Incoming => edges::incoming(self.view, &at.symbol, &self.facets)?,
            TraversalDirection::Outgoing => edges::outgoing(self.view, &at.symbol, &self.facets)?,
        };
        self.dropped += dropped;
        for (path, count) in outside {
            *self.outside.entry(path).or_default() += count;
        }
        Ok(edges)
    }

    /// What of the answer rests on syntax alone, and what is not in it.
    fn warnings(&self, language: &rift_base::Language) -> Vec<ReadWarning> {
        let mut detail = "references were resolved from the text alone; uses that only types inferred by an engine \
                          reveal are missing"
            .to_owned();
        if let Some((first, _)) = self.outside.first_key_value() {
            let uses: u64 = self.outside.values().sum();
            let others = self.outside.len() - 1;
            let others = if others == 0 { String::new() } else { format!(" and {others} other files") };
            detail.push_str(&format!("; {uses} uses stand outside any declaration, in {first}{others}"));
        }
        let mut out = vec![ReadWarning::EngineAnalysisUnavailable { language: Some(language.clone()), detail }];
        if self.dropped > 0 {
            out.push(ReadWarning::CalleesDropped {
                callees: self.dropped,
                detail: "calls that lead to no declaration of this workspace, or to one that the text does not tell"
                    .to_owned(),
            });
            out.push(ReadWarning::GlobalAccessDisabled {});
        }
        out
    }
}
