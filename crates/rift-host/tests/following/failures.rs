//! What keeps reads from being served, and that mending it is enough.

use rift_base::Deadline;
use rift_host::{HostErrorClass, HostOptions};

use crate::world::{PATIENCE, World, tree};

const FILES: &[(&str, &str)] = &[("a.py", "def alpha(): pass\n"), ("b/c.rs", "pub struct Widget;\n")];
const BROKEN: &str = "[source]\nfiles = 5\n";

#[test]
fn an_invalid_configuration_refuses_until_it_is_mended() {
    let world = World::new(FILES, HostOptions::default());
    assert!(world.check().says_something());
    for _ in 0..3 {
        world.write("rift.toml", BROKEN);
        assert_eq!(world.refusal().class(), HostErrorClass::Configuration);
        // What moves meanwhile is not lost.
        world.write("a.py", "def beta(): pass\n");
        assert_eq!(world.refusal().class(), HostErrorClass::Configuration);
        assert!(world.host.status().failure.is_some_and(|failure| failure.contains("source.files")));
        world.write("rift.toml", "");
        world.check();
        world.write("rift.toml", BROKEN);
        world.refusal();
        std::fs::remove_file(world.full("rift.toml")).expect("removes");
        assert!(world.check().says_something());
        assert_eq!(world.host.status().failure, None);
    }
}

#[test]
fn a_workspace_that_starts_with_an_invalid_configuration_is_served_once_it_is_mended() {
    let folder = tree(FILES);
    let root = folder.path().join("w");
    crate::world::write(&root, "rift.toml", BROKEN);
    let world = World::opened(&root, HostOptions::default());
    assert_eq!(world.host.current().err().map(|e| e.class()), Some(HostErrorClass::Configuration));
    world.host.prepare_in_background();
    let outcome = world.host.wait_prepared(&Deadline::within(PATIENCE), |_| ()).expect("in time");
    assert_eq!(outcome.err().map(|e| e.class()), Some(HostErrorClass::Configuration));
    assert_eq!(world.refusal().class(), HostErrorClass::Configuration);
    world.write("rift.toml", "[source]\nexclude = [\"b/**\"]\n");
    let facts = world.check();
    assert!(facts.says_something() && facts.files.iter().all(|(path, ..)| !path.starts_with("b/")));
}

#[test]
fn a_bound_that_is_passed_refuses_until_it_is_not() {
    let world = World::new(&[("rift.toml", "[source]\nfiles = 1000\n"), FILES[0], FILES[1]], HostOptions::default());
    for n in 0..1000 {
        world.write(&format!("many/{n}.txt"), "x");
    }
    assert!(matches!(world.refusal().class(), HostErrorClass::Limit { key: "source.files", limit: 1000, .. }));
    std::fs::remove_dir_all(world.full("many")).expect("removes");
    assert!(world.check().says_something());
    // One file too many, by an event of its own.
    for n in 0..997 {
        world.write(&format!("many/{n}.txt"), "x");
    }
    world.settled();
    world.write("late.txt", "x");
    assert!(matches!(world.refusal().class(), HostErrorClass::Limit { required: 1001, .. }));
    world.write("rift.toml", "[source]\nfiles = 2000\n");
    assert!(world.check().says_something());
}

#[test]
fn two_languages_that_claim_one_path_refuse_until_they_do_not() {
    let configuration = "[languages.jest]\ninclude = [\"**/*.test.js\"]\n";
    let world = World::new(&[("rift.toml", configuration), FILES[0]], HostOptions::default());
    world.write("x.test.js", "export function render() {}\n");
    assert_eq!(world.refusal().class(), HostErrorClass::Configuration);
    std::fs::remove_file(world.full("x.test.js")).expect("removes");
    assert!(world.check().says_something());
}

/// A rebuild that fails leaves the last publication, which says so; the next change that can be followed mends it.
#[test]
fn a_root_that_goes_is_said_and_its_return_is_enough() {
    let world = World::new(FILES, HostOptions::default());
    let before = world.settled().tree().digest;
    std::fs::rename(&world.root, world.outside()).expect("moves");
    for _ in 0..2 {
        let view = world.host.capture(&Deadline::within(PATIENCE)).expect("served");
        let stale = view.stale().expect("behind");
        assert_eq!((stale.index, view.tree().digest), (before, before));
        assert!(stale.detail.contains("the last rebuild failed") && stale.detail.contains("root"), "{}", stale.detail);
        assert!(world.host.status().failure.is_some());
    }
    std::fs::write(world.outside().join("a.py"), "def beta(): pass\n").expect("writes");
    std::fs::rename(world.outside(), &world.root).expect("moves");
    let facts = world.check();
    assert!(facts.says_something() && facts.digest != before.hex());
    assert_eq!(world.host.status().failure, None);
    world.write("a.py", "def gamma(): pass\n");
    world.check();
    assert_eq!(world.host.status().watch.kind, rift_host::WatchKind::Inotify);
}

#[test]
fn a_root_that_is_replaced_is_followed_again() {
    let world = World::new(FILES, HostOptions::default());
    std::fs::rename(&world.root, world.outside()).expect("moves");
    world.write("new.py", "def alpha(): pass\n");
    assert_eq!(world.check().files.len(), 1);
    world.write("new.py", "def beta(): pass\n");
    assert!(world.check().says_something());
    assert_eq!(world.host.status().watch.kind, rift_host::WatchKind::Inotify);
}
