//! An index that deltas made answers as one that was built from the same files at once.
//!
//! Faults that these tests catch: counting deleted rows in `Segment::live_rows`, or in `Segment::live_totals`
//! (scores move); leaving out the place in the order of candidates (ties follow the segments).

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;

use common::*;
use proptest::prelude::*;
use rift_base::Facet;
use rift_index::{
    Index, IndexDelta, IndexOptions, NameWork, ParsedQuery, QUERY_TERMS_MAX, Searcher, Selection, Target,
};

const WORDS: &[&str] =
    &["alpha", "beta", "gamma", "loadUser", "user", "load_user", "get", "name", "encode_path", "Über", "path"];
const PATHS: &[&str] = &["a.py", "b/c.py", "b/d.py", "tests/e.py", "z.md"];
const QUERIES: &[&str] = &[
    "alpha",
    "alpha beta gamma",
    "\"load user\" alpha",
    "loadUser",
    "where does encode_path get its name",
    "\"alpha beta\"",
    "lodaUser",
    "über user",
    "b path",
];

fn words(count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), count).prop_map(|words| words.join(" "))
}

fn source() -> impl Strategy<Value = Source> {
    let symbol = (prop::sample::select(WORDS), prop::sample::select(WORDS), words(0..4), words(0..4), any::<bool>());
    (prop::sample::select(PATHS), words(0..30), prop::collection::vec(symbol, 0..4), any::<bool>()).prop_map(
        |(path, text, symbols, generated)| {
            let mut source = file(path, &text);
            for (container, name, signature, documentation, is_type) in symbols {
                let facets: &[Facet] = if is_type { &[Facet::Type] } else { &[Facet::Member] };
                source = source.with_facets(&format!("{container}.{name}"), &signature, &documentation, facets);
            }
            if generated { source.generated() } else { source }
        },
    )
}

#[derive(Debug, Clone)]
enum Step {
    Replace(Source),
    Remove(&'static str),
}

fn steps() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let step = prop_oneof![
        4 => source().prop_map(Step::Replace),
        1 => prop::sample::select(PATHS).prop_map(Step::Remove),
    ];
    prop::collection::vec(prop::collection::vec(step, 1..4), 1..7)
}

/// Chunks of 40 bytes, so that most files have several.
fn small_chunks(threads: usize) -> IndexOptions {
    IndexOptions { threads, chunk_max: 40, ..options() }
}

fn assert_same_answers(left: &Searcher, right: &Searcher) -> Result<usize, TestCaseError> {
    let mut hits = 0;
    prop_assert_eq!(left.paths(), right.paths());
    let chosen = (left.select(|p| p.as_str().starts_with('b')), right.select(|p| p.as_str().starts_with('b')));
    for query in QUERIES {
        let query = ParsedQuery::parse(query, QUERY_TERMS_MAX);
        let found = left.rankings(&query, &Selection::default()).unwrap();
        hits += found.lexical.len() + found.identifier.len();
        // Equal to the bit, scores included.
        prop_assert_eq!(found, right.rankings(&query, &Selection::default()).unwrap());
        for target in [Target::All, Target::Symbols, Target::Files] {
            let left = left.rankings(&query, &Selection { paths: Some(&chosen.0), target }).unwrap();
            prop_assert_eq!(left, right.rankings(&query, &Selection { paths: Some(&chosen.1), target }).unwrap());
        }
    }
    for name in ["lodeUser", "alpha.gte", "user.load_usr", "nothing like it"] {
        for budget in [200, 100_000] {
            let work = NameWork { budget, lowercase: 4 };
            prop_assert_eq!(left.names_near(name, 3, work).unwrap(), right.names_near(name, 3, work).unwrap());
        }
    }
    for container in WORDS {
        for name in WORDS {
            let hash = Searcher::key(&key(&format!("{container}.{name}")));
            let files = left.files_with_key(hash).unwrap();
            prop_assert_eq!(left.key_files(hash).unwrap(), files.len());
            prop_assert_eq!(files, right.files_with_key(hash).unwrap());
        }
    }
    Ok(hits)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn deltas_equal_building_anew(batches in steps()) {
        let mut index = Index::in_memory(small_chunks(1)).unwrap();
        let mut files: BTreeMap<String, Source> = BTreeMap::new();
        for batch in &batches {
            let paths: Vec<_> = PATHS.iter().map(|p| path(p)).collect();
            let mut delta = Vec::new();
            for step in batch {
                match step {
                    Step::Replace(source) => {
                        files.insert(source.path.to_string(), source.clone());
                        delta.push(IndexDelta::Replace(source.units()));
                    }
                    Step::Remove(gone) => {
                        files.remove(*gone);
                        delta.push(IndexDelta::Remove(paths.iter().find(|p| p.as_str() == *gone).unwrap()));
                    }
                }
            }
            index.apply(&delta, "").unwrap();
        }
        let fresh: Vec<Source> = files.values().cloned().collect();
        let fresh = build_with(&fresh, small_chunks(1)).1;
        let hits = assert_same_answers(&index.searcher(), &fresh)?;
        let words = files.values().any(|f| f.text.contains("alpha") || f.text.contains("user"));
        prop_assert!(!words || hits > 0, "what is compared must not be empty");
    }

    #[test]
    fn threads_and_order_of_building_do_not_show(mut sources in prop::collection::vec(source(), 0..6)) {
        sources.sort_by(|a, b| a.path.cmp(&b.path));
        sources.dedup_by(|a, b| a.path == b.path);
        let one = build_with(&sources, small_chunks(1)).1;
        sources.reverse();
        let two = build_with(&sources, small_chunks(2)).1;
        assert_same_answers(&one, &two)?;
    }
}

#[test]
fn a_searcher_stays_as_it_is() {
    let (mut index, before) = build_with(&[file("a.txt", "old")], options());
    let new = file("a.txt", "new");
    let after = index.apply(&[IndexDelta::Replace(new.units())], "second").unwrap();
    assert_eq!((lexical(&before, "old"), lexical(&before, "new")), (vec!["a.txt".to_owned()], vec![]));
    assert_eq!((lexical(&after, "old"), lexical(&after, "new")), (vec![], vec!["a.txt".to_owned()]));
    assert_eq!((before.stamp(), after.stamp()), ("built", "second"));
}

#[test]
fn bulk_starts_over_and_an_abandoned_one_changes_nothing() {
    let (mut index, _) = build_with(&[file("a.txt", "first")], options());
    let second = file("b.txt", "second");
    let bulk = index.bulk().unwrap();
    bulk.add(&second.units()).unwrap();
    drop(bulk);
    assert_eq!(lexical(&index.searcher(), "first second"), ["a.txt"]);
    let bulk = index.bulk().unwrap();
    bulk.add(&second.units()).unwrap();
    let searcher = bulk.finish("again").unwrap();
    assert_eq!(lexical(&searcher, "first second"), ["b.txt"]);
    // Deltas go on from there.
    let searcher = index.apply(&[IndexDelta::Replace(file("a.txt", "first").units())], "").unwrap();
    assert_eq!(lexical(&searcher, "first second"), ["a.txt", "b.txt"]);
}

#[test]
fn the_last_of_several_changes_of_a_file_holds() {
    let mut index = Index::in_memory(options()).unwrap();
    let (one, two) = (file("a.txt", "one"), file("a.txt", "two"));
    let gone = path("a.txt");
    let delta = [IndexDelta::Replace(one.units()), IndexDelta::Remove(&gone), IndexDelta::Replace(two.units())];
    let searcher = index.apply(&delta, "").unwrap();
    assert_eq!(lexical(&searcher, "one two"), ["a.txt"]);
    assert_eq!(searcher.statistics().unwrap().rows, 1);
    let searcher = index.apply(&[IndexDelta::Remove(&gone)], "").unwrap();
    assert!(searcher.paths().is_empty() && lexical(&searcher, "two").is_empty());
}

#[test]
fn many_commits_merge_without_a_trace() {
    let mut index = Index::in_memory(options()).unwrap();
    let sources: Vec<Source> = (0..30)
        .map(|i| file(&format!("f{i:02}.txt"), &format!("common word{}", i % 7)).with("m.common", "", ""))
        .collect();
    for source in &sources {
        index.apply(&[IndexDelta::Replace(source.units())], "").unwrap();
    }
    let searcher = index.searcher();
    assert!(searcher.statistics().unwrap().segments < 30, "segments were merged");
    assert_eq!(rankings(&searcher, "common word3"), rankings(&build(&sources), "common word3"));
}
