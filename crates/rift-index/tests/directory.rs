//! Indexes in directories: reopening, and what is not a sound index.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};

use common::*;
use rift_index::{Index, IndexDelta, IndexError};

fn built() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let mut index = Index::create(directory.path(), options()).unwrap();
    let bulk = index.bulk().unwrap();
    for at in 0..20 {
        bulk.add(&file(&format!("f{at}.py"), "some text").with("m.text", "def text()", "").units()).unwrap();
    }
    bulk.finish("tree 1").unwrap();
    directory
}

fn open(directory: &Path) -> Result<Index, IndexError> {
    Index::open(directory, options())
}

fn segment_files(directory: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|f| f.extension().is_some_and(|e| e != "json" && e != "lock")).collect();
    files.sort();
    assert!(files.len() >= 5);
    files
}

#[test]
fn reopened_with_its_stamp() {
    let directory = built();
    let mut index = open(directory.path()).unwrap();
    assert_eq!(index.searcher().stamp(), "tree 1");
    assert_eq!(lexical(&index.searcher(), "text").len(), 40);
    let gone = path("f3.py");
    index.apply(&[IndexDelta::Remove(&gone)], "tree 2").unwrap();
    drop(index);
    let searcher = open(directory.path()).unwrap().searcher();
    assert_eq!((searcher.stamp(), lexical(&searcher, "text").len()), ("tree 2", 38));
}

#[test]
fn no_index_there() {
    let directory = tempfile::tempdir().unwrap();
    assert!(matches!(open(directory.path()), Err(IndexError::Absent(_))));
    assert!(matches!(open(&directory.path().join("missing")), Err(IndexError::Absent(_))));
    let built = built();
    assert!(matches!(Index::create(built.path(), options()), Err(IndexError::Exists(_))));
}

#[test]
fn another_layout_is_foreign() {
    let directory = tempfile::tempdir().unwrap();
    let mut schema = tantivy::schema::Schema::builder();
    schema.add_u64_field("number", tantivy::schema::FAST);
    tantivy::Index::create_in_dir(directory.path(), schema.build()).unwrap();
    assert!(matches!(open(directory.path()), Err(IndexError::Foreign(_))));
}

#[test]
fn a_second_writer_is_refused() {
    let directory = built();
    let (mut one, mut two) = (open(directory.path()).unwrap(), open(directory.path()).unwrap());
    let gone = path("f3.py");
    one.apply(&[IndexDelta::Remove(&gone)], "").unwrap();
    assert!(matches!(two.apply(&[IndexDelta::Remove(&gone)], ""), Err(IndexError::Busy)));
    assert!(matches!(two.bulk(), Err(IndexError::Busy)));
}

#[test]
fn damage_is_told_and_never_a_panic() {
    let broken = |directory: &Path, what: &str| match open(directory) {
        Err(IndexError::Corrupt { .. } | IndexError::Foreign(_)) => {}
        other => panic!("{what}: {other:?}"),
    };
    for meta in ["", "{", "{\"segments\": 1}", "[]", "\u{0}\u{1}"] {
        let directory = built();
        std::fs::write(directory.path().join("meta.json"), meta).unwrap();
        broken(directory.path(), meta);
    }
    for number in 0..segment_files(built().path()).len() {
        for damage in ["missing", "empty", "half", "flipped"] {
            let directory = built();
            let file = segment_files(directory.path()).swap_remove(number);
            let mut bytes = std::fs::read(&file).unwrap();
            let middle = bytes.len() / 2;
            match damage {
                "missing" => std::fs::remove_file(&file).unwrap(),
                "empty" => std::fs::write(&file, "").unwrap(),
                "half" => std::fs::write(&file, &bytes[..middle]).unwrap(),
                _ => {
                    bytes[middle / 2] ^= 0xff;
                    std::fs::write(&file, &bytes).unwrap();
                }
            }
            broken(directory.path(), &format!("{} {damage}", file.display()));
        }
    }
}
