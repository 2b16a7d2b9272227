//! The literate cases of `testdata/binding`: small projects, and what every reference in them refers to, read off the
//! sources by the rules of the language. `UPDATE=1` rewrites the expected fences.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod page;
mod project;

use std::path::{Path, PathBuf};

use page::Page;
use project::Project;

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/binding");
    let mut out: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()))
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    out.sort();
    out
}

#[test]
fn cases() {
    let filter = std::env::var("CASE").unwrap_or_default();
    let update = std::env::var("UPDATE").is_ok_and(|v| v == "1");
    let (mut ran, mut failures) = (0, String::new());
    for path in pages() {
        let mut page = Page::read(&path);
        let label = path.to_string_lossy().rsplit("testdata/binding/").next().unwrap().to_owned();
        for case in &mut page.cases {
            if !label.contains(&filter) && !case.heading.contains(&filter) {
                continue;
            }
            ran += 1;
            let found = Project::new(&case.files).describe();
            if found != case.expected {
                let expected: Vec<&str> = case.expected.lines().collect();
                let lines: Vec<&str> = found.lines().collect();
                failures.push_str(&format!("\n{label}: {}\n", case.heading));
                expected.iter().filter(|l| !lines.contains(l)).for_each(|l| failures.push_str(&format!("  - {l}\n")));
                lines.iter().filter(|l| !expected.contains(l)).for_each(|l| failures.push_str(&format!("  + {l}\n")));
                case.expected = found;
            }
        }
        if update {
            std::fs::write(&path, page.render()).unwrap();
        }
    }
    assert!(ran > 0, "CASE={filter} selects no case");
    assert!(update || failures.is_empty(), "cases differ (- expected, + found):\n{failures}");
}
