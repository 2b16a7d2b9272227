//! Rows that hold a phrase.

use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED};

use crate::error::IndexError;
use crate::segment::Segment;

/// The rows of a segment in whose field the words stand at their distances from each other, with the number
/// of times they do; ascending, deleted rows included.
pub(crate) fn phrase_rows(
    segment: &Segment,
    field: usize,
    words: &[(u32, TermInfo)],
) -> Result<Vec<(DocId, u32)>, IndexError> {
    let mut lists: Vec<(u32, SegmentPostings)> = Vec::with_capacity(words.len());
    for (distance, info) in words {
        lists.push((*distance, segment.postings(field, info, IndexRecordOption::WithFreqsAndPositions)?));
    }
    // The rarest word leads.
    lists.sort_by_key(|(distance, postings)| (postings.doc_freq(), *distance));
    let mut found = Vec::new();
    let (mut starts, mut positions) = (Vec::new(), Vec::new());
    let mut doc = lists.first().map_or(TERMINATED, |(_, lead)| lead.doc());
    while doc != TERMINATED {
        match align(&mut lists, doc) {
            Some(further) => doc = further,
            None => {
                let times = occurrences(&mut lists, &mut starts, &mut positions);
                if times > 0 {
                    found.push((doc, times));
                }
                doc = lists[0].1.advance();
            }
        }
    }
    Ok(found)
}

/// Moves all lists to `doc`, where the first one is. When one has no such row, moves the first list to the
/// next row that may do and returns that.
fn align(lists: &mut [(u32, SegmentPostings)], doc: DocId) -> Option<DocId> {
    let (lead, others) = lists.split_first_mut()?;
    for (_, other) in others {
        let at = if other.doc() < doc { other.seek(doc) } else { other.doc() };
        if at != doc {
            return Some(if at == TERMINATED { TERMINATED } else { lead.1.seek(at) });
        }
    }
    None
}

/// How often the words stand at their distances in the row that all lists are at.
fn occurrences(lists: &mut [(u32, SegmentPostings)], starts: &mut Vec<u32>, positions: &mut Vec<u32>) -> u32 {
    for (at, (distance, postings)) in lists.iter_mut().enumerate() {
        postings.positions(positions);
        let candidates = positions.iter().filter_map(|position| position.checked_sub(*distance));
        if at == 0 {
            starts.clear();
            starts.extend(candidates);
        } else {
            let mut candidates = candidates.peekable();
            starts.retain(|start| {
                while candidates.next_if(|candidate| candidate < start).is_some() {}
                candidates.peek() == Some(start)
            });
        }
    }
    starts.len() as u32
}
