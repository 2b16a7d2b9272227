//! Walks along what declarations say of each other by where they stand, and symbols that share a path.

use serde_json::{Value, json};

use super::{PRICE, World, hits};

#[test]
fn what_a_class_contains_and_what_its_members_override() {
    let world = World::new();
    let walk = |seed: &str, direction: &str, facet: &str| {
        let answer = world.walk(json!({ "seed": seed, "direction": direction, "facets": [facet] }));
        (hits(&answer), answer)
    };
    let (gross, price) = ("rift://symbol/local/python/shop/price/Gross/cents", format!("{PRICE}/cents"));
    let (found, answer) = walk(gross, "outgoing", "overrides");
    assert_eq!(found, ["shop/price/Price/cents 1 overrides"]);
    let relationship = &answer["results"][0]["traversal_path"][0]["relationship"];
    assert_eq!(relationship["derivation"], "syntax");
    // The name of the overriding method, which stands in the file of both.
    assert!(relationship["evidence"][0].as_str().expect("evidence").contains("shop/price.py"), "{relationship}");
    assert_eq!(walk(&price, "incoming", "overrides").0, ["shop/price/Gross/cents 1 overrides"]);
    assert_eq!(walk(&price, "outgoing", "overrides").0, [""; 0]);
    assert_eq!(
        walk(PRICE, "outgoing", "contains").0,
        ["shop/price/Price/double 1 contains", "shop/price/Price/cents 1 contains"]
    );
    assert_eq!(walk(&price, "incoming", "contains").0, ["shop/price/Price 1 contains"]);
}

#[test]
fn overloads_and_a_field_beside_its_getter_have_callers_of_their_own() {
    let world = World::new();
    let text = "package p;\nclass Tools {\n    int size;\n    int size() { return size; }\n    void put(int n) {}\n\
                void put(int n, int m) {}\n    void get(int n) {}\n    void get(String s) {}\n    void one() { put(1); }\n\
                void two() { put(1, 2); size(); }\n    void any() { get(1); }\n}\nclass More extends Tools {\n\
                void put(int n) {}\n    void put(int n, int m, int o) {}\n}\n";
    world.edit("src/p/Tools.java", text);
    // An occurrence's identity names the revision, too: found by a search, and compared without.
    let bare = |id: &str| {
        let name = id.rsplit("java/p/").next().expect("java");
        name.split("?rev").next().expect("one part").to_owned()
    };
    let identity = |name: &str| {
        let word = name.split(['/', '~']).nth(1).expect("a member");
        let answer = world.ask(json!({ "query": word, "target": "symbol", "limit": 50 })).expect("answers");
        let results = answer["results"].as_array().expect("results");
        let mut ids = results.iter().filter_map(|hit| hit["hit"]["symbol"]["id"].as_str());
        ids.find(|id| bare(id) == name).unwrap_or_else(|| panic!("{name} in {answer}")).to_owned()
    };
    let walk = |seed: &str, facet: &str| {
        let answer = world.walk(json!({ "seed": identity(seed), "facets": [facet] }));
        let results = answer["results"].as_array().expect("results");
        let hit = |hit: &Value| {
            let relationship = &hit["traversal_path"][0]["relationship"];
            let name = bare(hit["hit"]["symbol"]["id"].as_str().expect("an identity"));
            let (derivation, confidence) = (relationship["derivation"].as_str(), relationship["confidence"].as_f64());
            format!("{name} {} {confidence:?}", derivation.expect("derived"))
        };
        results.iter().map(hit).collect::<Vec<_>>()
    };
    assert_eq!(walk("Tools/put~1", "calls"), ["Tools/one syntax None"]);
    assert_eq!(walk("Tools/put~2", "calls"), ["Tools/two syntax None"]);
    assert_eq!(walk("Tools/size~1", "references"), ["Tools/size~2 syntax None"]);
    assert_eq!(walk("Tools/size~2", "references"), ["Tools/two syntax None"]);
    // What only the arguments' types tell.
    assert_eq!(walk("Tools/get~1", "calls"), ["Tools/any heuristic Some(0.5)"]);
    assert_eq!(walk("Tools/get~2", "calls"), ["Tools/any heuristic Some(0.5)"]);
    assert_eq!(walk("Tools/put~1", "overrides"), ["More/put~1 syntax None"]);
    assert_eq!(walk("Tools/put~2", "overrides"), [""; 0], "three parameters override none of two");
}

/// The symbol called `name` (its path, as identities end) that a search for `word` finds.
fn identity(world: &World, word: &str, name: &str) -> String {
    let answer = world.ask(json!({ "query": word, "target": "symbol", "limit": 50 })).expect("answers");
    let results = answer["results"].as_array().expect("results");
    let mut ids = results.iter().filter_map(|hit| hit["hit"]["symbol"]["id"].as_str());
    let found = ids.find(|id| id.split("?rev").next().is_some_and(|id| id.ends_with(name)));
    found.unwrap_or_else(|| panic!("{name} in {answer}")).to_owned()
}

/// What overrides the symbol called `name`, each as the last two names of its path, how sure it is, and its confidence.
fn overriders(world: &World, word: &str, name: &str) -> Vec<String> {
    let answer = world.walk(json!({ "seed": identity(world, word, name), "facets": ["overrides"] }));
    let hit = |hit: &Value| {
        let relationship = &hit["traversal_path"][0]["relationship"];
        let id = hit["hit"]["symbol"]["id"].as_str().expect("an identity");
        let mut names = id.split("?rev").next().expect("one part").rsplit('/');
        let (last, above) = (names.next().expect("a name"), names.next().expect("a container"));
        format!("{above}/{last} {} {:?}", relationship["derivation"], relationship["confidence"].as_f64())
    };
    answer["results"].as_array().expect("results").iter().map(hit).collect()
}

#[test]
fn a_function_of_cpp_overrides_a_virtual_one_that_takes_the_same() {
    let world = World::new();
    let text = "struct Shape {\n    virtual int area(int unit) { return unit; }\n    int edges() { return 0; }\n};\n\
                struct Square : Shape {\n    int area(int unit) override { return 4; }\n    int edges() { return 4; }\n};\n\
                struct Circle : Shape {\n    int area(int unit) { return 3; }\n    int area() { return 5; }\n};\n";
    world.edit("shape.cpp", text);
    assert_eq!(
        overriders(&world, "area", "Shape/area"),
        ["Square/area \"syntax\" None", "Circle/area~1 \"syntax\" None"]
    );
    assert_eq!(overriders(&world, "edges", "Shape/edges"), [""; 0], "it hides what is not virtual");
}

#[test]
fn a_method_of_typescript_overrides_that_of_a_class_and_of_an_interface() {
    let world = World::new();
    let text = "export interface Shape { area(): number; }\n\
                export class Base {\n    name() { return 'base'; }\n    static make() {}\n    private own() {}\n}\n";
    world.edit("web/shape.ts", text);
    let text = "import { Base, Shape } from './shape';\n\
                export class Square extends Base implements Shape {\n    area() { return 4; }\n    name() { return 'square'; }\n    \
                static make() {}\n    own() {}\n}\n";
    world.edit("web/square.ts", text);
    assert_eq!(overriders(&world, "area", "Shape/area"), ["Square/area \"syntax\" None"]);
    assert_eq!(overriders(&world, "name", "Base/name"), ["Square/name \"syntax\" None"]);
    assert_eq!(overriders(&world, "own", "Base/own"), [""; 0], "nothing inherits what is private");
    assert_eq!(overriders(&world, "make", "Base/make"), [""; 0], "functions of the class stand for themselves");
}

#[test]
fn a_function_of_rust_overrides_that_of_the_trait_that_its_block_implements() {
    let world = World::new();
    world.edit("Cargo.toml", "[package]\nname = \"zoo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    let text = "pub trait Walk { fn step(&self) {} }\npub trait Fly { fn step(&self); }\npub struct Duck;\n\
                impl Walk for Duck { fn step(&self) {} }\nimpl Fly for Duck { fn step(&self) {} }\n\
                pub struct Goose;\nimpl Goose { pub fn step(&self) {} }\nimpl Walk for Goose {}\n";
    world.edit("src/lib.rs", text);
    assert_eq!(overriders(&world, "step", "Walk/step"), ["Duck/step~1 \"syntax\" None"]);
    assert_eq!(overriders(&world, "step", "Fly/step"), ["Duck/step~2 \"syntax\" None"]);
}
