//! The protocol's surface: listings, annotations, cancellation, and what stdout carries.

use rift_tests::{Client, Options, Project};
use serde_json::{Value, json};

use crate::support::{LOAD_CONFIG, POLYGLOT};

/// Hosts cut instructions and descriptions at 2,048 characters without saying so.
const HOST_TEXT_LIMIT: usize = 2000;

fn tools(client: &mut Client) -> Vec<Value> {
    client.request("tools/list", json!({}))["tools"].as_array().expect("a list of tools").clone()
}

#[test]
fn tools_are_listed_with_annotations_and_schemas() {
    let project = Project::copy_of(POLYGLOT);
    for (output, schemas) in [("all", true), ("text", false)] {
        let mut client = Client::start_with(&project, Options { output: Some(output), ..Options::default() });
        let tools = tools(&mut client);
        let mut names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["get_source", "get_symbol", "nodes", "search"]);
        for tool in &tools {
            let description = tool["description"].as_str().expect("a description");
            assert!((1..HOST_TEXT_LIMIT).contains(&description.chars().count()), "{tool}");
            assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
            assert_eq!(tool.get("outputSchema").is_some(), schemas, "{tool}");
            let hints = &tool["annotations"];
            assert_eq!(hints["readOnlyHint"], true, "{tool}");
            assert_eq!(hints["destructiveHint"], false, "{tool}");
            assert_eq!(hints["idempotentHint"], true, "{tool}");
            assert_eq!(hints["openWorldHint"], false, "{tool}");
        }
    }
}

#[test]
fn text_is_the_default_selection() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start_with(&project, Options::default());
    assert!(tools(&mut client).iter().all(|tool| tool.get("outputSchema").is_none()));
}

#[test]
fn an_unknown_selection_is_refused_at_the_start() {
    let project = Project::copy_of(POLYGLOT);
    let outcome = rift_tests::rift(&project, &["mcp", "--output", "everything"]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
    assert_eq!(outcome.stdout, "");
    assert!(outcome.stderr.contains("everything"), "{}", outcome.stderr);
}

#[test]
fn the_server_introduces_itself() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::spawn(&project, Options::default());
    let answer = client.request(
        "initialize",
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "0" } }),
    );
    assert_eq!(answer["protocolVersion"], "2025-06-18", "a version the server knows is kept");
    assert!(answer["capabilities"]["tools"].is_object() && answer["capabilities"]["resources"].is_object(), "{answer}");
    let instructions = answer["instructions"].as_str().expect("instructions");
    assert!((1..HOST_TEXT_LIMIT).contains(&instructions.chars().count()));
}

#[test]
fn resources_and_templates_are_listed_as_json() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    let listed = client.request("resources/list", json!({}));
    let listed = listed["resources"].as_array().expect("resources");
    let mut uris: Vec<&str> = listed.iter().filter_map(|resource| resource["uri"].as_str()).collect();
    uris.sort_unstable();
    assert_eq!(uris, ["rift://map", "rift://workspace"]);
    assert!(listed.iter().all(|resource| resource["mimeType"] == "application/json"), "{listed:?}");
    let templates = client.request("resources/templates/list", json!({}));
    let templates = templates["resourceTemplates"].as_array().expect("templates");
    assert_eq!(templates.len(), 1);
    assert_eq!(templates[0]["uriTemplate"], "rift://workspace{?page_index}");
    assert_eq!(templates[0]["mimeType"], "application/json");
}

#[test]
fn a_cancelled_call_leaves_the_server_answering() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    for _ in 0..20 {
        let call =
            json!({ "name": "search", "arguments": { "query": "price", "limit": 10000, "include": ["source"] } });
        let id = client.send("tools/call", call);
        client.notify("notifications/cancelled", json!({ "requestId": id, "reason": "the caller lost interest" }));
    }
    // One that was never sent, and one that is long answered.
    client.notify("notifications/cancelled", json!({ "requestId": 4096 }));
    client.notify("notifications/cancelled", json!({ "requestId": 1 }));
    client.prepared();
    assert!(client.call("search", json!({ "query": "load_config" })).text().contains(LOAD_CONFIG));
    let mut answered: Vec<u64> = client.unclaimed().iter().filter_map(|frame| frame["id"].as_u64()).collect();
    let count = answered.len();
    answered.sort_unstable();
    answered.dedup();
    assert_eq!(answered.len(), count, "a request is answered once at most");
    client.close();
}

#[test]
fn requests_in_flight_are_each_answered_under_their_own_id() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    client.prepared();
    let ids: Vec<(u64, usize)> = (0..50)
        .map(|start| {
            let range = json!({ "start": start, "end": start + 1 });
            let arguments = json!({ "unit": "rift://source/project/src/config.rs", "range": range });
            (client.send("tools/call", json!({ "name": "get_source", "arguments": arguments })), start)
        })
        .collect();
    let text = project.read("src/config.rs");
    for (id, start) in ids.into_iter().rev() {
        let response = client.response(id);
        assert_eq!(response["result"]["structuredContent"]["source"]["text"], text[start..=start], "{response}");
    }
}

#[test]
fn stdout_carries_frames_alone_whatever_is_logged() {
    let project = Project::copy_of(POLYGLOT);
    project.write("broken.py", b"\xff\xfe\x00not text\x80");
    let options = Options { output: Some("all"), log: Some("trace"), root: None };
    let mut client = Client::start_with(&project, options);
    client.prepared();
    client.call("search", json!({ "query": "load configuration", "include": ["source", "score"] }));
    client.call("get_symbol", json!({ "id": LOAD_CONFIG }));
    client.call("get_source", json!({ "unit": "rift://source/project/README.md" }));
    client.call("nodes", json!({ "path": "src/config.rs", "position": 600 }));
    client.call("search", json!({ "query": "x", "limit": 0 }));
    client.refused("tools/call", json!({ "name": "nothing" }));
    client.read("rift://workspace");
    let log = client.close();
    assert!(
        log.to_ascii_lowercase().contains("trace") || log.to_ascii_lowercase().contains("debug"),
        "logs go to stderr"
    );
}

#[test]
fn the_server_ends_when_its_client_goes() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    client.request("ping", json!({}));
    client.close();
}
