//! Each tool and resource, asked over a project with known content.

use rift_base::Digest;
use rift_tests::{Client, Options, Project};
use serde_json::{Value, json};

use crate::support::{LOAD_CONFIG, POLYGLOT, catalog, found, hit_paths, hits, symbol_ids};

fn polyglot() -> (Project, Client) {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    client.prepared();
    (project, client)
}

#[test]
fn search_finds_a_declaration_by_what_it_does() {
    let (_project, mut client) = polyglot();
    let answer = client.call("search", json!({ "query": "load configuration from a file", "target": "symbol" }));
    assert!(symbol_ids(&answer).contains(&LOAD_CONFIG), "{}", answer.text());
    assert!(answer.warnings().is_empty(), "{:?}", answer.warnings());
}

#[test]
fn search_leads_to_the_definition() {
    let project = Project::with([
        ("core/env.h", "namespace shop {\nclass RateLimiter;\n}\n"),
        ("core/rate.h", "namespace shop {\n// Spreads work.\nclass RateLimiter {\n public:\n  void Refill();\n};\n}\n"),
        ("core/rate.cc", "#include \"rate.h\"\nnamespace shop {\nvoid RateLimiter::Refill() {}\n}\n"),
        ("dist/retry.js", "/** Retries. */\nexport function retry() {}\n//# sourceMappingURL=retry.js.map\n"),
        ("src/retry.ts", "/** Retries. */\nexport function retry(): void {}\n"),
    ]);
    let mut client = Client::start(&project);
    client.prepared();
    for (query, path, line) in
        [("RateLimiter", "core/rate.h", 3), ("RateLimiter::Refill", "core/rate.cc", 3), ("retry", "src/retry.ts", 2)]
    {
        let answer = client.call("search", json!({ "query": query, "target": "symbol" }));
        let first = hits(&answer).first().unwrap_or_else(|| panic!("{query}: {}", answer.text()));
        assert_eq!((first["path"].as_str(), first["line"].as_u64()), (Some(path), Some(line)), "{}", answer.text());
    }
    // Where only the statement is asked for, it stands for the symbol.
    let narrowed = json!({ "query": "RateLimiter", "target": "symbol", "paths": { "include": ["core/env.h"] } });
    assert_eq!(hit_paths(&client.call("search", narrowed)), ["core/env.h"]);
    let copies = json!({ "query": "retry", "target": "symbol", "paths": { "include": ["dist/**"] } });
    let copy = client.call("search", copies);
    assert_eq!(hits(&copy)[0]["hit"]["symbol"]["origin"]["source_kind"], "generated", "{}", copy.text());
}

#[test]
fn a_method_defined_outside_its_class_is_contained_in_it() {
    let project = Project::with([
        ("queue.h", "namespace shop {\nclass Queue {\n public:\n  void push(int item);\n};\n}\n"),
        ("queue.cc", "#include \"queue.h\"\nnamespace shop {\nvoid Queue::push(int item) {}\n}\n"),
    ]);
    let mut client = Client::start(&project);
    client.prepared();
    let folder = "rift://symbol/local/cpp/workspace/shop/Queue";
    let method = found(&mut client, &format!("{folder}/push"));
    assert_eq!(method["symbol"]["container"], folder);
    assert_eq!(method["declarations"].as_array().map(Vec::len), Some(2));
}

#[test]
fn search_finds_a_declaration_of_every_language() {
    let (_project, mut client) = polyglot();
    for (name, path, language) in [
        ("load_config", "src/config.rs", "rust"),
        ("checkout", "shop/cart.py", "python"),
        ("formatPrice", "web/src/price.ts", "typescript"),
        ("PriceTag", "web/src/View.tsx", "typescript:tsx"),
        ("Balance", "go/ledger/ledger.go", "go"),
        ("Invoice", "java/src/main/java/org/example/Invoice.java", "java"),
        ("stack_push", "native/stack.c", "c"),
        ("BoundedQueue", "native/queue.cpp", "cpp"),
        ("Install", "README.md", "markdown"),
        ("hosts", "config/settings.yaml", "yaml"),
    ] {
        let answer = client.call("search", json!({ "query": name, "target": "symbol" }));
        let hit = hits(&answer).iter().find(|hit| {
            let symbol = &hit["hit"]["symbol"];
            symbol["name"] == name && symbol["language"] == language && hit["path"] == path
        });
        // The prototype and the definition of `stack_push` are one symbol; the definition stands for it.
        assert!(hit.is_some(), "{name}: {}", answer.text());
    }
}

#[test]
fn search_answers_a_file_that_no_provider_claims() {
    let (_project, mut client) = polyglot();
    let answer =
        client.call("search", json!({ "query": "cargo test", "target": "file", "paths": { "include": ["justfile"] } }));
    assert_eq!(hit_paths(&answer), ["justfile"]);
    assert_eq!(answer.text(), "1 result\n\tjustfile:2 · content");
}

#[test]
fn search_narrows_by_paths_before_it_pages() {
    let (_project, mut client) = polyglot();
    let answer =
        client.call("search", json!({ "query": "price", "paths": { "include": ["web/**"], "exclude": ["**/*.tsx"] } }));
    assert!(!hits(&answer).is_empty());
    assert!(hit_paths(&answer).iter().all(|path| *path == "web/src/price.ts"), "{:?}", hit_paths(&answer));
}

#[test]
fn search_pages_hold_every_hit_once() {
    let (_project, mut client) = polyglot();
    let whole = client.call("search", json!({ "query": "price", "order": "path", "limit": 100 }));
    let total = hits(&whole).len();
    assert!(total > 3, "{}", whole.text());
    let mut paged = Vec::new();
    for page in 0..total.div_ceil(2) {
        let answer =
            client.call("search", json!({ "query": "price", "order": "path", "limit": 2, "page_index": page }));
        assert_eq!(answer.structured()["pagination"], json!({ "page_index": page, "total_pages": total.div_ceil(2) }));
        paged.extend(hits(&answer).to_vec());
    }
    assert_eq!(paged, hits(&whole));
    let past = client.call("search", json!({ "query": "price", "limit": 2, "page_index": 1000 }));
    assert!(hits(&past).is_empty());
    assert_eq!(past.structured()["pagination"]["total_pages"], total.div_ceil(2));
}

#[test]
fn search_gives_score_and_source_only_when_asked() {
    let (project, mut client) = polyglot();
    let bare = client.call("search", json!({ "query": "load_config" }));
    assert!(hits(&bare).iter().all(|hit| hit.get("score").is_none() && hit.get("source").is_none()));
    let full =
        client.call("search", json!({ "query": "load_config", "target": "symbol", "include": ["source", "score"] }));
    let hit = hits(&full).iter().find(|hit| hit["hit"]["symbol"]["id"] == LOAD_CONFIG).expect("load_config is found");
    assert!(hit["score"].as_f64().expect("a score") > 0.0);
    let text = project.read("src/config.rs");
    let (start, end) = range(&hit["range"]);
    assert!(hit["source"].as_str().is_some_and(|source| text[start..end].starts_with(source)), "{hit}");
}

/// Twenty hits of long functions, each with more matching lines and longer ones than an excerpt holds.
#[test]
fn a_default_page_with_source_stays_short() {
    let line =
        |n: usize| format!("    retry_policy({n}, \"{}\"); // delay of the retry policy\n", "wait ".repeat(n % 60));
    let body: String = (0..200).map(line).collect();
    let file = |n: usize| {
        let text =
            format!("/// The retry policy {n}, with a delay.\npub fn retry_policy_{n}(delay: u32) {{\n{body}}}\n");
        (format!("src/policy_{n}.rs"), text)
    };
    let files: Vec<(String, String)> = (0..40).map(file).collect();
    let project = Project::with(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let mut client = Client::start(&project);
    client.prepared();
    for target in ["all", "symbol", "file", "documentation"] {
        let request = json!({ "query": "retry policy delay", "target": target, "include": ["source"] });
        let answer = client.call("search", request);
        assert_eq!(hits(&answer).len(), 20, "{target}");
        assert!(hits(&answer).iter().all(|hit| hit["source"].as_str().is_some_and(|source| source.contains("retry"))));
        let tokens = answer.text().len() / 4;
        assert!(tokens < 8_000, "{target}: about {tokens} tokens");
        for hit in hits(&answer).iter().filter(|hit| hit["hit"]["target"] == "symbol") {
            assert!(hit["source_omitted"].as_u64() > Some(150) && answer.text().contains("lines cut"), "{hit}");
        }
    }
}

#[test]
fn get_symbol_finds_exact_identities() {
    let (project, mut client) = polyglot();
    for (id, path, first, inside) in [
        (LOAD_CONFIG, "src/config.rs", "/// Loads the configuration", "pub fn load_config("),
        (
            "rift://symbol/local/rust/example_shop/config/Config/serves",
            "src/config.rs",
            "/// Whether",
            "pub fn serves(",
        ),
        (
            "rift://symbol/local/rust/example_shop/config/DEFAULT_PORT",
            "src/config.rs",
            "/// The port",
            "const DEFAULT_PORT",
        ),
        ("rift://symbol/local/rust/example_shop/add_prices", "src/lib.rs", "/// Adds", "pub fn add_prices("),
        ("rift://symbol/local/python/shop/cart/Cart/total", "shop/cart.py", "def total(", "with tax"),
        ("rift://symbol/local/python/shop/cart/Cart/empty", "shop/cart.py", "@property", "def empty("),
        (
            // The package below the root names its modules: two packages may both have a src/price.
            "rift://symbol/local/typescript/shop-web/src/price/formatPrice",
            "web/src/price.ts",
            "/** Formats",
            "export function",
        ),
    ] {
        let answer = found(&mut client, id);
        let declaration = &answer["declarations"][0];
        assert_eq!(declaration["path"], path, "{id}");
        let (start, end) = range(&declaration["range"]);
        let text = project.read(path);
        let text = &text[start..end];
        assert!(text.starts_with(first) && text.contains(inside), "{id}: {text}");
        assert_eq!(declaration["source"], text, "{id}");
        assert_eq!(declaration["source_complete"], true, "{id}");
    }
}

#[test]
fn get_symbol_states_what_the_declaration_says() {
    let (_project, mut client) = polyglot();
    let answer = found(&mut client, LOAD_CONFIG);
    let symbol = &answer["symbol"];
    assert_eq!(symbol["kind"], "function");
    assert_eq!(symbol["language"], "rust");
    assert_eq!(symbol["visibility"], "pub");
    assert_eq!(
        symbol["documentation"][0]["text"].as_str().map(str::trim_end),
        Some("Loads the configuration from a file.\n\nA missing file is an empty one.")
    );
    let display = symbol["signatures"][0]["display"].as_str().expect("a signature");
    assert!(display.contains("fn load_config(path: &Path) -> std::io::Result<Config>"), "{display}");
}

#[test]
fn a_missing_symbol_is_an_error_with_the_closest_names() {
    let (_project, mut client) = polyglot();
    let answer = client.call("get_symbol", json!({ "id": format!("{LOAD_CONFIG}s") }));
    assert!(answer.is_error());
    assert_eq!(answer.structured()["outcome"], "missing");
    let missing = &answer.structured()["symbol_not_found"];
    assert_eq!(missing["alternatives"][0]["id"], LOAD_CONFIG, "{missing}");
    assert!(missing["alternatives"].as_array().is_some_and(|alternatives| alternatives.len() <= 3));
    let text = answer.text();
    assert!(text.contains("error: symbol_not_found") && text.contains("closest matches:"), "{text}");
}

#[test]
fn get_symbol_joins_prototype_and_definition() {
    let (_project, mut client) = polyglot();
    let answer = client.call("search", json!({ "query": "stack_push", "target": "symbol" }));
    let pushes: Vec<&Value> = hits(&answer).iter().filter(|hit| hit["hit"]["symbol"]["name"] == "stack_push").collect();
    assert_eq!(pushes.len(), 1, "{}", answer.text());
    // The definition stands for the symbol, whichever declaration ranked first.
    assert_eq!((&pushes[0]["path"], &pushes[0]["line"]), (&json!("native/stack.c"), &json!(3)));
    let id = pushes[0]["hit"]["symbol"]["id"].as_str().expect("an identity").to_owned();
    let symbol = found(&mut client, &id);
    let declarations = symbol["declarations"].as_array().expect("declarations");
    let paths: Vec<&str> = declarations.iter().filter_map(|declaration| declaration["path"].as_str()).collect();
    assert_eq!(paths, ["native/stack.c", "native/stack.h"]);
    let first = client.call("get_symbol", json!({ "id": id, "declaration_limit": 1 }));
    let cursor = first.structured()["declaration_cursor"].as_str().expect("a cursor").to_owned();
    let second = client.call(
        "get_symbol",
        json!({ "id": id, "declaration_limit": 1, "declaration_cursor": cursor, "view": first.structured()["view"]["id"] }),
    );
    assert_eq!(second.structured()["declarations"][0]["path"], "native/stack.h");
    assert!(second.structured().get("declaration_cursor").is_none());
}

#[test]
fn get_source_reads_whole_units_and_ranges() {
    let (project, mut client) = polyglot();
    for path in ["src/config.rs", "README.md", "justfile", ".github/workflows/ci.yml"] {
        let unit = format!("rift://source/project/{path}");
        let answer = client.call("get_source", json!({ "unit": unit }));
        assert_eq!(answer.structured()["source"]["text"], project.read(path), "{path}");
        assert_eq!(answer.structured()["source_complete"], true);
    }
    let unit = "rift://source/project/src/config.rs";
    let part = client.call("get_source", json!({ "unit": unit, "range": { "start": 554, "end": 572 } }));
    assert_eq!(
        part.structured()["source"],
        json!({ "span": { "unit": unit, "range": { "start": 554, "end": 572 } }, "text": "pub fn load_config" })
    );
    let lines: Vec<&str> = part.text().lines().collect();
    assert_eq!(lines[..2], ["rift://source/project/src/config.rs:554..572", "\tpub fn load_config"]);
    let view = part.structured()["view"]["id"].as_str().expect("a view");
    assert_eq!(view.len(), 64);
    assert!(lines[2].starts_with(&format!("view {view} · expires ")), "{}", lines[2]);
    let gone = client.call("get_source", json!({ "unit": "rift://source/project/src/nothing.rs" }));
    assert!(gone.is_error());
    assert_eq!(gone.structured()["outcome"], "missing");
}

#[test]
fn nodes_chain_runs_from_the_file_to_the_token() {
    let (project, mut client) = polyglot();
    let text = project.read("src/config.rs");
    let position = text.find("parse_config(&text)").expect("the call is in the fixture") + 2;
    let answer = client.call("nodes", json!({ "path": "src/config.rs", "position": position }));
    let nodes = answer.structured()["nodes"].as_array().expect("nodes").clone();
    let kinds: Vec<&str> = nodes.iter().filter_map(|node| node["kind"].as_str()).collect();
    let bare: Vec<&str> = kinds.iter().map(|kind| kind.rsplit('.').next().unwrap_or(kind)).collect();
    let expected =
        ["source_file", "function_item", "block", "call_expression", "arguments", "call_expression", "identifier"];
    assert_eq!(bare, expected);
    let mut outer = (0, text.len());
    for node in &nodes {
        let (start, end) = range(&node["range"]);
        assert!(outer.0 <= start && end <= outer.1 && start <= position && position < end, "{node}");
        outer = (start, end);
        let witness = Digest::of(&text.as_bytes()[start..end]).short();
        assert_eq!(node["id"], format!("rift://node/rust/src/config.rs@{start}-{end}#{witness}"));
    }
    assert_eq!(&text[outer.0..outer.1], "parse_config");
    let function = nodes.iter().find(|node| node["facets"].to_string().contains("definition")).expect("the function");
    let region = |role: &str| {
        let regions = function["regions"].as_array().expect("regions");
        let (start, end) = range(&regions.iter().find(|region| region["role"] == role).expect("the region")["range"]);
        text[start..end].to_owned()
    };
    assert_eq!(region("name"), "load_config");
    assert!(region("body").starts_with("{\n    let text"));
    let past = client.call("nodes", json!({ "path": "src/config.rs", "position": text.len() }));
    assert_eq!(past.text(), "0 nodes");
}

#[test]
fn the_map_counts_what_is_there() {
    let (_project, mut client) = polyglot();
    let map = client.read_json("rift://map");
    let files = |language: &str| {
        let languages = map["languages"].as_array().expect("languages");
        languages.iter().find(|entry| entry["language"] == language).map(|entry| entry["files"].as_u64().unwrap_or(0))
    };
    for (language, count) in [
        ("rust", 3),
        ("python", 2),
        ("typescript", 1),
        ("typescript:tsx", 1),
        ("go", 1),
        ("java", 1),
        ("markdown", 1),
        ("yaml", 2),
        ("json", 1),
        ("toml", 2),
        ("cpp", 1),
        ("c", 2),
    ] {
        assert_eq!(files(language), Some(count), "{language}: {}", map["languages"]);
    }
    assert_eq!(map["entry_points"], json!(["rift://symbol/local/rust/example_shop/main"]));
    assert_eq!(map["docs"], json!(["README.md"]));
    assert_eq!(map["pagination"], json!({ "page_index": 0, "total_pages": 1 }));
    assert!(map.get("warnings").is_none(), "{}", map["warnings"]);
    let names = map["modules"].as_array().expect("modules").iter();
    let names: Vec<&str> = names.filter_map(|module| module["path"].as_str()).collect();
    assert!(names.contains(&"native") && names.contains(&"java"), "{names:?}");
}

#[test]
fn the_workspace_lists_every_visible_file_in_order() {
    let (_project, mut client) = polyglot();
    let expected = [
        ".github/workflows/ci.yml",
        ".gitignore",
        "Cargo.toml",
        "README.md",
        "config/settings.yaml",
        "go/go.mod",
        "go/ledger/ledger.go",
        "java/src/main/java/org/example/Invoice.java",
        "justfile",
        "native/queue.cpp",
        "native/stack.c",
        "native/stack.h",
        "pyproject.toml",
        "shop/__init__.py",
        "shop/cart.py",
        "src/config.rs",
        "src/lib.rs",
        "src/main.rs",
        "web/package.json",
        "web/src/View.tsx",
        "web/src/price.ts",
    ];
    assert_eq!(catalog(&mut client), expected);
    let past = client.read_json("rift://workspace?page_index=1");
    assert!(past.get("source").is_none_or(|source| source == &json!([])));
    assert_eq!(past["pagination"], json!({ "page_index": 1, "total_pages": 1 }));
    assert!(past["languages"].as_array().is_some_and(|languages| !languages.is_empty()));
}

#[test]
fn resources_carry_the_contents_of_the_selection() {
    let project = Project::copy_of(POLYGLOT);
    for (output, workspace) in [("all", vec!["text/plain", "application/json"]), ("text", vec!["text/plain"])] {
        let mut client = Client::start_with(&project, Options { output: Some(output), ..Options::default() });
        let kinds = |contents: &[Value]| -> Vec<String> {
            contents.iter().map(|content| content["mimeType"].as_str().unwrap_or("").to_owned()).collect()
        };
        client.prepared();
        assert_eq!(kinds(&client.read("rift://map")), ["application/json"], "{output}");
        let contents = client.read("rift://workspace");
        assert_eq!(kinds(&contents), workspace, "{output}");
        assert!(contents.iter().all(|content| content["uri"] == "rift://workspace"));
        let text = contents[0]["text"].as_str().expect("a text");
        assert!(text.starts_with("workspace ") && text.contains("\nlanguages:\n\t") && text.contains("\nsource:\n\t"));
    }
}

#[test]
fn text_output_carries_text_alone() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start_with(&project, Options::default());
    client.prepared();
    let answer = client.call("search", json!({ "query": "load_config" }));
    assert!(answer.0.get("structuredContent").is_none());
    assert!(answer.text().contains(LOAD_CONFIG));
    let missing = client.call("get_symbol", json!({ "id": format!("{LOAD_CONFIG}s") }));
    assert!(missing.is_error() && missing.0.get("structuredContent").is_none());
}

#[test]
fn an_identity_printed_in_text_is_accepted_back() {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    client.prepared();
    let answer = client.call("search", json!({ "query": "shop price stack queue cart ledger invoice", "limit": 200 }));
    let printed: Vec<String> = answer
        .text()
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("rift://symbol/"))
        .map(str::to_owned)
        .collect();
    assert!(printed.len() > 10, "{}", answer.text());
    for id in printed {
        found(&mut client, &id);
    }
}

fn range(value: &Value) -> (usize, usize) {
    let end = |name: &str| value[name].as_u64().expect("a range has both ends") as usize;
    (end("start"), end("end"))
}
