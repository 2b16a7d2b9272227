//! What outlives a process: a second start takes over what is current, whatever happened to the stores between.
//!
//! Faults that these tests catch: leaving the place or the content out of `units::version` (rows of an earlier process pass for
//! current); leaving out `KeptRows::unseen` (rows of deleted files stay); a store that answers for another key.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rift_base::{Deadline, ProjectPath};
use rift_host::index::{ParsedQuery, QUERY_TERMS_MAX, Selection};
use rift_host::{Following, Host, HostOptions, View, stated_root};

/// A deadline that a loaded machine keeps.
const PATIENCE: Duration = Duration::from_secs(120);

struct Workspace {
    folder: tempfile::TempDir,
    cache: tempfile::TempDir,
}

impl Workspace {
    fn new() -> Self {
        let workspace = Self { folder: tempfile::tempdir().unwrap(), cache: tempfile::tempdir().unwrap() };
        workspace.write("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n");
        workspace.write("src/lib.rs", "//! The shop.\npub mod cart;\npub fn open_shop() {}\n");
        workspace
            .write("src/cart.rs", "/// Holds what is bought.\npub struct Cart;\nimpl Cart { pub fn add(&self) {} }\n");
        workspace.write("java/a/Till.java", "package a.b;\npublic class Till { void ring() {} }\n");
        workspace.write("web/view.py", "def show_cart():\n    \"\"\"Shows the cart.\"\"\"\n    return 1\n");
        workspace.write("c/shop.h", "class Shelf { void fill(); };\n");
        workspace.write("docs/guide.md", "# Guide\n\nHow to open the shop.\n");
        workspace.write("Cargo.lock", "# no declarations\n");
        workspace.write("main.go", "package main\n\nfunc main() {}\n");
        workspace
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn store(&self, name: &str) -> PathBuf {
        self.root().join(".rift").join(name)
    }

    /// A prepared host.
    fn host(&self) -> Host {
        let options = HostOptions {
            cache_base: Some(self.cache.path().to_owned()),
            threads: 2,
            following: Following::Told,
            ..HostOptions::default()
        };
        let host = Host::open(stated_root(&self.root()).unwrap(), &options).unwrap();
        host.prepare_in_background();
        host.wait_prepared(&Deadline::within(PATIENCE), |_| {}).unwrap().unwrap();
        host
    }
}

/// What a view answers: its tree, its sums, its rows, and the rankings of some words.
#[derive(Debug, PartialEq)]
struct Answers {
    id: String,
    summary: String,
    paths: Vec<ProjectPath>,
    rankings: Vec<rift_host::index::Rankings>,
    outlines: Vec<String>,
}

const WORDS: &[&str] =
    &["shop", "cart", "add", "show_cart", "Till ring", "\"open the shop\"", "shelf", "main", "renamed"];

fn answers(view: &View) -> Answers {
    let searcher = view.searcher();
    let rank =
        |text: &&str| searcher.rankings(&ParsedQuery::parse(text, QUERY_TERMS_MAX), &Selection::default()).unwrap();
    let mut outlines = Vec::new();
    view.tree().walk(&mut |entry| {
        let symbols = view.symbols(entry).map(|s| (s.count, s.module.clone()));
        outlines.push(format!("{} {:?} {symbols:?}", entry.path, view.facts(entry)));
    });
    // Entry points name the interned place, whose number is the process's own.
    let summary = view.summary();
    let points: Vec<_> = summary.entry_points.iter().map(|p| (&p.path, p.declaration)).collect();
    let sums = (summary.files, summary.symbols, &summary.languages, points, &summary.docs, &summary.notes);
    Answers {
        id: view.id().to_owned(),
        summary: format!("{sums:?}"),
        paths: searcher.paths().to_vec(),
        rankings: WORDS.iter().map(rank).collect(),
        outlines,
    }
}

/// The answers of a host, which must say something.
fn ask(host: &Host) -> Answers {
    let view = host.current().unwrap();
    assert!(view.preparation().is_none());
    let answers = answers(&view);
    assert!(answers.rankings.iter().filter(|r| !r.lexical.is_empty()).count() >= 6, "{answers:?}");
    answers
}

/// The answers of a host without stores of an earlier process.
fn fresh(workspace: &Workspace) -> Answers {
    let copy = Workspace { folder: tempfile::tempdir().unwrap(), cache: tempfile::tempdir().unwrap() };
    copy_folder(&workspace.root(), &copy.root(), &|name| name != ".rift");
    let host = copy.host();
    assert_eq!(host.fact_work().restored(), 0);
    ask(&host)
}

fn copy_folder(from: &Path, to: &Path, wanted: &dyn Fn(&str) -> bool) {
    // What is copied may come and go meanwhile.
    let Ok(entries) = fs::read_dir(from) else { return };
    fs::create_dir_all(to).unwrap();
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !wanted(name.to_str().unwrap()) {
            continue;
        }
        let target = to.join(&name);
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => copy_folder(&entry.path(), &target, wanted),
            _ => drop(fs::copy(entry.path(), &target)),
        }
    }
}

/// Answers without the view's identity, which names the folder.
fn same(left: &Answers, right: &Answers) {
    assert_eq!(left.summary, right.summary);
    assert_eq!(left.paths, right.paths);
    assert_eq!(left.outlines, right.outlines);
    assert_eq!(left.rankings, right.rankings);
}

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
