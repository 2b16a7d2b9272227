//! Names and reads that several modules need.

use rift_tests::{Answer, Client};
use serde_json::{Value, json};

/// The project with known content in every language: `testdata/projects/polyglot`.
pub(crate) const POLYGLOT: &str = "polyglot";

/// The function that most tests ask for.
pub(crate) const LOAD_CONFIG: &str = "rift://symbol/local/rust/example_shop/config/load_config";

/// The identities of the symbol hits of a search, in order.
pub(crate) fn symbol_ids(answer: &Answer) -> Vec<&str> {
    let symbols = hits(answer).iter().filter(|hit| hit["hit"]["target"] == "symbol");
    symbols.map(|hit| hit["hit"]["symbol"]["id"].as_str().unwrap_or("")).collect()
}

/// The paths of the hits of a search, in order.
pub(crate) fn hit_paths(answer: &Answer) -> Vec<&str> {
    hits(answer).iter().map(|hit| hit["path"].as_str().expect("a project's hit has a path")).collect()
}

/// The hits of a search.
pub(crate) fn hits(answer: &Answer) -> &[Value] {
    answer.structured()["results"].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The one symbol named exactly `name` that a search for it finds.
#[track_caller]
pub(crate) fn symbol_named(client: &mut Client, name: &str) -> Value {
    let answer = client.call("search", json!({ "query": name, "target": "symbol", "limit": 100 }));
    let named: Vec<&Value> = hits(&answer).iter().filter(|hit| hit["hit"]["symbol"]["name"] == name).collect();
    assert_eq!(named.len(), 1, "one symbol named {name}: {}", answer.text());
    named[0].clone()
}

/// The found symbol of this identity.
#[track_caller]
pub(crate) fn found(client: &mut Client, id: &str) -> Value {
    let answer = client.call("get_symbol", json!({ "id": id }));
    assert_eq!(answer.structured()["outcome"], "found", "{id}: {}", answer.text());
    assert_eq!(answer.structured()["symbol"]["id"], id);
    answer.structured().clone()
}

/// Every path of `rift://workspace`, over all pages.
pub(crate) fn catalog(client: &mut Client) -> Vec<String> {
    let mut paths = Vec::new();
    for page in 0.. {
        let answer = client.read_json(&format!("rift://workspace?page_index={page}"));
        let source = answer["source"].as_array().map(Vec::as_slice).unwrap_or_default();
        paths.extend(source.iter().map(|unit| unit["path"].as_str().expect("a unit has a path").to_owned()));
        if page + 1 >= answer["pagination"]["total_pages"].as_u64().expect("a page count") {
            break;
        }
    }
    paths
}
