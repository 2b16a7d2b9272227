//! One key of a TOML text stated or taken away. Every byte outside the edit stays: the edit is one insertion or
//! replacement, or the removal of whole lines.

use std::ops::Range;

use toml_edit::{InlineTable, Item, Key, Value};

use super::layout::{Kind, Statement, statements};

/// Why a text is not edited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditProblem {
    /// The key does not read as one.
    #[error(
        "key {key:?} is no dotted key: {problem}; write names with dots between, quoted where they hold more than letters, digits, _ and -: languages.\"typescript:tsx\".include"
    )]
    Key {
        /// The key as given.
        key: String,
        /// What is wrong.
        problem: String,
    },
    /// The value does not read as one.
    #[error("{key}: value {value:?} is not TOML: {problem}; {}", hint(.key, .value))]
    Value {
        /// The key.
        key: String,
        /// The value as given.
        value: String,
        /// What is wrong.
        problem: String,
    },
    /// The text itself is not TOML.
    #[error("not TOML: {0}")]
    Text(String),
    /// The key is a table in the text, or stands where a value is.
    #[error("{key}: {problem}")]
    Place {
        /// The key.
        key: String,
        /// What is wrong and what to do.
        problem: String,
    },
}

/// The likeliest mistake is a string without quotes.
fn hint(key: &str, value: &str) -> String {
    if value.contains(['"', '\'', '\n', '[', '{']) || value.is_empty() {
        return "write a TOML value: 5, true, \"text\", [\"a\", \"b\"]".to_owned();
    }
    format!("a string needs its quotes: rift config set {key} '\"{value}\"'")
}

/// The names of a dotted key.
pub(super) fn parse_key(key: &str) -> Result<Vec<String>, EditProblem> {
    let parsed = Key::parse(key).map_err(|error| EditProblem::Key {
        key: key.to_owned(),
        problem: error.message().replace('\n', ", ").trim().to_owned(),
    })?;
    Ok(parsed.iter().map(|key| key.get().to_owned()).collect())
}

/// A dotted key in its plainest spelling.
pub(super) fn show_key(path: &[String]) -> String {
    path.iter().fold(String::new(), |shown, name| super::check::join(&shown, name))
}

/// The text with `path` stated as `value`, which is TOML; equal when it is stated so already.
pub(super) fn set(text: &str, path: &[String], value: &str) -> Result<String, EditProblem> {
    let key = show_key(path);
    let value = read_value(&key, value)?;
    let place = |problem: &str| EditProblem::Place { key: key.clone(), problem: problem.to_owned() };
    let found = statements(text).map_err(|e| EditProblem::Text(e.message().to_owned()))?;
    if found.iter().any(|s| s.kind == Kind::ListItem && path.starts_with(&s.path)) {
        return Err(place("lies in a list of tables, whose items have no key; edit rift.toml in an editor"));
    }
    if let Some(pair) = found.iter().find(|s| s.kind == Kind::Pair && path.starts_with(&s.path)) {
        let new = if pair.path.len() == path.len() {
            value
        } else {
            inside(&text[pair.span.clone()], &path[pair.path.len()..], Some(&value))
                .ok_or_else(|| place(&format!("{} is a value and no table; unset it first", show_key(&pair.path))))?
        };
        return Ok(replaced(text, pair.span.clone(), &ending(text, &new)));
    }
    if found.iter().any(|s| s.path.starts_with(path)) {
        return Err(place("is a table; set its keys, or unset it first"));
    }
    let (at, new) = insertion(text, &found, path, &value);
    Ok(replaced(text, at..at, &ending(text, &new)))
}

/// Where a key that is not stated yet goes, and the lines that state it.
fn insertion(text: &str, found: &[Statement], path: &[String], value: &str) -> (usize, String) {
    let line = |at: usize, relative: &[String]| {
        // The last line of a text may lack its line end.
        let before = if at > 0 && !text[..at].ends_with('\n') { "\n" } else { "" };
        (at, format!("{before}{} = {value}\n", show_key(relative)))
    };
    let parent = &path[..path.len() - 1];
    if parent.is_empty() {
        let last = found.iter().take_while(|s| !s.is_header()).last();
        let first_header = found.first().map_or(text.len(), |header| header.lines.start);
        return line(last.map_or_else(|| above_comment(text, first_header), |s| s.lines.end), path);
    }
    for length in (1..path.len()).rev() {
        let table = &path[..length];
        if let Some(at) = found.iter().position(|s| s.kind == Kind::Table && s.path == table) {
            if length < parent.len() {
                break;
            }
            let last = found[at + 1..].iter().take_while(|s| !s.is_header()).last().unwrap_or(&found[at]);
            return line(last.lines.end, &path[length..]);
        }
        // A table of dotted keys takes no header beside them.
        let header = |at: usize| found[..at].iter().rev().find(|s| s.is_header()).map_or(&[][..], |s| &s.path);
        let dotted = |at: &usize| {
            let statement = &found[*at];
            statement.kind == Kind::Pair && statement.path.starts_with(table) && header(*at).len() < length
        };
        if let Some(at) = (0..found.len()).rev().find(dotted) {
            return line(found[at].lines.end, &path[header(at).len()..]);
        }
    }
    let lines = format!("[{}]\n{} = {value}\n", show_key(parent), show_key(&path[path.len() - 1..]));
    let related = found.iter().rposition(|s| s.path[0] == path[0]);
    let next = related.and_then(|at| found[at + 1..].iter().find(|s| s.is_header()));
    if let Some(next) = next {
        // Beside its relatives, in the spacing that is there.
        let at = above_comment(text, next.lines.start);
        let after = if ends_blank(&text[..at]) { "\n" } else { "" };
        return (at, format!("{lines}{after}"));
    }
    let before = match text {
        "" => "",
        text if ends_blank(text) => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    (text.len(), format!("{before}{lines}"))
}

/// Whether the last line is blank.
fn ends_blank(text: &str) -> bool {
    text.ends_with("\n\n") || text.ends_with("\n\r\n")
}

/// The start of a line, or that of the comment directly over it.
fn above_comment(text: &str, mut at: usize) -> usize {
    while at > 0 {
        let line = text[..at - 1].rfind('\n').map_or(0, |end| end + 1);
        if !text[line..at].trim_start().starts_with('#') {
            break;
        }
        at = line;
    }
    at
}

/// The text without `path`, which may be a key or a table; none when it is not stated.
pub(super) fn unset(text: &str, path: &[String]) -> Result<Option<String>, EditProblem> {
    let found = statements(text).map_err(|e| EditProblem::Text(e.message().to_owned()))?;
    if found.iter().any(|s| s.kind == Kind::ListItem && path.len() > s.path.len() && path.starts_with(&s.path)) {
        let problem = "lies in a list of tables, whose items have no key; edit rift.toml in an editor".to_owned();
        return Err(EditProblem::Place { key: show_key(path), problem });
    }
    let outer = found.iter().find(|s| s.kind == Kind::Pair && path.len() > s.path.len() && path.starts_with(&s.path));
    if let Some(pair) = outer {
        let shorter = inside(&text[pair.span.clone()], &path[pair.path.len()..], None);
        return Ok(shorter.map(|shorter| replaced(text, pair.span.clone(), &shorter)));
    }
    let mut removed: Vec<Range<usize>> = Vec::new();
    let mut section = None;
    for (at, statement) in found.iter().enumerate() {
        if statement.is_header() {
            section = statement.path.starts_with(path).then_some(at);
        }
        let gone = statement.path.starts_with(path);
        // A header's comments and blank lines down to its last pair go with it.
        match (section, gone) {
            (Some(header), _) if header < at => {
                if let Some(last) = removed.last_mut() {
                    last.end = statement.lines.end;
                }
            }
            (_, true) => removed.push(statement.lines.clone()),
            _ => {}
        }
    }
    if removed.is_empty() {
        return Ok(None);
    }
    if let [only] = &removed[..]
        && let Some(header) = emptied(text, &found, only)
    {
        removed = vec![header];
    }
    let mut out = text.to_owned();
    for lines in removed.into_iter().rev() {
        out.replace_range(with_blank_line(&out, lines), "");
    }
    Ok(Some(out))
}

/// The lines of a header together with its only pair, `pair`, unless a comment stands at either.
fn emptied(text: &str, found: &[Statement], pair: &Range<usize>) -> Option<Range<usize>> {
    let at = found.iter().position(|s| s.lines == *pair && !s.is_header())?;
    let header = found[..at].last().filter(|s| s.kind == Kind::Table)?;
    let alone = found.get(at + 1).is_none_or(Statement::is_header);
    let blank = |lines: &str| lines.trim().is_empty();
    let follows = text[pair.end..].lines().next().unwrap_or("");
    let above = text[..header.lines.start].trim_end_matches(['\n', '\r']).lines().next_back().unwrap_or("");
    let directly = !ends_blank(&text[..header.lines.start]);
    let commented = (directly && above.trim_start().starts_with('#'))
        || follows.trim_start().starts_with('#')
        || text[header.lines.clone()].contains('#')
        || !blank(&text[header.lines.end..pair.start]);
    (alone && !commented).then_some(header.lines.start..pair.end)
}

/// Lines that are removed, with the blank line above them when there is one below as well, or nothing.
fn with_blank_line(text: &str, lines: Range<usize>) -> Range<usize> {
    let below = &text[lines.end..];
    if !(below.is_empty() || below.starts_with('\n') || below.starts_with("\r\n")) {
        return lines;
    }
    let above = &text[..lines.start];
    for blank in ["\n\r\n", "\n\n"] {
        if above.ends_with(blank) {
            return lines.start - (blank.len() - 1)..lines.end;
        }
    }
    lines
}

/// An inline table with a key set, or without it; none when it is no table, or has no such key to take away.
fn inside(table: &str, path: &[String], value: Option<&str>) -> Option<String> {
    let mut whole: Value = table.parse().ok()?;
    let (last, tables) = path.split_last()?;
    let mut inner: &mut InlineTable = whole.as_inline_table_mut()?;
    for name in tables {
        if value.is_some() && !inner.contains_key(name) {
            inner.insert(name, InlineTable::new().into());
        }
        inner = inner.get_mut(name)?.as_inline_table_mut()?;
    }
    match value {
        Some(value) => {
            let mut new: Value = value.parse().ok()?;
            if let Some(old) = inner.get(last) {
                *new.decor_mut() = old.decor().clone();
            }
            inner.insert(last, new);
        }
        None => {
            inner.remove(last)?;
        }
    }
    whole.decor_mut().clear();
    Some(whole.to_string())
}

/// The value without the space around it.
fn read_value(key: &str, value: &str) -> Result<String, EditProblem> {
    let problem = |problem: String| EditProblem::Value { key: key.to_owned(), value: value.to_owned(), problem };
    let mut parsed: Value = value
        .trim()
        .parse()
        .map_err(|e: toml_edit::TomlError| problem(e.message().replace('\n', ", ").trim().to_owned()))?;
    parsed.decor_mut().clear();
    let text = parsed.to_string();
    // What is not a value alone (a comment behind it, a second line) would change what follows it.
    let alone = toml_edit::Document::parse(format!("k = {text}\n")).ok().filter(|d| d.as_table().len() == 1);
    match alone.as_ref().and_then(|d| d.as_table().get("k")) {
        Some(Item::Value(_)) => Ok(text),
        _ => Err(problem("more than one value".to_owned())),
    }
}

/// New lines with the text's line ends.
fn ending(text: &str, new: &str) -> String {
    let windows = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
    let plain = new.replace("\r\n", "\n");
    if windows { plain.replace('\n', "\r\n") } else { plain }
}

fn replaced(text: &str, span: Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..span.start], &text[span.end..])
}

#[cfg(test)]
mod tests;
