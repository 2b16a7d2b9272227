//! A tree that is written without a rest, and several clients that ask: each answer is one complete written state that is not
//! older than the last write before the question, or says that it is behind.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rift_tests::{Answers, Client, Project, is_behind};
use serde_json::{Value, json};

use crate::support::hits;

/// How long the writer writes.
const CHURN: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(100);
const READERS: usize = 4;
/// Declarations of each state.
const PARTS: u64 = 8;
/// Views that one reader holds.
const HELD_MAX: usize = 6;
/// Answers between two views that are held.
const HOLD_EVERY: u64 = 40;
/// After the last write an answer is right within this, however loaded the machine is.
const SETTLED: Duration = Duration::from_secs(60);

const FILE: &str = "app/churn.py";

/// What the file holds in state `n`: long enough that a part of it is no state.
fn state(n: u64) -> String {
    let mut text = format!("# state {n}\n");
    for part in 0..PARTS {
        text.push_str(&format!("def churn_state_{n}_part_{part}():\n    return {n}\n\n\n"));
    }
    text.push_str(&"# filled\n".repeat(500));
    text.push_str(&format!("# end {n}\n"));
    text
}

/// The state that `text` is; fails when it is none.
#[track_caller]
fn state_of(text: &str) -> u64 {
    let first = text.lines().next().and_then(|line| line.strip_prefix("# state "));
    let n = first.and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("no state: {text:?}"));
    assert!(text == state(n), "state {n} in parts: {} bytes", text.len());
    n
}

/// The state whose declarations these hits are, all of them and no others.
#[track_caller]
fn state_found(hits: &[Value]) -> u64 {
    let mut found: Vec<(u64, u64)> = hits
        .iter()
        .map(|hit| {
            let name = hit["hit"]["symbol"]["name"].as_str().unwrap_or_default();
            let numbers = name.strip_prefix("churn_state_").and_then(|rest| rest.split_once("_part_"));
            let numbers = numbers.and_then(|(n, part)| Some((n.parse().ok()?, part.parse().ok()?)));
            numbers.unwrap_or_else(|| panic!("no declaration of the file: {hit}"))
        })
        .collect();
    found.sort_unstable();
    let n = found.first().map_or(0, |(n, _)| *n);
    assert_eq!(found, (0..PARTS).map(|part| (n, part)).collect::<Vec<_>>(), "the declarations of one state");
    n
}

fn source(path: &str) -> Value {
    json!({ "unit": format!("rift://source/project/{path}") })
}

fn text(answer: &Value) -> &str {
    answer["source"]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"))
}

/// Declarations of the file, a page of them.
fn declarations(limit: u64, page: u64) -> Value {
    json!({
        "query": "churn state", "target": "symbol", "order": "path", "include": ["source"],
        "paths": { "include": [FILE] }, "limit": limit, "page_index": page,
    })
}

/// What the writer has done.
#[derive(Default)]
struct Written {
    /// The last state whose write has begun.
    begun: AtomicU64,
    /// The last state whose write has returned.
    returned: AtomicU64,
    ended: AtomicBool,
}

/// Ends the readers, however the writer ends.
struct Ending<'a>(&'a Written);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.ended.store(true, Ordering::SeqCst);
    }
}

fn write_until(project: &Project, written: &Written, end: Instant) {
    let _ending = Ending(written);
    while Instant::now() < end {
        let n = written.begun.load(Ordering::SeqCst) + 1;
        written.begun.store(n, Ordering::SeqCst);
        project.write(FILE, state(n));
        written.returned.store(n, Ordering::SeqCst);
        std::thread::sleep(PAUSE);
    }
}

/// A page of a view, as it was first answered.
struct Held {
    tool: &'static str,
    arguments: Value,
    answer: String,
}

/// An answer without the view's expiry, which each use renews, as bytes.
fn bytes(answer: &Value) -> String {
    let mut answer = answer.clone();
    answer["view"].as_object_mut().and_then(|view| view.remove("expires_at"));
    answer.to_string()
}

#[derive(Default)]
struct Reader {
    current: u64,
    behind: u64,
    views: usize,
    held: Vec<Held>,
}

impl Reader {
    /// One question of each kind, judged.
    fn ask(&mut self, client: &mut Client, written: &Written) {
        let before = written.returned.load(Ordering::SeqCst);
        let answer = client.call("get_source", source(FILE));
        let said = answer.structured();
        self.judge(said, written, before, || state_of(text(said)));

        let before = written.returned.load(Ordering::SeqCst);
        let answer = client.call("search", declarations(100, 0));
        let said = answer.structured();
        let is_current = self.judge(said, written, before, || state_found(hits(&answer)));
        let is_due = self.views < HELD_MAX && self.current >= self.views as u64 * HOLD_EVERY;
        if is_current && is_due {
            self.hold(client, said["view"]["id"].as_str().expect("an answer names its view"), hits(&answer));
        }
    }

    /// Answers whether the answer is that of the tree as it was when it was asked for.
    fn judge(&mut self, said: &Value, written: &Written, before: u64, state: impl FnOnce() -> u64) -> bool {
        if is_behind(said) {
            self.behind += 1;
            return false;
        }
        let (n, begun) = (state(), written.begun.load(Ordering::SeqCst));
        assert!((before..=begun).contains(&n), "state {n} was answered after {before}, before {begun}");
        self.current += 1;
        true
    }

    /// Reads the view's pages and its source, to be read again when the tree has long moved on.
    fn hold(&mut self, client: &mut Client, view: &str, whole: &[Value]) {
        self.views += 1;
        let n = state_found(whole);
        let mut paged = Vec::new();
        for page in 0..3 {
            let mut arguments = declarations(3, page);
            arguments["view"] = json!(view);
            let answer = client.call("search", arguments.clone());
            paged.extend(hits(&answer).to_vec());
            self.held.push(Held { tool: "search", arguments, answer: bytes(answer.structured()) });
        }
        assert_eq!(paged, whole, "the pages of one view are its whole");
        let mut arguments = source(FILE);
        arguments["view"] = json!(view);
        let answer = client.call("get_source", arguments.clone());
        assert_eq!(state_of(text(answer.structured())), n, "a view is one state");
        self.held.push(Held { tool: "get_source", arguments, answer: bytes(answer.structured()) });
    }

    /// Every held page is what it was.
    fn check_held(&self, client: &mut Client) {
        for held in &self.held {
            let answer = client.call(held.tool, held.arguments.clone());
            assert_eq!(bytes(answer.structured()), held.answer, "{}", held.arguments);
        }
    }
}

fn project() -> Project {
    let project = Project::with([
        ("app/other.py", "class Widget:\n    def render(self):\n        return alpha\n"),
        ("guide.md", "# Guide\n\nWhere alpha is kept, beta gamma delta word.\n"),
    ]);
    project.write(FILE, state(0));
    project
}

#[test]
fn a_file_that_is_written_all_the_time_is_answered_in_whole_states() {
    let project = project();
    let mut client = Client::start(&project);
    client.prepared();
    let written = Written::default();
    let readers: Vec<Reader> = std::thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|_| {
                let (project, written) = (&project, &written);
                scope.spawn(move || {
                    let mut client = Client::start(project);
                    client.prepared();
                    let mut reader = Reader::default();
                    while !written.ended.load(Ordering::SeqCst) {
                        reader.ask(&mut client, written);
                    }
                    reader.check_held(&mut client);
                    reader
                })
            })
            .collect();
        write_until(&project, &written, Instant::now() + CHURN);
        readers.into_iter().map(|reader| reader.join().expect("a reader reads to the end")).collect()
    });
    let last = written.returned.load(Ordering::SeqCst);
    let start = Instant::now();
    loop {
        let answer = client.call("get_source", source(FILE));
        if !is_behind(answer.structured()) {
            assert_eq!(state_of(text(answer.structured())), last);
            break;
        }
        assert!(start.elapsed() < SETTLED, "{}", answer.text());
    }
    assert!(last > 10, "{last} states were written");
    for reader in &readers {
        assert!(reader.current > 0, "every one of {} answers was behind", reader.behind);
        assert!(!reader.held.is_empty(), "no view was held in {} answers", reader.current);
        // Another client than the one that held it.
        reader.check_held(&mut client);
    }
    let live = Answers::of(&mut client);
    live.assert_something();
    live.assert_same(&Answers::fresh(&project), "the last write");
}

/// What one agent writes and asks for.
fn edit(project: &Project, client: &mut Client, agent: usize, round: u64) -> (u64, u64) {
    let path = format!("agents/{agent}/work.py");
    let name = format!("agent{agent}round{round}");
    let content = format!("def {name}(alpha):\n    return {round}\n\n\nclass Widget{agent}:\n    pass\n");
    // Sometimes in a directory that was not there.
    if round % 10 == 5 {
        std::fs::remove_dir_all(project.root().join(format!("agents/{agent}"))).expect("removed");
    }
    project.write(&path, &content);
    let questions =
        [("get_source", source(&path)), ("search", json!({ "query": name, "target": "symbol", "limit": 5 }))];
    let (mut current, mut behind) = (0, 0);
    for (tool, arguments) in questions {
        let answer = client.call(tool, arguments);
        let said = answer.structured();
        if is_behind(said) {
            behind += 1;
            continue;
        }
        current += 1;
        if tool == "get_source" {
            assert_eq!(text(said), content, "agent {agent}, round {round}");
            continue;
        }
        let first = hits(&answer).first().map(|hit| (&hit["hit"]["symbol"]["name"], &hit["path"]));
        assert_eq!(first, Some((&json!(name), &json!(path))), "agent {agent}, round {round}: {}", answer.text());
    }
    (current, behind)
}

#[test]
fn three_agents_that_edit_and_ask_at_once_see_their_own_writes() {
    let project = project();
    let rounds = 60;
    std::thread::scope(|scope| {
        for agent in 0..3 {
            let project = &project;
            scope.spawn(move || {
                let mut client = Client::start(project);
                client.prepared();
                let counts = (0..rounds).map(|round| edit(project, &mut client, agent, round));
                let (current, behind) = counts.fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
                assert!(current > 0, "agent {agent}: every one of {behind} answers was behind");
            });
        }
    });
    assert_eq!(project.server_processes().len(), 1, "they share one server");
    let live = Answers::of(&mut Client::start(&project));
    live.assert_something();
    for agent in 0..3 {
        let last = format!("agent{agent}round{}", rounds - 1);
        let held = live.source(&format!("agents/{agent}/work.py"));
        assert!(held.is_some_and(|text| text.contains(&last)), "{last}: {held:?}");
    }
    live.assert_same(&Answers::fresh(&project), "three agents");
}
