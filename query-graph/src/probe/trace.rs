//! What a command wants to know beyond counts, recorded while it runs: which query read what, or every step in order.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use dashmap::DashSet;
use rustc_hash::FxBuildHasher;
use salsa::Id;

use super::Subject;

/// The field of a node that is no input.
const NO_FIELD: u8 = u8::MAX;

/// A memo, or a field of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    pub(crate) subject: Subject,
    pub(crate) field: u8,
    pub(crate) id: Id,
}

impl Node {
    pub(crate) fn query(subject: Subject, id: Id) -> Self {
        Self { subject, field: NO_FIELD, id }
    }
}

/// That one memo was made of another, or of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// What read.
    pub from: Node,
    /// What was read.
    pub to: Node,
}

/// One step of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// A query was called, or a field read.
    Asked(Node),
    /// The call has its answer.
    Answered(Node),
    /// A body began to run.
    Started(Node),
    /// It ended after so many nanoseconds, of which so many were its own.
    Ended(Node, u64, u64),
    /// Its value was compared with the one before.
    Compared(Node, bool),
    /// A memo was found current.
    Validated(Node),
}

thread_local! {
    /// The bodies that run on this thread, the innermost last, while something is recorded.
    static RUNNING: RefCell<Vec<Node>> = const { RefCell::new(Vec::new()) };
}

/// What is recorded.
#[derive(Default)]
pub(crate) struct Recorder {
    edges: DashSet<Edge, FxBuildHasher>,
    steps: Mutex<Vec<Step>>,
}

impl Recorder {
    /// Notes that whatever runs on this thread reads `to`.
    pub(crate) fn edge(&self, to: Node) {
        if let Some(from) = RUNNING.with_borrow(|running| running.last().copied()) {
            self.edges.insert(Edge { from, to });
        }
    }

    pub(crate) fn step(&self, step: Step) {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner).push(step);
    }

    pub(crate) fn enter(node: Node) {
        RUNNING.with_borrow_mut(|running| running.push(node));
    }

    /// Leaves `node`, and what was entered in it and not left.
    pub(crate) fn leave(node: Node) {
        RUNNING.with_borrow_mut(|running| {
            if let Some(at) = running.iter().rposition(|other| *other == node) {
                running.truncate(at);
            }
        });
    }

    /// The edges, in order.
    pub(crate) fn take_edges(&self) -> Vec<Edge> {
        let mut edges: Vec<Edge> = self.edges.iter().map(|edge| *edge).collect();
        edges.sort_unstable();
        self.edges.clear();
        edges
    }

    /// The steps since the last call, in their order.
    pub(crate) fn take_steps(&self) -> Vec<Step> {
        std::mem::take(&mut *self.steps.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
