//! The releases of installed toolchains, asked of the toolchains themselves.
//!
//! Nothing of a workspace takes part: programs are those of `PATH` by absolute entries, they run in the system's root folder,
//! so that no version file or override of a workspace picks another one (a `rust-toolchain.toml` may name a folder of
//! programs), and the managers among them are told to install nothing.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::dependencies::{RuntimeSelector, StandardLibrary, release};

/// Bytes of a program's answer that are read.
const ANSWER_BYTES_MAX: u64 = 4096;
/// How often a running program is looked at.
const PAUSE: Duration = Duration::from_millis(5);

/// The release that the installed toolchain of `library` has, `x.y.z`; none for a library whose toolchain is not asked.
/// Takes at most `timeout`.
///
/// # Errors
/// Why it could not be had, for people.
pub fn installed_release(library: StandardLibrary, timeout: Duration) -> Option<Result<String, String>> {
    let program = match library {
        StandardLibrary::Rust => "rustc",
        StandardLibrary::Node => "node",
        StandardLibrary::Python => return None,
    };
    let search = std::env::var_os("PATH").unwrap_or_default();
    Some(match find(program, std::env::split_paths(&search)) {
        Some(path) => ask(&path, timeout),
        None => Err(format!("no program {program} is installed")),
    })
}

/// The first file called `program` in an absolute folder of `folders`.
fn find(program: &str, folders: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join(&name)).find(|path| path.is_file())
}

fn ask(program: &Path, timeout: Duration) -> Result<String, String> {
    let shown = program.display();
    let mut command = Command::new(program);
    command.arg("--version").current_dir(neutral());
    command.env("RUSTUP_AUTO_INSTALL", "0").env("MISE_AUTO_INSTALL", "0").env_remove("RUSTUP_TOOLCHAIN");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("{shown} does not start: {}", error.kind()))?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < timeout => std::thread::sleep(PAUSE),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("{shown} took longer than the [dependencies] key command_timeout"));
            }
            Err(error) => return Err(format!("{shown} cannot be waited for: {}", error.kind())),
        }
    };
    let mut answer = Vec::new();
    if let Some(output) = child.stdout.take() {
        // An answer of one line fits the pipe of a program that has ended.
        let _ = output.take(ANSWER_BYTES_MAX).read_to_end(&mut answer);
    }
    let answer = String::from_utf8_lossy(&answer);
    let words = answer.split_whitespace().filter_map(|word| release(word.split('-').next().unwrap_or(word)));
    let version = words.filter_map(|release| match release {
        RuntimeSelector::Version(version) => Some(version),
        _ => None,
    });
    match version.into_iter().next() {
        Some(version) if status.success() => Ok(version),
        _ => Err(format!("{shown} states no release")),
    }
}

/// A folder that no workspace is in.
fn neutral() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    here.ancestors().last().filter(|root| root.is_absolute()).map_or_else(|| PathBuf::from("/"), Path::to_owned)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn program(folder: &Path, name: &str, script: &str) -> PathBuf {
        let path = folder.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("set");
        path
    }

    #[test]
    fn releases_are_read_of_answers() {
        let folder = tempfile::tempdir().expect("a folder");
        let ask = |script: &str| ask(&program(folder.path(), "tool", script), Duration::from_secs(60));
        assert_eq!(ask("echo 'rustc 1.91.0 (f8297e351 2026-10-28)'"), Ok("1.91.0".to_owned()));
        assert_eq!(ask("echo v22.3.1"), Ok("22.3.1".to_owned()));
        assert_eq!(ask("echo 'rustc 1.93.0-nightly (x)'"), Ok("1.93.0".to_owned()));
        assert!(ask("echo tool 5").is_err_and(|e| e.ends_with("states no release")));
        assert!(ask("echo 1.2.3; exit 1").is_err_and(|e| e.ends_with("states no release")));
        assert_eq!(
            ask("[ \"$RUSTUP_AUTO_INSTALL$MISE_AUTO_INSTALL\" = 00 ] && [ \"$PWD\" = / ] && echo 1.2.3"),
            Ok("1.2.3".to_owned())
        );
    }

    #[test]
    fn endless_programs_are_ended() {
        let folder = tempfile::tempdir().expect("a folder");
        let endless = program(folder.path(), "tool", "exec sleep 600");
        let start = Instant::now();
        assert!(super::ask(&endless, Duration::from_millis(50)).is_err_and(|e| e.contains("command_timeout")));
        assert!(start.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn relative_folders_are_not_searched() {
        let folder = tempfile::tempdir().expect("a folder");
        program(folder.path(), "tool", "echo 1.2.3");
        let search = |folders: &[PathBuf]| find("tool", folders.iter().cloned());
        assert_eq!(search(&[PathBuf::from("."), PathBuf::new()]), None);
        assert_eq!(search(&[folder.path().to_owned()]), Some(folder.path().join("tool")));
    }
}
