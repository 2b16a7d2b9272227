//! Roots that are not as usual: one that cannot be written, one that is replaced, and a client that only looks.

use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use rift_tests::{Client, Project, command, eventually, is_running};
use serde_json::json;

use crate::support::{POLYGLOT, hit_paths};

/// A user without rights, for tests that run as one that nothing is refused to.
const NOBODY: u32 = 65534;

/// A command on `project` of a user who may not write into its root.
fn unprivileged(project: &Project) -> Command {
    let mut command = command(project);
    if rustix::process::geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Takes the right to write into its root from everybody, and gives the home folder to the user of [`unprivileged`].
fn write_protect(project: &Project) {
    let mode = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("sets the mode");
    };
    let folder = project.root().parent().expect("the test's folder").to_owned();
    mode(&folder, 0o755);
    mode(&project.root(), 0o555);
    if rustix::process::geteuid().is_root() {
        chown(project.home(), Some(NOBODY), Some(NOBODY)).expect("gives the home folder away");
    }
}

#[test]
fn a_root_that_cannot_be_written_is_served() {
    let project = Project::copy_of(POLYGLOT);
    // Should the test fail, its server does not stay for long.
    project.write("rift.toml", "[server]\nidle_timeout = \"30s\"\n");
    write_protect(&project);
    let start = || {
        let mut server = unprivileged(&project);
        server.args(["mcp", "--output", "all", "--root"]).arg(project.root());
        let mut client = Client::run(server);
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "0" },
        });
        client.request("initialize", hello);
        client.notify("notifications/initialized", json!({}));
        client.prepared();
        client
    };
    let mut clients = [start(), start()];
    for client in &mut clients {
        let answer = client.call("search", json!({ "query": "load_config", "target": "symbol" }));
        assert!(hit_paths(&answer).contains(&"src/config.rs"), "{}", answer.text());
    }
    let rift = |arguments: &[&str]| {
        let output = unprivileged(&project).args(arguments).output().expect("rift starts");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    // Both found one server, which a command at a shell finds too.
    let [pid] = project.server_processes()[..] else { panic!("one server: {:?}", project.server_processes()) };
    let (code, status) = rift(&["server", "status", "--json"]);
    assert!(code == Some(0) && status.contains(&format!("\"pid\":{pid}")), "{status}");
    let (code, found) = rift(&["search", "load_config"]);
    assert!(code == Some(0) && found.contains("src/config.rs"), "{found}");
    assert_eq!(rift(&["server", "stop"]).0, Some(0));
    eventually("the server ends", || (!is_running(pid)).then_some(()));
    // Without a server a command serves itself.
    let (code, found) = rift(&["search", "load_config"]);
    assert!(code == Some(0) && found.contains("src/config.rs"), "{found}");
    assert!(!project.root().join(".rift").exists(), "nothing was written");
}

#[test]
fn a_root_that_is_replaced_is_served_anew() {
    let project = Project::with([("README.md", "# First\n"), (".gitignore", "x\n")]);
    let mut client = Client::start(&project);
    client.prepared();
    let source = |client: &mut Client| {
        let answer = client.call("get_source", json!({ "unit": "rift://source/project/README.md" }));
        answer.structured()["source"]["text"].as_str().map(str::to_owned)
    };
    assert_eq!(source(&mut client).as_deref(), Some("# First\n"));
    let first = project.server_pid();
    let root = project.root();
    std::fs::rename(&root, root.with_file_name("moved")).expect("moves");
    std::fs::create_dir_all(root.join(".git")).expect("another folder");
    project.write("README.md", "# Second\n");
    eventually("the first server ends", || (!is_running(first)).then_some(()));
    eventually("the next one answers", || (source(&mut client).as_deref() == Some("# Second\n")).then_some(()));
    assert_ne!(project.server_pid(), first);
    assert!(!root.with_file_name("moved").join(".rift/server.json").exists() || !is_running(first));
}

#[test]
fn a_client_that_only_looks_leaves_quietly() {
    let project = Project::copy_of(POLYGLOT);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "t", "version": "0" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    for looks in [Some("server/discover"), None] {
        let mut server = command(&project);
        server.args(["mcp", "--root"]).arg(project.root());
        let mut client = Client::run(server);
        if let Some(method) = looks {
            let answer = client.request(method, json!({ "_meta": meta }));
            assert!(answer["supportedVersions"].is_array(), "{answer}");
        }
        assert_eq!(client.close(), "", "{looks:?}");
    }
}
