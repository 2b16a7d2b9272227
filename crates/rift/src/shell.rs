//! One-shot calls: answered by the workspace's running server, or by this process when none serves.

use std::path::Path;
use std::process::ExitCode;

use rift_base::Deadline;
use rift_host::{Following, Host, HostOptions};
use rift_protocol::Failure;
use rift_server::{Completed, Outcome, Remote, Workspace, call, failed, read_map, read_workspace, tool_names};
use serde_json::Value;

use crate::commands::{Format, Print};
use crate::output::{error, write_out};
use crate::progress::Progress;

/// Opens the workspace in this process and waits until it is prepared, with a progress bar at a terminal. With `binds` the one
/// parse of each file tells what its names can mean, for questions about references.
pub(crate) fn prepared(root: Option<&Path>, binds: bool) -> Workspace {
    // One question is asked, of the tree as it is prepared.
    let options = HostOptions { following: Following::Told, binds, ..HostOptions::default() };
    let host = match rift_server::root(root).and_then(|root| Host::open(root, &options)) {
        Ok(host) => host,
        Err(error) => return Workspace::opened(Err(error)),
    };
    host.prepare_in_background();
    let progress = Progress::new();
    // A failure of preparation is the host's to report.
    let _ = host.wait_prepared(&Deadline::never(), |preparation| progress.show(preparation));
    progress.finish();
    Workspace::opened(Ok(host))
}

/// What a running server of this executable answers; absent when none serves, or it has no answer.
fn remote<T>(root: Option<&Path>, ask: impl AsyncFnOnce(Remote) -> Option<T>) -> Option<T> {
    let root = rift_server::root(root).ok()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    let progress = Progress::new();
    let answer = runtime.block_on(async {
        let remote = Remote::find(&root, |preparation| progress.show(preparation)).await;
        progress.finish();
        ask(remote?).await
    });
    runtime.shutdown_background();
    answer
}

/// Calls a tool and prints its answer.
pub(crate) fn call_tool(root: Option<&Path>, tool: &str, arguments: Value, format: Format) -> anyhow::Result<ExitCode> {
    if !tool_names().any(|name| name == tool) {
        let known = tool_names().collect::<Vec<_>>().join(", ");
        let failure = Failure::invalid_field("tool", format_args!("unknown_value (known: {known})"));
        return print(failed(failure), format);
    }
    // Arguments that are no object are no request of the protocol; they are refused here.
    if arguments.is_object()
        && let Some(completed) = remote(root, async |remote| remote.call(tool, &arguments).await)
    {
        return print(completed, format);
    }
    let binds = arguments.get("traversal").is_some();
    match call(&prepared(root, binds), tool, arguments, &Deadline::never()) {
        Some(completed) => print(completed, format),
        None => anyhow::bail!("the tool {tool} is listed and not served"),
    }
}

/// Prints the map.
pub(crate) fn map(root: Option<&Path>) -> anyhow::Result<ExitCode> {
    let answered = remote(root, async |remote| remote.map().await);
    match answered.map_or_else(|| read_map(&prepared(root, true), &Deadline::never()), Ok) {
        Ok(map) => {
            let nothing = map.languages.is_empty() && map.modules.is_empty();
            write_out(&serde_json::to_string_pretty(&map)?)?;
            Ok(ExitCode::from(u8::from(nothing)))
        }
        Err(failure) => Ok(fail(&failure)),
    }
}

/// Prints one page of the catalog.
pub(crate) fn workspace(root: Option<&Path>, page_index: u64, format: Format) -> anyhow::Result<ExitCode> {
    let (text, json) = match remote(root, async |remote| remote.workspace(page_index).await) {
        Some(page) => page,
        None => match read_workspace(&prepared(root, false), page_index, &Deadline::never()) {
            Ok((text, page)) => (text, serde_json::to_string(&page)?),
            Err(failure) => return Ok(fail(&failure)),
        },
    };
    let page: Value = serde_json::from_str(&json)?;
    let nothing = page["source"].as_array().is_none_or(Vec::is_empty);
    write_out(match format.output {
        Print::Text => &text,
        Print::Json => &json,
    })?;
    Ok(ExitCode::from(u8::from(nothing)))
}

/// Prints a finished call; the exit status says what it came to.
pub(crate) fn print(completed: Completed, format: Format) -> anyhow::Result<ExitCode> {
    if let Outcome::Failed(failure) = &completed.outcome {
        return Ok(fail(failure));
    }
    match (format.output, &completed.structured) {
        (Print::Json, Some(structured)) => write_out(&serde_json::to_string(structured)?)?,
        _ => write_out(&completed.text)?,
    }
    match completed.outcome {
        Outcome::Found => Ok(ExitCode::SUCCESS),
        Outcome::Nothing => Ok(ExitCode::from(1)),
        Outcome::Unavailable(reason) => {
            eprintln!("rift: error[{reason}]: the selection could not be read completely");
            Ok(ExitCode::from(2))
        }
        Outcome::Failed(failure) => Ok(fail(&failure)),
    }
}

fn fail(failure: &Failure) -> ExitCode {
    error(failure.code(), &failure.data.message)
}
