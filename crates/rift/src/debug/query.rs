//! `rift debug query`.

use rift_server::debug::{DebugAnswer, DebugQuestion, EdgeLine, GraphAnswer, QueryAnswer};

use super::{Asker, GraphFormat, Unanswered, graph, mismatched};
use crate::output::write_out;

#[derive(Debug, clap::Args)]
pub(crate) struct QueryArguments {
    /// The query; `rift debug queries` lists them.
    name: String,
    /// Its key: /PATH, '/PATH DECLARATION', '/PATH DECLARATION . NAME', '/FOLDER . NAME'.
    key: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Print what it read and who reads it as a graph.
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    graph: Option<GraphFormat>,
}

pub(super) fn run(asker: &mut Asker<'_>, arguments: &QueryArguments) -> Result<(), Unanswered> {
    let question = DebugQuestion::Query { name: arguments.name.clone(), key: arguments.key.clone() };
    let DebugAnswer::Query(answer) = asker.ask(&question)? else { return Err(mismatched()) };
    let text = match (arguments.json, arguments.graph) {
        (true, _) => serde_json::to_string_pretty(&answer)?,
        (false, Some(format)) => graph::written(&neighbours(&answer), format),
        (false, None) => text(&answer),
    };
    Ok(write_out(&text)?)
}

fn called((name, key): &(String, String)) -> String {
    format!("{name}({key})")
}

fn text(answer: &QueryAnswer) -> String {
    let mut out = format!("{}({})\n{}\n", answer.query, answer.key, answer.value);
    for (title, list) in [("read", &answer.reads), ("is read by", &answer.readers)] {
        out += &format!("\n{title} {}\n", list.len());
        list.iter().for_each(|node| out += &format!("  {}\n", called(node)));
    }
    out
}

/// The memo with what stands around it.
fn neighbours(answer: &QueryAnswer) -> GraphAnswer {
    let own = format!("{}({})", answer.query, answer.key);
    let reads = answer.reads.iter().map(|node| EdgeLine { from: own.clone(), to: called(node), count: 1 });
    let readers = answer.readers.iter().map(|node| EdgeLine { from: called(node), to: own.clone(), count: 1 });
    GraphAnswer { edges: reads.chain(readers).collect(), queries: Vec::new() }
}
