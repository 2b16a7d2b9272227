//! `rift.toml`: reading it, holding it against the schema, and the configuration that it states.
//!
//! A file is accepted as a whole or refused as a whole, with every problem named by its place and key. Durations
//! and sizes are strings with a unit; sizes are binary.

use std::io::Read as _;
use std::path::Path;

use rift_base::{Config, Digest, Presence};
use toml::de::DeTable;

use crate::read::open;
use crate::root::CONFIG_FILE;

mod build;
mod check;
mod edit;
mod file;
mod get;
mod layout;
mod rules;
mod schema;
mod units;

pub use build::config_to_toml;
pub use edit::EditProblem;
pub use file::{ConfigEditError, Edited, set_config, unset_config};
pub use get::{ConfigEntry, get_config};

/// The largest `rift.toml` in bytes.
pub const CONFIG_BYTES_MAX: u64 = 256 << 10;
/// The most problems that one refusal names.
pub const CONFIG_PROBLEMS_MAX: usize = 64;

/// An accepted configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedConfig {
    /// What it says.
    pub config: Config,
    /// SHA-256 of the file's bytes; of no bytes when there is no file.
    pub digest: Digest,
    /// Whether there is a file.
    pub exists: bool,
}

/// A refused configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{CONFIG_FILE} unreadable: cause {0}; make it a regular file that can be read")]
    Unreadable(String),
    /// The file passes [`CONFIG_BYTES_MAX`].
    #[error("{CONFIG_FILE} too large: limit {CONFIG_BYTES_MAX} bytes; shorten it")]
    TooLarge,
    /// The file is not UTF-8.
    #[error("{CONFIG_FILE} is not UTF-8: first bad byte at offset {offset}; save it as UTF-8")]
    NotUtf8 {
        /// Where, in bytes.
        offset: usize,
    },
    /// What the file says is not accepted. Not empty; in the order of their places; at most
    /// [`CONFIG_PROBLEMS_MAX`].
    #[error("{}", show_problems(.0))]
    Invalid(Vec<ConfigProblem>),
    /// Its patterns, each of which is one, do not compile together.
    #[error("{CONFIG_FILE}: {0}")]
    Rules(String),
}

/// One problem of a `rift.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigProblem {
    /// Its line, from 1.
    pub line: usize,
    /// Its column in UTF-8 bytes, from 1.
    pub column: usize,
    /// The key with its tables, `source.files`; empty for a syntax error.
    pub key: String,
    /// What is wrong and what is allowed.
    pub problem: String,
    /// Whether the key is right and only its feature is missing from this version.
    pub not_served: bool,
}

impl std::fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{CONFIG_FILE}:{}:{}: ", self.line, self.column)?;
        if self.key.is_empty() { f.write_str(&self.problem) } else { write!(f, "{}: {}", self.key, self.problem) }
    }
}

fn show_problems(problems: &[ConfigProblem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Reads and checks the `rift.toml` of a workspace. Without one every default holds.
pub fn load_config(root: &Path) -> Result<LoadedConfig, ConfigError> {
    load_config_file(&root.join(CONFIG_FILE))
}

/// Reads and checks a file as a `rift.toml`. Without one every default holds.
pub fn load_config_file(path: &Path) -> Result<LoadedConfig, ConfigError> {
    let Some(bytes) = read(path)? else {
        return Ok(LoadedConfig { config: Config::default(), digest: Digest::of(b""), exists: false });
    };
    Ok(LoadedConfig { config: parse_config(utf8(&bytes)?)?, digest: Digest::of(&bytes), exists: true })
}

/// Reads a file as a `rift.toml` and compiles all that it states, as opening a workspace does.
pub fn validate_config(path: &Path) -> Result<LoadedConfig, ConfigError> {
    let loaded = load_config_file(path)?;
    compile(&loaded.config)?;
    Ok(loaded)
}

/// Compiles the patterns of a configuration.
fn compile(config: &Config) -> Result<(), ConfigError> {
    crate::LanguageMap::new(config).map_err(|e| ConfigError::Rules(e.to_string()))?;
    crate::IndexRules::new(config).map_err(|e| ConfigError::Rules(e.to_string()))?;
    Ok(())
}

fn utf8(bytes: &[u8]) -> Result<&str, ConfigError> {
    std::str::from_utf8(bytes).map_err(|e| ConfigError::NotUtf8 { offset: e.valid_up_to() })
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, ConfigError> {
    let unreadable = |error: &std::io::Error| ConfigError::Unreadable(crate::read::describe(error));
    let file = match open(path) {
        Ok(file) => file,
        Err(Presence::Unavailable(reason)) => return Err(ConfigError::Unreadable(reason.to_string())),
        Err(_) => return Ok(None),
    };
    if !file.metadata().map_err(|e| unreadable(&e))?.is_file() {
        return Err(ConfigError::Unreadable("not a regular file".to_owned()));
    }
    let mut bytes = Vec::new();
    file.take(CONFIG_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|e| unreadable(&e))?;
    if bytes.len() as u64 > CONFIG_BYTES_MAX { Err(ConfigError::TooLarge) } else { Ok(Some(bytes)) }
}

/// Checks the text of a `rift.toml`; the error is always [`ConfigError::Invalid`].
pub fn parse_config(text: &str) -> Result<Config, ConfigError> {
    // A byte order mark is no part of the text, but of its first line's columns.
    let (mark, body) = match text.strip_prefix('\u{feff}') {
        Some(body) => (text.len() - body.len(), body),
        None => (0, text),
    };
    let invalid = |problems: Vec<check::Problem>| {
        let mut problems: Vec<_> = problems.into_iter().map(|p| (p.offset, locate(text, mark, p))).collect();
        problems.sort_by(|(a, p), (b, q)| (a, &p.key, &p.problem).cmp(&(b, &q.key, &q.problem)));
        problems.truncate(CONFIG_PROBLEMS_MAX);
        ConfigError::Invalid(problems.into_iter().map(|(_, problem)| problem).collect())
    };
    let document = match DeTable::parse(body) {
        Ok(document) => document,
        Err(error) => {
            let offset = error.span().map_or(0, |span| span.start);
            let text = format!("not TOML: {}", error.message().replace('\n', ", "));
            return Err(invalid(vec![check::Problem { offset, key: String::new(), text, not_served: false }]));
        }
    };
    let mut checker = check::Checker::default();
    checker.table("", document.get_ref(), document.span(), schema::FILE);
    rules::check(&mut checker, document.get_ref());
    if checker.problems.is_empty() { Ok(build::build(document.get_ref())) } else { Err(invalid(checker.problems)) }
}

/// Counts lines and columns.
fn locate(text: &str, mark: usize, problem: check::Problem) -> ConfigProblem {
    let offset = (mark + problem.offset).min(text.len());
    let before = &text.as_bytes()[..offset];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    ConfigProblem {
        line: memchr::memchr_iter(b'\n', before).count() + 1,
        column: offset - line_start + 1,
        key: problem.key,
        problem: problem.text,
        not_served: problem.not_served,
    }
}

#[cfg(test)]
mod tests;
