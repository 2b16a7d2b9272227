//! What holds: the value of each key, stated or default.

use std::path::Path;

use rift_base::Language;
use toml_edit::{Document, TableLike, Value};

use super::edit::{EditProblem, parse_key, show_key};
use super::file::ConfigEditError;
use super::schema::{FILE, Key, Served, Shape};
use super::{ConfigError, build, compile, parse_config, read, utf8};
use crate::root::CONFIG_FILE;

/// One key and the value that holds for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigEntry {
    /// The key with its tables.
    pub key: String,
    /// The value as TOML: as the file spells it, or the default.
    pub value: String,
    /// Whether the file states it.
    pub stated: bool,
    /// Whether it is the key asked for, not one below it.
    pub exact: bool,
}

impl ConfigEntry {
    /// The value as JSON. Values of `rift.toml` hold no dates.
    ///
    /// # Errors
    /// When it cannot be read as TOML, which no entry of [`get_config`] is.
    pub fn json(&self) -> Result<serde_json::Value, ConfigError> {
        let table: Result<toml::Table, _> = toml::from_str(&format!("value = {}\n", self.value));
        let json = table.ok().and_then(|mut table| serde_json::to_value(table.remove("value")?).ok());
        json.ok_or_else(|| ConfigError::Rules(format!("{}: value {} is not TOML", self.key, self.value)))
    }
}

/// The entries of `key`, which may be a table, or all of them without one, in the order of the schema. None for a key
/// that has no default and is not stated.
pub fn get_config(root: &Path, key: Option<&str>) -> Result<Vec<ConfigEntry>, ConfigEditError> {
    let path = key.map(parse_key).transpose()?.unwrap_or_default();
    known(&path)?;
    let bytes = read(&root.join(CONFIG_FILE)).map_err(invalid)?.unwrap_or_default();
    let text = utf8(&bytes).map_err(invalid)?;
    let config = parse_config(text).map_err(invalid)?;
    compile(&config).map_err(invalid)?;
    let stated = leaves(text.strip_prefix('\u{feff}').unwrap_or(text))?;
    let mut entries: Vec<(Vec<String>, String, bool)> =
        leaves(&build::config_to_toml(&config))?.into_iter().map(|(path, value)| (path, value, false)).collect();
    for (path, value) in stated {
        match entries.iter_mut().find(|(known, _, _)| *known == path) {
            Some(entry) => (entry.1, entry.2) = (value, true),
            None => entries.push((path, value, true)),
        }
    }
    let below = entries.into_iter().filter(|(entry, _, _)| entry.starts_with(&path));
    Ok(below
        .map(|(entry, value, stated)| ConfigEntry { key: show_key(&entry), value, stated, exact: entry == path })
        .collect())
}

fn invalid(error: ConfigError) -> ConfigEditError {
    ConfigEditError::Invalid { error }
}

/// The keys of a text that hold no table, with their values in one line.
fn leaves(text: &str) -> Result<Vec<(Vec<String>, String)>, EditProblem> {
    let document = Document::parse(text).map_err(|e| EditProblem::Text(e.message().to_owned()))?.into_mut();
    let mut found = Vec::new();
    collect(document.as_table(), &mut Vec::new(), &mut found);
    Ok(found)
}

/// Whether two texts state the same values but for `key` and what is below it. A text that is not TOML is its own
/// problem, and no difference.
pub(super) fn same_beside(old: &str, new: &str, key: &[String]) -> bool {
    let beside = |text| {
        let mut found = leaves(text).ok()?;
        found.retain(|(path, _)| !path.starts_with(key));
        found.sort();
        Some(found)
    };
    match (beside(old), beside(new)) {
        (Some(old), Some(new)) => old == new,
        _ => true,
    }
}

fn collect(table: &dyn TableLike, path: &mut Vec<String>, found: &mut Vec<(Vec<String>, String)>) {
    for (key, item) in table.iter() {
        path.push(key.to_owned());
        if let Some(below) = item.as_table_like() {
            collect(below, path, found);
        } else if let Some(value) = item.as_value() {
            found.push((path.clone(), in_one_line(value)));
        }
        path.pop();
    }
}

/// A value without the space and the comments around and inside it.
fn in_one_line(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(in_one_line).collect();
            format!("[{}]", items.join(", "))
        }
        value => {
            let mut value = value.clone();
            value.decor_mut().clear();
            value.to_string()
        }
    }
}

/// Whether this version knows a key or a table of `rift.toml`.
pub(super) fn known(path: &[String]) -> Result<(), EditProblem> {
    let problem = |at: usize, problem: String| Err(EditProblem::Place { key: show_key(&path[..at]), problem });
    let mut keys: &[Key] = FILE;
    let mut at = 0;
    while at < path.len() {
        let Some(key) = keys.iter().find(|key| key.name == path[at]) else {
            let names: Vec<&str> = keys.iter().map(|key| key.name).collect();
            return problem(at + 1, format!("unknown key; the keys here are {}", names.join(", ")));
        };
        at += 1;
        if key.served == Served::No {
            return problem(at, "not served by this version of rift".to_owned());
        }
        keys = match key.shape {
            Shape::Table(below) => below,
            Shape::Entries(_, _, below) => {
                if at < path.len() && Language::new(&path[at]).is_none() {
                    return problem(at + 1, "no identity: lowercase `name` or `name:dialect`".to_owned());
                }
                at += 1;
                below
            }
            _ if at < path.len() => return problem(at, "is a value and has no keys below it".to_owned()),
            _ => return Ok(()),
        };
    }
    Ok(())
}
