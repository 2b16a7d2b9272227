//! Files that pin the release of a language's toolchain, whose standard library code relies on.

use toml::de::DeTable;

use super::{RuntimeSelector, StandardLibrary, StatedDependencies};
use crate::manifest::{table, text};

/// `rust-toolchain.toml`; and `rust-toolchain`, which holds the same or the channel alone
/// (<https://rust-lang.github.io/rustup/overrides.html#the-toolchain-file>).
pub(super) fn rust(name: &str, source: &str, out: &mut StatedDependencies) -> Option<()> {
    let document = DeTable::parse(source);
    let channel = match document.as_ref().ok().and_then(|document| table(document.get_ref(), "toolchain")) {
        Some(toolchain) => text(toolchain, "channel"),
        None if name.ends_with(".toml") => return document.is_ok().then_some(()),
        None => source.lines().next().map(str::to_owned),
    };
    // `1.80.0-x86_64-unknown-linux-gnu` names the host too.
    let release = channel.and_then(|channel| release(channel.split('-').next()?));
    out.runtimes.extend(release.map(|release| (StandardLibrary::Rust, release)));
    Some(())
}

/// `.nvmrc` and `.node-version`: a release on the first line that is no comment. Names of lines (`lts/*`) pin none.
pub(super) fn node(source: &str, out: &mut StatedDependencies) -> Option<()> {
    out.runtimes.extend(first_line(source).and_then(release).map(|release| (StandardLibrary::Node, release)));
    Some(())
}

/// `.python-version`: the first release is the one in use (pyenv, uv).
pub(super) fn python(source: &str, out: &mut StatedDependencies) -> Option<()> {
    let word = first_line(source).and_then(|line| line.split_whitespace().next());
    let word = word.map(|word| word.strip_prefix("cpython-").or_else(|| word.strip_prefix("cpython@")).unwrap_or(word));
    out.runtimes.extend(word.and_then(release).map(|release| (StandardLibrary::Python, release)));
    Some(())
}

/// `.tool-versions`: a tool and its releases on each line, the first in use
/// (<https://asdf-vm.com/manage/configuration.html>).
pub(super) fn tool_versions(source: &str, out: &mut StatedDependencies) -> Option<()> {
    for line in source.lines() {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let library = match words.next() {
            Some("rust") => StandardLibrary::Rust,
            Some("nodejs" | "node") => StandardLibrary::Node,
            Some("python") => StandardLibrary::Python,
            _ => continue,
        };
        out.runtimes.extend(words.next().and_then(release).map(|release| (library, release)));
    }
    Some(())
}

fn first_line(source: &str) -> Option<&str> {
    source.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The release that `word` names: three numbers are one release, fewer a line of them, with or without a leading `v`.
pub(crate) fn release(word: &str) -> Option<RuntimeSelector> {
    let word = word.trim();
    let numbers = word.strip_prefix('v').unwrap_or(word);
    let mut parts = 0;
    for part in numbers.split('.') {
        if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        parts += 1;
    }
    match parts {
        3 => Some(RuntimeSelector::Version(numbers.to_owned())),
        1 | 2 => Some(RuntimeSelector::Line(numbers.to_owned())),
        _ => None,
    }
}
