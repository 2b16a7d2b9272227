//! The declarations of one name.

use crate::error::IndexError;
use crate::searcher::{Searcher, SymbolRow};
use crate::segment::{RowKind, live_docs, raw_rows};

impl Searcher {
    /// The declarations whose short name is spelled `name`, by path and ordinal; absent when there are more than `max`.
    ///
    /// # Errors
    /// [`IndexError::Engine`] when the index cannot be read.
    pub fn named(&self, name: &str, max: usize) -> Result<Option<Vec<SymbolRow>>, IndexError> {
        let mut rows = Vec::new();
        for segment in &self.state.segments {
            let Some(mut postings) = raw_rows(&segment.names_spelled, name.as_bytes())? else { continue };
            for doc in live_docs(segment, &mut postings) {
                if let RowKind::Symbol(ordinal) = segment.kind(doc) {
                    rows.push(SymbolRow { path: self.path(segment.rank(doc)), ordinal, key: segment.key(doc) });
                }
                if rows.len() > max {
                    return Ok(None);
                }
            }
        }
        rows.sort_unstable();
        Ok(Some(rows))
    }
}
