//! What asking and editing make the database do, and that answers depend on the tree alone.
#![allow(clippy::disallowed_methods)]

#[path = "tools/documentation.rs"]
mod documentation;

use std::path::Path;

use rift_base::{Deadline, ProjectPath};
use rift_host::{Following, Host, HostOptions, find_root};
use rift_protocol::{GetSourceParams, GetSymbolParams, NodesParams, Request, SearchParams};
use rift_testkit::{Fixture, assert_ran};
use serde_json::{Value, json};
use tempfile::TempDir;

const PROJECT: &str = "
//- /Cargo.toml
[package]
name = \"shop\"
//- /src/lib.rs
/// Sells things.
pub mod price;
pub fn sell(price: u32) -> u32 { price }
//- /src/price.rs
/// What one thing costs.
pub struct Price { pub cents: u32 }
impl Price {
    pub fn double(&self) -> u32 { self.cents * 2 }
}
//- /tools/build/run.py
def run_all(target):
    \"\"\"Builds everything.\"\"\"
    return target
//- /tools/build/clean.py
def clean(target): return None
//- /docs/guide.md
# Guide
How to sell a thing at its price.
";

/// A project on disk and the host that serves it.
struct World {
    folder: TempDir,
    host: Host,
    _cache: TempDir,
}

impl World {
    fn new(fixture: &str, threads: usize) -> Self {
        let folder = tempfile::tempdir().expect("temp");
        for file in Fixture::parse(fixture).files {
            write(&folder.path().join("shop"), &file.path, &file.text);
        }
        Self::open(folder, threads)
    }

    fn open(folder: TempDir, threads: usize) -> Self {
        // The tests say what moved, and count what that executes.
        Self::following(folder, threads, Following::Told)
    }

    fn following(folder: TempDir, threads: usize, following: Following) -> Self {
        let cache = tempfile::tempdir().expect("temp");
        let options =
            HostOptions { cache_base: Some(cache.path().to_owned()), threads, following, ..HostOptions::default() };
        // Identities of C name the folder.
        let root = find_root(&folder.path().join("shop")).expect("the folder exists");
        let host = Host::open(root, &options).expect("opens");
        host.prepare_in_background();
        host.wait_prepared(&Deadline::never(), |_| ()).expect("no deadline").expect("prepares");
        Self { folder, host, _cache: cache }
    }

    fn root(&self) -> std::path::PathBuf {
        self.folder.path().join("shop")
    }

    fn edit(&self, path: &str, text: &str) -> bool {
        write(&self.root(), path, text);
        self.host.refresh(&[ProjectPath::new(path).expect("valid")]).expect("refreshes")
    }

    /// An answer without its view, which names the tree.
    fn ask(&self, tool: &str, arguments: Value) -> Value {
        let mut answer = self.raw(tool, arguments);
        if let Some(object) = answer.as_object_mut() {
            object.remove("view");
            assert!(!object.contains_key("warnings"), "{tool}: {answer}");
        }
        answer
    }

    fn raw(&self, tool: &str, arguments: Value) -> Value {
        let deadline = Deadline::never();
        let host = &self.host;
        match tool {
            "search" => serde_json::to_value(
                rift_tools::search(host, &SearchParams::parse(arguments).expect("valid"), &deadline).expect("answers"),
            ),
            "get_symbol" => serde_json::to_value(
                rift_tools::get_symbol(host, &GetSymbolParams::parse(arguments).expect("valid"), &deadline)
                    .expect("answers"),
            ),
            "get_source" => serde_json::to_value(
                rift_tools::get_source(host, &GetSourceParams::parse(arguments).expect("valid"), &deadline)
                    .expect("answers"),
            ),
            "nodes" => serde_json::to_value(
                rift_tools::nodes(host, &NodesParams::parse(arguments).expect("valid"), &deadline).expect("answers"),
            ),
            "map" => serde_json::to_value(rift_tools::map(host, &deadline).expect("answers")),
            "workspace" => serde_json::to_value(rift_tools::workspace(host, 0, &deadline).expect("answers")),
            other => panic!("no tool {other}"),
        }
        .expect("serializes")
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("has one")).expect("creates");
    std::fs::write(path, text).expect("writes");
}

/// One question for each tool and resource, each of which has something to answer.
fn questions() -> Vec<(&'static str, Value)> {
    vec![
        ("search", json!({ "query": "what does one thing cost", "include": ["source", "score"] })),
        ("search", json!({ "query": "run_all", "target": "symbol", "order": "identity" })),
        ("search", json!({ "pattern": "(?i)price|target", "target": "file", "include": ["source"] })),
        ("get_symbol", json!({ "id": "rift://symbol/local/rust/shop/price/Price/double" })),
        ("get_source", json!({ "unit": "rift://source/project/docs/guide.md" })),
        ("nodes", json!({ "path": "tools/build/run.py", "position": 8 })),
        ("search", json!({ "query": "sell a thing", "target": "documentation", "include": ["source"] })),
        ("map", json!({})),
        ("workspace", json!({})),
    ]
}

#[test]
fn a_second_equal_question_executes_no_query() {
    let world = World::new(PROJECT, 2);
    for (tool, arguments) in questions() {
        let first = world.ask(tool, arguments.clone());
        let (second, executed) = world.host.executed(|| world.ask(tool, arguments));
        assert_eq!(first, second, "{tool}");
        assert_ran(&executed, "");
    }
}

/// Every query that an edit of one file executes, with the questions asked afterwards: those of the file, and those of the
/// folders on its way to the root. The sums of its own folder stand still: the file's sums are what they were.
#[test]
fn an_edit_executes_the_queries_of_its_file_and_folders_alone() {
    let world = World::new(PROJECT, 2);
    for (tool, arguments) in questions() {
        world.ask(tool, arguments);
    }
    let (_, executed) = world.host.executed(|| {
        assert!(world.edit("tools/build/run.py", "def run_all(target):\n    return [target]\n"));
        for (tool, arguments) in questions() {
            world.ask(tool, arguments);
        }
    });
    assert_ran(
        &executed,
        "
        directory_manifest(/)
        directory_manifest(/tools)
        directory_manifest(/tools/build)
        directory_summary(/)
        directory_summary(/tools)
        facts(/tools/build/run.py)
        file_entry(/tools/build/run.py)
        file_summary(/tools/build/run.py)
        file_symbols(/tools/build/run.py)
        module(/tools/build/run.py)
        placed(/tools/build/run.py)
        revision(/tools/build/run.py)
        ",
    );
    let (changed, executed) =
        world.host.executed(|| world.edit("tools/build/run.py", "def run_all(target):\n    return [target]\n"));
    assert!(!changed, "equal text is no change");
    assert_ran(&executed, "");
}

#[test]
fn renaming_a_package_moves_identities_and_extracts_nothing() {
    let world = World::new(PROJECT, 2);
    let (_, executed) = world.host.executed(|| world.edit("Cargo.toml", "[package]\nname = \"market\"\n"));
    let extracted: Vec<&String> = executed.iter().filter(|e| e.starts_with("facts(")).collect();
    assert_eq!(extracted, ["facts(/Cargo.toml)"]);
    let found = world.ask("get_symbol", json!({ "id": "rift://symbol/local/rust/market/price/Price" }));
    assert_eq!(found["outcome"], "found");
    let answer = world.ask("search", json!({ "query": "Price", "target": "symbol", "limit": 1 }));
    assert_eq!(answer["results"][0]["hit"]["symbol"]["id"], "rift://symbol/local/rust/market/price/Price");
}

#[test]
fn an_edit_is_found_and_a_held_view_stays() {
    let world = World::new(PROJECT, 2);
    let before = world.raw("search", json!({ "query": "Price" }))["view"]["id"].clone();
    world.edit("src/price.rs", "pub struct Cost;\n");
    let id = "rift://symbol/local/rust/shop/price/Price";
    assert_eq!(world.ask("get_symbol", json!({ "id": id }))["outcome"], "missing");
    let held = world.ask("get_symbol", json!({ "id": id, "view": before }));
    assert_eq!(held["outcome"], "found");
    let cost = world.ask("search", json!({ "query": "Cost", "target": "symbol" }));
    assert_eq!(cost["results"][0]["hit"]["symbol"]["name"], "Cost");
}

/// A file that comes, a file that goes, a file that moves: a walk of the tree finds them.
#[test]
fn a_walk_finds_what_came_and_went() {
    let world = World::new(PROJECT, 2);
    write(&world.root(), "src/new.rs", "pub fn brand_new() {}\n");
    std::fs::remove_file(world.root().join("docs/guide.md")).expect("removes");
    std::fs::rename(world.root().join("tools"), world.root().join("scripts")).expect("moves");
    assert!(world.host.rescan().expect("walks"));
    assert!(!world.host.rescan().expect("walks"), "nothing moved since");
    let fresh = World::open(copy(&world), 1);
    for (tool, arguments) in [
        ("search", json!({ "query": "brand_new run_all price" })),
        ("get_symbol", json!({ "id": "rift://symbol/local/rust/shop/new/brand_new" })),
        ("get_symbol", json!({ "id": "rift://symbol/local/python/scripts/build/run/run_all" })),
        ("map", json!({})),
        ("workspace", json!({})),
    ] {
        assert_eq!(world.ask(tool, arguments.clone()), fresh.ask(tool, arguments), "{tool}");
    }
}

#[test]
fn a_changed_configuration_is_accepted_and_an_invalid_one_is_refused_until_it_is_mended() {
    let world = World::new(PROJECT, 2);
    let ask = || world.ask("search", json!({ "query": "run_all", "target": "symbol" }))["results"].clone();
    assert_eq!(ask()[0]["path"], "tools/build/run.py");
    write(&world.root(), "rift.toml", "[languages.python]\nenabled = false\n");
    assert!(world.host.rescan().expect("accepted"));
    assert_eq!(ask(), json!([]));
    write(&world.root(), "rift.toml", "[languages.python]\nenabled = 7\n");
    let refusal = world.host.rescan().expect_err("refused").to_string();
    assert!(refusal.contains("languages.python.enabled"), "{refusal}");
    assert_eq!(ask(), json!([]));
    write(&world.root(), "rift.toml", "");
    assert!(world.host.rescan().expect("accepted"));
    assert_eq!(ask()[0]["path"], "tools/build/run.py");
}

/// A file that is written is in the next answer. While git holds its lock the tree is not taken to be whole, and answers from the
/// last publication say so, by whichever tool.
#[test]
fn answers_that_are_behind_carry_a_warning() {
    let folder = tempfile::tempdir().expect("temp");
    let root = folder.path().join("shop");
    for file in Fixture::parse(PROJECT).files {
        write(&root, &file.path, &file.text);
    }
    write(&root, "rift.toml", "[server]\nreadiness_timeout = \"1s\"\nversion_control_timeout = \"1h\"\n");
    write(&root, ".git/HEAD", "ref: refs/heads/main\n");
    let world = World::following(folder, 2, Following::Events);
    write(&root, "src/price.rs", "pub struct Cost;\n");
    let cost = world.ask("search", json!({ "query": "Cost", "target": "symbol" }));
    assert_eq!(cost["results"][0]["hit"]["symbol"]["name"], "Cost");

    write(&root, ".git/index.lock", "");
    write(&root, "src/price.rs", "pub struct Fee;\n");
    let deadline = Deadline::never();
    let params = SearchParams::parse(json!({ "query": "Fee Cost", "target": "symbol" })).expect("valid");
    let answer = serde_json::to_value(rift_tools::search(&world.host, &params, &deadline).expect("answers"));
    let answer = answer.expect("serializes");
    assert_eq!(answer["results"][0]["hit"]["symbol"]["name"], "Cost", "the last complete state");
    let mut warnings = vec![answer["warnings"].clone()];
    for (tool, arguments) in questions() {
        let answer = world.raw(tool, arguments);
        warnings.push(answer["warnings"].clone());
    }
    let missing = world.raw("get_symbol", json!({ "id": "rift://symbol/local/rust/shop/price/Fee" }));
    assert_eq!(missing["outcome"], "missing");
    warnings.push(missing["warnings"].clone());
    for warning in warnings {
        assert_eq!(warning[0]["code"], "stale_index", "{warning}");
        assert_ne!(warning[0]["index_tree_revision"], warning[0]["captured_tree_revision"]);
        assert!(warning[0]["detail"].as_str().is_some_and(|detail| detail.contains("src/price.rs")), "{warning}");
    }
    std::fs::remove_file(root.join(".git/index.lock")).expect("removes");
    let fee = world.ask("get_symbol", json!({ "id": "rift://symbol/local/rust/shop/price/Fee" }));
    assert_eq!(fee["outcome"], "found");
}

fn copy(world: &World) -> TempDir {
    let folder = tempfile::tempdir().expect("temp");
    copy_folder(world.folder.path(), folder.path());
    folder
}

fn copy_folder(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("lists") {
        let entry = entry.expect("lists");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("kind").is_dir() {
            std::fs::create_dir_all(&target).expect("creates");
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("copies");
        }
    }
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let polyglot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/projects/polyglot");
    let open = |threads| {
        let folder = tempfile::tempdir().expect("temp");
        std::fs::create_dir(folder.path().join("shop")).expect("creates");
        copy_folder(&polyglot, &folder.path().join("shop"));
        World::open(folder, threads)
    };
    let (one, many) = (open(1), open(4));
    for query in ["load config", "total price of an order", "main", "parse", "the and of", "Config"] {
        for target in ["symbol", "file", "all"] {
            let question = json!({ "query": query, "target": target, "limit": 100, "include": ["source", "score"] });
            let answer = one.ask("search", question.clone());
            assert!(answer["results"].as_array().is_some_and(|r| !r.is_empty()) || query == "the and of", "{query}");
            assert_eq!(answer, many.ask("search", question), "{query} {target}");
        }
    }
    assert_eq!(one.ask("map", json!({})), many.ask("map", json!({})));
}

/// The order is that of scores, and `ranking` is what they are the sums of.
#[test]
fn a_score_is_the_sum_of_its_ranking() {
    let world = World::new(PROJECT, 2);
    for query in ["sell a thing at its price", "Price", "build everything"] {
        let answer = world.ask("search", json!({ "query": query, "include": ["score"] }));
        let hits = answer["results"].as_array().expect("hits").clone();
        assert!(!hits.is_empty(), "{query}");
        let scores: Vec<f64> = hits.iter().map(|hit| hit["score"].as_f64().expect("asked for")).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{query}: {scores:?}");
        for (hit, score) in hits.iter().zip(scores) {
            let ranking = hit["ranking"].as_array().expect("stands beside the score");
            let of = |rank: &Value| {
                rank["weight"].as_f64().expect("a number") / (60.0 + rank["rank"].as_f64().expect("a number"))
            };
            let sum: f64 = ranking.iter().map(of).sum();
            assert!((sum - score).abs() < 1e-9, "{query}: {hit}");
            assert!(ranking.iter().any(|rank| rank["name"] == "file"), "{query}: {hit}");
        }
        let plain = world.ask("search", json!({ "query": query }));
        assert!(plain["results"].as_array().expect("hits").iter().all(|hit| hit.get("ranking").is_none()));
    }
}

/// A file with many declarations that match does not fill the page before others that match as well.
#[test]
fn one_file_does_not_fill_the_page() {
    let many: String = (0..30).map(|n| format!("def parse_header_{n}(header): return header\n")).collect();
    let fixture = format!(
        "//- /http.py\n{many}//- /mail.py\ndef parse_header(header): return header\n//- /tar.py\ndef header_size(header): return 1\n"
    );
    let world = World::new(&fixture, 2);
    let answer = world.ask("search", json!({ "query": "parse header", "limit": 5 }));
    let paths: Vec<&str> =
        answer["results"].as_array().expect("hits").iter().filter_map(|h| h["path"].as_str()).collect();
    assert_eq!(paths.len(), 5);
    assert_eq!(paths[..2], ["mail.py", "http.py"], "each file's best first: {paths:?}");
    assert!(paths.contains(&"mail.py") && paths[2..].contains(&"http.py"), "further ones follow: {paths:?}");
}

/// What only lines tell of: no provider parses this language.
#[test]
fn definitions_of_unparsed_files_count() {
    let mention = "# uses Builder\nx = Builder.new(Builder, Builder)\n".repeat(5);
    let fixture = format!("//- /a_use.rb\n{mention}//- /z_made.rb\nmodule Rack\n  class Builder\n  end\nend\n");
    let world = World::new(&fixture, 2);
    let answer = world.ask("search", json!({ "query": "Builder" }));
    assert_eq!(answer["results"][0]["path"], "z_made.rb", "{answer}");
}
