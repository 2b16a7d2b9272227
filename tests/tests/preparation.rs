//! What callers are told while a first index is built behind the answers.

use std::fmt::Write as _;

use rift_tests::{Client, Project};
use serde_json::json;

use crate::support::symbol_ids;

/// A tree that takes longer to index than the first answers take to come.
fn sizeable() -> Project {
    let project = Project::empty();
    for file in 0..2000 {
        let mut text = String::new();
        for function in 0..20 {
            let _ =
                write!(text, "def handler_{file}_{function}(request):\n    return request.value + {function}\n\n\n");
        }
        project.write(&format!("app/module_{file}.py"), text);
    }
    project
}

#[test]
fn answers_say_that_the_index_is_being_prepared() {
    let project = sizeable();
    let mut client = Client::start(&project);
    let first = client.call("search", json!({ "query": "handler_1999_19" }));
    let preparing: Vec<&str> = first.warnings().into_iter().filter(|code| *code == "local_index_preparing").collect();
    assert_eq!(preparing.len(), 1, "the warning appears once: {}", first.text());
    assert!(first.text().contains("local_index_preparing"), "{}", first.text());
    let map = client.read_json("rift://map");
    assert!(map["warnings"].to_string().contains("local_index_preparing"), "{}", map["warnings"]);

    client.prepared();
    let last = client.call("search", json!({ "query": "handler_1999_19", "target": "symbol", "limit": 1 }));
    assert_eq!(symbol_ids(&last), ["rift://symbol/local/python/app/module_1999/handler_1999_19"]);
    // Every function of the tree holds some word of the query, which is more than one ranking holds; that is still said.
    assert_eq!(last.warnings(), ["lexical_ranking_truncated", "results_truncated"]);
}

#[test]
fn nothing_is_called_missing_before_everything_was_looked_at() {
    let project = sizeable();
    let mut client = Client::start(&project);
    let id = "rift://symbol/local/python/app/module_1999/no_such_function";
    let mut outcomes = Vec::new();
    loop {
        let answer = client.call("get_symbol", json!({ "id": id }));
        let answer = answer.structured();
        let outcome = answer["outcome"].as_str().expect("an outcome").to_owned();
        if outcome == "unavailable" {
            assert_eq!(answer["reason"], "index_preparing", "{answer}");
        }
        let done = outcome == "missing";
        outcomes.push(outcome);
        if done {
            break;
        }
    }
    assert_eq!(outcomes[0], "unavailable", "the tree cannot be prepared before the first question");
    assert!(outcomes[..outcomes.len() - 1].iter().all(|outcome| outcome == "unavailable"), "{outcomes:?}");
}

#[test]
fn nodes_of_a_file_are_read_before_its_turn() {
    let project = sizeable();
    let mut client = Client::start(&project);
    let answer = client.call("nodes", json!({ "path": "app/module_1999.py", "position": 5 }));
    assert!(!answer.is_error(), "{}", answer.text());
    let nodes = answer.structured()["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
    // Either the file was prepared for this answer, or the answer says that it was not.
    assert!(!nodes.is_empty() || answer.warnings().contains(&"local_index_preparing"), "{}", answer.text());
    client.prepared();
    let answer = client.call("nodes", json!({ "path": "app/module_1999.py", "position": 5 }));
    assert!(answer.structured()["nodes"].as_array().is_some_and(|nodes| nodes.len() > 1), "{}", answer.text());
}

#[test]
fn two_servers_give_the_same_bytes() {
    let project = Project::copy_of(crate::support::POLYGLOT);
    let ask = || {
        let mut client = Client::start(&project);
        client.prepared();
        let mut said = Vec::new();
        for query in ["price", "load configuration", "stack push", "shop"] {
            let answer = client.call("search", json!({ "query": query, "include": ["source", "score"], "limit": 50 }));
            said.push(answer.structured()["results"].clone());
        }
        said.push(client.read_json("rift://map"));
        said.push(client.read_json("rift://workspace"));
        project.kill_server();
        said
    };
    assert_eq!(ask(), ask());
}
