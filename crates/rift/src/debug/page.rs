//! The page of `--html`: one file that needs no network.

use rift_server::debug::{GenerationLine, GraphAnswer, QueriesAnswer, QueryLine};

use super::graph::{escaped, svg};
use super::table::{bytes, time};

/// The size of the timeline, in pixels.
const TIMELINE: (usize, usize) = (960, 160);
/// What the page does: a click at a head orders the table by its column.
const SCRIPT: &str = include_str!("page.js");
/// How it looks.
const STYLE: &str = include_str!("page.css");

pub(crate) fn page(counters: &QueriesAnswer, graph: &GraphAnswer) -> anyhow::Result<String> {
    // Inside a script nothing is escaped, and only its end tag must not occur.
    let data = serde_json::to_string(counters)?.replace("</", "<\\/");
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>rift: queries</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Queries</h1>\n<p id=\"about\">Generation {}, {} files, answered by a {} \
         (process {}).</p>\n\
         <h2>What reads what</h2>\n<div id=\"graph\">\n{}</div>\n\
         <h2>What each did</h2>\n{}\
         <h2>The last generations</h2>\n<div id=\"timeline\">\n{}</div>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        counters.generation,
        counters.files,
        escaped(&counters.answered_by.kind),
        counters.answered_by.pid,
        svg(graph),
        rows(counters),
        timeline(&counters.generations),
    ))
}

const HEADS: [&str; 14] = [
    "name",
    "kind",
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
    "what it is for",
];

fn rows(counters: &QueriesAnswer) -> String {
    let heads: String = HEADS.iter().map(|head| format!("<th scope=\"col\" tabindex=\"0\">{head}</th>")).collect();
    let mut out = format!("<table id=\"queries\">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n");
    for (kind, lines) in [("query", &counters.queries), ("input", &counters.inputs), ("key", &counters.interned)] {
        lines.iter().for_each(|line| out += &row(kind, line));
    }
    out + "</tbody>\n</table>\n"
}

/// One row. Cells carry what they are ordered by.
fn row(kind: &str, line: &QueryLine) -> String {
    let word = |text: &str| format!("<td data-value=\"{0}\">{0}</td>", escaped(text));
    let number = |value: u64, text: String| format!("<td class=\"number\" data-value=\"{value}\">{text}</td>");
    let counts = &line.counts;
    let counted = [counts.executed, counts.validated, counts.backdated, counts.reused, counts.evicted];
    let times = [counts.time_us, counts.own_us, line.mean_us, line.worst_us];
    let mut cells = word(&line.name) + &word(kind);
    cells.extend(counted.map(|count| number(count, count.to_string())));
    cells.extend(times.map(|micros| number(micros, time(micros))));
    cells += &number(line.memos, line.memos.to_string());
    cells += &number(line.bytes, bytes(line.bytes));
    format!("<tr>{cells}{}</tr>\n", word(&line.purpose))
}

/// A bar for each generation: what ran, and what was validated without running.
fn timeline(generations: &[GenerationLine]) -> String {
    let (width, height) = TIMELINE;
    let sums: Vec<(u64, u64, u64)> = generations
        .iter()
        .map(|line| {
            let sum = |count: fn(&rift_server::debug::CountLine) -> u64| line.did.values().map(count).sum::<u64>();
            (line.generation, sum(|counts| counts.executed), sum(|counts| counts.validated))
        })
        .collect();
    let most = sums.iter().map(|(_, ran, validated)| (ran + validated).max(1)).max().unwrap_or(1) as f64;
    // Powers of ten are as high as each other: a first index and an edit are both seen.
    let high = |count: u64| ((count as f64).ln_1p() / most.ln_1p() * (height - 30) as f64) as usize;
    let step = width / sums.len().max(1);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"10\">\n"
    );
    for (at, (generation, ran, validated)) in sums.iter().enumerate() {
        let x = at * step;
        let half = (step / 2).clamp(1, 20);
        for (shift, count, color) in [(0, *ran, "#3566a8"), (half, *validated, "#a9bedb")] {
            let bar = high(count);
            out += &format!(
                "<rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"{half}\" height=\"{bar}\" fill=\"{color}\"><title>generation \
                 {generation}: {ran} ran, {validated} validated</title></rect>\n",
                x + shift,
                height - 20 - bar,
            );
        }
        out += &format!("<text x=\"{x}\" y=\"{}\">{generation}</text>\n", height - 6);
    }
    out + "</svg>\n"
}
