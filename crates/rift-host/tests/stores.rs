//! What outlives a process: a second start takes over what is current, whatever happened to the stores between.
//!
//! Faults that these tests catch: leaving the place or the content out of `units::version` (rows of an earlier process pass for
//! current); leaving out `KeptRows::unseen` (rows of deleted files stay); a store that answers for another key.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use common::*;
use rift_base::ProjectPath;

#[test]
fn a_second_start_parses_nothing_and_writes_no_rows() {
    let workspace = Workspace::new();
    let host = workspace.host();
    let first = ask(&host);
    let extracted = host.fact_work().extracted();
    assert!(extracted >= 8, "{extracted} texts parsed");
    assert_eq!(host.kept_facts().unwrap().records, extracted);
    drop(host);
    assert_eq!(fs::read_to_string(workspace.store(".gitignore")).unwrap(), "*\n");
    let files = |folder: &Path| {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.filter(|name| !name.to_str().unwrap().ends_with("lock")).collect();
        names.sort();
        names
    };
    let before = files(&workspace.store("index"));
    let host = workspace.host();
    assert_eq!((host.fact_work().extracted(), host.fact_work().restored()), (0, extracted));
    assert_eq!(ask(&host), first);
    assert_eq!(files(&workspace.store("index")), before, "no segment was written");
    same(&first, &fresh(&workspace));
}

#[test]
fn a_start_takes_over_what_is_current_and_no_more() {
    let workspace = Workspace::new();
    drop(workspace.host());
    workspace.write("src/cart.rs", "pub struct Renamed;\n");
    workspace.write("new/extra.py", "def extra():\n    pass\n");
    fs::remove_file(workspace.root().join("web/view.py")).unwrap();
    let host = workspace.host();
    assert_eq!(host.fact_work().extracted(), 2);
    same(&ask(&host), &fresh(&workspace));
    drop(host);
    // Another name of the package places every declaration below it anew, and parses nothing but the manifest.
    workspace.write("Cargo.toml", "[package]\nname = \"market\"\nversion = \"0.1.0\"\n");
    let host = workspace.host();
    assert_eq!(host.fact_work().extracted(), 1);
    same(&ask(&host), &fresh(&workspace));
}

#[test]
fn edits_of_a_running_host_are_there_at_the_next_start() {
    let workspace = Workspace::new();
    let host = workspace.host();
    for (number, path) in ["src/cart.rs", "web/view.py", "src/cart.rs"].iter().enumerate() {
        workspace.write(path, &format!("# renamed {number}\n"));
        assert!(host.refresh(&[ProjectPath::new(path).unwrap()]).unwrap());
        same(&ask(&host), &fresh(&workspace));
    }
    let last = ask(&host);
    drop(host);
    let host = workspace.host();
    assert_eq!(host.fact_work().extracted(), 0);
    assert_eq!(ask(&host), last);
}

/// Damages a file of a store in one way.
type Damage = (&'static str, fn(&Path));

fn flip(file: &Path, at: impl Fn(usize) -> usize) {
    let mut bytes = fs::read(file).unwrap();
    let at = at(bytes.len());
    bytes[at] ^= 0xff;
    fs::write(file, bytes).unwrap();
}

fn cut(file: &Path, to: impl Fn(u64) -> u64) {
    let length = fs::metadata(file).unwrap().len();
    fs::OpenOptions::new().write(true).open(file).unwrap().set_len(to(length)).unwrap();
}

#[test]
fn damaged_facts_are_made_anew() {
    let damages: &[(Damage, bool)] = &[
        (("empty", |file| cut(file, |_| 0)), true),
        (("cut in the header", |file| cut(file, |_| 20)), true),
        (("another version", |file| flip(file, |_| 14)), true),
        (("another extractor", |file| flip(file, |_| 20)), true),
        (("a broken first record", |file| flip(file, |_| 40)), true),
        (("cut in the last record", |file| cut(file, |length| length - 1)), false),
        (("cut in a head", |file| cut(file, |_| 32 + 10)), false),
        (("a flipped value", |file| flip(file, |_| 32 + 32 + 5)), false),
        (("garbage", |file| fs::write(file, b"\xff".repeat(5000)).unwrap()), true),
        (
            ("a folder", |file| {
                fs::remove_file(file).unwrap();
                fs::create_dir(file).unwrap()
            }),
            true,
        ),
        (("gone", |file| fs::remove_file(file).unwrap()), false),
    ];
    let workspace = Workspace::new();
    let host = workspace.host();
    let (expected, all) = (ask(&host), host.fact_work().extracted());
    drop(host);
    for ((what, damage), is_aside) in damages {
        let _ = fs::remove_file(workspace.store("facts.corrupt-1"));
        let _ = fs::remove_dir_all(workspace.store("facts.corrupt-1"));
        damage(&workspace.store("facts"));
        let host = workspace.host();
        let work = host.fact_work();
        assert!((1..=all).contains(&work.extracted()), "{what}: {} extracted", work.extracted());
        assert_eq!(ask(&host), expected, "{what}");
        assert_eq!(workspace.store("facts.corrupt-1").exists(), *is_aside, "{what}");
        drop(host);
        let host = workspace.host();
        assert_eq!(host.fact_work().extracted(), 0, "{what}: whole again");
    }
}

#[test]
fn a_damaged_index_is_built_anew_from_stored_facts() {
    let workspace = Workspace::new();
    let host = workspace.host();
    let expected = ask(&host);
    drop(host);
    let damages: &[Damage] = &[
        ("no meta", |folder| fs::remove_file(folder.join("meta.json")).unwrap()),
        ("empty meta", |folder| cut(&folder.join("meta.json"), |_| 0)),
        ("garbage meta", |folder| fs::write(folder.join("meta.json"), b"\x00{[").unwrap()),
        ("flipped segments", |folder| {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|e| e == "term" || e == "fast") {
                    flip(&path, |length| length / 3);
                }
            }
        }),
        ("no folder", |folder| fs::remove_dir_all(folder).unwrap()),
        ("a file", |folder| {
            fs::remove_dir_all(folder).unwrap();
            fs::write(folder, "?").unwrap()
        }),
    ];
    for (what, damage) in damages {
        damage(&workspace.store("index"));
        let host = workspace.host();
        assert_eq!(ask(&host), expected, "{what}");
        assert_eq!(host.fact_work().extracted(), 0, "{what}");
    }
}

#[test]
fn a_second_host_beside_the_first_answers_and_leaves_the_stores_alone() {
    let workspace = Workspace::new();
    let first = workspace.host();
    let second = workspace.host();
    same(&ask(&first), &ask(&second));
    assert!(first.kept_facts().is_some() && second.kept_facts().is_none());
    drop(second);
    drop(first);
    assert!(workspace.host().kept_facts().is_some());
}

/// Copies of the stores taken at any moment are what a killed process leaves.
#[test]
fn whatever_a_killed_process_leaves_is_a_start() {
    let workspace = Workspace::new();
    for number in 0..300 {
        let text = format!("def part_{number}():\n    return cart_{number}\n").repeat(20);
        workspace.write(&format!("parts/p{number}.py"), &text);
    }
    let copies = tempfile::tempdir().unwrap();
    let mut taken = 0usize;
    std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            let host = workspace.host();
            for number in 0..20 {
                let path = format!("parts/p{number}.py");
                workspace.write(&path, "# renamed\n");
                host.refresh(&[ProjectPath::new(&path).unwrap()]).unwrap();
            }
            // Killed: nothing is closed in order.
            std::mem::forget(host);
        });
        let deadline = Instant::now() + PATIENCE;
        while !running.is_finished() && Instant::now() < deadline || taken == 0 {
            copy_folder(&workspace.root().join(".rift"), &copies.path().join(taken.to_string()), &|_| true);
            taken += 1;
            std::thread::sleep(Duration::from_millis(20));
        }
        running.join().unwrap();
    });
    let expected = fresh(&workspace);
    let step = taken.div_ceil(6).max(1);
    for number in (0..taken).step_by(step).chain([taken - 1]) {
        let again = Workspace { folder: tempfile::tempdir().unwrap(), cache: tempfile::tempdir().unwrap() };
        copy_folder(&workspace.root(), &again.root(), &|name| name != ".rift");
        copy_folder(&copies.path().join(number.to_string()), &again.store(""), &|_| true);
        let host = again.host();
        same(&ask(&host), &expected);
        drop(host);
        let host = again.host();
        assert_eq!(host.fact_work().extracted(), 0, "copy {number}");
        same(&ask(&host), &expected);
    }
}
