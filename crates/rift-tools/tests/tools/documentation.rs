//! Documentation: which blocks a question finds, what they name, and what refers to a symbol.

use rift_protocol::{Request, SearchParams};
use serde_json::{Value, json};

use super::World;

const PROJECT: &str = "
//- /Cargo.toml
[package]
name = \"shop\"
//- /src/lib.rs
/// Decides how long a retry waits.
pub fn retry_delay(attempt: u32) -> u32 { attempt }
pub mod basket;
//- /src/basket.rs
pub struct Basket;
impl Basket {
    pub fn total(&self) -> u32 { 0 }
}
pub struct Order;
impl Order {
    pub fn total(&self) -> u32 { 1 }
}
//- /docs/guide.md
# Guide

Opening words.

## Retries

How long a retry waits is decided by `retry_delay`, see [the source](../src/lib.rs), [below](#totals),
[nothing](missing.md) and <https://example.org>.

```sh
make retries
```

## Totals

`Basket::total` sums a basket; a bare `total` is ambiguous, and `retry_dela` is nothing.
//- /docs/api.rst
API
===

The waits of a retry are described for :func:`shop.retry_delay`.
//- /web/page.mdx
import X from \"x\"

# Page

A retry in the browser.
//- /lab/waits.ipynb
{\"cells\": [
 {\"cell_type\": \"markdown\", \"source\": [\"# Waits\\n\", \"\\n\", \"Each retry \\\"waits\\\" longer: `retry_delay`.\"]},
 {\"cell_type\": \"code\", \"source\": \"plot(waits)\"}
]}
//- /py/tool.py
def backoff(n):
    \"\"\"Waits before a retry.\"\"\"
    return n
";

fn search(world: &World, query: &str) -> Vec<Value> {
    let answer = world.ask("search", json!({ "query": query, "target": "documentation", "include": ["source"] }));
    answer["results"].as_array().expect("a list").clone()
}

/// The hit of the block that begins at `place`.
fn at<'a>(hits: &'a [Value], path: &str, line: u64) -> &'a Value {
    let found = hits.iter().find(|hit| hit["path"] == path && hit["line"] == line);
    found.unwrap_or_else(|| panic!("no block at {path}:{line} in {hits:#?}"))
}

#[test]
fn blocks_of_every_format_answer() {
    let world = World::new(PROJECT, 2);
    let hits = search(&world, "retry waits");
    for (path, line, headings, matched) in [
        ("docs/guide.md", 7, json!(["Guide", "Retries"]), "content"),
        ("docs/api.rst", 4, json!(["API"]), "content"),
        ("lab/waits.ipynb", 2, json!(["Waits"]), "content"),
        ("src/lib.rs", 1, Value::Null, "documentation"),
        ("py/tool.py", 2, Value::Null, "documentation"),
    ] {
        let hit = at(&hits, path, line);
        assert_eq!(hit["hit"]["target"], "documentation");
        assert_eq!(hit["hit"]["heading_path"], headings, "{path}");
        assert_eq!(hit["matched_by"], json!([matched]), "{path}");
        assert_eq!(hit["hit"]["block"].as_str().map(str::len), Some(64));
    }
    // Every term comes before one of them.
    let mut places: Vec<&str> = hits.iter().filter_map(|hit| hit["path"].as_str()).collect();
    assert!(places.split_off(5).contains(&"web/page.mdx"), "{hits:#?}");
    places.sort_unstable();
    assert_eq!(places, ["docs/api.rst", "docs/guide.md", "lab/waits.ipynb", "py/tool.py", "src/lib.rs"]);
    let notebook = at(&hits, "lab/waits.ipynb", 2);
    assert_eq!(notebook["source"], "Each retry \"waits\" longer: `retry_delay`.");
    let python = at(&hits, "py/tool.py", 2);
    assert_eq!(python["source"], "\"\"\"Waits before a retry.\"\"\"");
    assert_eq!(python["hit"]["symbol"], "rift://symbol/local/python/py/tool/backoff");
}

#[test]
fn ranges_cover_the_blocks_in_their_files() {
    let world = World::new(PROJECT, 2);
    for hit in search(&world, "retry waits") {
        let path = hit["path"].as_str().expect("a path");
        let text = std::fs::read_to_string(world.root().join(path)).expect("there");
        let bytes = |name: &str| usize::try_from(hit["range"][name].as_u64().expect("an offset")).expect("small");
        let covered = &text[bytes("start")..bytes("end")];
        let source = hit["source"].as_str().expect("asked for");
        match path {
            // The JSON that spells it.
            "lab/waits.ipynb" => {
                assert_eq!(serde_json::from_str::<String>(&format!("\"{covered}\"")).expect("JSON"), source)
            }
            _ => assert_eq!(covered, source, "{path}"),
        }
    }
}

#[test]
fn prose_names_symbols_and_leads_somewhere() {
    let world = World::new(PROJECT, 2);
    let delay = "rift://symbol/local/rust/shop/retry_delay";
    let hits = search(&world, "how long a retry waits is decided");
    let block = &at(&hits, "docs/guide.md", 7)["hit"];
    assert_eq!(block["symbol"], delay);
    assert_eq!(block["references"][0]["evidence"], "unique_name");
    assert_eq!(block["references"][0]["authored"], "retry_delay");
    let links: Vec<&Value> = block["links"].as_array().expect("links").iter().map(|link| &link["resolution"]).collect();
    assert_eq!(
        links[0],
        &json!({"outcome": "resolved", "target": {"kind": "source", "unit": "rift://source/project/src/lib.rs"}})
    );
    let totals = search(&world, "sums a basket");
    assert_eq!(links[1]["target"]["block"], totals[0]["hit"]["block"], "{links:?}");
    assert_eq!(links[2], &json!({"outcome": "unresolved", "reason": "missing"}));
    assert_eq!(links[3], &json!({"outcome": "unresolved", "reason": "external"}));
    // `total` alone may mean two, `Basket::total` one.
    let names = &totals[0]["hit"]["references"];
    assert_eq!(names.as_array().map(Vec::len), Some(1), "{names}");
    assert_eq!(names[0]["target"], "rift://symbol/local/rust/shop/basket/Basket/total");
    assert_eq!(names[0]["evidence"], "qualified_name");
}

#[test]
fn a_symbol_is_read_with_what_refers_to_it() {
    let world = World::new(PROJECT, 2);
    let id = "rift://symbol/local/rust/shop/retry_delay";
    let answer = world.ask("get_symbol", json!({ "id": id, "include": ["documentation"] }));
    let blocks = answer["documentation"]["blocks"].as_array().expect("blocks");
    let places: Vec<(&str, &str)> = blocks
        .iter()
        .filter_map(|found| Some((found["block"]["path"].as_str()?, found["reference"]["evidence"].as_str()?)))
        .collect();
    // The qualified name is the stronger evidence; then paths.
    let expected =
        [("docs/api.rst", "qualified_name"), ("docs/guide.md", "unique_name"), ("lab/waits.ipynb", "unique_name")];
    assert_eq!(places, expected);
    assert!(blocks[1]["source"]["text"].as_str().is_some_and(|text| text.starts_with("How long a retry waits")));
    let ambiguous = json!({ "id": "rift://symbol/local/rust/shop/basket/Order/total", "include": ["documentation"] });
    assert_eq!(world.ask("get_symbol", ambiguous)["documentation"]["blocks"], json!([]));
    assert!(world.ask("get_symbol", json!({ "id": id })).get("documentation").is_none());
}

#[test]
fn phrases_paths_and_orders_hold() {
    let world = World::new(PROJECT, 2);
    let paths = |arguments: Value| -> Vec<String> {
        let answer = world.ask("search", arguments);
        let hits = answer["results"].as_array().expect("a list");
        hits.iter().filter_map(|hit| hit["path"].as_str().map(str::to_owned)).collect()
    };
    let mut phrase = paths(json!({ "query": "\"retry waits\"", "target": "documentation" }));
    phrase.sort();
    assert_eq!(phrase, ["docs/guide.md", "lab/waits.ipynb", "src/lib.rs"]);
    let narrowed = json!({ "query": "retry", "target": "documentation", "paths": { "include": ["web/**", "py/**"] } });
    let mut found = paths(narrowed);
    found.sort();
    assert_eq!(found, ["py/tool.py", "web/page.mdx"]);
    let ordered = paths(json!({ "query": "retry waits", "target": "documentation", "order": "path" }));
    assert!(ordered.len() > 4 && ordered.is_sorted(), "{ordered:?}");
    let paged = json!({ "query": "retry waits", "target": "documentation", "limit": 2, "page_index": 1 });
    let whole = paths(json!({ "query": "retry waits", "target": "documentation" }));
    assert_eq!(paths(paged), whole[2..4]);
    let refused = SearchParams::parse(json!({ "pattern": "retry", "target": "documentation" })).expect("well formed");
    let failure = rift_tools::search(&world.host, &refused, &rift_base::Deadline::never()).expect_err("not served");
    assert_eq!(failure.data.code.word(), "capability_unavailable");
}

/// Where all is asked for, a document answers with its block, in place of the file.
#[test]
fn a_document_among_all_answers_with_its_block() {
    let world = World::new(PROJECT, 2);
    let answer = world.ask("search", json!({ "query": "waits of a retry are described" }));
    let hit = answer["results"].as_array().and_then(|hits| hits.iter().find(|hit| hit["path"] == "docs/api.rst"));
    assert_eq!(hit.expect("found")["hit"]["target"], "documentation");
    let files = world.ask("search", json!({ "query": "waits of a retry are described", "target": "file" }));
    assert!(files["results"].as_array().expect("a list").iter().all(|hit| hit["hit"]["target"] == "file"));
}

#[test]
fn an_edit_of_a_document_is_in_the_next_answer() {
    let world = World::new(PROJECT, 2);
    let before = search(&world, "retry waits");
    let (_, executed) = world.host.executed(|| {
        world.edit("docs/api.rst", "API\n===\n\nFirst.\n\nPart\n----\n\nThe waits of every retry.\n");
        search(&world, "retry waits")
    });
    let documents: Vec<&String> = executed.iter().filter(|query| query.starts_with("documentation(")).collect();
    assert_eq!(documents, ["documentation(/docs/api.rst)"]);
    let after = search(&world, "retry waits");
    assert_eq!(at(&after, "docs/api.rst", 9)["hit"]["heading_path"], json!(["API", "Part"]));
    // What was not edited keeps its identity.
    assert_eq!(at(&before, "docs/guide.md", 7)["hit"]["block"], at(&after, "docs/guide.md", 7)["hit"]["block"]);
    let fresh = World::open(super::copy(&world), 1);
    assert_eq!(after, search(&fresh, "retry waits"), "incremental equals from scratch");
}

/// A document that cannot be read whole is named.
#[test]
fn a_broken_notebook_is_named() {
    let world = World::new("//- /a.ipynb\n{\"cells\": [\"xylophone\"\n//- /b.md\nA xylophone.\n", 1);
    let answer = world.raw("search", json!({ "query": "xylophone", "target": "documentation" }));
    assert_eq!(answer["results"].as_array().map(Vec::len), Some(1));
    let expected = json!({
        "code": "documentation",
        "warning": {
            "source": {"kind": "project", "path": "a.ipynb"}, "stage": "extract", "failure": "malformed", "omitted": 0
        }
    });
    assert_eq!(answer["warnings"], json!([expected]));
}
