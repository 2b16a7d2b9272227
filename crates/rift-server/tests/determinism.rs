//! Every answer has the same bytes, however many threads prepared the workspace and in whichever order its files came to lie there.
#![allow(clippy::disallowed_methods, reason = "this test lays files")]

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rift_base::Deadline;
use rift_host::{Clock, Following, Host, HostOptions, stated_root};
use rift_server::{Workspace, call, read_map, read_workspace, tool_names};
use serde_json::{Value, json};

/// The files below `folder`, relative to it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(here) = folders.pop() {
        for entry in std::fs::read_dir(&here).expect("a folder").map(|entry| entry.expect("an entry")) {
            match entry.file_type().expect("a kind") {
                kind if kind.is_dir() && entry.file_name() != ".rift" => folders.push(entry.path()),
                kind if kind.is_file() => out.push(entry.path().strip_prefix(folder).expect("below").to_owned()),
                _ => {}
            }
        }
    }
    out.sort();
    out
}

/// Orders that differ from each other: one in which files of one folder lie together, its reverse, and one in strides.
fn ordered(mut files: Vec<PathBuf>, order: usize) -> Vec<PathBuf> {
    match order {
        0 => {}
        1 => files.reverse(),
        // 5 and the number of files have no divisor in common, else some would come twice.
        _ => {
            assert!(!files.len().is_multiple_of(5), "{} files", files.len());
            files = (0..files.len()).map(|n| files[n * 5 % files.len()].clone()).collect();
        }
    }
    files
}

/// What every tool and resource answers, as text and as JSON.
fn answers(root: &Path, threads: usize) -> Vec<(String, String)> {
    let clock = Clock::new(|| SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    let options = HostOptions { threads, following: Following::Told, binds: true, clock, ..HostOptions::default() };
    let host = Host::open(stated_root(root).expect("a root"), &options).expect("a host");
    host.prepare_in_background();
    host.wait_prepared(&Deadline::never(), |_| ()).expect("in time").expect("prepared");
    let workspace = Workspace::opened(Ok(host));
    let mut out = Vec::new();
    let mut failed = 0;
    let mut ask = |tool: &str, arguments: Value| {
        assert!(tool_names().any(|name| name == tool), "{tool}");
        let name = format!("{tool} {arguments}");
        let completed = call(&workspace, tool, arguments, &Deadline::never()).expect("a tool");
        let structured = completed.structured.clone().unwrap_or_default();
        // Some symbols have no references to ask for: that is an answer like any other, as long as most have.
        failed += usize::from(completed.is_error);
        out.push((name, format!("{}\n{structured}", completed.text)));
        structured
    };
    let mut identities: Vec<String> = Vec::new();
    for query in ["load configuration", "config", "parse", "user", "run"] {
        for target in ["symbol", "file", "documentation", "all"] {
            let found = ask("search", json!({ "query": query, "target": target, "include": ["source", "score"] }));
            collect(&found, &mut identities);
        }
    }
    ask("search", json!({ "pattern": r"\w+\(", "target": "file", "include": ["source"], "limit": 100 }));
    assert!(identities.len() > 5, "{identities:?}");
    for id in identities.iter().take(20) {
        ask("get_symbol", json!({ "id": id, "include": ["source", "documentation"] }));
        for direction in ["incoming", "outgoing"] {
            let traversal = json!({ "seed": id, "direction": direction, "facets": [], "depth": 2 });
            ask("search", json!({ "traversal": traversal, "target": "symbol" }));
        }
    }
    for file in files(root).iter().filter_map(|path| path.to_str()).filter(|path| path.ends_with(".py")).take(3) {
        ask("nodes", json!({ "path": file, "position": 10 }));
        ask("get_source", json!({ "unit": format!("rift://source/project/{file}") }));
    }
    assert!(failed * 2 < out.len(), "{failed} of {} answers are failures", out.len());
    let map = read_map(&workspace, &Deadline::never()).expect("a map");
    out.push(("map".to_owned(), serde_json::to_string(&map).expect("JSON")));
    let (text, page) = read_workspace(&workspace, 0, &Deadline::never()).expect("a catalog");
    out.push(("workspace".to_owned(), format!("{text}\n{}", serde_json::to_string(&page).expect("JSON"))));
    out
}

/// The symbols that an answer names.
fn collect(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) if text.starts_with("rift://symbol/") && !out.contains(text) => out.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, out)),
        Value::Object(members) => members.values().for_each(|member| collect(member, out)),
        _ => {}
    }
}

#[test]
fn threads_and_the_order_of_files_show_in_no_answer() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/projects/polyglot");
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("workspace");
    let mut first: Option<Vec<(String, String)>> = None;
    for (order, threads) in [1, 2, 8].into_iter().enumerate() {
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(root.join(".git")).expect("a root");
        for path in ordered(files(&project), order) {
            let to = root.join(&path);
            std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            std::fs::copy(project.join(&path), to).expect("a copy");
        }
        let found = answers(&root, threads);
        assert!(found.len() > 50, "{} answers", found.len());
        match &first {
            None => first = Some(found),
            Some(first) => {
                for ((name, one), (_, other)) in first.iter().zip(&found) {
                    assert_eq!(one, other, "{name} with {threads} threads");
                }
                assert_eq!(first.len(), found.len());
            }
        }
    }
}
