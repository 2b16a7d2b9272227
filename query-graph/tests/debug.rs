//! What the database tells of itself: counts, what an edit made run, who read what. Numbers are counted by hand from the rows of
//! docs/queries.md.

use std::collections::BTreeMap;
use std::sync::Arc;

use query_graph::{
    Branch, Change, Content, Db as _, File, Ground, Outcome, Report, RootDatabase, Row, Source, StoredText, bindings,
    directory_manifest, directory_summary, end_recording, explained, outline, parse_node, start_recording,
};
use rift_base::{Config, Digest, IndexPolicy, ProjectPath, SourceKind};
use rift_workspace::LanguageMap;

fn write(path: &str, text: &str) -> Change {
    let content = Content::Source(Arc::new(Source {
        digest: Digest::of(text.as_bytes()),
        text: StoredText::new(text),
        size: text.len() as u64,
        kind: SourceKind::Authored,
        policy: IndexPolicy::FULL,
    }));
    Change { path: ProjectPath::new(path).expect("a valid path"), content }
}

fn ground(db: &mut RootDatabase) -> Ground {
    let config = Config::default();
    let languages = LanguageMap::new(&config).expect("the default languages");
    Ground::new(db, "ws", Arc::new(config), Arc::new(languages))
}

const LIB: &str = "def f():\n    return 1\n";
const USER: &str = "from lib import f\n\ndef g():\n    return f()\n";

/// Two Python files, the second of which uses the first.
fn two() -> (RootDatabase, Ground, [File; 2]) {
    let mut db = RootDatabase::new().binding();
    let mut ground = ground(&mut db);
    ground.apply(&mut db, vec![write("lib.py", LIB), write("user.py", USER)]);
    ground.settle(&mut db);
    let file =
        |path: &str| ground.file(&ProjectPath::new(path).expect("a valid path")).expect("a file that was written");
    let files = [file("lib.py"), file("user.py")];
    (db, ground, files)
}

fn row(report: &Report, name: &str) -> Row {
    let mut rows = report.queries.iter().chain(&report.inputs).chain(&report.interned);
    rows.find(|row| row.name == name).cloned().unwrap_or_else(|| panic!("no row {name}"))
}

#[test]
fn a_query_counts_its_runs_and_who_was_answered_from_a_memo() {
    let (db, ground, [lib, _]) = two();
    directory_manifest(&db, ground.root(&db));
    let before = row(&Report::of(db.counters()), "outline");
    for _ in 0..3 {
        outline(&db, lib);
    }
    let after = row(&Report::of(db.counters()), "outline");
    let did = after.totals.since(&before.totals);
    // `settle` asked for no outline of Python: its module needs none of the text.
    assert_eq!((before.memos, after.memos), (0, 1));
    assert_eq!((did.executed, did.validated, did.backdated, did.reused), (1, 0, 0, 2));
    assert!(
        did.nanos > 0 && did.own_nanos > 0 && did.own_nanos <= did.nanos && did.worst_nanos == did.nanos,
        "{did:?}"
    );
}

#[test]
fn an_equal_value_is_counted_where_the_change_ends() {
    let (mut db, mut ground, [lib, user]) = two();
    outline(&db, lib);
    outline(&db, user);
    let before = Report::of(db.counters());
    ground.apply(&mut db, vec![write("lib.py", "def f():\n    return 2\n")]);
    outline(&db, lib);
    outline(&db, user);
    let after = Report::of(db.counters());
    let did = |name: &str| row(&after, name).totals.since(&row(&before, name).totals);
    // A body is no part of an outline: of the edited file it runs and comes out equal, of the other it stands.
    let outline = did("outline");
    assert_eq!((outline.executed, outline.backdated, outline.validated), (1, 1, 1));
    let facts = did("facts");
    assert_eq!((facts.executed, facts.backdated), (1, 0), "a new revision has no value before");
    assert_eq!(did("File").executed, 1, "one field was set");
    assert_eq!(row(&after, "FileRevision").memos - row(&before, "FileRevision").memos, 1);
    assert_eq!(row(&after, "facts").memos, 3, "two files, one of them with two contents");
}

#[test]
fn counts_of_a_generation_are_those_since_the_one_before() {
    let (db, _, [lib, user]) = two();
    db.counters().mark(1);
    outline(&db, lib);
    db.counters().mark(2);
    outline(&db, user);
    outline(&db, user);
    let marks = db.counters().marks();
    let second: BTreeMap<_, _> = marks[1].since(Some(&marks[0])).into_iter().collect();
    assert_eq!(second["outline"].executed, 1);
    assert_eq!(row(&Report::of(db.counters()).since(&marks[1]), "outline").totals.reused, 1);
    for generation in 3..200 {
        db.counters().mark(generation);
    }
    assert_eq!(db.counters().marks().len(), query_graph::GENERATIONS_MAX);
}

#[test]
fn a_database_that_takes_over_goes_on_counting() {
    let (db, _, [lib, _]) = two();
    outline(&db, lib);
    let before = Report::of(db.counters());
    let next = db.renewed(Default::default());
    db.counters().retire();
    let after = Report::of(next.counters());
    assert_eq!(row(&after, "outline").totals.executed, row(&before, "outline").totals.executed);
    assert_eq!((row(&after, "outline").memos, row(&after, "outline").totals.evicted), (0, 1));
}

fn find<'a>(branches: &'a [Branch], query: &str, key: &str) -> Option<&'a Branch> {
    branches.iter().find_map(|branch| match branch.query == query && branch.key == key {
        true => Some(branch),
        false => find(&branch.below, query, key),
    })
}

/// An edit inside a body: the file is parsed, and change stops at what other files read of it.
#[test]
fn an_edit_is_explained_by_what_ran_and_where_change_stopped() {
    let (mut db, mut ground, files) = two();
    let ask = |db: &RootDatabase, ground: &Ground| {
        directory_summary(db, ground.root(db));
        directory_manifest(db, ground.root(db));
        files.iter().for_each(|file| drop(bindings(db, *file)));
    };
    ask(&db, &ground);
    let explained = explained(&mut db, |db| {
        ground.apply(db, vec![write("lib.py", "def f():\n    return 2\n")]);
        ground.settle(db);
        ask(db, &ground);
    });
    let ran = |name: &str| explained.counts.get(name).map_or(0, |counted| counted.executed);
    assert_eq!((ran("facts"), ran("surface"), ran("named"), ran("bindings")), (1, 1, 0, 0), "{:?}", explained.counts);
    assert_eq!(explained.counts["surface"].backdated, 1);
    let surface = find(&explained.asked, "surface", "/lib.py").expect("the surface was looked at");
    assert!(matches!(surface.outcome, Outcome::Ran { equal: Some(true), .. }), "{surface:?}");
    assert_eq!(
        surface.why,
        "because revision(/lib.py) differs; change stops here: it shields other files from edits inside bodies"
    );
    let revision = find(&explained.asked, "revision", "/lib.py").expect("the revision differs");
    assert!(matches!(revision.outcome, Outcome::Ran { equal: Some(false), .. }), "{revision:?}");
    // The text that is there makes nothing run.
    let again = query_graph::explained(&mut db, |db| {
        ground.apply(db, vec![write("lib.py", "def f():\n    return 2\n")]);
        ground.settle(db);
        ask(db, &ground);
    });
    assert!(again.asked.is_empty(), "{again:?}");
}

/// A new parameter shows in the outline and the surface: who uses the name is asked again.
#[test]
fn an_edit_that_shows_reaches_its_users() {
    let (mut db, mut ground, files) = two();
    files.iter().for_each(|file| drop(bindings(&db, *file)));
    let explained = explained(&mut db, |db| {
        ground.apply(db, vec![write("lib.py", "def h():\n    return 1\n")]);
        files.iter().for_each(|file| drop(bindings(db, *file)));
    });
    let branch = find(&explained.asked, "bindings", "/user.py").expect("the user is bound again");
    assert!(matches!(branch.outcome, Outcome::Ran { equal: Some(false), .. }), "{branch:?}");
    assert_eq!(branch.why, "because named(/lib.py . f) differs");
    assert!(find(&explained.asked, "named", "/lib.py . f").is_some(), "{explained:#?}");
}

#[test]
fn edges_are_those_that_were_taken() {
    let mut db = RootDatabase::new().binding();
    start_recording(&db);
    let mut ground = ground(&mut db);
    ground.apply(&mut db, vec![write("lib.py", LIB), write("user.py", USER)]);
    ground.settle(&mut db);
    let user = ground.file(&ProjectPath::new("user.py").unwrap()).unwrap();
    bindings(&db, user);
    let node = |query: &str, key: &str| parse_node(&db, &ground, query, key).unwrap();
    let (revision, facts) = (node("revision", "/user.py"), node("facts", "/user.py"));
    let recorded = end_recording(&db);
    let reads: Vec<String> = recorded.read_by(revision).map(|node| node.label()).collect();
    assert_eq!(reads.iter().filter(|label| *label == "File.content").count(), 1, "{reads:?}");
    assert!(reads.contains(&"claimed_language".to_owned()), "{reads:?}");
    let readers: Vec<String> = recorded.readers_of(facts).map(|node| node.label()).collect();
    for reader in ["outline", "binding_facts", "file_summary"] {
        assert!(readers.contains(&reader.to_owned()), "{reader} of {readers:?}");
    }
    let between = recorded.between_queries();
    assert_eq!(between[&("file_entry".to_owned(), "placed".to_owned())], 2, "one for each file");
    assert!(!between.contains_key(&("facts".to_owned(), "outline".to_owned())));
}
