//! Incoming references against language servers, over real packages: twenty declarations a language, drawn with a fixed seed
//! from pinned versions, so that a figure moves only when the code does. `tests/bench/references.py` compares, says what an
//! edge is and which sites of a server count, and does the same over 200 declarations for `docs/references.md`.
//!
//! Asserted are the precision that is asked of proven edges, 97 % over both groups, and the recall of each group, 90 % and 75 %,
//! less one standard error of a share over as many edges: twenty declarations have some dozens of edges, and a group whose
//! recall is just what is asked lies below it in every second draw.

use std::path::Path;
use std::process::Command;

use rift_tests::{has_sources, peer, rift_path};
use serde_json::Value;

/// Fewest edges that are compared.
const EDGES_MIN: u64 = 20;

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
    assert!(sum("edges") >= EDGES_MIN, "{}", said());
    let judged = sum("proven") - sum("silent");
    assert!(2 * judged >= EDGES_MIN && 100 * sum("proven right") >= 97 * judged, "{}", said());
    for row in rows {
        let bar: f64 = if row["group"] == "members" { 0.75 } else { 0.90 };
        let Some(recall) = row["recall"].as_f64() else { continue };
        let edges = row["edges"].as_f64().expect("a number");
        assert!(recall >= bar - (bar * (1.0 - bar) / edges).sqrt(), "{}", said());
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
