//! Walks along relationships: what refers to a symbol, and what it refers to.
#![allow(clippy::disallowed_methods)]

mod structure;

use rift_base::{Deadline, ProjectPath};
use rift_host::{Following, Host, HostOptions, find_root};
use rift_protocol::{Failure, Request, SearchParams};
use rift_testkit::Fixture;
use serde_json::{Value, json};
use tempfile::TempDir;

const PROJECT: &str = "
//- /shop/__init__.py
from .price import Price as Cost
from .price import discount
//- /shop/price.py
class Price:
    def double(self):
        return self.cents()

    def cents(self) -> int:
        return 1

class Gross(Price):
    def cents(self) -> int:
        return discount(2)

def discount(n):
    return n
//- /app.py
import missing
from shop import Cost, discount

def total(cost: Cost):
    missing.call()
    return cost.double()

def main():
    return total(Cost())

def report():
    return main()

Cost()
//- /tests/test_price.py
from shop.price import discount

def test_discount():
    assert discount(1) == 1
//- /notes.json
{\"total\": 1}
";

const PRICE: &str = "rift://symbol/local/python/shop/price/Price";
const DISCOUNT: &str = "rift://symbol/local/python/shop/price/discount";

struct World {
    folder: TempDir,
    host: Host,
    _cache: TempDir,
}

impl World {
    fn new() -> Self {
        Self::opened(true)
    }

    fn opened(binds: bool) -> Self {
        let (folder, cache) = (tempfile::tempdir().expect("temp"), tempfile::tempdir().expect("temp"));
        for file in Fixture::parse(PROJECT).files {
            write(folder.path(), &file.path, &file.text);
        }
        let cache_base = Some(cache.path().to_owned());
        let options = HostOptions { cache_base, following: Following::Told, binds, ..HostOptions::default() };
        let host = Host::open(find_root(folder.path()).expect("a folder"), &options).expect("opens");
        host.prepare_in_background();
        host.wait_prepared(&Deadline::never(), |_| ()).expect("no deadline").expect("prepares");
        Self { folder, host, _cache: cache }
    }

    fn edit(&self, path: &str, text: &str) {
        write(self.folder.path(), path, text);
        assert!(self.host.refresh(&[ProjectPath::new(path).expect("valid")]).expect("refreshes"));
    }

    fn ask(&self, arguments: Value) -> Result<Value, Failure> {
        let params = SearchParams::parse(arguments)?;
        let answer = rift_tools::search(&self.host, &params, &Deadline::never())?;
        Ok(serde_json::to_value(answer).expect("serializes"))
    }

    fn walk(&self, traversal: Value) -> Value {
        self.ask(json!({ "traversal": traversal })).expect("answers")
    }
}

fn write(root: &std::path::Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("has one")).expect("creates");
    std::fs::write(path, text).expect("writes");
}

/// The hits as `name distance first-facets…`.
fn hits(answer: &Value) -> Vec<String> {
    let results = answer["results"].as_array().expect("results");
    let hit = |hit: &Value| {
        let name = hit["hit"]["symbol"]["id"].as_str().expect("an identity").rsplit("python/").next();
        let hop = hit["traversal_path"].as_array().and_then(|hops| hops.last()).expect("a hop");
        let facets: Vec<&str> =
            hop["relationship"]["facets"].as_array().expect("facets").iter().filter_map(Value::as_str).collect();
        format!("{} {} {}", name.expect("python"), hit["distance"], facets.join(" "))
    };
    results.iter().map(hit).collect()
}

fn warnings(answer: &Value) -> Vec<&str> {
    let found = answer["warnings"].as_array().map(Vec::as_slice).unwrap_or_default();
    found.iter().filter_map(|warning| warning["code"].as_str()).collect()
}

#[test]
fn who_refers_to_a_class_through_another_name() {
    let world = World::new();
    let answer = world.walk(json!({ "seed": PRICE }));
    assert_eq!(
        hits(&answer),
        [
            "app/total 1 references has_type",
            "app/main 1 references calls instantiates",
            "shop/price/Gross 1 references extends",
        ]
    );
    assert_eq!(warnings(&answer), ["engine_analysis_unavailable"]);
    let detail = answer["warnings"][0]["detail"].as_str().expect("a detail");
    assert!(detail.contains("uses stand outside any declaration, in app.py"), "{detail}");
    let first = &answer["results"][0];
    assert_eq!(first["matched_by"], json!(["relationship"]));
    let relationship = &first["traversal_path"][0]["relationship"];
    assert_eq!(relationship["to"], PRICE);
    assert_eq!(relationship["derivation"], "syntax");
    assert_eq!(first["traversal_path"][0]["direction"], "incoming");
    let evidence = relationship["evidence"][0].as_str().expect("evidence");
    assert!(evidence.starts_with("rift://node/"), "{evidence}");
}

#[test]
fn two_steps_back_and_the_way_to_one_symbol() {
    let world = World::new();
    let double = format!("{PRICE}/double");
    let answer = world.walk(json!({ "seed": double, "depth": 2 }));
    assert_eq!(hits(&answer), ["app/total 1 references calls", "app/main 2 references calls"]);
    let main = "rift://symbol/local/python/app/main";
    let answer = world.walk(json!({ "seed": double, "depth": 2, "to": main }));
    assert_eq!(hits(&answer), ["app/main 2 references calls"]);
    assert_eq!(
        answer["results"][0]["traversal_path"][0]["relationship"]["from"],
        "rift://symbol/local/python/app/total"
    );
    let out_of_reach = world.walk(json!({ "seed": double, "depth": 1, "to": main }));
    assert_eq!(hits(&out_of_reach), [""; 0]);
}

#[test]
fn what_a_function_calls_and_what_is_dropped() {
    let world = World::new();
    let answer = world.walk(json!({ "seed": "rift://symbol/local/python/app/total", "direction": "outgoing" }));
    assert_eq!(hits(&answer), ["shop/price/Price/double 1 calls"]);
    assert_eq!(
        warnings(&answer),
        ["engine_analysis_unavailable", "callees_dropped", "global_access_disabled"],
        "missing.call() leads nowhere"
    );
    assert_eq!(answer["warnings"][1]["callees"], 1);
}

#[test]
fn relationships_narrow_the_walk() {
    let world = World::new();
    let extends = world.walk(json!({ "seed": PRICE, "facets": ["extends"] }));
    assert_eq!(hits(&extends), ["shop/price/Gross 1 extends"]);
    let tests = world.walk(json!({ "seed": DISCOUNT, "facets": ["tests"] }));
    assert_eq!(hits(&tests), ["tests/test_price/test_discount 1 tests"]);
    let some = world.walk(json!({ "seed": PRICE, "facets": ["extends", "generates"] }));
    assert_eq!(hits(&some), ["shop/price/Gross 1 extends"]);
    assert_eq!(warnings(&some)[0], "relationship_coverage_missing");
    let none = world.ask(json!({ "traversal": { "seed": PRICE, "facets": ["generates"] } })).expect_err("a refusal");
    assert_eq!(serde_json::to_value(none.code()).expect("a word"), "capability_unavailable");
}

#[test]
fn refusals_name_what_is_wrong() {
    let world = World::new();
    let refusal = |arguments: Value| {
        let failure = world.ask(arguments).expect_err("a refusal");
        (serde_json::to_value(failure.code()).expect("a word"), failure.to_string())
    };
    let (code, message) = refusal(json!({ "traversal": { "seed": format!("{PRICE}/nothing") } }));
    assert_eq!(code, "resource_not_found", "{message}");
    let (code, message) = refusal(json!({ "traversal": { "seed": "rift://symbol/local/json/notes.json/total" } }));
    assert_eq!(code, "capability_unavailable");
    assert!(message.contains("relationship traversal"), "{message}");
    let (code, _) = refusal(json!({ "traversal": { "seed": PRICE }, "rev": "HEAD" }));
    assert_eq!(code, "capability_unavailable");
}

#[test]
fn a_walk_beside_a_query_marks_what_both_reach() {
    let world = World::new();
    let answer = world
        .ask(json!({ "query": "total", "target": "symbol", "include": ["score"], "traversal": { "seed": PRICE } }))
        .expect("answers");
    let results = answer["results"].as_array().expect("results");
    assert_eq!(results[0]["hit"]["symbol"]["name"], "total");
    assert!(results[0]["score"].is_number());
    assert_eq!(results[0]["distance"], 1);
    let matched: Vec<&str> =
        results[0]["matched_by"].as_array().expect("fields").iter().filter_map(Value::as_str).collect();
    assert!(matched.contains(&"name") && matched.contains(&"relationship"), "{matched:?}");
    let walked: Vec<&Value> = results.iter().filter(|hit| hit["distance"].is_number()).collect();
    assert_eq!(walked.len(), 3, "what the walk alone reached stands behind: {answer}");
}

#[test]
fn edits_show_at_once_and_pages_stay() {
    let world = World::new();
    let first = world.ask(json!({ "traversal": { "seed": PRICE }, "limit": 2 })).expect("answers");
    assert_eq!(first["pagination"]["total_pages"], 2);
    world.edit("app.py", "from shop import Cost\n\ndef only(c: Cost):\n    return c.double()\n");
    let now = world.walk(json!({ "seed": PRICE }));
    assert_eq!(hits(&now), ["app/only 1 references has_type", "shop/price/Gross 1 references extends"]);
    let second = world
        .ask(json!({ "traversal": { "seed": PRICE }, "limit": 2, "page_index": 1, "view": first["view"]["id"] }))
        .expect("answers");
    assert_eq!(hits(&second), ["shop/price/Gross 1 references extends"]);
    assert_eq!(second["view"]["id"], first["view"]["id"]);
}

/// The database is asked for the bindings of the files that name the symbol, and of no others.
#[test]
fn a_second_walk_executes_nothing() {
    // Without the thread that counts, which binds every file.
    let world = World::opened(false);
    let question = json!({ "seed": DISCOUNT });
    let (answer, executed) = world.host.executed(|| world.walk(question.clone()));
    assert_eq!(
        hits(&answer),
        ["shop/price/Gross/cents 1 references calls", "tests/test_price/test_discount 1 references calls tests"]
    );
    let bound: Vec<&String> = executed.iter().filter(|key| key.starts_with("bindings(")).collect();
    assert_eq!(bound.len(), 4, "{bound:?}");
    let (_, again) = world.host.executed(|| world.walk(question.clone()));
    assert_eq!(again, [""; 0]);
    world.edit("app.py", "x = 1\n");
    let (_, after) = world.host.executed(|| world.walk(question));
    assert!(after.iter().all(|key| !key.starts_with("bindings(")), "an edit elsewhere binds nothing again: {after:?}");
}

#[test]
fn the_map_counts_references() {
    let world = World::new();
    let map = || {
        let map = rift_tools::map(&world.host, &Deadline::never()).expect("answers");
        serde_json::to_value(map).expect("serializes")
    };
    let counted = || {
        // Counted behind the answers: until then the map says that it is not.
        let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
        loop {
            let map = map();
            let lacks = warnings(&map).contains(&"relationship_coverage_missing");
            if !lacks {
                return map;
            }
            assert!(std::time::Instant::now() < until, "{map}");
            std::thread::yield_now();
        }
    };
    let map = counted();
    // Three imports and uses of the class from app.py, one in the package, one base; five of the function.
    assert_eq!(
        map["hubs"].as_array().expect("hubs").iter().take(2).collect::<Vec<_>>(),
        [
            &json!({ "symbol": PRICE, "kind": "class", "references": 6 }),
            &json!({ "symbol": DISCOUNT, "kind": "function", "references": 5 }),
        ]
    );
    assert_eq!(
        map["module_relationships"],
        json!([
            { "from": "", "to": "shop", "references": 6 },
            { "from": "tests", "to": "shop", "references": 2 },
        ])
    );
    world.edit("tests/test_price.py", "x = 1\n");
    let map = counted();
    assert_eq!(map["module_relationships"], json!([{ "from": "", "to": "shop", "references": 6 }]));
}
