//! `rift debug`: the database and what stands around it, looked at while they work.

#![allow(clippy::disallowed_methods, reason = "it reads a new text and writes a page where it is told to")]

mod explain;
mod graph;
mod layout;
mod page;
mod queries;
mod query;
mod state;
mod stats;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use rift_protocol::ErrorCode;
use rift_server::Remote;
use rift_server::debug::{DebugAnswer, DebugQuestion, DebugReply, answer};

use crate::output::error;
use crate::shell::prepared;

#[derive(Debug, Subcommand)]
pub(crate) enum DebugCommand {
    /// What each query of the database did, how long it took and what it weighs
    ///
    /// Asks the workspace's running server, or prepares the workspace in this process when none serves. Reading counters stops
    /// nobody; --exact asks for salsa's own memory report, which ends every read under way and waits for it.
    ///
    /// Examples:
    ///   rift debug queries --sort time
    ///   rift debug queries --explain-edit src/lib.rs --with new.rs
    ///   rift debug queries --html queries.html
    #[command(verbatim_doc_comment)]
    Queries(queries::QueriesArguments),
    /// One memo: its value, what it read, who reads it
    ///
    /// Keys are written as --explain-edit prints them: /PATH, '/PATH DECLARATION', '/PATH DECLARATION . NAME'.
    /// Fills a database beside the server's, which takes as long as a first index with facts in store.
    #[command(verbatim_doc_comment)]
    Query(query::QueryArguments),
    /// The views that answers have named, and until when each is kept.
    Views {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// The search index and what stands beside it: rows, segments, bytes, trigrams, facts in store.
    Index {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Run every phase over a tree, one after the other, and say what each took
    ///
    /// discover, read, extract, bind and index run apart; prepare is the whole as any command runs it, over the facts in store where
    /// there are some; then the map, and the references of symbols that it names.
    #[command(verbatim_doc_comment)]
    Stats {
        /// The tree.
        folder: PathBuf,
        /// Threads; 0 for one per processor.
        #[arg(long, value_name = "N", default_value_t = 0)]
        threads: usize,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// How a graph is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Graphviz.
    Dot,
    /// Mermaid.
    Mermaid,
    /// A picture.
    Svg,
}

/// Runs one of the commands.
pub(crate) fn run(root: Option<PathBuf>, command: DebugCommand) -> anyhow::Result<ExitCode> {
    let mut asker = Asker::new(root.as_deref());
    let done = match command {
        DebugCommand::Queries(arguments) => queries::run(&mut asker, &arguments),
        DebugCommand::Query(arguments) => query::run(&mut asker, &arguments),
        DebugCommand::Views { json } => state::views(&mut asker, json),
        DebugCommand::Stats { folder, threads, json } => stats::run(&folder, threads, json),
        DebugCommand::Index { json } => state::index(&mut asker, json),
    };
    match done {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(Unanswered::Refused(message)) => Ok(error(ErrorCode::InvalidRequest, &message)),
        Err(Unanswered::Failed(failed)) => Err(failed),
    }
}

/// Why there is nothing to print.
#[derive(Debug)]
enum Unanswered {
    /// What was asked for is not there.
    Refused(String),
    /// The command itself failed.
    Failed(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Unanswered {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Puts questions to the running server, or to this process.
struct Asker<'a> {
    root: Option<&'a Path>,
    /// The workspace of this process, once it had to be prepared.
    own: Option<rift_server::Workspace>,
}

impl<'a> Asker<'a> {
    fn new(root: Option<&'a Path>) -> Self {
        Self { root, own: None }
    }

    fn ask(&mut self, question: &DebugQuestion) -> Result<DebugAnswer, Unanswered> {
        let reply = match self.own {
            Some(_) => None,
            None => self.remote(question),
        };
        let reply = match reply {
            Some(reply) => reply,
            None => answer(self.workspace(), question.clone(), "command"),
        };
        match reply {
            DebugReply::Answered(answer) => Ok(*answer),
            DebugReply::Failed(message) => Err(Unanswered::Refused(message)),
        }
    }

    fn remote(&self, question: &DebugQuestion) -> Option<DebugReply> {
        let root = rift_server::root(self.root).ok()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
        let reply = runtime.block_on(async {
            // Counters tell of a preparation too; what is filled from the tree waits for it.
            let remote = match question {
                DebugQuestion::Explain { .. } | DebugQuestion::Query { .. } | DebugQuestion::Graph => {
                    Remote::find(&root, |_| ()).await
                }
                _ => Remote::at_once(&root).await,
            };
            remote?.debug(question).await
        });
        runtime.shutdown_background();
        reply
    }

    /// The workspace, prepared in this process with its bindings counted, as a server does it.
    fn workspace(&mut self) -> &rift_server::Workspace {
        self.own.get_or_insert_with(|| {
            let workspace = prepared(self.root, true);
            if let Ok(host) = workspace.host()
                && let Ok(view) = host.current()
            {
                host.reference_counts(&view, &rift_base::Deadline::never());
            }
            workspace
        })
    }
}

/// That an answer is of another kind than its question.
fn mismatched() -> Unanswered {
    Unanswered::Failed(anyhow::anyhow!("the server answered another question"))
}
