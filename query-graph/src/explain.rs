//! What one edit made run, as a tree: each query that was asked, what was looked at for it, what ran, and where change stopped
//! because a value came out equal.

use std::collections::{BTreeMap, BTreeSet};

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
    /// Whether the body reads a field of an input.
    reads_input: bool,
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
    reads_input: bool,
    below: Vec<Closed>,
}

impl Open {
    fn new(node: Node, is_looked_at: bool) -> Self {
        let outcome = Outcome::Reused;
        Self { node, outcome, cause: None, reads_input: false, runs: false, is_looked_at, below: Vec::new() }
    }

    /// `changed` is what came out different so far: of that, something that the body asked is why it ran, where nothing that ran for
    /// it is.
    fn close(self, changed: &BTreeSet<Node>) -> Closed {
        let Self { node, outcome, cause, reads_input, below, .. } = self;
        let cause = cause.or_else(|| below.iter().map(|below| below.node).find(|below| changed.contains(below)));
        Closed { node, outcome, cause, reads_input, below }
    }
}

/// Builds the tree from the steps of one thread.
#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    closed: Vec<Closed>,
    counts: BTreeMap<&'static str, Counted>,
    changed: BTreeSet<Node>,
}

impl Builder {
    fn step(&mut self, step: Step) {
        match step {
            // A field of an input has no answer to wait for.
            Step::Asked(node) if node.field().is_some() => {
                if let Some(top) = self.open.last_mut() {
                    top.reads_input |= top.runs;
                }
            }
            Step::Asked(node) => self.open.push(Open::new(node, false)),
            Step::Answered(node) => self.close_to(node),
            Step::Validated(node) => {
                self.counts.entry(node.name()).or_default().validated += 1;
                match self.open.last_mut() {
                    Some(top) if top.node == node && !top.runs => top.outcome = Outcome::Validated,
                    _ => {
                        let open = Open { outcome: Outcome::Validated, ..Open::new(node, true) };
                        self.put(open.close(&self.changed));
                    }
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
                        self.put(ended.close(&self.changed));
                    }
                }
            }
            Step::Compared(node, is_equal) => {
                self.counts.entry(node.name()).or_default().backdated += u64::from(is_equal);
                if !is_equal {
                    self.changed.insert(node);
                }
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
            self.put(open.close(&self.changed));
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
    let because = match cause {
        Some(cause) => format!("because {cause} differs"),
        None if closed.reads_input => "because an input that it reads was set".to_owned(),
        None => "because of what it read before".to_owned(),
    };
    let why = match closed.outcome {
        Outcome::Ran { equal: Some(true), .. } => {
            format!("{because}; change stops here: it shields {}", shields(name))
        }
        Outcome::Ran { equal: Some(false), .. } => because,
        Outcome::Ran { equal: None, .. } => "there was no value before".to_owned(),
        Outcome::Validated => "all that it read came out equal".to_owned(),
        Outcome::Reused => "it was current".to_owned(),
    };
    Some(Branch { query: name, key, outcome: closed.outcome, why, below, validated })
}
