//! One server for each workspace: how it comes, is found, is replaced and goes.

use std::fs::Permissions;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;
use std::time::Instant;

use rift_tests::{
    Answer, Client, Options, Project, Reply, Signal, command, eventually, exchange, is_running, json_post, rift,
    signal, stand_still,
};
use serde_json::{Value, json};

use crate::support::{LOAD_CONFIG, POLYGLOT};

fn ask(client: &mut Client) -> Answer {
    client.call("get_source", json!({ "unit": "rift://source/project/README.md" }))
}

/// An answer of a server, whether it has prepared the file or not.
#[track_caller]
fn assert_answered(answer: &Answer) {
    assert!(!answer.is_error(), "{}", answer.text());
    assert!(answer.structured()["outcome"].is_string(), "{}", answer.text());
}

fn port(server: &Value) -> u16 {
    server["port"].as_u64().and_then(|port| u16::try_from(port).ok()).expect("a port")
}

#[test]
fn eight_proxies_at_once_end_with_one_server() {
    let project = Project::copy_of(POLYGLOT);
    let mut seen = Vec::new();
    for round in 0..10 {
        let mut clients: Vec<Client> =
            (0..8).map(|_| Client::spawn(&project, Options { output: Some("all"), ..Options::default() })).collect();
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "0" },
        });
        for client in &mut clients {
            client.request("initialize", hello.clone());
            client.notify("notifications/initialized", json!({}));
            assert_answered(&ask(client));
        }
        let pid = project.server_pid();
        // Starters that lost are gone, or were never started.
        assert_eq!(project.server_processes(), [pid], "round {round}");
        assert!(!seen.contains(&pid), "round {round}: every round has a server of its own");
        seen.push(pid);
        project.kill_server();
    }
    assert_eq!(seen.len(), 10);
}

#[test]
fn a_killed_server_is_replaced_for_the_same_client() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    assert_answered(&ask(&mut client));
    for _ in 0..3 {
        let before = project.server_pid();
        project.kill_server();
        assert!(project.stated_server().is_some(), "a killed server takes nothing back");
        assert_answered(&ask(&mut client));
        assert_ne!(project.server_pid(), before);
    }
}

#[test]
fn calls_in_flight_survive_their_server() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    client.prepared();
    let arguments = json!({ "query": "load configuration", "include": ["source"], "limit": 100 });
    for _ in 0..3 {
        let ids: Vec<u64> =
            (0..30).map(|_| client.send("tools/call", json!({ "name": "search", "arguments": arguments }))).collect();
        project.kill_server();
        for id in ids {
            let response = client.response(id);
            assert!(response["result"]["structuredContent"]["results"].is_array(), "{response}");
        }
    }
}

#[test]
fn a_server_that_stands_still_is_temporarily_unavailable() {
    let project = Project::copy_of(POLYGLOT);
    project.write("rift.toml", "[server]\nworker_queue_timeout = \"1s\"\nreadiness_timeout = \"1s\"\n");
    let mut client = Client::start(&project);
    assert_answered(&ask(&mut client));
    let pid = project.server_pid();
    stand_still(pid);
    let answer = ask(&mut client);
    assert!(answer.is_error() && answer.0.get("structuredContent").is_none(), "{}", answer.0);
    let head = "1 error\n\ttemporarily_unavailable · retry same_request\n";
    assert!(answer.text().starts_with(head), "{}", answer.text());
    // The listings are the proxy's own.
    assert!(client.request("tools/list", json!({}))["tools"].is_array());
    let status = rift(&project, &["server", "status"]);
    assert_eq!(status.code, Some(2), "{status:?}");
    assert!(status.stdout.starts_with("not answering: "), "{status:?}");
    signal(pid, Signal::CONT);
    assert_answered(&ask(&mut client));
    assert_eq!(project.server_pid(), pid, "it was never replaced");
}

/// What was left at `.rift/server.json` by nobody alive is replaced, and the next call is answered.
#[track_caller]
fn check_stale(what: &str, lay: impl FnOnce(&Project, Value)) {
    let project = Project::copy_of(POLYGLOT);
    let started = rift(&project, &["server", "start"]);
    assert_eq!(started.code, Some(0), "{started:?}");
    let before = project.server();
    project.kill_server();
    lay(&project, before.clone());
    let mut client = Client::start(&project);
    assert_answered(&ask(&mut client));
    let after = project.server();
    assert_ne!(after["token"], before["token"], "{what}");
    assert_eq!(after["identity"], before["identity"], "{what}");
    let file = std::fs::symlink_metadata(project.state("server.json")).expect("stated");
    assert!(file.is_file() && file.permissions().mode() & 0o777 == 0o600, "{what}: {file:?}");
}

/// Writes a statement as a server would.
fn state(project: &Project, text: &str, mode: u32) {
    let path = project.state("server.json");
    std::fs::write(&path, text).expect("written");
    std::fs::set_permissions(&path, Permissions::from_mode(mode)).expect("chmod");
}

#[test]
fn stale_statements_are_replaced() {
    check_stale("a dead server's", |_, _| {});
    check_stale("a free port", |project, mut stated| {
        stated["port"] = json!(1);
        state(project, &stated.to_string(), 0o600);
    });
    check_stale("garbage", |project, _| state(project, "\0garbage{", 0o600));
    check_stale("nothing", |project, _| state(project, "", 0o600));
    check_stale("too long", |project, _| state(project, &" ".repeat(1 << 20), 0o600));
    check_stale("another executable's", |project, mut stated| {
        stated["identity"]["executable_digest"] = json!("e".repeat(64));
        state(project, &stated.to_string(), 0o600);
    });
    check_stale("readable by others", |project, stated| state(project, &stated.to_string(), 0o644));
    check_stale("a half-written successor beside it", |project, _| {
        std::fs::write(project.state("server.json.new"), "{").expect("written");
    });
    check_stale("a running process that is no server", |project, mut stated| {
        stated["pid"] = json!(std::process::id());
        state(project, &stated.to_string(), 0o600);
    });
}

#[test]
fn a_statement_that_is_a_link_is_replaced_and_not_followed() {
    let outside = Project::with([("target.json", "untouched")]);
    check_stale("a link", |project, _| {
        let path = project.state("server.json");
        std::fs::remove_file(&path).expect("removed");
        std::os::unix::fs::symlink(outside.root().join("target.json"), &path).expect("a link");
    });
    assert_eq!(outside.read("target.json"), "untouched");
}

#[test]
fn a_foreign_process_on_the_port_hears_nothing() {
    let foreign = TcpListener::bind("127.0.0.1:0").expect("a port");
    foreign.set_nonblocking(true).expect("non-blocking");
    let port = foreign.local_addr().expect("bound").port();
    check_stale("a foreign process's port", |project, mut stated| {
        stated["port"] = json!(port);
        state(project, &stated.to_string(), 0o600);
    });
    assert!(foreign.accept().is_err(), "nobody connected");
}

#[test]
fn a_folder_that_is_a_link_is_refused() {
    let project = Project::copy_of(POLYGLOT);
    let outside = Project::empty();
    std::os::unix::fs::symlink(outside.root(), project.root().join(".rift")).expect("a link");
    let mut client = Client::start(&project);
    let answer = ask(&mut client);
    assert!(
        answer.text().starts_with("1 error\n\ttemporarily_unavailable · retry operator_action\n"),
        "{}",
        answer.text()
    );
    assert!(answer.text().contains(".rift"), "{}", answer.text());
    let entries = std::fs::read_dir(outside.root()).expect("a folder").count();
    assert_eq!(entries, 1, "nothing but .git");
}

/// A server of another identity, played by the test: it holds the election, answers how it is, and ends when it is told to.
fn play_server(project: &Project, version: &str) -> (std::thread::JoinHandle<bool>, u16) {
    std::fs::create_dir_all(project.state("")).expect("the folder");
    let lock = std::fs::File::create(project.state("server.lock")).expect("the lock's file");
    lock.try_lock().expect("free");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let pid = std::process::id();
    let identity = json!({ "version": version, "executable_digest": "e".repeat(64), "schema_digest": "a".repeat(64) });
    let stated = json!({ "port": port, "token": "t".repeat(43), "pid": pid, "identity": identity });
    state(project, &stated.to_string(), 0o600);
    let status = json!({ "pid": pid, "version": version, "forward_budget_ms": 1000 }).to_string();
    let serving = std::thread::spawn(move || {
        let _lock = lock;
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return false };
            let mut head = Vec::new();
            let mut byte = [0];
            while !head.ends_with(b"\r\n\r\n")
                && std::io::Read::read(&mut stream, &mut byte).is_ok_and(|read| read == 1)
            {
                head.push(byte[0]);
            }
            let head = String::from_utf8_lossy(&head).into_owned();
            let body = if head.starts_with("GET /api/status ") { status.as_str() } else { "{}" };
            let _ =
                write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
            if head.starts_with("POST /api/stop ") {
                return true;
            }
            if head.starts_with("GET /end ") {
                return false;
            }
        }
        false
    });
    (serving, port)
}

#[test]
fn an_older_server_is_stopped_and_replaced() {
    let project = Project::copy_of(POLYGLOT);
    let (older, _) = play_server(&project, "0.0.1");
    let mut client = Client::start(&project);
    assert_answered(&ask(&mut client));
    assert!(older.join().expect("served"), "it was asked to stop");
    assert_ne!(project.server_pid(), std::process::id());
}

#[test]
fn newer_and_different_servers_are_left_alone() {
    for (version, kind) in [("999.0.0", "newer"), (env!("CARGO_PKG_VERSION"), "different"), ("no version", "different")]
    {
        let project = Project::copy_of(POLYGLOT);
        let (other, port) = play_server(&project, version);
        let mut client = Client::start(&project);
        let answer = ask(&mut client);
        let text = answer.text();
        assert!(text.starts_with("1 error\n\ttemporarily_unavailable · retry operator_action\n"), "{text}");
        assert!(text.contains(kind) && text.contains("`rift server stop`") && text.contains(version), "{text}");
        let resource = client.refused("resources/read", json!({ "uri": "rift://map" }));
        assert!(resource["message"].as_str().is_some_and(|message| message.contains(kind)), "{resource}");
        // A shell has no need of it.
        let found = rift(&project, &["search", "load_config"]);
        assert_eq!(found.code, Some(0), "{found:?}");
        exchange(port, b"GET /end HTTP/1.1\r\n\r\n");
        assert!(!other.join().expect("served"), "it was not asked to stop");
    }
}

#[test]
fn a_stop_answers_what_is_in_flight() {
    let project = Project::copy_of(POLYGLOT);
    assert_eq!(rift(&project, &["server", "start"]).code, Some(0));
    let server = project.server();
    let message = json!({
        "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": { "name": "get_source", "arguments": { "unit": "rift://source/project/README.md" } },
    });
    let bytes = json_post(&server, &message);
    let (first, rest) = bytes.split_at(bytes.len() - 10);
    let mut begun = TcpStream::connect(("127.0.0.1", port(&server))).expect("connected");
    begun.write_all(first).expect("sent");
    // Another connection's answer shows that the begun request has been read.
    assert_eq!(exchange(port(&server), &json_post(&server, &message)).status, 200);
    let mut stop = command(&project).args(["server", "stop"]).stdout(Stdio::piped()).spawn().expect("rift starts");
    eventually("the server is stopping", || project.stated_server().is_none().then_some(()));
    begun.write_all(rest).expect("the connection is open");
    let reply = Reply::read(&mut begun);
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.json()["id"], 7, "{reply:?}");
    assert!(stop.wait().expect("ends").success());
    assert!(!project.is_elected());
    assert_eq!(project.server_processes(), [0; 0]);
}

#[test]
fn a_stop_does_not_wait_for_a_request_that_never_comes() {
    let project = Project::copy_of(POLYGLOT);
    assert_eq!(rift(&project, &["server", "start"]).code, Some(0));
    let server = project.server();
    let mut begun = TcpStream::connect(("127.0.0.1", port(&server))).expect("connected");
    begun.write_all(b"POST /api/mcp HTTP/1.1\r\nHost: ").expect("sent");
    let mut half = TcpStream::connect(("127.0.0.1", port(&server))).expect("connected");
    let bytes = json_post(&server, &json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }));
    half.write_all(&bytes[..bytes.len() - 5]).expect("sent");
    let start = Instant::now();
    let stopped = rift(&project, &["server", "stop"]);
    assert_eq!(stopped.code, Some(0), "{stopped:?}");
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    assert!(project.stated_server().is_none() && !project.is_elected());
}

#[test]
fn signals_end_a_server_gracefully() {
    for sent in [Signal::TERM, Signal::INT] {
        let project = Project::copy_of(POLYGLOT);
        let mut child = command(&project)
            .args(["server", "start", "--foreground"])
            .stderr(Stdio::null())
            .spawn()
            .expect("rift starts");
        assert_eq!(project.server_pid(), child.id());
        signal(child.id(), sent);
        let status = child.wait().expect("ends");
        assert!(status.success(), "{status}");
        assert!(project.stated_server().is_none(), "nothing is left");
    }
}

#[test]
fn an_idle_server_ends_by_itself() {
    let project = Project::copy_of(POLYGLOT);
    project.write("rift.toml", "[server]\nidle_timeout = \"1s\"\n");
    let mut client = Client::start(&project);
    assert_answered(&ask(&mut client));
    let pid = project.server_pid();
    eventually("the idle server is gone", || (!is_running(pid)).then_some(()));
    assert!(project.stated_server().is_none(), "nothing is left");
    // Its client does not notice.
    assert_answered(&ask(&mut client));
    assert_ne!(project.server_pid(), pid);
}

#[test]
fn a_server_ends_with_its_workspace() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    assert_answered(&ask(&mut client));
    let first = project.server_pid();
    std::fs::remove_dir_all(project.state("")).expect("removed");
    eventually("the server is gone", || (!is_running(first)).then_some(()));
    assert_answered(&ask(&mut client));
    let second = project.server_pid();
    assert_ne!(first, second);
    std::fs::remove_dir_all(project.root()).expect("removed");
    eventually("the server is gone", || (!is_running(second)).then_some(()));
    let answer = ask(&mut client);
    assert!(answer.is_error(), "{}", answer.text());
}

#[test]
fn an_invalid_configuration_is_mended_without_a_restart() {
    let project = Project::copy_of(POLYGLOT);
    project.write("rift.toml", "[source]\nfiles = 5\n");
    let mut client = Client::start(&project);
    let refused = client.call("search", json!({ "query": "load_config" }));
    assert!(
        refused.text().starts_with("1 error\n\tconfiguration_invalid · retry operator_action\n"),
        "{}",
        refused.text()
    );
    let status = rift(&project, &["server", "status"]);
    assert!(status.stdout.contains("refuses reads: ") && status.stdout.contains("files"), "{status:?}");
    let pid = project.server_pid();
    project.write("rift.toml", "[source]\nfiles = 5000\n");
    client.prepared();
    let answer = client.call("search", json!({ "query": "load_config" }));
    assert!(answer.text().contains(LOAD_CONFIG), "{}", answer.text());
    assert_eq!(project.server_pid(), pid);
}

#[test]
fn the_commands_say_what_they_found() {
    let project = Project::copy_of(POLYGLOT);
    let run = |arguments: &[&str], code: i32, prints: &str| {
        let outcome = rift(&project, arguments);
        assert_eq!(outcome.code, Some(code), "{arguments:?}: {outcome:?}");
        assert!(outcome.stdout.starts_with(prints), "{arguments:?}: {outcome:?}");
        outcome
    };
    run(&["server", "status"], 1, "no server\n");
    run(&["server", "stop"], 0, "no server\n");
    assert!(!project.state("").exists(), "looking makes nothing");
    run(&["server", "start"], 0, "started: port ");
    assert_eq!(project.read(".rift/.gitignore"), "*\n");
    let pid = project.server_pid();
    run(&["server", "start"], 0, &format!("serving already: port {}, pid {pid}\n", port(&project.server())));
    let status = run(&["server", "status", "--json"], 0, "{");
    let status: Value = serde_json::from_str(&status.stdout).expect("JSON");
    assert_eq!((&status["state"], &status["pid"]), (&json!("serving"), &json!(pid)), "{status}");
    assert_eq!(
        (&status["version"], &status["adoptable"]),
        (&json!(env!("CARGO_PKG_VERSION")), &json!(true)),
        "{status}"
    );
    let second = run(&["server", "start", "--foreground"], 2, "");
    assert!(second.stderr.contains("rift server stop"), "{second:?}");
    assert_eq!(project.server_pid(), pid, "the first one serves on");
    run(&["server", "restart", "--json"], 0, "{\"pid\":");
    assert_ne!(project.server_pid(), pid);
    assert!(!is_running(pid));
    project.kill_server();
    run(&["server", "status"], 1, "stale: ");
    run(&["server", "stop", "--json"], 0, "{\"stopped\":false}\n");
    run(&["server", "status"], 1, "no server\n");
    for arguments in [["server", "start", "--auth", "skip"], ["server", "start", "--elected", "--json"]] {
        run(&arguments, 2, "");
    }
}

#[test]
fn a_port_that_is_taken_is_named() {
    let project = Project::copy_of(POLYGLOT);
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("bound").port();
    project.write("rift.toml", format!("[server]\nport = {port}\n"));
    let refused = rift(&project, &["server", "start"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains(&port.to_string()) && refused.stderr.contains("[server] port"), "{refused:?}");
    drop(taken);
    assert_eq!(rift(&project, &["server", "start"]).code, Some(0));
    assert_eq!(project.server()["port"], port);
}

#[test]
fn a_shell_uses_the_running_server_and_starts_none() {
    let project = Project::copy_of(POLYGLOT);
    let questions: &[&[&str]] = &[
        &["search", "load_config", "--limit", "3"],
        &["search", "load_config", "--output", "json"],
        &["search", "xylophonequartet"],
        &["symbol", LOAD_CONFIG],
        &["symbol", "rift://symbol/local/rust/example_shop/config/load_configs"],
        &["source", "README.md"],
        &["source", "nothing.rs"],
        &["nodes", "src/config.rs", "690"],
        &["nodes", "src/config.rs", "999999"],
        &["nodes", "justfile", "0"],
        &["map"],
        &["workspace"],
        &["workspace", "--output", "json"],
        &["call", "search", "{\"query\":\"x\",\"limit\":0}"],
        &["call", "search", "[]"],
    ];
    let ask = || questions.iter().map(|arguments| rift(&project, arguments)).collect::<Vec<_>>();
    let alone = ask();
    assert_eq!(project.server_processes(), [0; 0], "no shell command starts a server");
    assert!(!project.state("").exists());
    assert_eq!(rift(&project, &["server", "start"]).code, Some(0));
    let served = ask();
    for ((arguments, alone), served) in questions.iter().zip(&alone).zip(&served) {
        assert_eq!((alone.code, &alone.stderr), (served.code, &served.stderr), "{arguments:?}");
        assert_eq!(without_views(&alone.stdout), without_views(&served.stdout), "{arguments:?}");
    }
    assert!(alone.iter().any(|outcome| outcome.code == Some(0)) && alone.iter().any(|outcome| outcome.code == Some(2)));
}

/// Views of two processes may expire at two times.
fn without_views(text: &str) -> String {
    if let Ok(mut answer) = serde_json::from_str::<Value>(text) {
        answer.as_object_mut().and_then(|answer| answer.remove("view"));
        return answer.to_string();
    }
    text.lines().filter(|line| !line.trim_start().starts_with("view ")).collect::<Vec<_>>().join("\n")
}
