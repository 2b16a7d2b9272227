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
//! Sections that start with `//-` are the first state, those with `//=` are steps replayed one after another. A `$0`
//! marks a cursor and is taken out of the text.

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
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let line = line.trim_start();
            if line.is_empty() {
                continue;
            }
            let mut body = String::new();
            while let Some(next) = lines.next_if(|l| !is_header(l)) {
                body.push_str(next);
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
        assert_eq!(fixture.cursor(), ("a b.py", "            x = ".len()));
        assert_eq!(fixture.steps[1], Step::Delete("c.rs".to_owned()));
    }

    #[test]
    #[should_panic(expected = "executed")]
    fn differing_runs_are_shown() {
        assert_ran(&["facts(/a)".to_owned()], "");
    }
}
