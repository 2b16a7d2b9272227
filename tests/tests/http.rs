//! The HTTP port: what is admitted, and that everything else is refused and leaves no trace.

use std::process::Stdio;

use rift_tests::{Project, command, exchange, json_post, request, rift};
use serde_json::{Value, json};

use crate::support::{LOAD_CONFIG, POLYGLOT};

/// A project with a server.
fn served() -> (Project, Value, u16) {
    let project = Project::copy_of(POLYGLOT);
    let started = rift(&project, &["server", "start"]);
    assert_eq!(started.code, Some(0), "{started:?}");
    let server = project.server();
    let port = server["port"].as_u64().and_then(|port| u16::try_from(port).ok()).expect("a port");
    (project, server, port)
}

fn message(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

/// Waits until the index is prepared, as a client over HTTP.
fn prepared(server: &Value, port: u16) {
    rift_tests::eventually("the index is prepared", || {
        let map = exchange(port, &json_post(server, &message("resources/read", json!({ "uri": "rift://map" }))));
        (!map.body.contains("local_index_preparing")).then_some(())
    });
}

#[test]
fn answers_carry_both_representations() {
    let (_project, server, port) = served();
    prepared(&server, port);
    let call = message("tools/call", json!({ "name": "get_symbol", "arguments": { "id": LOAD_CONFIG } }));
    let answer = exchange(port, &json_post(&server, &call));
    assert_eq!(answer.status, 200, "{answer:?}");
    let result = &answer.json()["result"];
    assert!(result["content"][0]["text"].as_str().is_some_and(|text| text.contains("load_config")), "{result}");
    assert_eq!(result["structuredContent"]["symbol"]["id"], LOAD_CONFIG);
    let tools = exchange(port, &json_post(&server, &message("tools/list", json!({})))).json();
    let tools = tools["result"]["tools"].as_array().expect("tools").clone();
    assert!(tools.len() == 4 && tools.iter().all(|tool| tool["outputSchema"].is_object()), "{tools:?}");
    let page = message("resources/read", json!({ "uri": "rift://workspace" }));
    let page = exchange(port, &json_post(&server, &page)).json();
    assert_eq!(page["result"]["contents"].as_array().map(Vec::len), Some(2), "{page}");
}

#[test]
fn every_revision_of_the_protocol_is_spoken() {
    let (_project, server, port) = served();
    let hello = |version: &str| {
        let params = json!({
            "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "t", "version": "0" },
        });
        let text = String::from_utf8(json_post(&server, &message("initialize", params))).expect("text");
        exchange(port, text.replace("MCP-Protocol-Version: 2025-11-25\r\n", "").as_bytes()).json()
    };
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        assert_eq!(hello(version)["result"]["protocolVersion"], version);
    }
    // The revisions from 2026-07-28 on have no handshake: each request says what it speaks.
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "t", "version": "0" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let modern = |method: &str, mut params: Value| {
        params["_meta"] = meta.clone();
        let name = params.get("name").and_then(Value::as_str).unwrap_or("").to_owned();
        let text = String::from_utf8(json_post(&server, &message(method, params))).expect("text");
        let mut headers = format!("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n");
        if !name.is_empty() {
            headers.push_str(&format!("Mcp-Name: {name}\r\n"));
        }
        let reply = exchange(port, text.replace("MCP-Protocol-Version: 2025-11-25\r\n", &headers).as_bytes());
        assert_eq!(reply.status, 200, "{method}: {reply:?}");
        reply.json()["result"].clone()
    };
    let discovered = modern("server/discover", json!({}));
    let versions = discovered["supportedVersions"].as_array().expect("versions");
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-11-25")), "{discovered}");
    let tools = modern("tools/list", json!({}));
    assert!(tools["ttlMs"].as_u64().is_some_and(|fresh| fresh > 0), "a fixed list may be kept: {tools}");
    assert_eq!(tools["cacheScope"], "public", "{tools}");
    let answer =
        modern("tools/call", json!({ "name": "nodes", "arguments": { "path": "src/config.rs", "position": 600 } }));
    assert_eq!(answer["resultType"], "complete", "{answer}");
    let older = exchange(port, &json_post(&server, &message("tools/list", json!({})))).json();
    assert!(older["result"].get("ttlMs").is_none(), "older revisions know no such member: {older}");
}

/// Requests that must not be served, with the status that each is refused with. 0 is a connection closed in the middle.
fn refused(server: &Value) -> Vec<(&'static str, Vec<u8>, &'static [u16])> {
    let host = format!("127.0.0.1:{}", server["port"]);
    let token = format!("Bearer {}", server["token"].as_str().expect("a token"));
    let call = message(
        "tools/call",
        json!({ "name": "get_source", "arguments": { "unit": "rift://source/project/README.md" } }),
    );
    let call = call.to_string();
    let post = |line: &str, changed: &[(&str, &str)], body: &str| {
        let mut headers: Vec<(&str, &str)> = vec![
            ("Host", &host),
            ("Authorization", &token),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2025-11-25"),
        ];
        for (name, value) in changed {
            headers.retain(|(stated, _)| stated != name);
            if !value.is_empty() {
                headers.push((name, value));
            }
        }
        request(line, &headers, body)
    };
    let mcp = "POST /api/mcp";
    let long = "x".repeat(2 << 20);
    let huge = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "long": long } }).to_string();
    let chunked = {
        let mut text = post(mcp, &[("Transfer-Encoding", "chunked"), ("Content-Length", "")], "");
        for _ in 0..3 {
            text.extend_from_slice(b"100000\r\n");
            text.extend_from_slice(&vec![b' '; 1 << 20]);
            text.extend_from_slice(b"\r\n");
        }
        text
    };
    let mut out = vec![
        ("no token", post(mcp, &[("Authorization", "")], &call), &[401][..]),
        ("a wrong token", post(mcp, &[("Authorization", "Bearer wrong")], &call), &[401]),
        (
            "a token of the right length",
            post(mcp, &[("Authorization", &format!("Bearer {}", "A".repeat(43)))], &call),
            &[401],
        ),
        ("a token in the address", post("POST /api/mcp?token=x", &[("Authorization", "")], &call), &[401]),
        ("another scheme", post(mcp, &[("Authorization", &token.replace("Bearer", "Basic"))], &call), &[401]),
        ("a foreign host", post(mcp, &[("Host", "evil.example")], &call), &[403]),
        ("a host of another port", post(mcp, &[("Host", "127.0.0.1:1")], &call), &[403]),
        ("a name of this machine", post(mcp, &[("Host", &host.replace("127.0.0.1", "localhost"))], &call), &[403]),
        ("no host", post(mcp, &[("Host", "")], &call), &[400, 403]),
        ("a foreign origin", post(mcp, &[("Origin", "https://evil.example")], &call), &[403]),
        ("an origin that hides one", post(mcp, &[("Origin", "http://localhost.evil.example")], &call), &[403]),
        ("no origin of a page", post(mcp, &[("Origin", "null")], &call), &[403]),
        ("a foreign address", post("POST http://evil.example/api/mcp", &[], &call), &[403]),
        ("a stop without a token", post("POST /api/stop", &[("Authorization", "")], ""), &[401]),
        ("a stop from a page", post("POST /api/stop", &[("Origin", "https://evil.example")], ""), &[403]),
        ("a stop by a link", post("GET /api/stop", &[], ""), &[405]),
        ("a state without a token", post("GET /api/status", &[("Authorization", "")], ""), &[401]),
        ("counters without a token", post("POST /api/debug", &[("Authorization", "")], "{\"ask\":\"views\"}"), &[401]),
        ("counters from a page", post("POST /api/debug", &[("Origin", "https://evil.example")], "{}"), &[403]),
        ("no question about counters", post("POST /api/debug", &[], "{\"ask\":\"secrets\"}"), &[400]),
        ("a stream that nobody serves", post("GET /api/mcp", &[], ""), &[405]),
        ("an unknown method", post("BREW /api/mcp", &[], &call), &[405]),
        ("a long body", post(mcp, &[], &huge), &[413, 0]),
        ("a long body in pieces", chunked, &[413, 0]),
        ("a body that is said to be long", post(mcp, &[("Content-Length", "99999999999")], "{"), &[413]),
        ("no JSON", post(mcp, &[], "{\"jsonrpc\": "), &[400, 415]),
        ("no message", post(mcp, &[], "[1, 2, 3]"), &[400, 415, 422]),
        ("no UTF-8", post(mcp, &[("Content-Length", "")], "\u{fffd}"), &[400, 415]),
        ("another kind of body", post(mcp, &[("Content-Type", "text/plain")], &call), &[415]),
        ("no kind of answer", post(mcp, &[("Accept", "text/html")], &call), &[406]),
        ("an unknown revision", post(mcp, &[("MCP-Protocol-Version", "1999-01-01")], &call), &[400]),
        ("a long head", post(mcp, &[("X-Long", &"x".repeat(1 << 20))], &call), &[431, 0]),
        ("no HTTP", b"\x16\x03\x01\x02\x00 this is TLS\r\n\r\n".to_vec(), &[400, 0]),
        ("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(), &[400, 403, 505, 0]),
        ("two lengths", post(mcp, &[("Content-Length", "5\r\nContent-Length: 6")], "hello"), &[400, 0]),
    ];
    for (what, path) in [
        ("a file beside", "/api/mcp/../../README.md"),
        ("an encoded way up", "/api/mcp/%2e%2e/%2e%2e/README.md"),
        ("a doubly encoded way up", "/%252e%252e/%252e%252e/etc/passwd"),
        ("an absolute path", "//etc/passwd"),
        ("the token's file", "/.rift/server.json"),
        ("a file", "/README.md"),
        ("a backslash", "/..\\..\\etc\\passwd"),
        ("the root", "/"),
        ("one segment more", "/api/mcp/"),
        ("another case", "/API/MCP"),
        ("a NUL", "/api/mcp%00"),
    ] {
        out.push((what, post(&format!("GET {path}"), &[], ""), &[404]));
        out.push((what, post(&format!("POST {path}"), &[], &call), &[404]));
    }
    out
}

#[test]
fn everything_else_is_refused_and_nothing_is_served() {
    let (project, server, port) = served();
    for (what, bytes, statuses) in refused(&server) {
        let reply = exchange(port, &bytes);
        assert!(statuses.contains(&reply.status), "{what}: {reply:?}");
        assert!(!reply.body.contains("Example shop") && !reply.body.contains("root:"), "{what}: {reply:?}");
    }
    assert_eq!(project.server(), server, "it serves on");
    assert_eq!(exchange(port, &json_post(&server, &message("ping", json!({})))).status, 200);
}

#[test]
fn paths_inside_requests_do_not_lead_out() {
    let outside = Project::with([("secret.txt", "the secret of another project\n")]);
    let project = Project::copy_of(POLYGLOT);
    std::os::unix::fs::symlink(outside.root(), project.root().join("linked")).expect("a link");
    std::os::unix::fs::symlink(outside.root().join("secret.txt"), project.root().join("secret.txt")).expect("a link");
    assert_eq!(rift(&project, &["server", "start"]).code, Some(0));
    let server = project.server();
    let port = server["port"].as_u64().and_then(|port| u16::try_from(port).ok()).expect("a port");
    prepared(&server, port);
    let absolute = outside.root().join("secret.txt").to_string_lossy().into_owned();
    let encoded = absolute.replace('/', "%2F");
    let mut asked = 0;
    for path in [
        "../secret.txt",
        "src/../../secret.txt",
        "%2e%2e/secret.txt",
        "..%2fsecret.txt",
        "linked/secret.txt",
        "secret.txt",
        "./secret.txt",
        absolute.as_str(),
        encoded.as_str(),
        ".rift/server.json",
        ".git/config",
        "\\..\\secret.txt",
        "secret.txt\u{0}",
    ] {
        for call in [
            json!({ "name": "get_source", "arguments": { "unit": format!("rift://source/project/{path}") } }),
            json!({ "name": "nodes", "arguments": { "path": path, "position": 0 } }),
        ] {
            let reply = exchange(port, &json_post(&server, &message("tools/call", call.clone())));
            assert_eq!(reply.status, 200, "{call}: {reply:?}");
            assert!(!reply.body.contains("the secret of") && !reply.body.contains("\"token\\\""), "{call}: {reply:?}");
            let result = &reply.json()["result"];
            let found = result["structuredContent"]["outcome"] == "found";
            assert!(result["isError"] == true || !found, "{call}: {result}");
            asked += 1;
        }
        let resource = message("resources/read", json!({ "uri": format!("rift://workspace/{path}") }));
        let reply = exchange(port, &json_post(&server, &resource));
        assert!(reply.json()["error"].is_object(), "{path}: {reply:?}");
    }
    assert_eq!(asked, 26);
}

/// The number of open handles, and the resident memory in KiB.
fn held(pid: u64) -> (usize, u64) {
    let handles = std::fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().split(' ').next()?.parse().ok());
    (handles, resident.unwrap_or(0))
}

#[test]
fn refusals_leave_nothing_behind() {
    let (project, server, port) = served();
    prepared(&server, port);
    let pid = server["pid"].as_u64().expect("a pid");
    let round = || {
        for (_, bytes, _) in refused(&server) {
            exchange(port, &bytes);
        }
    };
    for _ in 0..3 {
        round();
    }
    let before = held(pid);
    for _ in 0..20 {
        round();
    }
    // The last connections take a moment to be let go of.
    rift_tests::eventually("the handles are back", || (held(pid).0 <= before.0).then_some(()));
    let after = held(pid);
    assert!(after.1 <= before.1 + 16 * 1024, "{before:?} {after:?}");
    assert_eq!(project.server(), server, "it serves on");
}

#[test]
fn without_a_token_only_when_told() {
    let project = Project::copy_of(POLYGLOT);
    let mut child = command(&project)
        .args(["server", "start", "--foreground", "--auth", "skip"])
        .stderr(Stdio::null())
        .spawn()
        .expect("rift starts");
    let server = project.server();
    let port = server["port"].as_u64().and_then(|port| u16::try_from(port).ok()).expect("a port");
    let ping = String::from_utf8(json_post(&server, &message("ping", json!({})))).expect("text");
    let token = format!("Authorization: Bearer {}\r\n", server["token"].as_str().expect("a token"));
    let open = ping.replace(&token, "");
    assert_ne!(open, ping);
    assert_eq!(exchange(port, open.as_bytes()).status, 200);
    let foreign = open.replace("Connection: close\r\n", "Connection: close\r\nOrigin: https://evil.example\r\n");
    assert_eq!(exchange(port, foreign.as_bytes()).status, 403, "pages are refused all the same");
    assert_eq!(exchange(port, open.replace("127.0.0.1:", "evil.example:").as_bytes()).status, 403);
    // Its proxies need not know.
    let mut client = rift_tests::Client::start(&project);
    assert!(client.request("tools/list", json!({}))["tools"].is_array());
    assert!(!client.call("search", json!({ "query": "load_config" })).is_error());
    project.kill_server();
    child.wait().expect("ends");
}
