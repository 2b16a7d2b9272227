//! What docs/queries.md says of each query. The page is what people read and tests hold against the source, so nothing of it is
//! written down twice.

/// The page.
const PAGE: &str = include_str!("../../docs/queries.md");

/// Which changes end at a query, in the words of the page; empty for a query without a row.
pub(crate) fn shields(query: &str) -> &'static str {
    cell(query, 3)
}

/// The cell of a query's row, from 0.
fn cell(query: &str, column: usize) -> &'static str {
    let start = format!("| `{query}` | ");
    let row = PAGE.lines().find(|line| line.starts_with(&start)).unwrap_or_default();
    row.trim_matches('|').split(" | ").nth(column).unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queries::QUERIES;

    #[test]
    fn every_query_says_what_it_shields() {
        assert_eq!(shields("outline"), "from bodies, comments and moved lines");
        let silent = QUERIES.iter().filter(|(name, _)| shields(name).is_empty());
        let silent: Vec<&str> = silent.map(|(name, _)| *name).collect();
        assert_eq!(silent, [""; 0], "queries whose row says nothing");
    }
}
