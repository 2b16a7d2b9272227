//! Builds an index of a folder of Python files in memory or on disk and prints what building, changing and
//! asking it costs: `cargo run --release -p rift-index --example measure -- FOLDER [INDEX_FOLDER] [THREADS] [MEGABYTES] [COPIES]`.
//!
//! Declarations are found line by line, which is enough to have rows of the usual number and size.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, missing_docs)]

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rift_base::{Facet, Facets, FileUnits, Language, ProjectPath, RankingConfig, SymbolUnit};
use rift_index::{
    Index, IndexDelta, IndexOptions, NameWork, NearNames, ParsedQuery, QUERY_TERMS_MAX, Searcher, Selection,
};

fn main() {
    let mut args = std::env::args().skip(1);
    let root = PathBuf::from(args.next().expect("a folder"));
    let directory = args.next().filter(|d| d != "-");
    let threads = args.next().map_or(2, |t| t.parse().expect("a number"));
    let memory = args.next().map_or(40, |t| t.parse::<usize>().expect("megabytes"));
    let copies = args.next().map_or(1, |t| t.parse::<usize>().expect("a number"));
    let mut files = Vec::new();
    list(&root, &root, &mut files);
    files.sort();
    let python = Language::new("python").unwrap();
    let options = IndexOptions { threads, thread_memory: memory * 1_000_000, ..IndexOptions::default() };
    let mut index = match &directory {
        Some(directory) => {
            let _ = std::fs::remove_dir_all(directory);
            std::fs::create_dir_all(directory).unwrap();
            Index::create(Path::new(directory), options).unwrap()
        }
        None => Index::in_memory(options).unwrap(),
    };

    let (mut bytes, mut declarations) = (0, 0);
    let mut feeding = Duration::ZERO;
    let before = (Instant::now(), cpu());
    let bulk = index.bulk().unwrap();
    for path in &files {
        let text = String::from_utf8_lossy(&std::fs::read(root.join(path.as_str())).unwrap()).into_owned();
        let start = Instant::now();
        let units = units(path, &python, &text);
        feeding += start.elapsed();
        bytes += text.len();
        declarations += units.symbols.len();
        bulk.add(&units).unwrap();
        for copy in 1..copies {
            let path = ProjectPath::new(&format!("copy{copy}/{path}")).unwrap();
            bulk.add(&FileUnits { path: &path, ..units.clone() }).unwrap();
        }
    }
    let searcher = bulk.finish("bulk").unwrap();
    println!("files {} bytes {bytes} declarations {declarations}", files.len());
    println!(
        "bulk: wall {:?} cpu {:?} of which finding declarations {feeding:?}, peak {}",
        before.0.elapsed(),
        cpu() - before.1,
        memory_line("VmHWM")
    );
    let statistics = searcher.statistics().unwrap();
    println!("{statistics:?}, {:.3} of the text; now {}", statistics.bytes as f64 / bytes as f64, memory_line("VmRSS"));

    for (part, bytes) in searcher.sizes().unwrap() {
        println!("  {part}: {:.3}", bytes as f64 / 1e6);
    }

    ask(&searcher, &root, &files);
    look_up(&searcher, &root, &files, &python);
    change(&mut index, &root, &files, &python);
    println!("end: {}", memory_line("VmRSS"));
}

/// 1,000 queries of six kinds, drawn from the texts by a fixed recurrence.
fn ask(searcher: &Searcher, root: &Path, files: &[ProjectPath]) {
    let mut random = Random(42);
    let mut words = Vec::new();
    for path in files {
        let text = std::fs::read(root.join(path.as_str())).unwrap();
        let text = String::from_utf8_lossy(&text);
        let all: Vec<&str> = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| w.len() > 2).collect();
        for _ in 0..3.min(all.len()) {
            let at = random.below(all.len());
            words.push(all[at..(at + 6).min(all.len())].iter().map(|w| (*w).to_owned()).collect::<Vec<_>>());
        }
    }
    let prose = ["where does the", "how is", "loads and validates", "the default", "return self", "def get"];
    let mut times: Vec<(Duration, String)> = Vec::new();
    let mut hits = 0;
    for i in 0..1000 {
        let run = &words[random.below(words.len())];
        let text = match i % 6 {
            0 => run[0].clone(),
            1 => run.iter().take(2).cloned().collect::<Vec<_>>().join(" "),
            2 => run.join(" "),
            3 => format!("{} {} get its value", prose[random.below(prose.len())], run[0]),
            4 => format!("\"{}\"", run.iter().take(2).cloned().collect::<Vec<_>>().join(" ")),
            _ => format!("{}x", run[0]),
        };
        let start = Instant::now();
        let query = ParsedQuery::parse(&text, QUERY_TERMS_MAX);
        let ranked = searcher.rank(&query, &Selection::default(), &RankingConfig::default()).unwrap();
        times.push((start.elapsed(), text));
        hits += ranked.hits.len();
    }
    times.sort();
    println!(
        "search: median {:?} p95 {:?} p99 {:?} max {:?}, {hits} hits",
        times[500].0, times[950].0, times[990].0, times[999].0
    );
    for (time, text) in &times[994..] {
        println!("  slow: {time:?} {text}");
    }
}

fn look_up(searcher: &Searcher, root: &Path, files: &[ProjectPath], python: &Language) {
    let mut times = Vec::new();
    for path in files.iter().step_by(10) {
        let text = String::from_utf8_lossy(&std::fs::read(root.join(path.as_str())).unwrap()).into_owned();
        for symbol in units(path, python, &text).symbols.iter().take(3) {
            let hash = Searcher::key(&symbol.key);
            let start = Instant::now();
            let found = searcher.files_with_key(hash);
            times.push(start.elapsed());
            assert!(found.iter().any(|(found, _)| found == path));
        }
    }
    times.sort();
    println!("key: median {:?} p99 {:?} of {}", times[times.len() / 2], times[times.len() * 99 / 100], times.len());
    for name in ["get_querysett", "ModelAdmni", "django.db.models.query.QuerySet.filtre"] {
        let start = Instant::now();
        let near = searcher.names_near(name, 3, NameWork { budget: 20_000_000, lowercase: 4 }).unwrap();
        let time = start.elapsed();
        match near {
            NearNames::Found(names) => {
                println!(
                    "near {name}: {time:?} {:?}",
                    names.iter().map(|n| (&n.qualified, n.distance)).collect::<Vec<_>>()
                );
            }
            NearNames::Exhausted => println!("near {name}: {time:?} exhausted"),
        }
    }
    for text in
        ["get_queryset", "QuerySet filter", "where is the csrf token checked", "how are migrations loaded from disk"]
    {
        let query = ParsedQuery::parse(text, QUERY_TERMS_MAX);
        let ranked = searcher.rank(&query, &Selection::default(), &RankingConfig::default()).unwrap();
        println!("{text}:");
        for hit in ranked.hits.iter().take(6) {
            println!("  {:.5} {:?} {:?}", hit.score, hit.row, hit.matched);
        }
    }
}

fn change(index: &mut Index, root: &Path, files: &[ProjectPath], python: &Language) {
    let edited: Vec<(&ProjectPath, String)> = files
        .iter()
        .step_by(files.len().div_ceil(60))
        .map(|path| {
            let mut text = String::from_utf8_lossy(&std::fs::read(root.join(path.as_str())).unwrap()).into_owned();
            text.push_str("\ndef added_by_edit(): pass\n");
            (path, text)
        })
        .collect();
    let mut times = Vec::new();
    for (path, text) in &edited {
        let start = Instant::now();
        index.apply(&[IndexDelta::Replace(units(path, python, text))], "edit").unwrap();
        times.push(start.elapsed());
    }
    report("apply", times);
    let (mut staging, mut committing, mut adopting) = (Vec::new(), Vec::new(), Vec::new());
    let mut adding = Vec::new();
    for (number, (path, text)) in edited.iter().enumerate() {
        let units_of = units(path, python, text);
        let start = Instant::now();
        index.stage(&[IndexDelta::Replace(units_of)], "edit").unwrap();
        staging.push(start.elapsed());
        let new = ProjectPath::new(&format!("new/{number}.py")).unwrap();
        let start = Instant::now();
        index.stage(&[IndexDelta::Replace(units(&new, python, "def new(): pass"))], "edit").unwrap();
        adding.push(start.elapsed());
        if index.staged().is_commit_due() {
            let job = index.begin_commit().unwrap();
            let start = Instant::now();
            job.run();
            committing.push(start.elapsed());
            let start = Instant::now();
            let _before = index.adopt().unwrap();
            adopting.push(start.elapsed());
        }
    }
    report("stage an edit", staging);
    report("stage a new small file", adding);
    report("commit", committing);
    report("adopt", adopting);
    let searcher = index.searcher();
    println!("{:?}", searcher.statistics().unwrap());
    ask(&searcher, root, files);
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let last = times.len() - 1;
    println!("{what}: median {:?} p95 {:?} max {:?}", times[last / 2], times[last * 95 / 100], times[last]);
}

fn list(root: &Path, folder: &Path, out: &mut Vec<ProjectPath>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(root, &path, out);
        } else if path.extension().is_some_and(|e| e == "py") {
            out.push(ProjectPath::new(path.strip_prefix(root).unwrap().to_str().unwrap()).unwrap());
        }
    }
}

fn units<'a>(path: &'a ProjectPath, python: &'a Language, text: &'a str) -> FileUnits<'a> {
    let module = path.as_str().trim_end_matches(".py").trim_end_matches("/__init__").replace('/', ".");
    let mut containers: Vec<(usize, &str)> = Vec::new();
    let mut symbols = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let indent = line.len() - line.trim_start().len();
        let code = line.trim_start();
        let definition = ["def ", "class ", "async def "].iter().find_map(|k| code.strip_prefix(k));
        let assigned = code.split_once(" = ").map(|(name, _)| name);
        let Some(rest) = definition.or(assigned.filter(|n| n.chars().all(|c| c == '_' || c.is_alphanumeric()))) else {
            continue;
        };
        let name = rest.split(|c: char| !(c == '_' || c.is_alphanumeric())).next().unwrap_or("");
        containers.retain(|(at, _)| *at < indent);
        let within: Vec<&str> = containers.iter().map(|(_, n)| *n).collect();
        if name.is_empty() || (definition.is_none() && indent > 4) {
            continue;
        }
        if definition.is_some() {
            containers.push((indent, name));
        }
        let doc = lines.peek().filter(|_| definition.is_some()).map(|l| l.trim()).filter(|l| l.starts_with("\"\"\""));
        let qualified = [std::slice::from_ref(&module.as_str()), &within, &[name]].concat().join(".");
        let facet = if code.starts_with("class") {
            Facet::Type
        } else if definition.is_some() {
            Facet::Callable
        } else {
            Facet::Value
        };
        symbols.push(SymbolUnit {
            ordinal: symbols.len() as u32,
            name: Cow::Borrowed(name),
            key: Cow::Owned(format!("python/{}", qualified.replace('.', "/"))),
            qualified: Cow::Owned(qualified),
            signature: code,
            documentation: doc.unwrap_or(""),
            kind: "function",
            facets: Facets::of(&[facet]),
            joins: false,
        });
    }
    FileUnits { path, language: Some(python), text, version: 0, generated: false, symbols }
}

/// A linear congruential generator (Knuth's MMIX constants).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// User and system time of the process so far (Linux, in ticks of 10 ms).
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|t| t.parse::<u64>().ok()).unwrap_or(0);
    Duration::from_millis(10 * (ticks(11) + ticks(12)))
}

fn memory_line(name: &str) -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|l| l.starts_with(name)).unwrap_or("").replace('\t', " ")
}
