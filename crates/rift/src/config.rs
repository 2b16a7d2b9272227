//! `rift config`: reading and changing `rift.toml` key by key.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use rift_protocol::ErrorCode;
use rift_workspace::{
    CONFIG_FILE, ConfigEditError, ConfigEntry, ConfigError, ConfigProblem, EditProblem, Edited, get_config, set_config,
    unset_config, validate_config,
};
use serde_json::{Value, json};

use crate::output::{error, write_out};

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print the value that holds for a key or a table, stated or default; everything without one.
    Get {
        /// The key with its tables, as in TOML: languages."typescript:tsx".include
        key: Option<String>,
        /// Print JSON, with the origin of each value.
        #[arg(long)]
        json: bool,
    },
    /// State a key in rift.toml. Comments and layout stay; a value that is refused changes nothing
    ///
    /// Examples:
    ///   rift config set server.idle_timeout '"1h"'
    ///   rift config set source.exclude '["vendor/**"]'
    ///   rift config set 'languages."typescript:tsx".enabled' false
    #[command(verbatim_doc_comment)]
    Set {
        /// The key with its tables, as in TOML.
        key: String,
        /// The value, as in TOML: 5, true, "text", ["a", "b"]
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Take a key or a whole table out of rift.toml, so that its default holds again.
    Unset {
        /// The key or table, as in TOML.
        key: String,
    },
    /// List every problem of a configuration file.
    Validate {
        /// The file. Default: the workspace's rift.toml.
        file: Option<PathBuf>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the path of the workspace's rift.toml.
    Path,
}

/// Runs one of the commands; exit status 0 done or found, 1 nothing there, 2 an error.
pub(crate) fn run(root: Option<PathBuf>, command: ConfigCommand) -> anyhow::Result<ExitCode> {
    if let ConfigCommand::Validate { file: Some(file), json } = command {
        return validate(&file, true, json);
    }
    let root = match root {
        Some(named) => rift_workspace::stated_root(&named),
        None => rift_workspace::find_root(Path::new(".")),
    };
    let root = match root {
        Ok(root) => root.path,
        Err(unusable) => return Ok(error(ErrorCode::ResourceNotFound, &unusable.to_string())),
    };
    match command {
        ConfigCommand::Get { key, json } => get(&root, key.as_deref(), json),
        ConfigCommand::Set { key, value } => edited(set_config(&root, &key, &value), &key),
        ConfigCommand::Unset { key } => edited(unset_config(&root, &key), &key),
        ConfigCommand::Validate { json, .. } => validate(&root.join(CONFIG_FILE), false, json),
        ConfigCommand::Path => {
            let path = root.join(CONFIG_FILE);
            write_out(&path.display().to_string())?;
            Ok(ExitCode::from(u8::from(!path.exists())))
        }
    }
}

fn get(root: &Path, key: Option<&str>, json: bool) -> anyhow::Result<ExitCode> {
    let entries = match get_config(root, key) {
        Ok(entries) => entries,
        Err(refused) => return Ok(fail(&refused)),
    };
    let text = if json {
        let listed: anyhow::Result<Vec<Value>> = entries.iter().map(entry).collect();
        serde_json::to_string(&json!({ "entries": listed? }))?
    } else {
        match &entries[..] {
            [] => return Ok(ExitCode::from(1)),
            [only] if only.exact => only.value.clone(),
            several => several.iter().map(|e| format!("{} = {}\n", e.key, e.value)).collect(),
        }
    };
    write_out(&text)?;
    Ok(ExitCode::from(u8::from(entries.is_empty())))
}

fn entry(entry: &ConfigEntry) -> anyhow::Result<Value> {
    let origin = if entry.stated { "file" } else { "default" };
    Ok(json!({ "key": entry.key, "value": entry.json()?, "origin": origin }))
}

fn edited(outcome: Result<Edited, ConfigEditError>, key: &str) -> anyhow::Result<ExitCode> {
    match outcome {
        Ok(Edited::NotStated) => {
            eprintln!("rift: {key} is not stated in {CONFIG_FILE}");
            Ok(ExitCode::from(1))
        }
        Ok(Edited::Same) => Ok(ExitCode::SUCCESS),
        Ok(Edited::Changed) => {
            if ["server", "logs"].iter().any(|table| key.trim_start().starts_with(table)) {
                eprintln!("rift: a server that is running takes this at its next start: rift server restart");
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(refused) => Ok(fail(&refused)),
    }
}

fn fail(refused: &ConfigEditError) -> ExitCode {
    let code = match refused {
        ConfigEditError::Edit(EditProblem::Text(_)) => ErrorCode::ConfigurationInvalid,
        ConfigEditError::Edit(_) => ErrorCode::InvalidRequest,
        ConfigEditError::Refused { .. } | ConfigEditError::Invalid { .. } => ErrorCode::ConfigurationInvalid,
        ConfigEditError::Busy => ErrorCode::TemporarilyUnavailable,
        ConfigEditError::Write { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
            ErrorCode::PermissionDenied
        }
        ConfigEditError::Write { .. } => ErrorCode::StorageFailure,
    };
    error(code, &refused.to_string())
}

/// Problems go to standard output, one a line, as a compiler's do.
fn validate(path: &Path, stated: bool, json: bool) -> anyhow::Result<ExitCode> {
    let (exists, problems) = match validate_config(path) {
        Ok(loaded) if stated && !loaded.exists => {
            let message = format!("configuration file not found: path {}; name an existing file", path.display());
            return Ok(error(ErrorCode::ResourceNotFound, &message));
        }
        Ok(loaded) => (loaded.exists, Vec::new()),
        Err(ConfigError::Invalid(problems)) => (true, problems),
        Err(other) => (true, vec![whole(&other)]),
    };
    let text = if json {
        serde_json::to_string(&json!({
            "path": path.display().to_string(),
            "exists": exists,
            "valid": problems.is_empty(),
            "problems": problems.iter().map(problem).collect::<Vec<_>>(),
        }))?
    } else if problems.is_empty() {
        let state = if exists { "valid" } else { "absent; every default holds" };
        format!("{}: {state}", path.display())
    } else {
        problems.iter().map(|problem| format!("{problem}\n")).collect()
    };
    write_out(&text)?;
    if problems.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let count = problems.len();
    let message = format!("{} is refused: problems {count}; mend what is listed", path.display());
    Ok(error(ErrorCode::ConfigurationInvalid, &message))
}

/// A refusal that is no key's.
fn whole(error: &ConfigError) -> ConfigProblem {
    let text = error.to_string();
    let problem = text.strip_prefix("rift.toml: ").or(text.strip_prefix("rift.toml ")).unwrap_or(&text).to_owned();
    ConfigProblem { line: 1, column: 1, key: String::new(), problem, not_served: false }
}

fn problem(problem: &ConfigProblem) -> Value {
    json!({ "line": problem.line, "column": problem.column, "key": problem.key, "problem": problem.problem })
}
