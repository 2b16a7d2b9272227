//! The ranking by vectors, over models that the tests make. Without the feature `vectors` there is none, and answers say so.
#![allow(clippy::disallowed_methods)]

use std::path::Path;
use std::time::{Duration, Instant};

use rift_base::Deadline;
use rift_host::{Host, HostOptions, find_root};
use rift_protocol::{Request, SearchParams};
use rift_testkit::{TinyModel, tiny_model};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A deadline that a loaded machine keeps.
const PATIENCE: Duration = Duration::from_secs(120);

const TOPICS: &[&[&str]] = &[&["car", "truck", "vehicle", "drive"], &["apple", "fruit", "eat"], &["paint", "colour"]];

const CONFIG: &str = "[search.vector.embedding]\nkind = \"directory\"\nmodel = \"../model\"\n";

struct World {
    folder: TempDir,
}

impl World {
    fn new(model: &TinyModel) -> Self {
        let world = Self { folder: tempfile::tempdir().expect("temp") };
        world.model(model);
        world.write("rift.toml", CONFIG);
        world.write("garage.py", "def garage():\n    return car, truck\n\ndef pantry():\n    return fruit\n");
        world
            .write("kitchen.py", "def kitchen():\n    return fruit, eat\n\ndef helper(unknown):\n    return unknown\n");
        world.write("notes.md", "# Notes\n\nWhich colour to paint it.\n");
        world.write("data.json", "{\"car\": \"truck\"}\n");
        world
    }

    fn root(&self) -> std::path::PathBuf {
        self.folder.path().join("w")
    }

    fn write(&self, path: &str, text: &str) {
        write(&self.root(), path, text.as_bytes());
    }

    fn model(&self, model: &TinyModel) {
        let folder = self.folder.path().join("model");
        write(&folder, "config.json", &model.config);
        write(&folder, "tokenizer.json", &model.tokenizer);
        write(&folder, "model.safetensors", &model.tensors);
    }

    fn host(&self) -> Host {
        let cache_base = Some(self.folder.path().join("cache"));
        let options = HostOptions { cache_base, ..HostOptions::default() };
        let host = Host::open(find_root(&self.root()).expect("a folder"), &options).expect("opens");
        host.prepare_in_background();
        host.wait_prepared(&Deadline::within(PATIENCE), |_| ()).expect("in time").expect("prepares");
        host
    }
}

fn write(root: &Path, path: &str, bytes: &[u8]) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("has one")).expect("creates");
    std::fs::write(path, bytes).expect("writes");
}

fn search(host: &Host, arguments: Value) -> Value {
    let params = SearchParams::parse(arguments).expect("valid");
    let answer = rift_tools::search(host, &params, &Deadline::within(PATIENCE)).expect("answers");
    serde_json::to_value(answer).expect("serializes")
}

/// The warnings about vectors.
fn told(answer: &Value) -> Vec<(String, String)> {
    let text = |warning: &Value, key: &str| warning[key].as_str().unwrap_or_default().to_owned();
    let all = answer["warnings"].as_array().into_iter().flatten();
    all.map(|w| (text(w, "code"), text(w, "detail"))).filter(|(code, _)| code.starts_with("vector_")).collect()
}

/// The answer once nothing is being prepared any more.
fn settled(host: &Host, arguments: &Value) -> Value {
    let start = Instant::now();
    loop {
        let answer = search(host, arguments.clone());
        if told(&answer).iter().all(|(code, _)| code != "vector_index_preparing") {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "vectors are never made: {answer}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The hits: place and fields that matched.
fn hits(answer: &Value) -> Vec<String> {
    let shown = |hit: &Value| {
        let name = hit["hit"]["symbol"]["name"].as_str().unwrap_or("-");
        format!("{} {name} {}", hit["path"].as_str().unwrap_or_default(), hit["matched_by"])
    };
    answer["results"].as_array().unwrap_or_else(|| panic!("{answer}")).iter().map(shown).collect()
}

#[test]
fn without_a_model_nothing_is_said() {
    let world = World::new(&tiny_model(TOPICS));
    for config in
        ["", "[search.vector]\ndisabled = true\n[search.vector.embedding]\nkind = \"directory\"\nmodel = \"x\"\n"]
    {
        world.write("rift.toml", config);
        let answer = search(&world.host(), json!({ "query": "vehicle" }));
        assert_eq!((told(&answer), hits(&answer)), (vec![], vec![]), "{config}");
    }
}

#[cfg(not(feature = "vectors"))]
#[test]
fn a_build_without_the_feature_says_so() {
    let world = World::new(&tiny_model(TOPICS));
    let answer = settled(&world.host(), &json!({ "query": "garage" }));
    let [(code, detail)] = &told(&answer)[..] else { panic!("{answer}") };
    assert_eq!(code, "vector_ranking_unavailable");
    assert!(detail.contains("--features vectors"), "{detail}");
    assert!(hits(&answer)[0].starts_with("garage.py garage "));
}

#[cfg(feature = "vectors")]
mod with_models {
    use super::*;

    #[test]
    fn words_that_no_text_has_find_what_is_near() {
        let world = World::new(&tiny_model(TOPICS));
        let host = world.host();
        let vehicle = json!({ "query": "vehicle", "include": ["score"] });
        let answer = settled(&host, &vehicle);
        assert_eq!(told(&answer), []);
        assert_eq!(hits(&answer), ["garage.py garage [\"ranked\"]"]);
        let ranking = &answer["results"][0]["ranking"];
        let names: Vec<&str> = ranking.as_array().expect("ranks").iter().filter_map(|r| r["name"].as_str()).collect();
        assert_eq!(names, ["vector", "file"], "{ranking}");
        // The score is the sum that the ranks and weights say.
        let number = |value: &Value| value.as_f64().expect("a number");
        let sum = |hit: &Value| -> f64 {
            let ranks = hit["ranking"].as_array().expect("ranks").iter();
            ranks.map(|r| number(&r["weight"]) / (60.0 + number(&r["rank"]))).sum()
        };
        let mixed = settled(&host, &json!({ "query": "kitchen vehicle fruit", "include": ["score"] }));
        for hit in answer["results"].as_array().into_iter().chain(mixed["results"].as_array()).flatten() {
            assert!((sum(hit) - number(&hit["score"])).abs() < 1e-12, "{hit}");
        }
        assert!(hits(&mixed).iter().any(|hit| hit.starts_with("garage.py garage")), "{mixed}");
        // A document answers with a part of it, and what `paths` and `target` leave out does not.
        let colour = json!({ "query": "painting colour", "target": "file" });
        assert_eq!(hits(&settled(&host, &colour)), ["notes.md - [\"content\"]"]);
        for narrowed in [json!({ "exclude": ["*.py"] }), json!({ "include": ["kitchen.py"] })] {
            assert_eq!(hits(&settled(&host, &json!({ "query": "vehicle", "paths": narrowed }))), Vec::<String>::new());
        }
        assert_eq!(
            hits(&settled(&host, &json!({ "query": "vehicle", "target": "file" }))),
            ["garage.py - [\"ranked\"]"]
        );
    }

    #[test]
    fn edits_are_ranked_and_views_stay_as_they_were() {
        let world = World::new(&tiny_model(TOPICS));
        let host = world.host();
        let vehicle = json!({ "query": "vehicle" });
        let before = settled(&host, &vehicle);
        world.write("garage.py", "def garage():\n    return fruit\n");
        world.write("street.py", "def street():\n    return drive\n");
        let after = settled(&host, &vehicle);
        assert_eq!(hits(&after), ["street.py street [\"ranked\"]"]);
        assert_ne!(after["view"]["id"], before["view"]["id"]);
        let kept = search(&host, json!({ "query": "vehicle", "view": before["view"]["id"] }));
        assert_eq!((hits(&kept), told(&kept)), (hits(&before), vec![]));
        // A whole tree made at once equals one that grew by edits.
        std::fs::remove_dir_all(world.root().join(".rift")).expect("removes");
        drop(host);
        let fresh = settled(&world.host(), &vehicle);
        assert_eq!((hits(&fresh), &fresh["view"]["id"]), (hits(&after), &after["view"]["id"]));
    }

    /// The file of the stored vectors.
    fn stored(world: &World) -> Vec<std::path::PathBuf> {
        let folder = std::fs::read_dir(world.root().join(".rift/vectors")).expect("a folder");
        let mut files: Vec<_> = folder.map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        files
    }

    #[test]
    fn vectors_outlive_the_process_by_model() {
        let world = World::new(&tiny_model(TOPICS));
        let vehicle = json!({ "query": "vehicle" });
        let first = settled(&world.host(), &vehicle);
        let [file] = &stored(&world)[..] else { panic!("one file") };
        let bytes = std::fs::read(file).expect("reads");
        // A second start finds every text, and writes none.
        let second = settled(&world.host(), &vehicle);
        assert_eq!((hits(&second), std::fs::read(file).expect("reads") == bytes), (hits(&first), true));
        // What stands in the file is used: a vector that says otherwise ranks otherwise.
        for (what, damage) in [("cut", &bytes[..bytes.len() / 2]), ("foreign", &b"nothing of the kind"[..])] {
            std::fs::write(file, damage).expect("writes");
            let host = world.host();
            assert_eq!(hits(&settled(&host, &vehicle)), hits(&first), "{what}");
            drop(host);
            let aside = file.with_file_name(format!("{}.corrupt-1", file.file_name().expect("a name").display()));
            assert_eq!(aside.exists(), what == "foreign", "{what}");
            assert_eq!(std::fs::read(file).expect("reads").len(), bytes.len(), "{what}: made anew");
        }
        // Another model has vectors of its own, and the others go.
        world.model(&tiny_model(&[&["car", "fruit", "vehicle"], &["truck", "eat"]]));
        let other = settled(&world.host(), &vehicle);
        assert_ne!(hits(&other), hits(&first));
        assert_eq!(stored(&world).len(), 1);
        assert_ne!(&stored(&world)[0], file);
    }

    #[test]
    fn what_is_no_model_is_told_and_mended_by_the_configuration() {
        let good = tiny_model(TOPICS);
        let flip = |bytes: &[u8]| bytes.iter().rev().copied().collect::<Vec<u8>>();
        // A table of fewer rows than words.
        let short = tiny_model(&[&["car"], &[], &[]]).tensors;
        let unfit = [
            TinyModel { config: b"{".to_vec(), ..good.clone() },
            TinyModel { tokenizer: b"{}".to_vec(), ..good.clone() },
            TinyModel { tokenizer: flip(&good.tokenizer), ..good.clone() },
            TinyModel { tensors: Vec::new(), ..good.clone() },
            TinyModel { tensors: flip(&good.tensors), ..good.clone() },
            TinyModel { tensors: good.tensors[..good.tensors.len() - 4].to_vec(), ..good.clone() },
            TinyModel { tensors: short, ..good.clone() },
        ];
        for (at, model) in unfit.iter().enumerate() {
            let world = World::new(model);
            let host = world.host();
            let answer = settled(&host, &json!({ "query": "garage" }));
            let [(code, detail)] = &told(&answer)[..] else { panic!("{at}: {answer}") };
            assert_eq!(code, "vector_ranking_unavailable", "{at}: {detail}");
            assert!(hits(&answer)[0].starts_with("garage.py garage "), "{at}");
        }
        let world = World::new(&good);
        world.write("rift.toml", &CONFIG.replace("../model", "../absent"));
        let host = world.host();
        let vehicle = json!({ "query": "vehicle" });
        let absent = settled(&host, &vehicle);
        assert!(told(&absent)[0].1.contains("config.json"), "{absent}");
        world.write("rift.toml", CONFIG);
        assert_eq!(hits(&settled(&host, &vehicle)), ["garage.py garage [\"ranked\"]"]);
        world.write("rift.toml", "");
        assert_eq!((hits(&settled(&host, &vehicle)), told(&settled(&host, &vehicle))), (vec![], vec![]));
    }

    #[test]
    fn more_vectors_than_the_bound_rank_nothing() {
        let world = World::new(&tiny_model(TOPICS));
        let functions: String = (0..1000).map(|n| format!("def drive_{n}():\n    return drive\n\n")).collect();
        world.write("many.py", &functions);
        world.write("rift.toml", &format!("search.vector.max_vectors = 1000\n{CONFIG}"));
        let host = world.host();
        let answer = settled(&host, &json!({ "query": "vehicle" }));
        assert!(told(&answer)[0].1.contains("max_vectors = 1000"), "{answer}");
        world.write("many.py", "");
        assert_eq!(told(&settled(&host, &json!({ "query": "vehicle" }))), []);
    }
}
