//! What an edit makes bind again: counted over a workspace of a thousand files.

use std::collections::BTreeSet;

use query_graph::{Db as _, Derivation, bindings, overrides};

use super::world::{World, delete, path, write};

/// Files that import `shared`, `other` and something that is not there.
const SHARED: usize = 100;
const OTHER: usize = 50;
const WANTING: usize = 20;

const CORE: &str = "def shared():\n    return helper()\n\ndef other():\n    return 1\n\ndef helper():\n    return 2\n";

fn user(n: usize) -> String {
    format!("app/m{:02}/u{n}.py", n / 25)
}

fn text(n: usize) -> String {
    match n {
        n if n < SHARED => format!("from lib.core import shared\n\ndef run{n}():\n    return shared()\n"),
        n if n < SHARED + OTHER => format!("from lib import core\n\ndef run{n}():\n    return core.other()\n"),
        n if n < SHARED + OTHER + WANTING => {
            format!("from lib.late import wanted\n\ndef run{n}():\n    return wanted()\n")
        }
        n => format!("def run{n}():\n    return run{n}()\n"),
    }
}

/// A workspace of `files` Python files besides the library, all bound once.
fn workspace(files: usize) -> World {
    let mut world = World::empty();
    let mut changes = vec![write("lib/__init__.py", ""), write("lib/core.py", CORE)];
    changes.extend((0..files).map(|n| write(&user(n), &text(n))));
    world.apply(changes);
    bind(&world);
    world
}

/// Every reference of every file as `path name = target`.
pub(super) fn bind(world: &World) -> BTreeSet<String> {
    let db = &world.db;
    let mut out = BTreeSet::new();
    world.manifest().walk(&mut |entry| {
        let file = world.ground.file(&entry.path).expect("an entry has an input");
        let found = bindings(db, file);
        for bound in found.bound.iter() {
            let target = found.targets[bound.target as usize];
            let sure = bound.derivation == Derivation::Syntax;
            let (at, name) = (target.decl.file(db).path(db), target.decl.path(db));
            out.insert(format!("{} {} = {at} {name} {} {sure}", entry.path, bound.reference, target.nth));
        }
    });
    out
}

/// The files that were bound again by `edit` and the questions after it.
pub(super) fn bound(world: &mut World, edit: impl FnOnce(&mut World)) -> BTreeSet<String> {
    world.db.counters().start_log();
    edit(world);
    bind(world);
    let log = world.db.counters().take_log(&world.db);
    let paths = log.iter().filter_map(|line| line.strip_prefix("bindings(/")?.strip_suffix(')'));
    paths.map(str::to_owned).collect()
}

pub(super) fn edit(world: &mut World, at: &str, text: &str) -> BTreeSet<String> {
    bound(world, |world| assert_eq!(world.apply(vec![write(at, text)]), 1))
}

fn users(range: std::ops::Range<usize>, also: &[&str]) -> BTreeSet<String> {
    range.map(user).chain(also.iter().map(|path| (*path).to_owned())).collect()
}

#[test]
fn an_edit_inside_a_body_binds_one_file() {
    let mut world = workspace(1_000);
    let edited = CORE.replace("return 1", "return helper()");
    assert_eq!(edit(&mut world, "lib/core.py", &edited), users(0..0, &["lib/core.py"]));
    // Moved lines and comments refer to the same.
    let moved = format!("# A comment.\n\n{edited}");
    assert_eq!(edit(&mut world, "lib/core.py", &moved), BTreeSet::new());
}

#[test]
fn a_private_function_more_binds_one_file() {
    let mut world = workspace(1_000);
    let more = format!("def _private():\n    return helper()\n\n{CORE}");
    assert_eq!(edit(&mut world, "lib/core.py", &more), users(0..0, &["lib/core.py"]));
}

#[test]
fn renaming_what_is_exported_binds_its_importers() {
    let mut world = workspace(1_000);
    let before = bind(&world);
    let renamed = CORE.replace("def shared", "def renamed");
    assert_eq!(edit(&mut world, "lib/core.py", &renamed), users(0..SHARED, &["lib/core.py"]));
    let after = bind(&world);
    assert_eq!(before.len() - after.len(), 2 * SHARED, "an import and a call of each importer");
    assert_eq!(edit(&mut world, "lib/core.py", CORE), users(0..SHARED, &["lib/core.py"]));
    assert_eq!(bind(&world), before);
}

#[test]
fn a_file_that_is_wanted_binds_those_who_want_it() {
    let mut world = workspace(1_000);
    let before = bind(&world);
    let wanting = SHARED + OTHER..SHARED + OTHER + WANTING;
    let bound_again = edit(&mut world, "lib/late.py", "def wanted(): ...\n");
    assert_eq!(bound_again, users(wanting.clone(), &["lib/late.py"]));
    assert_eq!(bind(&world).len(), before.len() + 2 * WANTING);
    let unrelated = edit(&mut world, "lib/unrelated.py", "def unrelated(): ...\n");
    assert_eq!(unrelated, users(0..0, &["lib/unrelated.py"]));
    let gone = bound(&mut world, |world| {
        world.apply(vec![delete("lib/late.py"), delete("lib/unrelated.py")]);
    });
    assert_eq!(gone, users(wanting, &[]));
    assert_eq!(bind(&world), before);
}

/// What one file's bindings take, after an edit elsewhere and of the file itself, does not grow with the workspace.
#[test]
fn binding_costs_the_same_in_a_workspace_ten_times_as_large() {
    let costs = |files: usize| {
        let mut world = workspace(files);
        let edited = CORE.replace("return 1", "return helper()");
        world.counted(|world| {
            world.apply(vec![write("lib/core.py", &edited)]);
            for at in ["lib/core.py".to_owned(), user(3), user(files - 1)] {
                let file = world.ground.file(&path(&at)).expect("known");
                bindings(&world.db, file);
            }
        })
    };
    let (small, large) = (costs(1_000), costs(10_000));
    assert_eq!(small["bindings"].executed, 1);
    assert_eq!(small, large);
}

const BASE: &str = "class Base:\n    def open(self):\n        return 1\n\n    def close(self):\n        return 2\n";

/// What overrides what, of every file; and the files whose overrides `edit` had computed again.
fn overriding(world: &mut World, edit: impl FnOnce(&mut World)) -> (BTreeSet<String>, BTreeSet<String>) {
    world.db.counters().start_log();
    edit(world);
    let db = &world.db;
    let mut out = BTreeSet::new();
    world.manifest().walk(&mut |entry| {
        let file = world.ground.file(&entry.path).expect("an entry has an input");
        for one in overrides(db, file).iter() {
            let name = |of: query_graph::Referent| format!("{} {}", of.decl.file(db).path(db), of.decl.path(db));
            out.insert(format!("{} over {}", name(one.member), name(one.of)));
        }
    });
    let log = world.db.counters().take_log(&world.db);
    let paths = log.iter().filter_map(|line| line.strip_prefix("overrides(/")?.strip_suffix(')'));
    (out, paths.map(str::to_owned).collect())
}

#[test]
fn a_base_that_changes_asks_those_who_extend_it_alone_what_they_override() {
    let mut world = World::empty();
    let derived = |n: usize| format!("app/m{:02}/d{n}.py", n / 25);
    let text = "from lib.base import Base\n\nclass Own(Base):\n    def open(self):\n        return 3\n";
    let mut changes = vec![write("lib/__init__.py", ""), write("lib/base.py", BASE)];
    changes.extend((0..SHARED).map(|n| write(&derived(n), text)));
    changes.extend((SHARED..500).map(|n| write(&user(n), &self::text(n))));
    let (before, asked) = overriding(&mut world, |world| {
        world.apply(changes);
    });
    assert_eq!(before.len(), SHARED, "{before:?}");
    assert!(before.contains("app/m00/d0.py Own/open over lib/base.py Base/open"), "{before:?}");
    assert_eq!(asked.len(), 502, "each file once");

    let edit = |world: &mut World, text: &str| {
        overriding(world, |world| assert_eq!(world.apply(vec![write("lib/base.py", text)]), 1))
    };
    // What a body holds, and where a declaration stands, says nothing about what overrides it.
    assert_eq!(edit(&mut world, &BASE.replace("return 1", "return 9")), (before.clone(), BTreeSet::new()));
    let (same, asked) = edit(&mut world, &format!("# A comment.\n\n{BASE}"));
    assert_eq!((same, asked), (before.clone(), BTreeSet::new()));
    let (none, asked) = edit(&mut world, &BASE.replace("def open", "def begin"));
    let extending: BTreeSet<String> = (0..SHARED).map(derived).chain(["lib/base.py".to_owned()]).collect();
    assert_eq!((none, asked), (BTreeSet::new(), extending));
    assert_eq!(edit(&mut world, BASE).0, before);
}
