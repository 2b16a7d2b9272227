//! `rift config` from a shell.

use rift_tests::{Outcome, Project, rift, rift_in};
use serde_json::{Value, json};

const TEXT: &str = "# ours\n[source]\nfiles = 2000 # enough\n";

fn project(text: &str) -> Project {
    Project::with([("rift.toml", text), ("src/a.rs", "fn a() {}\n")])
}

#[track_caller]
fn check(project: &Project, arguments: &[&str], code: i32, stdout: &str) -> Outcome {
    let outcome = rift(project, &[&["config"], arguments].concat());
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(code), stdout), "{arguments:?}: {outcome:?}");
    outcome
}

#[track_caller]
fn check_refused(project: &Project, arguments: &[&str], code: &str, parts: &[&str]) {
    let before = project.read("rift.toml");
    let outcome = check(project, arguments, 2, "");
    assert!(outcome.stderr.starts_with(&format!("rift: error[{code}]: ")), "{arguments:?}: {outcome:?}");
    for part in parts {
        assert!(outcome.stderr.contains(part), "{arguments:?}: {part:?} not in {outcome:?}");
    }
    assert_eq!(project.read("rift.toml"), before, "{arguments:?}");
}

#[test]
fn what_is_set_holds_and_the_rest_of_the_file_stays() {
    let project = project(TEXT);
    check(&project, &["set", "source.exclude", r#"["src/**"]"#], 0, "");
    assert_eq!(project.read("rift.toml"), format!("{TEXT}exclude = [\"src/**\"]\n"));
    assert_eq!(rift(&project, &["search", "a"]).code, Some(1), "it is in force");
    check(&project, &["unset", "source.exclude"], 0, "");
    assert_eq!(project.read("rift.toml"), TEXT);
    assert_eq!(rift(&project, &["search", "a"]).code, Some(0));
    check(&project, &["set", "languages.\"typescript:tsx\".include", "['**/*.page']"], 0, "");
    assert_eq!(project.read("rift.toml"), format!("{TEXT}\n[languages.\"typescript:tsx\"]\ninclude = ['**/*.page']\n"));
    check(&project, &["get", "languages.\"typescript:tsx\".include"], 0, "['**/*.page']\n");
    // What a server reads once says so.
    let noted = check(&project, &["set", "server.port", "4711"], 0, "");
    assert!(noted.stderr.contains("rift server restart"), "{noted:?}");
}

#[test]
fn a_missing_file_is_made_in_the_root() {
    let project = Project::with([("src/a.rs", "")]);
    let path = project.root().canonicalize().expect("there").join("rift.toml");
    let line = format!("{}\n", path.display());
    let nothing = rift_in(&project, "src", &["config", "path"]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (Some(1), line.as_str()), "{nothing:?}");
    let made = rift_in(&project, "src", &["config", "set", "source.files", "5000"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    assert_eq!(project.read("rift.toml"), "[source]\nfiles = 5000\n");
    check(&project, &["path"], 0, &line);
}

#[test]
fn values_are_told_with_their_origin() {
    let project = project(TEXT);
    check(&project, &["get", "source.files"], 0, "2000\n");
    check(&project, &["get", "server.idle_timeout"], 0, "\"30m\"\n");
    check(&project, &["get", "server.port_range"], 0, "server.port_range.min = 12000\nserver.port_range.max = 13000\n");
    check(&project, &["get", "server.port"], 1, "");
    let told = |key: &str| serde_json::from_str::<Value>(&rift(&project, &["config", "get", key, "--json"]).stdout);
    assert_eq!(
        told("source.files").expect("JSON"),
        json!({ "entries": [{ "key": "source.files", "value": 2000, "origin": "file" }] })
    );
    assert_eq!(
        told("logs.page_records").expect("JSON"),
        json!({ "entries": [{ "key": "logs.page_records", "value": 500, "origin": "default" }] })
    );
    assert_eq!(told("server.port").expect("JSON"), json!({ "entries": [] }));
    let all = rift(&project, &["config", "get"]);
    assert!(all.stdout.contains("search.ranking.fusion_k = 60\n"), "{all:?}");
    // Every line is what `set` takes.
    for line in all.stdout.lines().filter(|line| !line.starts_with("server.port_range")) {
        let (key, value) = line.split_once(" = ").expect("key = value");
        check(&project, &["set", key, value], 0, "");
    }
    assert_eq!(rift(&project, &["config", "get"]).stdout, all.stdout);
}

#[test]
fn refusals_change_nothing_and_name_key_rule_and_remedy() {
    let project = project(TEXT);
    check_refused(&project, &["set", "source.files", "1"], "configuration_invalid", &["source.files", "allowed: 1000"]);
    check_refused(&project, &["set", "source.fils", "1"], "configuration_invalid", &["source.fils", "unknown key"]);
    check_refused(
        &project,
        &["set", "server.idle_timeout", "30m"],
        "invalid_request",
        &["server.idle_timeout", "rift config set server.idle_timeout '\"30m\"'"],
    );
    check_refused(&project, &["set", "source.files", "-5"], "configuration_invalid", &["value -5"]);
    check_refused(&project, &["set", "a b", "1"], "invalid_request", &["a b"]);
    check_refused(&project, &["set", "source", "{}"], "invalid_request", &["is a table"]);
    check_refused(&project, &["get", "source.fils"], "invalid_request", &["unknown key; the keys here are include"]);
    check_refused(&project, &["unset", "source.fils"], "invalid_request", &["unknown key"]);
    let nothing = check(&project, &["unset", "source.exclude"], 1, "");
    assert!(nothing.stderr.contains("source.exclude is not stated"), "{nothing:?}");
    project.write("rift.toml", "[source]\nfiles = 1\nnope = 1\n");
    check_refused(&project, &["get", "source.files"], "configuration_invalid", &["rift.toml:2:9", "rift.toml:3:1"]);
}

#[test]
fn validation_lists_every_problem() {
    let project = project(TEXT);
    let path = project.root().canonicalize().expect("there").join("rift.toml").display().to_string();
    check(&project, &["validate"], 0, &format!("{path}: valid\n"));
    project.write("other.toml", "[source]\nfiles = 1\nnope = 2\n");
    let listed = "rift.toml:2:9: source.files: value 1 is out of range; allowed: 1000 to 5000000\n\
                  rift.toml:3:1: source.nope: unknown key; the keys here are include, exclude, force_include, \
                  respect_gitignore, files, workspace_size\n";
    let refused = check(&project, &["validate", "other.toml"], 2, listed);
    assert_eq!(
        refused.stderr,
        "rift: error[configuration_invalid]: other.toml is refused: problems 2; mend what is listed\n"
    );
    let outcome = rift(&project, &["config", "validate", "other.toml", "--json"]);
    let told: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!(outcome.code, Some(2));
    assert_eq!((&told["path"], &told["exists"], &told["valid"]), (&json!("other.toml"), &json!(true), &json!(false)));
    assert_eq!(
        told["problems"][0],
        json!({
            "line": 2, "column": 9, "key": "source.files",
            "problem": "value 1 is out of range; allowed: 1000 to 5000000",
        })
    );
    check_refused(&project, &["validate", "nothing.toml"], "resource_not_found", &["nothing.toml"]);
    std::fs::remove_file(project.root().join("rift.toml")).expect("remove");
    check(&project, &["validate"], 0, &format!("{path}: absent; every default holds\n"));
}
