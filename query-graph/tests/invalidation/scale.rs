//! The cost of one edit must grow neither with the workspace nor with the folder: executed and validated queries are
//! counted in a workspace, in one ten times as large, and in one whose folders are four times as large. A count that
//! grows is a flat fold.

use std::collections::BTreeMap;

use query_graph::{QueryCount, directory_manifest, directory_summary};

use super::world::{World, write};

/// A crate of `files` files in folders of so many, asked about once.
fn workspace(files: usize, folder: usize) -> World {
    let mut world = World::empty();
    let mut changes = vec![write("Cargo.toml", "[package]\nname = \"big\"\n")];
    changes.extend((0..files).map(|n| write(&file(n, folder), &text(n, 0))));
    world.apply(changes);
    ask(&mut world);
    assert_eq!(world.ask().summary.files, files as u64 + 1);
    world
}

fn file(n: usize, folder: usize) -> String {
    format!("src/m{:03}/f{:03}.rs", n / folder, n % folder)
}

fn text(n: usize, edits: usize) -> String {
    format!("/// Number {n}.\npub fn f{n}() -> u32 {{\n    {edits}\n}}\n")
}

/// What a publication takes: the root's tree and sums.
fn ask(world: &mut World) {
    let root = world.ground.root(&world.db);
    directory_manifest(&world.db, root);
    directory_summary(&world.db, root);
}

type Counts = BTreeMap<String, QueryCount>;

/// What edits of several kinds cost in a workspace of `files` files in folders of `folder`.
fn costs(files: usize, folder: usize) -> Vec<(&'static str, Counts)> {
    let mut world = workspace(files, folder);
    let file = |n| file(n, folder);
    let mut edit = |name, at: String, text: String| {
        let counts = world.counted(|world| {
            assert_eq!(world.apply(vec![write(&at, &text)]), 1, "{name}");
            ask(world);
        });
        (name, counts)
    };
    vec![
        edit("first edit", file(30), text(30, 1)),
        edit("second edit", file(30), text(30, 2)),
        edit("first edit of a neighbour", file(31), text(31, 1)),
        edit("first edit in another folder", file(files - 1), text(files - 1, 1)),
        edit("a declaration more", file(30), text(30, 2) + "pub fn more() {}\n"),
        edit("undo", file(30), text(30, 2)),
        edit("a new file", "src/m000/new.rs".to_owned(), text(0, 1)),
    ]
}

#[test]
fn an_edit_costs_the_same_in_a_workspace_ten_times_as_large_and_in_a_folder_four_times_as_large() {
    let small = costs(1_000, 25);
    for large in [costs(10_000, 25), costs(4_000, 100)] {
        for ((name, small), (_, large)) in small.iter().zip(&large) {
            assert!(small.values().any(|count| count.executed > 0), "{name} ran nothing");
            assert!(small.values().any(|count| count.validated > 0), "{name} validated nothing");
            assert_eq!(small, large, "{name}");
        }
    }
}

/// The bound itself, so that all sizes cannot grow together: what one edit executes and validates is each query once for
/// the file and for each folder on its way up.
#[test]
fn an_edit_stays_in_its_folders() {
    const FOLDERS: u64 = 3;
    for (name, counts) in costs(1_000, 25) {
        for (query, count) in &counts {
            let allowed = if query.starts_with("directory_") || query == "package" { FOLDERS } else { 1 };
            assert!(count.executed <= allowed, "{name}: {query} executed {} times", count.executed);
            assert!(count.validated <= FOLDERS, "{name}: {query} validated {} times", count.validated);
        }
    }
}
