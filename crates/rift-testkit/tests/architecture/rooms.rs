//! Which crates may touch what.

use super::workspace::{code, packages, root, sources};

/// The crates with an edge, tests included, to a dependency that `wanted` picks.
fn users(wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let packages = packages();
    let uses = packages.iter().filter(|(_, package)| package.normal.iter().chain(&package.dev).any(|d| wanted(d)));
    uses.map(|(name, _)| name.clone()).collect()
}

/// The benchmarks' parse floor is the one parser beside rift-syntax: it is what the index is measured against.
#[test]
fn dependencies_with_a_room_stay_in_it() {
    assert_eq!(users(|name| name.starts_with("tree-sitter")), ["rift-syntax", "rift-tests"]);
    assert_eq!(users(|name| name.starts_with("tantivy")), ["rift-index"]);
    assert_eq!(users(|name| name.starts_with("salsa")), ["query-graph", "rift-host"]);
    assert_eq!(users(|name| name == "rift-syntax"), ["query-graph"]);
    assert_eq!(users(|name| name == "query-graph"), ["rift-host"]);
    assert_eq!(users(|name| name == "rift-index"), ["rift-host"]);
}

/// The grammars are parsers of the benchmark only, not of the tests' answers.
#[test]
fn the_tests_of_the_whole_binary_parse_nothing() {
    let tests = root().join("tests");
    let parsing = sources(&tests).into_iter().filter(|(_, text)| text.contains("tree_sitter"));
    let named: Vec<String> = parsing.filter_map(|(path, _)| Some(path.file_name()?.to_str()?.to_owned())).collect();
    assert_eq!(named, ["parse_floor.rs"]);
}

/// Text becomes facts in one query, so no answer can go round the database: `extract` is called once in query-graph and
/// not handed on, and no other crate has an edge to rift-syntax.
#[test]
fn source_is_extracted_in_one_place() {
    let mut calls = Vec::new();
    for (path, text) in sources(&root().join("query-graph/src")) {
        for line in code(&text).filter(|line| line.contains("extract(")) {
            calls.push((
                path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned(),
                line.to_owned(),
            ));
        }
        let handed_on = text.split("pub use rift_syntax::").skip(1).filter_map(|rest| rest.split(';').next());
        for names in handed_on {
            let mut words = names.split(|c: char| !c.is_alphanumeric() && c != '_');
            assert!(words.all(|word| word != "extract" && word != "languages"), "{} hands on {names}", path.display());
            assert!(!names.contains('*'), "{} hands on everything", path.display());
        }
    }
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert_eq!(calls[0].0, "syntax.rs");
}

/// The crates that may read and write files, and look at the wall clock.
const IO: &[&str] = &["rift-workspace", "rift-host", "rift-server", "rift"];
/// Crates that run in tests and benchmarks only.
const TESTS: &[&str] = &["rift-testkit", "rift-tests"];

#[test]
fn files_and_the_clock_have_their_rooms() {
    let mut readers = 0;
    for (name, package) in packages() {
        if TESTS.contains(&name.as_str()) {
            continue;
        }
        for (path, text) in sources(&package.folder.join("src")) {
            let is_test = path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs");
            let found = code(&text).find(|line| ["std::fs", "SystemTime::now"].iter().any(|word| line.contains(word)));
            if let Some(line) = found.filter(|_| !is_test) {
                assert!(IO.contains(&name.as_str()), "{}: {}", path.display(), line.trim());
                readers += 1;
            }
        }
    }
    assert!(readers > 3, "the search finds what is allowed");
}
