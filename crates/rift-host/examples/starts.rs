//! Starts a host over a folder, with an empty store and then over what that left, edits files, and prints what each costs:
//! `cargo run --release -p rift-host --example starts -- FOLDER [EDITS]`. Its stores (`FOLDER/.rift`) are removed first.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::time::{Duration, Instant};

use rift_base::{Deadline, ProjectPath};
use rift_host::{Following, Host, HostOptions, stated_root};

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = args.next().expect("a folder");
    let edits: usize = args.next().map_or(200, |n| n.parse().expect("a number"));
    let _ = std::fs::remove_dir_all(Path::new(&folder).join(".rift"));
    for what in ["cold", "warm", "warm"] {
        let before = (Instant::now(), cpu());
        let host = start(&folder);
        let work = host.fact_work();
        println!(
            "{what}: wall {:?} cpu {:?}, {} extracted, {} restored, {:?}; {} {}",
            before.0.elapsed(),
            cpu() - before.1,
            work.extracted(),
            work.restored(),
            host.kept_facts(),
            memory_line("VmHWM"),
            memory_line("VmRSS")
        );
        println!("  {:?}", host.current().unwrap().searcher().statistics().unwrap());
    }
    let host = start(&folder);
    let mut files = Vec::new();
    host.current().unwrap().tree().walk(&mut |entry| {
        if entry.source().is_some_and(|source| source.policy.parses() && source.size < 40_000) {
            files.push((entry.path.clone(), entry.text().unwrap()));
        }
    });
    println!("before edits: {}", memory_line("VmRSS"));
    let step = (files.len() / 97).max(1);
    let mut times = Vec::new();
    for number in 0..edits {
        let (path, text) = &files[number * step % files.len()];
        std::fs::write(Path::new(&folder).join(path.as_str()), format!("{text}\n# edit {number}\n")).unwrap();
        times.push(refresh(&host, path));
    }
    times.sort();
    if let Some(last) = times.len().checked_sub(1) {
        println!(
            "refresh: median {:?} p95 {:?} p99 {:?} max {:?}",
            times[last / 2],
            times[last * 95 / 100],
            times[last * 99 / 100],
            times[last]
        );
    }
    for (path, text) in &files {
        std::fs::write(Path::new(&folder).join(path.as_str()), &**text).unwrap();
    }
    host.rescan().unwrap();
    println!("after edits: {}, {:?}", memory_line("VmRSS"), host.kept_facts());
    println!("  {:?}", host.current().unwrap().searcher().statistics().unwrap());
}

fn refresh(host: &Host, path: &ProjectPath) -> Duration {
    let start = Instant::now();
    host.refresh(std::slice::from_ref(path)).unwrap();
    start.elapsed()
}

fn start(folder: &str) -> Host {
    let options = HostOptions { following: Following::Told, ..HostOptions::default() };
    let host = Host::open(stated_root(Path::new(folder)).unwrap(), &options).unwrap();
    host.prepare_in_background();
    host.wait_prepared(&Deadline::never(), |_| {}).unwrap().unwrap();
    host
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
