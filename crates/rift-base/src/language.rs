//! Language identities and the paths they claim.

use std::fmt;
use std::sync::Arc;

/// A language identity: a lowercase name and an optional dialect, written `name` or `name:dialect`
/// (`typescript:tsx`). Both parts match `[a-z][a-z0-9._-]*` and hold at most 64 characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(Arc<str>);

impl Language {
    /// Checks and takes `text`.
    pub fn new(text: &str) -> Option<Self> {
        let part = |p: &str| {
            p.len() <= 64
                && p.starts_with(|c: char| c.is_ascii_lowercase())
                && p.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b))
        };
        let valid = match text.split_once(':') {
            Some((name, dialect)) => part(name) && part(dialect),
            None => part(text),
        };
        valid.then(|| Self(text.into()))
    }

    /// The wire spelling.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name without its dialect.
    pub fn name(&self) -> &str {
        self.0.split(':').next().unwrap_or("")
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A language that this build has a syntax provider for.
#[derive(Debug, Clone, Copy)]
pub struct KnownLanguage {
    /// Its identity.
    pub identity: &'static str,
    /// Extensions it claims, without dots, in any case.
    pub extensions: &'static [&'static str],
    /// Whole file names it claims.
    pub file_names: &'static [&'static str],
}

impl KnownLanguage {
    /// The globs that `rift.toml` could write in place of the extensions and file names.
    pub fn include(&self) -> Vec<String> {
        let names = self.file_names.iter().map(|n| format!("**/{n}"));
        self.extensions.iter().map(|e| format!("**/*.{e}")).chain(names).collect()
    }
}

const fn language(
    identity: &'static str,
    extensions: &'static [&'static str],
    file_names: &'static [&'static str],
) -> KnownLanguage {
    KnownLanguage { identity, extensions, file_names }
}

/// Every language with a syntax provider, by identity. One extension belongs to one entry. A `.h`
/// file is claimed by `c` here and answered as `cpp` when its text holds C++-only tokens.
pub static KNOWN_LANGUAGES: &[KnownLanguage] = &[
    language("c", &["c", "h"], &[]),
    language("cpp", &["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "inl", "ipp", "tpp", "txx"], &[]),
    language("go", &["go"], &[]),
    language("java", &["java"], &[]),
    language("javascript", &["js", "jsx", "mjs", "cjs"], &[]),
    language("json", &["json", "jsonc", "json5", "webmanifest"], &[".babelrc", ".eslintrc", ".prettierrc"]),
    language("markdown", &["md", "markdown", "mdown", "mkd"], &[]),
    language("python", &["py", "pyi", "pyw"], &[]),
    language("rust", &["rs"], &[]),
    language("toml", &["toml"], &["Cargo.lock", "Pipfile", "poetry.lock", "uv.lock"]),
    language("typescript", &["ts", "mts", "cts"], &[]),
    language("typescript:tsx", &["tsx"], &[]),
    language("yaml", &["yaml", "yml"], &[".clang-format", ".clang-tidy"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities() {
        assert_eq!(Language::new("typescript:tsx").map(|l| l.name().to_owned()).as_deref(), Some("typescript"));
        for bad in ["", "Rust", "a:", ":a", "a:b:c", "a b", "1a"] {
            assert!(Language::new(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn table_is_sorted_and_claims_are_unique() {
        assert!(KNOWN_LANGUAGES.is_sorted_by(|a, b| a.identity < b.identity));
        let mut claims: Vec<&str> = KNOWN_LANGUAGES.iter().flat_map(|l| l.extensions).copied().collect();
        let count = claims.len();
        claims.sort_unstable();
        claims.dedup();
        assert_eq!(claims.len(), count);
        assert!(KNOWN_LANGUAGES.iter().all(|l| Language::new(l.identity).is_some()));
    }
}
