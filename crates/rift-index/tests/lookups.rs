//! Exact look-ups and the names nearest to a missing one.

#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use rift_index::{NameWork, NearNames, Searcher};

const PLENTY: NameWork = NameWork { budget: 20_000_000, lowercase: 4 };

fn near(searcher: &Searcher, name: &str) -> Vec<(String, u32)> {
    match searcher.names_near(name, 3, PLENTY).unwrap() {
        NearNames::Found(names) => names.into_iter().map(|n| (n.qualified, n.distance)).collect(),
        NearNames::Exhausted => panic!("exhausted"),
    }
}

#[test]
fn files_of_a_key() {
    let searcher = build(&[
        file("b.py", "").with("m.f", "", "").with("m.g", "", "").with("m.f", "", ""),
        file("a.py", "").with("m.f", "", ""),
        file("c.py", "").with("m.h", "", ""),
    ]);
    let hash = Searcher::key(&key("m.f"));
    assert_eq!(searcher.files_with_key(hash), [(path("a.py"), vec![0]), (path("b.py"), vec![0, 2])]);
    assert_eq!(searcher.key_files(hash), 2);
    let missing = Searcher::key(&key("m.x"));
    assert!(searcher.files_with_key(missing).is_empty());
    assert_eq!(searcher.key_files(missing), 0);
}

#[test]
fn files_that_mention_a_word() {
    let searcher = build(&[
        file("b.py", "x = __load_config__(1)"),
        file("a.py", "LoadConfig load config"),
        file("c.py", "load config"),
        file("d.py", "").with("m.load_config", "", ""),
        file("e.py", "loadConfig"),
    ]);
    let files = |name: &str| -> Vec<String> {
        searcher.files_with_word(name).unwrap().iter().map(ToString::to_string).collect()
    };
    assert_eq!(files("load_config"), ["b.py"]);
    assert_eq!(files("loadConfig"), ["a.py", "e.py"]);
    assert_eq!(files("#config"), ["a.py", "b.py", "c.py", "e.py"]);
    assert_eq!(files("missing"), Vec::<String>::new());
    // Not a word: every file may hold it.
    assert_eq!(files("_").len(), 5);
}

#[test]
fn declarations_of_a_name() {
    let searcher = build(&[
        file("b.py", "f").with("m.f", "", "").with("m.g", "", "").with("n.f", "", ""),
        file("a.py", "").with("m.F", "", "").with("f.f", "", ""),
    ]);
    let rows = |name, max| {
        let found = searcher.named(name, max).unwrap();
        found.map(|rows| rows.iter().map(|row| (row.path.to_string(), row.ordinal)).collect::<Vec<_>>())
    };
    let expected = [("a.py".to_owned(), 1), ("b.py".to_owned(), 0), ("b.py".to_owned(), 2)];
    assert_eq!(rows("f", 3), Some(expected.to_vec()));
    assert_eq!(rows("f", 2), None, "one more than asked for");
    assert_eq!(rows("x", 0), Some(Vec::new()));
}

#[test]
fn nearest_names() {
    let searcher = build(&[
        file("a.rs", "").with("config.load_config", "", "").with("config.load", "", ""),
        file("b.rs", "").with("other.load_config", "", "").with("other.LOAD_CONFIGS", "", ""),
        file("c.rs", "").with("other.load_config", "", ""),
    ]);
    // Case does not count; of equal distances the first qualified name.
    let expected = [("other.LOAD_CONFIGS", 0), ("config.load_config", 1), ("other.load_config", 1)];
    assert_eq!(near(&searcher, "load_configs"), expected.map(|(name, distance)| (name.to_owned(), distance)));
    // The qualified name may be nearer than the short one: `loda_config` has a swap (two edits) of each.
    let (first, distance) = near(&searcher, "config.laod_config").remove(0);
    assert_eq!((first.as_str(), distance), ("config.load_config", 2));
    let NearNames::Found(names) = searcher.names_near("load_config", 2, PLENTY).unwrap() else { panic!() };
    let rows: Vec<_> = names[1].rows.iter().map(|row| (row.path.as_str(), row.ordinal)).collect();
    assert_eq!(rows, [("b.rs", 0), ("c.rs", 0)], "all declarations of the name");
}

#[test]
fn exhausted_work_discards_everything() {
    let searcher = build(&[file("a.py", "").with("m.abc", "", "")]);
    // Short name: one visit, 3 bytes at 4, (3 + 1) * 3 cells: 25. Qualified name (5 characters, the distance to
    // beat is 1): one visit, ruled out by its length. 26 units in all.
    let work = |budget| NameWork { budget, lowercase: 4 };
    assert_eq!(searcher.names_near("abd", 1, work(25)).unwrap(), NearNames::Exhausted);
    assert!(matches!(searcher.names_near("abd", 1, work(26)).unwrap(), NearNames::Found(names) if names.len() == 1));
}

#[test]
fn nothing_is_near_in_an_empty_index() {
    assert_eq!(near(&build(&[]), "abc"), []);
    assert_eq!(near(&build(&[file("a.txt", "abc")]), "abc"), []);
}

#[test]
fn statistics_count_rows_and_files() {
    let searcher = build(&[file("a.py", "text").with("m.f", "", ""), file("b.py", "")]);
    let statistics = searcher.statistics().unwrap();
    assert_eq!((statistics.rows, statistics.files, statistics.segments), (3, 2, 1));
    assert!(statistics.bytes > 0 && statistics.memory > 0);
    assert_eq!(searcher.paths(), [path("a.py"), path("b.py")]);
    assert!(searcher.sizes().unwrap().contains_key("postings/content"));
}
