//! `rift debug queries`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use rift_server::debug::{DebugAnswer, DebugQuestion, GraphAnswer, QueriesAnswer, QueryLine};

use super::table::{bytes, table, time};
use super::{Asker, GraphFormat, Unanswered, explain, graph, mismatched, page};
use crate::output::write_out;

/// How often `--watch` looks.
const WATCH_EVERY: Duration = Duration::from_secs(1);

#[derive(Debug, clap::Args)]
pub(crate) struct QueriesArguments {
    /// Print JSON: an object with `queries`, `inputs` and `interned`, times in microseconds.
    #[arg(long)]
    json: bool,
    /// Sizes by salsa's own report, edges included. It drains readers: every read under way is ended, and waited for.
    #[arg(long)]
    exact: bool,
    /// Count only what came after this publication.
    #[arg(long, value_name = "GENERATION")]
    since: Option<u64>,
    /// Order rows by this column, the largest first.
    #[arg(long, value_enum, default_value_t = Sort::Name)]
    sort: Sort,
    /// Print again every second, until interrupted.
    #[arg(long, conflicts_with_all = ["html", "graph", "explain_edit"])]
    watch: bool,
    /// What replacing the text of this file would make run, as a tree; nothing is written.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["exact", "since", "html", "graph"])]
    explain_edit: Option<String>,
    /// The new text; default: standard input.
    #[arg(long, value_name = "FILE", requires = "explain_edit")]
    with: Option<PathBuf>,
    /// Write a page with the graph, the counts on it, a table and the last generations. It needs no network.
    #[arg(long, value_name = "FILE", conflicts_with = "graph")]
    html: Option<PathBuf>,
    /// Print the queries and the edges that were really taken between them.
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["json", "exact", "since"])]
    graph: Option<GraphFormat>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sort {
    Name,
    Executed,
    Validated,
    Backdated,
    Reused,
    Evicted,
    /// Time of all runs, with the queries that they asked.
    Time,
    /// Time without them.
    Own,
    Mean,
    Worst,
    Memos,
    Bytes,
}

pub(super) fn run(asker: &mut Asker<'_>, arguments: &QueriesArguments) -> Result<(), Unanswered> {
    if let Some(path) = &arguments.explain_edit {
        return explain::run(asker, path, arguments.with.as_deref(), arguments.json);
    }
    if let Some(format) = arguments.graph {
        let graph = taken(asker)?;
        return Ok(write_out(&graph::written(&graph, format))?);
    }
    if let Some(file) = &arguments.html {
        let counters = counters(asker, arguments)?;
        let page = page::page(&counters, &taken(asker)?)?;
        return Ok(std::fs::write(file, page)?);
    }
    loop {
        let answer = sorted(counters(asker, arguments)?, arguments.sort);
        match (arguments.json, arguments.watch) {
            (true, false) => write_out(&serde_json::to_string_pretty(&answer)?)?,
            // One object a line.
            (true, true) => write_out(&serde_json::to_string(&answer)?)?,
            (false, _) => write_out(&text(&answer))?,
        }
        if !arguments.watch {
            return Ok(());
        }
        std::thread::sleep(WATCH_EVERY);
    }
}

fn counters(asker: &mut Asker<'_>, arguments: &QueriesArguments) -> Result<QueriesAnswer, Unanswered> {
    match asker.ask(&DebugQuestion::Queries { since: arguments.since, exact: arguments.exact })? {
        DebugAnswer::Queries(answer) => Ok(answer),
        _ => Err(mismatched()),
    }
}

fn taken(asker: &mut Asker<'_>) -> Result<GraphAnswer, Unanswered> {
    match asker.ask(&DebugQuestion::Graph)? {
        DebugAnswer::Graph(graph) => Ok(graph),
        _ => Err(mismatched()),
    }
}

fn sorted(mut answer: QueriesAnswer, sort: Sort) -> QueriesAnswer {
    let value = |line: &QueryLine| match sort {
        Sort::Name => 0,
        Sort::Executed => line.counts.executed,
        Sort::Validated => line.counts.validated,
        Sort::Backdated => line.counts.backdated,
        Sort::Reused => line.counts.reused,
        Sort::Evicted => line.counts.evicted,
        Sort::Time => line.counts.time_us,
        Sort::Own => line.counts.own_us,
        Sort::Mean => line.mean_us,
        Sort::Worst => line.worst_us,
        Sort::Memos => line.memos,
        Sort::Bytes => line.bytes,
    };
    for lines in [&mut answer.queries, &mut answer.inputs, &mut answer.interned] {
        lines.sort_by(|a, b| value(b).cmp(&value(a)).then_with(|| a.name.cmp(&b.name)));
    }
    answer
}

fn text(answer: &QueriesAnswer) -> String {
    let by = &answer.answered_by;
    let since = answer.since.map(|since| format!(", counted after generation {since}")).unwrap_or_default();
    let sizes = if answer.exact { "salsa's own report" } else { "values and headers, without edges" };
    let mut out = format!(
        "generation {}, {} files, {} {}{since}; sizes: {sizes}\n",
        answer.generation, answer.files, by.kind, by.pid
    );
    let heads = [
        "query",
        "executed",
        "validated",
        "backdated",
        "reused",
        "evicted",
        "time",
        "own",
        "mean",
        "worst",
        "memos",
        "bytes",
        "heap",
        "what it is for",
    ];
    let row = |line: &QueryLine| {
        let counts = &line.counts;
        let counted = [counts.executed, counts.validated, counts.backdated, counts.reused, counts.evicted];
        let times = [counts.time_us, counts.own_us, line.mean_us, line.worst_us];
        let mut row = vec![line.name.clone()];
        row.extend(counted.iter().map(u64::to_string));
        row.extend(times.iter().map(|micros| time(*micros)));
        row.extend([line.memos.to_string(), bytes(line.bytes), bytes(line.heap_bytes), line.purpose.clone()]);
        row
    };
    let rows: Vec<Vec<String>> = answer.queries.iter().map(row).collect();
    out += &table(&heads, &rows, &[0, 13]);
    let short = |title, first, second, third, lines: &[QueryLine]| {
        let row = |line: &QueryLine| {
            let counts = [line.counts.executed, line.counts.reused, line.memos].map(|count| count.to_string());
            let mut row = vec![line.name.clone()];
            row.extend(counts);
            row.extend([bytes(line.bytes), bytes(line.heap_bytes), line.purpose.clone()]);
            row
        };
        let rows: Vec<Vec<String>> = lines.iter().map(row).collect();
        table(&[title, first, second, third, "bytes", "heap", "what it is for"], &rows, &[0, 6])
    };
    out.push('\n');
    out += &short("input", "set", "read", "there are", &answer.inputs);
    out.push('\n');
    out += &short("key", "new", "known", "there are", &answer.interned);
    out
}
