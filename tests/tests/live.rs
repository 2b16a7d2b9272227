//! Incremental equals from scratch: after any edits of the tree, a server that followed them says what a fresh process says.
//!
//! The fault that these tests catch can be switched on from outside: a write through a hard link makes no event, which is a
//! dropped one. Others are switched on in `rift-host/tests/following`.

use std::fmt::Write as _;
use std::time::Duration;

use rift_tests::{Answers, Client, Project, is_behind};
use serde_json::json;

use crate::script::{self, Step, TEXTS};

#[test]
fn a_server_that_followed_a_script_says_what_a_fresh_one_says() {
    for seed in 1..=3 {
        let project = script::repository();
        let mut client = Client::start(&project);
        client.prepared();
        let script = script::take(&project, &mut client, seed);
        let after = format!("script {seed}, {script:?}");
        Answers::of(&mut client).assert_same(&Answers::fresh(&project), &after);
        // So that there is something to compare, whatever the script left.
        for rules in ["rift.toml", ".gitignore"] {
            let _ = std::fs::remove_file(project.root().join(rules));
        }
        project.write(".git/info/exclude", "");
        project.write("last/kept.py", TEXTS[0]);
        let live = Answers::of(&mut client);
        live.assert_something();
        assert_eq!(live.source("last/kept.py"), Some(TEXTS[0]), "{after}");
        live.assert_same(&Answers::fresh(&project), &after);
    }
}

/// A server that had missed one of these edits would say what it said before, which is not what a fresh one says.
#[test]
fn a_missed_edit_of_any_kind_would_show() {
    let project = script::repository();
    let mut client = Client::start(&project);
    let mut before = Answers::of(&mut client);
    before.assert_something();
    for step in [
        Step::Write("a/x.py".to_owned(), "def delta_of_one_letter():\n    pass\n"),
        Step::Append("a/y.rs".to_owned()),
        Step::Replace("plain".to_owned(), "beta gamma in another order\n"),
        Step::Delete("a/b/guide.md".to_owned()),
        Step::Rename("a/z.ts".to_owned(), "a/b/renamed.ts".to_owned()),
        Step::MoveOut("a/b"),
        Step::MoveIn("d".to_owned()),
        Step::MoveDirectory("nested", "a".to_owned()),
        Step::Rules("a".to_owned(), "*.py\n"),
        Step::DeleteRules("a".to_owned()),
        Step::Exclude("plain\n"),
        Step::Configure("[languages.rust]\nenabled = false\n"),
        Step::Write("Cargo.toml".to_owned(), "[package]\nname = \"bazaar\"\n"),
        Step::Checkout("two"),
    ] {
        script::step(&project, &mut client, &step);
        let after = Answers::of(&mut client);
        assert!(after.difference(&before).is_some(), "{step:?} changes nothing that is compared");
        before = after;
    }
    before.assert_same(&Answers::fresh(&project), "one edit of each kind");
}

/// What makes no event is missed, and the comparison catches it; stamps, when they are looked at, find it.
#[cfg(target_os = "linux")]
#[test]
fn a_missed_event_is_caught() {
    let project = script::repository();
    project.write("rift.toml", "[server]\nvalidation_interval = \"1d\"\n");
    let mut client = Client::start(&project);
    let before = Answers::of(&mut client);
    let outside = project.root().with_file_name("linked.py");
    std::fs::hard_link(project.root().join("a/x.py"), &outside).expect("a hard link");
    let written = "def delta_from_outside():\n    pass\n";
    std::fs::write(&outside, written).expect("writes");
    let missed = Answers::of(&mut client);
    missed.assert_same(&before, "a write that makes no event");
    assert!(missed.difference(&Answers::fresh(&project)).is_some(), "the comparison sees nothing");
    project.write("rift.toml", "[server]\nvalidation_interval = \"1s\"\n");
    let unit = json!({ "unit": "rift://source/project/a/x.py" });
    rift_tests::eventually("the stamps were looked at", || {
        let answer = client.call("get_source", unit.clone());
        (answer.structured()["source"]["text"] == written).then_some(())
    });
    let found = Answers::of(&mut client);
    found.assert_something();
    found.assert_same(&Answers::fresh(&project), "a look at all stamps");
}

/// Two branches of `files` files each, half of which differ, in the repository in `folder`.
fn two_branches(project: &Project, folder: &str, files: usize) {
    std::fs::create_dir_all(project.root().join(folder)).expect("a folder");
    project.git(folder, &["init", "-q"]);
    let below = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    for branch in ["one", "two"] {
        for n in 0..files {
            let said = if n % 2 == 0 { branch } else { "both" };
            let mut text = format!("def alpha_{n}():\n    return '{said}'\n");
            // Of another length and with other names, too.
            if said == "two" {
                let _ = write!(text, "\n\nclass Widget{n}:\n    def render(self):\n        pass\n");
            }
            project.write(&format!("{below}d{}/m{n}.py", n % 7), text);
        }
        project.write(
            &format!("{below}only_{branch}/guide.md"),
            "# Guide\n\nWhere alpha is kept, beta gamma delta word.\n",
        );
        project.commit(folder, branch);
        let _ = std::fs::remove_dir_all(project.root().join(format!("{below}only_{branch}")));
    }
    project.git(folder, &["checkout", "-q", "-f", "two"]);
}

#[test]
fn fifty_branch_switches_twenty_milliseconds_apart() {
    let project = Project::empty();
    two_branches(&project, "", 60);
    let mut client = Client::start(&project);
    let two = Answers::of(&mut client);
    for round in 0..50 {
        project.git("", &["checkout", "-q", ["one", "two"][round % 2]]);
        if round % 7 == 3 {
            // Nothing is waited for: the next switch comes while this is answered.
            client.send("tools/call", json!({ "name": "search", "arguments": { "query": "alpha" } }));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let live = Answers::of(&mut client);
    live.assert_something();
    assert!(live.source("only_two/guide.md").is_some() && live.source("only_one/guide.md").is_none());
    live.assert_same(&Answers::fresh(&project), "fifty switches");
    // There and back is the same place.
    live.assert_same(&two, "fifty switches");
    project.git("", &["checkout", "-q", "one"]);
    let one = Answers::of(&mut client);
    assert!(one.difference(&live).is_some());
    one.assert_same(&Answers::fresh(&project), "one more switch");
}

#[test]
fn a_nested_repository_switches_alone() {
    let project = Project::empty();
    two_branches(&project, "", 10);
    two_branches(&project, "vendor/inner", 20);
    let mut client = Client::start(&project);
    client.prepared();
    let unit = json!({ "unit": "rift://source/project/vendor/inner/d0/m0.py" });
    let mut current = 0;
    for round in 0..20 {
        let branch = ["one", "two"][round % 2];
        project.git("vendor/inner", &["checkout", "-q", branch]);
        let answer = client.call("get_source", unit.clone());
        let answer = answer.structured();
        if is_behind(answer) {
            continue;
        }
        current += 1;
        let text = answer["source"]["text"].as_str().expect("the file is in both branches");
        assert!(text.contains(&format!("'{branch}'")), "{branch}: {text}");
    }
    assert!(current > 0, "every answer was behind");
    let live = Answers::of(&mut client);
    live.assert_something();
    assert!(live.source("only_two/guide.md").is_some(), "the repository around it stays");
    assert!(live.source("vendor/inner/only_two/guide.md").is_some());
    live.assert_same(&Answers::fresh(&project), "switches of the nested repository");
}
