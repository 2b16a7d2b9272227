//! Real trees: what a drain names, and that looking at it finds what a fresh walk finds.

use std::fs;
use std::io::{Seek as _, Write as _};
use std::os::unix::fs::symlink;

use rift_base::Config;

use super::*;
use crate::discover::{Discovery, discover, discover_watched, look_again};
use crate::languages::LanguageMap;

struct World {
    root: PathBuf,
    watcher: Watcher,
    config: Config,
    languages: LanguageMap,
    visible: BTreeSet<ProjectPath>,
    _temp: tempfile::TempDir,
}

fn path(text: &str) -> ProjectPath {
    ProjectPath::new(text).expect("a path")
}

impl World {
    /// A tree with `files`, discovered and watched.
    fn new(files: &[&str]) -> Self {
        let temp = tempfile::tempdir().expect("temp");
        let root = temp.path().canonicalize().expect("exists").join("w");
        fs::create_dir(&root).expect("creates");
        let config = Config::default();
        let languages = LanguageMap::new(&config).expect("patterns");
        let watcher = Watcher::new(&root, WatchMode::Events);
        let mut world = Self { root, watcher, config, languages, visible: BTreeSet::new(), _temp: temp };
        files.iter().for_each(|file| world.write(file, "text"));
        world.rescan();
        // The root is watched from the start, so its first entries are events.
        world.check();
        assert!(world.watcher.is_watching());
        world
    }

    fn full(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let full = self.full(path);
        fs::create_dir_all(full.parent().expect("below the root")).expect("creates");
        fs::write(full, text).expect("writes");
    }

    fn fresh(&self) -> Discovery {
        discover(&self.root, &self.config, &self.languages, 1).expect("walks")
    }

    fn rescan(&mut self) {
        let found = discover_watched(&self.root, &self.config, &self.languages, 2, Some(&self.watcher)).expect("walks");
        self.visible = found.files.into_iter().map(|file| file.path).collect();
    }

    /// Drains, and looks at what that names as a host does.
    fn follow(&mut self) -> Moved {
        let moved = self.watcher.drain();
        if moved.all {
            self.rescan();
            return moved;
        }
        let known = |path: &ProjectPath| self.visible.contains(path);
        let found =
            look_again(&self.root, &self.config, &self.languages, Some(&self.watcher), &moved, &known).expect("looks");
        self.visible.retain(|path| {
            !moved.files.contains(path) && !moved.trees.iter().any(|tree| path.strip_prefix(tree).is_some())
        });
        self.visible.extend(found.files.into_iter().map(|file| file.path));
        moved
    }

    /// Follows until nothing moves, and holds the outcome against a fresh walk.
    #[track_caller]
    fn check(&mut self) -> Moved {
        let mut all = Moved::default();
        loop {
            let moved = self.follow();
            if moved.is_empty() {
                break;
            }
            all.merge(moved);
        }
        let fresh = self.fresh();
        let expected: Vec<&ProjectPath> = fresh.files.iter().map(|file| &file.path).collect();
        assert_eq!(self.visible.iter().collect::<Vec<_>>(), expected);
        assert_eq!(self.watcher.status().directories, fresh.directories.len() as u64, "{:?}", fresh.directories);
        all
    }
}

fn names(moved: &Moved) -> (Vec<&str>, Vec<&str>) {
    (moved.files.iter().map(ProjectPath::as_str).collect(), moved.trees.iter().map(ProjectPath::as_str).collect())
}

/// One step, what a drain names after it, and that looking there is enough.
#[track_caller]
fn check(files: &[&str], step: impl FnOnce(&World), moved_files: &[&str], moved_trees: &[&str]) {
    let mut world = World::new(files);
    step(&world);
    let moved = world.check();
    assert_eq!(names(&moved), (moved_files.to_vec(), moved_trees.to_vec()));
    assert!(!moved.all && !moved.config);
}

#[test]
fn every_way_to_change_a_file_names_it() {
    let files = &["a.rs", "d/b.rs"];
    check(files, |_| (), &[], &[]);
    check(files, |w| w.write("a.rs", "other"), &["a.rs"], &[]);
    check(files, |w| w.write("d/new.rs", "x"), &["d/new.rs"], &[]);
    check(files, |w| fs::remove_file(w.full("d/b.rs")).expect("removes"), &["d/b.rs"], &[]);
    check(files, |w| fs::rename(w.full("a.rs"), w.full("d/b.rs")).expect("moves"), &["a.rs", "d/b.rs"], &[]);
    check(files, |w| fs::hard_link(w.full("a.rs"), w.full("d/l.rs")).expect("links"), &["d/l.rs"], &[]);
    check(files, |w| symlink("a.rs", w.full("l.rs")).expect("links"), &["l.rs"], &[]);
    let set_len = |w: &World| {
        fs::OpenOptions::new().write(true).open(w.full("a.rs")).expect("opens").set_len(1).expect("cuts");
    };
    check(files, set_len, &["a.rs"], &[]);
    // A writer through a mapping makes no other event than its end; an open file that nothing is written to stands for it.
    let open = |w: &World| drop(fs::OpenOptions::new().write(true).open(w.full("a.rs")).expect("opens"));
    check(files, open, &["a.rs"], &[]);
    let permissions = |w: &World| {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(w.full("d/b.rs"), fs::Permissions::from_mode(0o755)).expect("changes");
    };
    check(files, permissions, &["d/b.rs"], &[]);
    // Reading is no event.
    check(files, |w| drop(fs::read(w.full("a.rs")).expect("reads")), &[], &[]);
}

#[test]
fn directories_that_come_and_go() {
    let files = &["a.rs", "d/b.rs", "d/e/c.rs"];
    check(files, |w| fs::rename(w.full("d"), w.full("f")).expect("moves"), &[], &["d", "f"]);
    check(files, |w| fs::rename(w.full("d"), w.root.with_file_name("out")).expect("moves"), &[], &["d"]);
    check(files, |w| fs::remove_dir_all(w.full("d/e")).expect("removes"), &["d/e/c.rs"], &["d/e"]);
    check(files, |w| w.write("n/m/x.rs", "x"), &[], &["n"]);
    let into = |w: &World| {
        let outside = w.root.with_file_name("in");
        fs::create_dir_all(outside.join("x/y")).expect("creates");
        fs::write(outside.join("x/y/z.rs"), "z").expect("writes");
        fs::rename(outside, w.full("d/in")).expect("moves");
    };
    check(files, into, &[], &["d/in"]);
    let swapped = |w: &World| {
        fs::rename(w.full("d"), w.full("old")).expect("moves");
        fs::create_dir(w.full("d")).expect("creates");
        fs::write(w.full("d/b.rs"), "new").expect("writes");
    };
    check(files, swapped, &[], &["d", "old"]);
    let file_for_directory = |w: &World| {
        fs::remove_dir_all(w.full("d")).expect("removes");
        fs::write(w.full("d"), "file").expect("writes");
    };
    check(files, file_for_directory, &["d", "d/b.rs", "d/e/c.rs"], &["d", "d/e"]);
    let link_for_directory = |w: &World| {
        fs::rename(w.full("d"), w.full("real")).expect("moves");
        symlink("real", w.full("d")).expect("links");
    };
    check(files, link_for_directory, &["d"], &["d", "real"]);
}

/// What is written below a directory after it was moved, or made anew, is seen under its new name.
#[test]
fn writes_after_a_directory_moved_are_seen() {
    let mut world = World::new(&["d/e/c.rs"]);
    fs::rename(world.full("d"), world.full("f")).expect("moves");
    world.check();
    world.write("f/e/c.rs", "again");
    assert_eq!(names(&world.check()), (vec!["f/e/c.rs"], vec![]));
    for round in 0..200 {
        fs::remove_dir_all(world.full("f/e")).expect("removes");
        fs::create_dir(world.full("f/e")).expect("creates");
        if round % 2 == 0 {
            world.check();
        }
        world.write("f/e/late.rs", "x");
        let moved = world.check();
        assert!(moved.files.contains(&path("f/e/late.rs")) || moved.trees.contains(&path("f/e")), "{moved:?}");
    }
}

#[test]
fn ignored_directories_are_not_watched() {
    let mut world = World::new(&["src/a.rs", "node_modules/m/x.js", "target/debug/y", ".git/HEAD"]);
    world.write(".gitignore", "node_modules/\n");
    assert_eq!(names(&world.check()), (vec![".gitignore"], vec![""]));
    assert_eq!(world.watcher.status().directories, 2, "the root and src");
    for quiet in ["node_modules/m/z.js", "node_modules/n/z.js", "target/debug/z", ".git/index", ".rift/db/x"] {
        world.write(quiet, "x");
        assert_eq!(world.check(), Moved::default(), "{quiet}");
    }
    // The rules go, and what they hid is watched.
    fs::remove_file(world.full(".gitignore")).expect("removes");
    world.check();
    world.write("node_modules/m/x.js", "again");
    assert_eq!(names(&world.check()), (vec!["node_modules/m/x.js"], vec![]));
    // Rules outside the tree.
    fs::create_dir_all(world.full(".git/info")).expect("creates");
    fs::remove_dir_all(world.full("src")).expect("removes");
    fs::rename(world.full(".git"), world.full("git")).expect("moves");
    fs::rename(world.full("git"), world.full(".git")).expect("moves");
    world.check();
    world.write(".git/info/exclude", "node_modules/\n");
    assert_eq!(names(&world.check()), (vec![], vec![""]));
    assert!(world.visible.iter().all(|path| !path.as_str().starts_with("node_modules")));
}

#[test]
fn the_configuration_file_is_named_at_the_root_alone() {
    let mut world = World::new(&["sub/a.rs"]);
    world.write("sub/rift.toml", "");
    assert!(!world.check().config);
    world.write("rift.toml", "");
    assert!(world.check().config);
    fs::remove_file(world.full("rift.toml")).expect("removes");
    assert!(world.check().config);
}

#[test]
fn five_hundred_new_directories_lose_no_file() {
    let mut world = World::new(&["a.rs"]);
    std::thread::scope(|scope| {
        let root = world.root.clone();
        let writer = scope.spawn(move || {
            for n in 0..500 {
                let directory = root.join(format!("n{n}/x/y"));
                fs::create_dir_all(&directory).expect("creates");
                for file in 0..4 {
                    fs::write(directory.join(format!("f{file}.rs")), "x").expect("writes");
                }
                fs::write(root.join(format!("n{n}/f.rs")), "x").expect("writes");
                if n % 5 == 0 {
                    fs::rename(root.join(format!("n{n}")), root.join(format!("m{n}"))).expect("moves");
                }
            }
        });
        while !writer.is_finished() {
            world.follow();
        }
    });
    world.check();
    assert_eq!(world.visible.len(), 1 + 500 * 5);
}

/// More events than the queue holds: everything is looked at, and watching goes on.
#[test]
fn an_overflow_is_said_and_survived() {
    let limit = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").expect("a limit");
    let limit: usize = limit.trim().parse().expect("a number");
    let mut world = World::new(&["a.rs", "b.rs"]);
    let (a, b) = (world.full("a.rs"), world.full("b.rs"));
    let open = |path| fs::OpenOptions::new().write(true).open(path).expect("opens");
    let (mut a, mut b) = (open(&a), open(&b));
    // Only neighbours that are equal are taken together, so two files in turn fill the queue.
    for _ in 0..limit / 2 + 10 {
        for file in [&mut a, &mut b] {
            file.rewind().expect("seeks");
            file.write_all(b"x").expect("writes");
        }
    }
    world.write("late/new.rs", "x");
    assert!(world.check().all);
    assert_eq!(world.watcher.status().overflows, 1);
    world.write("late/new.rs", "again");
    assert_eq!(names(&world.check()), (vec!["late/new.rs"], vec![]));
}

#[test]
fn a_writer_that_is_not_done_is_known() {
    let world = World::new(&["a.rs"]);
    let asked = BTreeSet::from([path("a.rs"), path("b.rs")]);
    let unfinished = || {
        let _ = world.watcher.drain();
        world.watcher.unfinished(&asked).into_iter().map(|p| p.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(unfinished(), [""; 0]);
    let mut file = fs::File::create(world.full("a.rs")).expect("cuts");
    assert_eq!(unfinished(), ["a.rs"], "cut, and nothing written yet");
    file.write_all(b"whole").expect("writes");
    assert_eq!(unfinished(), ["a.rs"]);
    drop(file);
    assert_eq!(unfinished(), [""; 0]);
    let file = fs::File::create(world.full("b.rs")).expect("creates");
    assert_eq!(unfinished(), ["b.rs"]);
    drop(file);
    // What comes whole has no writer.
    fs::remove_file(world.full("b.rs")).expect("removes");
    fs::hard_link(world.full("a.rs"), world.full("b.rs")).expect("links");
    assert_eq!(unfinished(), [""; 0]);
    // A writer that stays is waited for only so long.
    let mut file = fs::OpenOptions::new().append(true).open(world.full("a.rs")).expect("opens");
    file.write_all(b"more").expect("writes");
    let since = Instant::now();
    while !unfinished().is_empty() {
        std::thread::yield_now();
    }
    assert!(since.elapsed() < 20 * WRITER_PATIENCE);
}

#[test]
fn a_root_that_is_replaced_ends_watching_until_it_is_restarted() {
    let mut world = World::new(&["a.rs"]);
    fs::rename(&world.root, world.root.with_file_name("old")).expect("moves");
    fs::create_dir(&world.root).expect("creates");
    world.write("b.rs", "x");
    assert!(world.watcher.drain().all);
    assert_eq!(world.watcher.status().kind, WatchKind::Scanning(ScanReason::RootLost));
    assert!(world.watcher.drain().is_empty());
    assert!(world.watcher.restart());
    world.rescan();
    world.write("c.rs", "x");
    assert_eq!(names(&world.check()), (vec!["c.rs"], vec![]));
}

#[test]
fn watches_that_are_used_up_end_watching_until_there_are_more() {
    let mut world = World::new(&["a/a.rs", "b/b.rs"]);
    world.watcher.limit_directories(Some(3));
    world.write("c/c.rs", "x");
    world.follow();
    assert_eq!(world.watcher.status().kind, WatchKind::Scanning(ScanReason::WatchLimit));
    assert!(world.watcher.drain().is_empty());
    world.watcher.limit_directories(None);
    assert!(world.watcher.restart());
    world.rescan();
    world.write("c/c.rs", "again");
    assert_eq!(names(&world.check()), (vec!["c/c.rs"], vec![]));
}

#[test]
fn waiting_ends_with_an_event_and_with_a_signal() {
    let world = World::new(&["a.rs"]);
    let long = Some(Duration::from_secs(600));
    world.watcher.wake();
    world.watcher.wait(long);
    std::thread::scope(|scope| {
        scope.spawn(|| world.watcher.wait(long));
        world.write("a.rs", "x");
    });
    assert!(!world.watcher.drain().is_empty());
    world.watcher.wait(Some(Duration::ZERO));
    let scanning = Watcher::new(&world.root, WatchMode::Scanning);
    std::thread::scope(|scope| {
        scope.spawn(|| scanning.wait(long));
        scanning.wake();
    });
    assert_eq!(scanning.status().kind, WatchKind::Scanning(ScanReason::Requested));
    assert!(!scanning.restart());
}
