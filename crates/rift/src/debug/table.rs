//! Tables of text: names to the left, numbers to the right.

/// Lays rows out under their heads. Columns of `left` stand to the left.
pub(crate) fn table(heads: &[&str], rows: &[Vec<String>], left: &[usize]) -> String {
    let width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count());
        cells.chain(heads.get(at).map(|head| head.chars().count())).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let heads: Vec<String> = heads.iter().map(|head| (*head).to_owned()).collect();
    let mut out = String::new();
    for row in std::iter::once(&heads).chain(rows) {
        let mut line = String::new();
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let room = " ".repeat(width.saturating_sub(cell.chars().count()));
            let gap = if at == 0 { "" } else { "  " };
            line += &match left.contains(&at) {
                true => format!("{gap}{cell}{room}"),
                false => format!("{gap}{room}{cell}"),
            };
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// Microseconds, in the unit that reads best.
pub(crate) fn time(micros: u64) -> String {
    match micros {
        0..=999 => format!("{micros} us"),
        1_000..=999_999 => format!("{:.1} ms", micros as f64 / 1e3),
        _ => format!("{:.2} s", micros as f64 / 1e6),
    }
}

/// Bytes, in the unit that reads best: powers of 1024.
pub(crate) fn bytes(bytes: u64) -> String {
    match bytes {
        0..=1023 => format!("{bytes} B"),
        1024..=1_048_575 => format!("{:.1} KB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MB", bytes as f64 / 1_048_576.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "10".to_owned()], vec!["long".to_owned(), "1".to_owned()]];
        assert_eq!(table(&["name", "n"], &rows, &[0]), "name   n\na     10\nlong   1\n");
    }

    #[test]
    fn units_fit() {
        assert_eq!([time(999), time(1_500), time(2_340_000)], ["999 us", "1.5 ms", "2.34 s"]);
        assert_eq!([bytes(1023), bytes(1536), bytes(3 << 20)], ["1023 B", "1.5 KB", "3.0 MB"]);
    }
}
