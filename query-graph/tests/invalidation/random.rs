//! Incremental equals from scratch: random edits with questions in between end where a fresh database starts.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rift_base::ProjectPath;

use super::world::{Answers, World, delete, path as path_of, write};

/// Paths that edits hit, and the texts they take: folders in folders, names that sort beside a folder's, and every kind of
/// manifest.
const FILES: &[(&str, &[&str])] = &[
    ("Cargo.toml", &["[package]\nname = \"one\"\n", "[package]\nname = \"two\"\n[lib]\npath = \"src/a.rs\"\n"]),
    ("a.rs", &["fn main() {}\n", "// moved\n\nfn main() {}\n", "pub fn main(x: u8) {}\n"]),
    ("src/lib.rs", &["pub struct S { x: u32 }\nimpl S { fn f(&self) {} }\n", "pub struct S;\n"]),
    ("src/a/mod.rs", &["fn f() {}\n", "fn f() { 1; }\n", "fn f() {}\nfn f() {}\n"]),
    ("src/a.rs", &["mod b { const C: u8 = 1; }\n", "mod b {}\n"]),
    ("src/a-b.rs", &["enum E { A, B }\n", "enum E { A }\n"]),
    ("src/main.rs", &["fn main() {}\n", "fn other() {}\n"]),
    ("pkg/package.json", &["{\"name\": \"app\"}\n", "{\"name\": \"@scope/app\"}\n", "{}\n"]),
    ("pkg/src/view.ts", &["export function f() {}\n", "interface I { x: number }\ninterface I { y: number }\n"]),
    ("pkg/index.js", &["export default class {}\n", "const f = () => 1;\n"]),
    ("go/go.mod", &["module example.com/m\n", "module example.com/n\n"]),
    ("go/p/x.go", &["package p\n\nfunc F() {}\n", "package q\n\nfunc F() {}\n"]),
    ("go/p/x_test.go", &["package p\n\nfunc TestF() {}\n", "package p_test\n\nfunc TestF() {}\n"]),
    ("py/pyproject.toml", &["[project]\nname = \"py-one\"\n", "[tool]\n"]),
    ("py/src/m/__init__.py", &["class C:\n    def f(self): pass\n    def f(self, x): pass\n", "def f(): pass\n"]),
    ("j/A.java", &["package p;\nclass A { void f() {} void f(int x) {} }\n", "package q;\nclass A {}\n"]),
    ("c/x.c", &["static int f(void) { return 1; }\nint main(void) { return f(); }\n", "int g(void);\n"]),
    ("c/x.h", &["class K { public: int f(); };\n", "int f(void);\n"]),
    ("docs/deep/er/README.md", &["# Title\n\n## Part\n", "# Other\n"]),
    ("notes.txt", &["one\n", "two\n"]),
    ("docs/guide.rst", &["Guide\n=====\n\nOne ``f``.\n", "Guide\n=====\n\nPart\n----\n\nTwo::\n\n    f()\n"]),
    ("docs/n.ipynb", &["{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"x\"]}]}\n", "{}\n"]),
];

/// Texts that every path may take: empty, broken in every language, and one that is sound in few.
const ODD: &[&str] = &["", "fn ( {\n", "def f(): pass\n"];

/// The text numbered `n`, around and around, of the file numbered `file`.
fn text(file: usize, n: usize) -> &'static str {
    let own = FILES[file].1;
    let n = n % (own.len() + ODD.len());
    own.get(n).unwrap_or_else(|| &ODD[n - own.len()])
}

/// Languages that the configuration turns off and on.
const LANGUAGES: &[&str] = &["rust", "python", "go"];

#[derive(Debug, Clone)]
enum Move {
    /// One edit of several files; no text deletes.
    Edit(Vec<(usize, Option<usize>)>),
    /// Everything is asked.
    Ask,
    /// One language off, or none.
    Configure(Option<usize>),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let text = prop_oneof![5 => (0..60usize).prop_map(Some), 1 => Just(None)];
    let batch = prop::collection::vec((0..FILES.len(), text), 1..5);
    let one = prop_oneof![
        8 => batch.prop_map(Move::Edit),
        3 => Just(Move::Ask),
        1 => prop::option::of(0..LANGUAGES.len()).prop_map(Move::Configure),
    ];
    prop::collection::vec(one, 1..30)
}

/// The files and the configuration that `moves` end with, put into a fresh database in one go.
fn fresh(moves: &[Move]) -> Answers {
    let mut files: BTreeMap<usize, Option<usize>> = BTreeMap::new();
    let mut off = None;
    for one in moves {
        match one {
            Move::Edit(batch) => files.extend(batch.iter().copied()),
            Move::Ask => {}
            Move::Configure(language) => off = *language,
        }
    }
    let mut world = World::empty();
    if let Some(language) = off {
        world.enable(LANGUAGES[language], false);
    }
    world.apply(files.iter().filter_map(|(&file, &n)| Some(write(FILES[file].0, text(file, n?)))).collect());
    world.ask()
}

/// The folders of [`FILES`], the root among them.
fn folders() -> usize {
    let above = |(path, _): &(&str, _)| std::iter::successors(path_of(path).parent(), ProjectPath::parent);
    FILES.iter().flat_map(above).collect::<BTreeSet<_>>().len()
}

/// Replays `moves`, comparing every answer on the way with a fresh database's. `settle` off is the fault that the test
/// must catch: changes that never reach the root.
fn replay(moves: &[Move], settle: bool) -> Result<(), TestCaseError> {
    let mut world = World::empty();
    for (n, one) in moves.iter().enumerate() {
        match one {
            Move::Edit(batch) => {
                let change = |&(file, n): &(usize, Option<usize>)| match n {
                    Some(n) => write(FILES[file].0, text(file, n)),
                    None => delete(FILES[file].0),
                };
                let changes = batch.iter().map(change).collect();
                world.ground.apply(&mut world.db, changes);
                if settle {
                    world.ground.settle(&mut world.db);
                }
            }
            Move::Ask => prop_assert_eq!(world.ask(), fresh(&moves[..=n])),
            Move::Configure(language) => world.enable(LANGUAGES[language.unwrap_or(0)], language.is_none()),
        }
    }
    prop_assert_eq!(world.ask(), fresh(moves));
    prop_assert!(world.ground.inputs() <= FILES.len() + folders(), "inputs grew: {}", world.ground.inputs());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edits_end_where_a_fresh_database_starts(moves in moves()) {
        replay(&moves, true)?;
    }
}

/// Every file with each of its texts in turn, the neighbours always at another one.
fn long_walk() -> Vec<Move> {
    let round = |n: usize| (0..FILES.len()).map(|file| (file, Some(file + n))).collect();
    (0..12).flat_map(|n| [Move::Edit(round(n)), Move::Ask]).collect()
}

/// The walk that the property must not miss, and what the comparison is made of.
#[test]
fn a_long_walk_ends_where_a_fresh_database_starts() {
    replay(&long_walk(), true).unwrap();
    let all = Move::Edit((0..FILES.len()).map(|file| (file, Some(0))).collect());
    let answers = fresh(&[all]);
    assert_eq!(answers.files.len(), FILES.len());
    assert_eq!(answers.summary.entry_points.len(), 3, "a.rs, src/main.rs and c/x.c: {:?}", answers.summary);
    assert_eq!(answers.symbols("src/a/mod.rs"), ["one/a/f"]);
    assert_eq!(answers.symbols("go/p/x_test.go"), ["example.com/m/p/TestF"]);
    assert_eq!(answers.symbols("j/A.java"), ["p/A", "p/A/f", "p/A/f"]);
}

/// The fault that the property catches when it is switched on.
#[test]
fn changes_that_never_reach_the_root_are_caught() {
    assert!(replay(&long_walk(), false).is_err());
}
