//! Files that come and go, contents that stay equal, and the configuration.

use std::sync::Arc;

use query_graph::{Change, Content, LeftOut, Note, facts, revision};
use rift_base::{IndexPolicy, SyntaxPolicy, TextPolicy, Unavailable};
use rift_testkit::{Fixture, assert_ran};

use super::world::{World, check, delete, path, source, write};

const TWO: &str = "
    //- /src/a.py
    def f(): pass
    //- /src/b.py
    def g(): pass
    ";

fn two() -> World {
    World::new(&Fixture::parse(TWO))
}

/// A new file runs its own queries and those of its folders; its neighbours' places are not looked at again, because the
/// manifests above them come out equal.
#[test]
fn a_file_is_added() {
    check(
        "
        //- /src/a.py
        def f(): pass
        //= edit /src/b.py
        def g(): pass
        ",
        "
        claimed_language(/src/b.py)
        revision(/src/b.py)
        facts(/src/b.py)
        outline(/src/b.py)
        positions(/src/b.py)
        package(/src)
        module(/src/b.py)
        placed(/src/b.py)
        file_entry(/src/b.py)
        file_symbols(/src/b.py)
        file_summary(/src/b.py)
        directory_manifest(/src)
        directory_manifest(/)
        directory_summary(/src)
        directory_summary(/)
        ",
    );
}

/// A file in a new folder makes its folders, and leaves the folder beside them alone.
#[test]
fn a_folder_is_added() {
    check(
        "
        //- /src/a.py
        def f(): pass
        //= edit /lib/x/b.c
        int g;
        ",
        "
        claimed_language(/lib/x/b.c)
        revision(/lib/x/b.c)
        facts(/lib/x/b.c)
        outline(/lib/x/b.c)
        positions(/lib/x/b.c)
        module(/lib/x/b.c)
        placed(/lib/x/b.c)
        file_entry(/lib/x/b.c)
        file_symbols(/lib/x/b.c)
        file_summary(/lib/x/b.c)
        directory_manifest(/lib/x)
        directory_manifest(/lib)
        directory_manifest(/)
        directory_summary(/lib/x)
        directory_summary(/lib)
        directory_summary(/)
        ",
    );
}

#[test]
fn a_file_is_deleted() {
    check(
        "
        //- /src/a.py
        def f(): pass
        //- /src/b.py
        def g(): pass
        //= delete /src/b.py
        ",
        "
        package(/src)
        directory_manifest(/src)
        directory_manifest(/)
        directory_summary(/src)
        directory_summary(/)
        ",
    );
}

/// A path that comes back with its old content finds its old revision, and with it everything that was known of it.
#[test]
fn a_file_is_deleted_and_made_again() {
    check(
        "
        //- /src/a.py
        def f(): pass
        //- /src/b.py
        def g(): pass
        //= delete /src/b.py
        //= edit /src/b.py
        def g(): pass
        ",
        "
        revision(/src/b.py)
        package(/src)
        file_entry(/src/b.py)
        directory_manifest(/src)
        directory_manifest(/)
        directory_summary(/src)
        directory_summary(/)
        ",
    );
}

/// A renamed file is another path: its facts are its own, and the old path keeps nothing visible.
#[test]
fn a_file_is_renamed() {
    let mut world = two();
    let executed = world.executed(|world| {
        assert_eq!(world.apply(vec![delete("src/b.py"), write("src/c.py", "def g(): pass\n")]), 2);
    });
    assert_ran(
        &executed,
        "
        claimed_language(/src/c.py)
        revision(/src/c.py)
        facts(/src/c.py)
        outline(/src/c.py)
        positions(/src/c.py)
        package(/src)
        module(/src/c.py)
        placed(/src/c.py)
        file_entry(/src/c.py)
        file_symbols(/src/c.py)
        file_summary(/src/c.py)
        directory_manifest(/src)
        directory_manifest(/)
        directory_summary(/src)
        directory_summary(/)
        ",
    );
    let answers = world.ask();
    assert_eq!(answers.files.keys().map(|path| path.as_str()).collect::<Vec<_>>(), ["src/a.py", "src/c.py"]);
    assert_eq!(answers.symbols("src/c.py"), ["c/g"]);
}

/// A file that stops giving text stays visible, is noted, and finds its facts again when the text comes back.
#[test]
fn a_file_is_left_out() {
    let mut world = two();
    let left_out = LeftOut { digest: None, size: 3, reason: Unavailable::NotUtf8 { offset: 0 } };
    let content = Content::LeftOut(Arc::new(left_out));
    world.apply(vec![Change { path: path("src/a.py"), content }]);
    let answers = world.ask();
    assert_eq!(answers.files[&path("src/a.py")].known, None);
    assert_eq!((answers.summary.files, answers.summary.symbols), (2, 1));
    assert_eq!(answers.summary.notes[&Note::Unavailable].count, 1);
    let executed = world.executed(|world| assert_eq!(world.apply(vec![write("src/a.py", "def f(): pass\n")]), 1));
    assert!(executed.iter().all(|query| !query.starts_with("facts(")), "{executed:?}");
    assert_eq!(world.ask(), two().ask());
}

/// Inputs live for ever, so a path has one for ever.
#[test]
fn inputs_do_not_grow_with_deletions() {
    let mut world = two();
    let inputs = world.ground.inputs();
    assert_eq!(inputs, 4, "two files, /src and the root");
    for round in 0..20 {
        assert_eq!(world.apply(vec![delete("src/a.py"), delete("src/b.py")]), 2);
        assert!(world.ask().files.is_empty());
        let text = format!("def f(): return {round}\n");
        assert_eq!(world.apply(vec![write("src/a.py", &text), write("src/b.py", &text)]), 2);
        assert_eq!(world.ask().files.len(), 2);
    }
    assert_eq!(world.ground.inputs(), inputs);
    assert_eq!(world.apply(vec![delete("never/seen.py")]), 0);
    assert_eq!(world.ground.inputs(), inputs, "deleting an unknown path makes no input");
}

/// An equal text makes no revision: nothing is even validated.
#[test]
fn a_touch() {
    let mut world = two();
    let counts = world.counted(|world| {
        assert_eq!(world.apply(vec![write("src/a.py", "def f(): pass\n")]), 0);
        world.ask();
    });
    assert_eq!(counts, Default::default());
}

/// Of several changes of one path in one batch the last one counts, also when it takes the others back.
#[test]
fn a_batch_that_takes_itself_back() {
    let mut world = two();
    let counts = world.counted(|world| {
        let batch = vec![delete("src/a.py"), write("src/a.py", "x = 1\n"), write("src/a.py", "def f(): pass\n")];
        assert_eq!(world.apply(batch), 0);
        world.ask();
    });
    assert_eq!(counts, Default::default());
}

/// What the index takes of a file is no part of its revision: equal content keeps its facts and its place.
#[test]
fn a_policy() {
    let mut world = two();
    let policy = IndexPolicy { text: TextPolicy::TooLarge, ..IndexPolicy::FULL };
    let content = source("def f(): pass\n", policy);
    let executed = world.executed(|world| {
        assert_eq!(world.apply(vec![Change { path: path("src/a.py"), content }]), 1);
    });
    assert_ran(
        &executed,
        "
        revision(/src/a.py)
        file_entry(/src/a.py)
        file_summary(/src/a.py)
        directory_manifest(/src)
        directory_manifest(/)
        directory_summary(/src)
        directory_summary(/)
        ",
    );
}

/// Equal content at one path is one key, whatever happened in between; at two paths it is two.
#[test]
fn equal_content_shares_a_revision() {
    let mut world = two();
    let held = |world: &World, at: &str| revision(&world.db, world.ground.file(&path(at)).unwrap()).unwrap();
    let first = held(&world, "src/a.py");
    let known = facts(&world.db, first);
    world.apply(vec![write("src/a.py", "def other(): pass\n")]);
    assert_ne!(held(&world, "src/a.py"), first);
    assert_eq!(facts(&world.db, first), known, "an old revision answers as before");
    world.apply(vec![delete("src/a.py")]);
    world.apply(vec![write("src/a.py", "def f(): pass\n"), write("src/b.py", "def f(): pass\n")]);
    assert_eq!(held(&world, "src/a.py"), first);
    assert_ne!(held(&world, "src/b.py"), first);
}

/// A language that is turned off: every claim is looked at, and files of other languages see nothing of it.
#[test]
fn a_language_is_turned_off_and_on() {
    let mut world = World::new(&Fixture::parse("//- /a.py\ndef f(): pass\n//- /b.rs\nfn g() {}\n"));
    let executed = world.executed(|world| world.enable("python", false));
    assert_ran(
        &executed,
        "
        claimed_language(/a.py)
        claimed_language(/b.rs)
        revision(/a.py)
        facts(/a.py)
        outline(/a.py)
        positions(/a.py)
        module(/a.py)
        placed(/a.py)
        file_entry(/a.py)
        file_symbols(/a.py)
        file_summary(/a.py)
        directory_manifest(/)
        directory_summary(/)
        ",
    );
    assert!(world.ask().symbols("a.py").is_empty());
    let executed = world.executed(|world| world.enable("python", true));
    assert!(executed.iter().any(|query| query == "revision(/a.py)"), "{executed:?}");
    assert!(executed.iter().all(|query| !query.starts_with("facts(")), "{executed:?}");
    assert_eq!(world.ask().symbols("a.py"), ["a/f"]);
    assert_eq!(world.counted(|world| world.enable("python", true)), Default::default(), "an equal configuration");
}

/// A file past its bound is visible, readable and not parsed.
#[test]
fn a_file_that_is_not_parsed() {
    let mut world = two();
    let policy = IndexPolicy { syntax: SyntaxPolicy::TooLarge, ..IndexPolicy::FULL };
    world.apply(vec![Change { path: path("src/a.py"), content: source("def f(): pass\n", policy) }]);
    let answers = world.ask();
    let root = query_graph::directory_manifest(&world.db, world.ground.root(&world.db));
    let entry = root.file(&path("src/a.py")).unwrap();
    assert!(entry.source().is_some());
    assert_eq!(entry.language.as_ref().map(|language| language.as_str()), Some("python"));
    assert!(answers.symbols("src/a.py").is_empty());
    assert_eq!(answers.summary.symbols, 1, "g alone");
}
