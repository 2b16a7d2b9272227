//! `rift debug queries --explain-edit`.

use std::io::Read as _;
use std::path::Path;

use rift_server::debug::{BranchLine, DebugAnswer, DebugQuestion, ExplainAnswer};

use super::table::{table, time};
use super::{Asker, Unanswered, mismatched};
use crate::output::write_out;

pub(super) fn run(asker: &mut Asker<'_>, path: &str, with: Option<&Path>, json: bool) -> Result<(), Unanswered> {
    let text = match with {
        Some(file) => std::fs::read_to_string(file)
            .map_err(|error| Unanswered::Refused(format!("{} cannot be read: {error}", file.display())))?,
        None => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text)?;
            text
        }
    };
    let question = DebugQuestion::Explain { path: path.to_owned(), text };
    let DebugAnswer::Explain(answer) = asker.ask(&question)? else { return Err(mismatched()) };
    match json {
        true => write_out(&serde_json::to_string_pretty(&answer)?)?,
        false => write_out(&written(&answer))?,
    }
    Ok(())
}

fn written(answer: &ExplainAnswer) -> String {
    let mut out = format!("an edit of {}\n", answer.path);
    if answer.asked.is_empty() {
        out += "runs nothing: the text is the one that is there\n";
    }
    answer.asked.iter().for_each(|branch| write(branch, 0, &mut out));
    let rows: Vec<Vec<String>> = answer
        .counts
        .iter()
        .map(|(name, counts)| {
            let counts = [counts.executed, counts.backdated, counts.validated].map(|count| count.to_string());
            std::iter::once(name.clone()).chain(counts).collect()
        })
        .collect();
    out.push('\n');
    out += &table(&["query", "ran", "of them equal", "validated"], &rows, &[0]);
    out += &format!("\n{} further questions found everything current\n", answer.untouched);
    out
}

/// One branch, and what is below it one step to the right.
fn write(branch: &BranchLine, depth: usize, out: &mut String) {
    let room = "  ".repeat(depth);
    let outcome = match (branch.outcome.as_str(), branch.equal, branch.time_us) {
        ("ran", Some(true), Some(micros)) => format!("ran {}, = equal", time(micros)),
        ("ran", Some(false), Some(micros)) => format!("ran {}, differs", time(micros)),
        ("ran", _, Some(micros)) => format!("ran {}, new", time(micros)),
        (outcome, ..) => outcome.to_owned(),
    };
    *out += &format!("{room}{}({}): {outcome}; {}\n", branch.query, branch.key, branch.why);
    branch.below.iter().for_each(|below| write(below, depth + 1, out));
    if branch.validated > 0 {
        *out += &format!("{room}  {} more were current\n", branch.validated);
    }
}
