//! Random scripts of edits over a small repository, with questions in between.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::time::SystemTime;

use rift_tests::{Client, Project, Random, is_behind};
use serde_json::json;

/// Steps of one script.
const STEPS: usize = 40;

const DIRECTORIES: &[&str] = &["", "a", "a/b", "a/b/c", "d", "nested", "nested/e", "a-b"];
const NAMES: &[&str] = &["x.py", "y.rs", "z.ts", "guide.md", "data.json", "plain", "Cargo.toml"];
/// What files hold.
pub(crate) const TEXTS: &[&str] = &[
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
const RULES: &[&str] = &["*.py\n", "/b/\n", "*\n!*.rs\n!*/\n", "d/\nguide.md\n", "# nothing\n", "plain\n*.json\n"];
/// A configuration that no server accepts.
const INVALID: &str = "[source]\nfiles = \"many\"\n";
const CONFIGURATIONS: &[&str] = &[
    "",
    "[source]\nexclude = [\"d/**\"]\n",
    "[source]\ninclude = [\"**/*.py\", \"**/*.rs\"]\n",
    "[languages.python]\nenabled = false\n",
    "[source]\nrespect_gitignore = false\n",
    "[search.ranking]\nfusion_k = 30\n",
    INVALID,
];
/// The branches of the repository, and of the one in `nested`.
const BRANCHES: &[&str] = &["one", "two", "three"];

/// One edit, or a question. Paths are below the root.
#[derive(Debug)]
pub(crate) enum Step {
    Write(String, &'static str),
    /// Through a file that takes the other's place.
    Replace(String, &'static str),
    Append(String),
    Delete(String),
    Rename(String, String),
    /// A directory, into another one.
    MoveDirectory(&'static str, String),
    /// A directory, out of the tree.
    MoveOut(&'static str),
    /// What was moved out last, into a directory.
    MoveIn(String),
    DeleteDirectory(&'static str),
    /// The ignore file of a directory.
    Rules(String, &'static str),
    DeleteRules(String),
    /// The repository's own ignore file.
    Exclude(&'static str),
    Touch(String),
    Chmod(String, u32),
    /// A link in the place of a file.
    Link(String),
    Checkout(&'static str),
    NestedCheckout(&'static str),
    Configure(&'static str),
    /// Whether what is said of a file is what it holds.
    AskSource(String),
    AskSearch(&'static str),
}

fn path(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}

fn random_step(random: &mut Random) -> Step {
    let file = |random: &mut Random| path(random.pick(DIRECTORIES), random.pick(NAMES));
    let directory = |random: &mut Random| random.pick(DIRECTORIES).to_owned();
    let inner = |random: &mut Random| random.pick(&DIRECTORIES[1..]);
    match random.below(52) {
        0..8 => Step::Write(file(random), random.pick(TEXTS)),
        8..10 => Step::Replace(file(random), random.pick(TEXTS)),
        10..12 => Step::Append(file(random)),
        12..15 => Step::Delete(file(random)),
        15..18 => Step::Rename(file(random), file(random)),
        18..20 => Step::MoveDirectory(inner(random), directory(random)),
        20..22 => Step::MoveOut(inner(random)),
        22..24 => Step::MoveIn(directory(random)),
        24 => Step::DeleteDirectory(inner(random)),
        25..28 => Step::Rules(directory(random), random.pick(RULES)),
        28..30 => Step::DeleteRules(directory(random)),
        30 => Step::Exclude(random.pick(RULES)),
        31 => Step::Touch(file(random)),
        32 => Step::Chmod(file(random), random.pick(&[0o755, 0o644, 0o600])),
        33 => Step::Link(file(random)),
        34..37 => Step::Checkout(random.pick(BRANCHES)),
        37..39 => Step::NestedCheckout(random.pick(BRANCHES)),
        39..42 => Step::Configure(random.pick(CONFIGURATIONS)),
        42..48 => Step::AskSource(file(random)),
        _ => Step::AskSearch(random.pick(&["alpha", "Widget", "render", "guide"])),
    }
}

/// The tree that scripts start from: a repository with three branches, and one in it with three of its own.
pub(crate) fn repository() -> Project {
    let project = Project::with([("nested/n.py", TEXTS[0]), (".gitignore", "nested/\n.gitignore\nrift.toml\n")]);
    for below in ["", "nested"] {
        project.git(below, &["init", "-q"]);
        for (number, branch) in BRANCHES.iter().enumerate() {
            for (name, text) in NAMES.iter().zip(TEXTS.iter().cycle().skip(number)).skip(number) {
                for directory in ["", "a", "a/b"] {
                    project.write(&path(below, &path(directory, name)), text);
                }
            }
            let only = path(below, "d/only.rs");
            if number == 1 {
                let _ = fs::remove_file(project.root().join(only));
            } else {
                project.write(&only, format!("pub fn alpha_{number}() {{}}\n"));
            }
            project.commit(below, branch);
        }
    }
    fs::remove_file(project.root().join(".gitignore")).expect("removed");
    project
}

/// Takes the steps of `seed`, and answers with them. A configuration is left that a server accepts.
pub(crate) fn take(project: &Project, client: &mut Client, seed: u64) -> Vec<Step> {
    let mut random = Random::seeded(seed);
    let script: Vec<Step> = (0..STEPS).map(|_| random_step(&mut random)).collect();
    script.iter().for_each(|taken| step(project, client, taken));
    if fs::read_to_string(project.root().join("rift.toml")).is_ok_and(|text| text == INVALID) {
        project.write("rift.toml", "");
    }
    script
}

/// Takes one step. What is not there any more is no step.
pub(crate) fn step(project: &Project, client: &mut Client, step: &Step) {
    let full = |path: &str| project.root().join(path);
    let outside = project.root().with_file_name("outside");
    match step {
        Step::Write(file, text) => write(&full(file), text),
        Step::Replace(file, text) => {
            let temporary = full(&format!("{file}.new~"));
            write(&temporary, text);
            let _ = fs::rename(temporary, full(file));
        }
        Step::Append(file) => {
            if let Ok(mut file) = fs::OpenOptions::new().append(true).open(full(file)) {
                let _ = file.write_all(b"\n# alpha beta appended\n");
            }
        }
        Step::Delete(file) => drop(fs::remove_file(full(file))),
        Step::Rename(from, to) => drop(fs::rename(full(from), full(to))),
        Step::MoveDirectory(from, to) => drop(fs::rename(full(from), full(to).join("moved"))),
        Step::MoveOut(from) => {
            if full(from).is_dir() {
                let _ = fs::remove_dir_all(&outside);
                let _ = fs::rename(full(from), &outside);
            }
        }
        Step::MoveIn(to) => drop(fs::rename(&outside, full(to).join("came"))),
        Step::DeleteDirectory(directory) => drop(fs::remove_dir_all(full(directory))),
        Step::Rules(directory, rules) => write(&full(directory).join(".gitignore"), rules),
        Step::DeleteRules(directory) => drop(fs::remove_file(full(directory).join(".gitignore"))),
        Step::Exclude(rules) => write(&full(".git/info/exclude"), rules),
        Step::Touch(file) => {
            if let Ok(file) = fs::OpenOptions::new().write(true).open(full(file)) {
                let _ = file.set_modified(SystemTime::now());
            }
        }
        Step::Chmod(file, mode) => drop(fs::set_permissions(full(file), fs::Permissions::from_mode(*mode))),
        Step::Link(file) => {
            let _ = fs::remove_file(full(file));
            let _ = symlink("guide.md", full(file));
        }
        Step::Checkout(branch) => project.git("", &["checkout", "-q", "-f", branch]),
        // It may have been moved away, and the repository around it is not meant.
        Step::NestedCheckout(branch) if full("nested/.git").exists() => {
            project.git("nested", &["checkout", "-q", "-f", branch]);
        }
        Step::NestedCheckout(_) => {}
        Step::Configure(text) => write(&full("rift.toml"), text),
        Step::AskSource(file) => ask_source(project, client, file),
        Step::AskSearch(query) => {
            let answer = client.call("search", json!({ "query": query, "include": ["score"] }));
            assert!(!answer.is_error() || is_refused(project, answer.text()), "{}", answer.text());
        }
    }
}

fn write(at: &Path, text: &str) {
    let _ = at.parent().map(fs::create_dir_all);
    let _ = fs::write(at, text);
}

/// Whether an answer says, rightly, that no configuration is accepted.
fn is_refused(project: &Project, text: &str) -> bool {
    let invalid = fs::read_to_string(project.root().join("rift.toml")).is_ok_and(|text| text == INVALID);
    invalid && text.contains("configuration_invalid")
}

/// A file's text is the one that it holds now, or the answer says that it is behind; a file that is not there is not found.
#[track_caller]
fn ask_source(project: &Project, client: &mut Client, file: &str) {
    let answer = client.call("get_source", json!({ "unit": format!("rift://source/project/{file}") }));
    let at = project.root().join(file);
    let Some(said) = answer.0.get("structuredContent") else {
        let text = answer.text();
        assert!(is_refused(project, text) || text.contains("content_unavailable") && at.exists(), "{file}: {text}");
        return;
    };
    let held = fs::symlink_metadata(&at).ok().filter(fs::Metadata::is_file).and_then(|_| fs::read_to_string(&at).ok());
    match said["source"]["text"].as_str() {
        _ if is_behind(said) => {}
        Some(text) => assert_eq!(Some(text), held.as_deref(), "{file}"),
        None => assert_eq!(said["outcome"], "missing", "{file}: {said}"),
    }
}
