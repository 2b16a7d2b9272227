//! Which server is adopted, which is replaced and which is left alone.

use std::fs::Permissions;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;

use rift_tests::{Client, Project, exchange, rift};
use serde_json::{Value, json};

use crate::servers::{ask, assert_answered};
use crate::support::POLYGLOT;

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
