//! The cases of testdata/render: per heading prose, a `json` fence with the tool, the request and the answer, and a
//! `text` fence with the expected compact text, written by hand from the rules.

#![allow(clippy::disallowed_methods)]

use std::path::Path;

use rift_protocol::{Failure, Request, SearchParams};
use serde::de::DeserializeOwned;
use serde_json::Value;

struct Case {
    name: String,
    input: String,
    expected: String,
}

/// The cases of one file. A fence ends at the next line of three backquotes.
fn cases(file: &str, text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut heading = "";
    let mut input = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix('#') {
            heading = title.trim_start_matches('#').trim();
        }
        let Some(kind) = line.strip_prefix("```") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match kind {
            "json" => input = body.join("\n"),
            "text" => cases.push(Case {
                name: format!("{file}: {heading}"),
                input: std::mem::take(&mut input),
                expected: body.join("\n"),
            }),
            other => panic!("{file}: unknown fence {other:?}"),
        }
    }
    assert!(input.is_empty(), "{file}: the last case has no text fence");
    cases
}

fn read<T: DeserializeOwned>(case: &Case, value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{}: {error}", case.name))
}

fn rendered(case: &Case) -> String {
    let input: Value = serde_json::from_str(&case.input).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    let answer = &input["answer"];
    let text = match input["tool"].as_str().unwrap_or_default() {
        "search" => {
            if !input["request"].is_null() {
                SearchParams::parse(input["request"].clone()).expect("a valid request");
            }
            rift_render::search(&read(case, answer))
        }
        "get_symbol" => rift_render::get_symbol(&read(case, answer)),
        "get_source" => rift_render::get_source(&read(case, answer)),
        "nodes" => rift_render::nodes(&read(case, answer)),
        "workspace" => rift_render::workspace(&read(case, answer)),
        "failure" => Ok(rift_render::failure(&read::<Failure>(case, answer))),
        other => panic!("{}: unknown tool {other:?}", case.name),
    };
    text.unwrap_or_else(|failure| panic!("{}: {failure}", case.name))
}

#[test]
fn answers_read_as_the_cases_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/render");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("testdata/render exists")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    files.sort();
    let mut count = 0;
    let mut wrong = String::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let found = cases(&name, &std::fs::read_to_string(&file).expect("readable"));
        assert!(!found.is_empty(), "{name} holds no case");
        for case in found {
            count += 1;
            let text = rendered(&case);
            if text != case.expected {
                wrong += &format!("=== {}\n--- expected\n{}\n--- rendered\n{text}\n", case.name, case.expected);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.replace('\t', "»"));
    assert!(count >= 40, "only {count} cases were found");
}
