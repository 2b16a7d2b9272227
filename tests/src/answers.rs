//! Everything that a server says of its tree, to be held against what a fresh process says of the same tree.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::server::PATIENCE;
use crate::{Client, Project};

/// Words that the texts of such tests hold.
const QUERIES: &[&str] = &["alpha", "beta gamma", "\"delta word\"", "Widget", "render", "where is alpha kept", "guide"];

/// Whether an answer says that it lacks something of the tree: that the tree has moved on, or is not prepared yet.
pub fn is_behind(answer: &Value) -> bool {
    let warnings = answer["warnings"].as_array().map(Vec::as_slice).unwrap_or_default();
    warnings.iter().any(|warning| warning["code"] == "stale_index" || warning["code"] == "local_index_preparing")
}

/// Answers by their questions, without what belongs to one process or one moment: the view and its expiry.
///
/// None of them [is behind](is_behind).
#[derive(Default)]
pub struct Answers {
    said: BTreeMap<String, Value>,
    hits: usize,
    symbols: usize,
    sources: usize,
    nodes: usize,
}

impl Answers {
    /// Asks for the map and the catalog, and then searches, reads every symbol that they print, every file, and nodes of it.
    /// The tree must be at rest. What says that it is behind is asked for again.
    #[track_caller]
    pub fn of(client: &mut Client) -> Self {
        let mut this = Self::default();
        let mut ids = BTreeSet::new();
        let map = this.read(client, "rift://map");
        for id in map["entry_points"].as_array().into_iter().flatten() {
            ids.extend(id.as_str().map(str::to_owned));
        }
        for question in searches() {
            let answer = this.call(client, "search", question);
            for hit in answer["results"].as_array().into_iter().flatten() {
                this.hits += 1;
                ids.extend(hit["hit"]["symbol"]["id"].as_str().map(str::to_owned));
            }
        }
        for id in ids {
            let answer = this.call(client, "get_symbol", json!({ "id": id, "declaration_limit": 100 }));
            assert_eq!(answer["outcome"], "found", "{id} was printed: {answer}");
            this.symbols += 1;
        }
        for path in this.catalog(client) {
            this.file(client, &path);
        }
        this
    }

    /// What a process says that knows nothing of the project's past, of a copy of its tree.
    #[track_caller]
    pub fn fresh(project: &Project) -> Self {
        let copy = project.copied();
        Self::of(&mut Client::start(&copy))
    }

    /// Fails unless there are hits, symbols, texts and nodes to be compared.
    #[track_caller]
    pub fn assert_something(&self) {
        let counts = [self.hits, self.symbols, self.sources, self.nodes];
        assert!(counts.iter().all(|count| *count > 0), "hits, symbols, sources, nodes: {counts:?}");
    }

    /// Fails unless `fresh` says the same, naming the first question that is answered in two ways.
    #[track_caller]
    pub fn assert_same(&self, fresh: &Self, after: &str) {
        if let Some(difference) = self.difference(fresh) {
            panic!("after {after}: {difference}");
        }
    }

    /// The first question that the two answer in two ways, with both answers.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let questions: BTreeSet<&String> = self.said.keys().chain(other.said.keys()).collect();
        let differ: Vec<_> =
            questions.into_iter().filter(|question| self.said.get(*question) != other.said.get(*question)).collect();
        let question = differ.first()?;
        let said = |answers: &Self| answers.said.get(*question).map_or("not asked".to_owned(), Value::to_string);
        Some(format!("{question}\n  one:   {}\n  other: {}\n  all: {differ:#?}", said(self), said(other)))
    }

    /// The text of a file; none when its answer holds none.
    pub fn source(&self, path: &str) -> Option<&str> {
        let question = format!("get_source {}", json!({ "unit": unit(path) }));
        self.said.get(&question)?["source"]["text"].as_str()
    }

    /// Every path of the catalog, over all pages.
    fn catalog(&mut self, client: &mut Client) -> Vec<String> {
        let mut paths = Vec::new();
        for index in 0.. {
            let page = self.read(client, &format!("rift://workspace?page_index={index}"));
            let units = page["source"].as_array().into_iter().flatten();
            paths.extend(units.map(|unit| unit["path"].as_str().expect("a unit has a path").to_owned()));
            if index + 1 >= page["pagination"]["total_pages"].as_u64().expect("a page count") {
                break;
            }
        }
        paths
    }

    /// The text of one file, and nodes at its start and inside it.
    fn file(&mut self, client: &mut Client, path: &str) {
        let answer = self.call(client, "get_source", json!({ "unit": unit(path) }));
        let Some(text) = answer["source"]["text"].as_str() else { return };
        self.sources += 1;
        let offsets: BTreeSet<usize> = [0, text.len() / 3, text.len() * 2 / 3].into();
        for position in offsets {
            let answer = self.call(client, "nodes", json!({ "path": path, "position": position }));
            self.nodes += answer["nodes"].as_array().map_or(0, Vec::len);
        }
    }

    fn read(&mut self, client: &mut Client, uri: &str) -> Value {
        let answer = settled(uri, || client.read_json(uri));
        self.said.insert(uri.to_owned(), answer.clone());
        answer
    }

    /// A tool's answer; of a failure its text, which names no view.
    fn call(&mut self, client: &mut Client, tool: &str, arguments: Value) -> Value {
        let question = format!("{tool} {arguments}");
        let mut answer = settled(&question, || {
            let answer = client.call(tool, arguments.clone());
            match answer.0.get("structuredContent") {
                Some(structured) => structured.clone(),
                None => json!({ "failure": answer.text() }),
            }
        });
        answer.as_object_mut().and_then(|answer| answer.remove("view"));
        self.said.insert(question, answer.clone());
        answer
    }
}

/// The searches: each query by relevance with scores and sources, and the other orders, targets and selections once each.
fn searches() -> Vec<Value> {
    let ranked = QUERIES.iter().map(|query| json!({ "query": query, "include": ["score", "source"], "limit": 100 }));
    let others = [
        json!({ "query": "alpha", "target": "symbol", "order": "identity", "include": ["score"], "limit": 200 }),
        json!({ "query": "beta", "target": "file", "order": "path", "limit": 100 }),
        json!({ "query": "alpha render", "limit": 3, "page_index": 1, "include": ["score"] }),
        json!({ "query": "Widget", "paths": { "include": ["**/*.rs", "a/**"], "exclude": ["d/**"] }, "limit": 100 }),
        json!({ "pattern": "alpha|render", "include": ["source"], "limit": 200 }),
        json!({ "pattern": "(?i)WIDGET\\b", "target": "symbol", "limit": 100 }),
        json!({ "pattern": "[a-z]{8}", "target": "file", "limit": 1000 }),
    ];
    ranked.chain(others).collect()
}

fn unit(path: &str) -> String {
    format!("rift://source/project/{path}")
}

/// Asks until the answer is not behind.
#[track_caller]
fn settled(question: &str, mut ask: impl FnMut() -> Value) -> Value {
    let start = Instant::now();
    loop {
        let answer = ask();
        if !is_behind(&answer) {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "still behind after {PATIENCE:?}: {question}: {}", answer["warnings"]);
        std::thread::sleep(Duration::from_millis(2));
    }
}
