//! Rows for patterns: over starts, many edits and damage, patterns find what a scan of every file finds.
//!
//! Faults that these tests catch: `Faults::forget_rows` (see `script`), an edit that leaves a file among those without rows out
//! (`LanePatterns::changed`), and rows that `Work::adopt` takes for those of a file that changed meanwhile.

use std::fs;

use rift_base::Deadline;
use rift_host::HostOptions;

use crate::world::{PATIENCE, World, matches, scanned, tree};

const PATTERNS: &[&str] = &["needle_1[0-9]+", "shared word", "(?i)NEEDLE_2", "absent from all", r"\bword$"];

fn text(number: usize) -> String {
    format!("pub fn needle_{number}() {{}}\n// shared word\n")
}

fn options() -> HostOptions {
    HostOptions::default()
}

#[track_caller]
fn check(world: &World) {
    let view = world.settled();
    let mut some = false;
    for pattern in PATTERNS {
        let found = matches(&view, pattern);
        assert_eq!(found, scanned(&view, pattern), "{pattern}");
        some |= !found.is_empty();
    }
    assert!(some, "nothing was compared");
}

/// Files that were looked at for a pattern that one file holds: what rows are for.
fn selected(world: &World, number: usize) -> usize {
    let view = world.settled();
    let pattern = rift_host::index::Pattern::new(&format!("needle_{number}\\(",), 1 << 20).expect("a pattern");
    let files = view.pattern_files(pattern.query(), &|_| true);
    files.selected.len() + files.lacking.len()
}

#[test]
fn edits_are_found_at_once_and_rows_select() {
    let world = World::over(tree(&[]), options());
    (0..50).for_each(|n| world.write(&format!("src/{n}.rs"), &text(n)));
    check(&world);
    world.filled();
    check(&world);
    assert_eq!(selected(&world, 17), 1);
    // More edits than are held as recent rows, some of them of the same file.
    for n in 0..400 {
        world.write(&format!("src/{}.rs", n % 60), &text(1_000 + n));
        if n % 40 == 0 {
            check(&world);
        }
    }
    check(&world);
    world.filled();
    assert_eq!(selected(&world, 1_399), 1);
    assert_eq!(selected(&world, 17), 0, "a row of a content that is gone selects nothing");
}

#[test]
fn a_change_of_many_files_is_found_before_it_has_rows() {
    let world = World::over(tree(&[("kept.rs", "// shared word\n")]), options());
    world.filled();
    for round in 0..3 {
        for n in 0..300 {
            world.write(&format!("many/{n}.rs"), &text(round * 1_000 + n));
        }
        check(&world);
        world.filled();
        check(&world);
        assert_eq!(selected(&world, round * 1_000 + 7), 1);
    }
    fs::remove_dir_all(world.full("many")).expect("removes");
    check(&world);
}

#[test]
fn rows_outlive_the_process_and_damage_is_mended() {
    let folder = tree(&[]);
    let root = folder.path().join("w");
    (0..80).for_each(|n| crate::world::write(&root, &format!("{n}.rs"), &text(n)));
    let trigrams = root.join(".rift/trigrams");
    let files = || {
        let mut names: Vec<_> =
            fs::read_dir(&trigrams).expect("lists").map(|e| e.expect("an entry").file_name()).collect();
        names.retain(|name| name.to_string_lossy().ends_with(".trigrams"));
        names.sort();
        names
    };
    let start = || {
        let world = World::at(&root, options());
        world.filled();
        check(&world);
        assert_eq!(selected(&world, 33), 1);
        world
    };
    drop(start());
    let first = files();
    assert_eq!(first.len(), 1);
    // What is there is taken over, and nothing is written.
    drop(start());
    assert_eq!(files(), first);
    // One that no list names, as a process leaves it that ends while it writes.
    fs::write(trigrams.join("1.trigrams"), "half").expect("writes");
    crate::world::write(&root, "33.rs", "// shared word, needle_33()\n");
    drop(start());
    assert_eq!(files().len(), 2, "the changed file got a row, under the number of the orphan");
    for damage in 0..4 {
        let segment = trigrams.join(&files()[0]);
        let list = trigrams.join("segments");
        match damage {
            0 => fs::write(&segment, &fs::read(&segment).expect("reads")[..100]).expect("writes"),
            1 => fs::remove_file(&segment).expect("removes"),
            2 => fs::write(&list, fs::read_to_string(&list).expect("reads").replace("end\n", "")).expect("writes"),
            _ => fs::write(&list, "rift3g 0\nend\n").expect("writes"),
        }
        drop(start());
        assert!(root.join(".rift/trigrams.corrupt-1").exists(), "damage {damage}");
        fs::remove_dir_all(root.join(".rift/trigrams.corrupt-1")).expect("removes");
    }
}

/// A view that is held answers as it did, whatever is written and merged meanwhile.
#[test]
fn held_views_keep_their_rows() {
    let world = World::over(tree(&[]), options());
    (0..40).for_each(|n| world.write(&format!("src/{n}.rs"), &text(n)));
    check(&world);
    world.filled();
    let held = world.host.capture(&Deadline::within(PATIENCE)).expect("served");
    let before: Vec<_> = PATTERNS.iter().map(|pattern| matches(&held, pattern)).collect();
    for n in 0..600 {
        world.write(&format!("src/{}.rs", n % 40), &text(5_000 + n));
        if n % 50 == 0 {
            check(&world);
        }
    }
    world.filled();
    let after: Vec<_> = PATTERNS.iter().map(|pattern| matches(&held, pattern)).collect();
    assert_eq!(after, before);
}
