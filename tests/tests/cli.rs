//! The same tools from a shell: what is printed where, and the exit status.

use rift_tests::{Outcome, Project, rift};
use serde_json::Value;

use crate::support::{LOAD_CONFIG, POLYGLOT};

#[track_caller]
fn check(project: &Project, arguments: &[&str], code: i32, prints: &str) -> Outcome {
    let outcome = rift(project, arguments);
    assert_eq!(outcome.code, Some(code), "{arguments:?}: {outcome:?}");
    assert!(outcome.stdout.contains(prints), "{arguments:?}: {outcome:?}");
    outcome
}

#[test]
fn each_command_finds_and_exits_zero() {
    let project = Project::copy_of(POLYGLOT);
    for (arguments, prints) in [
        (vec!["search", "load_config"], LOAD_CONFIG),
        (vec!["search", "install checksum", "--root", "."], "README.md:"),
        (vec!["symbol", LOAD_CONFIG], "pub fn load_config(path: &Path)"),
        (vec!["search", "install checksum", "--target", "documentation"], "README.md:"),
        (vec!["symbol", LOAD_CONFIG, "--documentation"], "pub fn load_config(path: &Path)"),
        (vec!["source", "rift://source/project/README.md"], "\t# Example shop"),
        (vec!["nodes", "src/config.rs", "690"], "rift://node/rust/src/config.rs@688-700#"),
        (vec!["map"], "\n  \"revision\": \""),
        (vec!["workspace"], "\nsource:\n\t.github/workflows/ci.yml · yaml · "),
        (vec!["call", "search", r#"{"query":"load_config","limit":1}"#], LOAD_CONFIG),
    ] {
        let outcome = check(&project, &arguments, 0, prints);
        assert_eq!(outcome.stderr, "", "{arguments:?}");
        assert!(outcome.stdout.ends_with('\n') && !outcome.stdout.ends_with("\n\n"), "{arguments:?}");
    }
}

#[test]
fn json_output_is_the_structured_answer() {
    let project = Project::copy_of(POLYGLOT);
    for (arguments, member) in [
        (vec!["search", "load_config"], "/results/0/hit/target"),
        (vec!["symbol", LOAD_CONFIG], "/symbol/id"),
        (vec!["source", "rift://source/project/README.md"], "/source/text"),
        (vec!["nodes", "src/config.rs", "690"], "/nodes/0/id"),
        (vec!["map"], "/revision"),
        (vec!["workspace"], "/source/0/path"),
        (vec!["call", "get_symbol", r#"{"id":"rift://symbol/local/rust/example_shop/main"}"#], "/symbol/name"),
    ] {
        let mut arguments = arguments;
        arguments.extend(["--output", "json"]);
        let outcome = check(&project, &arguments, 0, "{");
        let answer: Value = serde_json::from_str(&outcome.stdout).expect("stdout is JSON");
        assert!(answer.pointer(member).is_some_and(Value::is_string), "{arguments:?}: {answer}");
    }
}

#[test]
fn nothing_found_exits_one() {
    let project = Project::copy_of(POLYGLOT);
    check(&project, &["search", "xylophonequartet"], 1, "0 results");
    check(&project, &["symbol", "rift://symbol/local/rust/example_shop/config/load_configs"], 1, "symbol_not_found");
    check(&project, &["source", "rift://source/project/nothing.rs"], 1, "nothing.rs");
    check(&project, &["nodes", "src/config.rs", "999999"], 1, "0 nodes");
}

#[test]
fn errors_exit_two_and_name_their_code() {
    let project = Project::copy_of(POLYGLOT);
    for (arguments, code) in [
        (vec!["symbol", "load_config"], "invalid_request"),
        (vec!["nodes", "src/nothing.rs", "0"], "resource_not_found"),
        (vec!["nodes", "justfile", "0"], "capability_unavailable"),
        (vec!["call", "search", r#"{"limit":0,"query":"x"}"#], "invalid_request"),
        (vec!["call", "search", "not json"], "invalid_request"),
        (vec!["call", "search", "[]"], "invalid_request"),
        (vec!["call", "grep", "{}"], "invalid_request"),
        (vec!["search", "x", "--root", "no/such/folder"], "resource_not_found"),
    ] {
        let outcome = check(&project, &arguments, 2, "");
        assert!(outcome.stderr.starts_with(&format!("rift: error[{code}]: ")), "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.stdout, "", "{arguments:?}");
    }
    project.write("rift.toml", "[source]\nfiles = 1\n");
    let outcome = check(&project, &["search", "load_config"], 2, "");
    assert!(outcome.stderr.starts_with("rift: error[configuration_invalid]: "), "{outcome:?}");
    assert!(outcome.stderr.contains("files"), "{outcome:?}");
}

#[test]
fn unknown_flags_fail_loudly() {
    let project = Project::copy_of(POLYGLOT);
    for arguments in
        [vec!["search", "x", "--colour", "red"], vec!["paint"], vec!["search"], vec!["nodes", "a.rs", "one"]]
    {
        let outcome = check(&project, &arguments, 2, "");
        assert!(!outcome.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn the_root_is_found_upwards() {
    let project = Project::copy_of(POLYGLOT);
    project.write("rift.toml", "");
    let outer = rift(&project, &["workspace", "--root", "src"]);
    assert_eq!(outer.code, Some(0), "{outer:?}");
    assert!(!outer.stdout.contains("README.md"), "a stated root is taken as it is: {}", outer.stdout);
    let nested =
        Project::with([("inner/deep/a.rs", "fn inner_function() {}\n"), ("outer.rs", "fn outermost_caller() {}\n")]);
    let found = rift_tests::rift_in(&nested, "inner/deep", &["search", "outermost_caller"]);
    assert_eq!(found.code, Some(0), "{found:?}");
    assert!(found.stdout.contains("outer.rs:1"), "{}", found.stdout);
    nested.write("inner/rift.toml", "");
    let hidden = rift_tests::rift_in(&nested, "inner/deep", &["search", "outermost_caller"]);
    assert_eq!(hidden.code, Some(1), "the nearer rift.toml is the root: {hidden:?}");
}

/// What docs/cli.md says of targets is what the help says.
#[test]
fn the_page_names_the_targets_of_the_help() {
    let project = Project::empty();
    let help = check(&project, &["search", "--help"], 0, "--target").stdout;
    let option = help.split_once("--target").expect("listed").1.split_once("--order").expect("behind it").0;
    let mut offered: Vec<&str> = option
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- ")?.split_once(':'))
        .map(|(word, _)| word)
        .collect();
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/cli.md")).expect("docs/cli.md");
    let sentence = page.split_once("`rift search --target` takes").expect("there").1.split_once('.').expect("ends").0;
    let mut named: Vec<&str> = sentence.split('`').skip(1).step_by(2).collect();
    offered.sort_unstable();
    named.sort_unstable();
    assert_eq!((offered, named.len()), (named, 4));
    assert!(help.contains("[default: all]"), "{help}");
}

#[test]
fn help_names_every_command() {
    let project = Project::empty();
    let outcome = check(&project, &["--help"], 0, "Usage");
    for command in ["mcp", "search", "symbol", "source", "nodes", "map", "workspace", "call"] {
        let listed = outcome.stdout.lines().any(|line| line.trim_start().starts_with(&format!("{command} ")));
        assert!(listed, "{command}: {}", outcome.stdout);
        let help = check(&project, &[command, "--help"], 0, "Usage");
        assert!(help.stdout.contains("--root") && help.stdout.contains("--output"), "{command}: {}", help.stdout);
    }
    for command in ["server", "config", "doctor"] {
        let listed = outcome.stdout.lines().any(|line| line.trim_start().starts_with(&format!("{command} ")));
        assert!(listed, "{command}: {}", outcome.stdout);
        check(&project, &[command, "--help"], 0, "--root");
    }
    check(&project, &["--version"], 0, env!("CARGO_PKG_VERSION"));
}
