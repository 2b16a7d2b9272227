//! The MCP project's conformance suite against the server over HTTP.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rift_tests::{Foreground, Peer, Project, peer};

use crate::support::POLYGLOT;

fn listed(name: &str) -> (PathBuf, String) {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/conformance")).join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (path, text)
}

/// The scenarios that must pass.
fn passing() -> BTreeSet<String> {
    let (_, text) = listed("scenarios.txt");
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// The expected failures; each states its reason behind it.
fn failing() -> BTreeSet<String> {
    let (path, text) = listed("expected-failures.yml");
    let items = text.lines().filter_map(|line| line.trim().strip_prefix("- "));
    let items = items.map(|item| {
        let (name, reason) = item.split_once(" # ").unwrap_or((item, ""));
        assert!(!reason.trim().is_empty(), "{}: {name} has no reason", path.display());
        name.to_owned()
    });
    items.collect()
}

fn run(suite: &Peer, arguments: &[&str]) -> (bool, String) {
    let output = suite.command().args(arguments).output().expect("the suite starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

/// The server scenarios of the suite's own listing.
fn scenarios(suite: &Peer) -> BTreeSet<String> {
    let (_, text) = run(suite, &["list"]);
    let server = text.split("Client scenarios").next().unwrap_or_default();
    server.lines().filter_map(|line| line.trim().strip_prefix("- ")?.split(' ').next().map(str::to_owned)).collect()
}

#[test]
fn every_scenario_ends_as_listed() {
    let Some(suite) = peer("conformance") else { return };
    let (passing, failing) = (passing(), failing());
    assert!(passing.is_disjoint(&failing), "a scenario stands in two places");
    let named: BTreeSet<String> = passing.union(&failing).cloned().collect();
    assert_eq!(named, scenarios(&suite), "each scenario of the suite has its place");
    let project = Project::copy_of(POLYGLOT);
    let server = Foreground::start(&project);
    let results = project.root().with_file_name("results").display().to_string();
    let baseline = listed("expected-failures.yml").0.display().to_string();
    let all = ["server", "--url", &server.url(), "--suite", "all", "--output-dir", &results];
    // The suite itself refuses what fails unexpectedly, and what passes unexpectedly.
    let (succeeded, text) = run(&suite, &[&all[..], &["--expected-failures", &baseline]].concat());
    assert!(succeeded, "{text}");
    let ended = |scenario: &str| {
        let line = text.lines().find_map(|line| Some(line.trim_start().split_once(&format!(" {scenario}: "))?.1));
        line.unwrap_or_else(|| panic!("{scenario} has no line: {text}")).to_owned()
    };
    for scenario in &passing {
        let line = ended(scenario);
        assert!(!line.starts_with("0 passed") && line.contains(", 0 failed"), "{scenario}: {line}");
    }
}

/// The suite would say so if something passed that must not: one of the passing scenarios is told to fail.
#[test]
fn an_unexpected_pass_is_refused() {
    let Some(suite) = peer("conformance") else { return };
    let project = Project::copy_of(POLYGLOT);
    let server = Foreground::start(&project);
    let results = project.root().with_file_name("results").display().to_string();
    let baseline = project.root().with_file_name("baseline.yml");
    std::fs::write(&baseline, "server:\n  - ping # it passes\nclient: []\n").expect("written");
    let baseline = baseline.display().to_string();
    let ping = ["server", "--url", &server.url(), "--scenario", "ping", "--output-dir", &results];
    let (succeeded, text) = run(&suite, &ping);
    assert!(succeeded, "{text}");
    let (succeeded, text) = run(&suite, &[&ping[..], &["--expected-failures", &baseline]].concat());
    assert!(!succeeded, "{text}");
}
