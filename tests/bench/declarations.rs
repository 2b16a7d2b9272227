//! Lists every declaration that the database holds of a tree, to be held against other parsers.
//!
//! `declarations DIR` prints one line a file, `F path language state`, and one a declaration, `D path kind name line body`,
//! all joined by tabs, in path order. `line` is the line of the name; `body` is `body` where the declaration has one, else `-`.
#![allow(clippy::disallowed_methods)]

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use rift_base::{Deadline, LineIndex};
use rift_host::facts::FileEntry;
use rift_host::{Host, HostOptions, View, find_root};

fn main() -> ExitCode {
    let Some(root) = std::env::args_os().nth(1) else {
        eprintln!("usage: declarations DIR");
        return ExitCode::from(2);
    };
    match list(Path::new(&root)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("declarations: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn list(root: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let cache = tempfile::tempdir()?;
    let options = HostOptions { cache_base: Some(cache.path().to_owned()), ..HostOptions::default() };
    let host = Host::open(find_root(root)?, &options)?;
    host.prepare_in_background();
    host.wait_prepared(&Deadline::never(), |_| ()).map_err(|interrupt| format!("{interrupt:?}"))??;
    let view = host.current()?;
    let mut entries = Vec::new();
    view.tree().walk(&mut |entry| entries.push(entry));
    let mut out = BufWriter::new(std::io::stdout().lock());
    for entry in entries {
        write_file(&view, entry, &mut out)?;
    }
    Ok(out.flush()?)
}

fn write_file(view: &View, entry: &FileEntry, out: &mut impl Write) -> std::io::Result<()> {
    let language = entry.language.as_ref().map_or("-", |language| language.as_str());
    let state = entry.source().map_or("left_out", |source| if source.policy.parses() { "parsed" } else { "text" });
    writeln!(out, "F\t{}\t{language}\t{state}", entry.path)?;
    let (Some(facts), Some(text)) = (view.facts(entry), entry.text()) else { return Ok(()) };
    let lines = LineIndex::new(&text);
    for (declaration, position) in facts.outline.declarations.iter().zip(facts.positions.iter()) {
        let name = declaration.path.name();
        let line = lines.line(position.name.start as usize);
        let body = if position.body.is_empty() { "-" } else { "body" };
        writeln!(out, "D\t{}\t{}\t{}\t{line}\t{body}", entry.path, declaration.kind, one_line(&name))?;
    }
    Ok(())
}

/// A name without the characters that separate fields and lines.
fn one_line(name: &str) -> String {
    name.replace(['\t', '\n', '\r'], " ")
}
