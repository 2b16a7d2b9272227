//! Answers that are behind say so, and by what.

use std::io::Write as _;
use std::time::{Duration, Instant};

use rift_base::Deadline;
use rift_host::{Faults, Following, HostOptions, ScanReason, WatchKind};

use crate::world::{World, text, tree};

const FILES: &[(&str, &str)] = &[("a.py", "def alpha(): pass\n"), ("b.py", "def beta(): pass\n")];

#[test]
fn a_read_that_cannot_wait_says_that_it_is_behind() {
    let world = World::new(FILES, HostOptions::default());
    let tree = world.settled().tree().digest;
    let no_time = || world.host.capture(&Deadline::within(Duration::ZERO)).expect("served");
    assert!(no_time().stale().is_none(), "nothing moved");
    // The writer is not done, so the lane waits for it.
    let mut file = std::fs::File::create(world.full("a.py")).expect("cuts");
    let view = no_time();
    let stale = view.stale().expect("behind").clone();
    assert_eq!((stale.index, view.tree().digest), (tree, tree));
    assert_ne!(stale.captured, tree);
    assert!(stale.detail.contains("a.py") && stale.detail.contains("readiness_timeout"), "{}", stale.detail);
    assert_eq!(text(&view, "a.py").as_deref(), Some("def alpha(): pass\n"), "the last complete state");
    file.write_all(b"def gamma(): pass\n").expect("writes");
    drop(file);
    let view = world.settled();
    assert_eq!(text(&view, "a.py").as_deref(), Some("def gamma(): pass\n"));
    // What moved and left the tree as it was leaves the digests equal.
    let hidden = std::fs::File::create(world.full("x.png")).expect("creates");
    let moved = no_time();
    if let Some(stale) = moved.stale() {
        assert!(stale.detail.contains("x.png"), "{}", stale.detail);
    }
    drop(hidden);
    assert!(world.check().says_something());
}

/// A writer that keeps its file open is waited for only so long.
#[test]
fn a_file_that_stays_open_is_read_as_it_is() {
    let world = World::new(FILES, HostOptions::default());
    let mut log = std::fs::OpenOptions::new().append(true).open(world.full("b.py")).expect("opens");
    for round in 0..20 {
        writeln!(log, "def beta_{round}(): pass").expect("writes");
        let view = world.settled();
        assert!(text(&view, "b.py").is_some_and(|text| text.contains(&format!("beta_{round}("))), "{round}");
    }
    assert!(world.check().says_something());
}

/// The way without a watcher: each read looks, and sees what was written before it.
#[test]
fn a_host_that_scans_looks_before_each_read() {
    let world = World::new(FILES, HostOptions { following: Following::Scanning, ..HostOptions::default() });
    assert!(matches!(world.host.status().watch.kind, WatchKind::Scanning(_)));
    for round in 0..20 {
        // The same length, within one tick of the file system's clock.
        let written = format!("def alpha_{:02}(): pass\n", round);
        world.write("a.py", &written);
        let view = world.settled();
        assert_eq!(text(&view, "a.py"), Some(written));
    }
    world.write("rift.toml", "[languages.python]\nenabled = false\n");
    assert!(world.settled().tree().files.iter().all(|file| file.path.as_str() != "a.py" || file.language.is_none()));
    assert!(world.check().symbols.iter().all(|symbol| !symbol.contains(".py")));
}

/// Watches that are used up are no failure: the tree is scanned instead, and the status says why.
#[test]
fn a_host_without_watches_scans() {
    let files = &[FILES[0], ("d/a.py", "x = 1\n"), ("d/e/b.py", "y = 2\n")];
    let faults = Faults { watches_max: Some(3), ..Faults::default() };
    let world = World::new(files, HostOptions { faults, ..HostOptions::default() });
    assert!(world.check().says_something());
    assert_eq!(world.host.status().watch.kind, WatchKind::Inotify);
    world.write("f/g/c.py", "class Widget: pass\n");
    assert!(world.check().symbols.iter().any(|symbol| symbol.contains("Widget")));
    assert_eq!(world.host.status().watch.kind, WatchKind::Scanning(ScanReason::WatchLimit));
    world.write("a.py", "def beta(): pass\n");
    std::fs::remove_dir_all(world.full("d")).expect("removes");
    assert_eq!(world.check().files.len(), 2);
}

/// A write through a hard link outside the tree makes no event in it. Looking at all stamps from time to time finds it.
#[test]
fn what_makes_no_event_is_found_by_looking_at_stamps() {
    let configuration = ("rift.toml", "[server]\nvalidation_interval = \"1s\"\n");
    let world = World::new(&[FILES[0], configuration], HostOptions::default());
    let outside = world.outside();
    std::fs::hard_link(world.full("a.py"), &outside).expect("links");
    world.settled();
    std::fs::OpenOptions::new().append(true).open(&outside).expect("opens").write_all(b"x = 1\n").expect("writes");
    let end = Instant::now() + crate::world::PATIENCE;
    while text(&world.settled(), "a.py").is_some_and(|text| !text.contains("x = 1")) {
        assert!(Instant::now() < end, "never found");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(world.check().says_something());
}

/// Edits while the workspace is being prepared are in the first complete answer.
#[test]
fn what_moves_during_preparation_is_not_lost() {
    let folder = tree(&[]);
    let root = folder.path().join("w");
    for n in 0..2500 {
        crate::world::write(&root, &format!("d{}/m{n}.py", n % 50), "def alpha(): pass\n");
    }
    let world = World::opened(&root, HostOptions::default());
    world.host.prepare_in_background();
    let first = world.host.capture(&Deadline::never()).expect("served");
    assert!(first.preparation().is_some() && first.stale().is_none());
    for n in 0..60 {
        world.write(&format!("d{}/m{n}.py", n % 50), "def beta(): pass\n");
        world.write(&format!("new{n}/deep/x.py"), "class Widget: pass\n");
        std::fs::remove_file(world.full(&format!("d{}/m{}.py", n % 50, n + 100))).expect("removes");
    }
    world.host.wait_prepared(&Deadline::never(), |_| ()).expect("no deadline").expect("prepares");
    let view = world.settled();
    assert_eq!(view.tree().total, 2500);
    assert_eq!(text(&view, "d3/m3.py").as_deref(), Some("def beta(): pass\n"));
    assert!(world.check().says_something());
}

/// A file that is named is read before its turn, as far as the rules show it.
#[test]
fn a_named_file_is_read_before_it_is_prepared() {
    let folder = tree(&[FILES[0], (".gitignore", "hidden.py\n"), ("hidden.py", "x = 1\n"), ("d/data.bin", "\0")]);
    let world = World::opened(&folder.path().join("w"), HostOptions::default());
    let view = world.host.capture(&Deadline::never()).expect("served");
    assert_eq!(view.preparation().map(|p| (p.prepared, p.total)), Some((0, None)));
    let early = |view, path: &str| world.host.read_early(view, &rift_base::ProjectPath::new(path).expect("a path"));
    let entry = early(&view, "a.py").expect("visible");
    assert_eq!(view.text(&entry).as_deref(), Some(FILES[0].1));
    for absent in ["hidden.py", "no.py", "d", ".git/HEAD"] {
        assert!(early(&view, absent).is_none(), "{absent}");
    }
    world.host.prepare_in_background();
    world.host.wait_prepared(&Deadline::never(), |_| ()).expect("no deadline").expect("prepares");
    assert!(early(&world.settled(), "a.py").is_none(), "what is prepared answers");
}

/// Own files and ignored ones wake nothing.
#[test]
fn what_is_not_in_the_tree_makes_no_generation() {
    let world = World::new(&[FILES[0], (".gitignore", "node_modules/\n*.log\n")], HostOptions::default());
    let before = world.settled().publication().generation;
    for path in [".rift/db/x", "node_modules/m/x.js", "target/debug/x.rs", "x.log", ".git/HEAD"] {
        world.write(path, "x");
        assert_eq!(world.settled().publication().generation, before, "{path}");
    }
    world.write("a.py", FILES[0].1);
    assert_eq!(world.settled().publication().generation, before, "equal text is no change");
    let start = Instant::now();
    world.write("a.py", "def other(): pass\n");
    assert_eq!(world.settled().publication().generation, before + 1);
    assert!(start.elapsed() < Duration::from_secs(60));
}
