//! Incoming references against language servers, over real packages: twenty declarations a language, drawn with a fixed seed
//! from pinned versions, so that a figure moves only when the code does. `tests/bench/references.py` compares, says what an
//! edge is and which sites of a server count, and does the same over 200 declarations for `docs/references.md`.
//!
//! Asserted are the bars themselves. Twenty declarations have some dozens of edges, so that one wrong edge is 1 to 3 %: a
//! group with fewer than ten edges is held to its declarations' other bars alone.

use std::path::Path;
use std::process::Command;

use rift_tests::{has_sources, peer, rift_path};
use serde_json::Value;

/// Fewest edges whose share says something.
const EDGES_MIN: u64 = 10;

/// Compares the code base `name` with what `needs` names; the language is that of the set-up's list.
fn compare(language: &str, name: &str, needs: &str) {
    if peer(needs).is_none() || !has_sources(language) {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench/references.py");
    let mut command = Command::new("python3");
    command.arg(script).args(["--json", "--count", "20", "--rift"]).arg(rift_path()).arg(name);
    let output = command.output().expect("Python starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_str(text.lines().last().expect("a line")).expect("the last line is JSON");
    let said = || format!("{text}\n{:#}", found["disagreements"]);
    let rows = found["rows"].as_array().expect("rows");
    let sum = |key: &str| rows.iter().map(|row| row[key].as_u64().expect("a number")).sum::<u64>();
    assert_eq!(sum("declarations"), 20, "{}", said());
    assert!(sum("edges") >= 2 * EDGES_MIN, "{}", said());
    let judged = sum("proven") - sum("silent");
    assert!(judged >= EDGES_MIN && 100 * sum("proven right") >= 97 * judged, "{}", said());
    for row in rows {
        let bar = if row["group"] == "members" { 0.75 } else { 0.90 };
        let recall = row["recall"].as_f64().unwrap_or(1.0);
        assert!(row["edges"].as_u64() < Some(EDGES_MIN) || recall >= bar, "{}", said());
    }
}

#[test]
fn python() {
    compare("python", "requests", "basedpyright");
}

#[test]
fn typescript() {
    compare("typescript", "rxjs", "typescript_server");
}

#[test]
fn javascript() {
    compare("javascript", "commander", "typescript_server");
}

#[test]
fn c() {
    compare("c", "zlib", "clangd");
}

#[test]
fn cpp() {
    compare("cpp", "leveldb-table", "clangd");
}
