//! The report for people: a word, then what there is to say of it.

use std::fmt::Write as _;

use rift_server::ServerState;

use super::{Report, Source};

/// The width of the first column.
const WIDTH: usize = 12;

pub(super) fn show(report: &Report) -> String {
    let mut lines = Lines::default();
    let digest = report.executable.digest.as_deref().map_or("unreadable", |digest| &digest[..8]);
    lines.add("rift", &format!("{} · executable {digest} · {}", report.version, report.executable.path));
    let reason = match report.root.reason {
        "rift_toml" => "it holds rift.toml",
        "git" => "it holds .git",
        "start" => "nothing above holds rift.toml or .git",
        _ => "it was named",
    };
    lines.add("root", &format!("{} · {reason}", report.root.path));
    match report.configuration.state {
        "absent" => lines.add("config", "no rift.toml · every default holds"),
        "valid" => lines.add("config", "rift.toml valid"),
        _ => {
            lines.add("config", "rift.toml invalid");
            report.configuration.problems.iter().for_each(|problem| lines.add("", problem));
        }
    }
    if let Some(source) = &report.source {
        show_source(&mut lines, source);
    }
    show_watcher(&mut lines, report);
    lines.add("server", &server(&report.server));
    let entries: Vec<String> =
        report.storage.entries.iter().map(|entry| format!("{} {}", entry.name, bytes(entry.bytes))).collect();
    match &entries[..] {
        [] => lines.add("storage", "no .rift"),
        entries => lines.add("storage", &format!(".rift {} · {}", bytes(report.storage.bytes), entries.join(", "))),
    }
    match &report.problems[..] {
        [] => lines.add("problems", "none"),
        problems => {
            for (at, problem) in problems.iter().enumerate() {
                lines.add(if at == 0 { "problems" } else { "" }, &format!("{}: {}", problem.code, problem.message));
            }
        }
    }
    lines.0
}

fn show_source(lines: &mut Lines, source: &Source) {
    match (source.ignore.respected, &source.ignore.sources[..]) {
        (false, _) => lines.add("ignore", "off: source.respect_gitignore = false"),
        (true, []) => lines.add("ignore", "no ignore files"),
        (true, sources) => lines.add("ignore", &some(sources, sources.len() as u64)),
    }
    for problem in &source.ignore.problems {
        lines.add("", &format!("{}: {}", problem.file, problem.problem));
    }
    let files = &source.files;
    lines.add(
        "files",
        &format!(
            "{} visible · {} · {} parsed · {} searched · {} directories",
            files.visible,
            bytes(files.bytes),
            files.parsed,
            files.searched,
            files.directories
        ),
    );
    let languages: Vec<String> = source
        .languages
        .iter()
        .map(|language| format!("{} {}", language.language.as_deref().unwrap_or("no language"), language.files))
        .collect();
    lines.add("languages", &if languages.is_empty() { "none".to_owned() } else { languages.join(", ") });
    for (at, group) in source.left_out.iter().enumerate() {
        let names = some(&group.names, group.count);
        let names = if names.is_empty() { names } else { format!(": {names}") };
        lines.add(if at == 0 { "left out" } else { "" }, &format!("{} {}{names}", group.count, group.describe));
    }
}

fn show_watcher(lines: &mut Lines, report: &Report) {
    let watcher = &report.watcher;
    let mut text = watcher.kind.clone();
    if let Some(reason) = &watcher.reason {
        let _ = write!(text, " · {reason}");
    }
    if let (Some(needed), Some(limit)) = (watcher.watches, watcher.limits.max_user_watches) {
        let _ = write!(text, " · {needed} of {limit} watches");
    }
    if let Some(queue) = watcher.limits.max_queued_events {
        let _ = write!(text, " · queue of {queue} events");
    }
    if let Some(overflows) = watcher.overflows.filter(|overflows| *overflows > 0) {
        let _ = write!(text, " · overflowed {overflows} times");
    }
    lines.add("watcher", &text);
}

fn server(state: &ServerState) -> String {
    match state {
        ServerState::None => "none".to_owned(),
        ServerState::Stale { reason } => {
            format!("none · stale .rift/server.json: {reason}; the next start replaces it")
        }
        ServerState::Silent { reason } => format!("silent · {reason}"),
        ServerState::Serving { port, status, .. } => {
            format!("serving · port {port} · pid {} · version {}", status.pid, status.version)
        }
    }
}

/// Some names, and how many more there are.
fn some(names: &[String], count: u64) -> String {
    const NAMES_MAX: usize = 5;
    let shown = names.len().min(NAMES_MAX);
    let mut text = names[..shown].join(", ");
    let more = count.saturating_sub(shown as u64);
    if shown > 0 && more > 0 {
        let _ = write!(text, " and {more} more");
    }
    text
}

/// A size in the unit that reads best; units are binary, as in rift.toml.
fn bytes(bytes: u64) -> String {
    let mut unit = (1, "b");
    for larger in [(1 << 10, "kb"), (1 << 20, "mb"), (1 << 30, "gb")] {
        if bytes >= larger.0 {
            unit = larger;
        }
    }
    if unit.0 == 1 {
        return format!("{bytes}b");
    }
    // Tenths, rounded down.
    let tenths = u128::from(bytes) * 10 / u128::from(unit.0);
    format!("{}.{}{}", tenths / 10, tenths % 10, unit.1)
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn add(&mut self, word: &str, text: &str) {
        // A name with a line end in it, which no project path has but an omitted one may, stays on its line.
        let text: String = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        let _ = writeln!(self.0, "{word:<WIDTH$}{text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_well() {
        for (size, text) in [
            (0, "0b"),
            (1023, "1023b"),
            (1024, "1.0kb"),
            (1 << 20, "1.0mb"),
            ((1 << 20) - 1, "1023.9kb"),
            (5_767_168, "5.5mb"),
            (3 << 30, "3.0gb"),
            (u64::MAX, "17179869183.9gb"),
        ] {
            assert_eq!(bytes(size), text);
        }
    }

    #[test]
    fn names_are_counted_beyond_the_first() {
        let names: Vec<String> = ["a", "b"].map(str::to_owned).to_vec();
        for (count, text) in [(2, "a, b"), (9, "a, b and 7 more")] {
            assert_eq!(some(&names, count), text);
        }
        assert_eq!(some(&[], 3), "");
    }
}
