//! Reading requests: from JSON arguments to a request that keeps every rule of form, or a failure that names the
//! field. Whether this version serves what a request asks for is not decided here.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::limits::{
    CURSOR_MAX, DECLARATION_LIMIT_MAX, FREE_TEXT_MAX, INTEGER_MAX, MANAGER_MAX, PACKAGE_TEXT_MAX, PACKAGES_MAX,
    PATH_PATTERNS_MAX, PATTERN_MAX, SEARCH_LIMIT_MAX, TRAVERSAL_DEPTH_MAX,
};
use crate::{
    Failure, GetSourceParams, GetSymbolParams, NodesParams, RequestedPackage, SearchParams, SearchTarget, SourceUnit,
};

/// A tool's request.
pub trait Request: DeserializeOwned + JsonSchema {
    /// The tool's name.
    const TOOL: &'static str;

    /// Checks bounds and combinations; an `invalid_request` failure names the field.
    fn validate(&self) -> Result<(), Failure>;

    /// Reads and validates `arguments`, an object.
    fn parse(arguments: Value) -> Result<Self, Failure> {
        // Serde would read an array as the members in order.
        if !arguments.is_object() {
            return Err(Failure::invalid_field("arguments", "type"));
        }
        let request: Self = serde_path_to_error::deserialize(arguments).map_err(|error| {
            let path = error.path().to_string();
            refusal(&path, &error.into_inner().to_string())
        })?;
        request.validate()?;
        Ok(request)
    }
}

/// The failure of a deserialization error at `path`. Serde's messages begin with what is wrong, and quote the name of
/// a missing or unknown member between backticks.
fn refusal(path: &str, message: &str) -> Failure {
    let quoted = message.split('`').nth(1).unwrap_or("");
    let base = if path == "." { "" } else { path };
    let member = match base {
        "" => quoted.to_owned(),
        _ if base == quoted || base.ends_with(&format!(".{quoted}")) => base.to_owned(),
        _ => format!("{base}.{quoted}"),
    };
    let field = if base.is_empty() { "arguments" } else { base };
    if let Some(word) = message.strip_prefix("violation ") {
        return Failure::invalid_field(field, word);
    }
    for (prefix, field, violation) in [
        ("unknown field", member.as_str(), "unknown_field"),
        ("missing field", member.as_str(), "missing"),
        ("duplicate field", member.as_str(), "duplicate"),
        ("unknown variant", field, "unknown_value"),
        ("invalid value", field, "out_of_range"),
        ("invalid length", field, "length"),
    ] {
        if message.starts_with(prefix) {
            return Failure::invalid_field(field, violation);
        }
    }
    Failure::invalid_field(field, "type")
}

fn bounded(field: &str, value: u64, max: u64) -> Result<(), Failure> {
    match value {
        0 => Err(Failure::invalid_field(field, "zero")),
        v if v > max => Err(Failure::invalid_field(field, "above_maximum")),
        _ => Ok(()),
    }
}

fn integer(field: &str, value: u64) -> Result<(), Failure> {
    if value > INTEGER_MAX { Err(Failure::invalid_field(field, "above_maximum")) } else { Ok(()) }
}

fn text(field: &str, value: Option<&str>, max: usize) -> Result<(), Failure> {
    match value {
        Some(text) if text.trim().is_empty() => Err(Failure::invalid_field(field, "empty")),
        Some(text) if text.chars().count() > max => Err(Failure::invalid_field(field, "too_long")),
        _ => Ok(()),
    }
}

fn count(field: &str, length: usize, max: usize) -> Result<(), Failure> {
    if length > max { Err(Failure::invalid_field(field, "too_many")) } else { Ok(()) }
}

/// Refuses `field`, when it is given, beside each of `others` that is given.
fn excludes(field: &str, given: bool, others: &[(&str, bool)]) -> Result<(), Failure> {
    match others.iter().find(|(_, other)| given && *other) {
        Some((other, _)) => Err(Failure::conflicting_fields(field, other)),
        None => Ok(()),
    }
}

impl Request for SearchParams {
    const TOOL: &'static str = "search";

    fn validate(&self) -> Result<(), Failure> {
        text("query", self.query.as_deref(), FREE_TEXT_MAX)?;
        // A pattern may be blank: spaces match spaces.
        match self.pattern.as_deref() {
            Some("") => return Err(Failure::invalid_field("pattern", "empty")),
            Some(pattern) if pattern.chars().count() > PATTERN_MAX => {
                return Err(Failure::invalid_field("pattern", "too_long"));
            }
            _ => {}
        }
        bounded("limit", self.limit, SEARCH_LIMIT_MAX)?;
        integer("page_index", self.page_index)?;
        if let Some(paths) = &self.paths {
            count("paths.include", paths.include.len(), PATH_PATTERNS_MAX)?;
            count("paths.exclude", paths.exclude.len(), PATH_PATTERNS_MAX)?;
            count("paths.force_include", paths.force_include.len(), PATH_PATTERNS_MAX)?;
        }
        if let Some(traversal) = &self.traversal {
            bounded("traversal.depth", traversal.depth, TRAVERSAL_DEPTH_MAX)?;
        }
        count("packages", self.packages.len(), PACKAGES_MAX)?;
        self.packages.iter().enumerate().try_for_each(|(i, entry)| package(i, entry))?;
        self.combinations()
    }
}

impl SearchParams {
    fn combinations(&self) -> Result<(), Failure> {
        let rev = self.rev.is_some();
        let beyond_local = !self.scope.is_local();
        let forced = self.paths.as_ref().is_some_and(|paths| !paths.force_include.is_empty());
        let query = ("query", self.query.is_some());
        let traversal = ("traversal", self.traversal.is_some());
        let change = ("change", self.change.is_some());
        let packages = ("packages", !self.packages.is_empty());
        if self.target == SearchTarget::Commit {
            if self.query.is_none() {
                return Err(Failure::invalid_field("query", "missing"));
            }
            let others = [
                ("pattern", self.pattern.is_some()),
                traversal,
                change,
                ("rev", rev),
                packages,
                ("paths", self.paths.is_some()),
                ("scope", beyond_local),
            ];
            if let Some((field, _)) = others.iter().find(|(_, given)| *given) {
                return Err(Failure::conflicting_fields(field, "target"));
            }
        }
        if !query.1 && !traversal.1 && !change.1 && self.pattern.is_none() {
            return Err(Failure::invalid_field("query", "missing"));
        }
        excludes("pattern", self.pattern.is_some(), &[query, traversal, change, ("rev", rev)])?;
        excludes("change", change.1, &[("rev", rev), query, ("scope", beyond_local)])?;
        excludes("packages", packages.1, &[("scope", self.scope.is_local()), ("rev", rev)])?;
        excludes(
            "rev",
            rev,
            &[("scope", beyond_local), ("paths.force_include", forced), ("view", self.view.is_some())],
        )?;
        excludes("traversal", traversal.1, &[("scope", self.scope.as_str() == "global")])
    }
}

fn package(index: usize, entry: &RequestedPackage) -> Result<(), Failure> {
    let field = |name: &str| format!("packages[{index}].{name}");
    text(&field("manager"), Some(&entry.manager), MANAGER_MAX)?;
    text(&field("registry"), entry.registry.as_deref(), PACKAGE_TEXT_MAX)?;
    text(&field("name"), Some(&entry.name), PACKAGE_TEXT_MAX)?;
    text(&field("version"), entry.version.as_deref(), PACKAGE_TEXT_MAX)
}

impl Request for GetSymbolParams {
    const TOOL: &'static str = "get_symbol";

    fn validate(&self) -> Result<(), Failure> {
        bounded("declaration_limit", self.declaration_limit, DECLARATION_LIMIT_MAX)?;
        text("declaration_cursor", self.declaration_cursor.as_deref(), CURSOR_MAX)?;
        let others = [("view", self.view.is_some()), ("id", !self.id.is_local())];
        excludes("rev", self.rev.is_some(), &others)
    }
}

impl Request for GetSourceParams {
    const TOOL: &'static str = "get_source";

    fn validate(&self) -> Result<(), Failure> {
        if let Some(range) = &self.range {
            integer("range", range.start.max(range.end))?;
            if range.end < range.start {
                return Err(Failure::invalid_field("range", "reversed"));
            }
        }
        let released = !matches!(self.unit.unit(), SourceUnit::Project(_));
        excludes("rev", self.rev.is_some(), &[("view", self.view.is_some()), ("unit", released)])
    }
}

impl Request for NodesParams {
    const TOOL: &'static str = "nodes";

    fn validate(&self) -> Result<(), Failure> {
        if self.path.is_root() {
            return Err(Failure::invalid_field("path", "empty"));
        }
        integer("position", self.position)
    }
}
