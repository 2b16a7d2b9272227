//! The fixture language of the tests: one string that spells a small workspace and what happens to it.
//!
//! ```text
//! //- /src/a.py
//! def f(): $0pass
//! //- /b.rs
//! fn g() {}
//! //= edit /src/a.py
//! def f(): return 1
//! //= delete /b.rs
//! ```
//!
//! Sections that start with `//-` are the first state, those with `//=` are steps replayed one after another. A section
//! may be indented as its test is: as many blanks as stand before a header are taken off each line of its text. Blanks
//! behind the last line end, which indent the string's closing quote, are no text. A `$0` marks a cursor and is taken
//! out.
//!
//! [`assert_ran`] compares what the database executed meanwhile with what it may execute, and [`table`] reads the tables
//! of `docs/` for the tests that hold them against the code.

mod markdown;
mod model;

pub use markdown::table;
pub use model::{TinyModel, tiny_model};

/// A parsed fixture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fixture {
    /// The first state, in source order.
    pub files: Vec<FixtureFile>,
    /// What happens afterwards, in order.
    pub steps: Vec<Step>,
}

/// One file of a fixture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixtureFile {
    /// Path below the root, without a leading `/`.
    pub path: String,
    /// Text without cursors.
    pub text: String,
    /// Byte offset of `$0` in `text`.
    pub cursor: Option<usize>,
}

/// One change of a fixture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Writes a file, new or not.
    Edit(FixtureFile),
    /// Removes a file.
    Delete(String),
}

impl Fixture {
    /// Parses a fixture.
    ///
    /// # Panics
    /// On text before the first section and on unknown steps: a fixture is part of its test.
    pub fn parse(text: &str) -> Self {
        let mut fixture = Fixture::default();
        let mut lines = without_closing_indent(text).lines().peekable();
        while let Some(header) = lines.next() {
            let line = header.trim_start();
            if line.is_empty() {
                continue;
            }
            let indent = header.len() - line.len();
            let mut body = String::new();
            while let Some(next) = lines.next_if(|l| !is_header(l)) {
                body.push_str(dedent(next, indent));
                body.push('\n');
            }
            if let Some(path) = line.strip_prefix("//- /") {
                fixture.files.push(FixtureFile::new(path, &body));
            } else if let Some(path) = line.strip_prefix("//= edit /") {
                fixture.steps.push(Step::Edit(FixtureFile::new(path, &body)));
            } else if let Some(path) = line.strip_prefix("//= delete /") {
                fixture.steps.push(Step::Delete(path.trim().to_owned()));
            } else {
                panic!("not a fixture section: {line:?}");
            }
        }
        fixture
    }

    /// The first file with a cursor, and the cursor's offset.
    ///
    /// # Panics
    /// When no file has one.
    pub fn cursor(&self) -> (&str, usize) {
        let found = self.files.iter().find_map(|f| Some((f.path.as_str(), f.cursor?)));
        found.expect("the fixture marks a cursor with $0")
    }
}

/// The text without the blanks that indent a raw string's closing quote.
fn without_closing_indent(text: &str) -> &str {
    match text.rfind('\n') {
        Some(end) if text[end..].trim().is_empty() => &text[..=end],
        _ => text,
    }
}

/// The line without up to `indent` leading blanks.
fn dedent(line: &str, indent: usize) -> &str {
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    &line[blanks.min(indent)..]
}

fn is_header(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("//- /") || line.starts_with("//= ")
}

impl FixtureFile {
    fn new(path: &str, body: &str) -> Self {
        let cursor = body.find("$0");
        Self { path: path.trim().to_owned(), text: body.replacen("$0", "", 1), cursor }
    }
}

/// Compares what a piece of work executed with what it may execute: `expected` holds one `query(key)` per line, in any
/// order; blank lines and indentation do not count.
///
/// # Panics
/// With both lists when they differ.
pub fn assert_ran(executed: &[String], expected: &str) {
    let mut wanted: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    wanted.sort_unstable();
    let mut found: Vec<&str> = executed.iter().map(String::as_str).collect();
    found.sort_unstable();
    assert!(found == wanted, "executed:\n  {}\nexpected:\n  {}", found.join("\n  "), wanted.join("\n  "));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_steps_and_cursor() {
        let fixture = Fixture::parse(
            "
            //- /a b.py
            x = $01
            //- /c.rs
            //= edit /a b.py
            x = 2
            //= delete /c.rs
            ",
        );
        assert_eq!(fixture.files.len(), 2);
        assert_eq!(fixture.files[0].path, "a b.py");
        assert_eq!(fixture.files[0].text, "x = 1\n");
        assert_eq!(fixture.files[1].text, "");
        assert_eq!(fixture.cursor(), ("a b.py", "x = ".len()));
        assert_eq!(fixture.steps.len(), 2);
        assert_eq!(fixture.steps[1], Step::Delete("c.rs".to_owned()));
    }

    /// The text of the one file that `fixture` spells.
    fn text(fixture: &str) -> String {
        let mut files = Fixture::parse(fixture).files;
        assert_eq!(files.len(), 1);
        files.remove(0).text
    }

    #[test]
    fn the_indentation_of_the_header_is_no_text() {
        let indented = "
            //- /a.py
            class C:
                def f(self):

                    pass
          # less than its header
            ";
        assert_eq!(text(indented), "class C:\n    def f(self):\n\n        pass\n# less than its header\n");
        assert_eq!(text("//- /a.py\n  x\n"), "  x\n");
        assert_eq!(text("\t//- /a.py\n\t\tx"), "\tx\n");
    }

    #[test]
    fn blank_lines_are_text_and_the_closing_indent_is_none() {
        assert_eq!(text("  //- /a.md\n  one\n\n  \n  "), "one\n\n\n");
        assert_eq!(text("//- /a.md\n"), "");
    }

    #[test]
    #[should_panic(expected = "not a fixture section")]
    fn text_before_the_first_section_is_refused() {
        Fixture::parse("x = 1\n//- /a.py\n");
    }

    #[test]
    #[should_panic(expected = "not a fixture section")]
    fn unknown_steps_are_refused() {
        Fixture::parse("//= rename /a.py\n");
    }

    #[test]
    fn runs_compare_in_any_order() {
        let ran = ["facts(/b)".to_owned(), "facts(/a)".to_owned(), "facts(/a)".to_owned()];
        assert_ran(&ran, "\n  facts(/a)\n\n  facts(/a)\n  facts(/b)");
    }

    #[test]
    #[should_panic(expected = "executed:\n  facts(/a)\nexpected:\n  facts(/a)\n  facts(/a)")]
    fn differing_runs_are_shown() {
        assert_ran(&["facts(/a)".to_owned()], "facts(/a)\nfacts(/a)");
    }
}
