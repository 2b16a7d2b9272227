//! Which rows may hold a match: a formula over trigrams, and its evaluation.

use super::extract::Trigram;
use super::segment::Segment;

/// What the text of every match holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrigramQuery {
    /// Nothing is known: every text may match.
    All,
    /// Nothing matches.
    None,
    /// All of these trigrams, each once and in order, and what each of the parts asks for.
    And(Vec<Trigram>, Vec<TrigramQuery>),
    /// What one of the parts asks for at least.
    Or(Vec<TrigramQuery>),
}

impl TrigramQuery {
    /// Whether the formula says nothing.
    pub fn is_all(&self) -> bool {
        *self == Self::All
    }

    /// What both ask for.
    pub(crate) fn and(self, other: Self) -> Self {
        use TrigramQuery::{All, And, None, Or};
        match (self, other) {
            (None, _) | (_, None) => None,
            (All, same) | (same, All) => same,
            (And(mut trigrams, mut parts), And(more, others)) => {
                trigrams.extend(more);
                trigrams.sort_unstable();
                trigrams.dedup();
                others.into_iter().for_each(|part| push_new(&mut parts, part));
                And(trigrams, parts)
            }
            (And(trigrams, mut parts), or @ Or(_)) | (or @ Or(_), And(trigrams, mut parts)) => {
                push_new(&mut parts, or);
                And(trigrams, parts)
            }
            (a, b) if a == b => a,
            (a, b) => And(Vec::new(), vec![a, b]),
        }
    }

    /// What one of both asks for.
    pub(crate) fn or(self, other: Self) -> Self {
        use TrigramQuery::{All, None, Or};
        match (self, other) {
            (All, _) | (_, All) => All,
            (None, same) | (same, None) => same,
            (Or(mut parts), Or(others)) => {
                others.into_iter().for_each(|part| push_new(&mut parts, part));
                Or(parts)
            }
            (Or(mut parts), part) | (part, Or(mut parts)) => {
                push_new(&mut parts, part);
                Or(parts)
            }
            (a, b) if a == b => a,
            (a, b) => Or(vec![a, b]),
        }
    }

    /// The texts that hold `literal`.
    pub(crate) fn literal(literal: &[u8]) -> Self {
        let windows = literal.windows(3).filter(|window| !window.contains(&b'\n'));
        let mut trigrams: Vec<Trigram> =
            windows.map(|w| u32::from(w[0]) << 16 | u32::from(w[1]) << 8 | u32::from(w[2])).collect();
        trigrams.sort_unstable();
        trigrams.dedup();
        if trigrams.is_empty() { Self::All } else { Self::And(trigrams, Vec::new()) }
    }

    /// Whether a text with these trigrams, in order, may match.
    pub(crate) fn admits(&self, held: &[Trigram]) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::And(trigrams, parts) => {
                trigrams.iter().all(|t| held.binary_search(t).is_ok()) && parts.iter().all(|part| part.admits(held))
            }
            Self::Or(parts) => parts.iter().any(|part| part.admits(held)),
        }
    }

    /// The rows of `segment` that may match, ascending; absent for all of them.
    pub(super) fn rows(&self, segment: &Segment) -> Option<Vec<u32>> {
        match self {
            Self::All => None,
            Self::None => Some(Vec::new()),
            Self::And(trigrams, parts) => {
                let mut rows = and_lists(segment, trigrams);
                for part in parts {
                    if rows.as_ref().is_some_and(Vec::is_empty) {
                        break;
                    }
                    rows = match (rows, part.rows(segment)) {
                        (None, other) | (other, None) => other,
                        (Some(rows), Some(more)) => Some(common(&rows, &more)),
                    };
                }
                rows
            }
            Self::Or(parts) => {
                let mut rows = Vec::new();
                for part in parts {
                    rows.extend(part.rows(segment)?);
                }
                rows.sort_unstable();
                rows.dedup();
                Some(rows)
            }
        }
    }
}

fn push_new(parts: &mut Vec<TrigramQuery>, part: TrigramQuery) {
    if !parts.contains(&part) {
        parts.push(part);
    }
}

/// The rows that hold all of `trigrams`; absent when there are none to hold. The shortest list is read first.
fn and_lists(segment: &Segment, trigrams: &[Trigram]) -> Option<Vec<u32>> {
    if trigrams.is_empty() {
        return None;
    }
    let lists: Option<Vec<_>> = trigrams.iter().map(|trigram| segment.list(*trigram)).collect();
    let Some(mut lists) = lists else { return Some(Vec::new()) };
    lists.sort_by_key(|list| list.count);
    let (mut rows, mut next) = (Vec::new(), Vec::new());
    segment.read(lists[0], &mut rows);
    for list in &lists[1..] {
        if rows.is_empty() {
            break;
        }
        next.clear();
        segment.read(*list, &mut next);
        rows = common(&rows, &next);
    }
    Some(rows)
}

/// What two ascending lists have in common.
fn common(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut others = b.iter().peekable();
    let is_shared = |number: &&u32| {
        while others.next_if(|other| other < number).is_some() {}
        others.peek() == Some(number)
    };
    a.iter().filter(is_shared).copied().collect()
}
