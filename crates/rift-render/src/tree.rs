//! The hits of a walk as trees: a root for each symbol that a walk starts from, below it a branch for each hop.

use std::collections::BTreeMap;

use rift_protocol::{Derivation, GraphHop, Hit, SearchHit, Symbol, SymbolId, TraversalDirection};

use crate::search::{Layout, symbol_hit};
use crate::symbol::declaration;
use crate::text::{Item, Text};

/// The hits of one answer: each stands either in `items` or on one node.
#[derive(Default)]
pub(crate) struct Forest<'a> {
    /// The hits outside the walk, in the order of the answer.
    pub(crate) items: Vec<&'a SearchHit>,
    nodes: Vec<Node<'a>>,
    /// The nodes that are roots, by their first hit.
    roots: Vec<usize>,
}

/// A root or a branch.
struct Node<'a> {
    symbol: &'a SymbolId,
    /// The hop that reaches the symbol; absent for a root.
    hop: Option<&'a GraphHop>,
    /// The hit that stands here; absent when it lies on another page.
    hit: Option<(&'a SearchHit, &'a Symbol)>,
    /// The place in the answer of the hit, without one of the first hit below.
    order: usize,
    branches: Vec<usize>,
}

/// The node of a root, or of a branch under its parent. Hops that would be written alike are one branch.
type Known<'a> = BTreeMap<(Option<usize>, String, &'a SymbolId), usize>;

impl<'a> Forest<'a> {
    pub(crate) fn of(results: &'a [SearchHit]) -> Self {
        let mut forest = Self::default();
        let mut known = Known::new();
        for (order, hit) in results.iter().enumerate() {
            forest.walked(&mut known, order, hit);
        }
        for hit in results {
            forest.unwalked(&known, hit);
        }
        for at in 0..forest.nodes.len() {
            let mut branches = std::mem::take(&mut forest.nodes[at].branches);
            branches.sort_by_key(|branch| forest.nodes[*branch].order);
            forest.nodes[at].branches = branches;
        }
        forest
    }

    /// Puts a walk hit on the branch of its last hop.
    fn walked(&mut self, known: &mut Known<'a>, order: usize, hit: &'a SearchHit) {
        let (Hit::Symbol { symbol }, [first, ..]) = (&hit.hit, hit.traversal_path.as_slice()) else { return };
        let mut parent = None;
        let mut at = self.reach(known, None, None, ends(first).0, order);
        for hop in &hit.traversal_path {
            parent = Some(at);
            at = self.reach(known, parent, Some(hop), ends(hop).1, order);
        }
        if self.nodes[at].hit.is_some() {
            // A second hit of the same path is shown beside the first one.
            at = self.add(parent, self.nodes[at].hop, self.nodes[at].symbol, order);
        }
        let node = &mut self.nodes[at];
        (node.hit, node.order) = (Some((hit, symbol.as_ref())), order);
    }

    /// Puts a hit outside the walk on the root of its symbol, when there is one that has no hit yet, else among the items.
    fn unwalked(&mut self, known: &Known<'a>, hit: &'a SearchHit) {
        if let Hit::Symbol { symbol } = &hit.hit {
            if !hit.traversal_path.is_empty() {
                return;
            }
            let root = symbol.id.as_ref().and_then(|id| known.get(&(None, String::new(), id)));
            if let Some(node) = root.map(|root| &mut self.nodes[*root]).filter(|node| node.hit.is_none()) {
                node.hit = Some((hit, symbol.as_ref()));
                return;
            }
        }
        self.items.push(hit);
    }

    /// The node that a hop from `parent` reaches, or the root without one; made when it is not known.
    fn reach(
        &mut self,
        known: &mut Known<'a>,
        parent: Option<usize>,
        hop: Option<&'a GraphHop>,
        symbol: &'a SymbolId,
        order: usize,
    ) -> usize {
        let key = (parent, hop.map(|hop| relationship(hop, false)).unwrap_or_default(), symbol);
        *known.entry(key).or_insert_with(|| self.add(parent, hop, symbol, order))
    }

    fn add(&mut self, parent: Option<usize>, hop: Option<&'a GraphHop>, symbol: &'a SymbolId, order: usize) -> usize {
        let at = self.nodes.len();
        self.nodes.push(Node { symbol, hop, hit: None, order, branches: Vec::new() });
        match parent {
            Some(parent) => self.nodes[parent].branches.push(at),
            None => self.roots.push(at),
        }
        at
    }

    /// The trees, behind the items.
    pub(crate) fn write(&self, text: &mut Text) {
        let mut first = self.items.is_empty();
        for root in &self.roots {
            let mut left = vec![(*root, 0)];
            while let Some((at, depth)) = left.pop() {
                if !first {
                    text.blank();
                }
                first = false;
                self.nodes[at].write(text, depth);
                left.extend(self.nodes[at].branches.iter().rev().map(|branch| (*branch, depth + 1)));
            }
        }
    }
}

impl Node<'_> {
    fn write(&self, text: &mut Text, depth: usize) {
        let declared = self.hit.is_some_and(|(_, symbol)| declaration(symbol).is_some());
        let by = declared && self.hop.is_some_and(ends_in_by);
        let mut item = match self.hop {
            Some(_) => Item::branch(text, depth),
            None => Item::new(text, 0, 1),
        };
        item.line_if(self.hop.map(|hop| relationship(hop, by)));
        match self.hit {
            Some((hit, symbol)) => symbol_hit(&mut item, hit, symbol, Layout::Tree { by }),
            None => item.line(&format!("at {}", self.symbol)),
        }
    }
}

/// The symbol that a hop starts from, and the one that it reaches.
fn ends(hop: &GraphHop) -> (&SymbolId, &SymbolId) {
    let relationship = &hop.relationship;
    match hop.direction {
        TraversalDirection::Outgoing => (&relationship.from, &relationship.to),
        TraversalDirection::Incoming => (&relationship.to, &relationship.from),
    }
}

/// What each facet of a hop is from the symbol that it starts from.
fn phrases(hop: &GraphHop) -> impl Iterator<Item = String> {
    hop.relationship.facets.iter().map(|facet| match hop.direction {
        TraversalDirection::Outgoing => facet.word().replace('_', " "),
        TraversalDirection::Incoming => facet.inverse().to_owned(),
    })
}

fn ends_in_by(hop: &GraphHop) -> bool {
    !hop.relationship.facets.is_empty() && phrases(hop).all(|phrase| phrase.ends_with(" by"))
}

/// The phrases of a hop, without the `by` at their ends when it is written `apart`.
fn relationship(hop: &GraphHop, apart: bool) -> String {
    let shown = |phrase: String| match phrase.strip_suffix(" by") {
        Some(short) if apart => short.to_owned(),
        _ => phrase,
    };
    let phrases: Vec<String> = phrases(hop).map(shown).collect();
    let probably = if hop.relationship.derivation == Derivation::Heuristic { "probably " } else { "" };
    format!("{probably}{}", phrases.join(", "))
}
