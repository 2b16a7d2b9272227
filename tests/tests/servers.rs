//! One server for each workspace: how it comes, is found, is replaced and goes.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::time::{Duration, Instant};

use rift_tests::{
    Answer, Client, Options, Project, Reply, Signal, command, eventually, exchange, is_running, json_post, rift,
    signal, stand_still,
};
use serde_json::{Value, json};

use crate::support::{LOAD_CONFIG, POLYGLOT};

pub(crate) fn ask(client: &mut Client) -> Answer {
    client.call("get_source", json!({ "unit": "rift://source/project/README.md" }))
}

/// An answer of a server, whether it has prepared the file or not.
#[track_caller]
pub(crate) fn assert_answered(answer: &Answer) {
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

/// The children of a process that have ended and that it has not asked for.
fn zombies_of(parent: u32) -> usize {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = processes.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    let dead = stats.filter(|stat| {
        let mut words = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        words.next() == Some("Z") && words.next() == Some(parent.to_string().as_str())
    });
    dead.count()
}

#[test]
fn a_killed_server_is_no_zombie_and_a_killed_proxy_takes_nothing_with_it() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    assert_answered(&ask(&mut client));
    project.kill_server();
    eventually("the proxy has asked for its child", || (zombies_of(client.pid()) == 0).then_some(()));
    assert_answered(&ask(&mut client));
    let pid = project.server_pid();
    // Dropping a client kills its proxy.
    drop(client);
    let mut other = Client::start(&project);
    assert_answered(&ask(&mut other));
    assert_eq!(project.server_pid(), pid);
}

#[test]
fn a_kill_at_any_moment_heals_by_itself() {
    let project = Project::copy_of(POLYGLOT);
    let questions = [
        json!({ "query": "load configuration", "limit": 50 }),
        json!({ "query": "price", "order": "path", "limit": 50 }),
        json!({ "query": "shop", "target": "file" }),
    ];
    let answers = || {
        let mut client = Client::start(&project);
        client.prepared();
        let ask = |arguments: &Value| {
            let answer = client.call("search", arguments.clone());
            assert_eq!(answer.warnings(), [""; 0], "{}", answer.text());
            answer.structured()["results"].clone()
        };
        questions.iter().map(ask).collect::<Vec<_>>()
    };
    let expected = answers();
    assert!(
        expected.iter().all(|results| results.as_array().is_some_and(|results| !results.is_empty())),
        "{expected:?}"
    );
    project.kill_server();
    for round in 0..10_u64 {
        let client = Client::spawn(&project, Options::default());
        // From before the server has its lock until long after it serves.
        std::thread::sleep(Duration::from_millis(round * round * 4));
        for pid in project.server_processes() {
            signal(pid, Signal::KILL);
        }
        drop(client);
        assert_eq!(answers(), expected, "round {round}");
        project.kill_server();
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

fn removed(folder: &std::path::Path) -> Option<()> {
    let _ = std::fs::remove_dir_all(folder);
    (!folder.exists()).then_some(())
}

#[test]
fn a_server_ends_with_its_workspace() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    assert_answered(&ask(&mut client));
    let first = project.server_pid();
    eventually("its folder is removed", || removed(&project.state("")));
    eventually("the server is gone", || (!is_running(first)).then_some(()));
    assert_answered(&ask(&mut client));
    let second = project.server_pid();
    assert_ne!(first, second);
    // The server may write what it keeps meanwhile.
    eventually("the tree is removed", || removed(project.root()));
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
    assert!(!project.state("server.json").exists() && !project.is_elected());
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
