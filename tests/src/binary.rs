//! The binary under test: built once per test run, started with a home of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::Project;

/// The path of the `rift` binary, built in the profile and target folder of the running test.
///
/// `RIFT_TEST_BINARY` names another one to test instead.
pub fn rift_path() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| match std::env::var_os("RIFT_TEST_BINARY") {
        Some(path) => path.into(),
        None => build(),
    })
}

/// Cargo sets `CARGO_BIN_EXE_…` for a package's own binaries only, so the tests ask cargo for this one. The workspace is
/// selected as a whole so that features unify as they did for the tests, and nothing is compiled twice.
fn build() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let profile = test.ancestors().nth(2).expect("tests lie in TARGET/PROFILE/deps");
    let target = profile.parent().expect("PROFILE lies in TARGET");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--workspace", "--bin", "rift", "--manifest-path"]);
    cargo.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml")).arg("--target-dir").arg(target);
    match profile.file_name().and_then(|name| name.to_str()) {
        Some("debug") => {}
        Some(name) => {
            cargo.args(["--profile", name]);
        }
        None => panic!("{} names no profile", profile.display()),
    }
    let status = cargo.status().expect("cargo starts");
    assert!(status.success(), "{cargo:?} failed");
    profile.join(format!("rift{}", std::env::consts::EXE_SUFFIX))
}

/// A `rift` command that works on `project` and keeps whatever it stores in the project's own home folder.
pub fn command(project: &Project) -> Command {
    let mut command = Command::new(rift_path());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("RIFT_") {
            command.env_remove(name);
        }
    }
    command.env_remove("RUST_LOG").current_dir(project.root());
    for (name, path) in project.home_variables() {
        command.env(name, path);
    }
    command
}

/// What a finished `rift` command left behind.
#[derive(Debug)]
pub struct Outcome {
    /// Exit status; none after a signal.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Runs `rift ARGUMENTS` in the root of `project`, without standard input.
pub fn rift(project: &Project, arguments: &[&str]) -> Outcome {
    rift_in(project, "", arguments)
}

/// Runs `rift ARGUMENTS` in a folder of `project`, without standard input.
pub fn rift_in(project: &Project, folder: &str, arguments: &[&str]) -> Outcome {
    let mut command = command(project);
    command.args(arguments).current_dir(project.root().join(folder)).stdin(Stdio::null());
    let output = command.output().expect("rift starts");
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
