//! What a search reaches: files beside the index, scopes, and what is said of both.
#![allow(clippy::disallowed_methods)]

use std::path::Path;

use rift_base::Deadline;
use rift_host::{Following, Host, HostOptions, find_root};
use rift_protocol::{
    Failure, GetSourceParams, GetSymbolParams, NodesParams, Request, SearchParams, limits::FORCE_INCLUDE_MAX,
};
use rift_testkit::Fixture;
use serde_json::{Value, json};
use tempfile::TempDir;

const PROJECT: &str = "
//- /Cargo.toml
[package]
name = \"shop\"
//- /.gitignore
/generated/
*.log
//- /rift.toml
[source]
exclude = [\"legacy/**\"]
[search.text]
large_files = \"skip\"
max_chunk = \"1kb\"
[dependencies]
resolution = \"static\"
//- /src/lib.rs
pub fn sell_thing(price: u32) -> u32 { price }
//- /generated/bindings.rs
/// Made by a tool.
pub fn sell_bound(price: u32) -> u32 { price }
//- /legacy/old.py
def sell_old(price): return price
//- /Cargo.lock
version = 4
[[package]]
name = \"sell-crate\"
version = \"1.0.0\"
source = \"registry+https://github.com/rust-lang/crates.io-index\"
//- /noise.log
sell nothing
";

struct World {
    folder: TempDir,
    host: Host,
    _cache: TempDir,
}

impl World {
    fn new(fixture: &str) -> Self {
        let world = Self::unprepared(fixture);
        world.prepare();
        world
    }

    fn unprepared(fixture: &str) -> Self {
        let folder = tempfile::tempdir().expect("temp");
        for file in Fixture::parse(fixture).files {
            write(folder.path(), &file.path, &file.text);
        }
        let cache = tempfile::tempdir().expect("temp");
        let cache_base = Some(cache.path().to_owned());
        let options = HostOptions { cache_base, following: Following::Told, ..HostOptions::default() };
        let host = Host::open(find_root(folder.path()).expect("a folder"), &options).expect("opens");
        Self { folder, host, _cache: cache }
    }

    fn prepare(&self) {
        self.host.prepare_in_background();
        self.host.wait_prepared(&Deadline::never(), |_| ()).expect("no deadline").expect("prepares");
    }

    fn try_search(&self, arguments: Value) -> Result<Value, Failure> {
        let params = SearchParams::parse(arguments)?;
        let answer = rift_tools::search(&self.host, &params, &Deadline::never())?;
        Ok(serde_json::to_value(answer).expect("serializes"))
    }

    fn search(&self, arguments: Value) -> Value {
        self.try_search(arguments).expect("answers")
    }

    fn symbol(&self, arguments: Value) -> Value {
        let params = GetSymbolParams::parse(arguments).expect("valid");
        let answer = rift_tools::get_symbol(&self.host, &params, &Deadline::never()).expect("answers");
        serde_json::to_value(answer).expect("serializes")
    }

    fn source(&self, arguments: Value) -> Value {
        let params = GetSourceParams::parse(arguments).expect("valid");
        let answer = rift_tools::get_source(&self.host, &params, &Deadline::never()).expect("answers");
        serde_json::to_value(answer).expect("serializes")
    }

    fn nodes(&self, arguments: Value) -> Value {
        let params = NodesParams::parse(arguments).expect("valid");
        let answer = rift_tools::nodes(&self.host, &params, &Deadline::never()).expect("answers");
        serde_json::to_value(answer).expect("serializes")
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("has one")).expect("creates");
    std::fs::write(path, text).expect("writes");
}

/// The hits of an answer by target and path, sorted. A file stays out where a declaration of it is a hit.
fn hits(answer: &Value) -> Vec<String> {
    let results = answer["results"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let shown = |hit: &Value| {
        let kind = hit["hit"]["target"].as_str().unwrap_or_default();
        format!("{kind} {}", hit["path"].as_str().unwrap_or_default())
    };
    let mut hits: Vec<String> = results.iter().map(shown).collect();
    let declared = hits.iter().filter_map(|hit| hit.strip_prefix("symbol ")).map(str::to_owned).collect::<Vec<_>>();
    hits.retain(|hit| hit.strip_prefix("file ").is_none_or(|path| !declared.iter().any(|other| other == path)));
    hits.sort();
    hits
}

fn codes(answer: &Value) -> Vec<&str> {
    let warnings = answer["warnings"].as_array().map(Vec::as_slice).unwrap_or_default();
    warnings.iter().map(|warning| warning["code"].as_str().expect("a code")).collect()
}

#[test]
fn files_beside_the_index_are_searched_with_it() {
    let world = World::new(PROJECT);
    let plain = world.search(json!({ "query": "sell" }));
    assert_eq!(hits(&plain), ["symbol src/lib.rs"]);
    let globs = json!(["generated/**", "legacy/*.py", "Cargo.lock", "*.log"]);
    let forced = world.search(json!({ "query": "sell", "paths": { "force_include": globs } }));
    let expected = [
        "file Cargo.lock",
        "file noise.log",
        "symbol generated/bindings.rs",
        "symbol legacy/old.py",
        "symbol src/lib.rs",
    ];
    assert_eq!(hits(&forced), expected);
    assert_eq!(codes(&forced), [""; 0]);
    assert_ne!(forced["view"]["id"], plain["view"]["id"]);
    // What is printed is accepted back, under the answer's view.
    let view = &forced["view"]["id"];
    for (path, name) in [("generated/bindings.rs", "sell_bound"), ("legacy/old.py", "sell_old")] {
        let hits = forced["results"].as_array().expect("hits");
        let hit = hits.iter().find(|hit| hit["path"] == path).expect("a hit of the file");
        assert_eq!(hit["hit"]["symbol"]["name"], name);
        let id = &hit["hit"]["symbol"]["id"];
        let found = world.symbol(json!({ "id": id, "view": view }));
        assert_eq!((&found["outcome"], &found["declarations"][0]["path"]), (&json!("found"), &json!(path)), "{found}");
        assert_eq!(world.symbol(json!({ "id": id }))["outcome"], "missing", "the index does not hold it");
        let unit = format!("rift://source/project/{path}");
        assert_eq!(world.source(json!({ "unit": unit, "view": view }))["outcome"], "found");
    }
    // The next request is of the index again.
    assert_eq!(world.search(json!({ "query": "sell" })), plain);
}

#[test]
fn forced_files_pass_by_the_other_globs() {
    let world = World::new(PROJECT);
    let search = |paths: Value| hits(&world.search(json!({ "query": "sell", "paths": paths })));
    let only = search(json!({ "include": ["src/**"], "force_include": ["legacy/old.py"] }));
    assert_eq!(only, ["symbol legacy/old.py", "symbol src/lib.rs"]);
    let without = search(json!({ "exclude": ["**/*.py", "src/**"], "force_include": ["legacy/old.py"] }));
    assert_eq!(without, ["symbol legacy/old.py"]);
}

#[test]
fn forced_files_rank_as_files_of_the_index() {
    let world = World::new(PROJECT);
    let shown = World::new(&PROJECT.replace("/generated/\n", "").replace("exclude = [\"legacy/**\"]\n", ""));
    for query in ["sell", "sell bound", "sell_old price", "made by a tool", "price"] {
        let question = |paths: Value| json!({ "query": query, "include": ["score", "source"], "paths": paths });
        let forced = world.search(question(json!({ "force_include": ["generated/**", "legacy/**"] })));
        let indexed = shown.search(question(json!({})));
        let hits = hits(&forced);
        assert!(hits.iter().any(|hit| hit.contains("generated/") || hit.contains("legacy/")), "{query}: {hits:?}");
        assert_eq!(forced["results"], indexed["results"], "{query}");
    }
}

#[test]
fn pages_of_a_view_are_of_one_selection() {
    let world = World::new(PROJECT);
    let paths = json!({ "force_include": ["generated/**", "legacy/**", "*.log"] });
    let whole = world.search(json!({ "query": "sell", "paths": paths }));
    let all = whole["results"].as_array().expect("hits").clone();
    let mut paged = Vec::new();
    let mut view = Value::Null;
    for page in 0..all.len() {
        let mut question = json!({ "query": "sell", "paths": paths, "limit": 1, "page_index": page });
        if !view.is_null() {
            question["view"] = view.clone();
        }
        let answer = world.search(question);
        assert_eq!(answer["pagination"]["total_pages"], json!(all.len()));
        paged.extend(answer["results"].as_array().expect("hits").clone());
        if view.is_null() {
            // From here on the tree moves on, the named selection does not.
            view = answer["view"]["id"].clone();
            write(world.folder.path(), "legacy/old.py", "gone = 1\n");
            std::fs::remove_file(world.folder.path().join("noise.log")).expect("removes");
        }
    }
    assert_eq!(paged, all);
    let now = world.search(json!({ "query": "sell", "paths": paths }));
    assert_eq!(hits(&now), ["symbol generated/bindings.rs", "symbol src/lib.rs"]);
}

#[test]
fn a_pattern_reaches_forced_files_as_well() {
    let world = World::new(PROJECT);
    let places = |paths: Value| {
        let answer = world.search(json!({ "pattern": "sell_\\w+", "target": "file", "paths": paths }));
        let places = answer["results"].as_array().expect("hits").iter();
        let place = |hit: &Value| format!("{} {}", hit["path"].as_str().unwrap_or_default(), hit["range"]["start"]);
        places.map(place).collect::<Vec<_>>()
    };
    assert_eq!(places(json!({})), ["src/lib.rs 7"]);
    assert_eq!(
        places(json!({ "force_include": ["generated/**", "legacy/**", "*.log"] })),
        ["generated/bindings.rs 27", "legacy/old.py 4", "src/lib.rs 7"]
    );
    assert_eq!(places(json!({ "include": ["none/**"], "force_include": ["legacy/**"] })), ["legacy/old.py 4"]);
}

#[test]
fn more_files_than_one_request_reads_are_refused() {
    let mut fixture = PROJECT.to_owned();
    for n in 0..FORCE_INCLUDE_MAX {
        fixture.push_str(&format!("//- /generated/many/f{n}.txt\nsell {n}\n"));
    }
    let world = World::new(&fixture);
    let paths = |globs: &[&str]| json!({ "query": "sell", "paths": { "force_include": globs } });
    // Exactly as many, beside files that the index holds.
    assert!(world.try_search(paths(&["generated/many/**", "src/**"])).is_ok());
    let failure = world.try_search(paths(&["generated/**"])).expect_err("one more");
    let data = serde_json::to_value(&failure.data).expect("serializes");
    assert_eq!(data["code"], "limit_exceeded");
    assert_eq!(data["limit"], json!({ "field": "paths.force_include", "limit": 256, "required": 257 }));
}

#[cfg(unix)]
#[test]
fn no_way_leads_out() {
    let world = World::new(PROJECT);
    let outside = tempfile::tempdir().expect("temp");
    write(outside.path(), "secret.txt", "sell secrets\n");
    let root = world.folder.path();
    std::os::unix::fs::symlink(outside.path(), root.join("linked")).expect("link");
    std::os::unix::fs::symlink(outside.path().join("secret.txt"), root.join("alias.txt")).expect("link");
    for path in [".git/sell.txt", ".rift/sell.txt", "target/sell.txt"] {
        write(root, path, "sell hidden things\n");
    }
    let globs = ["**/secret.txt", "alias.txt", "linked/**", ".git/**", ".rift/**", "target/**"];
    let answer = world.search(json!({ "query": "sell", "paths": { "force_include": globs } }));
    assert_eq!(hits(&answer), ["symbol src/lib.rs"]);
    for glob in ["../secret.txt", "/etc/passwd", "a/../../b"] {
        let refused = world.try_search(json!({ "query": "sell", "paths": { "force_include": [glob] } }));
        let failure = serde_json::to_value(&refused.expect_err("no such glob").data).expect("serializes");
        assert_eq!(failure["code"], "invalid_request", "{glob}");
    }
}

/// What a forced file lacks is said; what it is searched for all the same is not.
#[test]
fn warnings_of_forced_files() {
    let world = World::new(PROJECT);
    let root = world.folder.path();
    std::fs::write(root.join("generated/bad.rs"), b"fn sell() {}\xff").expect("writes");
    write(root, "generated/large.txt", &format!("sell\n{}", "x ".repeat(1000)));
    let search = |paths: Value| world.search(json!({ "query": "sell", "paths": paths }));
    let answer = search(json!({ "force_include": ["generated/*.rs"] }));
    assert_eq!(codes(&answer), ["source_unavailable"]);
    assert_eq!(answer["warnings"][0]["unit"], "rift://file/generated/bad.rs");
    // A file past max_chunk is searched when it is named, under `skip` too.
    assert!(
        hits(&search(json!({ "force_include": ["generated/large.txt"] })))
            .contains(&"file generated/large.txt".to_owned())
    );
    // A lockfile that globs select is told, unless it is named.
    let selected = search(json!({ "include": ["Cargo.*"] }));
    assert_eq!(codes(&selected), ["lockfile_excluded"]);
    let named = search(json!({ "include": ["Cargo.*"], "force_include": ["Cargo.lock"] }));
    assert_eq!((codes(&named), hits(&named)), (vec![], vec!["file Cargo.lock".to_owned()]));
}

/// What a file past a bound lacks is said where the request reaches it, and its declarations answer all the same.
#[test]
fn warnings_of_large_files() {
    let world = World::unprepared(PROJECT);
    let root = world.folder.path();
    let long = format!("/// Long.\npub fn sell_long() {{}}\n{}", "// filler of a long file\n".repeat(100));
    write(root, "src/long.rs", &long);
    write(root, "notes/long.txt", &"sell filler\n".repeat(200));
    world.prepare();
    let skipped = |answer: &Value| {
        let all = answer["warnings"].as_array().into_iter().flatten();
        all.filter(|w| w["code"] == "large_file_skipped").map(|w| w["skipped"].clone()).collect::<Vec<_>>()
    };
    let answer = world.search(json!({ "query": "sell" }));
    assert_eq!(skipped(&answer), [json!(2)]);
    // The declaration answers; the text of neither file does.
    let names = hits(&answer);
    assert!(names.contains(&"symbol src/long.rs".to_owned()) && !names.contains(&"file notes/long.txt".to_owned()));
    assert_eq!(hits(&world.search(json!({ "query": "filler" }))), Vec::<String>::new());
    for (paths, expected) in [
        (json!({ "include": ["src/**"] }), vec![json!(1)]),
        (json!({ "exclude": ["**/long.*"] }), vec![]),
        (json!({ "include": ["generated/**"] }), vec![]),
    ] {
        assert_eq!(skipped(&world.search(json!({ "query": "sell", "paths": paths }))), expected, "{paths}");
    }
    // Patterns are looked for in the same files.
    assert_eq!(skipped(&world.search(json!({ "pattern": "filler" }))), [json!(2)]);
}

#[test]
fn scopes_that_reach_packages_say_that_they_are_off() {
    let fixture = format!(
        "{PROJECT}//- /web/package.json\n{{\"dependencies\": {{\"fork\": \"github:o/fork\", \"react\": \"^19\"}}}}\n"
    );
    let world = World::new(&fixture);
    let local = world.search(json!({ "query": "sell" }));
    for scope in ["global", "all"] {
        let answer = world.search(json!({ "query": "sell", "scope": scope }));
        assert_eq!(answer["results"], local["results"]);
        assert!(answer["results"].as_array().is_some_and(|results| !results.is_empty()));
        let expected = json!([
            { "code": "global_access_disabled" },
            { "code": "package_unavailable",
              "entry": { "manager": "npm", "name": "fork", "requirement": "github:o/fork", "availability": "git" },
              "reason": "packages of git repositories are not indexed yet" },
        ]);
        assert_eq!(answer["warnings"], expected);
        // A requested version takes the entry's place.
        let packages = json!([{ "manager": "npm", "name": "fork", "version": "1.0.0" }]);
        let answer = world.search(json!({ "query": "sell", "scope": scope, "packages": packages }));
        assert_eq!((codes(&answer), &answer["results"]), (vec!["global_access_disabled"], &local["results"]));
    }
    for scope in ["local:docs", "local@sdk", "local@sdk:docs"] {
        let answer = world.search(json!({ "query": "sell", "scope": scope }));
        assert_eq!(answer, json!({ "outcome": "unavailable", "reason": "insufficient_coverage" }), "{scope}");
    }
    for refused in [
        json!({ "query": "x", "scope": "all", "rev": "HEAD" }),
        json!({ "query": "x", "packages": [{ "manager": "npm", "name": "a" }] }),
        json!({ "query": "x", "scope": "Local" }),
    ] {
        let failure = world.try_search(refused.clone()).expect_err("refused");
        let failure = serde_json::to_value(&failure.data).expect("serializes");
        assert_eq!(failure["code"], "invalid_request", "{refused}");
    }
}

/// What names a file is answered of it before the first index is there.
#[test]
fn a_named_file_is_prepared_first() {
    let world = World::unprepared(&format!("{PROJECT}//- /docs/guide.md\n# Guide\n## Selling\nText.\n"));
    let nodes = world.nodes(json!({ "path": "src/lib.rs", "position": 8 }));
    assert!(nodes["nodes"].as_array().is_some_and(|nodes| nodes.len() > 1), "{nodes}");
    assert_eq!(codes(&nodes), ["local_index_preparing"]);
    let absent = world.nodes(json!({ "path": "src/none.rs", "position": 0 }));
    assert_eq!((&absent["nodes"], codes(&absent)), (&json!([]), vec!["local_index_preparing"]));
    let heading = json!({ "id": "rift://symbol/local/markdown/docs/guide.md/Guide/Selling" });
    let early = world.symbol(heading.clone());
    assert_eq!((&early["outcome"], codes(&early)), (&json!("found"), vec!["local_index_preparing"]), "{early}");
    let code = json!({ "id": "rift://symbol/local/rust/shop/sell_thing" });
    assert_eq!(world.symbol(code.clone())["reason"], "index_preparing");
    let hidden = world.nodes(json!({ "path": "generated/bindings.rs", "position": 8 }));
    assert_eq!(hidden["nodes"], json!([]), "an ignored file is not read");
    world.prepare();
    let prepared = world.nodes(json!({ "path": "src/lib.rs", "position": 8 }));
    assert_eq!((&prepared["nodes"], codes(&prepared)), (&nodes["nodes"], vec![]));
    let found = world.symbol(heading);
    assert_eq!((&found["symbol"], &found["declarations"]), (&early["symbol"], &early["declarations"]));
    assert_eq!(world.symbol(code)["outcome"], "found");
}

/// A changed bound on a row's text reaches the rows of every file that it cuts, and the next start takes them over.
#[test]
fn max_chunk_changes_while_it_is_served() {
    let long: String = (0..400).map(|n| format!("word{n} sell\n")).collect();
    let config = "[search.text]\nmax_chunk = \"1mb\"\n";
    let world = World::new(&format!("//- /a.txt\n{long}//- /b.txt\nshort\n//- /rift.toml\n{config}"));
    let rows = |world: &World| {
        let view = world.host.current().expect("a view");
        view.searcher().statistics().expect("statistics").rows
    };
    let before = rows(&world);
    let hit = world.search(json!({ "query": "word399", "include": ["source"] }));
    write(world.folder.path(), "rift.toml", "[search.text]\nmax_chunk = \"1kb\"\n");
    assert!(world.host.rescan().expect("rescans"));
    let fresh =
        World::new(&format!("//- /a.txt\n{long}//- /b.txt\nshort\n//- /rift.toml\n{}", config.replace("1mb", "1kb")));
    assert!(rows(&world) > before, "a long file has several rows");
    assert_eq!(rows(&world), rows(&fresh));
    let question = json!({ "query": "word399 sell", "include": ["source", "score"] });
    assert_eq!(world.search(question.clone())["results"], fresh.search(question)["results"]);
    assert!(hit["results"].as_array().is_some_and(|results| !results.is_empty()));
    write(world.folder.path(), "rift.toml", config);
    assert!(world.host.rescan().expect("rescans"));
    assert_eq!(rows(&world), before);
}
