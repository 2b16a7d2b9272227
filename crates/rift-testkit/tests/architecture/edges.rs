//! The tables of the page, compared with the manifests both ways.

use std::collections::{BTreeMap, BTreeSet};

use rift_testkit::table;

use super::workspace::{packages, page, root, sources};

/// One row of the crate table.
struct Row {
    /// Absent for crates of tests.
    floor: Option<u32>,
    normal: BTreeSet<String>,
    dev: BTreeSet<String>,
}

/// The words of a cell in code font.
fn code(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn rows(page: &str) -> BTreeMap<String, Row> {
    let mut out = BTreeMap::new();
    for row in table(page, &["Floor", "Crate", "Depends on", "For tests"]) {
        let name = code(&row["Crate"]).pop_first().expect("a crate");
        assert!(row["Floor"] == "tests" || row["Floor"].parse::<u32>().is_ok(), "the floor of {name}");
        let read =
            Row { floor: row["Floor"].parse().ok(), normal: code(&row["Depends on"]), dev: code(&row["For tests"]) };
        assert!(out.insert(name.clone(), read).is_none(), "two rows for {name}");
    }
    out
}

/// What differs between the edges that `page` names and those of the manifests, one line each.
fn differences(page: &str) -> Vec<String> {
    let packages = packages();
    let rows = rows(page);
    let mut out = Vec::new();
    for name in packages.keys().filter(|name| !rows.contains_key(*name)) {
        out.push(format!("{name} has no row"));
    }
    for (name, row) in &rows {
        let Some(package) = packages.get(name) else {
            out.push(format!("{name} is no package"));
            continue;
        };
        let inside = |all: &BTreeSet<String>| all.iter().filter(|n| packages.contains_key(*n)).cloned().collect();
        for (kind, stated, real) in
            [("", &row.normal, inside(&package.normal)), (" (tests)", &row.dev, inside(&package.dev))]
        {
            let real: BTreeSet<String> = real;
            out.extend(stated.difference(&real).map(|to| format!("extra{kind}: {name} -> {to}")));
            out.extend(real.difference(stated).map(|to| format!("missing{kind}: {name} -> {to}")));
        }
    }
    out
}

#[test]
fn the_crate_table_has_the_exact_edges() {
    assert_eq!(differences(&page()), [""; 0]);
}

#[test]
fn a_missing_and_an_extra_edge_are_named() {
    let changed = page()
        .replace("| `rift-base`, `rift-protocol` | |\n| 5 |", "| `rift-base`, `rift-index` | |\n| 5 |")
        .replace("| `rift-testkit` |\n| 3 |", "| |\n| 3 |");
    let expected = [
        "missing (tests): query-graph -> rift-testkit",
        "extra: rift-render -> rift-index",
        "missing: rift-render -> rift-protocol",
    ];
    assert_eq!(differences(&changed), expected);
}

/// Never sideways, never up; crates of tests are for tests.
#[test]
fn edges_lead_to_lower_floors() {
    let rows = rows(&page());
    for (name, row) in &rows {
        for to in &row.normal {
            let below = rows[to].floor;
            assert!(below.is_some(), "{name} depends on {to} outside tests");
            assert!(row.floor.is_none() || below < row.floor, "{name} -> {to} does not lead down");
        }
    }
}

/// An edge that nothing uses is taken out of the manifest.
#[test]
fn every_edge_is_used() {
    let packages = packages();
    for (name, package) in &packages {
        let text: String = sources(&package.folder).into_iter().map(|(_, text)| text).collect();
        for to in package.normal.iter().chain(&package.dev).filter(|to| packages.contains_key(*to)) {
            assert!(text.contains(&to.replace('-', "_")), "{name} does not use {to}");
        }
    }
}

#[test]
fn every_dependency_is_justified() {
    let packages = packages();
    let all = packages.values().flat_map(|package| package.normal.iter().chain(&package.dev));
    let outside = all.filter(|name| !packages.contains_key(*name));
    let used: BTreeSet<String> = outside
        .map(|name| if name.starts_with("tree-sitter-") { "tree-sitter-*".to_owned() } else { name.clone() })
        .collect();
    let rows = table(&page(), &["Dependency", "Why"]);
    assert!(rows.iter().all(|row| !row["Why"].is_empty()));
    let named: BTreeSet<String> = rows.iter().flat_map(|row| code(&row["Dependency"])).collect();
    let missing: Vec<&String> = used.difference(&named).collect();
    let extra: Vec<&String> = named.difference(&used).collect();
    assert!(missing.is_empty() && extra.is_empty(), "without a row: {missing:?}; with a row and unused: {extra:?}");
}

/// Paths that the page sends a reader to.
#[test]
fn where_to_read_exists() {
    let page = page();
    let spans = page.split('`').skip(1).step_by(2);
    let paths: Vec<&str> = spans.filter(|span| span.contains('/') && !span.contains(' ')).collect();
    assert!(paths.len() > 20, "{paths:?}");
    for path in paths {
        assert!(root().join(path).exists(), "{path} does not exist");
    }
}
