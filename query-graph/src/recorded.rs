//! The edges that a database really took, while a command records them.

use std::collections::BTreeMap;

use crate::counters::Recording;
use crate::db::{Db, RootDatabase};
use crate::probe::{Edge, Node};

/// Starts to record who reads what. What ran before is not known: record before the first question.
pub fn start_recording(db: &RootDatabase) {
    db.counters().record_from_now(Recording::Edges);
}

/// Ends it, and answers the edges.
pub fn end_recording(db: &RootDatabase) -> Recorded {
    db.counters().record_from_now(Recording::Off);
    Recorded(db.counters().take_edges())
}

/// Edges, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded(Vec<Edge>);

impl Recorded {
    /// What `node` read.
    pub fn read_by(&self, node: Node) -> impl Iterator<Item = Node> {
        self.0.iter().filter(move |edge| edge.from == node).map(|edge| edge.to)
    }

    /// Who read `node`.
    pub fn readers_of(&self, node: Node) -> impl Iterator<Item = Node> {
        self.0.iter().filter(move |edge| edge.to == node).map(|edge| edge.from)
    }

    /// How many edges lead from the memos of one query to those of another, or to a field of an input: by their names.
    pub fn between_queries(&self) -> BTreeMap<(String, String), u64> {
        let mut out = BTreeMap::new();
        for edge in &self.0 {
            *out.entry((edge.from.label(), edge.to.label())).or_default() += 1;
        }
        out
    }
}

impl Node {
    /// The query, or `Input.field`.
    pub fn label(&self) -> String {
        match self.field() {
            Some(field) => format!("{}.{field}", self.name()),
            None => self.name().to_owned(),
        }
    }
}
