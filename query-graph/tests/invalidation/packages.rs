//! Manifests: what a package is called joins behind the facts, so that renaming one executes no extraction but the
//! manifest's own.

use rift_testkit::{Fixture, assert_ran};

use super::world::{World, check};

/// Replays the one step of `fixture`, which renames the package of the manifest at `/manifest`, and asserts that only
/// the manifest is extracted anew while the symbols of `file` go from `before` to `after`.
fn renames(manifest: &str, fixture: &str, file: &str, before: &str, after: &str) {
    let fixture = Fixture::parse(fixture);
    let mut world = World::new(&fixture);
    assert_eq!(world.ask().symbols(file), [before]);
    let executed = world.executed(|world| world.step(&fixture.steps[0]));
    let extracted: Vec<&String> = executed.iter().filter(|query| query.starts_with("facts(")).collect();
    assert_eq!(extracted, [&format!("facts(/{manifest})")]);
    let outlined: Vec<&String> = executed.iter().filter(|query| query.starts_with("outline(")).collect();
    assert_eq!(outlined, [&format!("outline(/{manifest})")]);
    assert_eq!(world.ask().symbols(file), [after]);
}

#[test]
fn cargo() {
    renames(
        "Cargo.toml",
        "
        //- /Cargo.toml
        [package]
        name = \"one\"
        //- /src/a.rs
        fn f() {}
        //= edit /Cargo.toml
        [package]
        name = \"two-parts\"
        ",
        "src/a.rs",
        "one/a/f",
        "two_parts/a/f",
    );
}

#[test]
fn npm() {
    renames(
        "ui/package.json",
        "
        //- /ui/package.json
        {\"name\": \"one\"}
        //- /ui/src/a.ts
        function f() {}
        //= edit /ui/package.json
        {\"name\": \"@scope/two\"}
        ",
        "ui/src/a.ts",
        "one/src/a/f",
        "@scope/two/src/a/f",
    );
}

#[test]
fn go() {
    renames(
        "go.mod",
        "
        //- /go.mod
        module example.com/one
        //- /p/a.go
        package p

        func f() {}
        //= edit /go.mod
        module example.com/two
        ",
        "p/a.go",
        "example.com/one/p/f",
        "example.com/two/p/f",
    );
}

/// The whole run of a rename. Every module below the manifest is looked at; that of another language comes out equal,
/// and nothing past it runs.
#[test]
fn what_a_rename_runs() {
    check(
        "
        //- /go.mod
        module one
        //- /p/a.go
        package p
        //- /p/b.py
        def g(): pass
        //= edit /go.mod
        module two
        ",
        "
        revision(/go.mod)
        facts(/go.mod)
        outline(/go.mod)
        positions(/go.mod)
        manifest(/go.mod)
        module(/go.mod)
        placed(/go.mod)
        file_entry(/go.mod)
        file_symbols(/go.mod)
        file_summary(/go.mod)
        package(/)
        package(/p)
        module(/p/a.go)
        placed(/p/a.go)
        file_entry(/p/a.go)
        file_symbols(/p/a.go)
        file_summary(/p/a.go)
        module(/p/b.py)
        directory_manifest(/p)
        directory_manifest(/)
        directory_summary(/)
        ",
    );
}

/// A dependency more in a manifest says nothing about names: no package is looked at.
#[test]
fn a_manifest_that_states_the_same() {
    check(
        "
        //- /go.mod
        module one
        //- /p/a.go
        package p
        //= edit /go.mod
        module one

        go 1.24
        ",
        "
        revision(/go.mod)
        facts(/go.mod)
        outline(/go.mod)
        positions(/go.mod)
        manifest(/go.mod)
        module(/go.mod)
        placed(/go.mod)
        file_entry(/go.mod)
        file_symbols(/go.mod)
        file_summary(/go.mod)
        directory_manifest(/)
        ",
    );
}

/// A manifest that comes between a package and its files takes them over, and gives them back.
#[test]
fn a_manifest_comes_and_goes() {
    let fixture = Fixture::parse(
        "
        //- /Cargo.toml
        [package]
        name = \"outer\"
        //- /inner/src/a.rs
        fn f() {}
        //= edit /inner/Cargo.toml
        [package]
        name = \"inner\"
        //= delete /inner/Cargo.toml
        ",
    );
    let mut world = World::new(&fixture);
    let before = world.ask();
    assert_eq!(before.symbols("inner/src/a.rs"), ["outer/inner/src/a/f"]);
    world.step(&fixture.steps[0]);
    assert_eq!(world.ask().symbols("inner/src/a.rs"), ["inner/a/f"]);
    let executed = world.executed(|world| world.step(&fixture.steps[1]));
    assert_ran(
        &executed,
        "
        package(/inner)
        package(/inner/src)
        module(/inner/src/a.rs)
        placed(/inner/src/a.rs)
        file_entry(/inner/src/a.rs)
        file_summary(/inner/src/a.rs)
        directory_manifest(/inner/src)
        directory_manifest(/inner)
        directory_manifest(/)
        directory_summary(/inner)
        directory_summary(/)
        ",
    );
    assert_eq!(world.ask(), before);
}

/// What a lockfile states is read again when its text changes, and its folder's sums follow; a file beside it reads nothing of it.
#[test]
fn what_a_lockfile_runs() {
    check(
        "
        //- /Cargo.lock
        version = 4
        //- /a.py
        def g(): pass
        //= edit /Cargo.lock
        version = 4
        [[package]]
        name = \"p\"
        version = \"1.0.0\"
        ",
        "
        revision(/Cargo.lock)
        facts(/Cargo.lock)
        outline(/Cargo.lock)
        positions(/Cargo.lock)
        placed(/Cargo.lock)
        module(/Cargo.lock)
        file_entry(/Cargo.lock)
        file_symbols(/Cargo.lock)
        stated_dependencies(/Cargo.lock)
        file_summary(/Cargo.lock)
        directory_manifest(/)
        directory_summary(/)
        ",
    );
}

/// An edit of a manifest that keeps what it states of packages ends there; so does every edit of another file.
#[test]
fn statements_shield_the_sums() {
    let fixture = Fixture::parse(
        "
        //- /package.json
        {\"dependencies\": {\"a\": \"1\"}}
        //- /deep/Cargo.lock
        version = 4
        //- /deep/a.py
        def g(): pass
        //= edit /package.json
        {\"dependencies\": {\"a\":  \"1\"}}
        //= edit /deep/a.py
        def g(): pass
        def h(): pass
        //= delete /deep/Cargo.lock
        ",
    );
    let mut world = World::new(&fixture);
    let before = world.ask().summary;
    assert_eq!(before.dependencies.len(), 2);
    let executed = world.executed(|world| world.step(&fixture.steps[0]));
    assert!(executed.contains(&"stated_dependencies(/package.json)".to_owned()), "{executed:?}");
    assert!(!executed.iter().any(|query| query.starts_with("directory_summary")), "{executed:?}");
    let executed = world.executed(|world| world.step(&fixture.steps[1]));
    assert!(executed.contains(&"directory_summary(/)".to_owned()), "{executed:?}");
    assert!(!executed.iter().any(|query| query.starts_with("stated_dependencies")), "{executed:?}");
    world.step(&fixture.steps[2]);
    assert_eq!(world.ask().summary.dependencies.len(), 1);
}
