//! Which language a path belongs to: the table of known languages under the `[languages]` entries of
//! the configuration.

use std::collections::{BTreeMap, HashMap};

use rift_base::{Config, KNOWN_LANGUAGES, Language, LanguageConfig};

use crate::pattern::{PathPatterns, PatternError};

/// One effective language entry, as `rift://workspace` shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageEntry {
    /// Its identity.
    pub language: Language,
    /// Whether its paths are parsed; otherwise they are plain text.
    pub enabled: bool,
    /// The globs it claims: those of the configuration, else the provider's own.
    pub include: Vec<String>,
    /// The globs it does not claim.
    pub exclude: Vec<String>,
    /// Whether this build has a syntax provider for it.
    pub known: bool,
}

/// Two entries claim one path. The configuration is refused.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error(
    "two languages claim one path: path {path}, languages {first} and {second}; exclude the path from one of the two [languages] entries"
)]
pub struct LanguageConflict {
    /// The path.
    pub path: String,
    /// The smaller identity.
    pub first: Language,
    /// The larger identity.
    pub second: Language,
}

/// A configuration whose language patterns do not compile. [`crate::load_config`] reports such
/// patterns with their place first.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("language {language}: {source}")]
pub struct LanguagePatternError {
    /// The entry.
    pub language: Language,
    /// What is wrong.
    #[source]
    pub source: PatternError,
}

/// The languages of a workspace by path. A path that only default rules concern costs one hash lookup.
#[derive(Debug, Clone)]
pub struct LanguageMap {
    entries: Vec<LanguageEntry>,
    /// Per entry: the paths it gives up.
    excludes: Vec<PathPatterns>,
    /// Lower-case extension -> entry, of the entries that keep the provider's patterns.
    extensions: HashMap<&'static str, usize>,
    /// File name -> entry, likewise.
    names: HashMap<&'static str, usize>,
    /// The stated include patterns of all entries, and the entry each belongs to.
    stated: PathPatterns,
    stated_owner: Vec<usize>,
}

/// An extension longer than this belongs to no known language.
const EXTENSION_MAX: usize = 16;

impl LanguageMap {
    /// The map of a configuration.
    pub fn new(config: &Config) -> Result<Self, LanguagePatternError> {
        let mut effective: BTreeMap<Language, (Option<usize>, LanguageConfig)> = BTreeMap::new();
        for (index, known) in KNOWN_LANGUAGES.iter().enumerate() {
            if let Some(language) = Language::new(known.identity) {
                effective.insert(language, (Some(index), LanguageConfig::default()));
            }
        }
        for (language, stated) in &config.languages {
            effective.entry(language.clone()).or_insert((None, LanguageConfig::default())).1 = stated.clone();
        }

        let mut map = Self {
            entries: Vec::with_capacity(effective.len()),
            excludes: Vec::with_capacity(effective.len()),
            extensions: HashMap::new(),
            names: HashMap::new(),
            stated: PathPatterns::none(),
            stated_owner: Vec::new(),
        };
        let mut stated = Vec::new();
        for (language, (known, entry)) in effective {
            let index = map.entries.len();
            let error = |source| LanguagePatternError { language: language.clone(), source };
            let provider = known.and_then(|k| KNOWN_LANGUAGES.get(k));
            let include = match (&entry.include, provider) {
                (Some(include), _) => {
                    PathPatterns::new(include).map_err(error)?;
                    stated.extend(include.iter().cloned());
                    map.stated_owner.extend(include.iter().map(|_| index));
                    include.clone()
                }
                (None, Some(provider)) => {
                    map.extensions.extend(provider.extensions.iter().map(|e| (*e, index)));
                    map.names.extend(provider.file_names.iter().map(|n| (*n, index)));
                    provider.include()
                }
                (None, None) => Vec::new(),
            };
            map.excludes.push(PathPatterns::new(&entry.exclude).map_err(error)?);
            map.entries.push(LanguageEntry {
                enabled: entry.enabled,
                include,
                exclude: entry.exclude,
                known: provider.is_some(),
                language,
            });
        }
        if let Some(first) = map.entries.first() {
            let language = first.language.clone();
            map.stated = PathPatterns::new(&stated).map_err(|source| LanguagePatternError { language, source })?;
        }
        Ok(map)
    }

    /// The language of a path; none when no entry claims it, or only a disabled one.
    pub fn language(&self, path: &str) -> Result<Option<&Language>, LanguageConflict> {
        Ok(self.entry(path)?.filter(|e| e.enabled).map(|e| &e.language))
    }

    /// The entry that claims a path, disabled ones included.
    pub fn entry(&self, path: &str) -> Result<Option<&LanguageEntry>, LanguageConflict> {
        let mut claim = self.provider_claim(path).filter(|&i| self.keeps(i, path));
        if !self.stated.is_empty() {
            for index in self.stated.matching(path).into_iter().filter_map(|i| self.stated_owner.get(i).copied()) {
                if claim == Some(index) || !self.keeps(index, path) {
                    continue;
                }
                if let Some(other) = claim {
                    return Err(self.conflict(path, index, other));
                }
                claim = Some(index);
            }
        }
        Ok(claim.and_then(|i| self.entries.get(i)))
    }

    /// Every effective entry, by identity.
    pub fn entries(&self) -> &[LanguageEntry] {
        &self.entries
    }

    fn keeps(&self, index: usize, path: &str) -> bool {
        self.excludes.get(index).is_some_and(|exclude| !exclude.matches(path))
    }

    /// The entry whose provider claims the file name or, in any case, the extension.
    fn provider_claim(&self, path: &str) -> Option<usize> {
        let name = path.rsplit('/').next().unwrap_or(path);
        if let Some(&index) = self.names.get(name) {
            return Some(index);
        }
        let extension = &name.as_bytes()[name.rfind('.')? + 1..];
        let mut buffer = [0; EXTENSION_MAX];
        let lower = buffer.get_mut(..extension.len())?;
        lower.copy_from_slice(extension);
        lower.make_ascii_lowercase();
        self.extensions.get(std::str::from_utf8(lower).ok()?).copied()
    }

    fn conflict(&self, path: &str, a: usize, b: usize) -> LanguageConflict {
        let (a, b) = (a.min(b), a.max(b));
        LanguageConflict {
            path: path.to_owned(),
            first: self.entries[a].language.clone(),
            second: self.entries[b].language.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(entries: &[(&str, LanguageConfig)]) -> LanguageMap {
        let mut config = Config::default();
        for (name, entry) in entries {
            config.languages.insert(Language::new(name).expect("identity"), entry.clone());
        }
        LanguageMap::new(&config).expect("patterns compile")
    }

    fn include(patterns: &[&str]) -> LanguageConfig {
        LanguageConfig { include: Some(patterns.iter().map(|p| (*p).to_owned()).collect()), ..Default::default() }
    }

    fn check(map: &LanguageMap, expected: &[(&str, Option<&str>)]) {
        for (path, language) in expected {
            assert_eq!(map.language(path).expect("no conflict").map(Language::as_str), *language, "{path}");
        }
    }

    #[test]
    fn defaults() {
        check(
            &map(&[]),
            &[
                ("src/main.rs", Some("rust")),
                ("a b/é%.PY", Some("python")),
                ("x.tsx", Some("typescript:tsx")),
                ("x.d.ts", Some("typescript")),
                ("x.c++", Some("cpp")),
                ("x.h", Some("c")),
                ("sub/.eslintrc", Some("json")),
                ("Cargo.lock", Some("toml")),
                ("cargo.lock", None),
                ("rs", None),
                ("dir.rs/README", None),
                ("x.", None),
                ("x.rs.abcdefghijklmnopqrstuvwxyz", None),
                ("justfile", None),
            ],
        );
    }

    #[test]
    fn include_replaces_exclude_drops_disabled_is_text() {
        let rust = LanguageConfig { exclude: vec!["gen/**".to_owned()], ..Default::default() };
        let python = LanguageConfig { enabled: false, ..Default::default() };
        let map = map(&[
            ("rust", rust),
            ("python", python),
            ("yaml", include(&[])),
            ("json", include(&["**/*.conf"])),
            ("vue", include(&["web/**/*.vue"])),
        ]);
        check(
            &map,
            &[
                ("a.rs", Some("rust")),
                ("gen/a.rs", None),
                ("a.py", None),
                ("a.yml", None),
                ("a.json", None),
                ("x/a.conf", Some("json")),
                ("web/a/b.vue", Some("vue")),
                ("b.vue", None),
            ],
        );
        assert_eq!(map.entry("a.py").expect("no conflict").map(|e| e.language.as_str()), Some("python"));
        let names: Vec<_> = map.entries().iter().map(|e| e.language.as_str()).collect();
        assert!(names.is_sorted() && names.contains(&"vue") && names.len() == KNOWN_LANGUAGES.len() + 1);
        let rust = map.entries().iter().find(|e| e.language.as_str() == "rust").expect("known");
        assert_eq!((rust.include.as_slice(), rust.known), (&["**/*.rs".to_owned()][..], true));
    }

    #[test]
    fn two_claims_are_refused_by_name() {
        let map = map(&[("jest", include(&["**/*.test.js", "**/*.spec.js"])), ("api", include(&["api/**"]))]);
        let conflict = map.language("x/a.test.js").expect_err("two claims");
        assert_eq!(
            (conflict.first.as_str(), conflict.second.as_str()),
            ("javascript", "jest").min(("jest", "javascript"))
        );
        let text = conflict.to_string();
        assert!(["x/a.test.js", "javascript", "jest"].iter().all(|part| text.contains(part)), "{text}");
        assert!(map.language("api/a.spec.js").is_err());
        check(&map, &[("api/a", Some("api")), ("a.js", Some("javascript"))]);
    }

    #[test]
    fn excluding_resolves_a_conflict() {
        let javascript = LanguageConfig { exclude: vec!["**/*.test.js".to_owned()], ..Default::default() };
        let map = map(&[("javascript", javascript), ("jest", include(&["**/*.test.js"]))]);
        check(&map, &[("x/a.test.js", Some("jest")), ("a.js", Some("javascript"))]);
    }
}
