//! Branch switches: a repository, and one in it that switches alone.

use std::time::{Duration, Instant};

use rift_host::HostOptions;

use crate::world::{World, commit, git, tree};

/// A repository in `w` with two branches of `files` files each, half of which differ.
fn repository(files: usize) -> tempfile::TempDir {
    let folder = tree(&[]);
    let root = folder.path().join("w");
    git(&root, &["init", "-q"]);
    fill(&root, files, "one");
    commit(&root, "one");
    fill(&root, files, "two");
    commit(&root, "two");
    folder
}

fn fill(root: &std::path::Path, files: usize, branch: &str) {
    for n in 0..files {
        let directory = root.join(format!("d{}", n % 17));
        std::fs::create_dir_all(&directory).expect("creates");
        let said = if n % 2 == 0 { branch } else { "both" };
        std::fs::write(directory.join(format!("m{n}.py")), format!("def alpha_{n}():\n    return '{said}'\n"))
            .expect("writes");
    }
    let only = root.join(format!("only_{branch}"));
    std::fs::create_dir_all(&only).expect("creates");
    std::fs::write(only.join("x.py"), "def render(): pass\n").expect("writes");
}

#[test]
fn fifty_switches_end_in_the_last_branch() {
    let world = World::over(repository(60), HostOptions::default());
    for round in 0..50 {
        git(&world.root, &["checkout", "-q", ["one", "two"][round % 2]]);
        if round % 7 == 0 {
            world.settled();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let facts = world.check();
    assert!(facts.says_something());
    assert!(facts.files.iter().any(|(path, ..)| path == "only_two/x.py"));
}

#[test]
fn a_nested_repository_switches_alone() {
    let world = World::over(repository(10), HostOptions::default());
    let nested = world.full("vendor/inner");
    std::fs::create_dir_all(&nested).expect("creates");
    git(&nested, &["init", "-q"]);
    for branch in ["one", "two"] {
        fill(&nested, 20, branch);
        commit(&nested, branch);
    }
    for round in 0..20 {
        git(&nested, &["checkout", "-q", ["one", "two"][round % 2]]);
        let view = world.settled();
        let path = rift_base::ProjectPath::new("vendor/inner/d0/m0.py").expect("a path");
        let said = view.entry(&path).and_then(|entry| view.text(entry)).expect("there");
        assert!(said.contains(["one", "two"][round % 2]), "{said}");
    }
    assert!(world.check().says_something());
}

/// Thousands of files that git writes are one change.
#[test]
fn a_switch_is_one_generation() {
    let world = World::over(repository(1500), HostOptions::default());
    let before = world.settled().publication().generation;
    git(&world.root, &["checkout", "-q", "one"]);
    let view = world.settled();
    assert_eq!(view.publication().generation, before + 1);
    assert!(world.check().says_something());
}

/// While git holds its lock, the tree is not taken to be whole; a lock that nobody removes is not waited for twice.
#[test]
fn gits_lock_is_waited_for_once() {
    let folder = tree(&[("a.py", "def alpha(): pass\n")]);
    git(&folder.path().join("w"), &["init", "-q"]);
    let world = World::over(folder, HostOptions::default());
    world.write(".git/index.lock", "");
    let start = Instant::now();
    world.write("a.py", "def beta(): pass\n");
    world.settled();
    assert!(start.elapsed() >= Duration::from_secs(5), "{:?}", start.elapsed());
    for round in 0..20 {
        world.write("a.py", &format!("def beta_{round}(): pass\n"));
        world.settled();
    }
    assert!(start.elapsed() < Duration::from_secs(60), "each edit waits: {:?}", start.elapsed());
    std::fs::remove_file(world.full(".git/index.lock")).expect("removes");
    assert!(world.check().says_something());
}
