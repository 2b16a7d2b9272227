//! A server that is killed at random moments while the tree is edited: what the next one takes over from `.rift` never shows
//! what is no more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rift_tests::{Answers, Client, Project, Random, Signal, eventually, is_behind, signal};
use serde_json::{Value, json};

use crate::script::TEXTS;

const ROUNDS: u64 = 10;
/// The longest time from a round's first question to the kill, in milliseconds: from before the server has its lock until long
/// after it has committed.
const KILL_WITHIN: usize = 400;
/// The longest pause between two edits, in milliseconds: the stores are written when edits pause.
const PAUSE_MAX: usize = 60;

const PATHS: &[&str] = &[
    "a/x.py",
    "a/y.rs",
    "a/b/z.ts",
    "a/b/guide.md",
    "c/Cargo.toml",
    "c/lib.rs",
    "c/d/data.json",
    "c/d/w.py",
    "plain",
    "v.py",
];

fn project() -> Project {
    let texts = PATHS.iter().zip(TEXTS.iter().cycle());
    Project::with(texts.map(|(path, text)| (*path, *text)))
}

/// One edit. The texts come back again and again, so that what was stored of an earlier state fits a later one in part.
fn edit(project: &Project, random: &mut Random, number: u64) {
    let path = random.pick(PATHS);
    let full = project.root().join(path);
    match random.below(10) {
        0..4 => project.write(path, random.pick(TEXTS)),
        4..6 => project.write(path, format!("{}\n# alpha {number}\n", random.pick(TEXTS))),
        6 => {
            let _ = std::fs::remove_file(full);
        }
        7 => {
            let to = project.root().join(random.pick(PATHS));
            let _ = to.parent().map(std::fs::create_dir_all);
            let _ = std::fs::rename(full, to);
        }
        8 => {
            let _ = std::fs::remove_dir_all(project.root().join(random.pick(&["a/b", "c/d"])));
        }
        _ => project.write(".gitignore", random.pick(&["", "*.json\n", "b/\n", "v.py\n"])),
    }
}

/// Ends the edits, however a round ends.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Edits until told to end.
fn edit_on(project: &Project, random: &mut Random, end: &AtomicBool) {
    for number in 0.. {
        edit(project, random, number);
        std::thread::sleep(Duration::from_millis(random.below(PAUSE_MAX) as u64));
        if end.load(Ordering::SeqCst) {
            return;
        }
    }
}

#[test]
fn a_server_killed_among_edits_leaves_nothing_old_behind() {
    let project = project();
    // One that is asked in every round, and outlives all servers.
    let mut client = Client::start(&project);
    let before = Answers::of(&mut client);
    before.assert_something();
    before.assert_same(&Answers::fresh(&project), "the start");
    let (mut edits, mut kills) = (Random::seeded(11), Random::seeded(12));
    let mut hit = 0;
    for round in 0..ROUNDS {
        let end = AtomicBool::new(false);
        let killed = std::thread::scope(|scope| {
            scope.spawn(|| edit_on(&project, &mut edits, &end));
            let _ending = Ending(&end);
            // Every other round the kill hits a server that is just starting.
            if round % 2 == 1 {
                project.kill_server();
            }
            let question = json!({ "name": "search", "arguments": { "query": "alpha" } });
            let first = client.send("tools/call", question.clone());
            std::thread::sleep(Duration::from_millis(kills.below(KILL_WITHIN) as u64));
            let killed = project.server_processes();
            killed.iter().for_each(|pid| signal(*pid, Signal::KILL));
            // The next server starts while the tree moves on.
            let second = client.send("tools/call", question);
            for id in [first, second] {
                let response = client.response(id);
                assert!(response["result"]["structuredContent"]["results"].is_array(), "round {round}: {response}");
            }
            std::thread::sleep(Duration::from_millis(kills.below(KILL_WITHIN / 4) as u64));
            killed
        });
        let kept = format!("def alpha_of_round_{round}(beta):\n    return beta\n");
        project.write("kept/Widget.py", &kept);
        project.write("kept/guide.md", TEXTS[3]);
        let live = Answers::of(&mut client);
        live.assert_something();
        assert_eq!(live.source("kept/Widget.py"), Some(kept.as_str()));
        live.assert_same(&Answers::fresh(&project), &format!("the kill of round {round}"));
        assert!(!killed.contains(&project.server_pid()), "round {round}: it was killed");
        hit += killed.len() as u64;
    }
    assert!(hit >= ROUNDS / 2, "{hit} servers were killed");
}

/// The same at rest: a server is killed, files change while none serves, and the next one knows.
#[test]
fn what_changed_while_no_server_ran_is_seen() {
    let project = project();
    let mut random = Random::seeded(13);
    let mut client = Client::start(&project);
    let mut before = Answers::of(&mut client);
    for round in 0..3 {
        // A warm start needs something to be warm from.
        eventually("the index is committed", || {
            let index: Value = serde_json::from_slice(&std::fs::read(project.state("index/meta.json")).ok()?).ok()?;
            index["segments"].as_array().filter(|segments| !segments.is_empty()).map(|_| ())
        });
        project.kill_server();
        for number in 0..5 {
            edit(&project, &mut random, number);
        }
        let kept = format!("def alpha_while_none_ran_{round}(): pass\n");
        project.write("kept.py", &kept);
        let answer = client.call("get_source", json!({ "unit": "rift://source/project/kept.py" }));
        let said = answer.structured();
        // The first answer of the next server is the new text, or says that it is not prepared.
        assert!(is_behind(said) || said["source"]["text"] == kept, "{said}");
        let live = Answers::of(&mut client);
        live.assert_something();
        assert!(live.difference(&before).is_some());
        live.assert_same(&Answers::fresh(&project), &format!("round {round} without a server"));
        before = live;
    }
}
