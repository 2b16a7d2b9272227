//! Random scripts of edits run against a live host; afterwards everything it says is what a fresh host says.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::{Config as ProptestConfig, RngAlgorithm, TestRng, TestRunner};
use rift_base::Deadline;
use rift_host::{Faults, Following, HostOptions};

use crate::world::{Facts, World, commit, git, hits, tree};

/// Steps of one script.
const STEPS: usize = 40;
/// Scripts.
const SCRIPTS: u32 = 10;

const DIRECTORIES: &[&str] = &["", "a", "a/b", "a/b/c", "d", "nested", "nested/e", "a-b"];
const NAMES: &[&str] = &["x.py", "y.rs", "z.ts", "guide.md", "guide.rst", "data.json", "plain", "Cargo.toml"];
const TEXTS: &[&str] = &[
    "def alpha(beta):\n    return beta\n",
    "pub struct Widget { pub gamma: u32 }\nimpl Widget { pub fn render(&self) {} }\n",
    "export function render(delta: string) { return delta }\n// delta word\n",
    "# Guide\n\nWhere alpha is kept, beta gamma delta word.\n",
    "class Widget:\n    def alpha(self): pass\n    def render(self): pass\n",
    "[package]\nname = \"shop\"\n",
    "[package]\nname = \"market\"\n",
    "",
    "bin\0ary",
];
/// A text of this number is [`TEXTS`]' first so often that it passes the smallest `max_file`.
const LARGE: usize = TEXTS.len();
const RULES: &[&str] = &["*.py\n", "/b/\n", "*\n!*.rs\n!*/\n", "d/\nguide.md\n", "# nothing\n", "plain\n*.json\n"];
const CONFIGURATIONS: &[&str] = &[
    "",
    "[source]\nexclude = [\"d/**\"]\n",
    "[source]\ninclude = [\"**/*.py\", \"**/*.rs\"]\n",
    "[languages.python]\nenabled = false\n",
    "[source]\nrespect_gitignore = false\n",
    "[source]\nforce_include = [\"a/b/**\"]\n",
    "[providers.syntax]\nmax_file = \"64kb\"\n",
    "[search.ranking]\nfusion_k = 30\n",
];
const BRANCHES: &[&str] = &["one", "two", "three"];

#[derive(Debug, Clone)]
enum Step {
    Write(usize, usize, usize),
    /// Through a file that takes the other's place.
    Replace(usize, usize, usize),
    Append(usize, usize),
    Delete(usize, usize),
    Rename(usize, usize, usize, usize),
    MoveDirectory(usize, usize),
    MoveOut(usize),
    MoveIn(usize),
    DeleteDirectory(usize),
    Rules(usize, usize),
    DeleteRules(usize),
    Exclude(usize),
    Touch(usize, usize),
    Chmod(usize, usize, u32),
    Link(usize, usize),
    Checkout(usize),
    NestedCheckout(usize),
    Configure(usize),
    /// A question in between.
    Ask,
}

fn step() -> impl Strategy<Value = Step> {
    let (d, n, t) = (0..DIRECTORIES.len(), 0..NAMES.len(), 0..=LARGE);
    let file = (d.clone(), n);
    prop_oneof![
        8 => (file.clone(), t.clone()).prop_map(|((d, n), t)| Step::Write(d, n, t)),
        2 => (file.clone(), t).prop_map(|((d, n), t)| Step::Replace(d, n, t)),
        2 => file.clone().prop_map(|(d, n)| Step::Append(d, n)),
        3 => file.clone().prop_map(|(d, n)| Step::Delete(d, n)),
        3 => (file.clone(), file.clone()).prop_map(|((a, b), (c, d))| Step::Rename(a, b, c, d)),
        2 => (1..DIRECTORIES.len(), d.clone()).prop_map(|(from, to)| Step::MoveDirectory(from, to)),
        1 => (1..DIRECTORIES.len()).prop_map(Step::MoveOut),
        2 => d.clone().prop_map(Step::MoveIn),
        1 => (1..DIRECTORIES.len()).prop_map(Step::DeleteDirectory),
        3 => (d.clone(), 0..RULES.len()).prop_map(|(d, r)| Step::Rules(d, r)),
        2 => d.clone().prop_map(Step::DeleteRules),
        1 => (0..RULES.len()).prop_map(Step::Exclude),
        1 => file.clone().prop_map(|(d, n)| Step::Touch(d, n)),
        1 => (file.clone(), prop_oneof![Just(0o000), Just(0o755), Just(0o644)])
            .prop_map(|((d, n), mode)| Step::Chmod(d, n, mode)),
        1 => file.prop_map(|(d, n)| Step::Link(d, n)),
        3 => (0..BRANCHES.len()).prop_map(Step::Checkout),
        2 => (0..BRANCHES.len()).prop_map(Step::NestedCheckout),
        2 => (0..CONFIGURATIONS.len()).prop_map(Step::Configure),
        6 => Just(Step::Ask),
    ]
}

fn content(text: usize) -> String {
    if text == LARGE { TEXTS[0].repeat(2000) } else { TEXTS[text].to_owned() }
}

fn path(directory: usize, name: &str) -> String {
    match DIRECTORIES[directory] {
        "" => name.to_owned(),
        directory => format!("{directory}/{name}"),
    }
}

/// The tree that scripts start from: a repository with three branches, and one in it with three of its own.
fn start() -> tempfile::TempDir {
    let folder = tree(&[("nested/n.py", TEXTS[0]), (".gitignore", "nested/\n.gitignore\nrift.toml\n")]);
    let root = folder.path().join("w");
    for directory in [root.clone(), root.join("nested")] {
        git(&directory, &["init", "-q"]);
        for (number, branch) in BRANCHES.iter().enumerate() {
            for (name, text) in NAMES.iter().zip(TEXTS.iter().cycle().skip(number)).skip(number) {
                for below in ["", "a", "a/b"] {
                    fs::create_dir_all(directory.join(below)).expect("creates");
                    fs::write(directory.join(below).join(name), text).expect("writes");
                }
            }
            let _ = fs::remove_dir_all(directory.join("d"));
            if number != 1 {
                fs::create_dir_all(directory.join("d")).expect("creates");
                fs::write(directory.join("d/only.rs"), format!("pub fn alpha_{number}() {{}}\n")).expect("writes");
            }
            commit(&directory, branch);
        }
    }
    fs::remove_file(root.join(".gitignore")).expect("removes");
    folder
}

/// Takes one step. What is not there any more is no step.
fn take(world: &World, step: &Step) {
    let full = |directory: usize, name: &str| world.full(&path(directory, name));
    let write = |at: &Path, text: &str| {
        let _ = at.parent().map(fs::create_dir_all);
        let _ = fs::write(at, text);
    };
    match *step {
        Step::Write(d, n, t) => write(&full(d, NAMES[n]), &content(t)),
        Step::Replace(d, n, t) => {
            let temporary = full(d, ".new~");
            write(&temporary, &content(t));
            let _ = fs::rename(temporary, full(d, NAMES[n]));
        }
        Step::Append(d, n) => {
            use std::io::Write as _;
            if let Ok(mut file) = fs::OpenOptions::new().append(true).open(full(d, NAMES[n])) {
                let _ = file.write_all(b"\n# alpha beta appended\n");
            }
        }
        Step::Delete(d, n) => drop(fs::remove_file(full(d, NAMES[n]))),
        Step::Rename(d, n, to, name) => drop(fs::rename(full(d, NAMES[n]), full(to, NAMES[name]))),
        Step::MoveDirectory(from, to) => drop(fs::rename(full(from, ""), full(to, "moved"))),
        Step::MoveOut(d) => {
            let _ = fs::remove_dir_all(world.outside());
            let _ = fs::rename(full(d, ""), world.outside());
        }
        Step::MoveIn(d) => drop(fs::rename(world.outside(), full(d, "came"))),
        Step::DeleteDirectory(d) => drop(fs::remove_dir_all(full(d, ""))),
        Step::Rules(d, rule) => write(&full(d, ".gitignore"), RULES[rule]),
        Step::DeleteRules(d) => drop(fs::remove_file(full(d, ".gitignore"))),
        Step::Exclude(rule) => write(&world.full(".git/info/exclude"), RULES[rule]),
        Step::Touch(d, n) => {
            if let Ok(file) = fs::OpenOptions::new().write(true).open(full(d, NAMES[n])) {
                let _ = file.set_modified(std::time::SystemTime::now());
            }
        }
        Step::Chmod(d, n, mode) => {
            use std::os::unix::fs::PermissionsExt as _;
            let _ = fs::set_permissions(full(d, NAMES[n]), fs::Permissions::from_mode(mode));
        }
        Step::Link(d, n) => {
            let _ = fs::remove_file(full(d, NAMES[n]));
            let _ = std::os::unix::fs::symlink("guide.md", full(d, NAMES[n]));
        }
        Step::Checkout(branch) => git(&world.root, &["checkout", "-q", "-f", BRANCHES[branch]]),
        Step::NestedCheckout(branch) => {
            // It may have been moved away, and the repository around it is not meant.
            if world.full("nested/.git").exists() {
                git(&world.full("nested"), &["checkout", "-q", "-f", BRANCHES[branch]]);
            }
        }
        Step::Configure(configuration) => write(&world.full("rift.toml"), CONFIGURATIONS[configuration]),
        Step::Ask => {
            let view = world.host.capture(&Deadline::never()).expect("served");
            let _ = hits(&view, "alpha");
        }
    }
}

/// Runs a script against a live host: what that says at the end, and what a fresh one says.
fn run(script: &[Step], following: Following, faults: Faults) -> (Facts, Facts) {
    let world = World::over(start(), HostOptions { following, faults, ..HostOptions::default() });
    // Edits of a tree without rows would show nothing of what becomes of rows.
    world.filled();
    script.iter().for_each(|step| take(&world, step));
    // So that there is something to compare, whatever the script left.
    let _ = fs::remove_file(world.full("rift.toml"));
    let _ = fs::remove_file(world.full(".gitignore"));
    let _ = fs::write(world.full(".git/info/exclude"), "");
    world.write("last/kept.py", "def alpha(): pass\n");
    let facts = Facts::of(&world.settled());
    (facts, world.fresh())
}

fn runner(scripts: u32) -> TestRunner {
    let config =
        ProptestConfig { cases: scripts, failure_persistence: None, max_shrink_iters: 0, ..Default::default() };
    // RIFT_SEED, 0 to 255, runs other scripts.
    let seed = std::env::var("RIFT_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7u8);
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]))
}

fn scripts() -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(step(), STEPS)
}

#[test]
fn a_host_that_followed_says_what_a_fresh_one_says() {
    let outcome = runner(SCRIPTS).run(&scripts(), |script| {
        let (facts, fresh) = run(&script, Following::Events, Faults::default());
        assert!(facts.says_something() && facts.matches.iter().any(|(_, matches)| !matches.is_empty()));
        assert_eq!(facts, fresh, "after {script:?}");
        Ok(())
    });
    outcome.expect("every script");
}

#[test]
fn so_does_a_host_that_scans() {
    let outcome = runner(3).run(&scripts(), |script| {
        let (facts, fresh) = run(&script, Following::Scanning, Faults::default());
        assert!(facts.says_something() && facts.matches.iter().any(|(_, matches)| !matches.is_empty()));
        assert_eq!(facts, fresh, "after {script:?}");
        Ok(())
    });
    outcome.expect("every script");
}

/// The comparison can fail: with a fault switched on, it does.
#[test]
fn each_fault_is_caught() {
    for faults in [
        Faults { drop_events: true, ..Faults::default() },
        Faults { skip_invalidation: true, ..Faults::default() },
        Faults { forget_rows: true, ..Faults::default() },
    ] {
        let caught = std::cell::Cell::new(0);
        let outcome = runner(3).run(&scripts(), |script| {
            let (facts, fresh) = run(&script, Following::Events, faults);
            caught.set(caught.get() + u32::from(facts != fresh));
            Ok(())
        });
        outcome.expect("runs");
        // A script that ends in a walk of everything hides what was skipped before.
        assert!(caught.get() > 0, "{faults:?}");
    }
}
