//! The names nearest to one that does not exist.

use tantivy::columnar::StrColumn;

use crate::distance::{Bar, Comparison, NameStream, NameWork, Stop, for_each_name, push_key};
use crate::error::IndexError;
use crate::searcher::{Searcher, SymbolRow};
use crate::segment::{RowKind, Segment, live_docs, raw_rows};

/// The most names with the qualifiers asked for, and with nearly the last segment asked for, that are compared
/// ahead of all others.
const LIKELY_NAMES_MAX: usize = 512;

/// A qualified name near to the one asked for, with every declaration of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearName {
    /// The qualified name.
    pub qualified: String,
    /// The Levenshtein distance of the short or the qualified name, whichever is nearer.
    pub distance: u32,
    /// Its declarations by path and ordinal; at least one.
    pub rows: Vec<SymbolRow>,
}

/// What looking for near names gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NearNames {
    /// The nearest names, by distance, then by qualified name.
    Found(Vec<NearName>),
    /// The work ran out, and nothing is known: a part of the names never passes for the nearest.
    Exhausted,
}

/// By segment: distances of qualified names, by their ordinals in the segment.
type Found = Vec<Vec<(u32, u64)>>;

impl Searcher {
    /// The up to `limit` qualified names whose short or qualified name has the smallest case-insensitive
    /// Levenshtein distance to `name`; ties by qualified name.
    ///
    /// # Errors
    /// [`IndexError::Engine`] when the index cannot be read.
    pub fn names_near(&self, name: &str, limit: usize, work: NameWork) -> Result<NearNames, IndexError> {
        let mut comparison = Comparison::new(name, work);
        let mut found: Found = vec![Vec::new(); self.state.segments.len()];
        let limit = limit.max(1);
        let compared = self.compare(&mut comparison, name, limit, &mut found);
        match compared {
            Err(Stop::Exhausted) => Ok(NearNames::Exhausted),
            Err(Stop::Failed(error)) => Err(error),
            Ok(()) => self.nearest(found, limit).map(NearNames::Found),
        }
    }

    fn compare(&self, comparison: &mut Comparison, name: &str, limit: usize, found: &mut Found) -> Result<(), Stop> {
        let last = name.rsplit(['.', ':', '/', '#']).next().unwrap_or("");
        let is_qualified = last.len() < name.len() && !last.is_empty();
        let known = if is_qualified { self.likely_bar(comparison, name, last, limit)? } else { u32::MAX };
        let bar = self.near_short_names(comparison, limit, known, found)?;
        self.near_qualified_names(comparison, limit, bar, found)
    }

    /// A distance within which there are `limit` qualified names: that of names with the query's qualifiers or
    /// nearly its last segment. Without it, a long query would be compared with names of all lengths.
    fn likely_bar(&self, comparison: &mut Comparison, name: &str, last: &str, limit: usize) -> Result<u32, Stop> {
        let left = comparison.work.budget.saturating_sub(comparison.spent);
        let mut by_last = Comparison::new(last, NameWork { budget: left, ..comparison.work });
        let mut near: Found = vec![Vec::new(); self.state.segments.len()];
        self.near_short_names(&mut by_last, limit, u32::MAX, &mut near)?;
        comparison.spend(by_last.spent)?;
        let mut alike: Vec<(u32, String)> = Vec::new();
        let mut siblings: Vec<(u32, String)> = Vec::new();
        for (segment, near) in self.state.segments.iter().zip(near) {
            let Some(column) = &segment.qualified else { continue };
            alike.extend(first_names(column, near, LIKELY_NAMES_MAX)?);
            siblings.extend(live_names_below(segment, column, &name[..name.len() - last.len()])?);
        }
        let mut known: Vec<String> = Vec::new();
        for mut names in [alike, siblings] {
            names.sort_unstable();
            names.dedup();
            names.truncate(LIKELY_NAMES_MAX);
            known.extend(names.into_iter().map(|(_, name)| name));
        }
        known.sort_unstable();
        known.dedup();
        let mut bar = Bar { limit, smallest: Vec::new() };
        for name in known {
            if let Some(distance) = comparison.distance(&name, bar.value())? {
                bar.note(distance);
            }
        }
        Ok(bar.value())
    }

    /// Compares the short names, of which those further away than `known` are of no use. Returns the distance
    /// within which there are `limit` names.
    fn near_short_names(
        &self,
        comparison: &mut Comparison,
        limit: usize,
        known: u32,
        found: &mut Found,
    ) -> Result<u32, Stop> {
        let mut streams: Vec<NameStream<'_>> = Vec::new();
        for segment in &self.state.segments {
            let mut names = segment.names_spelled.terms().stream()?;
            streams.push(Box::new(move |buffer| {
                let more = names.advance();
                push_key(buffer, if more { names.key() } else { &[] });
                more
            }));
        }
        let mut bar = Bar { limit, smallest: Vec::new() };
        let mut near: Vec<(u32, String)> = Vec::new();
        for_each_name(streams, |name, holders| {
            if self.is_dead_name(holders)? {
                return Ok(());
            }
            if let Some(distance) = comparison.distance(name, bar.value().min(known))? {
                bar.note(distance);
                near.push((distance, name.to_owned()));
            }
            Ok(())
        })?;
        let bar = bar.value().min(known);
        for (distance, name) in near.into_iter().filter(|(distance, _)| *distance <= bar) {
            for (segment, found) in self.state.segments.iter().zip(found.iter_mut()) {
                let Some(mut rows) = raw_rows(&segment.names_spelled, name.as_bytes())? else { continue };
                let Some(column) = &segment.qualified else { continue };
                let ordinals = live_docs(segment, &mut rows).filter_map(|doc| column.ords().first(doc));
                found.extend(ordinals.map(|ordinal| (distance, ordinal)));
            }
        }
        Ok(bar)
    }

    /// Whether no live declaration has a short name, given its number in each segment that holds it.
    fn is_dead_name(&self, holders: &[(usize, u64)]) -> Result<bool, IndexError> {
        for (at, number) in holders {
            if self.state.segments[*at].is_live_short_name(*number)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Compares the qualified names, of which those further away than `known` are of no use.
    fn near_qualified_names(
        &self,
        comparison: &mut Comparison,
        limit: usize,
        known: u32,
        found: &mut Found,
    ) -> Result<(), Stop> {
        let mut streams: Vec<NameStream<'_>> = Vec::new();
        let mut numbers: Vec<usize> = Vec::new();
        for (at, segment) in self.state.segments.iter().enumerate() {
            let Some(column) = &segment.qualified else { continue };
            let mut names = column.dictionary().stream()?;
            streams.push(Box::new(move |buffer| {
                let more = names.advance();
                push_key(buffer, if more { names.key() } else { &[] });
                more
            }));
            numbers.push(at);
        }
        let mut bar = Bar { limit, smallest: Vec::new() };
        for_each_name(streams, |name, holders| {
            let is_live =
                |(at, number): &(usize, u64)| self.state.segments[numbers[*at]].is_live_qualified_name(*number);
            if !holders.iter().any(is_live) {
                return Ok(());
            }
            if let Some(distance) = comparison.distance(name, bar.value().min(known))? {
                bar.note(distance);
                for (at, ordinal) in holders.iter().filter(|holder| is_live(holder)) {
                    found[numbers[*at]].push((distance, *ordinal));
                }
            }
            Ok(())
        })
    }

    /// The first `limit` names of those found in the segments.
    fn nearest(&self, found: Found, limit: usize) -> Result<Vec<NearName>, IndexError> {
        let mut names: Vec<(u32, String)> = Vec::new();
        for (segment, found) in self.state.segments.iter().zip(found) {
            let Some(column) = &segment.qualified else { continue };
            names.extend(first_names(column, found, limit)?);
        }
        // A name has the same distance in every segment that holds it.
        names.sort_unstable();
        names.dedup();
        names.truncate(limit);
        let near = |(distance, qualified): (u32, String)| {
            let rows = self.rows_named(&qualified)?;
            Ok(NearName { qualified, distance, rows })
        };
        names.into_iter().map(near).collect()
    }

    /// The declarations with this qualified name, by path and ordinal.
    fn rows_named(&self, qualified: &str) -> Result<Vec<SymbolRow>, IndexError> {
        let mut rows = Vec::new();
        let mut docs = Vec::new();
        for segment in &self.state.segments {
            let Some(column) = &segment.qualified else { continue };
            let Some(ordinal) = column.dictionary().term_ord(qualified)? else { continue };
            docs.clear();
            column.ords().get_docids_for_value_range(ordinal..=ordinal, 0..segment.reader.max_doc(), &mut docs);
            rows.extend(docs.iter().filter(|doc| segment.is_live(**doc)).filter_map(|&doc| match segment.kind(doc) {
                RowKind::Symbol(ordinal) => {
                    Some(SymbolRow { path: self.path(segment.rank(doc)), ordinal, key: segment.key(doc) })
                }
                RowKind::File | RowKind::Chunk => None,
            }));
        }
        rows.sort_unstable();
        Ok(rows)
    }
}

/// The text of the first `limit` names by distance and name, each at its smallest distance.
fn first_names(column: &StrColumn, mut found: Vec<(u32, u64)>, limit: usize) -> Result<Vec<(u32, String)>, IndexError> {
    // Ordinals are in the order of names, so the first of a distance are the first by name, and only these
    // need their text.
    found.sort_unstable_by_key(|(distance, ordinal)| (*ordinal, *distance));
    found.dedup_by_key(|(_, ordinal)| *ordinal);
    found.sort_unstable();
    let mut names = Vec::new();
    for (distance, ordinal) in found.into_iter().take(limit) {
        let mut text = String::new();
        if column.ord_to_str(ordinal, &mut text)? {
            names.push((distance, text));
        }
    }
    Ok(names)
}

/// The first names that begin with `qualifiers`.
fn live_names_below(segment: &Segment, column: &StrColumn, qualifiers: &str) -> Result<Vec<(u32, String)>, IndexError> {
    let mut stream = column.dictionary().prefix_range(qualifiers).into_stream()?;
    let mut names = Vec::new();
    while names.len() < LIKELY_NAMES_MAX && stream.advance() {
        if segment.is_live_qualified_name(stream.term_ord()) {
            names.push((0, String::from_utf8_lossy(stream.key()).into_owned()));
        }
    }
    Ok(names)
}
