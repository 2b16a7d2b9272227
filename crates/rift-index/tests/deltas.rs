//! An index that deltas made answers as one that was built from the same files at once.
//!
//! Faults that these tests catch: counting deleted rows in `Segment::live_rows`, or in `Segment::live_totals`
//! (scores move); leaving out the place in the order of candidates (ties follow the segments).

#![allow(clippy::unwrap_used)]

mod common;

use common::random::*;
use common::*;
use proptest::prelude::*;
use rift_index::{Index, IndexDelta};

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn deltas_equal_building_anew(batches in steps()) {
        let mut index = Index::in_memory(small_chunks(1)).unwrap();
        let mut files = Files::default();
        for batch in &batches {
            files.step(batch, |delta| drop(index.apply(delta, "").unwrap()));
        }
        let fresh = files.fresh();
        let hits = assert_same_answers(&index.searcher(), &fresh)?;
        prop_assert!(!files.has_words() || hits > 0, "what is compared must not be empty");
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
