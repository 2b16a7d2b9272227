//! What `package.json`, `tsconfig.json` and `pnpm-workspace.yaml` say about where the modules of JavaScript and TypeScript
//! stand. Nothing is run and nothing else is read; a file that does not parse says nothing.

use serde_json::{Map, Value};

use crate::dependencies::jsonc;

/// Conditions of `exports` and `imports` that are followed, by preference: what tells types before what runs, and source
/// before what is built from it.
const CONDITIONS: [&str; 9] =
    ["types", "typings", "source", "development", "import", "module", "require", "node", "default"];

/// Deepest nesting of conditions that is followed.
const CONDITIONS_DEPTH: usize = 8;

/// Most entries of `exports`, `imports`, `paths` or `workspaces` that are kept of one file.
pub const MODULE_RULES_MAX: usize = 1024;

/// The fields of a `package.json` that name what a package without `exports` is, by preference.
const MAIN_FIELDS: [&str; 5] = ["types", "typings", "source", "module", "main"];

/// What a `package.json` says about the modules of its package.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NpmPackage {
    /// Its name; absent for one that only groups others.
    pub name: Option<String>,
    /// The files that stand for the package itself, by preference, relative to it.
    pub main: Vec<String>,
    /// `exports`, when there are any: only these can be imported then.
    pub exports: Option<ModuleRules>,
    /// `imports`: names with a leading `#`, for the package's own files.
    pub imports: ModuleRules,
    /// Patterns of the folders of the workspace's packages, relative to this one.
    pub workspaces: Vec<String>,
}

/// Rewriting rules of specifiers: an exact name, or a pattern with one `*`, and what it is replaced with, by preference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModuleRules {
    rules: Vec<(String, Vec<String>)>,
}

impl ModuleRules {
    /// What `specifier` is replaced with, by preference; nothing when no rule is for it. An exact rule wins, then the one
    /// with the longest text before its `*` (Node.js, "Modules: Packages", and TypeScript's `paths`).
    pub fn apply(&self, specifier: &str) -> Vec<String> {
        if let Some((_, targets)) = self.rules.iter().find(|(pattern, _)| pattern == specifier) {
            return targets.clone();
        }
        let matched = |(pattern, targets): &'_ (String, Vec<String>)| -> Option<(usize, Vec<String>)> {
            let (before, after) = pattern.split_once('*')?;
            let middle = specifier.strip_prefix(before)?.strip_suffix(after)?;
            Some((before.len(), targets.iter().map(|target| target.replacen('*', middle, 1)).collect()))
        };
        let best = self.rules.iter().filter_map(matched).max_by_key(|(length, _)| *length);
        best.map(|(_, targets)| targets).unwrap_or_default()
    }

    /// Bytes on the heap.
    pub fn heap_size(&self) -> usize {
        self.rules.iter().map(|(pattern, targets)| pattern.len() + texts_heap(targets) + 48).sum()
    }
}

/// What a `tsconfig.json` or `jsconfig.json` says about specifiers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TypeScriptConfig {
    /// The configurations that it extends, later ones first, as written.
    pub extends: Vec<String>,
    /// `compilerOptions.baseUrl`, relative to the file.
    pub base_url: Option<String>,
    /// `compilerOptions.paths`; absent when it has none of its own.
    pub paths: Option<ModuleRules>,
    /// The configurations that it refers to, as written.
    pub references: Vec<String>,
}

impl NpmPackage {
    /// Bytes on the heap.
    pub fn heap_size(&self) -> usize {
        let exports = self.exports.as_ref().map_or(0, ModuleRules::heap_size);
        self.name.as_ref().map_or(0, String::len)
            + texts_heap(&self.main)
            + texts_heap(&self.workspaces)
            + self.imports.heap_size()
            + exports
    }
}

impl TypeScriptConfig {
    /// Bytes on the heap.
    pub fn heap_size(&self) -> usize {
        let paths = self.paths.as_ref().map_or(0, ModuleRules::heap_size);
        texts_heap(&self.extends) + texts_heap(&self.references) + paths + self.base_url.as_ref().map_or(0, String::len)
    }
}

fn texts_heap(texts: &[String]) -> usize {
    texts.iter().map(|text| text.len() + size_of::<String>()).sum()
}

/// Reads a `package.json`. None when it is no JSON object.
pub fn parse_npm_package(text: &str) -> Option<NpmPackage> {
    let document: Value = serde_json::from_str(text).ok()?;
    let document = document.as_object()?;
    let field = |name: &str| document.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let workspaces = document.get("workspaces").map(|w| w.get("packages").unwrap_or(w));
    Some(NpmPackage {
        name: field("name").map(str::to_owned),
        main: MAIN_FIELDS.iter().filter_map(|name| field(name)).map(str::to_owned).collect(),
        exports: document.get("exports").map(exports),
        imports: document.get("imports").and_then(Value::as_object).map(conditional).unwrap_or_default(),
        workspaces: workspaces.map(texts).unwrap_or_default(),
    })
}

/// Reads a `tsconfig.json` or `jsconfig.json`. None when it is no object.
pub fn parse_typescript_config(text: &str) -> Option<TypeScriptConfig> {
    let document = jsonc::parse(text)?;
    let document = document.as_object()?;
    let options = document.get("compilerOptions").and_then(Value::as_object);
    let paths = options.and_then(|options| options.get("paths")).and_then(Value::as_object);
    let mut extends = match document.get("extends") {
        Some(Value::String(one)) => vec![one.clone()],
        Some(several) => texts(several),
        None => Vec::new(),
    };
    extends.reverse();
    let references = document.get("references").and_then(Value::as_array).into_iter().flatten();
    let rules = |paths: &Map<String, Value>| ModuleRules {
        rules: paths.iter().take(MODULE_RULES_MAX).map(|(name, targets)| (name.clone(), texts(targets))).collect(),
    };
    Some(TypeScriptConfig {
        extends,
        base_url: options.and_then(|options| options.get("baseUrl")?.as_str()).map(str::to_owned),
        paths: paths.map(rules),
        references: references
            .filter_map(|r| r.get("path")?.as_str())
            .map(str::to_owned)
            .take(MODULE_RULES_MAX)
            .collect(),
    })
}

/// The patterns below `packages:` of a `pnpm-workspace.yaml`: a list of plain or quoted texts, one a line or in brackets.
pub fn parse_pnpm_workspace(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let line = line.split(" #").next().unwrap_or(line).trim_end();
        if let Some(rest) = line.strip_prefix("packages:") {
            inside = true;
            let listed = rest.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            out.extend(listed.into_iter().flat_map(|items| items.split(',')).filter_map(bare));
        } else if let Some(item) = line.trim_start().strip_prefix('-').filter(|_| inside) {
            out.extend(bare(item));
        } else if !line.starts_with([' ', '#']) && !line.is_empty() {
            inside = false;
        }
    }
    out.truncate(MODULE_RULES_MAX);
    out
}

fn bare(item: &str) -> Option<String> {
    let item = item.trim().trim_matches(['"', '\'']);
    (!item.is_empty()).then(|| item.to_owned())
}

fn texts(value: &Value) -> Vec<String> {
    let listed = value.as_array().into_iter().flatten().filter_map(Value::as_str);
    listed.take(MODULE_RULES_MAX).map(str::to_owned).collect()
}

/// `exports`: a target for the package itself, or an object of sub-paths, each with a target.
fn exports(value: &Value) -> ModuleRules {
    match value.as_object() {
        Some(object) if object.keys().any(|key| key.starts_with('.')) => conditional(object),
        _ => ModuleRules { rules: vec![(".".to_owned(), targets(value, 0))] },
    }
}

fn conditional(object: &Map<String, Value>) -> ModuleRules {
    let rules = object.iter().take(MODULE_RULES_MAX);
    ModuleRules { rules: rules.map(|(name, value)| (name.clone(), targets(value, 0))).collect() }
}

/// The targets of one entry: a text, a list of alternatives, or an object of conditions.
fn targets(value: &Value, depth: usize) -> Vec<String> {
    if depth > CONDITIONS_DEPTH {
        return Vec::new();
    }
    match value {
        Value::String(target) => vec![target.clone()],
        Value::Array(any) => any.iter().flat_map(|one| targets(one, depth + 1)).take(MODULE_RULES_MAX).collect(),
        Value::Object(conditions) => {
            let followed = CONDITIONS.iter().filter_map(|condition| conditions.get(*condition));
            let mut out: Vec<String> = Vec::new();
            for target in followed.flat_map(|value| targets(value, depth + 1)) {
                if !out.contains(&target) {
                    out.push(target);
                }
            }
            out
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
