//! Peers that the tests talk to, installed by `tests/setup.sh`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A program of a peer that is there to be run.
pub struct Peer {
    program: PathBuf,
    first: Option<PathBuf>,
}

impl Peer {
    /// A command that runs the peer; arguments follow.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.first);
        // What the peer starts by name is the interpreter that it runs on itself.
        if let (Some(folder), Some(path)) = (self.program.parent(), std::env::var_os("PATH")) {
            let folders = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&path));
            command.env("PATH", std::env::join_paths(folders).expect("PATH can be joined"));
        }
        command
    }
}

/// The peer of this name, or none where it is not installed, which is said on stderr. In CI (`CI=true`) a missing peer
/// fails the test.
pub fn peer(name: &str) -> Option<Peer> {
    let script = |name: &str| setting("RIFT_TEST_NODE").zip(setting(name).map(Some));
    let program = |name: &str| setting(name).map(|program| (program, None));
    let found = match name {
        "inspector" => script("RIFT_TEST_INSPECTOR"),
        "conformance" => script("RIFT_TEST_CONFORMANCE"),
        "python_mcp1" => program("RIFT_TEST_PYTHON_MCP1"),
        "python_mcp2" => program("RIFT_TEST_PYTHON_MCP2"),
        "basedpyright" => program("RIFT_TEST_BASEDPYRIGHT"),
        "typescript_server" => script("RIFT_TEST_TYPESCRIPT_SERVER"),
        "clangd" => program("RIFT_TEST_CLANGD"),
        "ripgrep" => program("RIFT_TEST_RIPGREP"),
        "chromium" => program("RIFT_TEST_CHROMIUM"),
        other => panic!("no peer is called {other}"),
    };
    match found {
        Some((program, first)) => Some(Peer { program, first }),
        None => {
            say_missing(name);
            None
        }
    }
}

/// Whether the packages are there that the references of `language` are compared over.
pub fn has_sources(language: &str) -> bool {
    let found = setting(&format!("RIFT_TEST_SOURCES_{}", language.to_uppercase())).is_some();
    if !found {
        say_missing(&format!("the source of packages in {language}"));
    }
    found
}

/// Says on stderr that a test does not run for want of `name`; fails it in CI (`CI=true`).
fn say_missing(name: &str) {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{name} is not installed: run tests/setup.sh");
    let test = std::thread::current().name().unwrap_or("this test").to_owned();
    eprintln!("NOT RUN: {test} needs {name}, which is not installed; tests/setup.sh installs it");
}

/// The value of `name` in the environment, else in the file that `tests/setup.sh` wrote; a path that exists.
fn setting(name: &str) -> Option<PathBuf> {
    let value = std::env::var(name).ok().or_else(|| written(name))?;
    let path = PathBuf::from(value);
    path.exists().then_some(path)
}

fn written(name: &str) -> Option<String> {
    let from_home = || Some(Path::new(&std::env::var_os("HOME")?).join(".cache"));
    let cache = match std::env::var_os("RIFT_TEST_CACHE") {
        Some(cache) => PathBuf::from(cache),
        None => std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(from_home)?.join("rift-tests"),
    };
    let settings = std::fs::read_to_string(cache.join("env")).ok()?;
    let line = settings.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?;
    Some(line.to_owned())
}
