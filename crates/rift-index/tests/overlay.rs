//! What is staged is searched as if it were committed, whatever is committed meanwhile.
//!
//! Faults that these tests catch: leaving out the hiding of superseded rows in staged segments, or in those of a commit
//! that ran meanwhile (`Index::over_committed`); keeping ranks when a path comes or goes (`PathTable::changed`); taking
//! `Pending`s of later stages for committed ones.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod common;

use common::random::*;
use common::*;
use proptest::prelude::*;
use rift_index::{CommitJob, Index, IndexDelta, IndexError, Searcher};

/// What happens between two batches of changes.
#[derive(Debug, Clone, Copy)]
enum Between {
    Nothing,
    Begin,
    Run,
    Adopt,
    Drop,
    Apply,
}

fn between() -> impl Strategy<Value = Between> {
    use Between::*;
    prop_oneof![3 => Just(Nothing), 3 => Just(Begin), 3 => Just(Run), 3 => Just(Adopt), 1 => Just(Drop), 1 => Just(Apply)]
}

fn assert_same(index: &Searcher, files: &Files) -> Result<(), TestCaseError> {
    let fresh = files.fresh();
    let hits = assert_same_answers(index, &fresh)?;
    prop_assert!(!files.has_words() || hits > 0, "what is compared must not be empty");
    let (left, right) = (index.statistics().unwrap(), fresh.statistics().unwrap());
    prop_assert_eq!((left.rows, left.files), (right.rows, right.files));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn staging_and_committing_equal_building_anew(
        script in prop::collection::vec((steps(), between()), 1..6),
    ) {
        let mut index = Index::in_memory(small_chunks(1)).unwrap();
        let mut files = Files::default();
        let mut job: Option<CommitJob> = None;
        let mut held: Vec<(Searcher, Files)> = Vec::new();
        let mut stamp = 0;
        for (batches, then) in script {
            for batch in &batches {
                stamp += 1;
                files.step(batch, |delta| drop(index.stage(delta, &stamp.to_string()).unwrap()));
                prop_assert_eq!(index.searcher().stamp().to_owned(), stamp.to_string());
            }
            held.push((index.searcher(), files.clone()));
            match then {
                Between::Nothing => {}
                Between::Begin => job = index.begin_commit().or(job),
                Between::Run => {
                    job = index.begin_commit().or(job);
                    if let Some(job) = job.take() {
                        job.run();
                    }
                }
                Between::Adopt => {
                    if let Some(job) = job.take() {
                        job.run();
                    }
                    index.adopt().unwrap();
                }
                Between::Drop => {
                    // Given up: what it had stays staged.
                    if let Some(job) = job.take() {
                        drop(job);
                        prop_assert!(matches!(index.adopt(), Err(IndexError::Abandoned)));
                    }
                }
                Between::Apply => {
                    if let Some(job) = job.take() {
                        job.run();
                    }
                    stamp += 1;
                    index.apply(&[], &stamp.to_string()).unwrap();
                    prop_assert_eq!(index.staged(), Default::default());
                }
            }
            assert_same(&index.searcher(), &files)?;
        }
        // Searchers from before answer as they did.
        for (searcher, files) in &held {
            assert_same(searcher, files)?;
        }
        if let Some(job) = job.take() {
            job.run();
        }
        while { index.adopt().unwrap(); index.staged().files > 0 } {
            index.begin_commit().unwrap().run();
        }
        prop_assert_eq!(index.staged(), Default::default());
        assert_same(&index.searcher(), &files)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// Rows beside a searcher rank as rows of one index, replace those of their files, and leave the searcher as it was.
    #[test]
    fn rows_beside_a_searcher_equal_building_anew(
        before in steps(),
        beside in prop::collection::vec(source(), 0..4),
    ) {
        let mut index = Index::in_memory(small_chunks(1)).unwrap();
        let mut files = Files::default();
        for batch in &before {
            files.step(batch, |delta| drop(index.stage(delta, "staged").unwrap()));
        }
        let searcher = index.searcher();
        // One file has one set of rows.
        let beside: std::collections::BTreeMap<_, _> =
            beside.into_iter().map(|source| (source.path.clone(), source)).collect();
        let units: Vec<_> = beside.values().map(Source::units).collect();
        let with = searcher.with(&units, small_chunks(1).chunk_max).unwrap();
        let mut all = files.clone();
        let steps: Vec<Step> = beside.values().cloned().map(Step::Replace).collect();
        all.step(&steps, |_| ());
        assert_same(&with, &all)?;
        assert_same(&searcher, &files)?;
    }
}

fn stage(index: &mut Index, source: &Source) -> Searcher {
    index.stage(&[IndexDelta::Replace(source.units())], "staged").unwrap()
}

fn commit(index: &mut Index) {
    index.begin_commit().unwrap().run();
    assert!(index.adopt().unwrap().is_some());
}

#[test]
fn superseded_rows_are_hidden_and_come_back_changed() {
    let (mut index, before) = build_with(&[file("a.txt", "old"), file("b.txt", "old")], options());
    let staged = stage(&mut index, &file("a.txt", "new"));
    assert_eq!(
        (lexical(&staged, "old"), lexical(&staged, "new")),
        (vec!["b.txt".to_owned()], vec!["a.txt".to_owned()])
    );
    let gone = path("a.txt");
    let removed = index.stage(&[IndexDelta::Remove(&gone)], "").unwrap();
    assert_eq!((lexical(&removed, "old new"), removed.paths().len()), (vec!["b.txt".to_owned()], 1));
    let again = stage(&mut index, &file("a.txt", "old"));
    assert_eq!(lexical(&again, "old"), ["a.txt", "b.txt"]);
    assert_eq!(again.statistics().unwrap().rows, 2);
    commit(&mut index);
    assert_eq!(lexical(&index.searcher(), "old"), ["a.txt", "b.txt"]);
    assert_eq!(lexical(&before, "old"), ["a.txt", "b.txt"]);
    assert_eq!(lexical(&staged, "new"), ["a.txt"]);
}

#[test]
fn files_of_several_rows_go_whole() {
    let text = "needle one two three\n".repeat(20);
    let mut index = Index::in_memory(small_chunks(1)).unwrap();
    let searcher = stage(&mut index, &file("long.txt", &text).with("m.needle", "def needle()", ""));
    assert!(searcher.statistics().unwrap().rows > 10);
    let searcher = stage(&mut index, &file("long.txt", "hay"));
    assert_eq!((lexical(&searcher, "needle"), searcher.statistics().unwrap().rows), (vec![], 1));
    commit(&mut index);
    assert_eq!(index.searcher().statistics().unwrap().rows, 1);
}

#[test]
fn an_edited_file_takes_one_segment_and_many_files_a_bounded_number() {
    let mut index = Index::in_memory(options()).unwrap();
    for version in 0..50 {
        stage(&mut index, &file("a.txt", &format!("version{version}")));
        assert_eq!(index.staged().segments, 1);
    }
    let (mut most, mut due) = (0, 0);
    for number in 0..100 {
        stage(&mut index, &file(&format!("f{number}.txt"), "word"));
        most = most.max(index.staged().segments);
        due += usize::from(index.staged().is_commit_due());
    }
    assert!((6..=12).contains(&most) && (40..90).contains(&due), "{most} segments, due {due} times");
    assert_eq!(index.searcher().statistics().unwrap().rows, 101);
    commit(&mut index);
    assert_eq!(index.staged(), Default::default());
    assert_eq!(index.searcher().statistics().unwrap().rows, 101);
}

#[test]
fn what_is_staged_during_a_commit_stays_staged() {
    let mut index = Index::in_memory(options()).unwrap();
    stage(&mut index, &file("a.txt", "first"));
    let job = index.begin_commit().unwrap();
    assert!(index.begin_commit().is_none(), "one commit at a time");
    stage(&mut index, &file("a.txt", "second"));
    stage(&mut index, &file("b.txt", "second"));
    assert!(index.adopt().unwrap().is_none(), "it has not run");
    job.run();
    assert!(index.adopt().unwrap().is_some() && index.adopt().unwrap().is_none());
    assert_eq!(index.staged().files, 2);
    assert_eq!((lexical(&index.searcher(), "first"), lexical(&index.searcher(), "second").len()), (vec![], 2));
}

#[test]
fn very_much_is_applied_at_once() {
    let mut index = Index::in_memory(options()).unwrap();
    let text = format!("word {}", format!("{} ", "x".repeat(79)).repeat(63_000));
    for number in 0..4 {
        stage(&mut index, &file(&format!("f{number}.txt"), &text));
    }
    // Five million bytes each: the fourth passes the bound of 16 MiB, and goes with the first three.
    assert_eq!(index.staged(), Default::default());
    assert_eq!(lexical(&index.searcher(), "word").len(), 4);
}

#[test]
fn only_what_was_committed_is_there_after_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let mut index = Index::create(directory.path(), options()).unwrap();
    let versioned = |at: &str, version| (file(at, "word"), version);
    for (source, version) in [versioned("a.txt", 1), versioned("b.txt", 2)] {
        let units = rift_base::FileUnits { version, ..source.units() };
        index.stage(&[IndexDelta::Replace(units)], "committed").unwrap();
    }
    commit(&mut index);
    stage(&mut index, &file("c.txt", "word"));
    drop(index);
    let searcher = Index::open(directory.path(), options()).unwrap().searcher();
    assert_eq!(
        (lexical(&searcher, "word"), searcher.stamp()),
        (vec!["a.txt".to_owned(), "b.txt".to_owned()], "committed")
    );
    assert_eq!(searcher.versions(), [(&path("a.txt"), 1), (&path("b.txt"), 2)]);
}

#[test]
fn a_held_searcher_survives_merges_and_the_collection_of_its_files() {
    let directory = tempfile::tempdir().unwrap();
    let mut index = Index::create(directory.path(), options()).unwrap();
    let sources: Vec<Source> =
        (0..40).map(|n| file(&format!("f{n:02}.txt"), "common").with("m.common", "", "")).collect();
    let mut held = Vec::new();
    for source in &sources {
        stage(&mut index, source);
        commit(&mut index);
        let searcher = index.searcher();
        held.push((rankings(&searcher, "common"), searcher));
    }
    assert!(index.searcher().statistics().unwrap().segments < 20, "segments were merged");
    for (count, (expected, searcher)) in held.iter().enumerate() {
        assert_eq!(expected.lexical.len(), 2 * (count + 1));
        assert_eq!(rankings(searcher, "common"), *expected);
        assert_eq!(rankings(searcher, "common"), rankings(&build(&sources[..=count]), "common"));
    }
}

#[test]
fn extending_replaces_the_rows_of_its_files() {
    let (mut index, _) =
        build_with(&[file("a.txt", "first"), file("b.txt", "first"), file("c.txt", "first")], options());
    stage(&mut index, &file("d.txt", "first"));
    let bulk = index.extend().unwrap();
    bulk.add(&file("a.txt", "second").units()).unwrap();
    bulk.remove(&path("b.txt"));
    bulk.add(&file("e.txt", "second").units()).unwrap();
    let searcher = bulk.finish("extended").unwrap();
    assert_eq!(lexical(&searcher, "first"), ["c.txt", "d.txt"]);
    assert_eq!(
        (lexical(&searcher, "second"), searcher.stamp()),
        (vec!["a.txt".to_owned(), "e.txt".to_owned()], "extended")
    );
}

#[test]
fn a_part_answers_as_an_index_of_that_part() {
    let sources: Vec<Source> =
        (0..9).map(|n| file(&format!("f{n}.txt"), "common word").with("m.common", "", "")).collect();
    let (mut index, _) = build_with(&sources, options());
    let staged = stage(&mut index, &sources[1]);
    let part = staged.only(|path| path.as_str() < "f4.txt").unwrap();
    let expected = build(&sources[..4]);
    assert_eq!(part.paths(), expected.paths());
    assert_eq!(rankings(&part, "common"), rankings(&expected, "common"));
    assert_eq!(rankings(&part, "common").lexical.len(), 8);
}

#[test]
fn states_share_what_an_edit_leaves_alone() {
    let sources: Vec<Source> = (0..3000).map(|n| file(&format!("f{n}.txt"), "common").with("m.f", "", "")).collect();
    let (mut index, first) = build_with(&sources, options());
    let second = stage(&mut index, &sources[7]);
    assert_eq!(first.unshared_bytes(&first), 0);
    let alone = second.statistics().unwrap().memory;
    // A segment in memory, and the bits of some rows; not the table of paths, nor the ranks.
    let beside = second.unshared_bytes(&first);
    assert!((1000..20_000).contains(&beside) && alone > 5 * beside, "{beside} of {alone}");
    // Another path moves the ranks of all behind it.
    let third = stage(&mut index, &file("a.txt", "common"));
    assert!(third.unshared_bytes(&second) > 12_000);
}
