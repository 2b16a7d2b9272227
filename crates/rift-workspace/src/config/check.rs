//! Holding a parsed `rift.toml` against the schema. Every problem is gathered, not just the first.

use std::ops::Range;

use rift_base::{Language, ProjectPath};
use toml::Spanned;
use toml::de::{DeArray, DeInteger, DeTable, DeValue};

use super::schema::{ARGUMENT_BYTES_MAX, ARGUMENTS_MAX, Item, Key, LSP, Name, Served, Shape};
use super::units::{parse_duration, parse_size, show_duration, show_size};
use crate::pattern::PathPatterns;

/// A problem before its place is counted in lines.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) offset: usize,
    pub(super) key: String,
    pub(super) text: String,
    pub(super) not_served: bool,
}

/// Gathers problems.
#[derive(Debug, Default)]
pub(super) struct Checker {
    pub(super) problems: Vec<Problem>,
}

/// What a value is, with its article.
fn type_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// The path of a key below another, quoted where TOML quotes it.
pub(super) fn join(path: &str, key: &str) -> String {
    let bare = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    let key = if bare { key.to_owned() } else { format!("{key:?}") };
    if path.is_empty() { key } else { format!("{path}.{key}") }
}

/// The number that an integer of TOML spells; none when it passes even 128 bits.
pub(super) fn integer(value: &DeInteger<'_>) -> Option<i128> {
    i128::from_str_radix(value.as_str(), value.radix()).ok()
}

impl Checker {
    pub(super) fn problem(&mut self, span: Range<usize>, key: &str, text: impl Into<String>) {
        self.problems.push(Problem { offset: span.start, key: key.to_owned(), text: text.into(), not_served: false });
    }

    pub(super) fn not_served(&mut self, span: Range<usize>, key: &str) {
        let text = "not served by this version of rift; remove it".to_owned();
        self.problems.push(Problem { offset: span.start, key: key.to_owned(), text, not_served: true });
    }

    /// Checks a table of known keys.
    pub(super) fn table(&mut self, path: &str, table: &DeTable<'_>, span: Range<usize>, keys: &[Key]) {
        for (name, value) in table {
            let below = join(path, name.get_ref());
            let Some(key) = keys.iter().find(|key| key.name == name.get_ref().as_ref()) else {
                let known: Vec<&str> = keys.iter().map(|key| key.name).collect();
                self.problem(name.span(), &below, format!("unknown key; the keys here are {}", known.join(", ")));
                continue;
            };
            self.value(&below, value, key.shape);
            match key.served {
                Served::Yes => {}
                Served::No => self.not_served(name.span(), &below),
                Served::Only(only) => {
                    if value.get_ref().as_bool() == Some(!only) {
                        self.not_served(value.span(), &format!("{below} = {}", !only));
                    }
                }
            }
        }
        for key in keys.iter().filter(|key| key.required && !table.contains_key(key.name)) {
            self.problem(span.clone(), &join(path, key.name), "missing; state it");
        }
    }

    fn value(&mut self, path: &str, value: &Spanned<DeValue<'_>>, shape: Shape) {
        let span = value.span();
        match (shape, value.get_ref()) {
            (Shape::Bool, DeValue::Boolean(_)) | (Shape::Object, DeValue::Table(_)) => {}
            (Shape::Integer(min, max), DeValue::Integer(number)) => {
                if !integer(number).is_some_and(|n| n >= i128::from(min) && n <= i128::from(max)) {
                    self.out_of_range(span, path, &number.to_string(), &min.to_string(), &max.to_string());
                }
            }
            (Shape::Number(min, max), DeValue::Float(_) | DeValue::Integer(_)) => {
                let number = number(value.get_ref());
                if !number.is_some_and(|n| n >= min && n <= max) {
                    let shown = number.map_or_else(|| "?".to_owned(), |n| n.to_string());
                    self.out_of_range(span, path, &shown, &min.to_string(), &max.to_string());
                }
            }
            (Shape::Size(min, max), DeValue::String(text)) => {
                let bounds = (show_size(min), show_size(max));
                let inside = parse_size(text).map(|size| size >= min && size <= max);
                self.quantity(span, path, text, inside, "a size (b, kb, mb, gb or tb)", bounds);
            }
            (Shape::Duration(min, max), DeValue::String(text)) => {
                let show = |millis| show_duration(std::time::Duration::from_millis(millis));
                let bounds = (show(min), show(max));
                let inside = parse_duration(text).map(|d| d.as_millis() >= min.into() && d.as_millis() <= max.into());
                self.quantity(span, path, text, inside, "a duration (ms, s, m, h or d)", bounds);
            }
            (Shape::Text(max), DeValue::String(text)) => self.text(span, path, text, max),
            (Shape::Filter(max), DeValue::String(text)) => {
                self.text(span.clone(), path, text, max);
                if !text.is_empty()
                    && let Some(directive) = wrong_directive(text)
                {
                    let text = format!(
                        "{directive:?} is no directive; write TARGET=LEVEL, TARGET or LEVEL, with commas between; \
                         levels: off, error, warn, info, debug, trace"
                    );
                    self.problem(span, path, text);
                }
            }
            (Shape::Choice(words), DeValue::String(text)) => {
                if !words.contains(&text.as_ref()) {
                    let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
                    self.problem(span, path, format!("value {text:?} is not allowed; allowed: {}", words.join(", ")));
                }
            }
            (Shape::Path, DeValue::String(text)) => {
                if let Err(violation) = ProjectPath::new(text) {
                    self.problem(span, path, format!("value {text:?} is no path below the root ({violation})"));
                }
            }
            (Shape::List(max, item), DeValue::Array(items)) => self.list(span, path, items, max, item),
            (Shape::Table(keys), DeValue::Table(table)) => self.table(path, table, span, keys),
            (Shape::Entries(max, name, keys), DeValue::Table(table)) => {
                self.count(span, path, table.len(), max);
                for (entry, value) in table {
                    let below = join(path, entry.get_ref());
                    self.name(entry, &below, name);
                    self.value(&below, value, Shape::Table(keys));
                }
            }
            (Shape::Tables(max, keys), DeValue::Array(items)) => {
                self.count(span, path, items.len(), max);
                for (index, item) in items.iter().enumerate() {
                    self.value(&format!("{path}[{index}]"), item, Shape::Table(keys));
                }
            }
            (Shape::Strings(max, name), DeValue::Table(table)) => {
                self.count(span, path, table.len(), max);
                for (entry, value) in table {
                    let below = join(path, entry.get_ref());
                    self.name(entry, &below, name);
                    if value.get_ref().as_str().is_none() {
                        self.wrong_type(value, &below, "a string");
                    }
                }
            }
            (Shape::Command, DeValue::String(_) | DeValue::Array(_)) => self.command(value, path),
            (Shape::Process, DeValue::String(text)) => {
                if Language::new(text).is_none() {
                    self.problem(span, path, format!("value {text:?} names no [lsp.<process>] table"));
                }
            }
            (Shape::Process, DeValue::Table(table)) => self.table(path, table, span, LSP),
            (shape, _) => self.wrong_type(value, path, expected(shape)),
        }
    }

    fn wrong_type(&mut self, value: &Spanned<DeValue<'_>>, path: &str, expected: &str) {
        self.problem(value.span(), path, format!("{} where {expected} is expected", type_of(value.get_ref())));
    }

    fn out_of_range(&mut self, span: Range<usize>, path: &str, value: &str, min: &str, max: &str) {
        self.problem(span, path, format!("value {value} is out of range; allowed: {min} to {max}"));
    }

    /// A value with a unit. `inside` is none when it does not parse.
    fn quantity(
        &mut self,
        span: Range<usize>,
        path: &str,
        text: &str,
        inside: Option<bool>,
        what: &str,
        (min, max): (String, String),
    ) {
        match inside {
            Some(true) => {}
            Some(false) => {
                self.out_of_range(span, path, &format!("{text:?}"), &format!("{min:?}"), &format!("{max:?}"))
            }
            None => self.problem(span, path, format!("value {text:?} is not {what}; allowed: {min:?} to {max:?}")),
        }
    }

    fn text(&mut self, span: Range<usize>, path: &str, text: &str, max: usize) {
        if text.is_empty() || text.len() > max {
            let length = text.len();
            self.problem(span, path, format!("a string of {length} bytes is out of range; allowed: 1 to {max} bytes"));
        } else if text.contains('\0') {
            self.problem(span, path, "a string with a NUL character");
        }
    }

    fn count(&mut self, span: Range<usize>, path: &str, count: usize, max: usize) {
        if count > max {
            self.problem(span, path, format!("{count} entries are out of range; allowed: 0 to {max} entries"));
        }
    }

    fn list(&mut self, span: Range<usize>, path: &str, items: &DeArray<'_>, max: usize, item: Item) {
        self.count(span.clone(), path, items.len(), max);
        let problems = self.problems.len();
        let mut patterns = Vec::new();
        for (index, value) in items.iter().enumerate() {
            let below = format!("{path}[{index}]");
            let Some(text) = value.get_ref().as_str() else {
                self.wrong_type(value, &below, "a string");
                continue;
            };
            match item {
                Item::Pattern => {
                    patterns.push(text);
                    if let Err(error) = PathPatterns::new(&[text]) {
                        let violation = error.violation;
                        self.problem(value.span(), &below, format!("value {text:?} is no path pattern ({violation})"));
                    }
                }
                Item::FileName if text.is_empty() || text.contains(['/', '\\', '\0']) => {
                    self.problem(value.span(), &below, format!("value {text:?} is no file name"));
                }
                Item::Language if Language::new(text).is_none() => {
                    self.problem(value.span(), &below, format!("value {text:?} is no language identity"));
                }
                Item::Text(max) => self.text(value.span(), &below, text, max),
                Item::FileName | Item::Language => {}
            }
        }
        if self.problems.len() == problems && PathPatterns::new(&patterns).is_err() {
            self.problem(span, path, "the patterns are too large together; state fewer or simpler ones");
        }
    }

    fn name(&mut self, name: &Spanned<std::borrow::Cow<'_, str>>, path: &str, rule: Name) {
        let text: &str = name.get_ref();
        let problem = match rule {
            Name::Language => {
                Language::new(text).is_none().then_some("no identity: lowercase `name` or `name:dialect`")
            }
            Name::Registration if matches!(text, "local" | "global" | "all") => Some("a reserved name"),
            Name::Registration => {
                let valid = text.starts_with(|c: char| c.is_ascii_lowercase())
                    && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-');
                (!valid).then_some("no name: it must match [a-z][a-z0-9_-]*")
            }
            Name::Variable => {
                (text.is_empty() || text.contains(['=', '\0'])).then_some("no name of an environment variable")
            }
        };
        if let Some(problem) = problem {
            self.problem(name.span(), path, problem);
        }
    }

    fn command(&mut self, value: &Spanned<DeValue<'_>>, path: &str) {
        let items: Vec<(String, &str, Range<usize>)> = match value.get_ref() {
            DeValue::String(text) => {
                if text.contains(char::is_whitespace) {
                    self.problem(value.span(), path, "a program with whitespace; write a list to give it arguments");
                }
                vec![(path.to_owned(), text.as_ref(), value.span())]
            }
            DeValue::Array(list) => {
                let mut items = Vec::new();
                for (index, item) in list.iter().enumerate() {
                    let below = format!("{path}[{index}]");
                    match item.get_ref().as_str() {
                        Some(text) => items.push((below, text, item.span())),
                        None => self.wrong_type(item, &below, "a string"),
                    }
                }
                if list.is_empty() || list.len() > ARGUMENTS_MAX + 1 {
                    let text = format!(
                        "{} items are out of range; allowed: a program and 0 to {ARGUMENTS_MAX} arguments",
                        list.len()
                    );
                    self.problem(value.span(), path, text);
                }
                items
            }
            _ => return,
        };
        for (index, (path, text, span)) in items.into_iter().enumerate() {
            if index == 0 && (text.starts_with('/') || text.is_empty()) {
                self.problem(span, &path, format!("value {text:?} is no program: a name or a relative path is"));
            } else if text.len() > ARGUMENT_BYTES_MAX {
                let length = text.len();
                self.problem(
                    span,
                    &path,
                    format!("a string of {length} bytes is out of range; allowed: 0 to {ARGUMENT_BYTES_MAX} bytes"),
                );
            }
        }
    }
}

/// A float, or an integer in a float's place.
pub(super) fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(number) => number.as_str().parse().ok(),
        #[allow(clippy::cast_precision_loss, reason = "only 0 and 1 are inside any range")]
        DeValue::Integer(number) => integer(number).map(|n| n as f64),
        _ => None,
    }
}

/// The first directive that does not read as `TARGET=LEVEL`, `TARGET` or `LEVEL`. Spans and fields in brackets, which
/// `RUST_LOG` knows as well, are not taken: no record of Rift has any.
fn wrong_directive(text: &str) -> Option<&str> {
    const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
    let is_level = |word: &str| LEVELS.iter().any(|level| word.eq_ignore_ascii_case(level));
    let is_target =
        |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"_:-".contains(&b));
    text.split(',').map(str::trim).find(|directive| match directive.split_once('=') {
        Some((target, level)) => !is_target(target) || !is_level(level),
        None => !is_target(directive),
    })
}

/// What a shape expects, with its article.
fn expected(shape: Shape) -> &'static str {
    match shape {
        Shape::Bool => "a boolean",
        Shape::Integer(..) => "an integer",
        Shape::Number(..) => "a number",
        Shape::Size(..) => "a size in quotes, with its unit (b, kb, mb, gb or tb),",
        Shape::Duration(..) => "a duration in quotes, with its unit (ms, s, m, h or d),",
        Shape::Text(_) | Shape::Filter(_) | Shape::Choice(_) | Shape::Path => "a string",
        Shape::List(..) => "a list of strings",
        Shape::Tables(..) => "a list of tables",
        Shape::Object | Shape::Table(_) | Shape::Entries(..) | Shape::Strings(..) => "a table",
        Shape::Command => "a string or a list of strings",
        Shape::Process => "a string or a table",
    }
}
