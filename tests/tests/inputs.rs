//! Real input that broke other tools. Each case lays its tree and states the answers, read off the input by hand.

use std::fmt::Write as _;

use rift_tests::{Answer, Client, Options, Project};
use serde_json::{Value, json};

use crate::support::{catalog, found, hit_paths, hits, symbol_ids, symbol_named};

fn prepared(project: &Project) -> Client {
    let mut client = Client::start(project);
    client.prepared();
    client
}

/// The source text that a declaration's unit and range give.
fn source_of(client: &mut Client, path: &str, range: &Value) -> String {
    let unit = format!("rift://source/project/{}", escaped(path));
    let answer = client.call("get_source", json!({ "unit": unit, "range": range }));
    answer.structured()["source"]["text"].as_str().unwrap_or_else(|| panic!("{}", answer.text())).to_owned()
}

/// A path in a source identity: letters, digits and `/ ! $ & ' ( ) * + , ; = : @ - . _ ~` stay.
fn escaped(path: &str) -> String {
    path.bytes().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() || b"/!$&'()*+,;=:@-._~".contains(&byte) {
            text.push(byte as char);
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
        text
    })
}

fn names(answer: &Answer) -> Vec<&str> {
    hits(answer).iter().filter_map(|hit| hit["hit"]["symbol"]["name"].as_str()).collect()
}

#[test]
fn utf_16_files_among_utf_8_ones() {
    let text = "# Größe\ndef legacy_report():\n    return 'ünï'\n";
    let little: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let big: Vec<u8> = [0xfe, 0xff]
        .into_iter()
        .chain(text.replace("legacy", "ancient").encode_utf16().flat_map(u16::to_be_bytes))
        .collect();
    let project = Project::with([("shop/now.py", "def modern_report():\n    return 1\n")]);
    project.write("shop/little.py", little);
    project.write("shop/big.py", big);
    let mut client = prepared(&project);
    for (name, path) in
        [("legacy_report", "shop/little.py"), ("ancient_report", "shop/big.py"), ("modern_report", "shop/now.py")]
    {
        let hit = symbol_named(&mut client, name);
        assert_eq!(hit["path"], path);
        let source = source_of(&mut client, path, &hit["range"]);
        assert!(source.starts_with(&format!("def {name}():")), "{source}");
    }
}

#[test]
fn line_ends_and_byte_order_marks() {
    let project = Project::with([(
        "src/a.ts",
        "\u{feff}// first\r\n\r\nexport function carriage(): number {\r\n  return 1;\r\n}\r\n",
    )]);
    let mut client = prepared(&project);
    let hit = symbol_named(&mut client, "carriage");
    assert_eq!(hit["line"], 3);
    let source = source_of(&mut client, "src/a.ts", &hit["range"]);
    assert_eq!(source, "export function carriage(): number {\r\n  return 1;\r\n}");
}

#[cfg(unix)]
#[test]
fn links_are_neither_followed_nor_listed() {
    let project = Project::with([("src/deep/real.rs", "pub fn only_once() {}\n")]);
    let root = project.root();
    std::os::unix::fs::symlink("../..", root.join("src/deep/up")).expect("a link to an ancestor");
    std::os::unix::fs::symlink("real.rs", root.join("src/deep/alias.rs")).expect("a link to a file");
    std::os::unix::fs::symlink("nowhere", root.join("dangling.rs")).expect("a link to nothing");
    let mut client = prepared(&project);
    assert_eq!(catalog(&mut client), ["src/deep/real.rs"]);
    let answer = client.call("search", json!({ "query": "only_once", "target": "symbol" }));
    assert_eq!(hit_paths(&answer), ["src/deep/real.rs"]);
}

#[test]
fn nested_parentheses_are_reported_and_harm_no_other_file() {
    // In lines, as one line of this length is a minified file.
    let (open, close) = (format!("{}\n", "(".repeat(100)).repeat(200), format!("{}\n", ")".repeat(100)).repeat(200));
    let (list, end) = (open.replace('(', "["), close.replace(')', "]"));
    let script = format!("const value = {open}function hidden() {{}}{close};\n");
    let rust = format!("fn outer() {{\n    let value = {open}{{ fn hidden() {{}} }}{close};\n}}\n");
    let settings = format!("{{ \"value\": {list}1{end} }}\n");
    let python = format!("value = {open}1{close}\n");
    let project = Project::with([
        ("src/deep.js", script.as_str()),
        ("src/deep.rs", rust.as_str()),
        ("src/deep.json", settings.as_str()),
        ("src/deep.py", python.as_str()),
        ("src/flat.py", "def shallow():\n    pass\n"),
    ]);
    let mut client = prepared(&project);
    assert_eq!(symbol_named(&mut client, "shallow")["path"], "src/flat.py");
    let answer = client.call("search", json!({ "query": "shallow" }));
    let warnings = answer.structured()["warnings"].as_array().expect("the deep files are reported");
    let units: Vec<&str> = warnings.iter().filter_map(|warning| warning["unit"].as_str()).collect();
    // Nothing is declared below the parentheses of the Python file, so nothing of it is missing.
    assert_eq!(units, ["rift://file/src/deep.js", "rift://file/src/deep.json", "rift://file/src/deep.rs"]);
    assert!(warnings.iter().all(|warning| warning["code"] == "source_unavailable"), "{warnings:?}");
    // Twenty thousand nodes that hold each other's text are no answer.
    let nodes = client.call("nodes", json!({ "path": "src/deep.py", "position": 10_000 }));
    assert!(nodes.is_error() && nodes.text().contains("limit_exceeded"), "{}", nodes.text());
}

#[test]
fn a_bundle_on_one_line_is_text_and_no_heap_of_symbols() {
    let mut bundle = String::from("!function(){");
    for number in 0.. {
        if bundle.len() >= 1_000_000 {
            break;
        }
        let _ = write!(
            bundle,
            "var a{number}=function(b,c){{return b+c*{number}}};function f{number}(x){{return a{number}(x,1)}}"
        );
    }
    bundle.push_str("}();");
    let project =
        Project::with([("dist/app.min.js", bundle.as_str()), ("src/app.js", "export function startApp() {}\n")]);
    let mut client = prepared(&project);
    assert_eq!(symbol_named(&mut client, "startApp")["path"], "src/app.js");
    let map = client.read_json("rift://map");
    let script = map["languages"].as_array().and_then(|all| all.iter().find(|entry| entry["language"] == "javascript"));
    let symbols = script.and_then(|entry| entry["symbols"].as_u64()).expect("a count of symbols");
    assert!(symbols < 10, "the bundle's functions are no declarations of the project: {symbols}");
}

#[test]
fn the_last_declaration_of_a_long_file() {
    let mut text = String::new();
    for number in 0..3000 {
        let _ = write!(text, "/// Number {number}.\npub fn item_{number}() {{\n}}\n");
    }
    assert_eq!(text.lines().count(), 9000);
    let project = Project::with([("src/lib.rs", text.as_str()), ("Cargo.toml", "[package]\nname = \"long\"\n")]);
    let mut client = prepared(&project);
    let symbol = found(&mut client, "rift://symbol/local/rust/long/item_2999");
    let declaration = &symbol["declarations"][0];
    assert_eq!(declaration["source"], "/// Number 2999.\npub fn item_2999() {\n}");
    assert_eq!(declaration["range"]["end"].as_u64(), Some(text.len() as u64 - 1));
    let map = client.read_json("rift://map");
    let rust = map["languages"].as_array().and_then(|all| all.iter().find(|entry| entry["language"] == "rust"));
    assert_eq!(rust.map(|entry| &entry["symbols"]), Some(&json!(3000)), "{map}");
}

#[test]
fn file_names_with_spaces_percent_signs_and_letters_beyond_ascii() {
    let paths = [
        "a folder/with spaces.py",
        "rates/100%.py",
        "rates/50%25.py",
        "café/naïve.py",
        "odd/#hash?.py",
        "odd/a@b~1.py",
    ];
    let project = Project::empty();
    for (number, path) in paths.iter().enumerate() {
        project.write(path, format!("def oddly_named_{number}():\n    return {number}\n"));
    }
    let mut client = prepared(&project);
    let mut sorted = paths.map(str::to_owned);
    sorted.sort_unstable();
    assert_eq!(catalog(&mut client), sorted);
    for (number, path) in paths.iter().enumerate() {
        let name = format!("oddly_named_{number}");
        let hit = symbol_named(&mut client, &name);
        assert_eq!(hit["path"], *path);
        let id = hit["hit"]["symbol"]["id"].as_str().expect("an identity").to_owned();
        let symbol = found(&mut client, &id);
        assert_eq!(symbol["declarations"][0]["path"], *path);
        assert_eq!(source_of(&mut client, path, &hit["range"]), format!("def {name}():\n    return {number}"));
        let nodes = client.call("nodes", json!({ "path": path, "position": 5 }));
        let file = nodes.structured()["nodes"][0]["id"].as_str().expect("a node identity").to_owned();
        let witnessed = escaped(path).replace('@', "%40");
        assert!(file.starts_with(&format!("rift://node/python/{witnessed}@0-")), "{file}");
    }
}

#[test]
fn a_class_without_a_name_spoils_neither_its_file_nor_a_name() {
    let project =
        Project::with([("shop/half.py", "def before():\n    pass\n\n\nclass : pass\n\n\ndef after():\n    pass\n")]);
    let mut client = prepared(&project);
    for name in ["before", "after"] {
        assert_eq!(symbol_named(&mut client, name)["path"], "shop/half.py");
    }
    let answer =
        client.call("search", json!({ "query": "before after class pass half", "target": "symbol", "limit": 100 }));
    assert!(names(&answer).iter().all(|name| !name.is_empty()), "{:?}", names(&answer));
    assert!(
        symbol_ids(&answer).iter().all(|id| !id.ends_with('/') && !id.contains("//class")),
        "{:?}",
        symbol_ids(&answer)
    );
}

#[test]
fn overload_stubs_are_one_symbol_with_their_implementation() {
    let text = "from typing import overload\n\n\n@overload\ndef convert(value: int) -> str: ...\n@overload\ndef convert(value: str) -> int: ...\ndef convert(value):\n    return value\n";
    let project = Project::with([("shop/__init__.py", ""), ("shop/over.py", text)]);
    let mut client = prepared(&project);
    let symbol = found(&mut client, "rift://symbol/local/python/shop/over/convert");
    let declarations = symbol["declarations"].as_array().expect("declarations");
    let sources: Vec<&str> = declarations.iter().filter_map(|declaration| declaration["source"].as_str()).collect();
    assert_eq!(
        sources,
        [
            "@overload\ndef convert(value: int) -> str: ...",
            "@overload\ndef convert(value: str) -> int: ...",
            "def convert(value):\n    return value",
        ]
    );
    assert_eq!(symbol["symbol"]["signatures"].as_array().map(Vec::len), Some(3));
}

#[test]
fn default_exports_have_a_name() {
    let project = Project::with([
        ("src/named.js", "/** Greets. */\nexport default function greet(name) {\n  return `hello ${name}`;\n}\n"),
        ("src/nameless.js", "/** Says farewell. */\nexport default function (name) {\n  return `bye ${name}`;\n}\n"),
    ]);
    let mut client = prepared(&project);
    assert_eq!(symbol_named(&mut client, "greet")["path"], "src/named.js");
    let answer = client.call("search", json!({ "query": "farewell", "target": "symbol" }));
    assert_eq!(hit_paths(&answer), ["src/nameless.js"], "{}", answer.text());
    let id = symbol_ids(&answer)[0].to_owned();
    assert_eq!(id, "rift://symbol/local/javascript/src/nameless/default");
    found(&mut client, &id);
}

#[test]
fn a_struct_made_by_a_macro_call_is_a_declaration() {
    let text = "bitflags::bitflags! {\n    /// Which doors are open.\n    pub struct Doors: u32 {\n        const FRONT = 1;\n    }\n}\n\nthread_local! {\n    static COUNTER: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };\n}\n";
    let project = Project::with([("src/lib.rs", text), ("Cargo.toml", "[package]\nname = \"doors\"\n")]);
    let mut client = prepared(&project);
    for name in ["Doors", "COUNTER"] {
        let hit = symbol_named(&mut client, name);
        assert_eq!(hit["hit"]["symbol"]["id"], format!("rift://symbol/local/rust/doors/{name}"));
        assert_eq!(hit["path"], "src/lib.rs");
    }
}

#[test]
fn the_same_root_however_it_is_spelled() {
    let project = Project::copy_of(crate::support::POLYGLOT);
    let absolute = project.root().to_str().expect("a UTF-8 path").to_owned();
    let mut answers = Vec::new();
    for root in [".", "./src/..", &absolute, &format!("{absolute}/"), &format!("{absolute}/./web/../.")] {
        let mut client = Client::start_with(&project, Options { output: Some("all"), root: Some(root), log: None });
        client.prepared();
        let search =
            client.call("search", json!({ "query": "load configuration price", "include": ["source", "score"] }));
        let mut search = search.structured().clone();
        let view = search["view"]["id"].as_str().expect("a view").to_owned();
        search["view"] = Value::Null;
        let mut pages = client.read("rift://workspace");
        pages.extend(client.read("rift://map"));
        // The first sixteen digits of a view are a digest of its workspace.
        answers.push((search, pages, view[..16].to_owned()));
    }
    for answer in &answers[1..] {
        assert_eq!(answer, &answers[0]);
    }
}

#[test]
fn what_cannot_be_read_as_text_is_reported() {
    let project = Project::with([("src/good.py", "def good():\n    pass\n")]);
    project.write("src/latin.py", b"# caf\xe9\ndef latin():\n    pass\n");
    let mut client = prepared(&project);
    let answer = client.call("search", json!({ "query": "good" }));
    let warnings = answer.structured()["warnings"].to_string();
    assert!(warnings.contains("source_unavailable") && warnings.contains("latin.py"), "{warnings}");
    assert_eq!(symbol_named(&mut client, "good")["path"], "src/good.py");
}

#[test]
fn a_file_past_its_bound_is_text_that_is_not_parsed() {
    let long = format!("def far_away():\n    pass\n{}", "# the quick brown zebra\n".repeat(4000));
    let project = Project::with([
        ("rift.toml", "[providers.syntax]\nmax_file = \"64kb\"\n"),
        ("src/long.py", long.as_str()),
        ("src/short.py", "def nearby():\n    pass\n"),
    ]);
    let mut client = prepared(&project);
    let answer = client.call("search", json!({ "query": "zebra" }));
    assert_eq!(hit_paths(&answer), ["src/long.py"]);
    let warnings = answer.structured()["warnings"].to_string();
    assert!(warnings.contains("large_file_unparsed") && warnings.contains("long.py"), "{warnings}");
    let symbols = client.call("search", json!({ "query": "far_away", "target": "symbol" }));
    assert!(!names(&symbols).contains(&"far_away"), "{}", symbols.text());
}

#[test]
fn a_lockfile_is_left_out_of_search_and_named_when_asked_for() {
    let lock = "[[package]]\nname = \"zebra-stripes\"\nversion = \"1.0.0\"\n".repeat(2000);
    let project = Project::with([("Cargo.lock", lock.as_str()), ("src/lib.rs", "pub fn stripes() {}\n")]);
    let mut client = prepared(&project);
    let answer = client.call("search", json!({ "query": "zebra" }));
    assert!(hits(&answer).is_empty(), "{}", answer.text());
    let asked = client.call("search", json!({ "query": "zebra", "paths": { "include": ["*.lock"] } }));
    assert!(asked.warnings().contains(&"lockfile_excluded"), "{}", asked.text());
}
