//! `rift debug stats`: every phase over a tree, in one process.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use rift_base::Deadline;
use rift_host::{HostError, LanguageShare, Phase, phases};
use rift_server::{call, read_map};
use serde::Serialize;
use serde_json::{Value, json};

use super::Unanswered;
use super::table::{bytes, table, time};
use crate::output::write_out;
use crate::shell::prepared;

/// Symbols whose references are asked for.
const SAMPLE: usize = 50;

/// All phases; its JSON is the command's.
#[derive(Debug, Serialize)]
struct Stats {
    root: String,
    threads: usize,
    phases: Vec<Measured>,
}

/// One phase with what it took.
#[derive(Debug, Serialize)]
struct Measured {
    name: &'static str,
    wall_us: u64,
    /// Processor time of the whole process; absent where the system does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_us: Option<u64>,
    /// The most memory during the phase; absent where the system does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<u64>,
    counts: BTreeMap<&'static str, u64>,
    languages: BTreeMap<String, Share>,
}

/// A language's part of a phase.
#[derive(Debug, Serialize)]
struct Share {
    files: u64,
    bytes: u64,
    time_us: u64,
    /// Bytes that a second of its time does; absent when it took no time that can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_per_second: Option<u64>,
}

pub(super) fn run(folder: &Path, threads: usize, is_json: bool) -> Result<(), Unanswered> {
    let root = rift_server::root(Some(folder)).map_err(|error| Unanswered::Refused(error.to_string()))?;
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        stated => stated,
    };
    let mut measured: Vec<Measured> = Vec::new();
    let done = phases(&root.path, threads, &mut |work| {
        let (phase, took) = watched(work);
        measured.push(took.of(phase?));
        Ok(())
    });
    done.map_err(|error: HostError| Unanswered::Refused(error.to_string()))?;
    questions(folder, &mut measured)?;
    let stats = Stats { root: root.path.display().to_string(), threads, phases: measured };
    Ok(write_out(&if is_json { serde_json::to_string_pretty(&stats)? } else { text(&stats) })?)
}

/// The whole at once, as a command at a shell meets it, and then the questions: the map, and who refers to the symbols that it names.
fn questions(folder: &Path, measured: &mut Vec<Measured>) -> Result<(), Unanswered> {
    let (workspace, took) = watched(|| prepared(Some(folder), true));
    let host = workspace.host().map_err(|failure| Unanswered::Refused(failure.data.message.clone()))?;
    let work = host.fact_work();
    let counts = BTreeMap::from([("parsed", work.extracted()), ("restored", work.restored())]);
    measured.push(took.of(Phase { name: "prepare", counts, ..Phase::default() }));
    let (map, took) = watched(|| read_map(&workspace, &Deadline::never()));
    let map = map.map_err(|failure| Unanswered::Refused(failure.data.message.clone()))?;
    let mut symbols = Vec::new();
    collect_symbols(&serde_json::to_value(&map)?, &mut symbols);
    let counts = BTreeMap::from([("modules", map.modules.len() as u64), ("symbols", symbols.len() as u64)]);
    measured.push(took.of(Phase { name: "map", counts, ..Phase::default() }));
    symbols.truncate(SAMPLE);
    let (times, took) = watched(|| {
        let ask = |id: &String| {
            let start = Instant::now();
            let traversal = json!({ "seed": id, "direction": "incoming", "facets": [], "depth": 1 });
            call(&workspace, "search", json!({ "traversal": traversal, "target": "symbol" }), &Deadline::never());
            start.elapsed()
        };
        let mut times: Vec<Duration> = symbols.iter().map(ask).collect();
        times.sort_unstable();
        times
    });
    let at = |share: usize| times.get(times.len().saturating_sub(1) * share / 100).map_or(0, micros);
    let counts = BTreeMap::from([("symbols", times.len() as u64), ("median_us", at(50)), ("p99_us", at(99))]);
    measured.push(took.of(Phase { name: "references", counts, ..Phase::default() }));
    Ok(())
}

/// Every identity of a symbol in `value`, in its order.
fn collect_symbols(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) if text.starts_with("rift://symbol/") && !out.contains(text) => out.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect_symbols(item, out)),
        Value::Object(members) => members.values().for_each(|member| collect_symbols(member, out)),
        _ => {}
    }
}

/// What a phase took.
struct Took {
    wall: Duration,
    cpu: Option<Duration>,
    peak: Option<u64>,
}

impl Took {
    fn of(self, phase: Phase) -> Measured {
        let share = |share: LanguageShare| Share {
            files: share.files,
            bytes: share.bytes,
            time_us: micros(&share.time),
            bytes_per_second: per_second(share.bytes, share.time),
        };
        Measured {
            name: phase.name,
            wall_us: micros(&self.wall),
            cpu_us: self.cpu.as_ref().map(micros),
            peak_bytes: self.peak,
            counts: phase.counts,
            languages: phase.languages.into_iter().map(|(name, found)| (name, share(found))).collect(),
        }
    }
}

fn micros(time: &Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn per_second(bytes: u64, time: Duration) -> Option<u64> {
    (time > Duration::ZERO).then(|| (bytes as f64 / time.as_secs_f64()) as u64)
}

/// Runs `work` and looks at clocks and memory around it.
fn watched<T>(work: impl FnOnce() -> T) -> (T, Took) {
    forget_peak();
    let (start, cpu) = (Instant::now(), processor_time());
    let done = work();
    let wall = start.elapsed();
    let cpu = cpu.zip(processor_time()).map(|(before, after)| after.saturating_sub(before));
    (done, Took { wall, cpu, peak: peak() })
}

/// Processor time of this process so far, its ended threads included; Linux tells it in ticks of ten milliseconds.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The fields after the name, which may hold spaces: `utime` and `stime` are the 14th and 15th of all.
    let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok());
    Some(Duration::from_millis((ticks(11)? + ticks(12)?) * 10))
}

/// The most memory since [`forget_peak`].
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

/// Lets the system count the peak anew, where it can.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn text(stats: &Stats) -> String {
    let known = |value: Option<u64>, text: fn(u64) -> String| value.map_or_else(|| "-".to_owned(), text);
    let rows: Vec<Vec<String>> = stats
        .phases
        .iter()
        .map(|phase| {
            let counts: Vec<String> = phase.counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
            let (cpu, peak) = (known(phase.cpu_us, time), known(phase.peak_bytes, bytes));
            vec![phase.name.to_owned(), time(phase.wall_us), cpu, peak, counts.join(", ")]
        })
        .collect();
    let mut out = format!("{}, {} threads\n", stats.root, stats.threads);
    out += &table(&["phase", "wall", "processor", "peak", "counts"], &rows, &[0, 4]);
    for phase in stats.phases.iter().filter(|phase| !phase.languages.is_empty()) {
        let row = |(name, share): (&String, &Share)| {
            let speed = share.bytes_per_second.map_or_else(|| "-".to_owned(), |speed| format!("{}/s", bytes(speed)));
            vec![name.clone(), share.files.to_string(), bytes(share.bytes), time(share.time_us), speed]
        };
        let rows: Vec<Vec<String>> = phase.languages.iter().map(row).collect();
        out.push('\n');
        out += &table(&[phase.name, "files", "bytes", "time", "speed"], &rows, &[0]);
    }
    out
}
