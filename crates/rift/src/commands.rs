//! The commands and what each prints. Exit status: 0 something found, 1 nothing, 2 an error or an unavailable answer.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use rift_protocol::Failure;
use rift_server::{Output, failed, serve_stdio};
use serde_json::{Value, json};

use crate::output::error;
use crate::shell::{self, print};

/// Knows a codebase as facts, and answers coding agents, editors and people.
///
/// `rift search QUERY` in any repository finds code; `rift mcp` serves the same tools to a coding agent over MCP.
/// Exit status: 0 something found, 1 nothing found, 2 an error or an unavailable answer.
#[derive(Debug, Parser)]
#[command(name = "rift", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// The workspace's root, taken as it is. Default: the nearest folder upwards that holds rift.toml or .git.
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Find declarations, files and documentation by words, a question, an identifier or a pattern
    ///
    /// Examples:
    ///   rift search "where is the retry delay decided"
    ///   rift search getUserName --target symbol --source
    ///   rift search "install checksum" --include 'docs/**'
    ///   rift search --pattern 'tokio::\w+' --target file --source
    ///   rift search "how are retries configured" --target documentation --source
    #[command(verbatim_doc_comment)]
    Search(SearchArguments),
    /// Read one declaration by its identity.
    ///
    /// The identity is the rift://symbol/... line that search prints.
    Symbol {
        /// The identity, rift://symbol/...
        id: String,
        /// Leave the source out.
        #[arg(long)]
        no_source: bool,
        /// Print the documentation that refers to it.
        #[arg(long)]
        documentation: bool,
        /// Declarations to print.
        #[arg(long, value_name = "N")]
        declaration_limit: Option<u64>,
        #[command(flatten)]
        format: Format,
    },
    /// Read a file, or a byte range of one.
    Source {
        /// rift://source/project/PATH, or just PATH.
        unit: String,
        /// Bytes START..END, UTF-8 offsets from 0, end excluded.
        #[arg(long, value_name = "START..END", value_parser = range)]
        range: Option<(u64, u64)>,
        #[command(flatten)]
        format: Format,
    },
    /// List the syntax nodes around a byte offset of a file.
    Nodes {
        /// The file, relative to the workspace's root.
        path: String,
        /// The byte offset, from 0.
        offset: u64,
        #[command(flatten)]
        format: Format,
    },
    /// List the declarations whose text refers to a symbol.
    Refs(WalkArguments),
    /// List the declarations that call a function, or construct a type.
    Callers(WalkArguments),
    /// List what a function calls.
    Callees(WalkArguments),
    /// Print a first picture of the codebase, as JSON whatever the output.
    Map {
        #[command(flatten)]
        format: Format,
    },
    /// List the configuration and the files of the catalog.
    Workspace {
        /// The page, from 0; a page holds 1000 files.
        #[arg(long, value_name = "N", default_value_t = 0)]
        page_index: u64,
        #[command(flatten)]
        format: Format,
    },
    /// Call any tool with JSON arguments, as an agent would
    ///
    /// Example: rift call search '{"query": "load configuration", "limit": 5}'
    #[command(verbatim_doc_comment)]
    Call {
        /// search, get_symbol, get_source or nodes.
        tool: String,
        /// The arguments, a JSON object.
        arguments: String,
        #[command(flatten)]
        format: Format,
    },
    /// Start, stop and look at the server that answers for this workspace.
    #[command(subcommand)]
    Server(crate::server::ServerCommand),
    /// Read and change the workspace's rift.toml.
    #[command(subcommand)]
    Config(crate::config::ConfigCommand),
    /// Look at the database while it works: what each query did, what an edit would run.
    #[command(subcommand)]
    Debug(crate::debug::DebugCommand),
    /// Say what Rift makes of this workspace and this machine, and what is wrong. Changes nothing
    ///
    /// Exit status: 0 nothing is wrong, 2 something is.
    #[command(verbatim_doc_comment)]
    Doctor {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Serve the tools to a coding agent: MCP over standard input and output.
    ///
    /// Forwards every request to the workspace's server, which is started when none runs.
    Mcp {
        /// What answers carry: text alone, or text and structured content.
        #[arg(long, value_enum, default_value_t = McpOutput::Text)]
        output: McpOutput,
    },
}

#[derive(Debug, clap::Args)]
struct SearchArguments {
    /// Words, a question or an identifier; double quotes inside keep a phrase together.
    #[arg(required_unless_present = "pattern", conflicts_with = "pattern")]
    query: Option<String>,
    /// Find every match of a regular expression, line by line as ripgrep does, in place of QUERY.
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true)]
    pattern: Option<String>,
    /// What to find.
    #[arg(long, value_enum, default_value_t = Target::All)]
    target: Target,
    /// How to order hits.
    #[arg(long, value_enum, default_value_t = Order::Relevance)]
    order: Order,
    /// Search only files that match this glob; may be given several times.
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Leave files out that match this glob; may be given several times.
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Print source with each hit.
    #[arg(long)]
    source: bool,
    /// Print scores.
    #[arg(long)]
    score: bool,
    /// Hits of one page.
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: u64,
    /// The page, from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    page_index: u64,
    #[command(flatten)]
    format: Format,
}

#[derive(Debug, clap::Args)]
struct WalkArguments {
    /// The identity, rift://symbol/...
    id: String,
    /// Steps to go, 1 or 2.
    #[arg(long, value_name = "N", default_value_t = 1)]
    depth: u64,
    /// Only the shortest way to this symbol.
    #[arg(long, value_name = "ID")]
    to: Option<String>,
    /// Print source with each hit.
    #[arg(long)]
    source: bool,
    /// Hits of one page.
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: u64,
    /// The page, from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    page_index: u64,
    #[command(flatten)]
    format: Format,
}

#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Format {
    /// How to print the answer.
    #[arg(long, value_enum, default_value_t = Print::Text)]
    pub(crate) output: Print,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Print {
    /// Compact text, as an agent reads it.
    Text,
    /// The structured answer.
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum McpOutput {
    /// Compact text.
    Text,
    /// Compact text, structured content and output schemas.
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Target {
    /// Declarations.
    Symbol,
    /// Files, at a line.
    File,
    /// Blocks of documentation: Markdown, MDX, reStructuredText, text, notebooks, and comments at declarations.
    Documentation,
    /// All of these.
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Order {
    /// Best first.
    Relevance,
    /// By path, then offset.
    Path,
    /// By identity.
    Identity,
}

fn range(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once("..").and_then(|(start, end)| Some((start.parse().ok()?, end.parse().ok()?)));
    parts.ok_or_else(|| "expected START..END, two numbers".to_owned())
}

fn word(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|v| v.get_name().to_owned()).unwrap_or_default()
}

/// Runs one command.
pub(crate) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    // A server logs to its file as well, which it opens itself.
    if !matches!(&arguments.command, Command::Server(command) if command.serves()) {
        start_log();
    }
    let root = arguments.root;
    let tool = |tool: &str, value: Value, format: Format| shell::call_tool(root.as_deref(), tool, value, format);
    match arguments.command {
        Command::Mcp { output } => proxy(root.as_deref(), output),
        Command::Config(command) => crate::config::run(root, command),
        Command::Debug(command) => crate::debug::run(root, command),
        Command::Doctor { json } => crate::doctor::run(root, json),
        Command::Server(command) => crate::server::run(root.as_deref(), command),
        Command::Map { format: _ } => shell::map(root.as_deref()),
        Command::Workspace { page_index, format } => shell::workspace(root.as_deref(), page_index, format),
        Command::Search(search) => {
            let format = search.format;
            tool("search", search_arguments(search), format)
        }
        Command::Symbol { id, format, .. } if !id.starts_with("rift://") => no_identity(&id, format),
        Command::Refs(walk) | Command::Callers(walk) | Command::Callees(walk) if !walk.id.starts_with("rift://") => {
            no_identity(&walk.id, walk.format)
        }
        Command::Refs(walk) => walked(walk, "incoming", &[], tool),
        Command::Callers(walk) => walked(walk, "incoming", &["calls"], tool),
        Command::Callees(walk) => walked(walk, "outgoing", &["calls"], tool),
        Command::Symbol { id, no_source, documentation, declaration_limit, format } => {
            let mut include = Vec::new();
            if !no_source {
                include.push("source");
            }
            if documentation {
                include.push("documentation");
            }
            let mut value = json!({ "id": id, "include": include });
            if let Some(limit) = declaration_limit {
                value["declaration_limit"] = json!(limit);
            }
            tool("get_symbol", value, format)
        }
        Command::Source { unit, range, format } => {
            let mut value = json!({ "unit": source_unit(&unit) });
            if let Some((start, end)) = range {
                value["range"] = json!({ "start": start, "end": end });
            }
            tool("get_source", value, format)
        }
        Command::Nodes { path, offset, format } => tool("nodes", json!({ "path": path, "position": offset }), format),
        Command::Call { tool: name, arguments, format } => match serde_json::from_str(&arguments) {
            Ok(value) => tool(&name, value, format),
            Err(error) => {
                let failure = Failure::invalid_field("arguments", format_args!("json ({error})"));
                print(failed(failure), format)
            }
        },
    }
}

/// A name where an identity is wanted.
fn no_identity(id: &str, format: Format) -> anyhow::Result<ExitCode> {
    let violation = format!("structure (an identity starts with rift://symbol/; `rift search {id}` finds it)");
    print(failed(Failure::invalid_field("id", violation)), format)
}

/// A walk, as the search that it is.
fn walked(
    walk: WalkArguments,
    direction: &str,
    facets: &[&str],
    tool: impl Fn(&str, Value, Format) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    let mut traversal = json!({ "seed": walk.id, "direction": direction, "facets": facets, "depth": walk.depth });
    if let Some(to) = walk.to {
        traversal["to"] = json!(to);
    }
    let include: &[&str] = if walk.source { &["source"] } else { &[] };
    let value = json!({
        "traversal": traversal,
        "target": "symbol",
        "include": include,
        "limit": walk.limit,
        "page_index": walk.page_index,
    });
    tool("search", value, walk.format)
}

fn search_arguments(search: SearchArguments) -> Value {
    let mut include = Vec::new();
    if search.source {
        include.push("source");
    }
    if search.score {
        include.push("score");
    }
    let mut value = json!({
        "target": word(search.target),
        "order": word(search.order),
        "include": include,
        "limit": search.limit,
        "page_index": search.page_index,
    });
    match (search.pattern, search.query) {
        (Some(pattern), _) => value["pattern"] = json!(pattern),
        (None, query) => value["query"] = json!(query.unwrap_or_default()),
    }
    if !search.include.is_empty() || !search.exclude.is_empty() {
        value["paths"] = json!({ "include": search.include, "exclude": search.exclude });
    }
    value
}

/// A unit as given, or the project unit of a bare path.
fn source_unit(text: &str) -> String {
    if text.starts_with("rift://") {
        return text.to_owned();
    }
    let path = rift_base::ProjectPath::new(text.strip_prefix("./").unwrap_or(text)).ok();
    let unit = path.and_then(|path| rift_protocol::SourceUnitId::project(&path).ok());
    unit.map_or_else(|| format!("rift://source/project/{text}"), |unit| unit.as_str().to_owned())
}

/// Logs go to standard error; `RUST_LOG` selects them. Without it, warnings.
fn start_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn,tantivy=error,rmcp=error"));
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false).try_init();
}

/// One client's proxy: a single thread, since it only waits.
fn proxy(root: Option<&std::path::Path>, output: McpOutput) -> anyhow::Result<ExitCode> {
    let output = match output {
        McpOutput::Text => Output::Text,
        McpOutput::All => Output::All,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(serve_stdio(rift_server::root(root), output));
    runtime.shutdown_background();
    match served {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(failed) => Ok(error(rift_protocol::ErrorCode::InternalError, &failed.to_string())),
    }
}
