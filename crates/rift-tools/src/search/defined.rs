//! What files define that no provider parses, read off their lines: the keywords by which languages declare types,
//! callables and values are few and much the same.

use rift_base::parallel::each;
use rift_base::{Deadline, split_identifier};
use rift_host::View;
use rift_host::index::{FileScore, NameEvidence, ParsedQuery};
use rift_protocol::Failure;

use super::content::{Terms, line_around};
use crate::context::check;

/// Files that are read, of the best.
const FILES_READ_MAX: usize = 30;

/// How much of a definition there is of a type, a callable and a value, as for what is parsed.
const TYPE: f32 = 1.0;
const CALLABLE: f32 = 0.8;
const VALUE: f32 = 0.4;

const TYPES: &[&str] = &[
    "class",
    "defmodule",
    "enum",
    "extension",
    "interface",
    "module",
    "namespace",
    "newtype",
    "object",
    "protocol",
    "record",
    "struct",
    "trait",
    "type",
    "typealias",
];
const CALLABLES: &[&str] = &["def", "defmacro", "defp", "fn", "fun", "func", "function", "instance"];
const VALUES: &[&str] = &["const", "let", "val", "var"];
/// Words before those.
const MODIFIERS: &[&str] = &[
    "abstract",
    "async",
    "case",
    "data",
    "default",
    "export",
    "extern",
    "fileprivate",
    "final",
    "implicit",
    "inline",
    "internal",
    "local",
    "open",
    "override",
    "partial",
    "private",
    "protected",
    "pub",
    "public",
    "readonly",
    "sealed",
    "static",
    "suspend",
    "unsafe",
    "virtual",
];

/// Adds to the first of `files` what lines with words of the query declare, and orders them anew.
pub(super) fn read(
    view: &View,
    query: &ParsedQuery,
    terms: &Terms,
    files: &mut [FileScore],
    rarities: &[Option<f32>],
    deadline: &Deadline,
) -> Result<(), Failure> {
    let first = files.len().min(FILES_READ_MAX);
    let found = each(&files[..first], |file| {
        check(deadline)?;
        let unparsed =
            view.entry(&file.path).filter(|entry| entry.place.as_ref().is_none_or(|place| place.parsed_as.is_none()));
        let Some(entry) = unparsed else { return Ok(None) };
        let text = view.text(entry).unwrap_or_default();
        Ok(Some(evidence(&text, query, terms, rarities)))
    });
    for (file, found) in files.iter_mut().zip(found) {
        file.names = file.names.union(found?.unwrap_or_default());
    }
    files[..first].sort_by(|a, b| b.score().total_cmp(&a.score()).then_with(|| a.path.cmp(&b.path)));
    Ok(())
}

fn evidence(text: &str, query: &ParsedQuery, terms: &Terms, rarities: &[Option<f32>]) -> NameEvidence {
    let total: f32 = rarities.iter().flatten().sum();
    let mut found = NameEvidence::default();
    let mut line_end = 0;
    for occurrence in terms.occurrences(text) {
        if occurrence.at < line_end {
            continue;
        }
        let line = line_around(text, occurrence.at);
        line_end = line.end as usize;
        let Some((name, definition)) = declared(line.of(text)) else { continue };
        let words: Vec<String> = split_identifier(name).map(str::to_lowercase).collect();
        let mut units: Vec<u32> = words.iter().flat_map(|word| terms.of(word)).copied().collect();
        units.sort_unstable();
        units.dedup();
        let covered: f32 = units.iter().filter_map(|unit| rarities.get(*unit as usize).copied().flatten()).sum();
        let own = (units.len() as f32 / words.len().max(1) as f32).min(1.0);
        let folded = words.concat();
        let is_named = |sure: bool| query.identifiers.iter().any(|i| i.is_sure() == sure && i.folded == folded);
        found = found.union(NameEvidence {
            spelled: if is_named(true) { definition } else { 0.0 },
            joined: if is_named(false) { definition } else { 0.0 },
            words: if total > 0.0 { definition * own * covered / total } else { 0.0 },
        });
    }
    found
}

/// The name that a line declares, and how much of a definition that is.
fn declared(line: &str) -> Option<(&str, f32)> {
    let mut words = line.split_whitespace();
    let definition = loop {
        let word = words.next()?;
        if TYPES.contains(&word) {
            break TYPE;
        }
        if CALLABLES.contains(&word) {
            break CALLABLE;
        }
        if VALUES.contains(&word) {
            break VALUE;
        }
        if !MODIFIERS.contains(&word) && !word.starts_with('@') {
            // A function of a shell has no keyword.
            let name = word.strip_suffix("()").filter(|name| is_name(name))?;
            return Some((name, CALLABLE));
        }
    };
    // Type parameters may stand before the name.
    let mut name = words.next()?;
    if name.starts_with('<') {
        name = words.next()?;
    }
    let end = name.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':'))).unwrap_or(name.len());
    let name = name[..end].trim_end_matches([':', '.']);
    let name = name.rsplit(['.', ':']).next()?;
    is_name(name).then_some((name, definition))
}

fn is_name(text: &str) -> bool {
    let is_first = |c: char| c.is_alphabetic() || c == '_';
    text.starts_with(is_first) && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_declare() {
        for (line, expected) in [
            ("class Rack::Builder < Base", Some(("Builder", TYPE))),
            ("  public sealed class JsonWriter : IDisposable", Some(("JsonWriter", TYPE))),
            ("    def call(env)", Some(("call", CALLABLE))),
            ("defmodule Plug.Conn do", Some(("Conn", TYPE))),
            ("function M.setup(config)", Some(("setup", CALLABLE))),
            ("nvm_install() {", Some(("nvm_install", CALLABLE))),
            ("suspend fun <T> HttpClient.get(url: String): T", Some(("get", CALLABLE))),
            ("pub const Param = struct {", Some(("Param", VALUE))),
            ("data class Point(val x: Int)", Some(("Point", TYPE))),
            ("nvm_install \"$1\"", None),
            ("# the class of it", None),
            ("return function(x)", None),
            ("class", None),
            ("", None),
        ] {
            assert_eq!(declared(line), expected, "{line}");
        }
    }
}
