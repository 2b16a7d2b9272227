//! The MCP Inspector's command line, a client that other people wrote.

use std::process::Output;

use rift_tests::{Foreground, Peer, Project, peer, rift_path};
use serde_json::Value;

use crate::support::{LOAD_CONFIG, POLYGLOT};

/// Runs one method of `rift mcp` through the Inspector; the server lives for that method alone.
fn inspect(peer: &Peer, project: &Project, arguments: &[&str]) -> Output {
    let mut command = peer.command();
    command.args(["--cli", "-e"]).arg(format!("XDG_CACHE_HOME={}", project.root().with_file_name("home").display()));
    // The Inspector has an option called --output too: what follows `--` is the server's.
    command.args(arguments).arg("--").arg(rift_path());
    command.args(["mcp", "--output", "all", "--root"]).arg(project.root());
    command.env("HOME", project.root().with_file_name("home")).output().expect("the Inspector starts")
}

#[track_caller]
fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("the Inspector prints JSON")
}

/// The Inspector and the project, or none where the Inspector is not installed.
fn start() -> Option<(Peer, Project)> {
    Some((peer("inspector")?, Project::copy_of(POLYGLOT)))
}

#[test]
fn lists_tools_that_every_host_can_read() {
    let Some((peer, project)) = start() else { return };
    let output = inspect(&peer, &project, &["--method", "tools/list", "--strict"]);
    let listed = json(&output);
    assert_eq!(listed["tools"].as_array().map(Vec::len), Some(4), "{listed}");
}

#[test]
fn calls_each_tool() {
    let Some((peer, project)) = start() else { return };
    let call = |tool: &str, arguments: &str| {
        let call = ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", arguments];
        json(&inspect(&peer, &project, &call))
    };
    let search = call("search", r#"{"query":"load_config","target":"symbol"}"#);
    assert!(search["structuredContent"]["results"].is_array(), "{search}");
    let nodes = call("nodes", r#"{"path":"src/config.rs","position":600}"#);
    assert!(nodes["structuredContent"]["nodes"].is_array(), "{nodes}");
    // The server was started for this one call, so what is there may not be prepared yet; it is never missing.
    let source = call("get_source", r#"{"unit":"rift://source/project/README.md"}"#);
    let symbol = call("get_symbol", &format!(r#"{{"id":"{LOAD_CONFIG}"}}"#));
    for answer in [source, symbol] {
        let answer = &answer["structuredContent"];
        let preparing = answer["outcome"] == "unavailable" && answer["reason"] == "index_preparing";
        assert!(answer["outcome"] == "found" || preparing, "{answer}");
    }
}

#[test]
fn reads_both_resources() {
    let Some((peer, project)) = start() else { return };
    let listed = json(&inspect(&peer, &project, &["--method", "resources/list"]));
    assert_eq!(listed["resources"].as_array().map(Vec::len), Some(2), "{listed}");
    let map = json(&inspect(&peer, &project, &["--method", "resources/read", "--uri", "rift://map"]));
    assert_eq!(map["contents"][0]["mimeType"], "application/json", "{map}");
    let workspace =
        json(&inspect(&peer, &project, &["--method", "resources/read", "--uri", "rift://workspace?page_index=0"]));
    assert_eq!(workspace["contents"].as_array().map(Vec::len), Some(2), "{workspace}");
}

#[test]
fn sees_failures_of_both_classes() {
    let Some((peer, project)) = start() else { return };
    let call = |tool: &str, arguments: &str| {
        inspect(&peer, &project, &["--method", "tools/call", "--tool-name", tool, "--tool-args-json", arguments])
    };
    // The Inspector's exit status 5 is its word for isError.
    let wrong = call("search", r#"{"query":"x","limit":0}"#);
    assert_eq!(wrong.status.code(), Some(5), "{}", String::from_utf8_lossy(&wrong.stderr));
    let stdout = String::from_utf8_lossy(&wrong.stdout);
    assert!(stdout.contains("invalid_request · retry never"), "{stdout}");
    // It looks a tool up in the listing before it calls it.
    let unknown = call("grep", "{}");
    let stderr = String::from_utf8_lossy(&unknown.stderr);
    assert!(!unknown.status.success() && stderr.contains("tool_not_found"), "{unknown:?}");
}

#[test]
fn speaks_both_eras_of_the_protocol() {
    let Some((peer, project)) = start() else { return };
    for era in ["legacy", "auto", "modern"] {
        let ask = |arguments: &[&str]| json(&inspect(&peer, &project, &[arguments, &["--protocol-era", era]].concat()));
        let listed = ask(&["--method", "tools/list"]);
        assert_eq!(listed["tools"].as_array().map(Vec::len), Some(4), "{era}: {listed}");
        let call =
            ["--method", "tools/call", "--tool-name", "search", "--tool-args-json", r#"{"query":"load_config"}"#];
        let answer = ask(&call);
        assert!(answer["structuredContent"]["results"].is_array(), "{era}: {answer}");
        let map = ask(&["--method", "resources/read", "--uri", "rift://map"]);
        assert_eq!(map["contents"][0]["mimeType"], "application/json", "{era}: {map}");
    }
}

/// The same over HTTP, in both eras, with a server that asks for no token.
#[test]
fn speaks_over_http() {
    let Some((peer, project)) = start() else { return };
    let server = Foreground::start(&project);
    let inspect = |arguments: &[&str]| {
        let mut command = peer.command();
        command.args(["--cli", &server.url(), "--transport", "http"]).args(arguments);
        command.env("HOME", project.root().with_file_name("home")).output().expect("the Inspector starts")
    };
    for era in ["legacy", "auto", "modern"] {
        let era = ["--protocol-era", era];
        let listed = json(&inspect(&[&["--method", "tools/list", "--strict"], &era[..]].concat()));
        assert_eq!(listed["tools"].as_array().map(Vec::len), Some(4), "{listed}");
        let call = |tool: &str, arguments: &str| {
            let call = ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", arguments];
            inspect(&[&call[..], &era[..]].concat())
        };
        let search = json(&call("search", r#"{"query":"load_config","target":"symbol"}"#));
        assert!(search["structuredContent"]["results"].is_array(), "{search}");
        let nodes = json(&call("nodes", r#"{"path":"src/config.rs","position":600}"#));
        assert!(nodes["structuredContent"]["nodes"].is_array(), "{nodes}");
        let wrong = call("search", r#"{"query":"x","limit":0}"#);
        assert_eq!(wrong.status.code(), Some(5), "{}", String::from_utf8_lossy(&wrong.stderr));
        let map = json(&inspect(&[&["--method", "resources/read", "--uri", "rift://map"], &era[..]].concat()));
        assert_eq!(map["contents"][0]["mimeType"], "application/json", "{map}");
    }
}
