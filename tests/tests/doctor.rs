//! `rift doctor` over workspaces whose every file is known.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rift_tests::{Outcome, Project, rift};
use serde_json::{Value, json};

/// A workspace with something of each kind that is left out.
fn project() -> Project {
    let project = Project::with([
        ("src/a.rs", "fn a() {}\n"),
        ("src/b.py", "def b(): pass\n"),
        ("justfile", "all:\n"),
        ("Cargo.lock", "# lock\n"),
        ("a.min.js", "x\n"),
        ("target/x.rs", "fn x() {}\n"),
        (".gitignore", "/private\n"),
        ("private", ""),
    ]);
    project.write("latin.py", b"\xe9");
    project.write("logo.png", b"\x89PNG");
    project
}

/// Every file below a folder with its content.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if entry.file_type().expect("a kind").is_dir() {
                found.insert(path.clone(), Vec::new());
                waiting.push(path);
            } else {
                found.insert(path.clone(), std::fs::read(path).expect("a file"));
            }
        }
    }
    found
}

fn root(project: &Project) -> String {
    project.root().canonicalize().expect("there").display().to_string()
}

/// The text without what differs between machines and runs: the executable, the root, and the limits of the system.
fn settled(project: &Project, outcome: &Outcome) -> String {
    let mut text = String::new();
    for line in outcome.stdout.replace(&root(project), "ROOT").lines() {
        let line = match line.split_whitespace().next() {
            Some("rift") => "rift        VERSION",
            Some("watcher") => line.split(" of ").next().unwrap_or(line),
            _ => line,
        };
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[cfg(target_os = "linux")]
#[test]
fn a_sound_workspace_is_described_and_left_as_it_is() {
    let project = project();
    let folder = project.root().parent().expect("a folder").to_owned();
    let before = files(&folder);
    let outcome = rift(&project, &["doctor"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{outcome:?}");
    // By hand: a.rs, b.py, justfile, Cargo.lock, a.min.js, latin.py and .gitignore are visible, 10 + 14 + 5 + 7 + 2 + 1 + 9 bytes.
    let expected = "\
rift        VERSION
root        ROOT · it holds .git
config      no rift.toml · every default holds
ignore      .gitignore
files       7 visible · 48b · 2 parsed · 5 searched · 2 directories
languages   no language 2, javascript 1, python 2, rust 1, toml 1
left out    1 binary
            1 neither UTF-8 nor UTF-16: latin.py
            1 build directory: target
            1 not parsed: minified, source map or lockfile: a.min.js
            1 not searched: excluded lockfile: Cargo.lock
watcher     inotify · 2
server      none
storage     no .rift
problems    none
";
    assert_eq!(settled(&project, &outcome), expected);
    assert_eq!(files(&folder), before, "it changes nothing");
}

#[test]
fn the_same_as_json() {
    let project = project();
    let outcome = rift(&project, &["doctor", "--json"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{outcome:?}");
    let mut told: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!(told["version"], env!("CARGO_PKG_VERSION"));
    assert!(told["executable"]["digest"].as_str().is_some_and(|digest| digest.len() == 64), "{told}");
    assert!(told["executable"]["path"].as_str().is_some_and(|path| path.ends_with("rift")), "{told}");
    let members = told.as_object_mut().expect("an object");
    for machine in ["version", "executable", "watcher"] {
        members.remove(machine).expect(machine);
    }
    let group = |reason: &str, names: &[&str]| json!({ "reason": reason, "count": 1, "names": names });
    let root = root(&project);
    assert_eq!(
        told,
        json!({
            "root": { "path": root, "reason": "git" },
            "configuration": { "path": format!("{root}/rift.toml"), "state": "absent", "problems": [] },
            "source": {
                "ignore": { "respected": true, "sources": [".gitignore"], "problems": [] },
                "languages": [
                    { "files": 2, "parsed": 0 },
                    { "language": "javascript", "files": 1, "parsed": 0 },
                    { "language": "python", "files": 2, "parsed": 1 },
                    { "language": "rust", "files": 1, "parsed": 1 },
                    { "language": "toml", "files": 1, "parsed": 0 },
                ],
                "files": { "visible": 7, "bytes": 48, "parsed": 2, "searched": 5, "directories": 2 },
                "left_out": [
                    group("binary", &[]),
                    group("encoding", &["latin.py"]),
                    group("build_directory", &["target"]),
                    group("generated_unparsed", &["a.min.js"]),
                    group("lockfile_unsearched", &["Cargo.lock"]),
                ],
            },
            "server": { "state": "none" },
            "storage": { "path": format!("{root}/.rift"), "bytes": 0, "entries": [] },
            "problems": [],
        })
    );
}

#[track_caller]
fn check_problem(project: &Project, code: &str, part: &str) -> Outcome {
    let outcome = rift(project, &["doctor"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    let line = outcome.stdout.lines().find(|line| line.starts_with("problems    ")).expect("a line of problems");
    assert!(line.starts_with(&format!("problems    {code}: ")) && line.contains(part), "{line}");
    let told: Value = serde_json::from_str(&rift(project, &["doctor", "--json"]).stdout).expect("JSON");
    assert_eq!(told["problems"][0]["code"], code, "{told}");
    outcome
}

#[test]
fn problems_are_named_with_what_to_do() {
    let project = project();
    project.write("rift.toml", "[source]\nfiles = 1\nnope = 2\n");
    let outcome = check_problem(&project, "configuration_invalid", "until it is mended");
    assert!(
        outcome.stdout.contains("\n            rift.toml:2:9: source.files: value 1 is out of range"),
        "{outcome:?}"
    );
    assert!(outcome.stdout.contains("\n            rift.toml:3:1: source.nope: unknown key"), "{outcome:?}");
    assert!(!outcome.stdout.contains("\nfiles "), "{outcome:?}");
    project.write("rift.toml", "[languages.zig]\ninclude = [\"**/*.rs\"]\n");
    check_problem(&project, "configuration_invalid", "two languages claim one path: path src/a.rs");
    project.write("rift.toml", "");
    project.write(".rift", "");
    check_problem(&project, "storage_failure", ".rift cannot be used");
    let nowhere = rift(&project, &["doctor", "--root", "no/such/folder"]);
    assert_eq!((nowhere.code, nowhere.stdout.as_str()), (Some(2), ""), "{nowhere:?}");
    assert!(nowhere.stderr.starts_with("rift: error[resource_not_found]: "), "{nowhere:?}");
}

#[test]
fn a_limit_that_is_passed_is_named() {
    let project = project();
    for number in 0..1000 {
        project.write(&format!("many/{number}"), "");
    }
    project.write("rift.toml", "[source]\nfiles = 1000\n");
    check_problem(&project, "limit_exceeded", "key source.files, limit 1000");
}

#[test]
fn a_server_and_what_it_leaves_are_told() {
    let project = project();
    let started = rift(&project, &["server", "start"]);
    assert_eq!(started.code, Some(0), "{started:?}");
    let outcome = rift(&project, &["doctor"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let pid = project.server_pid();
    let line = outcome.stdout.lines().find(|line| line.starts_with("server ")).expect("a line of the server");
    assert!(line.starts_with("server      serving · port ") && line.contains(&format!(" · pid {pid} · ")), "{line}");
    let told: Value = serde_json::from_str(&rift(&project, &["doctor", "--json"]).stdout).expect("JSON");
    assert_eq!((&told["server"]["state"], &told["server"]["pid"]), (&json!("serving"), &json!(pid)), "{told}");
    assert_eq!(told["watcher"]["overflows"], 0, "{told}");
    assert!(told["storage"]["bytes"].as_u64().is_some_and(|bytes| bytes > 0), "{told}");
    // What the server does is in its log, in the same words for all readers.
    let logged = rift(&project, &["server", "logs", "--component", "rift_server"]);
    assert!(logged.stdout.contains("the server serves pid="), "{logged:?}");
    // Killed, it leaves its statement behind, which the next start replaces: nothing to worry about.
    project.kill_server();
    let outcome = rift(&project, &["doctor"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains("\nserver      none · stale .rift/server.json: pid "), "{outcome:?}");
    let logged = rift(&project, &["server", "logs"]);
    assert_eq!(logged.code, Some(0), "a log outlives its server: {logged:?}");
    assert!(logged.stdout.contains("the server serves"), "{logged:?}");
}

/// The page on commands names each command, and each command of the page exists.
#[test]
fn the_page_on_commands_is_complete() {
    let project = Project::empty();
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/cli.md")).expect("the page");
    let rows: Vec<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `rift ")?.split('`').next())
        .map(|row| {
            row.split(' ').filter(|word| word.chars().all(|c| c.is_ascii_lowercase())).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let mut commands = Vec::new();
    for command in listed(&project, &[]) {
        let below = listed(&project, &[&command]);
        match below.is_empty() {
            true => commands.push(command),
            false => commands.extend(below.into_iter().map(|below| format!("{command} {below}"))),
        }
    }
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names.dedup();
        names
    };
    assert!(commands.len() > 15, "{commands:?}");
    assert_eq!(sorted(rows), sorted(commands));
}

/// The commands that the help of a command lists.
fn listed(project: &Project, command: &[&str]) -> Vec<String> {
    let help = rift(project, &[command, &["--help"]].concat()).stdout;
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names =
        lines.take_while(|line| !line.is_empty()).filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(str::to_owned).collect()
}
