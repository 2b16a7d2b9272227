//! Both lines of the Python SDK over the proxy: clients that check every answer against the protocol's types.

use rift_tests::{Project, peer, rift_path};
use serde_json::{Value, json};

use crate::support::{LOAD_CONFIG, POLYGLOT};

/// What the driver of one SDK line made of a session on a fresh project.
fn session(line: &str, mode: &str) -> Option<Value> {
    let python = peer(line)?;
    let project = Project::copy_of(POLYGLOT);
    let home = project.root().with_file_name("home");
    let asked = json!({
        "command": rift_path(),
        "args": ["mcp", "--output", "all", "--root", project.root()],
        "env": { "HOME": home, "XDG_CACHE_HOME": home.join("cache") },
        "mode": mode,
        "calls": [
            { "tool": "search", "arguments": { "query": "load_config", "target": "symbol" } },
            { "tool": "get_symbol", "arguments": { "id": LOAD_CONFIG } },
            { "tool": "get_source", "arguments": { "unit": "rift://source/project/README.md" } },
            { "tool": "nodes", "arguments": { "path": "src/config.rs", "position": 690 } },
            { "tool": "search", "arguments": { "query": "x", "limit": 0 } },
        ],
        "resources": ["rift://map", "rift://workspace"],
    });
    let driver = format!("{}/peers/{line}.py", env!("CARGO_MANIFEST_DIR"));
    let output = python.command().arg(driver).arg(asked.to_string()).output().expect("Python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).expect("the driver prints JSON"))
}

/// `unknown_resource` is the code of a resource that does not exist: -32002, and -32602 from 2026-07-28 on.
#[track_caller]
fn check(line: &str, mode: &str, protocol: &str, unknown_resource: i64) {
    let Some(found) = session(line, mode) else { return };
    // Who takes a revision for granted asks nobody for a name.
    let server = if mode == protocol { Value::Null } else { json!("rift") };
    assert_eq!((&found["protocol"], &found["server"]), (&json!(protocol), &server));
    assert_eq!(found["tools"], json!(["search", "get_symbol", "get_source", "nodes"]));
    assert_eq!(found["resources"], json!(["rift://map", "rift://workspace"]));
    assert_eq!(found["reads"], json!([["application/json"], ["text/plain", "application/json"]]));
    let calls = found["calls"].as_array().expect("calls");
    assert_eq!(calls.len(), 5);
    for (call, (text, member)) in calls.iter().zip([
        ("pub fn load_config(path: &Path)", "/results/0/hit/symbol/id"),
        ("pub fn load_config(path: &Path)", "/symbol/id"),
        ("# Example shop", "/source/text"),
        ("rift://node/rust/src/config.rs@688-700#", "/nodes/0/id"),
    ]) {
        assert_eq!(call["is_error"], false, "{call}");
        assert!(call["texts"][0].as_str().is_some_and(|said| said.contains(text)), "{call}");
        assert!(call["structured"].pointer(member).is_some_and(Value::is_string), "{call}");
    }
    assert_eq!((&calls[4]["is_error"], &calls[4]["structured"]), (&json!(true), &Value::Null));
    assert!(calls[4]["texts"][0].as_str().is_some_and(|said| said.contains("invalid_request")), "{}", calls[4]);
    assert_eq!(found["unknown_tool"]["code"], -32602, "{}", found["unknown_tool"]);
    assert_eq!(found["unknown_resource"]["code"], unknown_resource, "{}", found["unknown_resource"]);
}

#[test]
fn the_first_line_speaks_with_the_proxy() {
    check("python_mcp1", "legacy", "2025-11-25", -32002);
}

#[test]
fn the_second_line_speaks_the_older_era() {
    check("python_mcp2", "legacy", "2025-11-25", -32002);
}

#[test]
fn the_second_line_speaks_the_newer_era() {
    check("python_mcp2", "auto", "2026-07-28", -32602);
    check("python_mcp2", "2026-07-28", "2026-07-28", -32602);
}
