//! What of each file the index takes, by the configuration: the rules behind `large_file_unparsed`,
//! `large_file_skipped` and `lockfile_excluded`.

use rift_base::{Config, GeneratedReason, IndexPolicy, Language, LargeFiles, SourceKind, SyntaxPolicy, TextPolicy};

use crate::kind::source_kind;
use crate::pattern::{PathPatterns, PatternError};

/// The rules of one configuration, compiled.
#[derive(Debug, Clone)]
pub struct IndexRules {
    text_include: PathPatterns,
    excluded_lockfiles: Vec<String>,
    max_file: u64,
    max_chunk: u64,
    large_files: LargeFiles,
}

impl IndexRules {
    /// The rules of a configuration.
    pub fn new(config: &Config) -> Result<Self, PatternError> {
        Ok(Self {
            text_include: PathPatterns::new(&config.search.text_include)?,
            excluded_lockfiles: config.search.excluded_lockfiles.clone(),
            max_file: config.syntax.max_file,
            max_chunk: config.search.text_max_chunk,
            large_files: config.search.large_files,
        })
    }

    /// Who wrote a file and what the index takes of it. `size` is the raw size in bytes, `language` the
    /// enabled language that claims the path.
    pub fn decide(&self, path: &str, size: u64, text: &str, language: Option<&Language>) -> (SourceKind, IndexPolicy) {
        let kind = source_kind(path, text);
        let syntax = match kind {
            SourceKind::Generated(
                reason @ (GeneratedReason::Minified | GeneratedReason::SourceMap | GeneratedReason::Lockfile),
            ) => SyntaxPolicy::NotAuthored(reason),
            _ if language.is_none() => SyntaxPolicy::NoLanguage,
            _ if size > self.max_file => SyntaxPolicy::TooLarge,
            _ => SyntaxPolicy::Parse,
        };
        let text = if self.is_excluded_lockfile(path) {
            TextPolicy::Lockfile
        } else if language.is_none() && !self.text_include.matches(path) {
            TextPolicy::NotSelected
        } else if self.large_files == LargeFiles::Skip && text.len() as u64 > self.max_chunk {
            TextPolicy::TooLarge
        } else {
            TextPolicy::Index
        };
        (kind, IndexPolicy { syntax, text })
    }

    /// Whether `[search.text] excluded_lockfiles` names the file.
    pub fn is_excluded_lockfile(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.excluded_lockfiles.iter().any(|excluded| excluded == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(config: &Config, path: &str, size: u64, text: &str, language: Option<&str>) -> IndexPolicy {
        let language = language.and_then(Language::new);
        IndexRules::new(config).expect("patterns").decide(path, size, text, language.as_ref()).1
    }

    #[test]
    fn each_bound_has_its_reason() {
        let mut config = Config::default();
        config.syntax.max_file = 100;
        config.search.text_max_chunk = 50;
        config.search.text_include = vec!["docs/**".to_owned()];
        let long = "x".repeat(51);
        let rust = Some("rust");
        assert_eq!(decide(&config, "a.rs", 100, "x", rust), IndexPolicy::FULL);
        assert_eq!(decide(&config, "a.rs", 101, "x", rust).syntax, SyntaxPolicy::TooLarge);
        assert_eq!(decide(&config, "a.rs", 51, &long, rust), IndexPolicy::FULL, "split is the default");
        config.search.large_files = LargeFiles::Skip;
        let skipped = decide(&config, "a.rs", 51, &long, rust);
        assert_eq!((skipped.syntax, skipped.text), (SyntaxPolicy::Parse, TextPolicy::TooLarge));
        assert_eq!(decide(&config, "a.rs", 51, &long[1..], rust).text, TextPolicy::Index, "the bound itself is inside");
        assert_eq!(decide(&config, "justfile", 1, "x", None).text, TextPolicy::NotSelected);
        let text = decide(&config, "docs/justfile", 1, "x", None);
        assert_eq!((text.syntax, text.text), (SyntaxPolicy::NoLanguage, TextPolicy::Index));
    }

    #[test]
    fn what_nobody_wrote_is_not_parsed() {
        let mut config = Config::default();
        let lock = decide(&config, "sub/Cargo.lock", 1, "x", Some("toml"));
        assert_eq!(lock.syntax, SyntaxPolicy::NotAuthored(GeneratedReason::Lockfile));
        assert_eq!(lock.text, TextPolicy::Lockfile);
        config.search.excluded_lockfiles = vec!["my.lock".to_owned()];
        let lock = decide(&config, "Cargo.lock", 1, "x", Some("toml"));
        assert_eq!((lock.parses(), lock.text), (false, TextPolicy::Index));
        assert_eq!(decide(&config, "my.lock", 1, "x", None).text, TextPolicy::Lockfile);
        let minified = decide(&config, "a.min.js", 1, "x", Some("javascript"));
        assert_eq!((minified.parses(), minified.indexes_text()), (false, true));
        let (kind, policy) = IndexRules::new(&config).expect("patterns").decide(
            "a.rs",
            1,
            "// @generated\n",
            Language::new("rust").as_ref(),
        );
        assert_eq!((kind, policy), (SourceKind::Generated(GeneratedReason::Header), IndexPolicy::FULL));
    }
}
