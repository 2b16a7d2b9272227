//! One record of the log.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tracing::Level;

use super::when::LogTime;

/// The most bytes of a record's message, and of one field's text. What is longer is cut, at a character.
pub(super) const TEXT_BYTES_MAX: usize = 16 << 10;
/// The most bytes of a record's line. A record whose fields make it longer keeps its message alone.
pub(super) const LINE_BYTES_MAX: usize = 64 << 10;

/// One record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogRecord {
    /// Counts up by one; it goes on where an earlier server ended.
    pub seq: u64,
    /// When, in RFC 3339, UTC, with milliseconds.
    pub time: String,
    /// How severe.
    pub level: LogLevel,
    /// The module that recorded it; its first name is the component.
    pub target: String,
    /// What happened.
    pub message: String,
    /// The facts that go with it.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub fields: Map<String, Value>,
}

/// How severe a record is, the most severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    /// Something failed.
    Error,
    /// Something is not as it should be.
    Warn,
    /// Something of note.
    Info,
    /// For finding defects.
    Debug,
    /// Every step.
    Trace,
}

impl LogLevel {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            LogLevel::Error => "error",
            LogLevel::Warn => "warn",
            LogLevel::Info => "info",
            LogLevel::Debug => "debug",
            LogLevel::Trace => "trace",
        }
    }
}

impl From<Level> for LogLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::ERROR => LogLevel::Error,
            Level::WARN => LogLevel::Warn,
            Level::INFO => LogLevel::Info,
            Level::DEBUG => LogLevel::Debug,
            Level::TRACE => LogLevel::Trace,
        }
    }
}

impl LogRecord {
    /// When it was made; none when the file says no time there.
    pub fn at(&self) -> Option<LogTime> {
        OffsetDateTime::parse(&self.time, &Rfc3339).ok()
    }

    /// Whether the module that recorded it is `component` or lies in it. `rift-host` and `rift_host` are one.
    pub fn is_of(&self, component: &str) -> bool {
        let component = component.replace('-', "_");
        self.target.strip_prefix(&component).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    }

    /// The line of the file, with its line end.
    pub(super) fn line(&self) -> Option<String> {
        let mut line = serde_json::to_string(self).ok()?;
        if line.len() > LINE_BYTES_MAX {
            let fields = Map::from_iter([("fields_omitted".to_owned(), Value::from(self.fields.len()))]);
            line = serde_json::to_string(&LogRecord { fields, ..self.clone() }).ok()?;
        }
        line.push('\n');
        Some(line)
    }
}

/// One line for people: control characters are escaped, so that no record can draw on a terminal.
impl std::fmt::Display for LogRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:<5} {}: {}", self.time, self.level.word(), self.target, plain(&self.message))?;
        for (key, value) in &self.fields {
            match value {
                Value::String(text) if is_bare(text) => write!(f, " {key}={text}")?,
                value => write!(f, " {key}={}", plain(&value.to_string()))?,
            }
        }
        Ok(())
    }
}

fn is_bare(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '"' || c == '=')
}

fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

/// At most `max` bytes of a text, cut at a character, with a sign of the cut.
pub(super) fn cut(mut text: String, max: usize) -> String {
    if text.len() > max {
        let mut end = max;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
    text
}
