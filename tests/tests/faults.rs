//! Both classes of failure: tool results that say what to correct, and protocol errors.

use rift_tests::{Answer, Client, Project};
use serde_json::{Value, json};

use crate::support::{LOAD_CONFIG, POLYGLOT};

/// Checks that a tool answered a failure of this code and retry directive, as text alone.
#[track_caller]
fn assert_failure(answer: &Answer, code: &str, retry: &str, names: &str) {
    let text = answer.text();
    assert!(answer.is_error(), "{text}");
    assert!(answer.0.get("structuredContent").is_none(), "a failure has no structured content: {}", answer.0);
    let head = format!("1 error\n\t{code} · retry {retry}\n\t\t");
    assert!(text.starts_with(&head), "expected {head:?} in {text:?}");
    assert!(text.contains(names), "{text:?} does not name {names:?}");
}

#[test]
fn requests_out_of_form_name_the_field() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    client.prepared();
    for (tool, arguments, names) in [
        ("search", json!({}), "query"),
        ("search", json!({ "query": "x", "limit": 0 }), "limit"),
        ("search", json!({ "query": "x", "limit": 10001 }), "limit"),
        ("search", json!({ "query": "x", "limit": "many" }), "limit"),
        ("search", json!({ "query": "x", "target": "planet" }), "target"),
        ("search", json!({ "query": "x", "colour": "red" }), "colour"),
        ("search", json!({ "query": "x", "paths": { "include": ["/etc/**"] } }), "paths"),
        ("get_symbol", json!({}), "id"),
        ("get_symbol", json!({ "id": "load_config" }), "id"),
        ("get_symbol", json!({ "id": "rift://symbol/rust/src/lib.rs/load_config" }), "id"),
        ("get_symbol", json!({ "id": LOAD_CONFIG, "declaration_limit": 0 }), "declaration_limit"),
        ("get_source", json!({ "unit": "src/config.rs" }), "unit"),
        ("get_source", json!({ "unit": unit("src/config.rs"), "range": { "start": 9, "end": 3 } }), "range"),
        ("get_source", json!({ "unit": unit("src/config.rs"), "range": { "start": 0, "end": 1 << 30 } }), "range"),
        ("nodes", json!({ "path": "src/config.rs" }), "position"),
        ("nodes", json!({ "path": "", "position": 0 }), "path"),
        ("nodes", json!({ "path": "src/../src/config.rs", "position": 0 }), "path"),
        ("nodes", json!({ "path": "src/config.rs", "position": -1 }), "position"),
    ] {
        let answer = client.call(tool, arguments.clone());
        println!("{tool} {arguments}");
        assert_failure(&answer, "invalid_request", "never", names);
    }
}

#[test]
fn what_this_version_does_not_serve_is_refused_as_a_capability() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    client.prepared();
    for (tool, arguments) in [
        ("search", json!({ "pattern": "fn \\w+", "target": "documentation" })),
        ("search", json!({ "query": "x", "rev": "HEAD" })),
        ("search", json!({ "query": "x", "target": "commit" })),
        ("search", json!({ "change": { "base": "HEAD" } })),
        ("search", json!({ "traversal": { "seed": LOAD_CONFIG }, "rev": "HEAD" })),
        ("get_symbol", json!({ "id": LOAD_CONFIG, "include": ["history"] })),
        ("get_symbol", json!({ "id": LOAD_CONFIG, "rev": "HEAD" })),
        ("nodes", json!({ "path": "src/config.rs", "position": 0, "rev": "HEAD" })),
    ] {
        let answer = client.call(tool, arguments.clone());
        println!("{tool} {arguments}");
        assert_failure(&answer, "capability_unavailable", "operator_action", "");
    }
}

#[test]
fn nodes_says_why_a_path_has_none() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    client.prepared();
    let unknown = client.call("nodes", json!({ "path": "src/nothing.rs", "position": 0 }));
    assert_failure(&unknown, "resource_not_found", "never", "src/nothing.rs");
    let unclaimed = client.call("nodes", json!({ "path": "go/go.mod", "position": 0 }));
    assert_failure(&unclaimed, "capability_unavailable", "operator_action", "mod");
    let bare = client.call("nodes", json!({ "path": "justfile", "position": 0 }));
    assert_failure(&bare, "capability_unavailable", "operator_action", "extension");
}

#[test]
fn a_view_of_nobody_is_refused_and_never_replaced_by_the_latest() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    client.prepared();
    let answer = client.call("get_symbol", json!({ "id": LOAD_CONFIG, "view": "a".repeat(64) }));
    let reason = &answer.structured()["reason"];
    assert_eq!(answer.structured()["outcome"], "unavailable");
    assert!(reason == "view_context" || reason == "view_expired", "{reason}");
    assert!(!answer.is_error());
}

#[test]
fn what_is_wrong_with_the_envelope_is_a_protocol_error() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    client.prepared();
    let unknown = client.refused("tools/call", json!({ "name": "grep", "arguments": {} }));
    assert!(unknown["message"].as_str().is_some_and(|message| message.contains("grep")), "{unknown}");
    for arguments in [json!([1]), json!("query"), json!(7)] {
        let error = client.refused("tools/call", json!({ "name": "search", "arguments": arguments }));
        assert!(error["code"].is_i64(), "{error}");
    }
    let method = client.refused("tools/paint", json!({}));
    assert_eq!(method["code"], -32601, "{method}");
    let resource = client.refused("resources/read", json!({ "uri": "rift://nowhere" }));
    assert!(resource["code"].is_i64() && resource["message"].is_string(), "{resource}");
    assert_eq!(resource.get("data").unwrap_or(&Value::Null), &Value::Null, "a resource refusal has no data");
    let page = client.refused("resources/read", json!({ "uri": "rift://workspace?page_index=first" }));
    assert!(page["message"].is_string(), "{page}");
    // None of them harmed the connection.
    assert!(!client.call("search", json!({ "query": "load_config" })).is_error());
}

#[test]
fn an_invalid_configuration_refuses_reads_by_name() {
    for (text, names) in [
        ("[source]\nfiles = 5\n", "files"),
        ("[source]\ncolour = true\n", "colour"),
        ("[search.text]\nmax_chunk = \"1 parsec\"\n", "max_chunk"),
        ("[execution]\nallow = [\"python\"]\n", "execution"),
        ("this is not toml", "rift.toml"),
    ] {
        let project = Project::copy_of(POLYGLOT);
        project.write("rift.toml", text);
        let mut client = Client::start(&project);
        let answer = client.call("search", json!({ "query": "load_config" }));
        println!("{text}");
        assert_failure(&answer, "configuration_invalid", "operator_action", names);
    }
}

#[test]
fn bounds_on_the_workspace_refuse_naming_their_key() {
    let project = Project::empty();
    for number in 0..1001 {
        project.write(&format!("notes/{number}.txt"), "note");
    }
    project.write("rift.toml", "[source]\nfiles = 1000\n");
    let mut client = Client::start(&project);
    let mut answer = client.call("search", json!({ "query": "note" }));
    while !answer.is_error() {
        // The walk goes on behind the first answers, which say so.
        assert!(answer.warnings().contains(&"local_index_preparing"), "{}", answer.text());
        answer = client.call("search", json!({ "query": "note" }));
    }
    assert!(answer.text().contains("files") && answer.text().contains("1000"), "{}", answer.text());
}

fn unit(path: &str) -> String {
    format!("rift://source/project/{path}")
}
