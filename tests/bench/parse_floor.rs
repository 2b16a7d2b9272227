//! The floor of a cold index: walks a tree by the catalog's rules, reads every file and parses those that a grammar
//! claims, and does nothing with the trees. What an index costs beyond this is its own work.
//!
//! `parse-floor DIR [THREADS]` prints one line of `name value` pairs; the caller measures CPU time and memory.
#![allow(clippy::disallowed_methods)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use rift_base::KNOWN_LANGUAGES;
use tree_sitter::{Language, Parser};

/// Files past this many bytes are read but not parsed, as `[providers.syntax] max_file` says by default.
const MAX_FILE: usize = 4 << 20;

/// Folders that the catalog never shows.
const NEVER_VISIBLE: [&str; 3] = [".git", ".rift", "target"];

#[derive(Default)]
struct Totals {
    files: AtomicU64,
    bytes: AtomicU64,
    parsed_files: AtomicU64,
    parsed_bytes: AtomicU64,
    failed: AtomicU64,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(root) = arguments.next() else {
        eprintln!("usage: parse-floor DIR [THREADS]");
        return ExitCode::from(2);
    };
    let threads = match arguments.next().map(|t| t.to_string_lossy().parse()) {
        None => std::thread::available_parallelism().map_or(1, usize::from),
        Some(Ok(threads)) if threads > 0 => threads,
        Some(_) => {
            eprintln!("parse-floor: THREADS is a number above zero");
            return ExitCode::from(2);
        }
    };
    let start = Instant::now();
    let paths = walk(Path::new(&root));
    let totals = Totals::default();
    let next = AtomicUsize::new(0);
    let problems = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut parser = Parser::new();
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(problem) = read_and_parse(path, &mut parser, &totals) {
                        totals.failed.fetch_add(1, Ordering::Relaxed);
                        if let Ok(mut problems) = problems.lock() {
                            problems.push(format!("{}: {problem}", path.display()));
                        }
                    }
                }
            });
        }
    });
    for problem in problems.into_inner().unwrap_or_default() {
        eprintln!("parse-floor: {problem}");
    }
    let total = |count: &AtomicU64| count.load(Ordering::Relaxed);
    println!(
        "files {} bytes {} parsed_files {} parsed_bytes {} failed {} threads {threads} wall_ms {}",
        total(&totals.files),
        total(&totals.bytes),
        total(&totals.parsed_files),
        total(&totals.parsed_bytes),
        total(&totals.failed),
        start.elapsed().as_millis(),
    );
    ExitCode::SUCCESS
}

/// Every visible file under `root`: the workspace's own ignore files alone, hidden folders included, links not followed.
fn walk(root: &Path) -> Vec<PathBuf> {
    let walk = ignore::WalkBuilder::new(root)
        .hidden(false)
        .parents(false)
        .ignore(false)
        .git_global(false)
        .require_git(false)
        .filter_entry(|entry| !NEVER_VISIBLE.iter().any(|name| entry.file_name() == *name))
        .build();
    walk.filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(ignore::DirEntry::into_path)
        .collect()
}

fn read_and_parse(path: &Path, parser: &mut Parser, totals: &Totals) -> Result<(), String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    totals.files.fetch_add(1, Ordering::Relaxed);
    totals.bytes.fetch_add(text.len() as u64, Ordering::Relaxed);
    let Some(grammar) = grammar(path, &text) else { return Ok(()) };
    if text.len() > MAX_FILE || std::str::from_utf8(&text).is_err() {
        return Ok(());
    }
    parser.set_language(&grammar).map_err(|error| error.to_string())?;
    parser.parse(&text, None).ok_or("the parser gave no tree")?;
    totals.parsed_files.fetch_add(1, Ordering::Relaxed);
    totals.parsed_bytes.fetch_add(text.len() as u64, Ordering::Relaxed);
    Ok(())
}

fn grammar(path: &Path, text: &[u8]) -> Option<Language> {
    let name = path.file_name()?.to_str()?;
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    let known = KNOWN_LANGUAGES
        .iter()
        .find(|known| known.extensions.contains(&extension.as_str()) || known.file_names.contains(&name))?;
    let language = match known.identity {
        "c" if extension == "h" && reads_as_cpp(text) => tree_sitter_cpp::LANGUAGE,
        "c" => tree_sitter_c::LANGUAGE,
        "cpp" => tree_sitter_cpp::LANGUAGE,
        "go" => tree_sitter_go::LANGUAGE,
        "java" => tree_sitter_java::LANGUAGE,
        "javascript" => tree_sitter_javascript::LANGUAGE,
        "json" => tree_sitter_json::LANGUAGE,
        "markdown" => tree_sitter_md::LANGUAGE,
        "python" => tree_sitter_python::LANGUAGE,
        "rust" => tree_sitter_rust::LANGUAGE,
        "toml" => tree_sitter_toml_ng::LANGUAGE,
        "typescript" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        "typescript:tsx" => tree_sitter_typescript::LANGUAGE_TSX,
        "yaml" => tree_sitter_yaml::LANGUAGE,
        _ => return None,
    };
    Some(language.into())
}

/// Whether a header's lines start with words that only C++ has. Near enough for a floor: it chooses a grammar, no answer.
fn reads_as_cpp(text: &[u8]) -> bool {
    const STARTS: [&[u8]; 6] = [b"class ", b"namespace ", b"template", b"using ", b"public:", b"private:"];
    text.split(|byte| *byte == b'\n').any(|line| STARTS.iter().any(|start| line.trim_ascii_start().starts_with(start)))
}
