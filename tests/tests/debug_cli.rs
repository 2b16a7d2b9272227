//! `rift debug`: the database as people look at it, in a process of its own and in a running server.

use std::io::Write as _;
use std::process::Stdio;

use rift_tests::{Project, command, rift};
use serde_json::Value;

const LIB: &str = "def f():\n    return 1\n";

/// Two Python files, the second of which uses the first.
fn two() -> Project {
    Project::with([("lib.py", LIB), ("user.py", "from lib import f\n\ndef g():\n    return f()\n")])
}

#[track_caller]
fn json(project: &Project, arguments: &[&str]) -> Value {
    let outcome = rift(project, arguments);
    assert_eq!(outcome.code, Some(0), "{arguments:?}: {outcome:?}");
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}: {}", outcome.stdout))
}

fn row<'a>(answer: &'a Value, list: &str, name: &str) -> &'a Value {
    let rows = answer[list].as_array().expect("rows");
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name} in {list}"))
}

/// What a script asks of the JSON: the lists, their members, and that numbers are numbers.
#[track_caller]
fn check_form(answer: &Value) {
    for list in ["queries", "inputs", "interned"] {
        let rows = answer[list].as_array().expect("a list");
        assert!(!rows.is_empty(), "{list}");
        for row in rows {
            assert!(row["name"].as_str().is_some_and(|name| !name.is_empty()), "{row}");
            assert!(row["purpose"].as_str().is_some_and(|purpose| purpose.ends_with('.')), "{row}");
            for number in
                ["executed", "validated", "backdated", "reused", "evicted", "memos", "bytes", "time_us", "mean_us"]
            {
                assert!(row[number].is_u64(), "{number} of {row}");
            }
            assert_eq!(row["bytes"], row["own_bytes"].as_u64().unwrap_or(0) + row["heap_bytes"].as_u64().unwrap_or(0));
        }
    }
}

#[test]
fn a_fresh_process_counts_what_it_prepared() {
    let project = two();
    let answer = json(&project, &["debug", "queries", "--json"]);
    check_form(&answer);
    assert_eq!((&answer["answered_by"]["kind"], &answer["files"]), (&Value::from("command"), &Value::from(2)));
    let facts = row(&answer, "queries", "facts");
    assert_eq!((&facts["executed"], &facts["memos"]), (&Value::from(2), &Value::from(2)), "one run for each file");
    assert_eq!(row(&answer, "queries", "bindings")["memos"], 2, "references are counted as in a server");
    assert_eq!(row(&answer, "inputs", "File")["memos"], 2);
    assert_eq!(row(&answer, "interned", "FileRevision")["memos"], 2);
    // Salsa's own report agrees on what is counted, and weighs edges as well.
    let exact = json(&project, &["debug", "queries", "--json", "--exact"]);
    assert_eq!(exact["exact"], true);
    // Both over facts in store, which hold no binding facts beside them.
    let warm = json(&project, &["debug", "queries", "--json"]);
    let weight = |answer: &Value| row(answer, "queries", "facts")["heap_bytes"].as_u64().expect("bytes");
    assert_eq!(weight(&exact), weight(&warm));
    assert!(
        row(&exact, "queries", "bindings")["own_bytes"].as_u64()
            > row(&warm, "queries", "bindings")["own_bytes"].as_u64()
    );
    let text = rift(&project, &["debug", "queries", "--sort", "executed"]);
    assert!(
        text.stdout.lines().any(|line| line.starts_with("facts ") && line.contains("Everything syntax says")),
        "{text:?}"
    );
}

/// An edit on a running server: the counts after the generation before it are those of the edit alone.
#[test]
fn a_server_counts_each_edit() {
    let project = two();
    assert_eq!(rift(&project, &["server", "start"]).code, Some(0));
    // Waits for the index and for the count of references.
    assert_eq!(rift(&project, &["map"]).code, Some(0));
    let before = json(&project, &["debug", "queries", "--json"]);
    check_form(&before);
    assert_eq!(
        (&before["answered_by"]["kind"], &before["answered_by"]["pid"]),
        (&"server".into(), &project.server_pid().into())
    );
    project.write("lib.py", "def f():\n    return 2\n");
    assert_eq!(rift(&project, &["search", "f"]).code, Some(0));
    let generation = before["generation"].as_u64().expect("a number").to_string();
    let after = json(&project, &["debug", "queries", "--json", "--since", &generation]);
    let (facts, module) = (row(&after, "queries", "facts"), row(&after, "queries", "module"));
    assert_eq!(
        (&facts["executed"], &facts["memos"]),
        (&1.into(), &3.into()),
        "the edited file, and the content before"
    );
    let did = (&module["executed"], &module["backdated"]);
    assert_eq!(did, (&1.into(), &1.into()), "where a file belongs is none of its text: the change ends there");
    let last = after["generations"].as_array().and_then(|all| all.last()).expect("the edit's generation");
    assert_eq!((&last["generation"], &last["did"]["facts"]["executed"]), (&after["generation"], &1.into()));
    let refused = rift(&project, &["debug", "queries", "--since", "99999"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("generation 99999 is not among"), "{refused:?}");
}

/// What an edit would run is told, and nothing is written.
#[test]
fn an_edit_is_explained_and_not_made() {
    let project = two();
    project.write("new/lib.txt", "def f():\n    return 2\n");
    let answer = json(&project, &["debug", "queries", "--explain-edit", "lib.py", "--with", "new/lib.txt", "--json"]);
    let ran = |name: &str| answer["counts"][name]["executed"].as_u64().unwrap_or(0);
    assert_eq!((ran("facts"), ran("surface"), ran("named"), ran("bindings")), (1, 1, 0, 0), "{answer}");
    assert_eq!(answer["counts"]["surface"]["backdated"], 1, "the change ends there");
    assert_eq!(project.read("lib.py"), LIB);
    // From standard input, as text: the tree, with keys.
    let mut child = command(&project);
    child.args(["debug", "queries", "--explain-edit", "lib.py"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.spawn().expect("rift starts");
    child.stdin.take().expect("a pipe").write_all(b"def renamed():\n    return 1\n").expect("written");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("named(/lib.py . f): ran "), "{text}");
    assert!(text.lines().any(|line| line.trim_start().starts_with("bindings(/user.py): ran ")), "{text}");
    // The text that is there runs nothing.
    let nothing = json(&project, &["debug", "queries", "--explain-edit", "lib.py", "--with", "lib.py", "--json"]);
    assert_eq!(nothing["asked"].as_array().map(Vec::len), Some(0), "{nothing}");
}

#[test]
fn one_memo_is_shown_with_its_neighbours() {
    let project = two();
    let answer = json(&project, &["debug", "query", "named", "/lib.py . f", "--json"]);
    assert_eq!((&answer["query"], &answer["key"]), (&"named".into(), &"/lib.py . f".into()));
    assert!(answer["value"].as_str().is_some_and(|value| value.contains("Decl(")), "{answer}");
    let list = |name: &str| answer[name].as_array().cloned().unwrap_or_default();
    assert!(list("reads").contains(&serde_json::json!(["surface", "/lib.py"])), "{answer}");
    assert!(list("readers").contains(&serde_json::json!(["bindings", "/user.py"])), "{answer}");
    let text = rift(&project, &["debug", "query", "outline", "lib.py"]);
    assert!(text.stdout.starts_with("outline(/lib.py)\n") && text.stdout.contains("facts(/lib.py)"), "{text:?}");
    for (arguments, named) in [
        (["debug", "query", "nothing", "/lib.py"], "no query is called \"nothing\""),
        (["debug", "query", "outline", "/gone.py"], "\"/gone.py\" is not in the workspace"),
        (["debug", "query", "named", "/lib.py"], "the key of named is"),
    ] {
        let refused = rift(&project, &arguments);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(named), "{refused:?}");
    }
}

#[test]
fn the_graph_has_the_edges_that_were_taken() {
    let project = two();
    let dot = rift(&project, &["debug", "queries", "--graph", "dot"]).stdout;
    assert!(
        dot.starts_with("digraph queries {") && dot.contains("\"revision\" -> \"File.content\" [label=\"2\"];"),
        "{dot}"
    );
    let mermaid = rift(&project, &["debug", "queries", "--graph", "mermaid"]).stdout;
    assert!(mermaid.starts_with("flowchart RL\n") && mermaid.contains("[\"bindings<br>2 runs, 2 memos, "), "{mermaid}");
    let svg = rift(&project, &["debug", "query", "outline", "/lib.py", "--graph", "svg"]).stdout;
    assert!(svg.starts_with("<svg ") && svg.contains(">facts(/lib.py)</text>"), "{svg}");
}

#[test]
fn views_and_index_are_shown() {
    let project = two();
    assert_eq!(rift(&project, &["server", "start"]).code, Some(0));
    assert_eq!(rift(&project, &["search", "f"]).code, Some(0));
    let views = json(&project, &["debug", "views", "--json"]);
    let kept = views["views"].as_array().expect("views");
    assert!(kept.iter().any(|view| view["id"] == views["current"]), "the search named the current view: {views}");
    let index = json(&project, &["debug", "index", "--json"]);
    assert_eq!((&index["files"], &index["extracted"]), (&2.into(), &2.into()), "{index}");
    assert!(index["rows"].as_u64().is_some_and(|rows| rows >= 4), "two files and two functions: {index}");
    assert!(rift(&project, &["debug", "index"]).stdout.contains("texts parsed: 2"));
    assert!(rift(&project, &["debug", "views"]).stdout.contains("kept: "));
}

/// Every phase says what it took; what it counts is what lies there.
#[test]
fn stats_run_every_phase() {
    let project = two();
    let folder = project.root();
    let stats = json(&project, &["debug", "stats", folder.to_str().expect("UTF-8"), "--json"]);
    let phases = stats["phases"].as_array().expect("phases");
    let names: Vec<&str> = phases.iter().filter_map(|phase| phase["name"].as_str()).collect();
    assert_eq!(names, ["discover", "read", "extract", "bind", "index", "prepare", "map", "references"]);
    let phase = |name: &str| phases.iter().find(|phase| phase["name"] == name).expect("a phase");
    assert!(phases.iter().all(|phase| phase["wall_us"].is_u64() && phase["counts"].is_object()), "{stats}");
    let bytes = project.read("lib.py").len() + project.read("user.py").len();
    assert_eq!((&phase("read")["counts"]["texts"], &phase("read")["counts"]["bytes"]), (&2.into(), &bytes.into()));
    assert_eq!((&phase("extract")["counts"]["files"], &phase("extract")["counts"]["symbols"]), (&2.into(), &2.into()));
    let python = &phase("bind")["languages"]["python"];
    assert_eq!((&python["files"], &python["bytes"]), (&2.into(), &bytes.into()));
    assert!(
        phase("bind")["counts"]["references"].as_u64().is_some_and(|count| count >= 2),
        "the import and the call: {stats}"
    );
    assert_eq!(phase("index")["counts"]["files"], 2);
    let text = rift(&project, &["debug", "stats", folder.to_str().expect("UTF-8")]).stdout;
    assert!(text.contains("extract") && text.contains("python"), "{text}");
}
