//! What an edit makes bind again where files include others as text: counted over a workspace of a thousand files.

use std::collections::BTreeSet;

use super::bindings::{bind, bound, edit};
use super::world::{World, delete, write};

/// Files that include the one header, the other, and one that is not there.
const SHAPES: usize = 100;
const COLORS: usize = 50;
const WANTING: usize = 20;
const FILES: usize = 1_000;

const SHAPES_H: &str = "#pragma once\nnamespace geo {\nclass Shape { public: int area(); int id; };\nint total();\n}\n";
const COLORS_H: &str = "#pragma once\nnamespace geo { enum class Color { Red }; }\n";
const SHAPES_CC: &str = "#include \"shapes.hpp\"\nnamespace geo {\nstatic int step() { return 1; }\n\
                         int total() { return step(); }\nint Shape::area() { return id; }\n}\n";

fn user(n: usize) -> String {
    format!("app/m{:02}/u{n}.cc", n / 25)
}

fn users(range: std::ops::Range<usize>, also: &[&str]) -> BTreeSet<String> {
    range.map(user).chain(also.iter().map(|path| (*path).to_owned())).collect()
}

fn text(n: usize) -> String {
    match n {
        n if n < SHAPES => {
            format!("#include \"lib/shapes.hpp\"\nint run{n}(geo::Shape& s) {{ return s.area() + geo::total(); }}\n")
        }
        n if n < SHAPES + COLORS => {
            format!("#include \"lib/colors.hpp\"\nint run{n}() {{ return int(geo::Color::Red); }}\n")
        }
        n if n < SHAPES + COLORS + WANTING => {
            format!("#include \"lib/late.hpp\"\nint run{n}() {{ return wanted(); }}\n")
        }
        n => format!("int run{n}() {{ return run{n}(); }}\n"),
    }
}

fn workspace() -> World {
    let mut world = World::empty();
    let library = [("lib/shapes.hpp", SHAPES_H), ("lib/colors.hpp", COLORS_H), ("lib/shapes.cc", SHAPES_CC)];
    let mut changes: Vec<_> = library.iter().map(|(at, text)| write(at, text)).collect();
    changes.extend((0..FILES).map(|n| write(&user(n), &text(n))));
    world.apply(changes);
    bind(&world);
    world
}

#[test]
fn an_edit_of_a_source_file_binds_it_alone() {
    let mut world = workspace();
    let edited = SHAPES_CC.replace("return id", "return id + total()");
    assert_eq!(edit(&mut world, "lib/shapes.cc", &edited), users(0..0, &["lib/shapes.cc"]));
    let more = edited.replace("static int step()", "static int more() { return 2; }\nstatic int step()");
    assert_eq!(edit(&mut world, "lib/shapes.cc", &more), users(0..0, &["lib/shapes.cc"]));
    assert_eq!(edit(&mut world, "lib/shapes.cc", &format!("// A comment.\n{more}")), BTreeSet::new());
}

#[test]
fn renaming_a_name_of_a_header_binds_those_who_include_it() {
    let mut world = workspace();
    let before = bind(&world);
    let renamed = SHAPES_H.replace("int total()", "int count()");
    let importers = users(0..SHAPES, &["lib/shapes.hpp", "lib/shapes.cc"]);
    assert_eq!(edit(&mut world, "lib/shapes.hpp", &renamed), importers);
    assert_eq!(before.len() - bind(&world).len(), SHAPES, "a call of each importer");
    assert_eq!(edit(&mut world, "lib/shapes.hpp", SHAPES_H), importers);
    assert_eq!(bind(&world), before);
}

#[test]
fn a_header_that_is_wanted_binds_those_who_want_it() {
    let mut world = workspace();
    let before = bind(&world);
    let wanting = SHAPES + COLORS..SHAPES + COLORS + WANTING;
    let added = edit(&mut world, "lib/late.hpp", "inline int wanted() { return 1; }\n");
    assert_eq!(added, users(wanting.clone(), &["lib/late.hpp"]));
    assert_eq!(bind(&world).len(), before.len() + WANTING);
    let gone = bound(&mut world, |world| {
        world.apply(vec![delete("lib/late.hpp")]);
    });
    assert_eq!(gone, users(wanting, &[]));
    assert_eq!(bind(&world), before);
}
