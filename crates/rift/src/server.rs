//! `rift server`: the one process that answers for a workspace.

use std::path::Path;
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use rift_host::Root;
use rift_protocol::ErrorCode;
use rift_server::{
    FindError, ServeOptions, ServerState, Status, Stopped, serve, server_state, start_server, stop_server,
};
use serde_json::json;

use crate::output::{error, write_out};

#[derive(Debug, Subcommand)]
pub(crate) enum ServerCommand {
    /// Start a server, unless one runs, and return when it serves.
    Start {
        /// Serve in this process, until it is interrupted.
        #[arg(long)]
        foreground: bool,
        /// Answer every caller on this machine, with a token or without.
        #[arg(long, value_enum, value_name = "HOW", requires = "foreground")]
        auth: Option<Auth>,
        /// The election was won by the starter, which hands it over as standard input.
        #[arg(long, hide = true, requires = "foreground")]
        elected: bool,
        #[command(flatten)]
        print: Print,
    },
    /// Stop the server; requests in flight are answered.
    Stop {
        #[command(flatten)]
        print: Print,
    },
    /// Stop the server, and start one of this version.
    Restart {
        #[command(flatten)]
        print: Print,
    },
    /// Say which server runs, if any. Exit status: 0 one serves, 1 none does, 2 one holds the workspace and does not answer.
    Status {
        #[command(flatten)]
        print: Print,
    },
    /// Print the server's log, whether it runs or not.
    Logs(crate::server_logs::LogsArguments),
}

impl ServerCommand {
    /// Whether this process becomes a server.
    pub(crate) fn serves(&self) -> bool {
        matches!(self, ServerCommand::Start { foreground: true, .. })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Auth {
    /// Ask for no token.
    Skip,
}

#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Print {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs one of the commands.
pub(crate) fn run(root: Option<&Path>, command: ServerCommand) -> anyhow::Result<ExitCode> {
    let root = match rift_server::root(root) {
        Ok(root) => root,
        Err(unusable) => return Ok(error(ErrorCode::ResourceNotFound, &unusable.to_string())),
    };
    match command {
        ServerCommand::Start { foreground: true, auth, elected, print } => {
            // A refused rift.toml says nothing of the log; the server says to every request that it is refused.
            let logs = rift_workspace::load_config(&root.path).map(|loaded| loaded.config.logs).unwrap_or_default();
            foreground(ServeOptions { root, elected, open: auth == Some(Auth::Skip), logs }, print)
        }
        ServerCommand::Start { print, .. } => once(async { start(&root, print).await }),
        ServerCommand::Stop { print } => once(async { stop(&root, print).await }),
        ServerCommand::Restart { print } => once(async {
            match stop_server(&root).await {
                Ok(_) => start(&root, print).await,
                Err(failed) => Ok(fail(&failed)),
            }
        }),
        ServerCommand::Status { print } => once(async { status(&root, print).await }),
        ServerCommand::Logs(arguments) => crate::server_logs::run(&root.path, &arguments),
    }
}

fn once(work: impl Future<Output = anyhow::Result<ExitCode>>) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let code = runtime.block_on(work);
    runtime.shutdown_background();
    code
}

fn foreground(options: ServeOptions, print: Print) -> anyhow::Result<ExitCode> {
    let detached = options.elected;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let served = runtime.block_on(serve(options, |lock| {
        if print.json {
            let _ = write_out(&json!({ "port": lock.port, "pid": lock.pid }).to_string());
        } else if !detached {
            eprintln!("rift: serving at http://127.0.0.1:{}/api/mcp, pid {}", lock.port, lock.pid);
        }
    }));
    runtime.shutdown_background();
    match served {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(failed) => Ok(error(ErrorCode::TemporarilyUnavailable, &failed.to_string())),
    }
}

async fn start(root: &Root, print: Print) -> anyhow::Result<ExitCode> {
    let started = match start_server(root).await {
        Ok(started) => started,
        Err(failed) => return Ok(fail(&failed)),
    };
    let (port, pid) = (started.lock.port, started.lock.pid);
    write_out(&match (print.json, started.before) {
        (true, before) => json!({ "port": port, "pid": pid, "started": !before }).to_string(),
        (false, false) => format!("started: port {port}, pid {pid}"),
        (false, true) => format!("serving already: port {port}, pid {pid}"),
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn stop(root: &Root, print: Print) -> anyhow::Result<ExitCode> {
    let stopped = match stop_server(root).await {
        Ok(stopped) => stopped,
        Err(failed) => return Ok(fail(&failed)),
    };
    write_out(&match (print.json, stopped) {
        (true, Stopped::Ended { pid }) => json!({ "stopped": true, "pid": pid }).to_string(),
        (true, Stopped::None) => json!({ "stopped": false }).to_string(),
        (false, Stopped::Ended { pid }) => format!("stopped: pid {pid}"),
        (false, Stopped::None) => "no server".to_owned(),
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn status(root: &Root, print: Print) -> anyhow::Result<ExitCode> {
    let state = server_state(root).await;
    let code = match &state {
        ServerState::Serving { .. } => 0,
        ServerState::None | ServerState::Stale { .. } => 1,
        ServerState::Silent { .. } => 2,
    };
    write_out(&if print.json { serde_json::to_string(&state)? } else { describe(&state) })?;
    Ok(ExitCode::from(code))
}

fn describe(state: &ServerState) -> String {
    match state {
        ServerState::None => "no server".to_owned(),
        ServerState::Stale { reason } => format!("stale: {reason}; the next start replaces it"),
        ServerState::Silent { reason } => format!("not answering: {reason}"),
        ServerState::Serving { port, status, adoptable } => {
            let mut text = format!("serving: port {port}, pid {}, version {}", status.pid, status.version);
            if let Some(progress) = indexing(status) {
                text = format!("{text}\n{progress}");
            }
            if let Some(refusal) = &status.refusal {
                text = format!("{text}\nrefuses reads: {refusal}");
            }
            if !adoptable {
                text.push_str("\nof another build than this rift; `rift server restart` replaces it");
            }
            text
        }
    }
}

fn indexing(status: &Status) -> Option<String> {
    let prepared = status.prepared?;
    Some(match status.total {
        Some(total) => format!("still indexing: {prepared} of {total} files"),
        None => "still indexing: counting files".to_owned(),
    })
}

fn fail(failed: &FindError) -> ExitCode {
    error(ErrorCode::TemporarilyUnavailable, &failed.to_string())
}
