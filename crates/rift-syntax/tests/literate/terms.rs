//! The cases of `testdata/terms`: what the names in one text can mean, before files are joined.

use rift_syntax::{Bounds, describe, extract_bound};

use crate::case::{Case, CaseFile};
use crate::{dump, language_of, repository, updating};

fn dumped(case: &Case) -> String {
    let language = language_of(&case.name, &case.source);
    let (facts, found) = extract_bound(&case.source, &language, &Bounds::default()).expect("a known language");
    describe(&case.source, &facts, &found.unwrap_or_else(|| panic!("{}: nothing binds its language", case.name)))
}

#[test]
fn terms() {
    let root = repository().join("testdata/terms");
    let filter = std::env::var("CASE").unwrap_or_default();
    let mut failures = String::new();
    let mut ran = 0;
    let mut paths: Vec<_> = std::fs::read_dir(&root)
        .unwrap()
        .flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap().map(|entry| entry.unwrap().path()))
        .collect();
    paths.sort();
    for mut file in paths.into_iter().map(|path| CaseFile::read(&root, path)) {
        let mut actual = Vec::new();
        for case in &file.cases {
            if !file.label.contains(&filter) && !case.heading.contains(&filter) {
                actual.push(case.expected.clone().unwrap_or_default());
                continue;
            }
            ran += 1;
            let dumped = dumped(case);
            let expected = case.expected.as_deref().unwrap_or("");
            if expected != dumped {
                failures.push_str(&format!("\n{}:{}: {}\n", file.label, case.line, case.heading));
                failures.push_str(&dump::diff(expected, &dumped));
            }
            actual.push(dumped);
        }
        if updating() {
            file.rewrite(&actual);
        }
    }
    assert!(ran > 0, "CASE={filter} selects no case");
    assert!(updating() || failures.is_empty(), "cases differ (- expected, + found):\n{failures}");
}
