//! Development: scores the annotated questions in this process. Lines of `name=value ...` on standard input set knobs.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Instant;

use rift_base::Deadline;
use rift_host::{Following, Host, HostOptions, stated_root};
use rift_protocol::{Request, SearchParams};
use serde_json::{Value, json};

struct Question {
    query: String,
    category: String,
    targets: Vec<(String, Option<(u64, u64)>)>,
    held: bool,
}

struct Repo {
    name: String,
    language: String,
    root: std::path::PathBuf,
    host: Host,
    questions: Vec<Question>,
}

fn ndcg(ranks: &[usize], n: usize) -> f64 {
    let dcg = |ranks: &[usize]| ranks.iter().map(|r| 1.0 / ((*r as f64) + 1.0).log2()).sum::<f64>();
    // Two targets with one rank count once, as in score.py.
    let mut set: Vec<usize> = ranks.to_vec();
    set.sort();
    set.dedup();
    let ideal: Vec<usize> = (1..=n.min(10)).collect();
    if n == 0 { 0.0 } else { dcg(&set) / dcg(&ideal) }
}

fn same(a: &str, b: &str) -> bool {
    a == b || a.ends_with(&format!("/{b}")) || b.ends_with(&format!("/{a}"))
}

fn lines(root: &Path, hit: &Value) -> Option<(u64, u64)> {
    let data = std::fs::read(root.join(hit["path"].as_str()?)).ok()?;
    let start = hit["range"]["start"].as_u64()? as usize;
    let end = (hit["range"]["end"].as_u64()? as usize).saturating_sub(1).max(start);
    let count = |to: usize| data[..to.min(data.len())].iter().filter(|b| **b == b'\n').count() as u64 + 1;
    Some((count(start), count(end)))
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (questions, repos) = (&args[0], &args[1]);
    let only: Vec<&String> = args[2..].iter().filter(|a| !a.starts_with('-')).collect();
    let specs: Value = serde_json::from_slice(&std::fs::read(questions).unwrap()).unwrap();
    let mut all = Vec::new();
    for spec in specs.as_array().unwrap() {
        let name = spec["repo"].as_str().unwrap().to_owned();
        if !only.is_empty() && !only.iter().any(|o| **o == name) {
            continue;
        }
        let root = Path::new(repos).join(&name).join(spec["root"].as_str().unwrap());
        let root = std::fs::canonicalize(&root).unwrap();
        let options = HostOptions { following: Following::Told, ..HostOptions::default() };
        let host = Host::open(stated_root(&root).unwrap(), &options).unwrap();
        host.prepare_in_background();
        host.wait_prepared(&Deadline::never(), |_| ()).unwrap().unwrap();
        let targets = |q: &Value| {
            let mut out = Vec::new();
            for key in ["relevant", "secondary"] {
                for t in q[key].as_array().into_iter().flatten() {
                    match t.as_str() {
                        Some(path) => out.push((path.to_owned(), None)),
                        None => {
                            let span = t["start_line"].as_u64().zip(t["end_line"].as_u64());
                            out.push((t["path"].as_str().unwrap().to_owned(), span));
                        }
                    }
                }
            }
            out
        };
        let questions = spec["questions"].as_array().unwrap().iter().enumerate().map(|(at, q)| Question {
            query: q["query"].as_str().unwrap().to_owned(),
            category: q["category"].as_str().unwrap_or("").to_owned(),
            targets: targets(q),
            held: at % 2 == 1,
        });
        let questions = questions.collect();
        all.push(Repo { name, language: spec["language"].as_str().unwrap().to_owned(), root, host, questions });
    }
    eprintln!("ready: {} repositories", all.len());
    if let Some(folder) = args.iter().find_map(|a| a.strip_prefix("--dump=")) {
        for repo in &all {
            let mut out = std::fs::File::create(format!("{folder}/{}.jsonl", repo.name)).unwrap();
            let view = repo.host.capture(&Deadline::never()).unwrap();
            view.tree().walk(&mut |entry| {
                let Some(text) = view.text(entry) else { return };
                let mut symbols = Vec::new();
                if let Some(facts) = view.facts(entry) {
                    for (d, p) in facts.outline.declarations.iter().zip(facts.positions.iter()) {
                        symbols.push(json!({"name": d.path.name(), "kind": format!("{:?}", d.kind), "facets": d.facets.bits(),
                            "sig": &*d.signature, "doc": d.documentation.as_ref().map_or("", |d| &d.text),
                            "range": [p.declaration.start, p.declaration.end], "container": d.container.map(|c| c.0)}));
                    }
                }
                let row = json!({"path": entry.path.as_str(), "language": entry.language.as_ref().map(|l| l.as_str()), "text": &*text, "symbols": symbols,
                    "searched": entry.source().is_some_and(|s| s.policy.indexes_text()), "generated": entry.source().is_some_and(|s| s.kind.is_generated())});
                writeln!(out, "{row}").unwrap();
            });
        }
        return;
    }
    let stdin = std::io::stdin();
    for line in stdin.lock().lines() {
        let line = line.unwrap();
        let mut dump = None;
        for set in line.split_whitespace() {
            let (key, value) = set.split_once('=').unwrap();
            if key == "dump" {
                dump = Some(std::fs::File::create(value).unwrap());
            } else {
                rift_host::index::knobs::set(key, value.parse().unwrap());
            }
        }
        let began = Instant::now();
        let mut sums: Vec<(f64, f64, f64, f64, bool)> = Vec::new();
        let mut times = Vec::new();
        for repo in &all {
            let (mut tune, mut held) = (Vec::new(), Vec::new());
            for q in &repo.questions {
                let params = json!({"query": q.query, "target": "all", "limit": 10, "include": ["source", "score"]});
                let params = SearchParams::parse(params).unwrap();
                let t = Instant::now();
                let answer = rift_tools::search(&repo.host, &params, &Deadline::never()).unwrap();
                times.push(t.elapsed().as_secs_f64() * 1000.0);
                let answer = serde_json::to_value(answer).unwrap();
                let hits = answer["results"].as_array().cloned().unwrap_or_default();
                let covers = |hit: &Value, path: &str, span: Option<(u64, u64)>| {
                    same(hit["path"].as_str().unwrap_or(""), path)
                        && span.is_none_or(|(a, b)| {
                            lines(&repo.root, hit).is_some_and(|(from, to)| !(to < a || from > b))
                        })
                };
                let ranks: Vec<Option<usize>> = q
                    .targets
                    .iter()
                    .map(|(path, span)| hits.iter().position(|hit| covers(hit, path, *span)).map(|at| at + 1))
                    .collect();
                let found: Vec<usize> = ranks.iter().flatten().copied().collect();
                let score = ndcg(&found, q.targets.len());
                if q.held { held.push(score) } else { tune.push(score) }
                if let Some(dump) = &mut dump {
                    let top: Vec<Value> = hits
                        .iter()
                        .map(|h| {
                            let line = h["line"].as_u64().unwrap_or(0);
                            json!(format!("{}:{} {} {}", h["path"].as_str().unwrap_or(""), line,
                                h["hit"]["symbol"]["name"].as_str().unwrap_or("-"), h["matched_by"]))
                        })
                        .collect();
                    let row = json!({"repo": repo.name, "language": repo.language, "query": q.query, "held": q.held,
                        "category": q.category, "ndcg": score, "ranks": ranks, "targets": q.targets.iter().map(|t| &t.0).collect::<Vec<_>>(), "top": top});
                    writeln!(dump, "{row}").unwrap();
                }
            }
            let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len().max(1) as f64;
            let served = ["c", "cpp", "go", "java", "javascript", "python", "rust", "typescript"];
            let both: Vec<f64> = tune.iter().chain(&held).copied().collect();
            sums.push((mean(&tune), mean(&held), mean(&both), 0.0, served.contains(&repo.language.as_str())));
        }
        let of = |pick: &dyn Fn(&(f64, f64, f64, f64, bool)) -> f64, served: bool| {
            let v: Vec<f64> = sums.iter().filter(|s| !served || s.4).map(pick).collect();
            v.iter().sum::<f64>() / v.len().max(1) as f64
        };
        times.sort_by(f64::total_cmp);
        println!(
            "tune {:.4} held {:.4} all {:.4} | served tune {:.4} held {:.4} all {:.4} | ms p50 {:.2} p99 {:.2} | {:.1} s",
            of(&|s| s.0, false), of(&|s| s.1, false), of(&|s| s.2, false),
            of(&|s| s.0, true), of(&|s| s.1, true), of(&|s| s.2, true),
            times[times.len() / 2], times[times.len() * 99 / 100], began.elapsed().as_secs_f64()
        );
        if dump.is_some() {
            for (repo, s) in all.iter().zip(&sums) {
                println!("  {:20} {:12} tune {:.3} held {:.3} all {:.3}", repo.name, repo.language, s.0, s.1, s.2);
            }
        }
        std::io::stdout().flush().unwrap();
    }
}
