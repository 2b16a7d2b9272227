//! Path patterns: the one glob engine behind `[source]`, the language tables and the tools' `paths`.
//!
//! A pattern is matched against a whole project path. `*` and `?` stay inside one segment, `**` spans
//! segments, `[…]` is a class, `{a,b}` an alternative. As in git, `?` and a class stand for one byte. There is no escape character: a class of one
//! (`[*]`) spells a special character. A pattern that ends in `/` means everything below that directory.

use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};

/// The longest pattern in bytes.
pub const PATTERN_BYTES_MAX: usize = 4096;

/// Why a text is not a path pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternViolation {
    /// Empty, or holds an empty segment (`a//b`).
    Empty,
    /// Starts with `/`: patterns are relative to the project.
    Absolute,
    /// Holds a backslash.
    Backslash,
    /// Holds a control character.
    ControlCharacter,
    /// Holds `.` or `..` as a segment.
    DotSegment,
    /// Longer than [`PATTERN_BYTES_MAX`].
    TooLong,
    /// Not a well-formed glob; the text says where.
    Syntax(String),
}

impl PatternViolation {
    /// The violation's wire word.
    pub fn word(&self) -> &'static str {
        match self {
            PatternViolation::Empty => "empty",
            PatternViolation::Absolute => "absolute",
            PatternViolation::Backslash => "backslash",
            PatternViolation::ControlCharacter => "control_character",
            PatternViolation::DotSegment => "dot_segment",
            PatternViolation::TooLong => "too_long",
            PatternViolation::Syntax(_) => "syntax",
        }
    }
}

impl std::fmt::Display for PatternViolation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PatternViolation::Syntax(detail) => write!(f, "syntax ({detail})"),
            other => f.write_str(other.word()),
        }
    }
}

/// A refused pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "path pattern refused: pattern {pattern:?}, violation {violation}; write a glob relative to the project, such as \"src/**/*.rs\""
)]
pub struct PatternError {
    /// Its place in the list.
    pub index: usize,
    /// The pattern as written.
    pub pattern: String,
    /// What is wrong with it.
    pub violation: PatternViolation,
}

/// A compiled list of patterns. A path matches the list when it matches any pattern.
#[derive(Debug, Clone)]
pub struct PathPatterns {
    set: GlobSet,
    /// Directories whose whole content matches: patterns that end in `/**`, without that end.
    whole: GlobSet,
    /// Directory parts before the first special character, one per pattern.
    prefixes: Vec<String>,
}

impl PathPatterns {
    /// Checks and compiles `patterns`.
    pub fn new<S: AsRef<str>>(patterns: &[S]) -> Result<Self, PatternError> {
        let (mut set, mut whole) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        let mut prefixes = Vec::with_capacity(patterns.len());
        for (index, pattern) in patterns.iter().map(AsRef::as_ref).enumerate() {
            let error = |violation| PatternError { index, pattern: pattern.to_owned(), violation };
            check(pattern).map_err(error)?;
            let spelled = if pattern.ends_with('/') { format!("{pattern}**") } else { pattern.to_owned() };
            let compile = |glob: &str| {
                GlobBuilder::new(glob)
                    .literal_separator(true)
                    .backslash_escape(false)
                    .build()
                    .map_err(|e| error(PatternViolation::Syntax(e.kind().to_string())))
            };
            set.add(compile(&spelled)?);
            if let Some(directory) = spelled.strip_suffix("/**") {
                whole.add(compile(directory)?);
            } else if spelled == "**" {
                whole.add(compile("**")?);
            }
            prefixes.push(literal_directory(&spelled).to_owned());
        }
        let build = |builder: &GlobSetBuilder| {
            builder.build().map_err(|e| PatternError {
                index: 0,
                pattern: e.glob().unwrap_or_default().to_owned(),
                violation: PatternViolation::Syntax(e.kind().to_string()),
            })
        };
        Ok(Self { set: build(&set)?, whole: build(&whole)?, prefixes })
    }

    /// The list that matches nothing.
    pub fn none() -> Self {
        Self { set: GlobSet::empty(), whole: GlobSet::empty(), prefixes: Vec::new() }
    }

    /// Whether the list has no pattern.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Whether a file path matches any pattern.
    pub fn matches(&self, path: &str) -> bool {
        !self.set.is_empty() && self.set.is_match_candidate(&Candidate::from_bytes(path))
    }

    /// The patterns that match, by index, ascending.
    pub fn matching(&self, path: &str) -> Vec<usize> {
        if self.set.is_empty() { Vec::new() } else { self.set.matches_candidate(&Candidate::from_bytes(path)) }
    }

    /// Whether every path below `directory` certainly matches.
    pub fn matches_all_below(&self, directory: &str) -> bool {
        !self.whole.is_empty() && self.whole.is_match_candidate(&Candidate::from_bytes(directory))
    }

    /// Whether some path below `directory` may match. Never wrong when it says no.
    pub fn may_match_below(&self, directory: &str) -> bool {
        let below = |inner: &str, outer: &str| {
            outer.is_empty() || inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.prefixes.iter().any(|prefix| below(prefix, directory) || below(directory, prefix))
    }
}

/// The rules that do not need the glob parser.
fn check(pattern: &str) -> Result<(), PatternViolation> {
    if pattern.is_empty() {
        return Err(PatternViolation::Empty);
    }
    if pattern.len() > PATTERN_BYTES_MAX {
        return Err(PatternViolation::TooLong);
    }
    if pattern.starts_with('/') {
        return Err(PatternViolation::Absolute);
    }
    if pattern.contains('\\') {
        return Err(PatternViolation::Backslash);
    }
    if pattern.chars().any(char::is_control) {
        return Err(PatternViolation::ControlCharacter);
    }
    for segment in pattern.strip_suffix('/').unwrap_or(pattern).split('/') {
        match segment {
            "" => return Err(PatternViolation::Empty),
            "." | ".." => return Err(PatternViolation::DotSegment),
            _ => {}
        }
    }
    Ok(())
}

/// The directory that every match lies in: the segments before the first one with a special character.
fn literal_directory(pattern: &str) -> &str {
    let special = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    pattern[..special].rfind('/').map_or("", |slash| &pattern[..slash])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_match(pattern: &str, yes: &[&str], no: &[&str]) {
        let patterns = PathPatterns::new(&[pattern]).expect("well formed");
        for path in yes {
            assert!(patterns.matches(path), "{pattern} should match {path}");
        }
        for path in no {
            assert!(!patterns.matches(path), "{pattern} should not match {path}");
        }
    }

    #[test]
    fn star_stays_inside_a_segment() {
        check_match("*.rs", &["a.rs", ".rs"], &["src/a.rs", "a.rsx"]);
        check_match("src/*", &["src/a"], &["src/a/b", "src", "xsrc/a"]);
        check_match("src/**", &["src/a", "src/a/b"], &["src", "srcs/a"]);
        check_match("src/", &["src/a", "src/a/b"], &["src", "srcs/a"]);
        check_match("**/*.rs", &["a.rs", "x/a.rs", "x/y/a.rs"], &["a.rs/b"]);
        check_match("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["a/bb", "ab"]);
        check_match("**", &["a", "a/b", ".github/x"], &[]);
        check_match("?.c", &["a.c"], &["ab.c", "/.c", ".c"]);
        // As in git, `?` is one byte, and `é` is two.
        check_match("??.c", &["é.c"], &["é.h"]);
        check_match("*é*/?.c", &["né/a.c", "é/b.c"], &["e/a.c"]);
        check_match("[a-c].c", &["b.c"], &["d.c", "-.c"]);
        check_match("[!a].c", &["b.c"], &["a.c"]);
        check_match("{a,b}.c", &["a.c", "b.c"], &["{a,b}.c"]);
        check_match("a b/%é[*]", &["a b/%é*"], &["a b/%éx"]);
        check_match("A.c", &["A.c"], &["a.c"]);
    }

    #[test]
    fn violations() {
        for (pattern, word) in [
            ("", "empty"),
            ("a//b", "empty"),
            ("a//", "empty"),
            ("/", "absolute"),
            ("/a", "absolute"),
            ("a\\b", "backslash"),
            ("a\tb", "control_character"),
            ("a\u{7f}", "control_character"),
            ("./a", "dot_segment"),
            ("a/../b", "dot_segment"),
            ("..", "dot_segment"),
            ("[a", "syntax"),
            ("{a", "syntax"),
            ("a}", "syntax"),
        ] {
            let error = PathPatterns::new(&["ok", pattern]).expect_err(pattern);
            assert_eq!((error.index, error.pattern.as_str(), error.violation.word()), (1, pattern, word));
        }
        let long = "x".repeat(PATTERN_BYTES_MAX + 1);
        assert_eq!(PathPatterns::new(&[&long]).expect_err("long").violation, PatternViolation::TooLong);
        assert!(PathPatterns::new(&["..a", "a..", ".github/**"]).is_ok());
    }

    #[test]
    fn directories_are_pruned_only_when_sure() {
        let patterns = PathPatterns::new(&["vendor/**", "a/b/*.rs", "x/**/gen/**"]).expect("well formed");
        for (directory, all, some) in [
            ("vendor", true, true),
            ("vendor/x", false, true),
            ("a", false, true),
            ("a/b", false, true),
            ("a/c", false, false),
            ("ab", false, false),
            ("x/y/gen", true, true),
            ("y", false, false),
        ] {
            assert_eq!(patterns.matches_all_below(directory), all, "{directory}");
            assert_eq!(patterns.may_match_below(directory), some, "{directory}");
        }
        assert!(PathPatterns::new(&["**"]).expect("well formed").matches_all_below("a/b"));
        assert!(!PathPatterns::none().may_match_below("a") && !PathPatterns::none().matches("a"));
    }
}
