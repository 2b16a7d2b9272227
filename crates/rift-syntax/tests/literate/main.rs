//! Runs the literate cases of `testdata/syntax` (format: `testdata/README.md`) and holds `docs/languages.md`, the table
//! of what they show, against them. `UPDATE=1` rewrites both.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod case;
mod coverage;
mod documents;
mod dump;
mod terms;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use case::{Case, CaseFile};
use rift_base::{KNOWN_LANGUAGES, Language, ProjectPath};
use rift_syntax::{Bounds, FileFacts, effective_language, extract};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn updating() -> bool {
    std::env::var("UPDATE").is_ok_and(|v| v == "1")
}

/// The case files, by path.
fn case_files() -> Vec<CaseFile> {
    let root = repository().join("testdata/syntax");
    let mut paths = Vec::new();
    for folder in std::fs::read_dir(&root).unwrap() {
        let folder = folder.unwrap().path();
        if folder.is_dir() {
            paths.extend(std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()));
        }
    }
    paths.retain(|p| p.extension().is_some_and(|e| e == "md"));
    paths.sort();
    assert!(!paths.is_empty(), "no case under {}", root.display());
    paths.into_iter().map(|path| CaseFile::read(&root, path)).collect()
}

/// The language that a file name gives a text.
fn language_of(name: &str, text: &str) -> Language {
    let path = ProjectPath::new(name).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    let file = name.rsplit('/').next().unwrap_or(name);
    let known = KNOWN_LANGUAGES
        .iter()
        .find(|l| l.file_names.contains(&file))
        .or_else(|| {
            let extension = path.extension()?.to_ascii_lowercase();
            KNOWN_LANGUAGES.iter().find(|l| l.extensions.contains(&extension.as_str()))
        })
        .unwrap_or_else(|| panic!("{name}: no language claims it"));
    effective_language(&path, &Language::new(known.identity).unwrap(), || text.into())
}

fn facts(case: &Case) -> (Language, FileFacts) {
    let language = language_of(&case.name, &case.source);
    let facts = extract(&case.source, &language, &Bounds::default()).expect("a known language has a provider");
    (language, facts)
}

#[test]
fn cases() {
    let filter = std::env::var("CASE").unwrap_or_default();
    let mut failures = String::new();
    let (mut ran, mut failed) = (0, 0);
    for mut file in case_files() {
        let mut actual = Vec::new();
        for case in &file.cases {
            if !file.label.contains(&filter) && !case.heading.contains(&filter) {
                actual.push(case.expected.clone().unwrap_or_default());
                continue;
            }
            ran += 1;
            let (_, facts) = facts(case);
            let dumped = dump::dump(&case.source, &facts, &case.options);
            if case.expected.as_ref() != Some(&dumped) {
                failed += 1;
                let expected = case.expected.as_deref().unwrap_or("");
                let _ = writeln!(failures, "\n{}:{}: {}", file.label, case.line, case.heading);
                failures.push_str(&dump::diff(expected, &dumped));
            }
            actual.push(dumped);
        }
        if updating() {
            file.rewrite(&actual);
        }
    }
    assert!(ran > 0, "CASE={filter} selects no case");
    assert!(updating() || failed == 0, "{failed} of {ran} cases differ (- expected, + found):\n{failures}");
}

#[test]
fn every_fault_in_a_case_is_seen() {
    let source = "fn a() {}\n";
    let facts = extract(source, &language_of("a.rs", source), &Bounds::default()).unwrap();
    let dumped = dump::dump(source, &facts, &[]);
    assert_eq!(dumped, "function a [value callable] private | fn a()\n");
    assert_eq!(dump::diff("x\nsame\n", "same\ny\n"), "  - x\n    same\n  + y\n");
}

#[test]
fn docs_languages_table() {
    let files = case_files();
    let mut coverage = coverage::Coverage::default();
    for file in &files {
        for case in &file.cases {
            let (language, facts) = facts(case);
            coverage.add(&language, file, case, &facts);
        }
    }
    let path = repository().join("docs/languages.md");
    let text = coverage.render();
    if updating() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == text, "docs/languages.md is stale: run with UPDATE=1\n{}", dump::diff(&stored, &text));
}
