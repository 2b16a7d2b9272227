//! What the path of a file says about it, by the habits of languages and projects.

use rift_base::ProjectPath;

use crate::searcher::Searcher;

/// Stems of files that stand for the folder that they are in.
const FOLDER_STEMS: &[&str] = &["mod", "index", "__init__", "init", "lib", "main"];

/// Directories of programs that show or measure other code.
const EXAMPLE_DIRECTORIES: &[&str] = &[
    "example",
    "examples",
    "_examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "fixtures",
    "docs_src",
    "tutorial",
    "tutorials",
    "playground",
    "snippets",
];
/// Directories of copies of other projects, and of code that is kept for old callers.
const OLD_DIRECTORIES: &[&str] = &["vendor", "vendored", "third_party", "legacy", "compat", "deprecated", "polyfills"];
/// Words in the names of files that are kept for old callers.
const OLD_WORDS: &[&str] = &["legacy", "compat", "deprecated"];
/// Extensions of prose and data.
const PROSE_EXTENSIONS: &[&str] = &[
    "md", "mdx", "rst", "txt", "json", "yml", "yaml", "toml", "lock", "xml", "html", "css", "svg", "csproj", "ruleset",
    "cfg", "ini",
];

/// Words of a query that ask for tests.
const TEST_QUERY: &[&str] = &["test", "tests", "testing", "tested", "spec", "specs", "conftest"];
const EXAMPLE_QUERY: &[&str] = &[
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "bench",
    "benchmark",
    "benchmarks",
    "fixture",
    "fixtures",
    "tutorial",
    "tutorials",
    "playground",
    "snippet",
    "snippets",
];
const OLD_QUERY: &[&str] = &["legacy", "compat", "compatibility", "deprecated", "vendor", "vendored", "polyfill"];
const PROSE_QUERY: &[&str] =
    &["readme", "changelog", "documentation", "docs", "guide", "license", "config", "configuration", "manifest"];

/// What the score of a file counts that is a test, an example, kept for old callers, prose or data, or made by a tool.
/// A query that asks for such files by a word finds them like any other.
const TEST_FACTOR: f32 = 0.3;
const EXAMPLE_FACTOR: f32 = 0.5;
const OLD_FACTOR: f32 = 0.5;
const PROSE_FACTOR: f32 = 0.4;
const OUTPUT_FACTOR: f32 = 0.5;

/// How many later versions of a folder are looked for.
const LATER_VERSIONS: u32 = 3;
/// The longest name of a folder that is taken for a version: `v` and two digits.
const VERSION_BYTES_MAX: usize = 3;

/// A path, in the parts that say something.
pub(crate) struct Place<'p> {
    path: &'p ProjectPath,
    /// The name of the file without its extension, or of the folder that the file stands for.
    pub(crate) stem: &'p str,
    /// The folders around that.
    pub(crate) directories: &'p str,
}

impl<'p> Place<'p> {
    pub(crate) fn of(path: &'p ProjectPath) -> Self {
        let (directories, _) = path.as_str().rsplit_once('/').unwrap_or_default();
        if FOLDER_STEMS.contains(&path.stem()) && !directories.is_empty() {
            let (around, folder) = directories.rsplit_once('/').unwrap_or(("", directories));
            return Self { path, stem: folder, directories: around };
        }
        Self { path, stem: path.stem(), directories }
    }

    /// What the file's score is multiplied by, for a query with these words.
    pub(crate) fn factor(&self, searcher: &Searcher, rank: u32, is_generated: bool, words: &[&str]) -> f32 {
        let asks_for = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
        let mut factor = 1.0;
        if searcher.is_test(rank) && !asks_for(TEST_QUERY) {
            factor *= TEST_FACTOR;
        }
        if is_generated || searcher.is_output(rank) {
            factor *= OUTPUT_FACTOR;
        }
        if self.is_within(EXAMPLE_DIRECTORIES) && !asks_for(EXAMPLE_QUERY) {
            factor *= EXAMPLE_FACTOR;
        }
        if (self.is_old() || self.is_superseded(searcher, words)) && !asks_for(OLD_QUERY) {
            factor *= OLD_FACTOR;
        }
        if self.is_prose() && !asks_for(PROSE_QUERY) {
            factor *= PROSE_FACTOR;
        }
        factor
    }

    fn folders(&self) -> impl Iterator<Item = &'p str> {
        self.path.segments().rev().skip(1)
    }

    fn is_within(&self, directories: &[&str]) -> bool {
        self.folders().any(|folder| directories.contains(&folder))
    }

    fn is_old(&self) -> bool {
        let is_old = |word: &str| OLD_WORDS.iter().any(|old| word.eq_ignore_ascii_case(old));
        self.is_within(OLD_DIRECTORIES) || rift_base::split_identifier(self.path.stem()).any(is_old)
    }

    fn is_prose(&self) -> bool {
        let extension = self.path.extension();
        self.path.file_name().starts_with('.') || extension.is_none_or(|e| PROSE_EXTENSIONS.contains(&e))
    }

    /// Whether the path goes through a folder `v1` beside which there is a later one, or around which there is the same
    /// file without a version; unless the query names that version.
    fn is_superseded(&self, searcher: &Searcher, words: &[&str]) -> bool {
        let text = self.path.as_str();
        let mut at = 0;
        for folder in self.outer_folders() {
            let (before, end) = (&text[..at], at + folder.len());
            at = end + 1;
            let number = folder.strip_prefix('v').filter(|_| folder.len() <= VERSION_BYTES_MAX);
            let Some(number) = number.and_then(|number| number.parse::<u32>().ok()) else { continue };
            if words.contains(&folder) {
                continue;
            }
            let later =
                (1..=LATER_VERSIONS).any(|more| searcher.has_path_below(&format!("{before}v{}/", number + more)));
            if later || searcher.has_path(&format!("{before}{}", &text[at..])) {
                return true;
            }
        }
        false
    }

    /// The folders of the path, outermost first.
    fn outer_folders(&self) -> impl Iterator<Item = &'p str> {
        let folders = self.path.segments().count().saturating_sub(1);
        self.path.segments().take(folders)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> ProjectPath {
        ProjectPath::new(text).expect("valid")
    }

    #[test]
    fn files_that_stand_for_folders() {
        for (text, stem, directories) in [
            ("src/sync/mod.rs", "sync", "src"),
            ("router/index.ts", "router", ""),
            ("main.py", "main", ""),
            ("a/b/name.rs", "name", "a/b"),
        ] {
            let path = path(text);
            let place = Place::of(&path);
            assert_eq!((place.stem, place.directories), (stem, directories), "{text}");
        }
    }

    #[test]
    fn factors_say_what_a_file_is() {
        let searcher = Searcher::default();
        for (text, query, expected) in [
            ("src/a.rs", &[][..], 1.0),
            ("examples/a.rs", &[], EXAMPLE_FACTOR),
            ("examples/a.rs", &["example"], 1.0),
            ("src/compat/a.rs", &[], OLD_FACTOR),
            ("src/http_legacy.rs", &[], OLD_FACTOR),
            ("src/http_legacy.rs", &["legacy"], 1.0),
            ("README.md", &[], PROSE_FACTOR),
            ("Makefile", &[], PROSE_FACTOR),
            ("README.md", &["readme"], 1.0),
            ("examples/data.json", &[], EXAMPLE_FACTOR * PROSE_FACTOR),
        ] {
            let path = path(text);
            assert_eq!(Place::of(&path).factor(&searcher, 0, false, query), expected, "{text} {query:?}");
        }
    }
}
