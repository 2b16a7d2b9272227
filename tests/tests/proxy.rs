//! The proxy is a proxy: it answers at once, forwards, and opens nothing of the workspace.

use std::fmt::Write as _;
use std::fs::File;
use std::process::{Command, Stdio};

use rift_tests::{Client, Options, Project, command, rift_path};
use serde_json::{Value, json};

use crate::support::{LOAD_CONFIG, POLYGLOT};

#[test]
fn what_needs_no_server_is_answered_without_one() {
    let project = Project::copy_of(POLYGLOT);
    std::fs::create_dir_all(project.state("")).expect("the folder");
    // While the test holds the election, no server can come.
    let lock = File::create(project.state("server.lock")).expect("the lock's file");
    lock.try_lock().expect("free");
    let mut client = Client::start(&project);
    client.request("ping", json!({}));
    assert_eq!(client.request("tools/list", json!({}))["tools"].as_array().map(Vec::len), Some(4));
    assert!(client.request("resources/list", json!({}))["resources"].is_array());
    assert!(client.request("resources/templates/list", json!({}))["resourceTemplates"].is_array());
    // Then the first call finds one.
    let id = client.send("tools/call", json!({ "name": "search", "arguments": { "query": "load_config" } }));
    client.request("ping", json!({}));
    drop(lock);
    let response = client.response(id);
    assert!(response["result"]["structuredContent"]["results"].is_array(), "{response}");
}

#[test]
fn nobody_who_can_be_asked_is_temporarily_unavailable() {
    let project = Project::copy_of(POLYGLOT);
    std::fs::create_dir_all(project.state("")).expect("the folder");
    let lock = File::create(project.state("server.lock")).expect("the lock's file");
    lock.try_lock().expect("free");
    let mut client = Client::start(&project);
    let answer = client.call("search", json!({ "query": "load_config" }));
    let head = "1 error\n\ttemporarily_unavailable · retry same_request\n";
    assert!(answer.text().starts_with(head), "{}", answer.text());
    assert!(answer.is_error() && answer.0.get("structuredContent").is_none(), "{}", answer.0);
    drop(lock);
    assert!(!client.call("search", json!({ "query": "load_config" })).is_error());
}

#[test]
fn the_text_selection_leaves_structure_out_everywhere() {
    let project = Project::copy_of(POLYGLOT);
    let mut all = Client::start(&project);
    all.prepared();
    let mut text = Client::start_with(&project, Options { output: Some("text"), ..Options::default() });
    let call = json!({ "name": "get_symbol", "arguments": { "id": LOAD_CONFIG } });
    let (full, short) = (all.request("tools/call", call.clone()), text.request("tools/call", call));
    assert!(full["structuredContent"].is_object() && short.get("structuredContent").is_none(), "{short}");
    let lines = |result: &Value| {
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        text.lines().filter(|line| !line.contains("view ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&full), lines(&short));
    let kinds = |client: &mut Client, uri: &str| {
        let contents = client.read(uri);
        contents.iter().map(|content| content["mimeType"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&mut all, "rift://workspace"), ["text/plain", "application/json"]);
    assert_eq!(kinds(&mut text, "rift://workspace"), ["text/plain"]);
    assert_eq!(kinds(&mut text, "rift://map"), ["application/json"]);
    // A failure is the same under both.
    let wrong = json!({ "name": "search", "arguments": { "query": "x", "limit": 0 } });
    assert_eq!(all.request("tools/call", wrong.clone()), text.request("tools/call", wrong));
}

#[test]
fn refusals_of_the_server_arrive_unchanged() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    client.prepared();
    let server = project.server();
    let port = server["port"].as_u64().and_then(|port| u16::try_from(port).ok()).expect("a port");
    for (method, params) in [
        ("tools/call", json!({ "name": "grep", "arguments": {} })),
        ("resources/read", json!({ "uri": "rift://nowhere" })),
        ("resources/read", json!({ "uri": "rift://workspace?page_index=first" })),
    ] {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let direct = rift_tests::exchange(port, &rift_tests::json_post(&server, &message)).json();
        assert_eq!(client.refused(method, params), direct["error"], "{method}");
    }
}

#[test]
fn a_caller_that_asked_hears_how_far_preparation_is() {
    let project = Project::empty();
    for file in 0..1500 {
        let mut text = String::new();
        for function in 0..20 {
            let _ =
                write!(text, "def handler_{file}_{function}(request):\n    return request.value + {function}\n\n\n");
        }
        project.write(&format!("app/module_{file}.py"), text);
    }
    let mut client = Client::start(&project);
    let call = |client: &mut Client, token: Option<&str>| {
        let mut params = json!({ "name": "search", "arguments": { "query": "handler_1_1", "limit": 1 } });
        if let Some(token) = token {
            params["_meta"] = json!({ "progressToken": token });
        }
        client.request("tools/call", params)
    };
    let answer = call(&mut client, Some("first"));
    assert!(answer["structuredContent"]["warnings"].to_string().contains("local_index_preparing"), "{answer}");
    let heard: Vec<&Value> = client.unclaimed().iter().collect();
    assert!(!heard.is_empty(), "the caller heard nothing before its answer");
    for note in &heard {
        assert_eq!(note["method"], "notifications/progress", "{note}");
        assert_eq!(note["params"]["progressToken"], "first", "{note}");
        assert!(note["params"]["progress"].is_number(), "{note}");
    }
    let count = heard.len();
    call(&mut client, None);
    assert_eq!(client.unclaimed().len(), count, "one that did not ask hears nothing");
    client.prepared();
    call(&mut client, Some("last"));
    assert_eq!(client.unclaimed().len(), count, "nothing is left to tell");
}

#[test]
fn opens_no_file_of_the_workspace() {
    let project = Project::copy_of(POLYGLOT);
    if Command::new("strace").arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        eprintln!("NOT RUN: opens_no_file_of_the_workspace needs strace, which is not installed");
        return;
    }
    // A server runs already, so that what is traced is the proxy alone.
    assert_eq!(rift_tests::rift(&project, &["server", "start"]).code, Some(0));
    let log = project.root().with_file_name("trace");
    let plain = command(&project);
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-e", "trace=open,openat,openat2,creat", "-o"]).arg(&log).arg(rift_path());
    traced.args(["mcp", "--root"]).arg(project.root()).current_dir(project.root());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => traced.env(name, value),
            None => traced.env_remove(name),
        };
    }
    let mut client = Client::run(traced);
    let hello = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "0" },
    });
    client.request("initialize", hello);
    client.notify("notifications/initialized", json!({}));
    assert!(!client.call("get_symbol", json!({ "id": LOAD_CONFIG })).is_error());
    client.read("rift://workspace");
    client.close();
    let root = project.root().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(&log).expect("the trace");
    let opened: Vec<&str> =
        text.lines().filter_map(|line| line.split('"').nth(1)).filter(|path| path.starts_with(&root)).collect();
    assert!(opened.iter().any(|path| path.ends_with("/.rift/server.json")), "{text}");
    for path in opened {
        assert!(path[root.len()..].starts_with("/.rift/server."), "the proxy opened {path}");
    }
}

#[test]
fn frames_that_are_too_long_are_refused_and_harm_no_other() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    client.prepared();
    let pid = project.server_pid();
    // Past what the server reads of one request, and past what the transport reads of one line.
    let answer = client.call("search", json!({ "query": "long ".repeat(400_000) }));
    assert!(answer.text().starts_with("1 error\n\tlimit_exceeded · retry never\n"), "{}", answer.text());
    client.send_line(&"x".repeat(20 << 20));
    client.send_line(&format!("{{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"{}\"}}", "y".repeat(20 << 20)));
    for line in
        ["", "{", "[]", "null", "\u{0}", "{\"jsonrpc\":\"2.0\"}", "{\"jsonrpc\":\"1.0\",\"id\":5,\"method\":\"ping\"}"]
    {
        client.send_line(line);
    }
    assert!(!client.call("search", json!({ "query": "load_config" })).is_error());
    assert_eq!(project.server_pid(), pid, "the server never noticed");
}
