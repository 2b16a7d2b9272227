//! `search` with `pattern`, held against ripgrep over the same tree, and what the requests around it answer.

use std::collections::BTreeSet;

use rift_tests::{Client, Peer, Project, peer, rift};
use serde_json::{Value, json};

use crate::support::{LOAD_CONFIG, POLYGLOT, hit_paths, hits, symbol_ids};

/// A match: file, line, first byte, byte behind the last.
type Match = (String, u64, u64, u64);

/// Texts that pattern searches stumble over.
fn odd() -> Project {
    let project = Project::with([
        ("src/main.rs", "fn main() {\n    let config = load(\"é.toml\");\n\n    run(&config); // TODO: later\n}\n"),
        ("src/dos.py", "def load(name):\r\n    return name\r\n\r\n# end\r\n"),
        ("src/mixed.txt", "one\r\ntwo\nthree\r\n\nfour"),
        ("src/no_final_feed.go", "package main\n\nfunc load() error { return nil }"),
        ("src/empty.js", ""),
        ("src/one_feed.js", "\n"),
        ("src/blank.js", "  \n\t\n\n"),
        ("dist/app.min.js", &format!("var a=1;{}function load(){{}};{}", "b(a);".repeat(400), "c[a]=a+1,".repeat(400))),
        ("docs/größe.md", "# Größe\n\nStraße, STRASSE, ſtraße, \u{212A}elvin, ΣΊΣΥΦΟΣ σίσυφος.\n\u{1F600} ok\n"),
        ("data/hash.txt", "da39a3ee5e6b4b0d3255bfef95601890afd80709  empty\nnone\n"),
        ("deep/a/b/c/d.yaml", "name: load\nkeys:\n  - a-b\n  - \"c:d\"\n"),
        ("a.b/c.txt", "sorts between\n"),
        ("a/c.txt", "sorts behind\n"),
        (".hidden/load.cfg", "load = yes\n"),
        (".gitignore", "ignored/\n"),
        ("ignored/load.rs", "fn load() {}\n"),
        ("Cargo.lock", "name = \"load\"\n"),
    ]);
    let wide = |text: &str, little: bool| {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(|u| if little { u.to_le_bytes() } else { u.to_be_bytes() }).collect::<Vec<u8>>()
    };
    project.write("wide/little.cs", wide("class Load {\r\n  // größe 1\r\n}\r\n", true));
    project.write("wide/big.cs", wide("class Load {\n  int load;\n}", false));
    project.write("src/marked.cs", "\u{feff}class Load { }\r\n");
    project.write("src/latin.c", b"int load; /* gr\xf6\xdfe */\n");
    project.write("data/binary.bin", b"load\0load\n");
    project
}

const PATTERNS: &[&str] = &[
    "load",
    "LOAD",
    "(?i)load",
    "Load",
    "fn ",
    "fn",
    "a",
    "^",
    "$",
    "^$",
    "x*",
    ".",
    "..",
    "^.",
    ".$",
    r"\r",
    r"\r$",
    r"e\r$",
    r"\s+$",
    r"^\s+\S",
    r"\w+",
    r"\W+",
    r"\bload\b",
    r"\Bo",
    r"load\(",
    r"load\w*\s*\(",
    "[0-9a-f]{40}",
    "[^a-z]+",
    "[[:upper:]]{2,}",
    r"\d",
    r"\p{Lu}\p{Ll}+",
    r"\p{Greek}+",
    "größe",
    "(?i)größe",
    "(?i)straße",
    "(?i)kelvin",
    "(?i)σίσυφος",
    "ſ",
    "(?i)s{2}e",
    "(?-u:\\w)+e",
    r"\x{1F600}",
    "load|return|TODO",
    "(one|two|three)$",
    "^(#|//)",
    "a{2,}",
    "(?:ab?)+",
    "name|",
    "(?i)TODO: *later",
    "b\\(a\\);c",
    "[ \t]+$",
    "=.*;$",
    "e$",
    "\\.",
    "é",
    "(?x) l o a d",
    "[a-z&&[^o]]{5}",
    "\\$|\\^",
    "sorts \\w+",
    "    ",
    r"\{",
    "}",
    r"\{\n",
    r"\n\n",
    r"\)\s*\{\r?\n",
    r"name\r\n\r\n#",
    r"(one|two)\r?\n(two|three)",
    r"\n$",
    r"load\n",
    r"[^\n]\n[^\n]",
    r";\n\}",
];

/// What ripgrep finds, by path, then offset.
fn ripgrep(rg: &Peer, project: &Project, pattern: &str) -> Vec<Match> {
    let mut command = rg.command();
    command.current_dir(project.root()).args([
        "--no-config",
        "--json",
        "--hidden",
        "--no-require-git",
        "--no-ignore-global",
        "--no-ignore-parent",
        "--no-ignore-dot",
    ]);
    if pattern.contains(r"\n") {
        command.arg("-U");
    }
    let output = command.args(["-e", pattern, "."]).output().expect("rg runs");
    assert!(output.status.code().is_some_and(|code| code < 2), "{pattern}: {output:?}");
    let mut found = Vec::new();
    for line in String::from_utf8(output.stdout).expect("JSON").lines() {
        let event: Value = serde_json::from_str(line).expect("JSON");
        if event["type"] != "match" {
            continue;
        }
        let data = &event["data"];
        let number = |value: &Value| value.as_u64().expect("a number");
        let path = data["path"]["text"].as_str().expect("a path").trim_start_matches("./").to_owned();
        let (line, offset) = (number(&data["line_number"]), number(&data["absolute_offset"]));
        let lines = data["lines"]["text"].as_str().unwrap_or_default();
        let is_one_line = lines.matches('\n').count() < 2;
        for part in data["submatches"].as_array().expect("submatches") {
            let (start, end) = (number(&part["start"]), number(&part["end"]));
            // Of one line, which may be long, nothing is counted again and again.
            let before = if is_one_line { "" } else { lines.get(..start as usize).unwrap_or_default() };
            let feeds = before.matches('\n').count() as u64;
            found.push((path.clone(), line + feeds, offset + start, offset + end));
        }
    }
    // Never visible to Rift, whatever the ignore files say.
    found.retain(|(path, ..)| !path.starts_with(".git/") && !path.starts_with(".rift/"));
    found.sort();
    found
}

/// The files that an answer names as left out.
fn left_out(answer: &Value) -> BTreeSet<String> {
    let warnings = answer["warnings"].as_array().into_iter().flatten();
    let units = warnings.flat_map(|w| w["files"].as_array().into_iter().flatten().chain(std::iter::once(&w["unit"])));
    units.filter_map(|unit| unit.as_str()?.strip_prefix("rift://file/").map(str::to_owned)).collect()
}

fn of_answer(answer: &Value) -> Vec<Match> {
    let hits = answer["results"].as_array().expect("results").iter();
    let number = |value: &Value| value.as_u64().expect("a number");
    let range = |hit: &Value| (number(&hit["range"]["start"]), number(&hit["range"]["end"]));
    hits.map(|hit| {
        let path = hit["path"].as_str().expect("a path").to_owned();
        (path, number(&hit["line"]), range(hit).0, range(hit).1)
    })
    .collect()
}

#[test]
fn patterns_find_what_ripgrep_finds() {
    let Some(rg) = peer("ripgrep") else { return };
    let project = odd();
    // The one minified line holds more matches of some patterns than an answer.
    project.write("rift.toml", "[search]\npattern_matches_per_file = 100000\n");
    let mut client = Client::start(&project);
    client.prepared();
    let (mut compared, mut bounded) = (0, 0);
    // Before and after rows are there, and after an edit.
    for round in 0..2 {
        for pattern in PATTERNS {
            let asked =
                json!({ "pattern": pattern, "target": "file", "limit": 10_000, "paths": { "include": ["**"] } });
            let answer = client.call("search", asked).structured().clone();
            let left_out = left_out(&answer);
            assert!(left_out.contains("Cargo.lock") && left_out.contains("src/latin.c"), "{left_out:?}");
            let mut expected = ripgrep(&rg, &project, pattern);
            expected.retain(|(path, ..)| !left_out.contains(path));
            if expected.len() >= 1_000 {
                bounded += 1;
                expected.truncate(1_000);
            }
            compared += expected.len();
            assert_eq!(of_answer(&answer), expected, "round {round}, {pattern:?}");
        }
        project.write("src/edited.rs", "fn load_again() {}\r\n\n// größe, TODO: later");
    }
    assert!(compared > 2_000 && bounded > 0, "{compared} matches, {bounded} answers at their bound");
}

fn polyglot() -> (Project, Client) {
    let project = Project::copy_of(POLYGLOT);
    let mut client = Client::start(&project);
    client.prepared();
    (project, client)
}

#[test]
fn targets_and_what_a_hit_carries() {
    let project = Project::with([
        ("b.py", "class Cart:\n    def add(self, item):\n        return item + 1\n\ndef item():\n    pass\n"),
        ("a.txt", "an item\n"),
    ]);
    let mut client = Client::start(&project);
    client.prepared();
    let asked = |target: &str| json!({ "pattern": "item", "target": target, "include": ["source", "score"] });
    let answer = client.call("search", asked("file"));
    let lines: Vec<_> =
        hits(&answer).iter().map(|hit| (hit["path"].clone(), hit["line"].clone(), hit["source"].clone())).collect();
    assert_eq!(
        lines,
        [
            (json!("a.txt"), json!(1), json!("an item")),
            (json!("b.py"), json!(2), json!("    def add(self, item):")),
            (json!("b.py"), json!(3), json!("        return item + 1")),
            (json!("b.py"), json!(5), json!("def item():")),
        ]
    );
    for hit in hits(&answer) {
        assert_eq!((&hit["matched_by"], hit.get("score")), (&json!(["content"]), None));
    }
    assert_eq!(hits(&answer)[0]["hit"], json!({ "target": "file", "size": 8 }));
    // Every declaration that holds a match, at its first one.
    let answer = client.call("search", asked("symbol"));
    let symbols: Vec<_> = hits(&answer)
        .iter()
        .map(|hit| (hit["hit"]["symbol"]["name"].clone(), hit["line"].clone(), hit["range"]["start"].clone()))
        .collect();
    assert_eq!(symbols[..2], [(json!("Cart"), json!(2), json!(0)), (json!("add"), json!(2), json!(16))]);
    assert_eq!(symbols.last(), Some(&(json!("item"), json!(5), json!(62))));
    let all = client.call("search", asked("all"));
    let kinds: Vec<_> = hits(&all).iter().map(|hit| hit["hit"]["target"].as_str().unwrap_or_default()).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "file").count(), 4);
    assert_eq!(hits(&all).len(), 4 + symbols.len());
    let places: Vec<_> = hits(&all).iter().map(|hit| (hit["path"].as_str(), hit["range"]["start"].as_u64())).collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn pages_are_of_one_view_whatever_is_edited() {
    let project = Project::with([("z.txt", "")]);
    (0..40).for_each(|n| project.write(&format!("{n:02}.txt"), "one word, another word\n"));
    let mut client = Client::start(&project);
    client.prepared();
    let page = |client: &mut Client, index: u64, view: Option<&str>| {
        let mut asked = json!({ "pattern": "word", "limit": 30, "page_index": index });
        if let Some(view) = view {
            asked["view"] = json!(view);
        }
        client.call("search", asked).structured().clone()
    };
    let first = page(&mut client, 0, None);
    assert_eq!(first["pagination"], json!({ "page_index": 0, "total_pages": 3 }));
    let view = first["view"]["id"].as_str().expect("a view").to_owned();
    let before: Vec<_> = (0..4).map(|index| page(&mut client, index, Some(&view))["results"].clone()).collect();
    assert_eq!(before[0], first["results"]);
    assert_eq!(before.iter().map(|page| page.as_array().map_or(0, Vec::len)).sum::<usize>(), 80);
    (0..40).for_each(|n| project.write(&format!("{n:02}.txt"), "words are gone\n"));
    assert_eq!(page(&mut client, 0, None)["results"].as_array().map(Vec::len), Some(30));
    let after: Vec<_> = (0..4).map(|index| page(&mut client, index, Some(&view))["results"].clone()).collect();
    assert_eq!(after, before);
    assert_eq!(page(&mut client, 9, None)["results"], json!([]));
}

#[test]
fn orders_end_in_identities() {
    let (_project, mut client) = polyglot();
    let of = |client: &mut Client, order: &str| {
        let asked = json!({ "pattern": "(?i)price", "order": order, "limit": 1_000 });
        client.call("search", asked).structured()["results"].as_array().expect("results").clone()
    };
    let relevance = of(&mut client, "relevance");
    assert!(relevance.len() > 10);
    assert_eq!(of(&mut client, "path"), relevance);
    let identity = |hit: &Value| match hit["hit"]["symbol"]["id"].as_str() {
        Some(id) => id.to_owned(),
        None => format!("rift://file/{}", hit["path"].as_str().unwrap_or_default()),
    };
    let ordered = of(&mut client, "identity");
    assert!(ordered.iter().map(identity).is_sorted());
    assert_eq!(ordered.len(), relevance.len());
}

#[test]
fn refusals_name_the_field_and_the_key() {
    let (project, mut client) = polyglot();
    let mut message = |asked: Value| {
        let answer = client.call("search", asked);
        assert!(answer.is_error(), "{}", answer.text());
        answer.text().to_owned()
    };
    for (field, value) in [
        ("query", json!("words")),
        ("rev", json!("HEAD")),
        ("change", json!({ "base": "HEAD" })),
        ("traversal", json!({ "seed": LOAD_CONFIG })),
    ] {
        let mut asked = json!({ "pattern": "load" });
        asked[field] = value;
        let text = message(asked);
        assert!(
            text.contains("invalid_request") && text.contains(&format!("pattern, violation conflict, beside {field}")),
            "{text}"
        );
    }
    let text = message(json!({ "pattern": "load", "target": "documentation" }));
    assert!(text.contains("capability_unavailable"), "{text}");
    for (pattern, part) in [
        ("a(b", "field pattern, violation regex (unclosed group (at byte 1))".to_owned()),
        ("", "field pattern, violation empty".to_owned()),
        (&"a".repeat(1_025), "field pattern, violation too_long".to_owned()),
        (
            r"\w{100}{100}",
            "field pattern, violation more than 1048576 bytes compiled, the [search] pattern_compiled_size bound"
                .to_owned(),
        ),
    ] {
        let text = message(json!({ "pattern": pattern }));
        assert!(text.contains("invalid_request") && text.contains(&part), "{pattern}: {text}");
    }
    // The bounds hold for what `paths` leaves.
    (0..120).for_each(|n| project.write(&format!("many/{n}.txt"), "a crowd of rows\n"));
    project.write("large/text.txt", "one line of a large text\n".repeat(50_000));
    project.write("rift.toml", "[search]\npattern_candidate_rows = 100\npattern_verified_size = \"1mb\"\n[search.text]\nmax_chunk = \"16mb\"\n");
    let mut client = Client::start(&project);
    client.prepared();
    let text = client.call("search", json!({ "pattern": "[0-9]{30}" })).text().to_owned();
    let part = "violation more than 1048576 bytes of text to verify, the [search] pattern_verified_size bound; narrow `pattern` or `paths`";
    assert!(text.contains(part), "{text}");
    let narrowed = client.call("search", json!({ "pattern": "[0-9]{30}", "paths": { "exclude": ["large/**"] } }));
    assert!(!narrowed.is_error(), "{}", narrowed.text());
    // Rows are counted once they are there; before, what is missing is said.
    let crowd = json!({ "pattern": "crowd of rows" });
    let text = loop {
        let answer = client.call("search", crowd.clone());
        if answer.is_error() {
            break answer.text().to_owned();
        }
        assert!(answer.warnings().contains(&"pattern_index_preparing"), "{}", answer.text());
    };
    let part = "violation more than 100 candidate rows, the [search] pattern_candidate_rows bound; narrow `pattern` or `paths`";
    assert!(text.contains(part), "{text}");
    let narrowed = client
        .call("search", json!({ "pattern": "crowd of rows", "paths": { "include": ["many/1*.txt"] }, "limit": 100 }));
    assert_eq!((hits(&narrowed).len(), narrowed.warnings().len()), (31, 0), "{}", narrowed.text());
}

#[test]
fn bounds_are_reported() {
    let project = Project::with([
        ("a.txt", "x\n".repeat(30).as_str()),
        ("b.txt", "x\n".repeat(20).as_str()),
        ("c.txt", "x\n".repeat(40).as_str()),
        ("rift.toml", "[search]\npattern_matches_per_file = 25\n"),
    ]);
    let mut client = Client::start(&project);
    client.prepared();
    let answer = client.call("search", json!({ "pattern": "x$", "limit": 1_000 }));
    let paths = hit_paths(&answer);
    let count = |path: &str| paths.iter().filter(|p| **p == path).count();
    assert_eq!((count("a.txt"), count("b.txt"), count("c.txt")), (25, 20, 25));
    let warnings = &answer.structured()["warnings"];
    let files = json!(["rift://file/a.txt", "rift://file/c.txt"]);
    assert_eq!(*warnings, json!([{ "code": "pattern_matches_truncated", "matches_per_file": 25, "files": files }]));
    (0..60).for_each(|n| project.write(&format!("d/{n:02}.txt"), "x\n".repeat(20)));
    let answer = client.call("search", json!({ "pattern": "x$", "limit": 10_000 }));
    assert_eq!(hits(&answer).len(), 1_000);
    assert_eq!(answer.warnings(), ["results_truncated", "pattern_matches_truncated"]);
}

#[test]
fn a_pattern_from_a_shell() {
    let project = Project::copy_of(POLYGLOT);
    // No server runs: the command looks at every file itself.
    let outcome = rift(&project, &["search", "--pattern", r"fn load_\w+\(", "--target", "file", "--source"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains("src/config.rs:") && outcome.stdout.contains("pub fn load_config("), "{outcome:?}");
    assert_eq!(rift(&project, &["search", "--pattern", "xylophonequartet"]).code, Some(1));
    assert_eq!(rift(&project, &["search", "--pattern", "-> u64"]).code, Some(0));
    assert_eq!(rift(&project, &["search", "word", "--pattern", "word"]).code, Some(2));
    assert_eq!(rift(&project, &["search"]).code, Some(2));
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/cli.md")).expect("the page");
    let help = rift(&project, &["search", "--help"]).stdout;
    assert!(page.contains("rift search --pattern REGEX") && help.contains("--pattern <REGEX>"), "{help}");
    let refused = rift(&project, &["search", "--pattern", "("]);
    assert!(refused.code == Some(2) && refused.stderr.contains("error[invalid_request]"), "{refused:?}");
    let (_project, mut client) = polyglot();
    let answer = client.call("search", json!({ "pattern": r"fn load_config\(", "target": "symbol" }));
    assert!(symbol_ids(&answer).contains(&LOAD_CONFIG), "{}", answer.text());
}
