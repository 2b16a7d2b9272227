//! What one edit made run, as a tree: each query that was asked, what was looked at for it, what ran, and where change stopped
//! because a value came out equal.

use std::collections::BTreeMap;

use crate::about::shields;
use crate::counters::Recording;
use crate::db::{Db, RootDatabase};
use crate::probe::{Node, Step};

/// How a query came to its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Its body ran.
    Ran {
        /// Nanoseconds, with the queries that it asked.
        nanos: u64,
        /// Nanoseconds without them.
        own_nanos: u64,
        /// Whether the value equals the one before; absent where there was none.
        equal: Option<bool>,
    },
    /// Its memo was found current: nothing that it read differs.
    Validated,
    /// Its memo was current already.
    Reused,
}

/// One query on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The query.
    pub query: &'static str,
    /// Its key.
    pub key: String,
    /// How it came to its answer.
    pub outcome: Outcome,
    /// Why: what differed, or what did not.
    pub why: String,
    /// What it looked at or asked, as far as anything ran there, in that order.
    pub below: Vec<Branch>,
    /// Further memos below that were validated, and nothing ran for them.
    pub validated: u64,
}

/// What an edit made run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Explanation {
    /// The questions that something ran for.
    pub asked: Vec<Branch>,
    /// For each query how often it ran, was validated, and came out equal.
    pub counts: BTreeMap<&'static str, Counted>,
    /// Questions that nothing ran for.
    pub untouched: u64,
}

/// How often a query did what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counted {
    /// Bodies that ran.
    pub executed: u64,
    /// Memos found current.
    pub validated: u64,
    /// Runs with an equal value.
    pub backdated: u64,
}

/// Runs `work` on this thread and says what ran for it.
pub fn explained(db: &mut RootDatabase, work: impl FnOnce(&mut RootDatabase)) -> Explanation {
    let counters = db.counters().clone();
    counters.take_steps();
    counters.record_from_now(Recording::Steps);
    work(db);
    counters.record_from_now(Recording::Off);
    explanation(db, counters.take_steps())
}

/// A query that has not its answer yet.
struct Open {
    node: Node,
    outcome: Outcome,
    /// What ran and came out different before the body ran: why it ran.
    cause: Option<Node>,
    runs: bool,
    /// Whether salsa runs it for another query that it looks at, without a call.
    is_looked_at: bool,
    below: Vec<Closed>,
}

/// A query that has its answer.
struct Closed {
    node: Node,
    outcome: Outcome,
    cause: Option<Node>,
    below: Vec<Closed>,
}

impl Open {
    fn new(node: Node, is_looked_at: bool) -> Self {
        Self { node, outcome: Outcome::Reused, cause: None, runs: false, is_looked_at, below: Vec::new() }
    }

    fn close(self) -> Closed {
        Closed { node: self.node, outcome: self.outcome, cause: self.cause, below: self.below }
    }
}

/// Builds the tree from the steps of one thread.
#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    closed: Vec<Closed>,
    counts: BTreeMap<&'static str, Counted>,
}

impl Builder {
    fn step(&mut self, step: Step) {
        match step {
            // A field of an input has no answer to wait for.
            Step::Asked(node) if node.field().is_some() => {}
            Step::Asked(node) => self.open.push(Open::new(node, false)),
            Step::Answered(node) => self.close_to(node),
            Step::Validated(node) => {
                self.counts.entry(node.name()).or_default().validated += 1;
                match self.open.last_mut() {
                    Some(top) if top.node == node && !top.runs => top.outcome = Outcome::Validated,
                    _ => self.put(Closed { node, outcome: Outcome::Validated, cause: None, below: Vec::new() }),
                }
            }
            Step::Started(node) => self.start(node),
            Step::Ended(node, nanos, own_nanos) => {
                self.counts.entry(node.name()).or_default().executed += 1;
                if let Some(top) = self.open.last_mut().filter(|top| top.node == node) {
                    top.outcome = Outcome::Ran { nanos, own_nanos, equal: None };
                    if top.is_looked_at
                        && let Some(ended) = self.open.pop()
                    {
                        self.put(ended.close());
                    }
                }
            }
            Step::Compared(node, is_equal) => {
                self.counts.entry(node.name()).or_default().backdated += u64::from(is_equal);
                let last = match self.open.last_mut() {
                    Some(top) if top.node == node => Some(&mut top.outcome),
                    Some(top) => top.below.last_mut().map(|below| &mut below.outcome),
                    None => self.closed.last_mut().map(|below| &mut below.outcome),
                };
                if let Some(Outcome::Ran { equal, .. }) = last {
                    *equal = Some(is_equal);
                }
            }
        }
    }

    /// A body runs: that of the query that was asked last, or of one that salsa looks at for it.
    fn start(&mut self, node: Node) {
        if !self.open.last().is_some_and(|top| top.node == node && !top.runs) {
            self.open.push(Open::new(node, true));
        }
        if let Some(top) = self.open.last_mut() {
            let differs = |closed: &&Closed| matches!(closed.outcome, Outcome::Ran { equal: Some(false) | None, .. });
            top.cause = top.below.iter().rev().find(differs).map(|closed| closed.node);
            top.runs = true;
        }
    }

    fn close_to(&mut self, node: Node) {
        while let Some(open) = self.open.pop() {
            let is_it = open.node == node;
            self.put(open.close());
            if is_it {
                return;
            }
        }
    }

    fn put(&mut self, closed: Closed) {
        match self.open.last_mut() {
            Some(around) => around.below.push(closed),
            None => self.closed.push(closed),
        }
    }
}

fn explanation(db: &RootDatabase, steps: Vec<Step>) -> Explanation {
    let mut builder = Builder::default();
    steps.into_iter().for_each(|step| builder.step(step));
    let mut out = Explanation { counts: builder.counts, ..Explanation::default() };
    for closed in builder.closed {
        match branch(db, closed) {
            Some(branch) => out.asked.push(branch),
            None => out.untouched += 1,
        }
    }
    out
}

/// The branch of a query, when anything ran in it.
fn branch(db: &RootDatabase, closed: Closed) -> Option<Branch> {
    let (name, key) = (closed.node.name(), closed.node.key(db));
    let validated = closed.below.iter().filter(|below| below.outcome == Outcome::Validated).count();
    let below: Vec<Branch> = closed.below.into_iter().filter_map(|below| branch(db, below)).collect();
    if below.is_empty() && !matches!(closed.outcome, Outcome::Ran { .. }) {
        return None;
    }
    let cause = closed.cause.map(|cause| format!("{}({})", cause.name(), cause.key(db)));
    let stands = |below: &Branch| below.outcome == Outcome::Validated;
    let validated = validated.saturating_sub(below.iter().filter(|below| stands(below)).count()) as u64;
    let why = match closed.outcome {
        Outcome::Ran { equal: Some(true), .. } => {
            format!("the value came out equal: change stops here; it shields {}", shields(name))
        }
        Outcome::Ran { equal: Some(false), .. } => match cause {
            Some(cause) => format!("{cause} differs, and so does this value"),
            None => "what it reads of the inputs was set, and the value differs".to_owned(),
        },
        Outcome::Ran { equal: None, .. } => "there was no value before".to_owned(),
        Outcome::Validated => "all that it read came out equal".to_owned(),
        Outcome::Reused => "it was current".to_owned(),
    };
    Some(Branch { query: name, key, outcome: closed.outcome, why, below, validated })
}
