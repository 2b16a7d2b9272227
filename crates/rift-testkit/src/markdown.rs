//! Tables of a Markdown page, as tests read them.

use std::collections::BTreeMap;

/// The rows of the first table whose header has every one of `columns`: each a map from column to cell, cells trimmed.
///
/// # Panics
/// When there is no such table, or a row has another number of cells than the header: a page that a test reads is part
/// of the test.
pub fn table(page: &str, columns: &[&str]) -> Vec<BTreeMap<String, String>> {
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let header = cells(line);
        if !columns.iter().all(|column| header.iter().any(|cell| cell == column)) {
            continue;
        }
        let rule = lines.next().unwrap_or_default();
        assert!(is_rule(rule), "no rule below the header {line:?}");
        let rows = lines.by_ref().take_while(|line| line.starts_with('|'));
        return rows.map(|row| named(&header, cells(row))).collect();
    }
    panic!("no table with the columns {columns:?}");
}

fn named(header: &[String], cells: Vec<String>) -> BTreeMap<String, String> {
    assert_eq!(header.len(), cells.len(), "a row of another width: {cells:?}");
    header.iter().cloned().zip(cells).collect()
}

/// The cells of one row; none for a line that is no row. Bars inside cells are not known.
fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().strip_prefix('|').and_then(|l| l.strip_suffix('|'));
    inner.map(|l| l.split('|').map(|cell| cell.trim().to_owned()).collect()).unwrap_or_default()
}

fn is_rule(line: &str) -> bool {
    !cells(line).is_empty() && cells(line).iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| "-:".contains(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "| a | b |\n|---|---|\n| 1 | 2 |\n\ntext\n\n| name | key |\n|:--|--:|\n| x | |\n| y | File |\nend\n| z | z |\n";

    #[test]
    fn the_table_with_the_columns_is_read_to_its_end() {
        let rows = table(PAGE, &["key", "name"]);
        let read: Vec<(&str, &str)> = rows.iter().map(|row| (row["name"].as_str(), row["key"].as_str())).collect();
        assert_eq!(read, [("x", ""), ("y", "File")]);
    }

    #[test]
    #[should_panic(expected = "no table with the columns")]
    fn a_missing_table_is_named() {
        table(PAGE, &["name", "size"]);
    }

    #[test]
    #[should_panic(expected = "a row of another width")]
    fn a_short_row_is_refused() {
        table("| a | b |\n|---|---|\n| 1 |\n", &["a"]);
    }
}
